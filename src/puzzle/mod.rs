//! Puzzles: what people meet ([`Puzzle`]), what the engine walks ([`Space`](crate::space::Space)), and the
//! registry that turns a short text such as `wrapslide:6x6:2` into a puzzle.
//!
//! # Adding a puzzle
//! 1. Make a folder beside `wrapslide/` with its rules, index, canonical form and notation.
//! 2. Implement [`Space`](crate::space::Space) (what is walked) and [`Puzzle`] (what is shown). Take ranking from
//!    [`encode`](crate::encode), groups and the generic canonical form from
//!    [`symmetry`](crate::symmetry).
//! 3. Add one `Kind` to the list of kinds.
//! 4. Implement [`Hands`], so that it can be played with arrow keys.
//! 5. Add a row to the table of golden levels in `tests/golden.rs`, and property tests that
//!    hold a fast canonical form to the generic one.
//!
//! Nothing else changes: the engine and the command line know no puzzle by name.

mod conclusion;
mod counting;
mod enumeration;
mod hands;
mod kind;
mod pick;
mod relations;
mod solver;
mod words;
pub mod workbench;

pub use conclusion::{Conclusion, Found, conclude};
pub use counting::{CountTables, Counting};
pub use enumeration::{Enumeration, PuzzleSubject, default_dir, enumerate, job_name, subject};
pub use hands::{Arrow, Hands, Reach, Sight};
pub use kind::{Kind, Parse, Play, Survey};
pub use pick::{Picked, pick};
pub use relations::{Growth, Relation};
pub use solver::{Attempt, Effort, ReadySolver, Solver, unsolvable};
pub use words::{Content, FileName, Files, Words};
pub use workbench::Workbench;

use crate::error::Result;
use crate::random::Random;
use crate::space::{AnySpace, Index};

/// One position of a puzzle, as bytes that only the puzzle which made it can read.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(pub Vec<u8>);

/// One move, as a number that only the puzzle which made it can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(pub u32);

/// What the number of the last level answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// How far the hardest state is from being solved: the roots are the solved states.
    GodsNumber,
    /// How far the farthest state is from a given start, which is the root.
    Eccentricity,
    /// In how many ways the puzzle can be solved: the states of the last level are the solutions.
    Solutions,
}

/// Something to solve.
pub enum Instance {
    /// A state of the puzzle at hand.
    State(State),
    /// Another puzzle of its kind, to be solved from its start: where all states of one puzzle are steps
    /// towards its solution, it is puzzles that are random.
    Puzzle(Box<dyn Puzzle>),
}

/// Names of moves on one line, from which each can be told again: with spaces between them, or with
/// commas where a name has a space in it.
pub fn join_names(names: &[String]) -> String {
    let spaced = names.iter().any(|name| name.contains(' '));
    names.join(if spaced { ", " } else { " " })
}

/// The names on a line that [`join_names`] wrote, given how many they are.
pub fn split_names(line: &str, names: usize) -> Vec<&str> {
    match names {
        0 if line.is_empty() => Vec::new(),
        // A single name may have a space in it.
        0 | 1 => vec![line],
        _ if line.contains(", ") => line.split(", ").collect(),
        _ => line.split(' ').collect(),
    }
}

/// One position of a film.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The state on one line.
    pub line: String,
    /// The board on several.
    pub picture: String,
}

/// A solution in parts that follow each other, each with its own purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phased {
    /// The cycle of cells that the parts are about.
    pub cycle: Vec<u8>,
    /// What each part is called, and its moves.
    pub phases: Vec<(&'static str, Vec<Move>)>,
}

/// Whose finished enumeration knows how far the states of a puzzle are from being solved.
pub enum Tablebase {
    /// Its own.
    Own,
    /// That of another puzzle with the same states.
    Other {
        /// The text of that puzzle.
        text: String,
        /// Makes it; a usage error means that no state of it is solved.
        make: Box<dyn Fn() -> Result<Box<dyn Puzzle>> + Send + Sync>,
    },
}

/// A puzzle as people meet it.
///
/// A state passed in must come from the same puzzle ([`parse_state`](Puzzle::parse_state),
/// [`apply`](Puzzle::apply), [`state_of`](Puzzle::state_of)).
pub trait Puzzle: Send + Sync {
    /// The canonical text: parsing it gives this puzzle again.
    fn text(&self) -> String;
    /// The puzzle in words: "Wrapslide 6x6, 2 colours".
    fn title(&self) -> String;
    /// What counts as one move: "slide".
    fn metric(&self) -> &'static str;
    /// Version of the numbering of classes; a stored index means nothing under another one.
    fn index_scheme(&self) -> u32;
    /// Order of the symmetry group: the symmetries that map the set of solved states to itself.
    fn group_order(&self) -> u64;
    /// The number of reachable states, where a formula or another way of counting gives it.
    fn total_states(&self) -> Option<u128>;
    /// The number of classes, where counting fixed points gives it cheaply.
    fn total_classes(&self) -> Option<u128>;
    /// The number of states that exist, reachable or not, where they were counted and some of
    /// them may be unreachable. The universe then holds all of them, and a finished job is
    /// expected to tell how many were left unreached.
    fn existing_states(&self) -> Option<u128> {
        None
    }
    /// How fast its levels can grow, counted in states, where more can be said than that a class has
    /// only so many neighbours.
    fn growth(&self) -> Option<Growth> {
        None
    }
    /// How the number of its last level compares with those of other puzzles.
    fn relations(&self) -> Vec<Relation> {
        Vec::new()
    }
    /// What an enumeration answers.
    fn question(&self) -> Question {
        Question::GodsNumber
    }
    /// What tells the content of the file that the text names from any other content.
    fn content(&self) -> Option<u64> {
        None
    }
    /// What a user should know before relying on a result, in one sentence.
    fn warning(&self) -> Option<String> {
        None
    }
    /// The position that the puzzle is given in, if there is one: a layout, a scrambled board.
    fn start(&self) -> Option<State> {
        None
    }
    /// A state of level 0, also where there is no index if the puzzle knows one.
    fn root(&self) -> Option<State> {
        let index = match self.space()? {
            AnySpace::Narrow(space) => space.roots().first()?.wide(),
            AnySpace::Wide(space) => *space.roots().first()?,
        };
        self.state_of(index)
    }
    /// The puzzle in the file format of its kind: a text `kind:@FILE` reads it back.
    fn file(&self) -> Option<String> {
        None
    }
    /// How to count the solutions; `None` where that is no question.
    fn counting(&self) -> Option<&dyn Counting> {
        None
    }
    /// Ways to solve its states besides descending the table of a finished enumeration, the one to
    /// recommend first.
    fn solvers(&self) -> Vec<Box<dyn Solver + '_>> {
        Vec::new()
    }
    /// The puzzle whose finished enumeration knows how far the states of this one are from being
    /// solved; `None` if no enumeration does.
    fn tablebase(&self) -> Option<Tablebase> {
        (self.space().is_some() && self.question() == Question::GodsNumber)
            .then_some(Tablebase::Own)
    }
    /// The ways to solve a state in phases; none where there are no phases.
    fn sorts(&self) -> &'static [&'static str] {
        &[]
    }
    /// Solves a state in phases, to be watched rather than to be short; `sort` is one of [`sorts`]. `None`
    /// where there are no phases.
    ///
    /// [`sorts`]: Puzzle::sorts
    fn phases(&self, _state: &State, _sort: &str, _effort: &Effort<'_>) -> Option<Result<Phased>> {
        None
    }
    /// A random instance: every state that can be solved is equally likely. What a random source gives
    /// is frozen: it must never change.
    fn scramble(&self, random: &mut Random) -> Result<Instance>;
    /// Calls `visit` with one solution of the state after the other, each once, until it returns
    /// `false` or the effort is spent. `None` where a puzzle has one question only: how far a state is.
    fn all_solutions(
        &self,
        _state: &State,
        _effort: &Effort<'_>,
        _visit: &mut dyn FnMut(&[Move]) -> bool,
    ) -> Option<Result<()>> {
        None
    }
    /// The puzzle's file with a hint carried out, where a hint is more than a good next move.
    fn hinted_file(&self) -> Option<Result<String>> {
        None
    }
    /// What the engine walks; `None` where the puzzle has no index.
    fn space(&self) -> Option<AnySpace<'_>>;

    /// Reads a state in one-line notation. A failure says where and why.
    fn parse_state(&self, text: &str) -> Result<State>;
    /// Writes a state in one-line notation, which `parse_state` reads back.
    fn print_state(&self, state: &State) -> String;
    /// Draws the board on several lines, with terminal colours if `colour` is set.
    fn draw(&self, state: &State, colour: bool) -> String;
    /// What a picture of the board needs beside a state, as a JSON object whose fields are those of
    /// the puzzle's kind; `null` where nobody has said how to draw it.
    fn board(&self) -> serde_json::Value {
        serde_json::Value::Null
    }
    /// How a player's hands move it; `None` where there are only moves in notation.
    fn hands(&self) -> Option<&dyn Hands> {
        None
    }
    /// The puzzle itself, for a game that is made for its kind alone.
    fn as_any(&self) -> Option<&dyn std::any::Any> {
        None
    }

    /// The legal moves in a state.
    fn moves(&self, state: &State) -> Vec<Move>;
    /// A legal move of a state in the puzzle's notation.
    fn move_name(&self, state: &State, mv: Move) -> String;
    /// Several moves on one line, out of their names.
    fn print_moves(&self, names: &[String]) -> String {
        join_names(names)
    }
    /// Reads a move; a failure says which moves there are.
    fn parse_move(&self, state: &State, text: &str) -> Result<Move>;
    /// The names of legal moves from a state on. Where pieces have names, each keeps the one that it has
    /// in `given`, the text that the state was read from.
    fn name_moves(&self, _given: &str, state: &State, moves: &[Move]) -> Vec<String> {
        let mut state = state.clone();
        let name = |&mv| {
            let name = self.move_name(&state, mv);
            state = self.apply(&state, mv);
            name
        };
        moves.iter().map(name).collect()
    }
    /// Reads what [`name_moves`](Puzzle::name_moves) wrote.
    fn read_moves(&self, _given: &str, state: &State, names: &[&str]) -> Result<Vec<Move>> {
        let mut state = state.clone();
        let read = |name: &&str| {
            let mv = self.parse_move(&state, name)?;
            state = self.apply(&state, mv);
            Ok(mv)
        };
        names.iter().map(read).collect()
    }
    /// Every state on the way of legal moves, the first one included: on one line, and drawn. Pieces
    /// keep their names as in [`name_moves`](Puzzle::name_moves).
    fn film(&self, _given: &str, state: &State, moves: &[Move], colour: bool) -> Vec<Frame> {
        let mut state = state.clone();
        let frame = |state: &State| Frame {
            line: self.print_state(state),
            picture: self.draw(state, colour),
        };
        let mut frames = vec![frame(&state)];
        for &mv in moves {
            state = self.apply(&state, mv);
            frames.push(frame(&state));
        }
        frames
    }
    /// The state after a legal move.
    fn apply(&self, state: &State, mv: Move) -> State;
    /// Whether the state is solved: one of the roots.
    fn is_solved(&self, state: &State) -> bool;

    /// The index of the state's class; `None` where the puzzle has no index.
    fn index_of(&self, state: &State) -> Option<u128>;
    /// The canonical state of the class with this index; `None` if no state has it.
    fn state_of(&self, index: u128) -> Option<State>;
}

//! Puzzles: what people meet ([`Rules`]), what the engine walks ([`Space`](crate::space::Space)), and the
//! registry that turns a short text such as `wrapslide:6x6:2` into a puzzle.
//!
//! A puzzle implements [`Rules`]. Everything else that it may offer is a capability, a small trait of
//! its own: see [`Capabilities`]. A [`Kind`] makes puzzles out of texts. The chapter
//! [`adding_a_puzzle`](crate::guide::adding_a_puzzle) shows the steps.

mod capability;
mod conclusion;
mod counting;
mod enumeration;
mod keys;
mod kind;
pub mod permutations;
mod pick;
mod relations;
mod scrambling;
mod solver;
mod spec;
mod subgoals;
pub mod workbench;

pub use capability::{
    Bounding, Capabilities, CellPair, FileFormat, Indexed, Listing, MoveLine, NamedPieces, Permutations,
    Phases, Picture, Replay, Scramble, Setup, Solving, StateNumber, Swaps,
};
pub use conclusion::{Conclusion, Found, conclude};
pub use counting::{CountTables, Counting};
pub use enumeration::{Enumeration, PuzzleSubject, default_dir, enumerate, job_name, subject};
pub use keys::{Arrow, BoardView, KeyControls, KeyEffect};
pub use kind::{Kind, Parse, Play, Survey};
pub use pick::{Picked, pick};
pub use relations::{Growth, Published, Relation};
pub use scrambling::Scrambling;
pub use solver::{Attempt, Effort, Prepared, ReadySolver, Solver, unsolvable};
pub use spec::{Content, FileName, FileSource, PuzzleSpec};
pub use subgoals::{Entrance, Subgoals, UniformMoves};
pub use workbench::Workbench;

use std::any::Any;

use crate::error::{Error, Result};

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
    Puzzle(Box<dyn Rules>),
}

/// Names of moves on one line, from which each can be recovered: with spaces between them, or with
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
        make: Box<dyn Fn() -> Result<Box<dyn Rules>> + Send + Sync>,
    },
}

/// What makes something a puzzle: its states and moves in writing, and when it is solved.
///
/// A state passed in must come from the same puzzle ([`parse_state`](Rules::parse_state),
/// [`apply`](Rules::apply), [`Indexed::state_of`]). Everything else that a puzzle may offer is a
/// [capability](Capabilities).
///
/// A dial with the digits 0 to 9 that has to be turned to 0:
///
/// ```
/// use godnum::error::{Error, Result};
/// use godnum::puzzle::{Move, Rules, State};
///
/// struct Dial;
///
/// impl Rules for Dial {
///     fn text(&self) -> String {
///         "dial".into()
///     }
///     fn parse_state(&self, text: &str) -> Result<State> {
///         match text.as_bytes() {
///             [digit @ b'0'..=b'9'] => Ok(State(vec![digit - b'0'])),
///             _ => Err(Error::Usage(format!("`{text}` is not a digit"))),
///         }
///     }
///     fn print_state(&self, state: &State) -> String {
///         state.0[0].to_string()
///     }
///     fn draw(&self, state: &State, _colour: bool) -> String {
///         format!("[{}]\n", state.0[0])
///     }
///     fn moves(&self, _: &State) -> Vec<Move> {
///         vec![Move(1), Move(9)]
///     }
///     fn move_name(&self, _: &State, mv: Move) -> String {
///         if mv == Move(1) { "up" } else { "down" }.into()
///     }
///     fn apply(&self, state: &State, mv: Move) -> State {
///         State(vec![(state.0[0] + mv.0 as u8) % 10])
///     }
///     fn is_solved(&self, state: &State) -> bool {
///         state.0[0] == 0
///     }
/// }
///
/// let state = Dial.parse_state("9")?;
/// let up = Dial.parse_move(&state, "up")?;
/// assert!(Dial.is_solved(&Dial.apply(&state, up)));
/// assert!(Dial.parse_move(&state, "left").is_err());
/// # Ok::<(), godnum::error::Error>(())
/// ```
pub trait Rules: Any + Send + Sync {
    /// The canonical text: parsing it gives this puzzle again.
    fn text(&self) -> String;
    /// The puzzle in words: "Wrapslide 6x6, 2 colours". The default is its text.
    fn title(&self) -> String {
        self.text()
    }
    /// What counts as one move: "slide". The default is "move".
    fn metric(&self) -> &'static str {
        "move"
    }
    /// Reads a state in one-line notation. A failure says where and why.
    fn parse_state(&self, text: &str) -> Result<State>;
    /// Writes a state in one-line notation, which `parse_state` reads back.
    fn print_state(&self, state: &State) -> String;
    /// Draws the board on several lines, with terminal colours if `colour` is set.
    fn draw(&self, state: &State, colour: bool) -> String;
    /// The legal moves in a state.
    fn moves(&self, state: &State) -> Vec<Move>;
    /// A legal move of a state in the puzzle's notation.
    fn move_name(&self, state: &State, mv: Move) -> String;
    /// Reads a move; a failure says which moves there are. By default moves are found by their names.
    fn parse_move(&self, state: &State, text: &str) -> Result<Move> {
        let moves = self.moves(state);
        let found = moves.iter().find(|&&mv| self.move_name(state, mv) == text);
        found.copied().ok_or_else(|| {
            let names: Vec<_> = moves.iter().map(|&mv| self.move_name(state, mv)).collect();
            let names = join_names(&names);
            Error::Usage(format!("`{text}` is not a move of this state; its moves: {names}"))
        })
    }
    /// The state after a legal move.
    fn apply(&self, state: &State, mv: Move) -> State;
    /// Whether the state is solved: one of the roots.
    fn is_solved(&self, state: &State) -> bool;
    /// What else it offers.
    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities::default()
    }
}

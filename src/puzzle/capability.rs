//! What a puzzle may offer beside its [`Rules`]: each a small trait, found through
//! [`Rules::capabilities`].
//!
//! A puzzle without any of them can still be shown and played. With [`Indexed`] it can be enumerated,
//! and with a finished enumeration solved; each of the others adds what its documentation says. The
//! methods of `dyn Rules` below ask for a capability and have an answer where it is missing, so most
//! callers need not ask.

use super::permutations::Definition;
use super::{
    Counting, Effort, Frame, Growth, Instance, KeyControls, Move, Phased, Published, Question, Relation,
    Rules, Solver, State, Subgoals, Tablebase, join_names,
};
use crate::engine::Totals;
use crate::error::{Result, usage};
use crate::random::Random;
use crate::space::{AnySpace, Index};

/// The capabilities of one puzzle. Name those there are and take the rest from
/// [`Default`](Capabilities::default), which has none.
#[derive(Clone, Copy, Default)]
pub struct Capabilities<'a> {
    /// It can be enumerated, or at least counted.
    pub index: Option<&'a dyn Indexed>,
    /// It has a start, a warning, or another question than how far the hardest state is.
    pub setup: Option<&'a dyn Setup>,
    /// It has random instances.
    pub scramble: Option<&'a dyn Scramble>,
    /// It has solvers of its own.
    pub solving: Option<&'a dyn Solving>,
    /// It knows more than its levels about its last level.
    pub bounds: Option<&'a dyn Bounding>,
    /// It can be solved in two stages.
    pub subgoals: Option<&'a dyn Subgoals>,
    /// Its solutions can be counted.
    pub counting: Option<&'a dyn Counting>,
    /// Its solutions can be listed.
    pub listing: Option<&'a dyn Listing>,
    /// It can be solved in phases.
    pub phases: Option<&'a dyn Phases>,
    /// It can be played with arrow keys.
    pub keys: Option<&'a dyn KeyControls>,
    /// Its pieces have names that they keep during a game.
    pub pieces: Option<&'a dyn NamedPieces>,
    /// Several moves can be written shorter than one after the other.
    pub line: Option<&'a dyn MoveLine>,
    /// The page draws it with a view made for its kind.
    pub picture: Option<&'a dyn Picture>,
    /// It is read from or written to files.
    pub file: Option<&'a dyn FileFormat>,
    /// Two cells of its solved board can be exchanged.
    pub swaps: Option<&'a dyn Swaps>,
    /// It can be written down as a permutation puzzle.
    pub permutations: Option<&'a dyn Permutations>,
}

/// How the classes of a puzzle are numbered, and how many there are.
pub trait Indexed: Send + Sync {
    /// What the engine walks; `None` where this puzzle is too large to be numbered.
    fn space(&self) -> Option<AnySpace<'_>>;
    /// The index of the state's class; `None` without a space.
    fn index_of(&self, state: &State) -> Option<u128>;
    /// The canonical state of the class with this index; `None` if no state has it.
    fn state_of(&self, index: u128) -> Option<State>;
    /// Version of the numbering of classes; a stored index means nothing under another one.
    fn index_scheme(&self) -> u32 {
        1
    }
    /// A state as a number in the way of the puzzle's literature, if there is one.
    fn number_of(&self, _state: &State) -> Option<StateNumber> {
        None
    }
    /// Order of the symmetry group: the symmetries that map the set of solved states to itself.
    fn group_order(&self) -> u64 {
        1
    }
    /// Whether all states of a class have equally many neighbours in each level. A state and its inverse are
    /// equally far from being solved, but their neighbours need not be.
    fn has_alike_members(&self) -> bool {
        true
    }
    /// What is to be said about the symmetry group besides its order, in a few words; empty if nothing is.
    fn about_symmetry(&self) -> String {
        String::new()
    }
    /// What is known of the numbers of states and classes without walking.
    fn totals(&self) -> Totals {
        Totals::default()
    }
    /// The images of a state under all symmetries, itself included; some may be equal. Empty where they cannot be listed.
    fn images(&self, state: &State) -> Vec<State> {
        let _ = state;
        Vec::new()
    }
}

/// A state as a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateNumber {
    /// The number.
    pub value: u128,
    /// How it is made, in a few words.
    pub about: String,
}

/// How a puzzle is given, and what is asked.
pub trait Setup: Send + Sync {
    /// The position that the puzzle is given in, if there is one: a layout, a scrambled board.
    fn start(&self) -> Option<State> {
        None
    }
    /// A state of level 0, for puzzles that know one without an index.
    fn root(&self) -> Option<State> {
        None
    }
    /// The board as it is given, where it shows more than the start does: pieces that a file places, for
    /// example.
    fn given_board(&self, _colour: bool) -> Option<String> {
        None
    }
    /// What an enumeration answers.
    fn question(&self) -> Question {
        Question::GodsNumber
    }
    /// What a user should know before relying on a result, in one sentence.
    fn warning(&self) -> Option<String> {
        None
    }
}

/// Random instances.
pub trait Scramble: Send + Sync {
    /// A random instance: every state that can be solved is equally likely. What a random source
    /// gives is frozen: it must be the same in every later version.
    fn scramble(&self, random: &mut Random) -> Result<Instance>;
    /// A random state that some symmetries leave unchanged; `None` if the choice of symmetries has none, or
    /// the puzzle makes none. Frozen, too.
    fn symmetric(&self, _random: &mut Random) -> Option<State> {
        None
    }
}

/// Ways to solve states besides descending the table of a finished enumeration.
pub trait Solving: Send + Sync {
    /// The solvers, the one to recommend first.
    fn solvers(&self) -> Vec<Box<dyn Solver + '_>>;
    /// The puzzle whose finished enumeration knows how far the states of this one are from being
    /// solved, if it is another one.
    fn other_tablebase(&self) -> Option<Tablebase> {
        None
    }
}

/// What is known about the last level without reaching it.
pub trait Bounding: Send + Sync {
    /// How fast its levels can grow, counted in states, where more can be said than that a class has
    /// at most that many neighbours.
    fn growth(&self) -> Option<Growth> {
        None
    }
    /// How the number of its last level compares with those of other puzzles.
    fn relations(&self) -> Vec<Relation> {
        Vec::new()
    }
    /// What others have published about that number, where this program has no proof of its own.
    fn published(&self) -> Option<Published> {
        None
    }
}

/// Solutions one after the other, for puzzles with several, and hints that are steps towards one.
pub trait Listing: Send + Sync {
    /// Calls `visit` with each solution of the state once, until it returns `false` or the effort is
    /// spent.
    fn all_solutions(&self, state: &State, effort: &Effort<'_>, visit: &mut dyn FnMut(&[Move]) -> bool);
    /// The puzzle's file with a hint carried out; `None` if this puzzle has no file.
    fn hinted_file(&self) -> Option<Result<String>>;
}

/// Solutions in phases, to be watched rather than to be short.
pub trait Phases: Send + Sync {
    /// The ways to do it, by name; the first is the default.
    fn sorts(&self) -> &'static [&'static str];
    /// Draws the cycle that phases are about, on several lines without a newline at the end.
    fn draw_cycle(&self, cycle: &[u8], colour: bool) -> String;
    /// The cycle that is shown where no phases are computed; `None` if the puzzle has none.
    fn shown_cycle(&self) -> Option<Vec<u8>>;
    /// Solves a state; `sort` is one of [`sorts`](Phases::sorts).
    fn phases(&self, state: &State, sort: &str, effort: &Effort<'_>) -> Result<Phased>;
}

/// Pieces that keep the names they have in the text that a state was read from.
pub trait NamedPieces: Send + Sync {
    /// The state, with its pieces named as in `given`.
    fn replay<'a>(&'a self, given: &str, state: &State) -> Box<dyn Replay + 'a>;
}

/// A state on its way through legal moves, in the notation that it has at each point.
pub trait Replay {
    /// The name of a move.
    fn name(&self, mv: Move) -> String;
    /// Reads the name of a move.
    fn read(&self, name: &str) -> Result<Move>;
    /// Makes a move.
    fn apply(&mut self, mv: Move);
    /// The state as it is now.
    fn frame(&self, colour: bool) -> Frame;
}

/// The replay of a puzzle whose pieces have no names of their own.
struct PlainReplay<'a> {
    puzzle: &'a dyn Rules,
    state: State,
}

impl Replay for PlainReplay<'_> {
    fn name(&self, mv: Move) -> String {
        self.puzzle.move_name(&self.state, mv)
    }

    fn read(&self, name: &str) -> Result<Move> {
        self.puzzle.parse_move(&self.state, name)
    }

    fn apply(&mut self, mv: Move) {
        self.state = self.puzzle.apply(&self.state, mv);
    }

    fn frame(&self, colour: bool) -> Frame {
        let PlainReplay { puzzle, state } = self;
        Frame { line: puzzle.print_state(state), picture: puzzle.draw(state, colour) }
    }
}

/// A shorter notation for several moves.
pub trait MoveLine: Send + Sync {
    /// Several moves on one line, out of their names.
    fn print_moves(&self, names: &[String]) -> String;
    /// The names that a word of such a line stands for; `None` if it is not one that stands for several.
    fn split_word(&self, word: &str) -> Option<Vec<String>>;
}

/// What a picture of the board needs beside a state.
pub trait Picture: Send + Sync {
    /// A JSON object whose fields are those of the puzzle's kind.
    fn board(&self) -> serde_json::Value;
}

/// The file format of a kind: a text `kind:@FILE` reads what is written here.
pub trait FileFormat: Send + Sync {
    /// The puzzle as a file; `None` if this puzzle cannot be written.
    fn file(&self) -> Option<String>;
    /// What tells the content of the file that the puzzle's text names from any other content;
    /// `None` if it names no file.
    fn content(&self) -> Option<u64> {
        None
    }
}

/// Cells by row and column, from 1.
pub type CellPair = [[usize; 2]; 2];

/// Exchanges of two cells.
pub trait Swaps: Send + Sync {
    /// The boards that an exchange of two cells that look different makes of the solved board, with the cells.
    fn swaps(&self) -> Vec<(CellPair, State)>;
}

/// A puzzle whose moves permute the same slots in every state, so that programs for permutation puzzles can
/// check what is computed here.
pub trait Permutations: Send + Sync {
    /// The puzzle as data: its states are the patterns that the moves make of the solved ones.
    fn definition(&self) -> Definition;
}

/// What callers ask of any puzzle, with an answer where the capability is missing.
impl dyn Rules + '_ {
    /// The text, with the title after it if that is another one.
    pub fn heading(&self) -> String {
        match (self.text(), self.title()) {
            (text, title) if text == title => text,
            (text, title) => format!("{text} ({title})"),
        }
    }

    /// What the engine walks; `None` where the puzzle has no index.
    pub fn space(&self) -> Option<AnySpace<'_>> {
        self.capabilities().index?.space()
    }

    /// The index of the state's class; `None` where the puzzle has no index.
    pub fn index_of(&self, state: &State) -> Option<u128> {
        self.capabilities().index?.index_of(state)
    }

    /// The canonical state of the class with this index; `None` if no state has it.
    pub fn state_of(&self, index: u128) -> Option<State> {
        self.capabilities().index?.state_of(index)
    }

    /// A state as a number in the way of the puzzle's literature, if there is one.
    pub fn number_of(&self, state: &State) -> Option<StateNumber> {
        self.capabilities().index?.number_of(state)
    }

    /// Version of the numbering of classes.
    pub fn index_scheme(&self) -> u32 {
        self.capabilities().index.map_or(1, |index| index.index_scheme())
    }

    /// Order of the symmetry group.
    pub fn group_order(&self) -> u64 {
        self.capabilities().index.map_or(1, |index| index.group_order())
    }

    /// What is to be said about the symmetry group besides its order; empty if nothing is.
    pub fn about_symmetry(&self) -> String {
        self.capabilities().index.map_or_else(String::new, |index| index.about_symmetry())
    }

    /// What is known of the numbers of states and classes without walking.
    pub fn totals(&self) -> Totals {
        self.capabilities().index.map_or_else(Totals::default, |index| index.totals())
    }

    /// The states of a state's class, in ascending order; none where they cannot be listed.
    pub fn class_members(&self, state: &State) -> Vec<State> {
        let mut members = self.capabilities().index.map_or_else(Vec::new, |index| index.images(state));
        members.sort_unstable();
        members.dedup();
        members
    }

    /// The position that the puzzle is given in, if there is one.
    pub fn start(&self) -> Option<State> {
        self.capabilities().setup?.start()
    }

    /// The board as it is given, where it shows more than the start does.
    pub fn given_board(&self, colour: bool) -> Option<String> {
        self.capabilities().setup?.given_board(colour)
    }

    /// A state of level 0, if one is known.
    pub fn root(&self) -> Option<State> {
        let given = self.capabilities().setup.and_then(|setup| setup.root());
        given.or_else(|| {
            let index = match self.space()? {
                AnySpace::Narrow(space) => space.roots().first()?.wide(),
                AnySpace::Wide(space) => *space.roots().first()?,
            };
            self.state_of(index)
        })
    }

    /// What an enumeration answers.
    pub fn question(&self) -> Question {
        self.capabilities().setup.map_or(Question::GodsNumber, |setup| setup.question())
    }

    /// What a user should know before relying on a result, in one sentence.
    pub fn warning(&self) -> Option<String> {
        self.capabilities().setup?.warning()
    }

    /// A random instance. Without the capability, a random number if every number is a reachable state;
    /// otherwise an error.
    pub fn scramble(&self, random: &mut Random) -> Result<Instance> {
        if let Some(scramble) = self.capabilities().scramble {
            return scramble.scramble(random);
        }
        // If there are as many reachable states as numbers, each number is one of them.
        let universe = self.space().map(|space| space.universe());
        let number = universe.filter(|_| universe == self.totals().states && self.group_order() == 1);
        match number.and_then(|universe| self.state_of(random.below(universe))) {
            Some(state) => Ok(Instance::State(state)),
            None => usage(format!("{} has no random states", self.text())),
        }
    }

    /// Ways to solve its states besides descending a table.
    pub fn solvers(&self) -> Vec<Box<dyn Solver + '_>> {
        self.capabilities().solving.map_or_else(Vec::new, |solving| solving.solvers())
    }

    /// Whose finished enumeration knows how far its states are from being solved; `None` if no
    /// enumeration does.
    pub fn tablebase(&self) -> Option<Tablebase> {
        let solving = self.capabilities().solving;
        let other = solving.and_then(|solving| solving.other_tablebase());
        let has_own = self.space().is_some() && self.question() == Question::GodsNumber;
        other.or(has_own.then_some(Tablebase::Own))
    }

    /// How fast its levels can grow, where it knows.
    pub fn growth(&self) -> Option<Growth> {
        self.capabilities().bounds?.growth()
    }

    /// How the number of its last level compares with those of other puzzles.
    pub fn relations(&self) -> Vec<Relation> {
        self.capabilities().bounds.map_or_else(Vec::new, |bounds| bounds.relations())
    }

    /// What others have published about the number of its last level.
    pub fn published(&self) -> Option<Published> {
        self.capabilities().bounds?.published()
    }

    /// The puzzle in the file format of its kind.
    pub fn file(&self) -> Option<String> {
        self.capabilities().file?.file()
    }

    /// What tells the content of the file that its text names from any other content.
    pub fn content(&self) -> Option<u64> {
        self.capabilities().file?.content()
    }

    /// What a view of its kind needs to draw the board; `null` where there is no such view.
    pub fn board(&self) -> serde_json::Value {
        self.capabilities().picture.map_or(serde_json::Value::Null, |picture| picture.board())
    }

    /// Several moves on one line, out of their names.
    pub fn print_moves(&self, names: &[String]) -> String {
        match self.capabilities().line {
            Some(line) => line.print_moves(names),
            None => join_names(names),
        }
    }

    fn replay<'a>(&'a self, given: &str, state: &State) -> Box<dyn Replay + 'a> {
        match self.capabilities().pieces {
            Some(pieces) => pieces.replay(given, state),
            None => Box::new(PlainReplay { puzzle: self, state: state.clone() }),
        }
    }

    /// The names of legal moves from a state on. Where pieces have names, each keeps the one that it
    /// has in `given`, the text that the state was read from.
    pub fn name_moves(&self, given: &str, state: &State, moves: &[Move]) -> Vec<String> {
        let mut replay = self.replay(given, state);
        let name = |&mv: &Move| {
            let name = replay.name(mv);
            replay.apply(mv);
            name
        };
        moves.iter().map(name).collect()
    }

    /// Reads what `name_moves` wrote, and words of what `print_moves` made of it.
    pub fn read_moves(&self, given: &str, state: &State, names: &[&str]) -> Result<Vec<Move>> {
        let mut replay = self.replay(given, state);
        let mut moves = Vec::new();
        for name in names {
            let (mut parts, line) = (vec![(*name).to_owned()], self.capabilities().line);
            if replay.read(name).is_err()
                && let Some(names) = line.and_then(|line| line.split_word(name))
            {
                parts = names;
            }
            for name in parts {
                let mv = replay.read(&name)?;
                replay.apply(mv);
                moves.push(mv);
            }
        }
        Ok(moves)
    }

    /// Every state on the way of named moves, the first one included, on one line. `go_on` is asked before each move,
    /// with the number of those that were made.
    pub fn states_after(
        &self,
        given: &str,
        state: &State,
        names: &[String],
        go_on: &mut dyn FnMut(usize) -> Result<()>,
    ) -> Result<Vec<String>> {
        let mut replay = self.replay(given, state);
        let mut states = vec![replay.frame(false).line];
        for (made, name) in names.iter().enumerate() {
            go_on(made)?;
            let mv = replay.read(name)?;
            replay.apply(mv);
            states.push(replay.frame(false).line);
        }
        Ok(states)
    }

    /// Every state on the way of legal moves, the first one included: on one line, and drawn. Pieces
    /// keep their names as in `name_moves`.
    pub fn film(&self, given: &str, state: &State, moves: &[Move], colour: bool) -> Vec<Frame> {
        let mut replay = self.replay(given, state);
        let mut frames = vec![replay.frame(colour)];
        for &mv in moves {
            replay.apply(mv);
            frames.push(replay.frame(colour));
        }
        frames
    }
}

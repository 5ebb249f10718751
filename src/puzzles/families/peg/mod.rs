//! Peg solitaire: a peg jumps over its neighbour into an empty hole, and the neighbour is removed.
//!
//! At the start one hole is empty; solved is a single peg in that hole. The boards are the English one with
//! 33 holes, the European one with 37, a diamond of 13 and a triangle of 15. On the European board and on the
//! diamond the start has no solution.
//!
//! # Texts
//! `peg:english` asks how far positions are from the goal: level k has the positions with k + 1 pegs from
//! which the last peg can be brought home. `peg:english:from-start` asks what can be reached: level k has the
//! positions after k jumps. Pegs and holes change places between the two, so their levels are equally
//! large; the first one solves positions. Every jump leads to the next level.
//!
//! A position has `o` and `.` row by row, `ooo/ooo/ooooooo/ooo.ooo/ooooooo/ooo/ooo`; a jump is named by its two
//! holes, `d2-d4`: columns have letters, rows have numbers.

mod board;
mod space;
#[cfg(test)]
mod tests;

use crate::error::{Result, usage};
use crate::puzzle::{
    Capabilities, FileSource, Indexed, Instance, Kind, Move, Play, PuzzleSpec, Question, Rules, Scramble,
    Setup, Solver, Solving, State, Tablebase,
};
use crate::random::Random;
use crate::space::{AnySpace, Space};
use board::{LAYOUTS, PegBoard};
use space::PegSpace;

/// The options: what distances are counted from.
const ROOTS: [&str; 2] = ["from-goal", "from-start"];

/// The family, for the registry.
pub const KIND: Kind = Kind {
    boards: || LAYOUTS.iter().map(|layout| layout.name).collect(),
    options: &ROOTS,
    play: Play::Given("peg:english"),
    ..Kind::new(
        "peg",
        "peg:BOARD[:ROOTS] with BOARD = english, european, diamond13 or triangle15, ROOTS = from-goal or \
         from-start",
        "Peg solitaire: pegs jump over each other until one is left, in the hole that was empty.\n  \
         from-goal: jumps to the goal; from-start: jumps from the start",
        &["peg:triangle15", "peg:diamond13", "peg:english", "peg:english:from-start", "peg:european"],
        |words| Ok(Box::new(Peg::parse(words)?)),
    )
};

/// One board, with the tables of its index.
pub struct Peg {
    board: PegBoard,
    from_start: bool,
    space: PegSpace,
}

impl Peg {
    fn parse(words: &PuzzleSpec<'_>) -> Result<Peg> {
        words.allow(0)?;
        let from_start = words.one_of(&ROOTS, "kinds of roots")? == 1;
        let Some(layout) = LAYOUTS.iter().find(|layout| layout.name == words.subject) else {
            let names: Vec<_> = LAYOUTS.iter().map(|layout| layout.name).collect();
            return usage(format!("`{}` is not a board; known: {}", words.subject, names.join(", ")));
        };
        let board = PegBoard::new(layout);
        let space = PegSpace::new(&board, from_start);
        Ok(Peg { board, from_start, space })
    }

    /// The name of the puzzle with the other roots, or with these.
    fn name(&self, from_start: bool) -> String {
        let name = self.board.layout.name;
        if from_start { format!("peg:{name}:from-start") } else { format!("peg:{name}") }
    }
}

fn state(pegs: u64) -> State {
    State(pegs.to_le_bytes().to_vec())
}

/// The pegs of a state.
fn pegs(state: &State) -> u64 {
    let bytes = state.0.first_chunk().copied();
    bytes.map_or(0, u64::from_le_bytes)
}

impl Rules for Peg {
    fn text(&self) -> String {
        self.name(self.from_start)
    }

    fn title(&self) -> String {
        let distances = if self.from_start { "distances from the start" } else { "distances to the goal" };
        format!("Peg solitaire, {} board, {distances}", self.board.layout.name)
    }

    fn metric(&self) -> &'static str {
        "jump"
    }

    fn parse_state(&self, text: &str) -> Result<State> {
        let rows = self.board.rows();
        let lines: Vec<&str> = text.trim().split('/').collect();
        if lines.len() != rows.len() {
            return usage(format!(
                "`{text}` does not have {} rows, with a slash between any two",
                rows.len()
            ));
        }
        let mut found = 0;
        for (number, (row, line)) in (1..).zip(rows.into_iter().zip(lines)) {
            let marks: Vec<char> = line.chars().collect();
            if marks.len() != row.len() {
                let (has, needs) = (marks.len(), row.len());
                return usage(format!("row {number} of the board has {needs} holes, and `{line}` has {has}"));
            }
            for (hole, mark) in row.zip(marks) {
                match mark {
                    'o' => found |= 1 << hole,
                    '.' => {}
                    _ => return usage(format!("`{mark}` is neither a peg, `o`, nor an empty hole, `.`")),
                }
            }
        }
        if found == 0 {
            return usage("there is no peg");
        }
        Ok(state(found))
    }

    fn print_state(&self, state: &State) -> String {
        let pegs = pegs(state);
        let mark = |hole: usize| if pegs >> hole & 1 == 1 { 'o' } else { '.' };
        let row = |row: std::ops::Range<usize>| row.map(mark).collect::<String>();
        self.board.rows().into_iter().map(row).collect::<Vec<_>>().join("/")
    }

    fn draw(&self, state: &State, _colour: bool) -> String {
        let pegs = pegs(state);
        let line = |row: std::ops::Range<usize>| {
            row.fold(String::new(), |line, hole| {
                let mark = if pegs >> hole & 1 == 1 { 'o' } else { '.' };
                format!("{line:indent$}{mark}", indent = self.board.indent(hole))
            })
        };
        self.board.rows().into_iter().map(line).collect::<Vec<_>>().join("\n")
    }

    fn moves(&self, state: &State) -> Vec<Move> {
        self.board.moves(pegs(state))
    }

    fn move_name(&self, _: &State, mv: Move) -> String {
        let name = |hole| self.board.name(hole);
        let jump = self.board.jumps.get(mv.0 as usize);
        jump.map_or_else(|| "?".to_owned(), |jump| format!("{}-{}", name(jump.from), name(jump.to)))
    }

    fn apply(&self, before: &State, mv: Move) -> State {
        let pegs = pegs(before);
        let jump = self.board.jumps.get(mv.0 as usize).filter(|jump| jump.is_legal(pegs));
        // A move that is not legal changes nothing.
        jump.map_or_else(|| before.clone(), |jump| state(pegs ^ jump.holes()))
    }

    fn is_solved(&self, state: &State) -> bool {
        pegs(state) == self.board.goal()
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            index: Some(self),
            setup: Some(self),
            scramble: Some(self),
            solving: Some(self),
            ..Capabilities::default()
        }
    }
}

impl Indexed for Peg {
    fn space(&self) -> Option<AnySpace<'_>> {
        Some(AnySpace::Narrow(&self.space))
    }

    fn index_of(&self, state: &State) -> Option<u128> {
        Some(self.space.least(pegs(state)).into())
    }

    fn state_of(&self, index: u128) -> Option<State> {
        self.space.canonical(u64::try_from(index).ok()?).map(state)
    }

    fn group_order(&self) -> u64 {
        self.space.order()
    }
}

impl Setup for Peg {
    fn start(&self) -> Option<State> {
        Some(state(self.board.start()))
    }

    fn question(&self) -> Question {
        if self.from_start { Question::Eccentricity } else { Question::GodsNumber }
    }
}

impl Scramble for Peg {
    /// A position with a solution: jumps are taken back from the goal, a random one among those that can be,
    /// as many as a random number says or until there is none. Positions are not equally likely.
    fn scramble(&self, random: &mut Random) -> Result<Instance> {
        let mut pegs = self.board.goal();
        for _ in 0..1 + random.place(self.board.len() - 2) {
            let back = |jump: &&board::Jump| pegs & jump.holes() == jump.holes() & !jump.taken();
            let jumps: Vec<_> = self.board.jumps.iter().filter(back).collect();
            if jumps.is_empty() {
                break;
            }
            pegs ^= jumps[random.place(jumps.len())].holes();
        }
        Ok(Instance::State(state(pegs)))
    }
}

impl Solving for Peg {
    fn solvers(&self) -> Vec<Box<dyn Solver + '_>> {
        Vec::new()
    }

    fn other_tablebase(&self) -> Option<Tablebase> {
        let text = self.name(false);
        self.from_start.then(|| Tablebase::Other {
            text: text.clone(),
            make: Box::new(move || KIND.parse(&text, FileSource::Read)),
        })
    }
}

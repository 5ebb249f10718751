//! Triangles: pieces with letters at their edges fill a hexagon so that touching edges match.
//!
//! # Rules
//! 24 triangular cells form a hexagon with rows of 5, 7, 7 and 5. Each of 24 pieces has three
//! letters out of A B C D a b c d, and no two pieces are the same up to a turn. Pieces may be
//! turned, never reflected; one with three equal letters looks the same however it is turned. Two
//! touching edges match if they have the same letter, one upper-case and one lower-case. Edges at
//! the rim are free. Solved is a board on which all cells are filled and all inner edges match,
//! whether or not that is the solution that a file gives.
//!
//! # Texts
//! - `triangles:sample` is a game that comes with the program;
//! - `triangles:tri4`, `hex6`, `tri9`, `half12` and `band14` are parts of its board, each with the
//!   pieces that lie there in its solution;
//! - `triangles:random:SEED` is a random game, for each seed another one;
//! - `triangles:@FILE` is a game file (see `game` for the format). What lies on its board matters
//!   for hints only: the game is always about filling the empty board.
//!
//! # Notation
//! `ADa3` is the piece with these letters in position 3. Positions 1, 3, 5 point up, and the slots
//! left, bottom, right show the letters from the first, second, third one on; positions 4, 6, 2
//! point down and so do the slots right, top, left. A state is the pieces in the first cells in
//! reading order, `DCa1 AAA4/dAB1`, or `-` if there are none; a move is a piece for the next cell.
//! A piece can be spelled from any of its letters on: `ADa3`, `DaA1` and `aAD5` are the same.
//!
//! # Inside
//! | file | what it holds |
//! |---|---|
//! | `board` | cells, edges, the parts of the hexagon that have names |
//! | `pieces` | letters, turns, how pieces are spelled |
//! | `rules` | what fits, cell by cell |
//! | `game` | game files |
//! | `setting` | a game on its board, or on a part of it |
//! | `tabletop` | the game as a table on which a person plays |
//! | `generate` | random games |
//! | `notation` | states and moves |
//! | `draw` | drawings |
//! | `fits` | what fits, as a table |
//! | `complete` | filling what is empty, quickly: read its essay |
//! | `solver` | that as a solver, and all solutions of a state |
//! | `hint` | the board of a game after a hint |
//! | `space` | index, neighbours and class sizes for the engine |
//! | `shallow` | the classes of the first levels, as a table |
//! | `halves` | counting solutions by meeting in the middle: read its essay first |
//! | `rows` | the fillings of single rows that it is made of |

mod board;
mod complete;
mod draw;
mod fits;
mod game;
mod generate;
mod halves;
mod hint;
mod notation;
mod pieces;
mod rows;
mod rules;
mod setting;
mod shallow;
mod solver;
mod space;
mod tabletop;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

pub use tabletop::{Tabletop, TabletopAction};

use crate::engine::Totals;
use crate::error::{Result, usage};
use crate::puzzle::{
    Capabilities, Effort, FileFormat, FileName, Indexed, Instance, Kind, Listing, Move, Picture, Play,
    PuzzleSpec, Question, Rules, Scramble, Setup, Solver, Solving, State,
};
use crate::random::Random;
use crate::space::AnySpace;
use board::{BoardRows, HEXAGON, PARTS};
use game::GameFile;
use halves::Halves;
use rules::TriangleRules;
use setting::Setting;
use solver::Searching;
use space::FillingSpace;

/// The family, for the registry.
pub const KIND: Kind = Kind {
    name: "triangles",
    grammar: "triangles:sample, triangles:tri4|hex6|tri9|half12|band14, triangles:random:SEED or \
              triangles:@FILE",
    about: "Pieces with letters at their edges fill a hexagon of 24 triangles so that touching \
            edges match.\n  sample: a given game; tri4 to band14: parts of its board; random: \
            a game for every seed;\n  @FILE: a game file",
    examples: &[
        "triangles:tri4",
        "triangles:hex6",
        "triangles:tri9",
        "triangles:half12",
        "triangles:band14",
        "triangles:sample",
        "triangles:random:1",
    ],
    boards: || PARTS.iter().map(|part| part.0).chain(["sample"]).collect(),
    options: &[],
    parse: |spec| Ok(Box::new(Triangles::parse(spec)?)),
    survey: None,
    play: Play::Random("triangles:sample"),
};

/// The game that comes with the program.
const SAMPLE: &str = include_str!("sample.txt");

/// Where the pieces of a puzzle come from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum GameSource {
    Sample,
    /// A part of the sample's board.
    Part(&'static str),
    Random(u64),
    File {
        path: String,
        content: u64,
    },
}

/// The board with that many cells is counted through where the number of all fillings is asked for,
const COUNTED_CELLS: usize = 14;
/// unless there are more than this: pieces of few letters fit nearly everywhere. To count that many takes a
/// second or two; `band14` of the sample has a third of them.
const COUNTED_FILLINGS: u128 = 15_000_000;

/// One triangle puzzle, with the tables of its index.
pub struct Triangles {
    source: GameSource,
    /// What lies on the board of its file is for hints, and nothing else depends on it.
    setting: Setting,
    space: FillingSpace,
    halves: Halves,
    fillings: OnceLock<Option<u128>>,
}

impl Triangles {
    /// Reads `sample`, the name of a part of it, `random` and a seed, or `@` and a file.
    pub fn parse(spec: &PuzzleSpec<'_>) -> Result<Self> {
        spec.allow(usize::from(spec.subject == "random"))?;
        if let Some(name) = spec.file() {
            name.only()?;
            let content = spec.read(&name)?;
            let source = GameSource::File { path: name.path.to_owned(), content: content.hash };
            let game = game::read(&name, &content.text)?;
            return Triangles::new(source, game.rows, &game);
        }
        match spec.subject {
            "sample" => Triangles::new(GameSource::Sample, HEXAGON, &sample()?),
            "random" => {
                let seed = seed(spec.more.first().copied().unwrap_or_default())?;
                Triangles::new(GameSource::Random(seed), HEXAGON, &generate::generate(seed))
            }
            subject => match PARTS.iter().find(|part| part.0 == subject) {
                Some((name, rows)) => Triangles::new(GameSource::Part(name), rows, &sample()?),
                None if subject.is_empty() => usage("it does not say which game"),
                None => usage(format!("`{subject}` is not a game")),
            },
        }
    }

    /// The puzzle of a game on the hexagon, or on a part of it: then with the pieces that lie
    /// there in the game's solution.
    fn new(source: GameSource, rows: BoardRows, game: &GameFile) -> Result<Self> {
        let setting = Setting::new(rows, game)?;
        Ok(Triangles {
            source,
            space: FillingSpace::new(&setting.rules),
            halves: Halves::new(&setting.rules),
            fillings: OnceLock::new(),
            setting,
        })
    }

    fn rules(&self) -> &TriangleRules {
        &self.setting.rules
    }
}

fn sample() -> Result<GameFile> {
    let name = FileName { path: "sample", board: None };
    game::read(&name, SAMPLE)
}

fn seed(text: &str) -> Result<u64> {
    if text.is_empty() {
        return usage("the seed of the random game is missing");
    }
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(seed) if digits => Ok(seed),
        _ => usage(format!("the seed `{text}` is not a number below 2^64")),
    }
}

impl Rules for Triangles {
    fn text(&self) -> String {
        match &self.source {
            GameSource::Sample => "triangles:sample".into(),
            GameSource::Part(name) => format!("triangles:{name}"),
            GameSource::Random(seed) => format!("triangles:random:{seed}"),
            GameSource::File { path, .. } => format!("triangles:@{path}"),
        }
    }

    fn title(&self) -> String {
        match &self.source {
            GameSource::Sample => "Triangles, the sample".into(),
            GameSource::Part(name) => {
                format!("Triangles, {name}: {} cells of the sample", self.rules().board.cells.len())
            }
            GameSource::Random(seed) => format!("Triangles, random game {seed}"),
            GameSource::File { path, .. } => format!("Triangles, the game in {path}"),
        }
    }

    fn metric(&self) -> &'static str {
        "piece"
    }

    fn parse_state(&self, text: &str) -> Result<State> {
        notation::parse_filling(self.rules(), text).map(State)
    }

    fn print_state(&self, state: &State) -> String {
        notation::print_filling(self.rules(), &state.0)
    }

    fn draw(&self, state: &State, colour: bool) -> String {
        draw::draw(self.rules(), &state.0, colour)
    }

    fn moves(&self, state: &State) -> Vec<Move> {
        let placements = self.rules().placements(&state.0);
        placements.map(|turned| notation::to_move(self.rules(), &state.0, turned)).collect()
    }

    fn move_name(&self, _: &State, mv: Move) -> String {
        notation::from_move(self.rules(), mv).map_or("?".into(), |(_, placed)| placed.to_string())
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<Move> {
        notation::parse_placement(self.rules(), &state.0, text)
    }

    fn apply(&self, state: &State, mv: Move) -> State {
        let mut filling = state.0.clone();
        // Nothing comes after the last cell, and no puzzle of this kind makes other moves.
        if let Some((turned, _)) = notation::from_move(self.rules(), mv)
            && filling.len() < self.rules().board.cells.len()
        {
            filling.push(turned.byte());
        }
        State(filling)
    }

    fn is_solved(&self, state: &State) -> bool {
        state.0.len() == self.rules().board.cells.len()
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            index: Some(self),
            setup: Some(self),
            scramble: Some(self),
            solving: Some(self),
            listing: Some(self),
            picture: Some(self),
            file: Some(self),
            counting: Some(&self.halves),
            ..Capabilities::default()
        }
    }
}

impl Triangles {
    fn total_states(&self) -> Option<u128> {
        if self.rules().board.cells.len() > COUNTED_CELLS {
            return None;
        }
        *self.fillings.get_or_init(|| {
            let mut fillings = 0;
            let all = self.rules().all_fillings(&mut |_| {
                fillings += 1;
                fillings <= COUNTED_FILLINGS
            });
            all.then_some(fillings)
        })
    }
}

impl Indexed for Triangles {
    fn space(&self) -> Option<AnySpace<'_>> {
        Some(AnySpace::Narrow(&self.space))
    }

    fn index_of(&self, state: &State) -> Option<u128> {
        Some(self.space.index(&self.rules().pieces, &state.0).into())
    }

    fn state_of(&self, index: u128) -> Option<State> {
        self.space.filling(u64::try_from(index).ok()?).map(State)
    }

    fn totals(&self) -> Totals {
        Totals { states: self.total_states(), ..Totals::default() }
    }
}

impl Setup for Triangles {
    fn start(&self) -> Option<State> {
        Some(State(Vec::new()))
    }

    fn given_board(&self, colour: bool) -> Option<String> {
        let table = self.table();
        (table.placed() > 0).then(|| table.picture(None, None, None, colour))
    }

    fn question(&self) -> Question {
        Question::Solutions
    }
}

impl Scramble for Triangles {
    fn scramble(&self, random: &mut Random) -> Result<Instance> {
        if let GameSource::Part(name) = self.source {
            return usage(format!(
                "random games are whole ones, and triangles:{name} is a part of one: name a whole \
                 game instead, such as triangles:sample"
            ));
        }
        let seed = random.below(1 << 64) as u64;
        let game = generate::generate(seed);
        let puzzle = Triangles::new(GameSource::Random(seed), HEXAGON, &game)?;
        Ok(Instance::Puzzle(Box::new(puzzle)))
    }
}

impl Solving for Triangles {
    fn solvers(&self) -> Vec<Box<dyn Solver + '_>> {
        vec![Box::new(Searching(self))]
    }
}

impl Listing for Triangles {
    fn all_solutions(&self, state: &State, effort: &Effort<'_>, visit: &mut dyn FnMut(&[Move]) -> bool) {
        solver::all(self, state, effort, visit);
    }

    fn hinted_file(&self) -> Option<Result<String>> {
        let is_whole = !matches!(self.source, GameSource::Part(_));
        is_whole.then(|| hint::file(&self.setting))
    }
}

impl Picture for Triangles {
    /// The cells in reading order, `{"cells":[{"row":1,"column":1,"x":2,"up":true},...]}`. Cells of
    /// different rows with the same `x` lie above each other.
    fn board(&self) -> serde_json::Value {
        serde_json::json!({ "cells": self.rules().board.cells })
    }
}

impl FileFormat for Triangles {
    fn file(&self) -> Option<String> {
        let is_whole = !matches!(self.source, GameSource::Part(_));
        is_whole.then(|| self.setting.file())
    }

    fn content(&self) -> Option<u64> {
        match self.source {
            GameSource::File { content, .. } => Some(content),
            _ => None,
        }
    }
}

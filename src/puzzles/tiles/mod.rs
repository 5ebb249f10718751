//! Sliding tiles: numbered tiles and one blank on a board of any size; the fifteen puzzle is 4x4.
//!
//! # Rules
//! The board has m rows and n columns (2 to 10 each), the tiles 1 to mn - 1 and a blank. A move
//! slides a tile into the blank; it is named by the direction in which the tile travels: `L`, `R`,
//! `U` or `D`. Solved is the board with the tiles in reading order and the blank last.
//!
//! Half of all arrangements can be reached. Count the *inversions*, pairs of tiles of which the
//! greater comes first in reading order. A horizontal move leaves them alone; a vertical one
//! carries a tile over n - 1 others, and changes each of these pairs. So with n odd the number of
//! inversions stays even, and with n even it becomes odd or even together with the number of rows
//! from the blank down to the last.
//!
//! # Texts
//! `tiles:3x4` has three rows and four columns. Option:
//! - `push`: a move pushes a whole piece of a row or column up to the blank, however long: `R2`.
//!   Without it (`single`, the default) a move slides one tile.
//! - `edge`: only the tiles of the first row count (of the first column, if there are more columns than
//!   rows); the others are alike, and are written `x`.
//!
//! A state is written row by row, with 0 for the blank: `1 2 3/4 5 6/7 8 0`.
//!
//! # Inside
//! Every board can be read, drawn and played. An index, and with it a space to walk, exists for
//! up to 16 cells.
//!
//! | file | what it holds |
//! |---|---|
//! | `rules` | boards as people see them: moves, goal, what can be reached |
//! | `edge` | the puzzle of the first line, and the subgoal of solving that first |
//! | `keys` | what keys do in a game |
//! | `notation` | texts, states, moves, drawings |
//! | `space` | index, neighbours and class sizes for the engine: read its essay first |
//! | `transposition` | the symmetry of square boards, on the index |
//! | `solve` | the solvers `optimal` and `fast`, each with its essay |
//!
//! # Solvers
//! - `optimal`, for up to 16 cells: IDA*. Its bound adds up, over disjoint groups of tiles, how often
//!   the tiles of each group must move at least; tables of that are built on first use. In the push
//!   metric nothing can be added, and the greatest count stands for all.
//! - `fast`, for every board: rows and columns from the outside in by a beam search, the last 3x3 by a
//!   table, then windows of the solution made shorter.

mod edge;
mod keys;
mod notation;
mod rows;
mod rules;
mod solve;
mod space;
#[cfg(test)]
mod tests;
mod transposition;

use crate::engine::Totals;
use crate::error::Result;
use crate::puzzle::{
    Bounding, Capabilities, Indexed, Instance, Kind, Move, MoveLine, Picture, Play, Published, PuzzleSpec,
    Relation, Rules, Scramble, Setup, Solver, Solving, State, join_names,
};
use crate::random::Random;
use crate::space::AnySpace;
use crate::symmetry::Group;
use edge::{EdgeFirst, TilesEdge};
use rules::{TileSlide, TilesVariant};
use solve::{TilesFast, TilesOptimal};
use space::TileSpace;

/// The family, for the registry.
pub const KIND: Kind = Kind {
    name: "tiles",
    grammar: "tiles:MxN[:push][:edge] with M rows and N columns, 2 to 10 each",
    about: "Numbered tiles slide into the blank until they are in reading order; up to 16 cells \
            can be enumerated.\n  push: a row or column of tiles up to the blank moves as one;\n  \
            edge: only the tiles of the first row (or column) count",
    examples: &[
        "tiles:2x2",
        "tiles:2x3",
        "tiles:2x4",
        "tiles:3x3",
        "tiles:3x3:push",
        "tiles:3x3:edge",
        "tiles:2x5",
        "tiles:3x4",
        "tiles:2x6",
        "tiles:2x7",
        "tiles:3x5",
        "tiles:4x4",
        "tiles:5x5",
        "tiles:10x10",
    ],
    boards: Vec::new,
    options: &["push", "single", "edge"],
    parse: |spec| match spec.has_option("edge") {
        true => Ok(Box::new(TilesEdge::new(notation::parse(spec)?)?)),
        false => Ok(Box::new(Tiles::parse(spec)?)),
    },
    survey: None,
    play: Play::Sized { sizes: 3..=10, text: |size| format!("tiles:{size}x{size}") },
};

/// One sliding-tile puzzle, with the tables of its index.
pub struct Tiles {
    variant: TilesVariant,
    space: Option<TileSpace>,
    subgoals: Option<EdgeFirst>,
}

impl Tiles {
    /// Reads the size, such as `3x4`, and the metric.
    pub fn parse(spec: &PuzzleSpec<'_>) -> Result<Self> {
        let variant = notation::parse(spec)?;
        Ok(Tiles { variant, space: TileSpace::new(variant), subgoals: EdgeFirst::new(variant) })
    }
}

impl Rules for Tiles {
    fn text(&self) -> String {
        notation::text(&self.variant)
    }

    fn title(&self) -> String {
        let TilesVariant { rows, columns, push } = self.variant;
        format!("Sliding tiles {rows}x{columns}{}", if push { ", pushes" } else { "" })
    }

    fn metric(&self) -> &'static str {
        if self.variant.push { "push" } else { "single" }
    }

    fn parse_state(&self, text: &str) -> Result<State> {
        notation::parse_board(&self.variant, text).map(State)
    }

    fn print_state(&self, state: &State) -> String {
        notation::print_board(&self.variant, &state.0)
    }

    fn draw(&self, state: &State, colour: bool) -> String {
        notation::draw(&self.variant, &state.0, colour)
    }

    fn moves(&self, state: &State) -> Vec<Move> {
        let slides = self.variant.slides(&state.0);
        slides.map(Move::from).collect()
    }

    fn move_name(&self, _: &State, mv: Move) -> String {
        TileSlide::from_move(mv).map_or_else(|| "?".to_owned(), notation::move_name)
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<Move> {
        notation::parse_slide(&self.variant, &state.0, text).map(Move::from)
    }

    fn apply(&self, state: &State, mv: Move) -> State {
        let slid = TileSlide::from_move(mv).and_then(|slide| self.variant.slide(&state.0, slide));
        // A move that is not legal changes nothing.
        slid.map_or_else(|| state.clone(), State)
    }

    fn is_solved(&self, state: &State) -> bool {
        state.0 == self.variant.solved()
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            index: Some(self),
            setup: Some(self),
            scramble: Some(self),
            solving: Some(self),
            bounds: Some(self),
            line: Some(self),
            picture: Some(self),
            keys: Some(self),
            subgoals: self.subgoals.as_ref().map(|subgoals| subgoals as _),
            ..Capabilities::default()
        }
    }
}

impl Indexed for Tiles {
    fn space(&self) -> Option<AnySpace<'_>> {
        Some(AnySpace::Narrow(self.space.as_ref()?))
    }

    fn index_of(&self, state: &State) -> Option<u128> {
        self.space.as_ref()?.index_of(&state.0).map(u128::from)
    }

    fn state_of(&self, index: u128) -> Option<State> {
        let index = u64::try_from(index).ok()?;
        self.space.as_ref()?.board_of(index).map(State)
    }

    fn group_order(&self) -> u64 {
        transposition::group(&self.variant).map_or(1, |group| group.order())
    }

    fn totals(&self) -> Totals {
        let (states, classes) = (self.variant.states(), self.variant.classes());
        Totals { states, classes, existing: None }
    }

    fn images(&self, state: &State) -> Vec<State> {
        let group = transposition::group(&self.variant);
        group.iter().flat_map(Group::iter).map(|symmetry| State(symmetry.image(&state.0))).collect()
    }
}

impl Setup for Tiles {
    fn root(&self) -> Option<State> {
        Some(State(self.variant.solved()))
    }
}

impl Scramble for Tiles {
    /// The tiles and the blank in any order. One that cannot be reached becomes one that can when its
    /// first two tiles are exchanged, and each comes from one other in this way.
    fn scramble(&self, random: &mut Random) -> Result<Instance> {
        let mut board = self.variant.solved();
        random.shuffle(&mut board);
        if !self.variant.is_reachable(&board) {
            let mut cells = (0..board.len()).filter(|&cell| board[cell] > 0);
            if let (Some(first), Some(second)) = (cells.next(), cells.next()) {
                board.swap(first, second);
            }
        }
        Ok(Instance::State(State(board)))
    }
}

impl Solving for Tiles {
    fn solvers(&self) -> Vec<Box<dyn Solver + '_>> {
        let fast = Box::new(TilesFast(self.variant));
        if self.variant.cells() > solve::MOST_CELLS {
            return vec![fast];
        }
        let optimal = Box::new(TilesOptimal(self.variant));
        if self.variant.push { vec![fast, optimal] } else { vec![optimal, fast] }
    }
}

impl Bounding for Tiles {
    fn relations(&self) -> Vec<Relation> {
        let other = notation::text(&TilesVariant { push: !self.variant.push, ..self.variant });
        let at_most = |times, why: &str| Relation::AtMost {
            parts: vec![other.clone()],
            times,
            extra: 0,
            why: why.into(),
        };
        let pushes = "sliding one tile is a push of length 1";
        if self.variant.push {
            return vec![at_most(1, pushes)];
        }
        let longest = self.variant.rows.max(self.variant.columns) as u32 - 1;
        let why = format!("a push slides at most {longest} tiles");
        let at_least = Relation::AtLeast { other: other.clone(), why: pushes.into() };
        vec![at_least, at_most(longest, &why)]
    }

    fn published(&self) -> Option<Published> {
        published(&self.variant)
    }
}

/// God's numbers that others have computed or bounded.
fn published(variant: &TilesVariant) -> Option<Published> {
    match (variant.rows, variant.columns, variant.push) {
        (4, 4, false) => Some(Published {
            at_least: 80,
            at_most: 80,
            source: "A. Bruengger, A. Marzetta, K. Fukuda, J. Nievergelt, The parallel search bench ZRAM and its \
                     applications, Annals of Operations Research 90, 1999",
        }),
        (5, 5, false) => {
            Some(Published { at_least: 152, at_most: 205, source: "OEIS A087725 and the references there" })
        }
        _ => None,
    }
}

impl MoveLine for Tiles {
    fn print_moves(&self, names: &[String]) -> String {
        if self.variant.push { join_names(names) } else { notation::contract(names) }
    }

    fn split_word(&self, word: &str) -> Option<Vec<String>> {
        if self.variant.push { None } else { notation::expand(word) }
    }
}

impl Picture for Tiles {
    /// `{"rows":3,"columns":4,"push":false}`.
    fn board(&self) -> serde_json::Value {
        serde_json::json!(self.variant)
    }
}

//! Gourds: pieces of two cells slide and turn on a hexagonal board with one free cell.
//!
//! # Rules
//! The board is a set of 2n + 1 cells of the hexagonal grid. Each of n gourds covers two
//! neighbouring cells, and one cell, the hole, is free. A move is a click on a neighbour of the
//! hole: the end of the gourd that lies there goes into the hole. If the other end touches the
//! hole, too, it stays where it is, and the gourd pivots about it; otherwise it follows, and the
//! gourd slides or turns. So every neighbour of the hole gives exactly one move. A gourd whose
//! ends both touch the hole can pivot about either; it cannot follow its end round such a sharp
//! corner. Moves are undone by a click on the old hole (pivots) or on the same cell again.
//!
//! On a *proper* board (no cut cell, no hole in it, not the Star of David) every placement can be
//! turned into every other one. Other boards are enumerated with a warning.
//!
//! The puzzle is that of J. Hamersma, M. van Kreveld, Y. Uno and T. C. van der Zanden, "Gourds: a
//! sliding-block puzzle with turning", ISAAC 2020.
//!
//! # Texts
//! | text | board |
//! |---|---|
//! | `gourds:flower7` | one of the boards with names, see `boards.txt` |
//! | `gourds:@FILE#NAME` | a board of a custom file in the format of `boards.txt`; `#NAME` can be left out if there is only one |
//! | `gourds:rows-2-3-2` | centred rows of these numbers of cells |
//! | `gourds:random:15:1` | a proper board of 15 cells that the seed 1 names in every later version |
//! | `gourds:random:15:1:coloured=4`, `...:numbered` | the same with labels: four colours, or a number for every cell |
//!
//! Cells are numbered row by row from 0. The option `goal=0-1,2-5,4-6` says which pairs of cells
//! are covered when the puzzle is solved; the gourds are then numbered by these pairs, end 0 on
//! the smaller cell. Without it the pairs that come first in lexicographic order are. On boards
//! of type `numbered` and `coloured` the labels say what is solved: every end lies on a cell with
//! its label. With colours there can be several solved placements, and all of them are roots.
//!
//! # Inside
//! | file | what it holds |
//! |---|---|
//! | `board`, `validity` | cells, pictures, symmetries of the board; what is proper |
//! | `generate` | generating proper boards |
//! | `layout`, `file` | labels and their checks; the file format |
//! | `rules`, `kinds` | placements as people see them: moves; gourds that are alike |
//! | `keys` | what keys do in a game |
//! | `placements` | solved placements of coloured gourds |
//! | `notation`, `draw` | texts, states, moves, drawings |
//! | `shapes`, `matching` | which cells are paired: the first part of the index |
//! | `arrangements` | which kind of gourd is where: the second part |
//! | `steps` | what moves do to both |
//! | `symmetry` | the group, least images, the number of classes |
//! | `setup` | putting a puzzle together |
//! | `space` | index, neighbours and class sizes for the engine |
//! | `scramble` | random states |
//! | `solve` | solvers, with a table of its files |
//! | [`survey`] | God's numbers of all small proper boards |

mod arrangements;
mod board;
mod draw;
mod file;
mod generate;
mod keys;
mod kinds;
mod layout;
mod matching;
mod notation;
mod placements;
mod rules;
mod scramble;
mod setup;
mod shapes;
mod solve;
mod space;
mod steps;
pub mod survey;
mod symmetry;
#[cfg(test)]
mod tests;
mod validity;

use std::sync::OnceLock;

use crate::engine::Totals;
use crate::error::Result;
use crate::puzzle::{Capabilities, FileFormat, Indexed, Kind, Move, Play, Rules, Setup, State, Survey};
use crate::space::{AnySpace, Space};
use kinds::Kinds;
use layout::{LabelledBoard, Labels};
use notation::BoardNames;
use rules::{Pairs, pairs_of, state_of};
use scramble::Sampler;
use space::GourdSpace;
use symmetry::Symmetries;

/// The family, for the registry.
pub const KIND: Kind = Kind {
    name: "gourds",
    grammar: "gourds:NAME, gourds:@FILE[#NAME], gourds:rows-W-W-... (widths of centred rows) or \
              gourds:random:CELLS:SEED[:coloured=N][:numbered], each with [:goal=A-B,A-B,...] (the covered \
              pairs of cells) unless labels say the goal",
    about: "Pieces of two cells slide and turn on a hexagonal board with one free cell.\n  \
            goal: which pairs of cells are covered in the end (cells are numbered row by row from \
            0);\n  by default the pairs that come first; coloured=N, numbered: a random board with N \
            colours, or with numbers",
    examples: &[
        "gourds:rows-2-3",
        "gourds:seed1",
        "gourds:rows-3-4",
        "gourds:seed3",
        "gourds:flower7",
        "gourds:flower7:goal=1-3,2-5,4-6",
        "gourds:strip9",
        "gourds:rows-5-6",
        "gourds:rows11",
        "gourds:seed4",
        "gourds:rows13",
        "gourds:star13",
        "gourds:random:13:1",
        "gourds:random:13:1:coloured=3",
        "gourds:seed9",
        "gourds:tri15",
        "gourds:seed10",
        "gourds:seed7",
        "gourds:hex19",
        "gourds:hex37",
    ],
    boards: file::named,
    options: &["goal=", "coloured=", "numbered"],
    parse: |spec| Ok(Box::new(Gourds::parse(spec)?)),
    play: Play::Given("gourds:seed1"),
    survey: Some(Survey {
        about: "smallest and largest God's number over all goal shapes, for every proper board \
                with up to SIZE cells",
        run: survey::table,
    }),
};

/// One Gourds puzzle, with the tables of its index.
pub struct Gourds {
    names: BoardNames,
    layout: LabelledBoard,
    kinds: Kinds,
    /// The solved placement, unless the gourds are coloured.
    goal: Option<Pairs>,
    /// Whether it is the one that the board has by default.
    goal_is_default: bool,
    warning: Option<String>,
    proper: bool,
    content: Option<u64>,
    shapes: Option<u64>,
    /// `None` if not all solved positions are known.
    symmetries: Option<Symmetries>,
    space: Option<GourdSpace>,
    /// What random states are drawn from, once it was asked for.
    sampler: OnceLock<Sampler>,
}

impl Rules for Gourds {
    fn text(&self) -> String {
        let goal = self.custom_goal().map(|goal| format!(":goal={}", notation::print_pairs(goal)));
        format!("gourds:{}{}", self.names.text, goal.unwrap_or_default())
    }

    fn title(&self) -> String {
        let labels = match self.labels() {
            None => "",
            Some(labels) if labels.coloured => ", coloured",
            Some(_) => ", numbered",
        };
        let goal = self.custom_goal().map(|goal| format!(", goal {}", notation::print_pairs(goal)));
        let (title, cells) = (&self.names.title, self.board().size());
        format!("Gourds on {title}, {cells} cells{labels}{}", goal.unwrap_or_default())
    }

    fn metric(&self) -> &'static str {
        "click"
    }

    fn parse_state(&self, text: &str) -> Result<State> {
        let pairs = notation::parse_pairs(self.board(), text, "state")?;
        Ok(state_of(&self.kinds.normal(&pairs)))
    }

    fn print_state(&self, state: &State) -> String {
        notation::print_pairs(&pairs_of(state))
    }

    fn draw(&self, state: &State, colour: bool) -> String {
        draw::draw(&self.layout, &pairs_of(state), None, None, colour)
    }

    fn moves(&self, state: &State) -> Vec<Move> {
        let clicks = rules::clicks(self.board(), &pairs_of(state));
        clicks.map(|cell| Move(cell as u32)).collect()
    }

    fn move_name(&self, _: &State, mv: Move) -> String {
        mv.0.to_string()
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<Move> {
        let cell = notation::parse_click(self.board(), &pairs_of(state), text)?;
        Ok(Move(cell as u32))
    }

    fn apply(&self, state: &State, mv: Move) -> State {
        match rules::click(self.board(), &pairs_of(state), mv.0 as usize) {
            Some(after) => state_of(&self.kinds.normal(&after)),
            // No puzzle of this kind makes such a move.
            None => state.clone(),
        }
    }

    fn is_solved(&self, state: &State) -> bool {
        let pairs = pairs_of(state);
        match (&self.goal, self.labels()) {
            (Some(goal), _) => pairs == *goal,
            (None, Some(labels)) => labels.solved(&pairs),
            (None, None) => false,
        }
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            index: Some(self),
            setup: Some(self),
            scramble: Some(self),
            solving: Some(self),
            phases: Some(self),
            picture: Some(self),
            file: Some(self),
            keys: Some(self),
            ..Capabilities::default()
        }
    }
}

impl Indexed for Gourds {
    fn space(&self) -> Option<AnySpace<'_>> {
        let space = self.space.as_ref()?;
        Some(AnySpace::Narrow(space))
    }

    fn index_of(&self, state: &State) -> Option<u128> {
        let slots = self.kinds.slots(&pairs_of(state));
        Some(self.space.as_ref()?.index_of(&slots).into())
    }

    fn state_of(&self, index: u128) -> Option<State> {
        let slots = self.space.as_ref()?.slots_of(u64::try_from(index).ok()?)?;
        Some(state_of(&self.kinds.pairs(&slots)))
    }

    fn index_scheme(&self) -> u32 {
        1
    }

    fn group_order(&self) -> u64 {
        let symmetries = self.symmetries.as_ref();
        symmetries.map_or(1, |symmetries| symmetries.group.order())
    }

    fn totals(&self) -> Totals {
        let positions = self.positions();
        let states = positions.filter(|_| self.proper);
        let classes = states.and_then(|states| match self.group_order() {
            1 => Some(states),
            _ => self.symmetries.as_ref()?.classes(&self.space.as_ref()?.shapes),
        });
        Totals { states, classes, existing: positions.filter(|_| !self.proper) }
    }

    fn images(&self, state: &State) -> Vec<State> {
        let slots = self.kinds.slots(&pairs_of(state));
        let images = self.symmetries.iter().flat_map(|symmetries| symmetries.images(&slots));
        images.map(|slots| state_of(&self.kinds.pairs(&slots))).collect()
    }
}

impl Setup for Gourds {
    fn start(&self) -> Option<State> {
        let start = &self.labels()?.start;
        Some(state_of(&self.kinds.normal(start)))
    }

    fn root(&self) -> Option<State> {
        match &self.goal {
            Some(goal) => Some(state_of(&self.kinds.normal(goal))),
            None => self.state_of(Space::roots(self.space.as_ref()?).first().copied()?.into()),
        }
    }

    fn warning(&self) -> Option<String> {
        self.warning.clone()
    }
}

impl FileFormat for Gourds {
    fn file(&self) -> Option<String> {
        let name = &self.names.name;
        let Some(goal) = self.custom_goal() else {
            return Some(file::write(name, &self.layout, ""));
        };
        // The format has no line for the goal of a board without labels, but numbers say it.
        let labels = Labels {
            coloured: false,
            cells: (0..self.board().size() as u16).collect(),
            gourds: goal.iter().map(|pair| pair.map(u16::from)).collect(),
            start: goal.clone(),
            names: Vec::new(),
        };
        let layout = LabelledBoard { board: self.board().clone(), labels: Some(labels) };
        let remark = format!("goal {}", notation::print_pairs(goal));
        Some(file::write(name, &layout, &remark))
    }

    fn content(&self) -> Option<u64> {
        self.content
    }
}

//! Wrapslide: halves of a square board slide with wrap-around until every colour is in quadrants
//! of its own.
//!
//! # Rules
//! The board has n x n cells (n = 4, 6 or 8) in four quadrants, and 2, 3 or 4 colours. Every
//! colour but the last fills as many cells as one quadrant has; the last one fills the rest. The
//! move `T3` slides the top half 3 cells to the left, `B3` the bottom half; `L3` slides the left
//! half 3 cells up, `R3` the right half; what leaves the board comes in at the other end.
//! Solved is a board on which every colour occupies whole quadrants, no matter which; with three
//! colours, those that fill one quadrant each must be neighbours, not diagonal.
//!
//! # Texts
//! `wrapslide:6x6:2` is 6x6 with two colours. Options:
//! - `any` (three colours): the two small colours may also be diagonal in a solved board;
//! - `fixed` (three or four colours): colour 1 already fills the top-left quadrant and stays
//!   there, so only `B` and `R` move; any arrangement of the others in quadrants is solved;
//! - `beside` (three colours, with `fixed`): colour 2 must end beside colour 1, not diagonal;
//! - `unit`: a move slides by one cell only (`1`, or `n - 1` for the other direction).
//!
//! # Inside
//! | file | what it holds |
//! |---|---|
//! | `rules` | boards as people see them: moves, goal |
//! | `notation` | texts, states, moves, drawings |
//! | `keys` | what keys do in a game |
//! | `layout` | the order of cells that the index uses; the board's symmetries |
//! | `quadrants` | the fast canonical form: read its essay first |
//! | `leader` | the index of four colours with one fixed |
//! | `space` | index, neighbours and class sizes for the engine |
//! | `bounds` | how fast levels can grow, and how variants compare: read its essay first |
//! | `subgoals` | first one colour, then the others |
//! | `permutations` | the board as a permutation puzzle, for other programs |
//! | `solve` | solvers: beam search, IDA*, the heuristic of the thesis |

mod bounds;
mod keys;
mod layout;
mod leader;
mod notation;
mod permutations;
mod quadrants;
mod rules;
mod solve;
mod space;
mod subgoals;
#[cfg(test)]
mod tests;

use crate::encode::binomial::multinomial;
use crate::engine::Totals;
use crate::error::Result;
use crate::puzzle::{
    Bounding, Capabilities, CellPair, Growth, Indexed, Instance, Kind, Move, Picture, Play, PuzzleSpec,
    Relation, Rules, Scramble, State, StateNumber, Swaps,
};
use crate::random::Random;
use crate::space::AnySpace;
use crate::symmetry::{Group, Symmetry};
use layout::WrapslideLayout;
use rules::{HalfSlide, WrapslideVariant};
use space::SizedSpace;

/// The family, for the registry.
pub const KIND: Kind = Kind {
    name: "wrapslide",
    grammar: "wrapslide:NxN:C[:any][:fixed][:beside][:unit] with N = 4, 6 or 8 and C = 2, 3 or 4 colours \
              (any: C = 3; fixed: C = 3 or 4, without any; beside: C = 3, with fixed)",
    about: "Halves of a square board slide with wrap-around until every colour is in quadrants of \
            its own.\n  any: the two small colours may also be diagonal; fixed: colour 1 is solved \
            and stays;\n  beside: colour 2 ends beside colour 1; unit: one cell is one move",
    examples: &[
        "wrapslide:4x4:2",
        "wrapslide:4x4:3",
        "wrapslide:4x4:3:any",
        "wrapslide:4x4:4",
        "wrapslide:4x4:3:fixed:beside",
        "wrapslide:4x4:4:fixed",
        "wrapslide:4x4:4:unit",
        "wrapslide:6x6:2",
        "wrapslide:6x6:3:fixed",
        "wrapslide:6x6:4:fixed",
        "wrapslide:6x6:3",
        "wrapslide:6x6:4",
        "wrapslide:8x8:2",
        "wrapslide:8x8:3",
        "wrapslide:8x8:4",
    ],
    boards: Vec::new,
    options: &["any", "fixed", "beside", "unit", "slide"],
    parse: |spec| Ok(Box::new(Wrapslide::parse(spec)?)),
    survey: None,
    play: Play::Random("wrapslide:4x4:4"),
};

/// One Wrapslide puzzle, with the tables of its index.
pub struct Wrapslide {
    variant: WrapslideVariant,
    layout: WrapslideLayout,
    space: SizedSpace,
}

impl Wrapslide {
    /// Reads the size, such as `6x6`, the number of colours and the options.
    pub fn parse(spec: &PuzzleSpec<'_>) -> Result<Self> {
        let variant = notation::parse(spec)?;
        let layout = WrapslideLayout::new(variant);
        let space = SizedSpace::new(&variant, &layout)?;
        Ok(Wrapslide { variant, layout, space })
    }

    /// The index of a board given by quadrants, with 16 bits in each word for each colour, the first
    /// colour in the lowest; `None` if it needs more than 64 bits.
    #[inline]
    fn index_of_lanes(&self, lanes: &[u64; 4]) -> Option<u64> {
        match self.variant.fixed {
            false => self.space.index_of_lanes(lanes),
            // As in the layout: the fixed quadrant comes last, and its colour is left out.
            true => {
                let inner = [lanes[3], lanes[2], lanes[1], lanes[0]];
                self.space.index_of_lanes(&inner.map(|word| word >> 16))
            }
        }
    }
}

impl Rules for Wrapslide {
    fn text(&self) -> String {
        notation::text(&self.variant)
    }

    fn title(&self) -> String {
        notation::title(&self.variant)
    }

    fn metric(&self) -> &'static str {
        if self.variant.unit { "unit" } else { "slide" }
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

    fn moves(&self, _: &State) -> Vec<Move> {
        self.variant.slides().map(Move::from).collect()
    }

    fn move_name(&self, _: &State, mv: Move) -> String {
        HalfSlide::from_move(mv).map_or_else(|| "?".to_owned(), notation::move_name)
    }

    fn parse_move(&self, _: &State, text: &str) -> Result<Move> {
        notation::parse_slide(&self.variant, text).map(Move::from)
    }

    fn apply(&self, state: &State, mv: Move) -> State {
        match HalfSlide::from_move(mv) {
            Some(slide) => State(self.variant.slide(&state.0, slide)),
            // No puzzle of this kind makes such a move.
            None => state.clone(),
        }
    }

    fn is_solved(&self, state: &State) -> bool {
        self.variant.is_solved(&state.0)
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            index: Some(self),
            scramble: Some(self),
            solving: Some(self),
            bounds: Some(self),
            picture: Some(self),
            keys: Some(self),
            permutations: Some(self),
            swaps: (!self.variant.fixed).then_some(self as _),
            subgoals: (self.variant.colours > 2 && !self.variant.fixed).then_some(self as _),
            ..Capabilities::default()
        }
    }
}

impl Indexed for Wrapslide {
    fn space(&self) -> Option<AnySpace<'_>> {
        Some(self.space.any())
    }

    fn index_of(&self, state: &State) -> Option<u128> {
        Some(self.space.index_of(&self.layout.inner(&state.0)))
    }

    fn state_of(&self, index: u128) -> Option<State> {
        let labels = self.space.labels_of(index)?;
        Some(State(self.layout.board(&labels)))
    }

    /// As in the thesis: the colours, row by row, are the digits of a number.
    fn number_of(&self, state: &State) -> Option<StateNumber> {
        let base = self.variant.colours as u128;
        let value = state
            .0
            .iter()
            .try_fold(0u128, |value, &colour| value.checked_mul(base)?.checked_add(u128::from(colour) - 1))?;
        let about = format!("the colours less 1, row by row, as the digits of a number in base {base}");
        Some(StateNumber { value, about })
    }

    fn index_scheme(&self) -> u32 {
        self.space.scheme()
    }

    fn group_order(&self) -> u64 {
        self.layout.group().map_or(0, |group| group.order())
    }

    fn totals(&self) -> Totals {
        let counts = self.layout.counts();
        let classes = self.layout.group().and_then(|group| group.classes(&counts));
        Totals { states: multinomial(&counts), classes, existing: None }
    }

    fn images(&self, state: &State) -> Vec<State> {
        let inner = self.layout.inner(&state.0);
        let group = self.layout.group();
        let image = |symmetry: &Symmetry| State(self.layout.board(&symmetry.image(&inner)));
        group.iter().flat_map(Group::iter).map(image).collect()
    }
}

impl Scramble for Wrapslide {
    fn scramble(&self, random: &mut Random) -> Result<Instance> {
        let counts = self.layout.counts();
        let mut labels: Vec<u8> =
            (0..).zip(&counts).flat_map(|(label, &count)| std::iter::repeat_n(label, count)).collect();
        // Every arrangement of the colours can be solved.
        random.shuffle(&mut labels);
        Ok(Instance::State(State(self.layout.board(&labels))))
    }

    fn symmetric(&self, random: &mut Random) -> Option<State> {
        let group = self.layout.group()?;
        let elements: Vec<_> = group.iter().skip(1).collect();
        if elements.is_empty() {
            return None;
        }
        let generators = 1 + random.place(2);
        let generators: Vec<_> =
            (0..generators).map(|_| elements[random.place(elements.len())].clone()).collect();
        let subgroup = Group::generate(group.action(), &generators)?;
        let labels = subgroup.fixed_labelling(&self.layout.counts(), random)?;
        Some(State(self.layout.board(&labels)))
    }
}

impl Bounding for Wrapslide {
    fn growth(&self) -> Option<Growth> {
        Some(bounds::growth(&self.variant))
    }

    fn relations(&self) -> Vec<Relation> {
        bounds::relations(&self.variant)
    }
}

impl Swaps for Wrapslide {
    fn swaps(&self) -> Vec<(CellPair, State)> {
        let n = self.variant.size;
        let Some(solved) = self.start_of_swaps() else {
            return Vec::new();
        };
        let cell = |cell: usize| [cell / n + 1, cell % n + 1];
        let pairs = (0..n * n).flat_map(|one| (one + 1..n * n).map(move |other| (one, other)));
        let pairs = pairs.filter(|&(one, other)| solved.0[one] != solved.0[other]);
        let swapped = pairs.map(|(one, other)| {
            let mut board = solved.0.clone();
            board.swap(one, other);
            ([cell(one), cell(other)], State(board))
        });
        swapped.collect()
    }
}

impl Wrapslide {
    /// The first solved board.
    fn start_of_swaps(&self) -> Option<State> {
        (self as &dyn Rules).root()
    }
}

impl Picture for Wrapslide {
    /// `{"size":6,"colours":4,"counts":[9,9,9,9],"fixed":false,"unit":false,"any":false}`, where
    /// `counts` says how many cells each colour fills.
    fn board(&self) -> serde_json::Value {
        let mut board = serde_json::json!(self.variant);
        board["counts"] = self.variant.counts().into();
        board
    }
}

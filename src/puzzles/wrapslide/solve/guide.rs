//! The guide of both searches: a board's projections, looked up.

use super::super::Wrapslide;
use super::super::rules::{HalfSlide, WrapslideVariant};
use super::lanes::{
    Lanes, Slides, cells_of, cells_of_both, distinct_slides, expand_slides, fingerprint, lanes,
};
use super::pair::Pair;
use super::projection::{Projection, ProjectionDistances};
use super::single::Single;
use crate::error::Result;
use crate::puzzle::{Move, State};
use crate::solve::beam::Ranked;
use crate::solve::{FirstLevels, Search, Workbench};

/// The most projections that a board has.
const MOST: usize = 7;

/// Boards of one puzzle, with everything that is known about them.
pub(super) struct Guide<'p> {
    puzzle: &'p Wrapslide,
    slides: Slides,
    moves: Vec<HalfSlide>,
    single: ProjectionDistances<Single>,
    /// Absent where no two colours together say more than one alone.
    pair: Option<ProjectionDistances<Pair>>,
    /// The colours that fill one quadrant each, counted from 0: that many of the first.
    singles: usize,
    /// Colours of which two together, or one that is as large, fill two quadrants.
    pairs: Vec<(usize, usize)>,
    first: FirstLevels,
}

impl<'p> Guide<'p> {
    /// Reads or builds the tables, with the first levels up to this one.
    pub fn prepare(puzzle: &'p Wrapslide, first: u32, bench: &Workbench<'_>) -> Result<Self> {
        let variant = &puzzle.variant;
        let slides = Slides::new(variant.half());
        let moves = distinct_slides(variant);
        let unit = if variant.unit { "-unit" } else { "" };
        let name = |what: &str| format!("wrapslide-{0}x{0}{unit}-{what}", variant.size);
        // A fixed quadrant only takes moves away, so what is needed with all of them is needed without.
        let free = distinct_slides(&WrapslideVariant { fixed: false, ..*variant });
        let single = Single::new(variant.quadrant());
        let single = ProjectionDistances::prepare(single, &name("single"), &slides, &free, bench)?;
        let (singles, pairs) = match variant.colours {
            2 => (1, vec![]),
            3 => (2, vec![(2, 2)]),
            // The other three pairs are what is left beside these.
            _ => (4, vec![(0, 1), (0, 2), (0, 3)]),
        };
        let pair = match pairs.is_empty() {
            true => None,
            false => {
                let pair = Pair::new(variant.half());
                let name = name("pair");
                Some(ProjectionDistances::prepare(pair, &name, &slides, &free, bench)?)
            }
        };
        let first = FirstLevels::prepare(puzzle, first, bench)?;
        Ok(Guide { puzzle, slides, moves, single, pair, singles, pairs, first })
    }

    /// The quick form of a state.
    pub fn board(&self, state: &State) -> Lanes {
        lanes(&self.puzzle.variant, &state.0)
    }

    /// The most moves that are tried from a board.
    pub fn fanout(&self) -> usize {
        self.moves.len()
    }

    /// Calls `visit` with the distance of every projection.
    #[inline(always)]
    fn projections(&self, board: &Lanes, mut visit: impl FnMut(u8)) {
        for colour in 0..self.singles {
            visit(self.single.of(cells_of(board, colour)));
        }
        if let Some(pair) = &self.pair {
            for &(one, other) in &self.pairs {
                visit(pair.of(cells_of_both(board, one, other)));
            }
        }
    }

    /// The level of a board, if it is one of the first.
    fn level(&self, board: &Lanes) -> Option<u32> {
        self.first.get(self.puzzle.index_of_lanes(board)?)
    }
}

impl Search for Guide<'_> {
    type Node = Lanes;

    #[inline(always)]
    fn expand(&self, node: &Lanes, last: Option<Move>, visit: impl FnMut(Move, Lanes)) {
        expand_slides(&self.slides, &self.moves, self.puzzle.variant.unit, node, last, visit);
    }

    fn bound(&self, node: &Lanes) -> u32 {
        let mut bound = 0;
        self.projections(node, |distance| bound = bound.max(distance));
        let bound = u32::from(bound);
        match bound <= self.first.last() {
            // What is not among the first levels is beyond them.
            true => self.level(node).unwrap_or(self.first.last() + 1),
            false => bound,
        }
    }

    fn is_solved(&self, node: &Lanes) -> bool {
        self.level(node) == Some(0)
    }
}

impl Ranked for Guide<'_> {
    fn rank(&self, nodes: &[Lanes], ranks: &mut Vec<u16>) {
        // All numbers of some boards first, so that their distances are on the way from memory while
        // other numbers are computed.
        const AT_ONCE: usize = 16;
        let mut numbers = [[0; MOST]; AT_ONCE];
        for boards in nodes.chunks(AT_ONCE) {
            for (numbers, board) in numbers.iter_mut().zip(boards) {
                let (singles, pairs) = numbers.split_at_mut(self.singles);
                for (colour, number) in singles.iter_mut().enumerate() {
                    *number = self.single.projection.number(cells_of(board, colour));
                    self.single.prefetch(*number);
                }
                if let Some(pair) = &self.pair {
                    for (number, &(one, other)) in pairs.iter_mut().zip(&self.pairs) {
                        *number = pair.projection.number(cells_of_both(board, one, other));
                        pair.prefetch(*number);
                    }
                }
            }
            for numbers in &numbers[..boards.len()] {
                let (singles, pairs) = numbers.split_at(self.singles);
                let mut rank: u16 = singles.iter().map(|&n| u16::from(self.single.at(n))).sum();
                if let Some(pair) = &self.pair {
                    let pairs = pairs.iter().take(self.pairs.len());
                    rank += pairs.map(|&n| u16::from(pair.at(n))).sum::<u16>();
                }
                ranks.push(rank);
            }
        }
    }

    fn after(&self, node: &Lanes, mv: Move) -> Lanes {
        match HalfSlide::from_move(mv) {
            Some(slide) => self.slides.slid(node, slide),
            None => *node,
        }
    }

    fn fingerprint(&self, node: &Lanes) -> u64 {
        fingerprint(node)
    }

    fn known(&self, node: &Lanes, rank: u16) -> Option<u32> {
        // Within the first levels no projection is farther than the last of them.
        let projections = (self.singles + self.pairs.len()) as u32;
        if u32::from(rank) <= projections * self.first.last() { self.level(node) } else { None }
    }
}

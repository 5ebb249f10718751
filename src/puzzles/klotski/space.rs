//! The space of classes: index, neighbours, class sizes.
//!
//! The index of a class is the number of its canonical state, which is the smaller one of a state
//! and its mirror image, if exchanging left and right is a symmetry; otherwise every state is a
//! class by itself.

use super::blocks::Blocks;
use super::numbering::{Numbering, Side, is_greater};
use super::rules::{Board, EMPTY, Metric, Uses};
use crate::space::Space;

/// What an enumeration starts from.
#[derive(Clone, Debug)]
pub(super) enum Roots {
    /// These numbers of states, ascending.
    Listed(Vec<u64>),
    /// All solved layouts, made when they are asked for.
    Solved(Numbering),
}

/// The classes of layouts under one metric.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    pub numbering: Numbering,
    pub metric: Metric,
    /// Whether exchanging left and right is a symmetry.
    pub mirror: bool,
    pub roots: Roots,
    pub fanout: usize,
}

impl Walk {
    #[inline(always)]
    fn expand_in<const MIRROR: bool>(&self, metric: Metric, batch: &[u64], out: &mut Vec<u64>) {
        let numbering = &self.numbering;
        let frame = &numbering.frame;
        let mut sides = [Side::default(), Side::default()];
        for &index in batch {
            let blocks = numbering.open(index, &mut sides[0]);
            if MIRROR {
                numbering.lay_out(&frame.mirrored(&blocks), &mut sides[1]);
            }
            let [side, mirrored] = &sides;
            frame.moves(metric, &blocks, |kind, from, to| {
                let mut ways = [(from, to); 2];
                let mut smaller = 0;
                if MIRROR {
                    ways[1] = (frame.mirrored_bit(kind, from), frame.mirrored_bit(kind, to));
                    // Comparing words is cheaper than ranking both.
                    let digits = side.moved(kind, from, to);
                    let others = mirrored.moved(kind, ways[1].0, ways[1].1);
                    smaller = usize::from(is_greater(&digits, &others));
                }
                let (from, to) = ways[smaller];
                out.push(numbering.neighbour(&sides[smaller], kind, from, to));
            });
        }
    }

    #[inline(always)]
    fn expand_by<const MIRROR: bool>(&self, batch: &[u64], out: &mut Vec<u64>) {
        match self.metric {
            Metric::Step => self.expand_in::<MIRROR>(Metric::Step, batch, out),
            Metric::Slide => self.expand_in::<MIRROR>(Metric::Slide, batch, out),
            Metric::Move => self.expand_in::<MIRROR>(Metric::Move, batch, out),
        }
    }
}

impl Space<u64> for Walk {
    fn universe(&self) -> u64 {
        self.numbering.count()
    }

    fn roots(&self) -> Vec<u64> {
        // The smaller one of two mirror images stands for both, in the same order.
        let stands = |blocks: &Blocks| !(self.mirror && self.numbering.is_behind_its_image(blocks));
        match &self.roots {
            Roots::Listed(numbers) => {
                let listed = numbers.iter().copied();
                listed
                    .filter(|&number| stands(&self.numbering.blocks(number)))
                    .collect()
            }
            Roots::Solved(solved) => (0..solved.count())
                .map(|number| solved.blocks(number))
                .filter(stands)
                .filter_map(|blocks| self.numbering.number(&blocks))
                .collect(),
        }
    }

    fn expand(&self, batch: &[u64], candidates: &mut Vec<u64>) {
        candidates.reserve(batch.len() * self.fanout);
        match self.mirror {
            true => self.expand_by::<true>(batch, candidates),
            false => self.expand_by::<false>(batch, candidates),
        }
    }

    fn fanout(&self) -> usize {
        self.fanout
    }

    fn states(&self, batch: &[u64]) -> u128 {
        if !self.mirror {
            return batch.len() as u128;
        }
        let alone = batch.iter().filter(|i| self.numbering.is_symmetric(**i));
        2 * batch.len() as u128 - alone.count() as u128
    }

    fn canonical(&self, index: u64) -> Option<u64> {
        if index >= self.universe() {
            return None;
        }
        if !self.mirror {
            return Some(index);
        }
        let blocks = self.numbering.blocks(index);
        let image = self.numbering.frame.mirrored(&blocks);
        Some(index.min(self.numbering.number(&image)?))
    }
}

/// The most moves that a layout with these pieces can have.
pub(super) fn fanout(board: &Board, uses: &Uses, metric: Metric) -> usize {
    let cells = board.cells();
    let most = |empty: usize| {
        let filled = cells.saturating_sub(empty);
        // The 2x2 block has four cells, the others one at least.
        let blocks = filled.saturating_sub(3);
        match metric {
            // Of every way to enter an empty cell at most one block can make use.
            Metric::Step => 4 * empty.min(blocks),
            Metric::Slide => (4 * empty).min((board.rows + board.columns - 2) * blocks),
            // A block that has gone elsewhere covers an empty cell with one of its own cells, and
            // which one with which says where it is.
            Metric::Move => empty * filled,
        }
    };
    let empty = uses[usize::from(EMPTY)].clone();
    let range = *empty.start()..=cells.min(*empty.end());
    range.map(most).max().unwrap_or(0).max(1)
}

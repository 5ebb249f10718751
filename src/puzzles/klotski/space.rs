//! The space of classes: index, neighbours, class sizes.
//!
//! The index of a class is the number of its canonical state, which is the smaller one of a state
//! and its mirror image, if exchanging left and right is a symmetry; otherwise every state is a
//! class by itself.

use super::blocks::Blocks;
use super::numbering::{LayoutNumbering, RankedLayout, is_greater};
use super::rules::{BlockBoard, EMPTY, Metric, Uses};
use crate::encode::cpu::{self, Cpu, Kernel};
use crate::puzzles::kernels::{self, SpaceKernels};
use crate::space::Space;

/// What an enumeration starts from.
#[derive(Clone, Debug)]
pub(super) enum Roots {
    /// These numbers of states, ascending.
    Listed(Vec<u64>),
    /// All solved layouts, made when they are asked for.
    Solved(LayoutNumbering),
}

/// The classes of layouts under one metric.
#[derive(Clone, Debug)]
pub(super) struct KlotskiSpace {
    pub numbering: LayoutNumbering,
    pub metric: Metric,
    /// Whether exchanging left and right is a symmetry.
    pub mirror: bool,
    pub roots: Roots,
    pub fanout: usize,
}

impl KlotskiSpace {
    /// Whether a state stands for its class: the smaller one of two mirror images does, in the same order.
    #[inline(always)]
    fn stands(&self, blocks: &Blocks) -> bool {
        !(self.mirror && self.numbering.is_behind_its_image(blocks))
    }

    #[inline(always)]
    fn expand_in<const MIRROR: bool>(
        &self,
        cpu: impl Cpu,
        metric: Metric,
        batch: &[u64],
        out: &mut Vec<u64>,
    ) {
        let numbering = &self.numbering;
        let frame = &numbering.frame;
        let mut sides = [RankedLayout::default(), RankedLayout::default()];
        for &index in batch {
            let blocks = numbering.open(index, &mut sides[0]);
            if MIRROR {
                numbering.prepare(&frame.mirrored(&blocks), &mut sides[1]);
            }
            frame.moves(metric, &blocks, |kind, from, to| {
                out.push(cpu.call(Neighbour::<MIRROR> { numbering, sides: &sides, kind, from, to }));
            });
        }
    }

    #[inline(always)]
    fn expand_by<const MIRROR: bool>(&self, cpu: impl Cpu, batch: &[u64], out: &mut Vec<u64>) {
        match self.metric {
            Metric::Step => self.expand_in::<MIRROR>(cpu, Metric::Step, batch, out),
            Metric::Slide => self.expand_in::<MIRROR>(cpu, Metric::Slide, batch, out),
            Metric::Move => self.expand_in::<MIRROR>(cpu, Metric::Move, batch, out),
        }
    }
}

/// The class that a move leads to.
struct Neighbour<'a, const MIRROR: bool> {
    numbering: &'a LayoutNumbering,
    /// The state, and its mirror image if that is a symmetry.
    sides: &'a [RankedLayout; 2],
    kind: usize,
    from: usize,
    to: usize,
}

impl<const MIRROR: bool> Kernel for Neighbour<'_, MIRROR> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> u64 {
        let Neighbour { numbering, sides, kind, from, to } = self;
        let frame = &numbering.frame;
        let mut ways = [(from, to); 2];
        let mut smaller = 0;
        if MIRROR {
            ways[1] = (frame.mirrored_bit(kind, from), frame.mirrored_bit(kind, to));
            // Comparing words is cheaper than ranking both.
            let digits = sides[0].moved(kind, from, to);
            let others = sides[1].moved(kind, ways[1].0, ways[1].1);
            smaller = usize::from(is_greater(&digits, &others));
        }
        let (from, to) = ways[smaller];
        numbering.neighbour(&sides[smaller], kind, from, to)
    }
}

/// The classes of all solved layouts.
struct SolvedClasses<'a> {
    space: &'a KlotskiSpace,
    solved: &'a LayoutNumbering,
}

impl Kernel for SolvedClasses<'_> {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> Vec<u64> {
        let SolvedClasses { space, solved } = self;
        let mut classes = Vec::new();
        for number in 0..solved.count() {
            let blocks = solved.blocks(number);
            if space.stands(&blocks)
                && let Some(class) = space.numbering.number(&blocks)
            {
                classes.push(class);
            }
        }
        classes
    }
}

impl SpaceKernels<u64> for KlotskiSpace {
    #[inline(always)]
    fn expand_on<C: Cpu>(&self, cpu: C, batch: &[u64], candidates: &mut Vec<u64>) {
        candidates.reserve(batch.len() * self.fanout);
        match self.mirror {
            true => self.expand_by::<true>(cpu, batch, candidates),
            false => self.expand_by::<false>(cpu, batch, candidates),
        }
    }

    #[inline(always)]
    fn states_on<C: Cpu>(&self, _: C, batch: &[u64]) -> u128 {
        if !self.mirror {
            return batch.len() as u128;
        }
        let mut states = 2 * batch.len() as u128;
        for &index in batch {
            states -= u128::from(self.numbering.is_symmetric(index));
        }
        states
    }
}

impl Space<u64> for KlotskiSpace {
    fn universe(&self) -> u64 {
        self.numbering.count()
    }

    fn roots(&self) -> Vec<u64> {
        match &self.roots {
            Roots::Listed(numbers) => {
                let listed = numbers.iter().copied();
                listed.filter(|&number| self.stands(&self.numbering.blocks(number))).collect()
            }
            Roots::Solved(solved) => cpu::run(SolvedClasses { space: self, solved }),
        }
    }

    fn expand(&self, batch: &[u64], candidates: &mut Vec<u64>) {
        kernels::expand(self, batch, candidates);
    }

    fn fanout(&self) -> usize {
        self.fanout
    }

    fn states(&self, batch: &[u64]) -> u128 {
        kernels::states(self, batch)
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
pub(super) fn fanout(board: &BlockBoard, uses: &Uses, metric: Metric) -> usize {
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

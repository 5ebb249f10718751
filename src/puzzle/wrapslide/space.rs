//! The space of classes: index, neighbours, class sizes.

use super::layout::Layout;
use super::quadrants::{Parts, Quadrants, descending};
use super::rules::Variant;
use crate::encode::Sets;
use crate::puzzle::{AnySpace, Index, Space};

/// A space whose states can be given by their labels in the order of [`Layout`].
pub(super) trait Labelled<I: Index>: Space<I> {
    /// The index of the class of a state.
    fn index_of(&self, labels: &[u8]) -> I;
    /// The same of a state that is given by quadrants: in each word, 16 bits for each colour, the first
    /// colour in the lowest. A fixed quadrant, which has none of them, is the last.
    fn index_of_lanes(&self, lanes: &[u64; 4]) -> I;
    /// The canonical state of the class that `index` belongs to, if a state has that number.
    fn labels_of(&self, index: I) -> Option<Vec<u8>>;
}

/// The space of any variant, of either index width.
pub(super) enum Walk {
    Narrow(Box<dyn Labelled<u64>>),
    Wide(Box<dyn Labelled<u128>>),
}

impl Walk {
    /// Builds the space of a variant; `None` would mean that it has no index, but all have.
    pub fn new(variant: &Variant, layout: &Layout) -> Option<Walk> {
        match (variant.colours, variant.fixed) {
            (2, _) | (3, true) => Walk::with::<1>(variant, layout),
            (3, false) => Walk::with::<2>(variant, layout),
            (_, true) => Walk::with::<3>(variant, layout),
            (_, false) => Walk::with::<4>(variant, layout),
        }
    }

    fn with<const K: usize>(variant: &Variant, layout: &Layout) -> Option<Walk> {
        let cells = layout.counts().iter().sum();
        let sets = Sets::<K>::new(cells, variant.quadrant())?;
        Some(if sets.count() <= u64::MAX.into() {
            Walk::Narrow(Box::new(QuadrantSpace::<K, u64>::new(
                variant, layout, sets,
            )))
        } else {
            Walk::Wide(Box::new(QuadrantSpace::<K, u128>::new(
                variant, layout, sets,
            )))
        })
    }

    pub fn any(&self) -> AnySpace<'_> {
        match self {
            Walk::Narrow(space) => AnySpace::Narrow(space.as_ref()),
            Walk::Wide(space) => AnySpace::Wide(space.as_ref()),
        }
    }

    pub fn index_of(&self, labels: &[u8]) -> u128 {
        match self {
            Walk::Narrow(space) => space.index_of(labels).wide(),
            Walk::Wide(space) => space.index_of(labels),
        }
    }

    /// The index of a board given by quadrants, if it fits in 64 bits.
    #[inline]
    pub fn index_of_lanes(&self, lanes: &[u64; 4]) -> Option<u64> {
        match self {
            Walk::Narrow(space) => Some(space.index_of_lanes(lanes)),
            Walk::Wide(_) => None,
        }
    }

    pub fn labels_of(&self, index: u128) -> Option<Vec<u8>> {
        match self {
            Walk::Narrow(space) => space.labels_of(u64::try_from(index).ok()?),
            Walk::Wide(space) => space.labels_of(index),
        }
    }
}

/// Indices are turned into states in blocks: one is a chain of dependent look-ups, and several in
/// a row overlap in the processor.
const BLOCK: usize = 16;

/// The classes of states with `K` interchangeable colours, numbered by [`Sets`].
struct QuadrantSpace<const K: usize, I> {
    quadrants: Quadrants<K>,
    sets: Sets<K>,
    cells: usize,
    group_order: u64,
    /// By how many rows the left half slides, and the right half. Horizontal slides are these on
    /// the transposed state, which is in the same class as the state.
    slides: [Vec<usize>; 2],
    roots: Vec<I>,
}

impl<const K: usize, I: Index> QuadrantSpace<K, I> {
    fn new(variant: &Variant, layout: &Layout, sets: Sets<K>) -> Self {
        let board_order = if variant.fixed { 8 } else { 32 };
        let mut space = QuadrantSpace {
            quadrants: Quadrants::new(variant.half(), variant.fixed),
            sets,
            cells: layout.counts().iter().sum(),
            group_order: board_order * (1..=K as u64).product::<u64>(),
            slides: [
                variant.distances().collect(),
                // Both halves by half the board are a translation, so the right one alone leads
                // to the class that the left one alone leads to. The half with the fixed quadrant
                // does not move.
                variant
                    .distances()
                    .filter(|&rows| !variant.fixed && rows != variant.half())
                    .collect(),
            ],
            roots: Vec::new(),
        };
        let solved = variant.solved();
        space.roots = solved
            .iter()
            .map(|board| space.index_of(&layout.inner(board)))
            .collect();
        space.roots.sort_unstable();
        space.roots.dedup();
        space
    }

    #[inline(always)]
    fn parts(&self, index: I) -> Parts<K> {
        self.quadrants.split(&self.sets.unrank(index))
    }

    #[inline(always)]
    fn least(&self, parts: &Parts<K>) -> ([u64; K], u64) {
        self.quadrants.least(parts, &self.quadrants.leads(parts))
    }

    /// Appends the classes that vertical slides lead to.
    #[inline(always)]
    fn slide(&self, parts: &Parts<K>, candidates: &mut Vec<I>) {
        let leads = self.quadrants.leads(parts);
        self.slide_half::<0>(parts, leads, candidates);
        self.slide_half::<1>(parts, leads, candidates);
    }

    /// Appends the classes that slides of the half with the upper quadrant `UPPER` lead to.
    #[inline(always)]
    fn slide_half<const UPPER: usize>(
        &self,
        parts: &Parts<K>,
        leads: [u64; 4],
        candidates: &mut Vec<I>,
    ) {
        for &rows in &self.slides[UPPER] {
            let slid = self.quadrants.slid::<UPPER>(parts, rows);
            let leads = self.quadrants.leads_after::<UPPER>(leads, &slid);
            let (least, _) = self.quadrants.least(&slid, &leads);
            candidates.push(self.sets.rank(&least));
        }
    }
}

impl<const K: usize, I: Index> Space<I> for QuadrantSpace<K, I> {
    fn universe(&self) -> I {
        I::narrow(self.sets.count())
    }

    fn roots(&self) -> Vec<I> {
        self.roots.clone()
    }

    fn expand(&self, batch: &[I], candidates: &mut Vec<I>) {
        candidates.reserve(batch.len() * self.fanout());
        let mut block = [[0; K]; BLOCK];
        for indices in batch.chunks(BLOCK) {
            for (parts, &index) in block.iter_mut().zip(indices) {
                *parts = self.parts(index);
            }
            for parts in &block[..indices.len()] {
                self.slide(parts, candidates);
                self.slide(&self.quadrants.transposed(parts), candidates);
            }
        }
    }

    fn fanout(&self) -> usize {
        2 * (self.slides[0].len() + self.slides[1].len())
    }

    fn states(&self, batch: &[I]) -> u128 {
        let size = |&index| self.group_order / self.least(&self.parts(index)).1;
        batch.iter().map(|index| u128::from(size(index))).sum()
    }

    fn canonical(&self, index: I) -> Option<I> {
        (index < self.universe()).then(|| self.sets.rank(&self.least(&self.parts(index)).0))
    }
}

impl<const K: usize, I: Index> Labelled<I> for QuadrantSpace<K, I> {
    fn index_of(&self, labels: &[u8]) -> I {
        let mut masks = [0; K];
        for (cell, &label) in labels.iter().enumerate() {
            if let Some(mask) = masks.get_mut(usize::from(label)) {
                *mask |= 1 << (self.cells - 1 - cell);
            }
        }
        let parts = self.quadrants.split(&descending(masks));
        self.sets.rank(&self.least(&parts).0)
    }

    fn index_of_lanes(&self, lanes: &[u64; 4]) -> I {
        let mut parts = [0; K];
        for (colour, part) in parts.iter_mut().enumerate() {
            for word in lanes {
                *part = *part << 16 | word >> (16 * colour) & 0xffff;
            }
        }
        self.sets.rank(&self.least(&parts).0)
    }

    fn labels_of(&self, index: I) -> Option<Vec<u8>> {
        let masks = self.sets.unrank(self.canonical(index)?);
        let label = |cell| {
            let bit = 1u64 << (self.cells - 1 - cell);
            masks.iter().position(|mask| mask & bit != 0).unwrap_or(K) as u8
        };
        Some((0..self.cells).map(label).collect())
    }
}

//! The space of classes: index, neighbours, class sizes.

use super::layout::Layout;
use super::leader::{Leader, Pending};
use super::quadrants::{Front, Parts, Quadrants, descending};
use super::rules::Variant;
use crate::encode::{Sets, Trail};
use crate::error::{Error, Result};
use crate::space::{AnySpace, Index, Space};

/// A space whose states can be given by their labels in the order of [`Layout`].
pub(super) trait Labelled<I: Index>: Space<I> {
    /// Version of the numbering.
    fn scheme(&self) -> u32;
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
    /// Builds the space of a variant.
    pub fn new(variant: &Variant, layout: &Layout) -> Result<Walk> {
        match (variant.colours, variant.fixed, variant.half()) {
            (4, true, 2) => Walk::led::<4>(variant, layout),
            (4, true, 3) => Walk::led::<9>(variant, layout),
            (2, ..) | (3, true, _) => Walk::least::<1>(variant, layout),
            (3, ..) => Walk::least::<2>(variant, layout),
            (_, true, _) => Walk::least::<3>(variant, layout),
            (_, false, _) => Walk::least::<4>(variant, layout),
        }
    }

    fn least<const K: usize>(variant: &Variant, layout: &Layout) -> Result<Walk> {
        match variant.half() {
            2 => Walk::with::<K, 2>(variant, layout),
            3 => Walk::with::<K, 3>(variant, layout),
            _ => Walk::with::<K, 4>(variant, layout),
        }
    }

    fn with<const K: usize, const SIDE: usize>(variant: &Variant, layout: &Layout) -> Result<Walk> {
        let cells = layout.counts().iter().sum();
        let sets = Sets::<K>::new(cells, variant.quadrant()).ok_or_else(too_large)?;
        Ok(if sets.count() <= u64::MAX.into() {
            Walk::Narrow(Box::new(QuadrantSpace::<K, SIDE, u64>::new(
                variant, layout, sets,
            )))
        } else {
            Walk::Wide(Box::new(QuadrantSpace::<K, SIDE, u128>::new(
                variant, layout, sets,
            )))
        })
    }

    fn led<const CELLS: usize>(variant: &Variant, layout: &Layout) -> Result<Walk> {
        let space = LeaderSpace::<CELLS>::new(variant, layout)?;
        Ok(Walk::Narrow(Box::new(space)))
    }

    pub fn any(&self) -> AnySpace<'_> {
        match self {
            Walk::Narrow(space) => AnySpace::Narrow(space.as_ref()),
            Walk::Wide(space) => AnySpace::Wide(space.as_ref()),
        }
    }

    pub fn scheme(&self) -> u32 {
        match self {
            Walk::Narrow(space) => space.scheme(),
            Walk::Wide(space) => space.scheme(),
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

/// No board is, but the tables' builders cannot know that.
pub(super) fn too_large() -> Error {
    Error::Usage("this board is too large for an index".to_owned())
}

/// Indices are turned into states in blocks: one is a chain of dependent look-ups, and several in
/// a row overlap in the processor.
const BLOCK: usize = 16;

/// The classes of states with `K` interchangeable colours, numbered by [`Sets`].
struct QuadrantSpace<const K: usize, const SIDE: usize, I> {
    quadrants: Quadrants<K, SIDE>,
    sets: Sets<K>,
    cells: usize,
    group_order: u64,
    /// By how many rows the left half slides, and the right half. Horizontal slides are these on
    /// the transposed state, which is in the same class as the state.
    slides: [Vec<usize>; 2],
    roots: Vec<I>,
}

impl<const K: usize, const SIDE: usize, I: Index> QuadrantSpace<K, SIDE, I> {
    fn new(variant: &Variant, layout: &Layout, sets: Sets<K>) -> Self {
        let board_order = if variant.fixed { 8 } else { 32 };
        let mut space = QuadrantSpace {
            quadrants: Quadrants::new(variant.fixed),
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
        space.roots = roots(&space, variant, layout);
        space
    }

    #[inline(always)]
    fn parts(&self, index: I, trail: &mut Trail) -> Parts<K> {
        self.quadrants.split(&self.sets.unrank_next(index, trail))
    }

    #[inline(always)]
    fn least(&self, parts: &Parts<K>) -> ([u64; K], u64) {
        self.quadrants.least(parts, self.quadrants.front(parts))
    }

    /// Appends the classes that vertical slides lead to.
    #[inline(always)]
    fn slide(&self, parts: &Parts<K>, candidates: &mut Vec<I>) {
        // What stays where it is has the same front-runners for all slides of a half.
        let (left, right) = (
            self.quadrants.front_of_half::<0>(parts),
            self.quadrants.front_of_half::<1>(parts),
        );
        self.slide_half::<0>(parts, right, candidates);
        self.slide_half::<1>(parts, left, candidates);
    }

    /// Appends the classes that slides of the half with the upper quadrant `UPPER` lead to.
    #[inline(always)]
    fn slide_half<const UPPER: usize>(
        &self,
        parts: &Parts<K>,
        still: Front,
        candidates: &mut Vec<I>,
    ) {
        for &rows in &self.slides[UPPER] {
            let slid = self.quadrants.slid::<UPPER>(parts, rows);
            let front = self.quadrants.front_of_half::<UPPER>(&slid).or(still);
            let (least, _) = self.quadrants.least(&slid, front);
            candidates.push(self.sets.rank(&least));
        }
    }
}

impl<const K: usize, const SIDE: usize, I: Index> Space<I> for QuadrantSpace<K, SIDE, I> {
    fn universe(&self) -> I {
        I::narrow(self.sets.count())
    }

    fn roots(&self) -> Vec<I> {
        self.roots.clone()
    }

    fn expand(&self, batch: &[I], candidates: &mut Vec<I>) {
        candidates.reserve(batch.len() * self.fanout());
        let mut block = [[0; K]; BLOCK];
        let mut trail = Trail::default();
        for indices in batch.chunks(BLOCK) {
            for (parts, &index) in block.iter_mut().zip(indices) {
                *parts = self.parts(index, &mut trail);
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
        let mut trail = Trail::default();
        let size = |&index: &I| {
            let parts = self.parts(index, &mut trail);
            u128::from(self.group_order / self.quadrants.stabiliser(&parts))
        };
        batch.iter().map(size).sum()
    }

    fn canonical(&self, index: I) -> Option<I> {
        (index < self.universe()).then(|| {
            self.sets
                .rank(&self.least(&self.parts(index, &mut Trail::default())).0)
        })
    }
}

impl<const K: usize, const SIDE: usize, I: Index> Labelled<I> for QuadrantSpace<K, SIDE, I> {
    fn scheme(&self) -> u32 {
        1
    }

    fn index_of(&self, labels: &[u8]) -> I {
        let parts = self.quadrants.split(&descending(masks_of(labels)));
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
        Some(labels_of(&masks, self.cells))
    }
}

/// The classes of states with three free colours beside a fixed one, numbered by [`Leader`].
struct LeaderSpace<const CELLS: usize> {
    leader: Leader<CELLS>,
    /// By how many cells a half slides.
    slides: Vec<usize>,
    roots: Vec<u64>,
}

impl<const CELLS: usize> LeaderSpace<CELLS> {
    fn new(variant: &Variant, layout: &Layout) -> Result<Self> {
        let side = variant.half();
        let mut space = LeaderSpace {
            leader: Leader::new(side)?,
            slides: variant.distances().map(|rows| rows * side).collect(),
            roots: Vec::new(),
        };
        space.roots = roots(&space, variant, layout);
        Ok(space)
    }

    fn index(&self, masks: &[u32; 3]) -> u64 {
        self.leader.finish(&self.leader.begin(masks))
    }
}

impl<const CELLS: usize> Space<u64> for LeaderSpace<CELLS> {
    fn universe(&self) -> u64 {
        self.leader.count()
    }

    fn roots(&self) -> Vec<u64> {
        self.roots.clone()
    }

    fn expand(&self, batch: &[u64], candidates: &mut Vec<u64>) {
        candidates.reserve(batch.len() * self.fanout());
        // Enough of them for the first one's class to have arrived when the last is begun.
        let mut pending = [Pending::default(); 16 * BLOCK];
        for indices in batch.chunks(pending.len() / self.fanout()) {
            let mut count = 0;
            for &index in indices {
                let masks = self.leader.masks(index);
                for masks in [masks, self.leader.transposed(&masks)] {
                    for &cells in &self.slides {
                        pending[count] = self.leader.begin(&self.leader.slid(&masks, cells));
                        count += 1;
                    }
                }
            }
            let finish = |pending| self.leader.finish(pending);
            candidates.extend(pending[..count].iter().map(finish));
        }
    }

    fn fanout(&self) -> usize {
        2 * self.slides.len()
    }

    fn states(&self, batch: &[u64]) -> u128 {
        // Eight turns, and six ways to name three colours.
        let size = |&index: &u64| u128::from(48 / self.leader.stabiliser(index));
        batch.iter().map(size).sum()
    }

    fn canonical(&self, index: u64) -> Option<u64> {
        (index < self.universe()).then(|| self.index(&self.leader.masks(index)))
    }
}

impl<const CELLS: usize> Labelled<u64> for LeaderSpace<CELLS> {
    fn scheme(&self) -> u32 {
        2
    }

    fn index_of(&self, labels: &[u8]) -> u64 {
        self.index(&masks_of(labels).map(|mask| mask as u32))
    }

    fn index_of_lanes(&self, lanes: &[u64; 4]) -> u64 {
        let mut masks = [0; 3];
        for (colour, mask) in masks.iter_mut().enumerate() {
            for word in &lanes[..3] {
                *mask = *mask << CELLS | (word >> (16 * colour)) as u32 & ((1 << CELLS) - 1);
            }
        }
        self.index(&masks)
    }

    fn labels_of(&self, index: u64) -> Option<Vec<u8>> {
        let masks = self.leader.masks(self.canonical(index)?);
        Some(labels_of(&masks.map(u64::from), 3 * CELLS))
    }
}

/// The indices of the solved states, ascending, without repeats.
fn roots<I: Index>(space: &impl Labelled<I>, variant: &Variant, layout: &Layout) -> Vec<I> {
    let solved = variant.solved();
    let indices = solved.iter().map(|board| layout.inner(board));
    let mut roots: Vec<I> = indices.map(|labels| space.index_of(&labels)).collect();
    roots.sort_unstable();
    roots.dedup();
    roots
}

/// The cells of each of the first `K` labels as a mask, the first cell in its highest bit.
fn masks_of<const K: usize>(labels: &[u8]) -> [u64; K] {
    let mut masks = [0; K];
    for (cell, &label) in labels.iter().enumerate() {
        if let Some(mask) = masks.get_mut(usize::from(label)) {
            *mask |= 1 << (labels.len() - 1 - cell);
        }
    }
    masks
}

/// The labels of all cells, given those of each label but the last.
fn labels_of<const K: usize>(masks: &[u64; K], cells: usize) -> Vec<u8> {
    let label = |cell| {
        let bit = 1u64 << (cells - 1 - cell);
        masks.iter().position(|mask| mask & bit != 0).unwrap_or(K) as u8
    };
    (0..cells).map(label).collect()
}

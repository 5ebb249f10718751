//! The space of classes: index, neighbours, class sizes.

use super::layout::WrapslideLayout;
use super::leader::{Leader, Pending};
use super::quadrants::{Front, QuadrantWords, Quadrants, descending};
use super::rules::WrapslideVariant;
use crate::encode::cpu::{self, Cpu, Kernel, Portable};
use crate::encode::{Sets, Trail};
use crate::error::{Error, Result};
use crate::puzzles::kernels::{self, SpaceKernels};
use crate::space::{AnySpace, Index, RowStep, Rows, Space};

/// A space whose states can be given by their labels in the order of [`WrapslideLayout`].
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
pub(super) enum SizedSpace {
    Narrow(Box<dyn Labelled<u64>>),
    Wide(Box<dyn Labelled<u128>>),
}

impl SizedSpace {
    /// Builds the space of a variant.
    pub fn new(variant: &WrapslideVariant, layout: &WrapslideLayout) -> Result<SizedSpace> {
        match (variant.colours, variant.fixed, variant.half()) {
            (4, true, 2) => SizedSpace::led::<4>(variant, layout),
            (4, true, 3) => SizedSpace::led::<9>(variant, layout),
            (2, ..) | (3, true, _) => SizedSpace::least::<1>(variant, layout),
            (3, ..) => SizedSpace::least::<2>(variant, layout),
            (_, true, _) => SizedSpace::least::<3>(variant, layout),
            (_, false, _) => SizedSpace::least::<4>(variant, layout),
        }
    }

    fn least<const K: usize>(variant: &WrapslideVariant, layout: &WrapslideLayout) -> Result<SizedSpace> {
        match variant.half() {
            2 => SizedSpace::with::<K, 2>(variant, layout),
            3 => SizedSpace::with::<K, 3>(variant, layout),
            _ => SizedSpace::with::<K, 4>(variant, layout),
        }
    }

    fn with<const K: usize, const SIDE: usize>(
        variant: &WrapslideVariant,
        layout: &WrapslideLayout,
    ) -> Result<SizedSpace> {
        let cells = layout.counts().iter().sum();
        let sets = Sets::<K>::new(cells, variant.quadrant()).ok_or_else(too_large)?;
        Ok(if sets.count() <= u64::MAX.into() {
            SizedSpace::Narrow(Box::new(QuadrantSpace::<K, SIDE, u64>::new(variant, layout, sets)))
        } else {
            SizedSpace::Wide(Box::new(QuadrantSpace::<K, SIDE, u128>::new(variant, layout, sets)))
        })
    }

    fn led<const CELLS: usize>(variant: &WrapslideVariant, layout: &WrapslideLayout) -> Result<SizedSpace> {
        let space = LeaderSpace::<CELLS>::new(variant, layout)?;
        Ok(SizedSpace::Narrow(Box::new(space)))
    }

    pub fn any(&self) -> AnySpace<'_> {
        match self {
            SizedSpace::Narrow(space) => AnySpace::Narrow(space.as_ref()),
            SizedSpace::Wide(space) => AnySpace::Wide(space.as_ref()),
        }
    }

    pub fn scheme(&self) -> u32 {
        match self {
            SizedSpace::Narrow(space) => space.scheme(),
            SizedSpace::Wide(space) => space.scheme(),
        }
    }

    pub fn index_of(&self, labels: &[u8]) -> u128 {
        match self {
            SizedSpace::Narrow(space) => space.index_of(labels).wide(),
            SizedSpace::Wide(space) => space.index_of(labels),
        }
    }

    /// The index of a board given by quadrants, if it fits in 64 bits.
    #[inline]
    pub fn index_of_lanes(&self, lanes: &[u64; 4]) -> Option<u64> {
        match self {
            SizedSpace::Narrow(space) => Some(space.index_of_lanes(lanes)),
            SizedSpace::Wide(_) => None,
        }
    }

    pub fn labels_of(&self, index: u128) -> Option<Vec<u8>> {
        match self {
            SizedSpace::Narrow(space) => space.labels_of(u64::try_from(index).ok()?),
            SizedSpace::Wide(space) => space.labels_of(index),
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
    fn new(variant: &WrapslideVariant, layout: &WrapslideLayout, sets: Sets<K>) -> Self {
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
                variant.distances().filter(|&rows| !variant.fixed && rows != variant.half()).collect(),
            ],
            roots: Vec::new(),
        };
        space.roots = roots(&space, variant, layout);
        space
    }

    #[inline(always)]
    fn parts(&self, cpu: impl Cpu, index: I, trail: &mut Trail) -> QuadrantWords<K> {
        let masks = self.sets.unrank_next(cpu, index, trail);
        self.quadrants.split(cpu, &masks)
    }

    #[inline(always)]
    fn least(&self, parts: &QuadrantWords<K>) -> ([u64; K], u64) {
        self.quadrants.least(parts, self.quadrants.front(parts))
    }

    /// Appends the classes that vertical slides lead to.
    #[inline(always)]
    fn slide(&self, cpu: impl Cpu, parts: &QuadrantWords<K>, candidates: &mut Vec<I>) {
        // What stays where it is has the same front-runners for all slides of a half.
        let (left, right) =
            (self.quadrants.front_of_half::<0>(parts), self.quadrants.front_of_half::<1>(parts));
        self.slide_half::<0>(cpu, parts, right, candidates);
        self.slide_half::<1>(cpu, parts, left, candidates);
    }

    /// Appends the classes that slides of the half with the upper quadrant `UPPER` lead to.
    #[inline(always)]
    fn slide_half<const UPPER: usize>(
        &self,
        cpu: impl Cpu,
        parts: &QuadrantWords<K>,
        still: Front,
        candidates: &mut Vec<I>,
    ) {
        for &rows in &self.slides[UPPER] {
            let slid = self.quadrants.slid::<UPPER>(parts, rows);
            let front = self.quadrants.front_of_half::<UPPER>(&slid).or(still);
            let (least, _) = self.quadrants.least(&slid, front);
            candidates.push(self.sets.rank(cpu, &least));
        }
    }
}

impl<const K: usize, const SIDE: usize, I: Index> SpaceKernels<I> for QuadrantSpace<K, SIDE, I> {
    #[inline(always)]
    fn expand_on<C: Cpu>(&self, cpu: C, batch: &[I], candidates: &mut Vec<I>) {
        candidates.reserve(batch.len() * self.fanout());
        let mut block = [[0; K]; BLOCK];
        let mut trail = Trail::default();
        for indices in batch.chunks(BLOCK) {
            for (i, &index) in indices.iter().enumerate() {
                block[i] = self.parts(cpu, index, &mut trail);
            }
            for parts in &block[..indices.len()] {
                self.slide(cpu, parts, candidates);
                self.slide(cpu, &self.quadrants.transposed(parts), candidates);
            }
        }
    }

    #[inline(always)]
    fn states_on<C: Cpu>(&self, cpu: C, batch: &[I]) -> u128 {
        let mut trail = Trail::default();
        let mut states = 0;
        for &index in batch {
            let parts = self.parts(cpu, index, &mut trail);
            states += u128::from(self.group_order / self.quadrants.stabiliser(&parts));
        }
        states
    }
}

/// The index of the class that a state's number belongs to.
struct CanonicalIndex<'a, S, I> {
    space: &'a S,
    index: I,
}

impl<const K: usize, const SIDE: usize, I: Index> Kernel
    for CanonicalIndex<'_, QuadrantSpace<K, SIDE, I>, I>
{
    type Output = I;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> I {
        let parts = self.space.parts(cpu, self.index, &mut Trail::default());
        self.space.sets.rank(cpu, &self.space.least(&parts).0)
    }
}

/// The index of the class of a state that is cut into quadrants.
struct IndexOfParts<'a, const K: usize, const SIDE: usize, I> {
    space: &'a QuadrantSpace<K, SIDE, I>,
    parts: QuadrantWords<K>,
}

impl<const K: usize, const SIDE: usize, I: Index> Kernel for IndexOfParts<'_, K, SIDE, I> {
    type Output = I;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> I {
        self.space.sets.rank(cpu, &self.space.least(&self.parts).0)
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
        kernels::expand(self, batch, candidates);
    }

    fn fanout(&self) -> usize {
        2 * (self.slides[0].len() + self.slides[1].len())
    }

    fn states(&self, batch: &[I]) -> u128 {
        kernels::states(self, batch)
    }

    fn canonical(&self, index: I) -> Option<I> {
        (index < self.universe()).then(|| cpu::run(CanonicalIndex { space: self, index }))
    }
}

impl<const K: usize, const SIDE: usize, I: Index> Labelled<I> for QuadrantSpace<K, SIDE, I> {
    fn scheme(&self) -> u32 {
        1
    }

    fn index_of(&self, labels: &[u8]) -> I {
        let masks = descending(masks_of(labels));
        let parts = self.quadrants.split(Portable, &masks);
        self.sets.rank(Portable, &self.least(&parts).0)
    }

    fn index_of_lanes(&self, lanes: &[u64; 4]) -> I {
        let mut parts = [0; K];
        for (colour, part) in parts.iter_mut().enumerate() {
            for word in lanes {
                *part = *part << 16 | word >> (16 * colour) & 0xffff;
            }
        }
        cpu::run(IndexOfParts { space: self, parts })
    }

    fn labels_of(&self, index: I) -> Option<Vec<u8>> {
        let masks = self.sets.unrank(Portable, self.canonical(index)?);
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
    fn new(variant: &WrapslideVariant, layout: &WrapslideLayout) -> Result<Self> {
        let side = variant.half();
        let mut space = LeaderSpace {
            leader: Leader::new(side)?,
            slides: variant.distances().map(|rows| rows * side).collect(),
            roots: Vec::new(),
        };
        space.roots = roots(&space, variant, layout);
        Ok(space)
    }

    #[inline(always)]
    fn index(&self, cpu: impl Cpu, masks: &[u32; 3]) -> u64 {
        self.leader.finish(cpu, &self.leader.begin(masks))
    }
}

impl<const CELLS: usize> SpaceKernels<u64> for LeaderSpace<CELLS> {
    #[inline(always)]
    fn expand_on<C: Cpu>(&self, cpu: C, batch: &[u64], candidates: &mut Vec<u64>) {
        candidates.reserve(batch.len() * self.fanout());
        // Enough of them for the first one's class to have arrived when the last is begun.
        let mut pending = [Pending::default(); 16 * BLOCK];
        for indices in batch.chunks(pending.len() / self.fanout()) {
            let mut count = 0;
            for &index in indices {
                let masks = self.leader.masks(cpu, index);
                for masks in [masks, self.leader.transposed(&masks)] {
                    for &cells in &self.slides {
                        pending[count] = self.leader.begin(&self.leader.slid(&masks, cells));
                        count += 1;
                    }
                }
            }
            for pending in &pending[..count] {
                candidates.push(self.leader.finish(cpu, pending));
            }
        }
    }

    #[inline(always)]
    fn states_on<C: Cpu>(&self, cpu: C, batch: &[u64]) -> u128 {
        let mut states = 0;
        for &index in batch {
            // Eight turns, and six ways to name three colours.
            states += u128::from(48 / self.leader.stabiliser(cpu, index));
        }
        states
    }
}

impl<const CELLS: usize> Kernel for CanonicalIndex<'_, LeaderSpace<CELLS>, u64> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let masks = self.space.leader.masks(cpu, self.index);
        self.space.index(cpu, &masks)
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
        kernels::expand(self, batch, candidates);
    }

    fn fanout(&self) -> usize {
        2 * self.slides.len()
    }

    fn states(&self, batch: &[u64]) -> u128 {
        kernels::states(self, batch)
    }

    fn canonical(&self, index: u64) -> Option<u64> {
        (index < self.universe()).then(|| cpu::run(CanonicalIndex { space: self, index }))
    }

    fn rows(&self) -> Option<&dyn Rows> {
        Some(self)
    }
}

impl<const CELLS: usize> Rows for LeaderSpace<CELLS> {
    fn columns(&self) -> u32 {
        self.leader.columns()
    }

    fn steps(&self, row: u64, steps: &mut Vec<RowStep>) {
        self.leader.steps(row, &self.slides, steps);
    }

    fn twins(&self, row: u64, steps: &mut Vec<RowStep>) {
        self.leader.twins(row, steps);
    }

    fn carry(&self, row: u64, step: &RowStep, columns: &[u32], images: &mut Vec<u32>) {
        self.leader.carry(row, step, columns, images);
    }

    fn numbers(&self, class: u64, numbers: &mut Vec<u64>) {
        self.leader.numbers(class, numbers);
    }

    fn retain_canonical(&self, row: u64, bits: &mut [u64]) {
        self.leader.retain_canonical(row, bits);
    }
}

impl<const CELLS: usize> Labelled<u64> for LeaderSpace<CELLS> {
    fn scheme(&self) -> u32 {
        2
    }

    fn index_of(&self, labels: &[u8]) -> u64 {
        self.index(Portable, &masks_of(labels).map(|mask| mask as u32))
    }

    fn index_of_lanes(&self, lanes: &[u64; 4]) -> u64 {
        let mut masks = [0; 3];
        for (colour, mask) in masks.iter_mut().enumerate() {
            for word in &lanes[..3] {
                *mask = *mask << CELLS | (word >> (16 * colour)) as u32 & ((1 << CELLS) - 1);
            }
        }
        self.index(Portable, &masks)
    }

    fn labels_of(&self, index: u64) -> Option<Vec<u8>> {
        let masks = self.leader.masks(Portable, self.canonical(index)?);
        Some(labels_of(&masks.map(u64::from), 3 * CELLS))
    }
}

/// The indices of the solved states, ascending, without repeats.
fn roots<I: Index>(space: &impl Labelled<I>, variant: &WrapslideVariant, layout: &WrapslideLayout) -> Vec<I> {
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

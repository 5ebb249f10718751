//! The space of classes: index, neighbours, class sizes.
//!
//! The index of a position is `(shape * words + word) * 2^n + bits`, with the number of its shape,
//! the number of the word of kinds over its n slots, and a bit for each slot that is set if the
//! first end lies on the larger cell. For gourds with equal ends the bit is 0; where it is 1 the
//! index stands for nothing.

use super::arrangements::{Arrangements, MOST_SLOTS};
use super::board::HexBoard;
use super::kinds::{Kinds, Slot};
use super::shapes::{Shape, Shapes};
use super::steps::ShapeSteps;
use super::symmetry::{Images, Symmetries};
use crate::encode::cpu::Cpu;
use crate::puzzles::kernels::{self, SpaceKernels};
use crate::space::Space;

/// The classes of positions.
pub(super) struct GourdSpace {
    board: HexBoard,
    pub shapes: Shapes,
    steps: ShapeSteps,
    arrangements: Arrangements,
    /// The kinds with equal ends.
    equal_ends: u32,
    /// `None` if the identity is the only symmetry.
    images: Option<Images>,
    order: u64,
    universe: u64,
    roots: Vec<u64>,
}

/// The parts of an index.
#[derive(Clone, Copy)]
struct Parts {
    shape: u64,
    word: u64,
    bits: u32,
}

impl GourdSpace {
    /// The space of a board; `None` if there are too many shapes, or more indices than 64 bits
    /// can number.
    pub fn new(
        board: &HexBoard,
        shapes: Shapes,
        kinds: &Kinds,
        solved: &[Vec<Slot>],
        symmetries: &Symmetries,
    ) -> Option<GourdSpace> {
        let steps = ShapeSteps::new(board, &shapes)?;
        let mut arrangements = Arrangements::new(&kinds.counts())?;
        let universe = shapes.count().checked_mul(arrangements.count())?;
        let universe = universe.checked_mul(1 << arrangements.slots())?;
        arrangements.tabulate(steps.shifts());
        let order = symmetries.group.order();
        let equal = (0..kinds.len() as u8).filter(|&kind| kinds.equal_ends(kind));
        let mut space = GourdSpace {
            board: board.clone(),
            steps,
            arrangements,
            equal_ends: equal.fold(0, |set, kind| set | 1 << kind),
            images: (order > 1).then(|| Images::new(board, &shapes, symmetries)),
            shapes,
            order,
            universe,
            roots: Vec::new(),
        };
        space.roots = solved.iter().map(|slots| space.index_of(slots)).collect();
        space.roots.sort_unstable();
        space.roots.dedup();
        Some(space)
    }

    #[inline(always)]
    fn split(&self, index: u64) -> Parts {
        let slots = self.arrangements.slots();
        let per_shape = self.arrangements.count() << slots;
        let shape = index / per_shape;
        let rest = index - shape * per_shape;
        Parts { shape, word: rest >> slots, bits: (rest & ((1 << slots) - 1)) as u32 }
    }

    #[inline(always)]
    fn join(&self, parts: Parts) -> u64 {
        let word = parts.shape * self.arrangements.count() + parts.word;
        word << self.arrangements.slots() | u64::from(parts.bits)
    }

    /// The index of the class that a position belongs to.
    #[inline(always)]
    fn least(&self, parts: Parts) -> u64 {
        match &self.images {
            Some(images) if !images.stays(parts.shape) => self.least_image(images, parts).0,
            _ => self.join(parts),
        }
    }

    /// The least index of a position's images, and how many symmetries lead there.
    fn least_image(&self, images: &Images, parts: Parts) -> (u64, u64) {
        let word = self.arrangements.unrank(parts.word);
        let least = images.least(parts.shape, &word, parts.bits, self.equal_ends);
        let word = self.arrangements.rank(&least.word);
        (self.join(Parts { shape: least.shape, word, bits: least.bits }), least.ways)
    }

    /// The parts of an index, if a position has it.
    fn existing(&self, index: u64) -> Option<Parts> {
        let parts = (index < self.universe).then(|| self.split(index))?;
        let word = self.arrangements.unrank(parts.word);
        let wrong = |slot: usize| self.equal_ends >> word[slot] & parts.bits >> slot & 1 == 1;
        (!(0..self.arrangements.slots()).any(wrong)).then_some(parts)
    }

    pub fn shape_of(&self, slots: &[Slot]) -> Shape {
        Shape::new(&self.board, slots.iter().map(|slot| slot.cells))
    }

    /// The index of the class of a position.
    pub fn index_of(&self, slots: &[Slot]) -> u64 {
        let mut word = [0; MOST_SLOTS + 1];
        let mut bits = 0;
        for (place, slot) in slots.iter().enumerate() {
            word[place] = slot.kind;
            bits |= u32::from(slot.turned) << place;
        }
        let shape = self.shapes.rank(&self.shape_of(slots));
        self.least(Parts { shape, word: self.arrangements.rank(&word), bits })
    }

    /// The canonical position of the class that an index belongs to, if a position has it.
    pub fn slots_of(&self, index: u64) -> Option<Vec<Slot>> {
        let parts = self.split(self.canonical(index)?);
        let word = self.arrangements.unrank(parts.word);
        let pairs = self.shapes.unrank(parts.shape);
        let slot = |(place, cells): (usize, [u8; 2])| Slot {
            cells,
            kind: word[place],
            turned: parts.bits >> place & 1 == 1,
        };
        Some(pairs.pairs().enumerate().map(slot).collect())
    }
}

impl SpaceKernels<u64> for GourdSpace {
    #[inline(always)]
    fn expand_on<C: Cpu>(&self, _: C, batch: &[u64], candidates: &mut Vec<u64>) {
        candidates.reserve(batch.len() * self.fanout());
        for &index in batch {
            let parts = self.split(index);
            let shifted = self.arrangements.shifted(parts.word);
            for step in self.steps.of(parts.shape as usize) {
                let turns = step.turns
                    && (self.equal_ends == 0 || self.equal_ends >> shifted.letter(step.from) & 1 == 0);
                candidates.push(self.least(Parts {
                    shape: step.shape.into(),
                    word: shifted.after(step.from, step.to),
                    bits: step.moved(parts.bits, turns),
                }));
            }
        }
    }

    #[inline(always)]
    fn states_on<C: Cpu>(&self, _: C, batch: &[u64]) -> u128 {
        let Some(images) = &self.images else {
            return batch.len() as u128;
        };
        let mut states = 0;
        for &index in batch {
            let parts = self.split(index);
            states += u128::from(match images.stays(parts.shape) {
                true => self.order,
                false => self.order / self.least_image(images, parts).1,
            });
        }
        states
    }
}

impl Space<u64> for GourdSpace {
    fn universe(&self) -> u64 {
        self.universe
    }

    fn roots(&self) -> Vec<u64> {
        self.roots.clone()
    }

    fn expand(&self, batch: &[u64], candidates: &mut Vec<u64>) {
        kernels::expand(self, batch, candidates);
    }

    fn fanout(&self) -> usize {
        self.steps.most()
    }

    fn states(&self, batch: &[u64]) -> u128 {
        kernels::states(self, batch)
    }

    fn canonical(&self, index: u64) -> Option<u64> {
        self.existing(index).map(|parts| self.least(parts))
    }
}

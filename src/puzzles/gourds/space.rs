//! The space of classes: index, neighbours, class sizes.
//!
//! The index of a position is `(shape * words + word) * 2^n + bits`, with the number of its shape,
//! the number of the word of kinds over its n slots, and a bit for each slot that is set if the
//! first end lies on the larger cell. For gourds with equal ends the bit is 0; where it is 1 the
//! index stands for nothing.

use super::arrangements::{Arrangements, MOST_SLOTS};
use super::board::Board;
use super::kinds::{Kinds, Slot};
use super::shapes::Shapes;
use super::steps::Steps;
use super::symmetry::{Element, Images, shape_of};
use crate::space::Space;

/// The classes of positions.
pub(super) struct Walk {
    board: Board,
    shapes: Shapes,
    steps: Steps,
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

impl Walk {
    /// The space of a board; `None` if there are too many shapes, or more indices than 64 bits
    /// can number.
    pub fn new(
        board: &Board,
        shapes: Shapes,
        kinds: &Kinds,
        solved: &[Vec<Slot>],
        group: &[Element],
    ) -> Option<Walk> {
        let steps = Steps::new(board, &shapes)?;
        let mut arrangements = Arrangements::new(&kinds.counts())?;
        let universe = shapes.count().checked_mul(arrangements.count())?;
        let universe = universe.checked_mul(1 << arrangements.slots())?;
        arrangements.tabulate(steps.shifts());
        let equal = (0..kinds.len() as u8).filter(|&kind| kinds.equal_ends(kind));
        let mut walk = Walk {
            board: board.clone(),
            steps,
            arrangements,
            equal_ends: equal.fold(0, |set, kind| set | 1 << kind),
            images: (group.len() > 1).then(|| Images::new(board, &shapes, group)),
            shapes,
            order: group.len() as u64,
            universe,
            roots: Vec::new(),
        };
        walk.roots = solved.iter().map(|slots| walk.index_of(slots)).collect();
        walk.roots.sort_unstable();
        walk.roots.dedup();
        Some(walk)
    }

    #[inline(always)]
    fn split(&self, index: u64) -> Parts {
        let slots = self.arrangements.slots();
        let per_shape = self.arrangements.count() << slots;
        let shape = index / per_shape;
        let rest = index - shape * per_shape;
        Parts {
            shape,
            word: rest >> slots,
            bits: (rest & ((1 << slots) - 1)) as u32,
        }
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
        let parts = Parts {
            shape: least.shape,
            word: self.arrangements.rank(&least.word),
            bits: least.bits,
        };
        (self.join(parts), least.ways)
    }

    /// The shapes that the index numbers.
    pub fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// The parts of an index, if a position has it.
    fn existing(&self, index: u64) -> Option<Parts> {
        let parts = (index < self.universe).then(|| self.split(index))?;
        let word = self.arrangements.unrank(parts.word);
        let wrong = |slot: usize| self.equal_ends >> word[slot] & parts.bits >> slot & 1 == 1;
        (!(0..self.arrangements.slots()).any(wrong)).then_some(parts)
    }

    /// The index of the class of a position.
    pub fn index_of(&self, slots: &[Slot]) -> u64 {
        let mut word = [0; MOST_SLOTS + 1];
        let mut bits = 0;
        for (place, slot) in slots.iter().enumerate() {
            word[place] = slot.kind;
            bits |= u32::from(slot.turned) << place;
        }
        self.least(Parts {
            shape: self.shapes.rank(&shape_of(&self.board, slots)),
            word: self.arrangements.rank(&word),
            bits,
        })
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

impl Space<u64> for Walk {
    fn universe(&self) -> u64 {
        self.universe
    }

    fn roots(&self) -> Vec<u64> {
        self.roots.clone()
    }

    fn expand(&self, batch: &[u64], candidates: &mut Vec<u64>) {
        candidates.reserve(batch.len() * self.fanout());
        for &index in batch {
            let parts = self.split(index);
            let shifted = self.arrangements.shifted(parts.word);
            for step in self.steps.of(parts.shape as usize) {
                let turns = step.turns
                    && (self.equal_ends == 0
                        || self.equal_ends >> shifted.letter(step.from) & 1 == 0);
                candidates.push(self.least(Parts {
                    shape: step.shape.into(),
                    word: shifted.after(step.from, step.to),
                    bits: step.moved(parts.bits, turns),
                }));
            }
        }
    }

    fn fanout(&self) -> usize {
        self.steps.most()
    }

    fn states(&self, batch: &[u64]) -> u128 {
        let Some(images) = &self.images else {
            return batch.len() as u128;
        };
        let size = |&index: &u64| {
            let parts = self.split(index);
            match images.stays(parts.shape) {
                true => self.order,
                false => self.order / self.least_image(images, parts).1,
            }
        };
        batch.iter().map(|index| u128::from(size(index))).sum()
    }

    fn canonical(&self, index: u64) -> Option<u64> {
        self.existing(index).map(|parts| self.least(parts))
    }
}

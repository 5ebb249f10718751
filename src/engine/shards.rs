//! Shards: how the universe is divided among processes.
//!
//! Canonical indices crowd at one end of a universe, so equal ranges of it are very unequal loads. Therefore the
//! universe is cut into about 2^20 *stripes* of equal width, and these are dealt to [`SHARDS`] *shards* in rows:
//! of any 4,096 consecutive stripes each shard gets one. A process owns consecutive shards, as equally many as the
//! others. Which stripe goes to which shard depends on the universe alone, never on how many processes there are.
//!
//! Processes work with *shard numbers* instead of indices: shard by shard, and within a shard in the order of
//! the indices. Then what a process owns is one range of numbers, and a bitmap, a run or a level set of it is as it is
//! in one process, only smaller.

use crate::error::{Error, Result};
use crate::space::{Direction, Index, Space};

/// Shards of a universe: with a hundred processes they still own equally many, up to 3 %.
pub const SHARDS: u64 = 1 << 12;
/// There are at most 2^this stripes in a shard, or they have one index each.
const TURNS: u32 = 8;
/// Neighbouring stripes go to shards that are far from each other: an odd number near SHARDS / golden ratio, ...
const NEXT_STRIPE: u64 = 2531;
/// ... and another for the next turn.
const NEXT_TURN: u64 = 1567;

/// How the indices of one universe are numbered by shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shards {
    /// Stripes have 2^this indices.
    width: u32,
    /// Numbers of a shard: all its stripes.
    length: u128,
}

impl Shards {
    /// The shards of a universe; refused if its shard numbers do not fit in `bits` bits.
    pub fn of(universe: u128, bits: u32) -> Result<Self> {
        let size = 128 - universe.saturating_sub(1).leading_zeros();
        let width = size.saturating_sub(TURNS + SHARDS.ilog2());
        let stripes = universe.div_ceil(1 << width);
        let length = stripes.div_ceil(u128::from(SHARDS)) << width;
        let all = length.checked_mul(u128::from(SHARDS)).filter(|all| bits >= 128 || *all < 1 << bits);
        match all {
            Some(_) => Ok(Shards { width, length }),
            None => Err(Error::Usage(
                "this universe is so large that it cannot be divided among several processes".into(),
            )),
        }
    }

    /// All shard numbers are below it.
    pub fn universe(&self) -> u128 {
        self.length * u128::from(SHARDS)
    }

    /// Where the numbers begin that process `process` of `count` owns; those of the last end where the next would
    /// begin.
    pub fn border(&self, process: usize, count: usize) -> u128 {
        u128::from(SHARDS * process as u64 / count as u64) * self.length
    }

    /// The shard number of an index.
    #[inline(always)]
    pub fn number<I: Index>(&self, index: I) -> I {
        if I::BITS == 64 {
            let (index, mask) = (index.low(), (1u64 << self.width) - 1);
            let stripe = index >> self.width;
            let (turn, shard) = (stripe / SHARDS, shard_of(stripe));
            I::of(shard * self.length as u64 + (turn << self.width | index & mask))
        } else {
            let (index, mask) = (index.wide(), (1u128 << self.width) - 1);
            let stripe = (index >> self.width) as u64;
            let (turn, shard) = (u128::from(stripe / SHARDS), shard_of(stripe));
            I::narrow(u128::from(shard) * self.length + (turn << self.width | index & mask))
        }
    }

    /// The index that has a shard number, or a number beyond the universe if none has it.
    #[inline(always)]
    pub fn index<I: Index>(&self, number: I) -> I {
        let length = I::narrow(self.length);
        let (shard, place) = ((number / length).low(), number % length);
        if I::BITS == 64 {
            let (turn, mask) = (place.low() >> self.width, (1u64 << self.width) - 1);
            I::of(stripe_of(shard, turn) << self.width | place.low() & mask)
        } else {
            let (turn, mask) = ((place.wide() >> self.width) as u64, (1u128 << self.width) - 1);
            I::narrow(u128::from(stripe_of(shard, turn)) << self.width | place.wide() & mask)
        }
    }
}

#[inline(always)]
fn shard_of(stripe: u64) -> u64 {
    (stripe % SHARDS * NEXT_STRIPE + stripe / SHARDS * NEXT_TURN) % SHARDS
}

/// The stripe that a shard got in a turn.
#[inline(always)]
fn stripe_of(shard: u64, turn: u64) -> u64 {
    const { assert!(NEXT_STRIPE * INVERSE % SHARDS == 1) };
    let moved = (shard + SHARDS * NEXT_TURN - turn % SHARDS * NEXT_TURN) % SHARDS;
    turn * SHARDS + moved * INVERSE % SHARDS
}

/// What [`NEXT_STRIPE`] has to be multiplied by to give 1, apart from multiples of [`SHARDS`].
const INVERSE: u64 = inverse(NEXT_STRIPE);

/// By Newton's method: every step doubles the low bits that are right.
const fn inverse(odd: u64) -> u64 {
    let (mut inverse, mut bits) = (1u64, 1);
    while bits < SHARDS.ilog2() {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        bits *= 2;
    }
    inverse % SHARDS
}

/// A space whose classes have shard numbers instead of indices.
pub struct ShardedSpace<'a, I> {
    space: &'a dyn Space<I>,
    shards: Shards,
}

impl<'a, I: Index> ShardedSpace<'a, I> {
    /// `space`, numbered by shards.
    pub fn new(space: &'a dyn Space<I>, shards: Shards) -> Self {
        ShardedSpace { space, shards }
    }

    /// Hands `batch` as indices to `work`, in pieces that ascend.
    fn each_piece(&self, batch: &[I], mut work: impl FnMut(&[I])) {
        // A batch of the engine is no longer; others are cut.
        let mut indices = [I::default(); 256];
        for batch in batch.chunks(indices.len()) {
            for (index, &number) in indices.iter_mut().zip(batch) {
                *index = self.shards.index(number);
            }
            indices[..batch.len()].chunk_by(|a, b| a < b).for_each(&mut work);
        }
    }
}

impl<I: Index> Space<I> for ShardedSpace<'_, I> {
    fn universe(&self) -> I {
        I::narrow(self.shards.universe())
    }

    fn roots(&self) -> Vec<I> {
        let mut roots: Vec<I> = self.space.roots().into_iter().map(|root| self.shards.number(root)).collect();
        roots.sort_unstable();
        roots
    }

    fn expand(&self, batch: &[I], candidates: &mut Vec<I>) {
        let from = candidates.len();
        self.each_piece(batch, |indices| self.space.expand(indices, candidates));
        for candidate in &mut candidates[from..] {
            *candidate = self.shards.number(*candidate);
        }
    }

    fn fanout(&self) -> usize {
        self.space.fanout()
    }

    fn states(&self, batch: &[I]) -> u128 {
        let mut states = 0;
        self.each_piece(batch, |indices| states += self.space.states(indices));
        states
    }

    fn canonical(&self, number: I) -> Option<I> {
        let index = self.shards.index(number);
        let canonical = (index < self.space.universe()).then(|| self.space.canonical(index)).flatten();
        canonical.map(|index| self.shards.number(index))
    }

    fn direction(&self) -> Direction {
        self.space.direction()
    }
}

/// What renumbering does to numbers.
#[derive(Clone, Copy, Debug)]
pub enum Renumber {
    /// Indices become shard numbers.
    Number,
    /// Shard numbers become indices.
    Index,
    /// Numbers stay.
    Keep,
}

/// A space in which every class leads to itself, under another number: expanding a level set renumbers and reorders it.
pub struct RenumberingSpace<'a, I> {
    /// Counts states; its numbers are those that classes get.
    pub space: &'a dyn Space<I>,
    /// The shards of the universe.
    pub shards: Shards,
    /// What happens to numbers.
    pub renumber: Renumber,
}

impl<I: Index> Space<I> for RenumberingSpace<'_, I> {
    fn universe(&self) -> I {
        self.space.universe()
    }

    fn roots(&self) -> Vec<I> {
        self.space.roots()
    }

    fn expand(&self, batch: &[I], candidates: &mut Vec<I>) {
        match self.renumber {
            Renumber::Number => candidates.extend(batch.iter().map(|&index| self.shards.number(index))),
            Renumber::Index => candidates.extend(batch.iter().map(|&number| self.shards.index(number))),
            Renumber::Keep => candidates.extend_from_slice(batch),
        }
    }

    fn fanout(&self) -> usize {
        1
    }

    fn states(&self, batch: &[I]) -> u128 {
        self.space.states(batch)
    }

    fn direction(&self) -> Direction {
        Direction::Layered
    }
}

#[cfg(test)]
mod tests;

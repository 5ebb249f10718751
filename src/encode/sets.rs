//! Ranking of interchangeable sets: `K` disjoint sets of equal size, in no particular order.
//!
//! Colours that occur equally often are interchangeable, so a position of them is a collection of
//! cell sets without names. They are given here as masks in descending numeric order: the first
//! holds the highest bit of the union, the second the highest of what is then left, and so on.
//! The rank is a number in mixed radix, most significant first:
//!
//! 1. the union among all bits, as a [`Combination`] (nothing, if the union is everything);
//! 2. for every set but the last: its place within what is left of the union. Its highest bit is
//!    pinned by the order of the sets, so only the others are ranked.
//!
//! The last set is what remains.

use super::cpu::Cpu;
use super::{Combination, Index, Trail};

/// `K` disjoint sets of `size` bits each among the low `n` bits of a word.
#[derive(Clone, Debug)]
pub struct Sets<const K: usize> {
    count: u128,
    everything: u64,
    /// `None` if the union of the sets is everything.
    union: Option<Combination>,
    /// For all sets but the last: the combinations of its bits after the first.
    places: Box<[Combination]>,
}

impl<const K: usize> Sets<K> {
    /// Prepares the tables; `None` unless there is a set, none is empty, all fit in `n <= 64`
    /// bits, and their number fits in 128 bits.
    pub fn new(n: usize, size: usize) -> Option<Self> {
        let covered = K.checked_mul(size)?;
        if covered == 0 || covered > n || n > 64 {
            return None;
        }
        let union = if covered < n { Some(Combination::new(n, covered)?) } else { None };
        let places = (2..=K)
            .rev()
            .map(|sets| Combination::new(sets * size - 1, size - 1))
            .collect::<Option<Box<[_]>>>()?;
        let count = places
            .iter()
            .chain(&union)
            .try_fold(1u128, |count, factor| count.checked_mul(factor.count().into()))?;
        Some(Sets { count, everything: u64::MAX >> (64 - n), union, places })
    }

    /// How many collections of sets there are.
    pub fn count(&self) -> u128 {
        self.count
    }

    /// The rank of sets given as disjoint masks of the right size, in descending order; anything
    /// else gives a meaningless number or panics. `I` must be wide enough for
    /// [`count`](Sets::count).
    #[inline(always)]
    pub fn rank<I: Index>(&self, cpu: impl Cpu, masks: &[u64; K]) -> I {
        let mut left = 0;
        for mask in masks {
            left |= mask;
        }
        let mut rank = match &self.union {
            Some(union) => I::of(union.rank(left)),
            None => I::of(0),
        };
        for (i, place) in self.places.iter().enumerate() {
            let dense = cpu.extract(masks[i], left);
            let pinned = 1 << (left.count_ones() - 1);
            rank = rank * I::of(place.count()) + I::of(place.rank(dense ^ pinned));
            left ^= masks[i];
        }
        rank
    }

    /// The sets with this rank, in descending order. The rank must be below
    /// [`count`](Sets::count); any other number gives meaningless masks or panics.
    #[inline(always)]
    pub fn unrank<I: Index>(&self, cpu: impl Cpu, rank: I) -> [u64; K] {
        self.unrank_next(cpu, rank, &mut Trail::default())
    }

    /// The same, with a [`Trail`] for the union: faster if ranks ascend.
    #[inline(always)]
    pub fn unrank_next<I: Index>(&self, cpu: impl Cpu, mut rank: I, trail: &mut Trail) -> [u64; K] {
        let mut digits = [0; K];
        for (i, place) in self.places.iter().enumerate().rev() {
            let radix = I::of(place.count());
            digits[i] = (rank % radix).low();
            rank = rank / radix;
        }
        let mut left = match &self.union {
            Some(union) => union.unrank_next(rank.low(), trail),
            None => self.everything,
        };
        let mut masks = [0; K];
        for (i, place) in self.places.iter().enumerate() {
            let pinned = 1 << (left.count_ones() - 1);
            masks[i] = cpu.deposit(place.unrank(digits[i]) | pinned, left);
            left ^= masks[i];
        }
        masks[K - 1] = left;
        masks
    }
}

#[cfg(test)]
mod tests;

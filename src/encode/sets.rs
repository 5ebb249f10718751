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

use super::Index;
use super::bits::{deposit, extract};
use super::{Combination, Trail};

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
        let union = if covered < n {
            Some(Combination::new(n, covered)?)
        } else {
            None
        };
        let places = (2..=K)
            .rev()
            .map(|sets| Combination::new(sets * size - 1, size - 1))
            .collect::<Option<Box<[_]>>>()?;
        let count = places
            .iter()
            .chain(&union)
            .try_fold(1u128, |count, factor| {
                count.checked_mul(factor.count().into())
            })?;
        Some(Sets {
            count,
            everything: u64::MAX >> (64 - n),
            union,
            places,
        })
    }

    /// How many collections of sets there are.
    pub fn count(&self) -> u128 {
        self.count
    }

    /// The rank of sets given as disjoint masks of the right size, in descending order; anything
    /// else gives a meaningless number or panics. `I` must be wide enough for
    /// [`count`](Sets::count).
    #[inline(always)]
    pub fn rank<I: Index>(&self, masks: &[u64; K]) -> I {
        let mut left = 0;
        for mask in masks {
            left |= mask;
        }
        let mut rank = match &self.union {
            Some(union) => I::of(union.rank(left)),
            None => I::of(0),
        };
        for (mask, place) in masks.iter().zip(&self.places) {
            let dense = extract(*mask, left);
            let pinned = 1 << (left.count_ones() - 1);
            rank = rank * I::of(place.count()) + I::of(place.rank(dense ^ pinned));
            left ^= mask;
        }
        rank
    }

    /// The sets with this rank, in descending order. The rank must be below
    /// [`count`](Sets::count); any other number gives meaningless masks or panics.
    #[inline(always)]
    pub fn unrank<I: Index>(&self, rank: I) -> [u64; K] {
        self.unrank_next(rank, &mut Trail::default())
    }

    /// The same, with a [`Trail`] for the union: faster if ranks ascend.
    #[inline(always)]
    pub fn unrank_next<I: Index>(&self, mut rank: I, trail: &mut Trail) -> [u64; K] {
        let mut digits = [0; K];
        for (digit, place) in digits.iter_mut().zip(&self.places).rev() {
            let radix = I::of(place.count());
            *digit = (rank % radix).low();
            rank = rank / radix;
        }
        let mut left = match &self.union {
            Some(union) => union.unrank_next(rank.low(), trail),
            None => self.everything,
        };
        let mut masks = [0; K];
        for (i, place) in self.places.iter().enumerate() {
            let pinned = 1 << (left.count_ones() - 1);
            masks[i] = deposit(place.unrank(digits[i]) | pinned, left);
            left ^= masks[i];
        }
        masks[K - 1] = left;
        masks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bijective<const K: usize>(n: usize, size: usize) {
        let sets = Sets::<K>::new(n, size).unwrap();
        let mut seen = std::collections::HashSet::new();
        for rank in 0..sets.count() as u64 {
            let masks = sets.unrank(rank);
            let mut union = 0u64;
            for (i, &mask) in masks.iter().enumerate() {
                assert_eq!(mask.count_ones() as usize, size);
                assert_eq!(union & mask, 0);
                assert!(i == 0 || masks[i - 1] > mask);
                union |= mask;
            }
            assert_eq!(union >> n, 0);
            assert_eq!(sets.rank::<u64>(&masks), rank);
            assert_eq!(sets.rank::<u128>(&masks), rank.into());
            assert_eq!(sets.unrank(u128::from(rank)), masks);
            assert!(seen.insert(masks));
        }
        // All named arrangements, each collection counted K! times.
        let mut counts = vec![size; K];
        counts.push(n - K * size);
        let named = crate::encode::binomial::multinomial(&counts).unwrap();
        assert_eq!(sets.count() * (1..=K as u128).product::<u128>(), named);
    }

    #[test]
    fn bijective_on_small_sizes() {
        bijective::<1>(9, 3);
        bijective::<1>(5, 5);
        bijective::<2>(10, 3);
        bijective::<2>(8, 4);
        bijective::<3>(9, 3);
        bijective::<3>(8, 2);
        bijective::<4>(8, 2);
        bijective::<4>(9, 2);
        bijective::<4>(6, 1);
    }

    #[test]
    fn refuses_impossible_sizes() {
        assert!(Sets::<2>::new(7, 4).is_none());
        assert!(Sets::<2>::new(7, 0).is_none());
        assert!(Sets::<0>::new(7, 1).is_none());
        assert!(Sets::<1>::new(65, 1).is_none());
        assert!(Sets::<2>::new(64, usize::MAX).is_none());
    }

    proptest! {
        #[test]
        fn inverse_on_the_largest_sizes(seed: u128) {
            let two = Sets::<2>::new(64, 16).unwrap();
            let rank = seed % two.count();
            prop_assert_eq!(two.rank::<u128>(&two.unrank(rank)), rank);
            let four = Sets::<4>::new(64, 16).unwrap();
            let rank = seed % four.count();
            prop_assert_eq!(four.rank::<u128>(&four.unrank(rank)), rank);
        }
    }
}

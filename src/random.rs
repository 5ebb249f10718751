//! Random choices that a seed determines for ever.
//!
//! The generator is ChaCha with 8 rounds; what is made of its numbers is our own and must never
//! change: the same seed means the same puzzle, the same sample, in every later version.

use std::hash::{BuildHasher, Hasher, RandomState};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A seed that nobody knows before, short enough to be typed again.
pub fn any_seed() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

/// A source of random choices.
#[derive(Clone, Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The source that a seed names.
    pub fn new(seed: u64) -> Self {
        Random(ChaCha8Rng::seed_from_u64(seed))
    }

    /// The source of one of many instances that a seed names together: a stream of its own, so that
    /// any of them can be made without the others.
    pub fn instance(seed: u64, number: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        // Stream 0 is the one that `new` gives.
        random.set_stream(number.wrapping_add(1));
        Random(random)
    }

    /// A uniform number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: u128) -> u128 {
        // Numbers beyond the last whole multiple of the bound would favour small remainders.
        let zone = u128::MAX - u128::MAX % bound;
        loop {
            let low = u128::from(self.0.next_u64());
            let value = u128::from(self.0.next_u64()) << 64 | low;
            if value < zone {
                return value % bound;
            }
        }
    }

    /// A uniform place in a list of this length, which must not be empty.
    pub fn place(&mut self, length: usize) -> usize {
        self.below(length as u128) as usize
    }

    /// Puts a list into a uniformly random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for left in (2..=items.len()).rev() {
            items.swap(left - 1, self.place(left));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_comes_up() {
        let mut random = Random::new(5);
        let mut seen = std::collections::HashMap::new();
        for _ in 0..6000 {
            let mut items = [0, 1, 2];
            random.shuffle(&mut items);
            *seen.entry(items).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6);
        assert!(seen.values().all(|&times| (850..1150).contains(&times)));
    }

    /// What a seed means is frozen.
    #[test]
    fn a_seed_always_gives_the_same_choices() {
        let mut random = Random::new(2016);
        let mut items: Vec<u8> = (0..10).collect();
        random.shuffle(&mut items);
        assert_eq!(items, FROZEN);
    }

    const FROZEN: [u8; 10] = [7, 6, 8, 9, 5, 0, 3, 4, 2, 1];
}

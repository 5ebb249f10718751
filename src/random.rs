//! Random choices that a seed determines in every later version.
//!
//! The generator is ChaCha with 8 rounds; what is made of its numbers is our own and must never
//! change: the same seed means the same puzzle, the same sample, in every later version.

use std::hash::{BuildHasher, Hasher, RandomState};

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// An unpredictable seed, short enough to be typed again.
pub fn any_seed() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

/// A source of random choices.
#[derive(Debug)]
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
mod tests;

//! Whether the sum of a number's digits is odd, by look-up.
//!
//! The digits of a lexicographic rank add up to the number of inversions, so their sum is odd for
//! odd permutations. The number is cut into pieces of several digits, with a table of bits for
//! each.

use std::ops::RangeInclusive;

use super::divisor::Divisor;

/// Bits in one table: 64 KiB. Of a permutation of 15 items, 11 digits take two tables.
const MOST_BITS: usize = 1 << 19;

/// Sums of digits of numbers in one mixed radix.
#[derive(Clone, Debug)]
pub(super) struct DigitSums {
    /// The lowest piece first.
    pieces: Box<[DigitBlock]>,
}

#[derive(Clone, Debug)]
struct DigitBlock {
    /// The piece's number is below this.
    bound: Divisor,
    /// One bit for each number: whether the sum of its digits is odd.
    odd: Box<[u64]>,
}

impl DigitSums {
    /// For numbers whose digits have these radices, the lowest digit first.
    pub fn new(radices: RangeInclusive<usize>) -> Option<Self> {
        let mut pieces = Vec::new();
        let mut odd = vec![false];
        for radix in radices {
            if odd.len() * radix > MOST_BITS {
                pieces.push(DigitBlock::new(&odd)?);
                odd = vec![false];
            }
            // One more digit on top: below every odd value of it all sums are turned round.
            let lower = odd.clone();
            for digit in 1..radix {
                odd.extend(lower.iter().map(|&sum| sum ^ (digit % 2 == 1)));
            }
        }
        pieces.push(DigitBlock::new(&odd)?);
        Some(DigitSums { pieces: pieces.into() })
    }

    /// 1 if the sum is odd, otherwise 0.
    #[inline(always)]
    pub fn parity(&self, number: u64) -> u64 {
        let mut rest = number;
        let mut sum = 0;
        for piece in &self.pieces {
            let (above, here) = piece.bound.divide(rest);
            sum ^= piece.odd[(here / 64) as usize] >> (here % 64);
            rest = above;
        }
        sum & 1
    }
}

impl DigitBlock {
    fn new(odd: &[bool]) -> Option<Self> {
        let word = |bits: &[bool]| {
            let bits = bits.iter().rev();
            bits.fold(0, |word, &bit| word << 1 | u64::from(bit))
        };
        Some(DigitBlock { bound: Divisor::new(odd.len() as u64)?, odd: odd.chunks(64).map(word).collect() })
    }
}

#[cfg(test)]
mod tests;

//! Ranking of multiset permutations: words in which every letter occurs a given number of times.

use super::binomial::{multinomial, times_ratio};

/// The words in which letter `i` occurs `counts[i]` times, numbered lexicographically.
#[derive(Clone, Debug)]
pub struct Multiset {
    counts: Box<[usize]>,
    length: usize,
    count: u128,
}

impl Multiset {
    /// The words with these letter counts; `None` if there are more than 128 bits can number, or
    /// more than 256 letters.
    pub fn new(counts: &[usize]) -> Option<Self> {
        if counts.len() > 256 {
            return None;
        }
        Some(Multiset { count: multinomial(counts)?, length: counts.iter().sum(), counts: counts.into() })
    }

    /// How many words there are.
    pub fn count(&self) -> u128 {
        self.count
    }

    /// The number of lexicographically smaller words; `None` if the letter counts are wrong.
    pub fn rank(&self, word: &[u8]) -> Option<u128> {
        if word.len() != self.length {
            return None;
        }
        let mut left = self.counts.clone();
        let mut words = self.count;
        let mut rank = 0;
        for (place, &letter) in word.iter().enumerate() {
            let letter = usize::from(letter);
            let length = self.length - place;
            for &count in left.get(..letter)? {
                rank += starting_with(words, count, length);
            }
            words = starting_with(words, *left.get(letter)?, length);
            left[letter] = left[letter].checked_sub(1)?;
        }
        Some(rank)
    }

    /// The word with this rank; `None` if there are not that many.
    pub fn unrank(&self, mut rank: u128) -> Option<Vec<u8>> {
        if rank >= self.count {
            return None;
        }
        let mut left = self.counts.clone();
        let mut words = self.count;
        let mut word = Vec::with_capacity(self.length);
        for length in (1..=self.length).rev() {
            for (letter, count) in left.iter_mut().enumerate() {
                let starting = starting_with(words, *count, length);
                if rank < starting {
                    word.push(letter as u8);
                    *count -= 1;
                    words = starting;
                    break;
                }
                rank -= starting;
            }
        }
        Some(word)
    }
}

/// How many of `words` words of this length start with a letter that occurs `count` times.
fn starting_with(words: u128, count: usize, length: usize) -> u128 {
    // The quotient is at most `words`, so it always fits.
    times_ratio(words, count as u128, length as u128).unwrap_or(0)
}

#[cfg(test)]
mod tests;

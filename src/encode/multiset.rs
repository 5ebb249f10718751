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
        Some(Multiset {
            count: multinomial(counts)?,
            length: counts.iter().sum(),
            counts: counts.into(),
        })
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

    /// The word with this rank; `None` if there are not so many.
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
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bijective_and_lexicographic_on_small_sizes() {
        for counts in [
            &[][..],
            &[3],
            &[2, 2],
            &[1, 0, 2],
            &[2, 1, 3],
            &[1, 1, 1, 1],
            &[3, 2, 2],
        ] {
            let words = Multiset::new(counts).unwrap();
            let mut previous: Option<Vec<u8>> = None;
            for rank in 0..words.count() {
                let word = words.unrank(rank).unwrap();
                for (letter, &count) in counts.iter().enumerate() {
                    assert_eq!(
                        word.iter().filter(|&&l| usize::from(l) == letter).count(),
                        count
                    );
                }
                assert_eq!(words.rank(&word), Some(rank));
                assert!(previous.as_ref() < Some(&word));
                previous = Some(word);
            }
            assert_eq!(words.unrank(words.count()), None);
        }
    }

    #[test]
    fn refuses_wrong_words() {
        let words = Multiset::new(&[2, 1]).unwrap();
        assert_eq!(words.rank(&[0, 0]), None);
        assert_eq!(words.rank(&[0, 1, 1]), None);
        assert_eq!(words.rank(&[0, 0, 2]), None);
        assert!(Multiset::new(&[1; 40]).is_none());
    }

    proptest! {
        #[test]
        fn inverse(counts in prop::collection::vec(0usize..=8, 1..=8), seed: u128) {
            let Some(words) = Multiset::new(&counts) else { return Ok(()) };
            let rank = seed % words.count();
            prop_assert_eq!(words.rank(&words.unrank(rank).unwrap()), Some(rank));
        }

        #[test]
        fn the_largest_sizes_do_not_overflow(
            word in Just((0..64u8).map(|i| i / 16).collect::<Vec<_>>()).prop_shuffle(),
            permutation in Just((0..34u8).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            for (counts, word) in [(vec![16; 4], word), (vec![1; 34], permutation)] {
                let words = Multiset::new(&counts).unwrap();
                let rank = words.rank(&word).unwrap();
                prop_assert_eq!(words.unrank(rank).unwrap(), word);
            }
        }
    }
}

//! Tests of the module above.

use super::*;
use proptest::prelude::*;

#[test]
fn bijective_and_lexicographic_on_small_sizes() {
    for counts in [&[][..], &[3], &[2, 2], &[1, 0, 2], &[2, 1, 3], &[1, 1, 1, 1], &[3, 2, 2]] {
        let words = Multiset::new(counts).unwrap();
        let mut previous: Option<Vec<u8>> = None;
        for rank in 0..words.count() {
            let word = words.unrank(rank).unwrap();
            for (letter, &count) in counts.iter().enumerate() {
                assert_eq!(word.iter().filter(|&&l| usize::from(l) == letter).count(), count);
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

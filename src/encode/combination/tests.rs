//! Tests of the module above.

use super::*;
use proptest::prelude::*;

/// The textbook sum: the i-th one from below, at bit p, adds C(p, i).
fn slow_rank(mut mask: u64) -> u64 {
    let mut rank = 0;
    for i in 1.. {
        if mask == 0 {
            break;
        }
        rank += choose(mask.trailing_zeros() as usize, i);
        mask &= mask - 1;
    }
    rank
}

#[test]
fn bijective_and_in_numeric_order_on_small_sizes() {
    for n in 0..=13 {
        for k in 0..=n {
            let combination = Combination::new(n, k).unwrap();
            let masks = (0..1u64 << n).filter(|m| m.count_ones() as usize == k);
            let mut expected = 0;
            let mut trail = Trail::default();
            for mask in masks {
                assert_eq!(combination.rank(mask), expected);
                assert_eq!(combination.unrank(expected), mask);
                assert_eq!(combination.unrank_next(expected, &mut trail), mask);
                expected += 1;
            }
            assert_eq!(combination.count(), expected);
        }
    }
}

#[test]
fn refuses_impossible_sizes() {
    assert!(Combination::new(65, 1).is_none());
    assert!(Combination::new(4, 5).is_none());
}

#[test]
fn whole_word() {
    let all = Combination::new(64, 64).unwrap();
    assert_eq!((all.count(), all.rank(u64::MAX), all.unrank(0)), (1, 0, u64::MAX));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn agrees_with_the_sum_of_binomials(n in 1usize..=64, seeds in prop::collection::vec(any::<u64>(), 1..20)) {
        let low = u64::MAX >> (64 - n);
        let k = (seeds[0] & low).count_ones() as usize;
        let combination = Combination::new(n, k).unwrap();
        let mask = seeds[0] & low;
        prop_assert_eq!(combination.rank(mask), slow_rank(mask));
        let mut trail = Trail::default();
        for seed in seeds {
            let rank = seed % combination.count();
            let mask = combination.unrank(rank);
            prop_assert_eq!(combination.unrank_next(rank, &mut trail), mask);
            prop_assert_eq!(mask & !low, 0);
            prop_assert_eq!(mask.count_ones() as usize, k);
            prop_assert_eq!(combination.rank(mask), rank);
            prop_assert_eq!(slow_rank(mask), rank);
        }
    }
}

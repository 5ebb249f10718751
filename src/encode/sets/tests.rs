//! Tests of the module above.

use super::*;
use crate::encode::cpu::Portable;
use proptest::prelude::*;

fn bijective<const K: usize>(n: usize, size: usize) {
    let sets = Sets::<K>::new(n, size).unwrap();
    let mut seen = std::collections::HashSet::new();
    for rank in 0..sets.count() as u64 {
        let masks = sets.unrank(Portable, rank);
        let mut union = 0u64;
        for (i, &mask) in masks.iter().enumerate() {
            assert_eq!(mask.count_ones() as usize, size);
            assert_eq!(union & mask, 0);
            assert!(i == 0 || masks[i - 1] > mask);
            union |= mask;
        }
        assert_eq!(union >> n, 0);
        assert_eq!(sets.rank::<u64>(Portable, &masks), rank);
        assert_eq!(sets.rank::<u128>(Portable, &masks), rank.into());
        assert_eq!(sets.unrank(Portable, u128::from(rank)), masks);
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
        prop_assert_eq!(two.rank::<u128>(Portable, &two.unrank(Portable, rank)), rank);
        let four = Sets::<4>::new(64, 16).unwrap();
        let rank = seed % four.count();
        prop_assert_eq!(four.rank::<u128>(Portable, &four.unrank(Portable, rank)), rank);
    }
}

//! Tests of the module above.

use super::*;
use proptest::prelude::*;

fn parity_by_inversions(items: &[u8]) -> Parity {
    let pairs = (0..items.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    match pairs.filter(|&(i, j)| items[i] > items[j]).count() % 2 {
        0 => Parity::Even,
        _ => Parity::Odd,
    }
}

#[test]
fn bijective_and_lexicographic_on_small_sizes() {
    for n in 0..=7 {
        let mut previous: Option<Vec<u8>> = None;
        let mut ranks = [0; 2];
        for r in 0..count(n).unwrap() {
            let items = unrank(n, r).unwrap();
            assert_eq!(rank(&items), Some(r));
            assert!(previous.as_ref() < Some(&items));
            let parity = parity(&items).unwrap();
            assert_eq!(parity, parity_by_inversions(&items));
            // Within a parity the ranks are 0, 1, 2, ... in lexicographic order.
            let expected = &mut ranks[parity as usize];
            assert_eq!(rank_with_parity(&items), Some(*expected));
            assert_eq!(unrank_with_parity(n, *expected, parity), Some(items.clone()));
            *expected += 1;
            previous = Some(items);
        }
        assert_eq!(unrank(n, count(n).unwrap()), None);
        for parity in [Parity::Even, Parity::Odd] {
            assert_eq!(unrank_with_parity(n, ranks[parity as usize], parity), None);
        }
    }
}

#[test]
fn refuses_what_is_no_permutation() {
    for items in [&[1][..], &[0, 0], &[1, 1], &[0, 2], &[1, 2, 1], &[255]] {
        assert_eq!(rank(items), None);
        assert_eq!(parity(items), None);
    }
    assert_eq!(rank(&(0..35).collect::<Vec<_>>()), None);
    assert_eq!(unrank(35, 0), None);
    assert_eq!(unrank_with_parity(4, u128::MAX, Parity::Even), None);
}

proptest! {
    #[test]
    fn inverse(items in (0..=MAX_LENGTH as u8).prop_flat_map(|n| Just((0..n).collect::<Vec<_>>()).prop_shuffle())) {
        let n = items.len();
        prop_assert_eq!(unrank(n, rank(&items).unwrap()).unwrap(), items.clone());
        let parity = parity(&items).unwrap();
        prop_assert_eq!(parity, parity_by_inversions(&items));
        let r = rank_with_parity(&items).unwrap();
        prop_assert_eq!(unrank_with_parity(n, r, parity).unwrap(), items);
    }
}

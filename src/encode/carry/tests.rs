//! Tests of the module above.

use super::super::permutation::{parity, rank_with_parity, unrank_with_parity};
use super::*;
use proptest::prelude::*;

/// What a carry means.
fn carried(items: &[u8], from: usize, to: usize) -> Vec<u8> {
    let mut items = items.to_vec();
    let item = items.remove(from);
    items.insert(to, item);
    items
}

fn rank(items: &[u8]) -> u64 {
    rank_with_parity(items).unwrap() as u64
}

#[test]
fn every_carry_of_every_short_permutation() {
    for length in 2..=7 {
        let ranks: u64 = (3..=length as u64).product();
        for parity in [Parity::Even, Parity::Odd] {
            for (from, to) in (0..length * length).map(|pair| (pair / length, pair % length)) {
                // Tables of one step each, of some steps, of all steps at once.
                for most in [0, 30, 150, MOST_ENTRIES] {
                    let carry = Carry::with_tables(length, from, to, parity, most).unwrap();
                    let mut moved: Vec<u64> = (0..ranks).collect();
                    carry.apply(&mut moved);
                    for (before, after) in (0..).zip(moved) {
                        let items = unrank_with_parity(length, before, parity).unwrap();
                        assert_eq!(
                            after,
                            rank(&carried(&items, from, to)),
                            "{items:?}: {from} to {to}, tables of {most}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn refuses_what_does_not_exist() {
    for (length, from, to) in [(0, 0, 0), (1, 0, 0), (21, 0, 1), (4, 4, 0), (4, 0, 4)] {
        assert!(Carry::new(length, from, to, Parity::Even).is_none());
    }
    assert!(Carry::new(4, 2, 2, Parity::Odd).unwrap().steps.is_empty());
}

#[test]
fn tables_stay_small() {
    for from in 0..20 {
        for to in 0..20 {
            let carry = Carry::new(20, from, to, Parity::Even).unwrap();
            let entries = carry.steps.iter().map(|step| step.changes.len() as u64);
            assert!(entries.max() <= Some(MOST_ENTRIES));
        }
    }
}

fn some_carry() -> impl Strategy<Value = (Vec<u8>, usize, usize)> {
    (8..=MAX_LENGTH).prop_flat_map(|length| {
        let items = Just((0..length as u8).collect::<Vec<_>>()).prop_shuffle();
        (items, 0..length, 0..length)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn agrees_with_moving_the_item((items, from, to) in some_carry()) {
        let parity = parity(&items).unwrap();
        let carry = Carry::new(items.len(), from, to, parity).unwrap();
        let mut ranks = [rank(&items)];
        carry.apply(&mut ranks);
        prop_assert_eq!(ranks[0], rank(&carried(&items, from, to)));
        // And back again.
        let parity = if (from + to) % 2 == 1 { other(parity) } else { parity };
        Carry::new(items.len(), to, from, parity).unwrap().apply(&mut ranks);
        prop_assert_eq!(ranks[0], rank(&items));
    }
}

//! Tests of the module above.

use super::super::group::tests::{oriented, some_symmetry, square};
use super::super::{Action, Group};
use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// All labellings with these numbers of pieces, by trying all words.
fn labellings(action: &Action, counts: &[usize]) -> Vec<Vec<u8>> {
    let mut partial: Vec<Vec<u8>> = vec![vec![]];
    for _ in 0..action.slots().len() {
        let with = |word: &Vec<u8>| -> Vec<Vec<u8>> {
            let used = |piece| {
                let same = |label: &&u8| action.pieces().place(usize::from(**label)).0 == piece;
                word.iter().filter(same).count()
            };
            (0..action.pieces().pairs() as u8)
                .filter(|&label| {
                    let piece = action.pieces().place(usize::from(label)).0;
                    used(piece) < counts[piece]
                })
                .map(|label| [&word[..], &[label]].concat())
                .collect()
        };
        partial = partial.iter().flat_map(with).collect();
    }
    partial
}

fn brute_force(group: &Group, labellings: &[Vec<u8>]) -> u128 {
    let least = labellings.iter().map(|s| group.canonical(s).0);
    least.collect::<BTreeSet<_>>().len() as u128
}

#[test]
fn agrees_with_brute_force_on_squares() {
    for (n, counts) in [
        (2, &[1, 1, 1, 1][..]),
        (2, &[2, 2]),
        (3, &[3, 3, 3]),
        (3, &[4, 4, 1]),
        (3, &[2, 2, 2, 3]),
        (3, &[9]),
    ] {
        let group = square(n, counts.len()).with_relabellings(counts);
        let all = labellings(group.action(), counts);
        assert_eq!(all.len() as u128, multinomial(counts).unwrap());
        let classes = brute_force(&group, &all);
        assert_eq!(group.classes(counts), Some(classes), "{n} {counts:?}");
    }
}

#[test]
fn refuses_another_shape() {
    assert_eq!(square(2, 2).classes(&[2, 3]), None);
    assert_eq!(square(2, 2).classes(&[2, 1, 1]), None);
    let exchanged = square(2, 2).with_relabellings(&[2, 2]);
    assert_eq!(exchanged.classes(&[1, 3]), None);
}

#[test]
fn counts_beyond_128_bits_are_refused() {
    assert_eq!(square(6, 36).classes(&[1; 36]), None);
    assert!(square(5, 25).classes(&[1; 25]).is_some());
    // The number of labellings fits, but not a product on the way that leads nowhere.
    let labellings = multinomial(&[16; 4]).unwrap();
    let trivial = Group::generate(square(8, 4).action(), &[]).unwrap();
    assert_eq!(trivial.classes(&[16; 4]), Some(labellings));
}

#[test]
fn an_average_is_whole() {
    assert_eq!(square(2, 1).average(|_| Some(3)), Some(3));
    assert_eq!(square(2, 1).average(|g| Some(u128::from(g.is_identity()))), None);
    assert_eq!(square(2, 1).average(|_| Some(u128::MAX)), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Two orbits of slots with orientations, identical pieces, some of which look the same
    /// all ways round.
    #[test]
    fn agrees_with_brute_force_on_oriented_slots(generator in some_symmetry()) {
        let (action, counts) = oriented();
        let all = labellings(&action, &counts);
        // Pieces belong to one orbit of slots.
        let fits = |s: &Vec<u8>| {
            let mut pieces = s.iter().map(|&label| action.pieces().place(label.into()).0);
            pieces.by_ref().take(4).all(|piece| piece < 3) && pieces.all(|piece| piece >= 3)
        };
        let all: Vec<_> = all.into_iter().filter(fits).collect();
        prop_assert_eq!(all.len(), 48 * 18);
        let group = Group::generate(&action, std::slice::from_ref(&generator)).unwrap();
        let fixed = |element: &Symmetry| {
            Some(all.iter().filter(|s| element.image(s) == **s).count() as u128)
        };
        prop_assert_eq!(group.average(fixed), Some(brute_force(&group, &all)));
        // The two orbits are counted one by one.
        let mut expected = 1;
        for (slots, pieces) in [(0..4, 0..3), (4..6, 3..5)] {
            let slots: Vec<usize> = slots.collect();
            let cycles = generator.cycles(&slots).unwrap();
            let mut counts = counts.clone();
            for (piece, count) in counts.iter_mut().enumerate() {
                *count *= usize::from(pieces.contains(&piece));
            }
            expected *= generator.fixed(&cycles, &counts).unwrap();
        }
        prop_assert_eq!(fixed(&generator), Some(expected));
        let alone = generator.slot(0).0 == 0;
        prop_assert_eq!(generator.cycles(&[0]).is_some(), alone);
    }
}

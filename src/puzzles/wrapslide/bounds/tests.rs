//! Tests of the module above.

use crate::puzzles::registry;

#[test]
fn growth_by_hand() {
    for (text, later) in [
        ("wrapslide:4x4:2", &[5, 2][..]),
        ("wrapslide:6x6:3", &[9, 8]),
        ("wrapslide:6x6:4", &[9, 8]),
        ("wrapslide:8x8:2", &[13, 18]),
        ("wrapslide:6x6:4:fixed", &[5]),
        // Of the pairs with a = 0 or 1, (0, 1), (0, 3), (1, 0) and (1, 2) = (3, 0) take one move,
        // and (0, 2), (1, 1) and (1, 3) take two.
        ("wrapslide:4x4:2:unit", &[4, 3]),
        ("wrapslide:4x4:4:fixed:unit", &[2, 1]),
        ("wrapslide:6x6:4:fixed:unit", &[2, 2, 1]),
    ] {
        let growth = registry::parse(text).unwrap().growth().unwrap();
        assert_eq!(growth.later, later, "{text}");
        let twice: Vec<u128> = later.iter().map(|kinds| 2 * kinds).collect();
        assert_eq!(growth.roots, twice, "{text}");
    }
}

#[test]
fn relations_go_both_ways() {
    // A lower bound for one is an upper bound for the other, and all texts are canonical.
    for text in ["wrapslide:4x4:4", "wrapslide:4x4:3:fixed:unit"] {
        let puzzle = registry::parse(text).unwrap();
        for relation in puzzle.relations() {
            for other in relation.others() {
                let other = registry::parse(other).unwrap();
                assert!(relation.others().contains(&other.text()));
                let back = other.relations();
                let back = back.iter().find(|back| back.others().contains(&puzzle.text()));
                let single = relation.others().len() == 1;
                assert!(!single || back.is_some(), "{text}: {relation:?}");
            }
        }
    }
}

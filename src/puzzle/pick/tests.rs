//! Tests of the module above.

use super::*;

#[test]
fn positions_are_distinct_and_in_range() {
    assert_eq!(positions(5, 3, None), [0, 1, 2]);
    assert_eq!(positions(2, 10, None), [0, 1]);
    assert_eq!(positions(7, 7, Some(1)), [0, 1, 2, 3, 4, 5, 6]);
    let some = positions(1_000_000, 50, Some(9));
    assert_eq!(some.len(), 50);
    assert!(some.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(some[49] < 1_000_000);
    assert_eq!(some, positions(1_000_000, 50, Some(9)));
    assert_ne!(some, positions(1_000_000, 50, Some(10)));
}

/// What a seed means is frozen.
#[test]
fn a_seed_always_gives_the_same_positions() {
    assert_eq!(positions(1000, 4, Some(2016)), FROZEN);
}

const FROZEN: [u128; 4] = [121, 430, 602, 770];

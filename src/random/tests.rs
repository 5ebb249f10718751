//! Tests of the module above.

use super::*;

#[test]
fn every_order_comes_up() {
    let mut random = Random::new(5);
    let mut seen = std::collections::HashMap::new();
    for _ in 0..6000 {
        let mut items = [0, 1, 2];
        random.shuffle(&mut items);
        *seen.entry(items).or_insert(0) += 1;
    }
    assert_eq!(seen.len(), 6);
    assert!(seen.values().all(|&times| (850..1150).contains(&times)));
}

/// What a seed means is frozen.
#[test]
fn a_seed_always_gives_the_same_choices() {
    let mut random = Random::new(2016);
    let mut items: Vec<u8> = (0..10).collect();
    random.shuffle(&mut items);
    assert_eq!(items, FROZEN);
}

const FROZEN: [u8; 10] = [7, 6, 8, 9, 5, 0, 3, 4, 2, 1];

//! Sizes and levels that are known from elsewhere.

use crate::puzzle::Indexed;
use std::collections::BTreeSet;

use super::*;
use crate::puzzles::tests as common;
use crate::space::AnySpace;

#[test]
fn totals() {
    for (text, states, classes) in [
        ("4x4:2", 1_820, Some(78)),
        ("4x4:3", 900_900, Some(14_523)),
        ("4x4:3:any", 900_900, Some(14_523)),
        ("4x4:4", 63_063_000, Some(84_174)),
        ("4x4:4:fixed", 34_650, None),
        ("6x6:2", 94_143_280, None),
        ("6x6:3:fixed", 4_686_825, None),
        ("6x6:4:fixed", 227_873_431_500, None),
    ] {
        let puzzle = puzzle(text);
        assert_eq!(puzzle.totals().states, Some(states), "{text}");
        let counted = puzzle.totals().classes.unwrap();
        assert!(classes.is_none_or(|classes| classes == counted), "{text}: {counted}");
        // No class is larger than the group.
        assert!(counted * u128::from(puzzle.group_order()) >= states);
    }
}

#[test]
fn every_variant_has_totals() {
    for text in variants() {
        let puzzle = puzzle(&text);
        let (states, classes) = (puzzle.totals().states.unwrap(), puzzle.totals().classes.unwrap());
        assert!(classes <= states && classes < puzzle.space.any().universe(), "{text}");
    }
}

/// Classes and states of every level, checked against the totals.
fn levels(text: &str) -> Vec<(usize, u128)> {
    let puzzle = puzzle(text);
    let levels = common::walk_plainly(&puzzle);
    let (classes, states) = levels.iter().fold((0, 0), |sum, level| (sum.0 + level.0, sum.1 + level.1));
    assert_eq!(puzzle.totals().states, Some(states), "{text}");
    assert_eq!(puzzle.totals().classes, Some(classes as u128), "{text}");
    levels
}

fn classes(text: &str) -> Vec<usize> {
    levels(text).into_iter().map(|(classes, _)| classes).collect()
}

#[test]
fn published_levels() {
    assert_eq!(classes("4x4:2"), [1, 1, 2, 10, 24, 28, 12]);
    assert_eq!(classes("4x4:3"), [1, 3, 7, 28, 107, 445, 1684, 5160, 6260, 825, 3]);
    let four = classes("4x4:4");
    assert_eq!((four.len(), four.iter().sum()), (13, 84_174));
}

#[test]
fn all_states_are_reached_in_every_small_variant() {
    for text in ["4x4:2:unit", "4x4:3:unit", "4x4:3:any", "4x4:3:fixed", "4x4:4:fixed", "4x4:4:fixed:unit"] {
        assert!(levels(text).len() > 1);
    }
}

#[test]
fn first_levels_of_6x6_two_colours() {
    let puzzle = puzzle("6x6:2");
    let AnySpace::Narrow(space) = puzzle.space.any() else { panic!() };
    let mut seen: BTreeSet<u64> = space.roots().into_iter().collect();
    let mut level: Vec<_> = seen.iter().copied().collect();
    let mut counts = vec![level.len()];
    for _ in 0..5 {
        let mut candidates = Vec::new();
        space.expand(&level, &mut candidates);
        candidates.retain(|&index| seen.insert(index));
        counts.push(candidates.len());
        level = candidates;
    }
    assert_eq!(counts, [1, 1, 5, 47, 356, 2489]);
}

//! Sizes and levels that are known from elsewhere, and searches that share nothing with the index.

use crate::puzzle::Indexed;
use std::collections::{BTreeSet, HashSet};

use super::super::transposition::group;
use super::*;
use crate::space::AnySpace;

#[test]
fn totals() {
    for (text, states, classes) in [
        ("2x2", 12, 7),
        ("2x3", 360, 360),
        ("3x3", 181_440, 90_792),
        ("3x4", 239_500_800, 239_500_800),
        ("4x4", 10_461_394_944_000, 5_230_697_748_480),
    ] {
        let puzzle = puzzle(text);
        assert_eq!(puzzle.totals().states, Some(states), "{text}");
        assert_eq!(puzzle.totals().classes, Some(classes), "{text}");
    }
    for text in variants() {
        let puzzle = puzzle(&text);
        let (states, classes) = (puzzle.totals().states, puzzle.totals().classes);
        assert_eq!(states.is_some(), puzzle.variant.cells() <= 34, "{text}");
        assert_eq!(states.is_some(), classes.is_some());
        if let (Some(states), Some(classes)) = (states, classes) {
            assert!(classes <= states && classes * u128::from(puzzle.group_order()) >= states);
        }
    }
}

/// The boards of every level, by the plainest search there is.
fn plain_levels(puzzle: &Tiles) -> Vec<HashSet<State>> {
    let solved = State(puzzle.variant.solved());
    let mut seen = HashSet::from([solved.clone()]);
    let mut levels = vec![HashSet::from([solved])];
    loop {
        let mut next = HashSet::new();
        for state in &levels[levels.len() - 1] {
            for mv in puzzle.moves(state) {
                let neighbour = puzzle.apply(state, mv);
                if seen.insert(neighbour.clone()) {
                    next.insert(neighbour);
                }
            }
        }
        if next.is_empty() {
            return levels;
        }
        levels.push(next);
    }
}

/// Classes and states of every level, on the space.
fn space_levels(puzzle: &Tiles) -> Vec<(usize, u128)> {
    let Some(AnySpace::Narrow(space)) = puzzle.space() else { panic!("no index") };
    let mut distance = vec![u32::MAX; space.universe() as usize];
    let mut current = space.roots();
    current.iter().for_each(|&root| distance[root as usize] = 0);
    let mut levels = Vec::new();
    for level in 0.. {
        if current.is_empty() {
            break;
        }
        levels.push((current.len(), space.states(&current)));
        let mut candidates = Vec::new();
        space.expand(&current, &mut candidates);
        candidates.retain(|&index| {
            let distance = &mut distance[index as usize];
            assert!(distance.saturating_add(1) >= level, "moves are not reversible");
            let new = *distance == u32::MAX;
            *distance = (*distance).min(level + 1);
            new
        });
        candidates.sort_unstable();
        current = candidates;
    }
    let classes: usize = levels.iter().map(|level| level.0).sum();
    let states: u128 = levels.iter().map(|level| level.1).sum();
    assert_eq!(puzzle.totals().classes, Some(classes as u128));
    assert_eq!(puzzle.totals().states, Some(states));
    levels
}

#[test]
fn the_space_has_the_levels_of_a_plain_search() {
    for text in ["2x2", "2x3", "3x2", "2x4", "4x2", "3x3"] {
        for metric in ["", ":push"] {
            let puzzle = puzzle(&format!("{text}{metric}"));
            let plain = plain_levels(&puzzle).into_iter().map(|level| {
                let index = |state: &State| puzzle.index_of(state).unwrap();
                let classes: BTreeSet<u128> = level.iter().map(index).collect();
                (classes.len(), level.len() as u128)
            });
            let plain: Vec<_> = plain.collect();
            assert_eq!(space_levels(&puzzle), plain, "{text}{metric}");
        }
    }
}

/// The rule about inversions, and the number of symmetric boards, against what moves reach.
#[test]
fn what_can_be_reached() {
    for text in ["2x2", "2x3", "3x2", "3x3"] {
        let puzzle = puzzle(text);
        let variant = puzzle.variant;
        let reached: HashSet<State> = plain_levels(&puzzle).into_iter().flatten().collect();
        let cells = variant.cells();
        let all = crate::encode::permutation::count(cells).unwrap();
        for rank in 0..all {
            let board = crate::encode::permutation::unrank(cells, rank).unwrap();
            assert_eq!(variant.is_reachable(&board), reached.contains(&State(board)));
        }
        assert_eq!(reached.len() as u128, all / 2);
        if variant.is_square() {
            let group = group(&variant).unwrap();
            let transposed = group.iter().last().unwrap();
            let symmetric = reached.iter().filter(|state| transposed.image(&state.0) == state.0);
            let symmetric = symmetric.count() as u128;
            assert_eq!(symmetric, if variant.rows == 2 { 2 } else { 144 });
            assert_eq!(variant.classes(), Some((all / 2 + symmetric) / 2));
        }
    }
}

#[test]
fn published_distances() {
    for (text, gods_number) in [
        ("2x2", 6),
        ("2x3", 21),
        ("3x2", 21),
        ("3x3", 31),
        ("2x4", 36),
        ("4x2", 36),
        ("2x5", 55),
        ("5x2", 55),
        ("3x3:push", 24),
    ] {
        let levels = space_levels(&puzzle(text));
        assert_eq!(levels.len() - 1, gods_number, "{text}");
    }
}

#[test]
fn published_levels() {
    let published = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/published/tiles-3x3.csv"));
    let states: Vec<u128> =
        published.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect();
    let found: Vec<u128> = space_levels(&puzzle("3x3")).iter().map(|level| level.1).collect();
    assert_eq!(found, states);
}

/// The fifteen puzzle is too large to be walked to its end here; its first levels are sequence
/// A089484 of the On-Line Encyclopedia of Integer Sequences.
#[test]
fn first_levels_of_4x4() {
    let puzzle = puzzle("4x4");
    let Some(AnySpace::Narrow(space)) = puzzle.space() else { panic!("no index") };
    let mut seen: HashSet<u64> = space.roots().into_iter().collect();
    let mut level = space.roots();
    let published = [1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808, 15544, 30821, 60842, 119_000];
    for states in published {
        assert_eq!(space.states(&level), states);
        let mut candidates = Vec::new();
        space.expand(&level, &mut candidates);
        candidates.retain(|&index| seen.insert(index));
        candidates.sort_unstable();
        level = candidates;
    }
}

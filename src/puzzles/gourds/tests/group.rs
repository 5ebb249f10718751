//! The group holds every symmetry there is, and nothing else.

use std::collections::{BTreeSet, HashSet};

use super::*;
use crate::encode::permutation;
use crate::puzzles::gourds::kinds::Slot;
use crate::puzzles::gourds::symmetry::Element;
use crate::space::Space;

/// All solved positions.
fn solved(puzzle: &Gourds) -> HashSet<Vec<Slot>> {
    let walk = puzzle.walk.as_ref().unwrap();
    let shapes = (0..walk.shapes().count()).map(|rank| walk.shapes().unrank(rank));
    let placed = match &puzzle.goal {
        Some(goal) => vec![goal.clone()],
        None => shapes
            .filter_map(|shape| puzzle.labels().unwrap().placed(&shape))
            .collect(),
    };
    placed
        .iter()
        .map(|pairs| puzzle.kinds.slots(pairs))
        .collect()
}

/// Every combination of a board symmetry, an exchange of kinds and exchanges of ends that maps
/// the solved positions to themselves, told apart by what it does to cells and kinds.
fn by_trying(puzzle: &Gourds) -> BTreeSet<(Vec<u8>, Vec<u8>, Vec<bool>)> {
    let kinds = &puzzle.kinds;
    let solved = solved(puzzle);
    let mut found = BTreeSet::new();
    let number = kinds.len();
    let counts = kinds.counts();
    for cells in puzzle.board().symmetries() {
        for rank in 0..permutation::count(number).unwrap() {
            let images = permutation::unrank(number, rank).unwrap();
            let keeps = |kind: usize| {
                let image = images[kind];
                counts[kind] == counts[usize::from(image)]
                    && kinds.equal_ends(kind as u8) == kinds.equal_ends(image)
            };
            if !(0..number).all(keeps) {
                continue;
            }
            for turns in 0..1u32 << number {
                let turns: Vec<bool> = (0..number).map(|kind| turns >> kind & 1 == 1).collect();
                // Turning what looks the same both ways round is nothing.
                if (0..number).any(|kind| turns[kind] && kinds.equal_ends(kind as u8)) {
                    continue;
                }
                let element = Element {
                    cells: cells.clone(),
                    kinds: images.clone(),
                    turns,
                };
                let image = |slots| element.image(kinds, slots);
                if solved.iter().all(|slots| solved.contains(&image(slots))) {
                    found.insert((element.cells, element.kinds, element.turns));
                }
            }
        }
    }
    found
}

#[test]
fn there_are_no_other_symmetries() {
    for text in SMALL.iter().filter(|&&text| text != "star13") {
        let puzzle = puzzle(text);
        let group: BTreeSet<_> = puzzle
            .group
            .iter()
            .map(|element| {
                let Element {
                    cells,
                    kinds,
                    turns,
                } = element.clone();
                (cells, kinds, turns)
            })
            .collect();
        assert_eq!(group.len(), puzzle.group.len(), "{text}");
        assert_eq!(group, by_trying(&puzzle), "{text}");
        assert_eq!(
            puzzle.group[0],
            Element::identity(puzzle.board(), &puzzle.kinds)
        );
    }
}

#[test]
fn known_orders() {
    for (text, order) in [
        ("flower7", 1),
        ("flower7:goal=0-1,2-5,4-6", 6),
        ("rows-3-4:goal=0-3,2-6,4-5", 2),
        ("seed1", 2),
        ("seed3", 6),
        ("alike", 12),
        ("middle", 12),
        ("mirror", 2),
        ("exchange", 2),
        ("reversed", 1),
        ("hex19", 1),
    ] {
        assert_eq!(puzzle(text).group_order(), order, "{text}");
    }
    assert!(puzzle(LARGE[6]).group_order() > 2);
}

#[test]
fn images_are_as_far_from_solved() {
    on_states(20, |puzzle, state| {
        let slots = puzzle
            .kinds
            .slots(&crate::puzzles::gourds::rules::pairs_of(state));
        for element in &puzzle.group {
            let image = puzzle.kinds.pairs(&element.image(&puzzle.kinds, &slots));
            let image = state_of(&image);
            prop_assert_eq!(puzzle.index_of(&image), puzzle.index_of(state));
            prop_assert_eq!(puzzle.is_solved(&image), puzzle.is_solved(state));
        }
        Ok(())
    });
}

#[test]
fn class_sums_are_the_numbers_of_states() {
    for text in [
        "seed1", "seed3", "alike", "middle", "mirror", "exchange", "reversed",
    ] {
        let puzzle = puzzle(text);
        let walk = puzzle.walk.as_ref().unwrap();
        let classes: Vec<u64> = (0..walk.universe())
            .filter(|&index| walk.canonical(index) == Some(index))
            .collect();
        assert_eq!(
            puzzle.total_classes(),
            Some(classes.len() as u128),
            "{text}"
        );
        assert_eq!(puzzle.total_states(), Some(walk.states(&classes)), "{text}");
    }
}

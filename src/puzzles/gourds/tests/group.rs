//! The group holds every symmetry there is, and nothing else.

use crate::puzzle::Indexed;
use std::collections::HashSet;

use super::*;
use crate::encode::permutation;
use crate::puzzles::gourds::kinds::Slot;
use crate::space::Space;
use crate::symmetry::Symmetry;

/// All solved positions.
fn solved(puzzle: &Gourds) -> HashSet<Vec<Slot>> {
    let walk = puzzle.space.as_ref().unwrap();
    let shapes = (0..walk.shapes.count()).map(|rank| walk.shapes.unrank(rank));
    let placed = match &puzzle.goal {
        Some(goal) => vec![goal.clone()],
        None => shapes.filter_map(|shape| puzzle.labels().unwrap().placed(&shape)).collect(),
    };
    placed.iter().map(|pairs| puzzle.kinds.slots(pairs)).collect()
}

/// What a symmetry does to kinds.
type SlotMap = Vec<(usize, usize)>;

fn relabelling(puzzle: &Gourds, element: &Symmetry) -> SlotMap {
    (0..puzzle.kinds.len()).map(|kind| element.piece(kind)).collect()
}

/// The image of a position under a symmetry of the board and a relabelling.
fn image(puzzle: &Gourds, cells: &[u8], relabelling: &SlotMap, slots: &[Slot]) -> Vec<Slot> {
    let image = |slot: &Slot| {
        let [a, b] = slot.cells.map(|cell| cells[usize::from(cell)]);
        let (kind, turn) = relabelling[usize::from(slot.kind)];
        let turned = slot.turned ^ (a > b) ^ (turn == 1);
        Slot {
            cells: [a.min(b), a.max(b)],
            kind: kind as u8,
            turned: turned && !puzzle.kinds.equal_ends(kind as u8),
        }
    };
    let mut slots: Vec<Slot> = slots.iter().map(image).collect();
    slots.sort_unstable();
    slots
}

/// Every combination of a board symmetry, an exchange of kinds and exchanges of ends that maps
/// the solved positions to themselves.
fn by_trying(puzzle: &Gourds) -> Vec<(Vec<u8>, SlotMap)> {
    let kinds = &puzzle.kinds;
    let solved = solved(puzzle);
    let mut found = Vec::new();
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
            for turns in 0..1usize << number {
                // Turning what looks the same both ways round is nothing.
                if (0..number).any(|kind| turns >> kind & 1 == 1 && kinds.equal_ends(kind as u8)) {
                    continue;
                }
                let images = images.iter().enumerate();
                let relabelling: SlotMap =
                    images.map(|(kind, &image)| (image.into(), turns >> kind & 1)).collect();
                let image = |slots: &Vec<Slot>| image(puzzle, &cells, &relabelling, slots);
                if solved.iter().all(|slots| solved.contains(&image(slots))) {
                    found.push((cells.clone(), relabelling));
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
        let symmetries = puzzle.symmetries.as_ref().unwrap();
        let group: Vec<&Symmetry> = symmetries.group.iter().collect();
        assert!(group[0].is_identity());
        // In the order of the board's symmetries.
        let tried = by_trying(&puzzle);
        assert_eq!(group.len(), tried.len(), "{text}");
        for (element, (cells, tried)) in group.into_iter().zip(&tried) {
            assert_eq!(&relabelling(&puzzle, element), tried, "{text}");
            for slots in solved(&puzzle) {
                let image = image(&puzzle, cells, tried, &slots);
                let labelling = element.image(&symmetries.labelling(&slots));
                assert_eq!(labelling, symmetries.labelling(&image), "{text}");
            }
        }
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
        for image in images(puzzle, state) {
            let image = state_of(&puzzle.kinds.pairs(&image));
            prop_assert_eq!(puzzle.index_of(&image), puzzle.index_of(state));
            prop_assert_eq!(puzzle.is_solved(&image), puzzle.is_solved(state));
        }
        Ok(())
    });
}

#[test]
fn class_sums_are_the_numbers_of_states() {
    for text in ["seed1", "seed3", "alike", "middle", "mirror", "exchange", "reversed"] {
        let puzzle = puzzle(text);
        let walk = puzzle.space.as_ref().unwrap();
        let classes: Vec<u64> =
            (0..walk.universe()).filter(|&index| walk.canonical(index) == Some(index)).collect();
        assert_eq!(puzzle.totals().classes, Some(classes.len() as u128), "{text}");
        assert_eq!(puzzle.totals().states, Some(walk.states(&classes)), "{text}");
    }
}

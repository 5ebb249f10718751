//! Index, canonical form, neighbours and class sizes against slow twins.

use crate::puzzle::Indexed;
use std::collections::BTreeSet;

use super::*;
use crate::encode::Multiset;
use crate::puzzles::gourds::kinds::Slot;
use crate::puzzles::gourds::rules::pairs_of;
use crate::puzzles::gourds::space::GourdSpace;
use crate::space::Space;

fn walk(puzzle: &Gourds) -> &GourdSpace {
    puzzle.space.as_ref().unwrap()
}

/// The index of a position before symmetries, from the generic ranking.
fn raw_index(puzzle: &Gourds, slots: &[Slot]) -> u64 {
    let words = Multiset::new(&puzzle.kinds.counts()).unwrap();
    let word: Vec<u8> = slots.iter().map(|slot| slot.kind).collect();
    let shape = walk(puzzle).shapes.rank(&walk(puzzle).shape_of(slots));
    let word = u128::from(shape) * words.count() + words.rank(&word).unwrap();
    let bits = (0..).zip(slots).map(|(place, slot)| u64::from(slot.turned) << place);
    ((word as u64) << slots.len()) + bits.sum::<u64>()
}

#[test]
fn canonical_form_and_class_size_are_those_of_brute_force() {
    on_states(300, |puzzle, state| {
        let images = images(puzzle, state);
        let images: BTreeSet<u64> = images.iter().map(|slots| raw_index(puzzle, slots)).collect();
        let least = *images.first().unwrap();
        prop_assert_eq!(puzzle.index_of(state), Some(least.into()));
        prop_assert_eq!(walk(puzzle).states(&[least]), images.len() as u128);
        let symmetries = puzzle.symmetries.as_ref().unwrap();
        let labelling = symmetries.labelling(&puzzle.kinds.slots(&pairs_of(state)));
        let (form, ways) = symmetries.group.canonical(&labelling);
        prop_assert_eq!(ways * images.len() as u64, puzzle.group_order());
        for &image in &images {
            prop_assert_eq!(walk(puzzle).canonical(image), Some(least));
            let canonical = puzzle.state_of(image.into()).unwrap();
            let slots = puzzle.kinds.slots(&pairs_of(&canonical));
            prop_assert_eq!(raw_index(puzzle, &slots), least);
            let generic = symmetries.group.canonical(&symmetries.labelling(&slots));
            prop_assert_eq!(generic, (form.clone(), ways));
        }
        Ok(())
    });
}

#[test]
fn without_symmetries_index_and_state_are_inverse() {
    on_states(200, |puzzle, state| {
        let index = puzzle.index_of(state).unwrap();
        prop_assert!(index < u128::from(walk(puzzle).universe()));
        let canonical = puzzle.state_of(index).unwrap();
        prop_assert_eq!(puzzle.index_of(&canonical), Some(index));
        if puzzle.group_order() == 1 {
            prop_assert_eq!(&canonical, state);
        }
        Ok(())
    });
}

#[test]
fn every_index_stands_for_a_position_or_for_nothing() {
    for text in SMALL {
        let puzzle = puzzle(text);
        let walk = walk(&puzzle);
        if walk.universe() > 1 << 16 {
            continue;
        }
        let mut states = 0;
        let mut classes = Vec::new();
        for index in 0..walk.universe() {
            let Some(class) = walk.canonical(index) else {
                assert_eq!(puzzle.state_of(index.into()), None, "{text} {index}");
                continue;
            };
            states += 1;
            assert!(class <= index, "{text}");
            assert_eq!(walk.canonical(class), Some(class), "{text}");
            let state = puzzle.state_of(index.into()).unwrap();
            assert_eq!(puzzle.index_of(&state), Some(class.into()), "{text}");
            if class == index {
                classes.push(index);
            }
        }
        assert_eq!(Some(states), puzzle.positions(), "{text}");
        assert_eq!(walk.states(&classes), states, "{text}");
        if puzzle.proper {
            assert_eq!(puzzle.totals().classes, Some(classes.len() as u128), "{text}");
        }
    }
}

#[test]
fn nothing_beyond_the_universe() {
    for text in all_texts() {
        let puzzle = puzzle(text);
        let universe = walk(&puzzle).universe();
        assert_eq!(walk(&puzzle).canonical(universe), None, "{text}");
        assert_eq!(walk(&puzzle).canonical(u64::MAX), None, "{text}");
        assert_eq!(puzzle.state_of(universe.into()), None, "{text}");
        assert_eq!(puzzle.state_of(u128::MAX), None, "{text}");
    }
}

#[test]
fn expand_gives_the_classes_of_all_moves() {
    on_states(300, |puzzle, state| {
        let index = puzzle.index_of(state).unwrap() as u64;
        // Moves of the state itself, which need not be the canonical one: the neighbours'
        // classes must not depend on the member.
        let moves = puzzle.moves(state);
        let slow: BTreeSet<_> =
            moves.iter().map(|&mv| puzzle.index_of(&puzzle.apply(state, mv)).unwrap() as u64).collect();
        let mut fast = Vec::new();
        walk(puzzle).expand(&[index], &mut fast);
        prop_assert_eq!(fast.len(), moves.len());
        prop_assert!(fast.len() <= walk(puzzle).fanout());
        prop_assert_eq!(fast.into_iter().collect::<BTreeSet<_>>(), slow);
        Ok(())
    });
}

#[test]
fn batches_are_expanded_one_by_one() {
    for text in ["seed1", "hex19", "seed9"] {
        let puzzle = puzzle(text);
        let roots = walk(&puzzle).roots();
        let (mut level, mut together) = (roots.clone(), Vec::new());
        for _ in 0..4 {
            level.sort_unstable();
            level.dedup();
            together = Vec::new();
            walk(&puzzle).expand(&level, &mut together);
            let mut apart = Vec::new();
            for index in &level {
                walk(&puzzle).expand(std::slice::from_ref(index), &mut apart);
            }
            assert_eq!(together, apart);
            level = together.clone();
        }
        assert!(together.len() > roots.len());
    }
}

#[test]
fn moves_are_undone_by_a_click() {
    on_states(100, |puzzle, state| {
        let pairs = pairs_of(state);
        let hole = crate::puzzles::gourds::rules::hole(puzzle.board(), &pairs);
        for mv in puzzle.moves(state) {
            let after = puzzle.apply(state, mv);
            let new_hole = crate::puzzles::gourds::rules::hole(puzzle.board(), &pairs_of(&after));
            // A pivot leaves the clicked cell free; a slide or turn the one behind it.
            let undo = if new_hole == mv.0 as usize { hole } else { mv.0 as usize };
            let undo = crate::puzzle::Move(undo as u32);
            prop_assert!(puzzle.moves(&after).contains(&undo));
            prop_assert_eq!(&puzzle.apply(&after, undo), state);
        }
        Ok(())
    });
}

#[test]
fn roots_are_the_solved_classes() {
    for text in all_texts() {
        let puzzle = puzzle(text);
        let roots = walk(&puzzle).roots();
        assert!(roots.is_sorted() && !roots.is_empty(), "{text}");
        assert!(roots.windows(2).all(|pair| pair[0] < pair[1]), "{text}");
        for &root in &roots {
            assert_eq!(walk(&puzzle).canonical(root), Some(root), "{text}");
            let state = puzzle.state_of(root.into()).unwrap();
            assert!(puzzle.is_solved(&state), "{text}");
        }
    }
    on_states(50, |puzzle, state| {
        let index = puzzle.index_of(state).unwrap() as u64;
        prop_assert_eq!(puzzle.is_solved(state), walk(puzzle).roots().contains(&index));
        Ok(())
    });
}

#[test]
fn solved_states_are_exactly_the_roots() {
    for (text, goals) in [("seed1", 4), ("alike", 20), ("middle", 18), ("seed3", 1)] {
        let puzzle = puzzle(text);
        let solved = (0..walk(&puzzle).universe())
            .filter(|&index| walk(&puzzle).canonical(index) == Some(index))
            .filter(|&index| puzzle.is_solved(&puzzle.state_of(index.into()).unwrap()))
            .collect::<Vec<_>>();
        assert_eq!(solved, walk(&puzzle).roots(), "{text}");
        assert_eq!(walk(&puzzle).states(&solved), goals, "{text}");
    }
}

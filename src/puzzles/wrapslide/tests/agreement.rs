//! The fast canonical form, the index and the bit tricks of `expand` against slow twins.

use crate::puzzle::Indexed;
use std::collections::BTreeSet;

use super::*;
use crate::puzzles::tests as common;
use crate::space::{AnySpace, Index, Space};

fn expand(puzzle: &Wrapslide, index: u128) -> Vec<u128> {
    fn run<I: Index>(space: &dyn Space<I>, index: u128) -> Vec<u128> {
        let mut candidates = Vec::new();
        space.expand(&[I::narrow(index)], &mut candidates);
        assert_eq!(candidates.len(), space.fanout());
        candidates.into_iter().map(Index::wide).collect()
    }
    match puzzle.space.any() {
        AnySpace::Narrow(space) => run(space, index),
        AnySpace::Wide(space) => run(space, index),
    }
}

fn class_size(puzzle: &Wrapslide, index: u128) -> u128 {
    match puzzle.space.any() {
        AnySpace::Narrow(space) => space.states(&[index as u64]),
        AnySpace::Wide(space) => space.states(&[index]),
    }
}

fn canonical_index(puzzle: &Wrapslide, index: u128) -> Option<u128> {
    match puzzle.space.any() {
        AnySpace::Narrow(space) => space.canonical(index as u64).map(Index::wide),
        AnySpace::Wide(space) => space.canonical(index),
    }
}

#[test]
fn canonical_form_and_class_size_are_the_generic_ones() {
    for text in variants() {
        // The metric changes neither.
        if text.ends_with("unit") {
            continue;
        }
        let puzzle = puzzle(&text);
        let group = puzzle.layout.group().unwrap();
        common::check(&text, 1000, &some_state(&puzzle), |state| {
            let inner = puzzle.layout.inner(&state.0);
            let (least, stabiliser) = group.canonical(&inner);
            let index = puzzle.index_of(&state).unwrap();
            let fast = puzzle.state_of(index).unwrap();
            let found = puzzle.layout.inner(&fast.0);
            prop_assert_eq!(group.canonical(&found).0, least.clone());
            // Where a colour leads, the state of an index is another one of the class.
            prop_assert!(found == least || puzzle.space.scheme() == 2);
            let size = u128::from(group.order() / stabiliser);
            prop_assert_eq!(class_size(&puzzle, index), size);
            Ok(())
        });
    }
}

#[test]
fn group_orders_are_as_stated() {
    for (rest, order) in [("2", 32), ("3", 64), ("4", 768), ("3:fixed", 8), ("4:fixed", 48)] {
        for size in ["4x4", "6x6", "8x8"] {
            let puzzle = puzzle(&format!("{size}:{rest}"));
            assert_eq!(puzzle.group_order(), order);
        }
    }
}

#[test]
fn expand_gives_the_classes_of_all_moves() {
    on_states_of_all_variants(200, |puzzle, state| {
        let index = puzzle.index_of(state).unwrap();
        // Moves of the state itself, which need not be the canonical one: the neighbours'
        // classes must not depend on the member.
        let moves = puzzle.moves(state).into_iter();
        let slow: BTreeSet<_> = moves.map(|mv| puzzle.index_of(&puzzle.apply(state, mv)).unwrap()).collect();
        let fast: BTreeSet<_> = expand(puzzle, index).into_iter().collect();
        prop_assert_eq!(fast, slow);
        Ok(())
    });
}

#[test]
fn symmetric_states_share_index_and_solvedness() {
    on_states_of_all_variants(8, |puzzle, state| {
        let inner = puzzle.layout.inner(&state.0);
        for symmetry in puzzle.layout.group().unwrap().iter().step_by(7) {
            let image = State(puzzle.layout.board(&symmetry.image(&inner)));
            prop_assert_eq!(puzzle.index_of(&image), puzzle.index_of(state));
            prop_assert_eq!(puzzle.is_solved(&image), puzzle.is_solved(state));
        }
        Ok(())
    });
}

#[test]
fn indices_and_states_are_inverse() {
    on_states_of_all_variants(200, |puzzle, state| {
        let index = puzzle.index_of(state).unwrap();
        prop_assert!(index < puzzle.space.any().universe());
        prop_assert_eq!(canonical_index(puzzle, index), Some(index));
        let canonical = puzzle.state_of(index).unwrap();
        prop_assert_eq!(puzzle.index_of(&canonical), Some(index));
        // Other states have numbers, too; all lead to one class.
        let elsewhere = index.wrapping_mul(0x9e37_79b9_7f4a_7c15) % puzzle.space.any().universe();
        let class = canonical_index(puzzle, elsewhere).unwrap();
        prop_assert_eq!(canonical_index(puzzle, class), Some(class));
        prop_assert_eq!(puzzle.index_of(&puzzle.state_of(elsewhere).unwrap()), Some(class));
        Ok(())
    });
}

#[test]
fn nothing_beyond_the_universe() {
    for text in variants() {
        let puzzle = puzzle(&text);
        let universe = puzzle.space.any().universe();
        assert_eq!(canonical_index(&puzzle, universe), None, "{text}");
        assert_eq!(puzzle.state_of(universe), None);
        assert_eq!(puzzle.state_of(u128::MAX), None);
        assert!(puzzle.state_of(universe - 1).is_some());
    }
}

#[test]
fn roots_are_the_solved_classes() {
    for (text, roots) in
        [("4x4:2", 1), ("6x6:3", 1), ("6x6:3:any", 2), ("8x8:4", 1), ("6x6:3:fixed", 2), ("8x8:4:fixed", 1)]
    {
        let puzzle = puzzle(text);
        let found: Vec<u128> = match puzzle.space.any() {
            AnySpace::Narrow(space) => space.roots().into_iter().map(Index::wide).collect(),
            AnySpace::Wide(space) => space.roots(),
        };
        assert_eq!(found.len(), roots, "{text}");
        assert!(found.is_sorted());
        for root in found {
            assert_eq!(canonical_index(&puzzle, root), Some(root));
            assert!(puzzle.is_solved(&puzzle.state_of(root).unwrap()));
        }
    }
}

#[test]
fn solved_exactly_as_the_variant_asks() {
    let adjacent = "1122/1122/3333/3333";
    let diagonal = "1133/1133/3322/3322";
    for (text, board, solved) in [
        ("4x4:3", adjacent, true),
        ("4x4:3", diagonal, false),
        ("4x4:3:any", adjacent, true),
        ("4x4:3:any", diagonal, true),
        ("4x4:3:fixed", adjacent, true),
        ("4x4:3:fixed", diagonal, true),
        ("4x4:3", "1212/1212/3333/3333", false),
        ("4x4:2", "2222/2222/2211/2211", true),
        ("4x4:2", "2222/2112/2112/2222", false),
        ("4x4:4", "4422/4422/3311/3311", true),
    ] {
        let puzzle = puzzle(text);
        let state = puzzle.parse_state(board).unwrap();
        assert_eq!(puzzle.is_solved(&state), solved, "{text} {board}");
    }
}

#[test]
fn slides_go_left_and_up() {
    let puzzle = puzzle("4x4:4");
    let state = puzzle.parse_state("1234/1234/1234/1234").unwrap();
    let after = |state: &State, name: &str| {
        puzzle.print_state(&puzzle.apply(state, puzzle.parse_move(state, name).unwrap()))
    };
    assert_eq!(after(&state, "T1"), "2341/2341/1234/1234");
    assert_eq!(after(&state, "B3"), "1234/1234/4123/4123");
    let state = puzzle.parse_state("1111/2222/3333/4444").unwrap();
    assert_eq!(after(&state, "L1"), "2211/3322/4433/1144");
    assert_eq!(after(&state, "R2"), "1133/2244/3311/4422");
}

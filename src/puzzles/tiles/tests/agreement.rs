//! The index, its tables and the canonical form against slow twins.

use crate::puzzle::Indexed;
use std::collections::BTreeSet;

use super::super::space::TileSpace;
use super::super::transposition::{group, transposition};
use super::*;
use crate::encode::permutation::{Parity, rank};
use crate::space::Space;

fn space(puzzle: &Tiles) -> &TileSpace {
    puzzle.space.as_ref().unwrap()
}

/// The state's own number, which need not be that of its class, as the rules of the index say.
fn number(variant: &TilesVariant, board: &[u8]) -> u64 {
    let blank = board.iter().position(|&tile| tile == 0).unwrap();
    let order: Vec<u8> = board.iter().filter(|&&tile| tile > 0).map(|tile| tile - 1).collect();
    let inversions = (0..order.len())
        .flat_map(|j| (0..j).map(move |i| (i, j)))
        .filter(|&(i, j)| order[i] > order[j])
        .count();
    let rows_below = variant.rows - 1 - blank / variant.columns;
    let odd = variant.columns.is_multiple_of(2) && !rows_below.is_multiple_of(2);
    assert_eq!(inversions % 2 == 1, odd, "{board:?} cannot be reached");
    assert_eq!(variant.parity(blank) == Parity::Odd, odd);
    rank(&order).unwrap() as u64 / 2 * variant.cells() as u64 + blank as u64
}

/// The numbers of all states in the class, without repeats.
fn orbit(variant: &TilesVariant, board: &[u8]) -> BTreeSet<u64> {
    let group = group(variant).unwrap();
    group.iter().map(|symmetry| number(variant, &symmetry.image(board))).collect()
}

#[test]
fn the_index_is_the_least_number_in_the_class() {
    on(&indexed(), 300, some_state, |puzzle, state| {
        let orbit = orbit(&puzzle.variant, &state.0);
        let index = *orbit.first().unwrap();
        let space = space(puzzle);
        prop_assert_eq!(puzzle.index_of(&state), Some(index.into()));
        prop_assert_eq!(space.states(&[index]), orbit.len() as u128);
        for &number in &orbit {
            prop_assert!(number < space.universe());
            prop_assert_eq!(space.canonical(number), Some(index));
        }
        prop_assert_eq!(space.canonical(index), Some(index));
        // Back to a state of the class, which is the canonical one.
        for &number in &orbit {
            let board = puzzle.state_of(number.into()).unwrap().0;
            prop_assert_eq!(super::agreement::number(&puzzle.variant, &board), index);
        }
        Ok(())
    });
}

#[test]
fn expand_gives_the_classes_of_all_moves() {
    // Batches of a few states, in which blanks repeat.
    let states = |variant| prop::collection::vec(some_state(variant), 1..40);
    on(&indexed(), 60, states, |puzzle, states| {
        let space = space(puzzle);
        let index = |state: &State| puzzle.index_of(state).unwrap() as u64;
        let batch: BTreeSet<u64> = states.iter().map(index).collect();
        let batch: Vec<u64> = batch.into_iter().collect();
        // Moves of the states that were drawn, which need not be the canonical ones: the
        // neighbours' classes must not depend on the member.
        let neighbours = |state: &State| -> Vec<u64> {
            let moves = puzzle.moves(state).into_iter();
            moves.map(|mv| index(&puzzle.apply(state, mv))).collect()
        };
        let slow: BTreeSet<u64> = states.iter().flat_map(neighbours).collect();
        let mut fast = Vec::new();
        space.expand(&batch, &mut fast);
        prop_assert!(fast.len() <= batch.len() * space.fanout());
        prop_assert_eq!(fast.into_iter().collect::<BTreeSet<_>>(), slow);
        Ok(())
    });
}

#[test]
fn long_batches_are_expanded_like_single_states() {
    for text in ["2x4", "3x3", "3x3:push", "4x2:push", "3x4", "4x4"] {
        let puzzle = puzzle(text);
        let space = space(&puzzle);
        let step = (space.universe() / 5000) as usize | 1;
        let numbers = (0..space.universe()).step_by(step);
        let batch: Vec<u64> = numbers.filter(|&i| space.canonical(i) == Some(i)).collect();
        assert!(batch.len() > 2000);
        let mut together = Vec::new();
        space.expand(&batch, &mut together);
        let mut one_by_one = Vec::new();
        for &index in &batch {
            let before = one_by_one.len();
            space.expand(&[index], &mut one_by_one);
            let state = puzzle.state_of(index.into()).unwrap();
            assert_eq!(one_by_one.len() - before, puzzle.moves(&state).len());
        }
        together.sort_unstable();
        one_by_one.sort_unstable();
        assert_eq!(together, one_by_one, "{text}");
    }
}

#[test]
fn fanout_is_reached() {
    for (text, fanout) in [("2x2", 2), ("2x5", 3), ("5x2", 3), ("3x4", 4), ("2x2:push", 2), ("3x4:push", 5)] {
        let puzzle = puzzle(text);
        assert_eq!(space(&puzzle).fanout(), fanout, "{text}");
    }
}

#[test]
fn transposition_is_its_own_inverse() {
    for size in 2..=4 {
        let transposed = transposition(size).unwrap();
        let puzzle = puzzle(&format!("{size}x{size}"));
        let universe = space(&puzzle).universe();
        for index in (0..universe).step_by((universe / 10_007).max(1) as usize) {
            assert!(transposed(index) < universe);
            assert_eq!(transposed(transposed(index)), index);
        }
    }
    assert!(transposition(5).is_none());
}

#[test]
fn group_orders_are_as_stated() {
    for text in variants() {
        let puzzle = puzzle(&text);
        let order = if puzzle.variant.is_square() { 2 } else { 1 };
        assert_eq!(puzzle.group_order(), order, "{text}");
    }
}

#[test]
fn nothing_beyond_the_universe() {
    for text in indexed() {
        let puzzle = puzzle(&text);
        let universe = space(&puzzle).universe();
        assert_eq!(puzzle.totals().states, Some(universe.into()), "{text}");
        assert_eq!(space(&puzzle).canonical(universe), None);
        assert_eq!(space(&puzzle).canonical(u64::MAX), None);
        assert_eq!(puzzle.state_of(universe.into()), None);
        assert_eq!(puzzle.state_of(u128::MAX), None);
        assert!(puzzle.state_of(u128::from(universe) - 1).is_some());
    }
}

#[test]
fn the_solved_board_is_the_root() {
    for text in indexed() {
        let puzzle = puzzle(&text);
        let solved = State(puzzle.variant.solved());
        assert!(puzzle.is_solved(&solved));
        let root = puzzle.index_of(&solved).unwrap() as u64;
        assert_eq!(space(&puzzle).roots(), [root], "{text}");
        assert_eq!(puzzle.state_of(root.into()), Some(solved));
    }
}

#[test]
fn boards_without_an_index_are_played_all_the_same() {
    for text in ["2x9", "9x2", "3x6", "4x5", "5x5", "10x10:push"] {
        let puzzle = puzzle(text);
        assert!(puzzle.space().is_none(), "{text}");
        let solved = State(puzzle.variant.solved());
        assert!(puzzle.is_solved(&solved));
        assert_eq!((puzzle.index_of(&solved), puzzle.state_of(0)), (None, None));
    }
}

/// What stored indices mean is frozen; another meaning needs another index scheme.
#[test]
fn frozen_indices() {
    for (text, board, index) in FROZEN {
        let puzzle = puzzle(text);
        let state = puzzle.parse_state(board).unwrap();
        assert_eq!(puzzle.index_of(&state), Some(*index), "{text} {board}");
        assert_eq!(puzzle.index_scheme(), 1);
    }
}

const FROZEN: &[(&str, &str, u128)] = &[
    ("2x2", "1 2/3 0", 3),
    ("2x2", "3 1/0 2", 5),
    ("3x3", "1 2 3/4 5 6/7 8 0", 8),
    ("3x3", "8 6 7/2 5 4/3 0 1", 125_816),
    ("2x4", "7 6 5 4/3 1 2 0", 20_159),
    ("3x4", "0 11 10 9/8 7 6 5/4 3 1 2", 239_500_788),
    ("3x5", "11 10 9 8 7/6 5 4 3 2/12 14 1 0 13", 501_962_699_068),
    ("8x2", "1 2/9 4/5 6/7 8/3 10/11 12/15 14/13 0", 23_343_707_567),
];

//! Rows of leaders against the index and the steps of single states.

use super::*;
use crate::random::Random;
use crate::space::{AnySpace, Space};

fn narrow(puzzle: &Wrapslide) -> &dyn Space<u64> {
    match puzzle.space.any() {
        AnySpace::Narrow(space) => space,
        AnySpace::Wide(_) => panic!("its indices are narrow"),
    }
}

/// All numbers of the small board, in both metrics.
#[test]
fn every_number_of_a_small_board_is_what_its_row_says() {
    for text in ["4x4:4:fixed", "4x4:4:fixed:unit"] {
        let puzzle = puzzle(text);
        let space = narrow(&puzzle);
        let rows = space.rows().unwrap();
        common::check_rows(space, rows, 0..space.universe());
        common::check_whole_rows(space, rows, 0..space.universe() / u64::from(rows.columns()));
    }
}

/// Random numbers of the large one, and rows all over it: those that turns keep are among them.
#[test]
fn numbers_of_a_large_board_are_what_their_rows_say() {
    let puzzle = puzzle("6x6:4:fixed");
    let space = narrow(&puzzle);
    let mut random = Random::new(19);
    let rows = space.rows().unwrap();
    common::check_rows(space, rows, (0..3000).map(|_| random.below(space.universe().into()) as u64));
    let all = space.universe() / u64::from(rows.columns());
    common::check_whole_rows(space, rows, (0..5).map(|at| at * (all / 5)));
    let mut steps = Vec::new();
    let twinned = (0..all).filter(|&row| {
        steps.clear();
        rows.twins(row, &mut steps);
        !steps.is_empty()
    });
    let twinned: Vec<u64> = twinned.step_by(800).collect();
    assert!(twinned.len() > 5);
    for row in twinned {
        let column = random.below(rows.columns().into()) as u64;
        common::check_rows(space, rows, std::iter::once(row * u64::from(rows.columns()) + column));
    }
}

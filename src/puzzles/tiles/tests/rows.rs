//! Rows of tiles against the index and the steps of single states.

use super::*;
use crate::puzzle::Indexed;
use crate::random::Random;
use crate::space::{AnySpace, Space};

fn narrow(puzzle: &Tiles) -> &dyn Space<u64> {
    match puzzle.space() {
        Some(AnySpace::Narrow(space)) => space,
        _ => panic!("its indices are narrow"),
    }
}

#[test]
fn every_number_of_small_boards_is_what_its_row_says() {
    for text in ["2x3", "3x2", "2x4", "4x2"] {
        let puzzle = puzzle(text);
        let space = narrow(&puzzle);
        let rows = space.rows().unwrap();
        common::check_rows(space, rows, 0..space.universe());
        common::check_whole_rows(space, rows, 0..space.universe() / u64::from(rows.columns()));
    }
}

#[test]
fn numbers_of_large_boards_are_what_their_rows_say() {
    let mut random = Random::new(23);
    for text in ["2x5", "5x2", "3x4", "4x3", "2x6", "2x7", "7x2", "3x5", "5x3", "2x8", "8x2"] {
        let puzzle = puzzle(text);
        let space = narrow(&puzzle);
        let rows = space.rows().unwrap();
        common::check_rows(space, rows, (0..500).map(|_| random.below(space.universe().into()) as u64));
        let all = space.universe() / u64::from(rows.columns());
        common::check_whole_rows(space, rows, [0, all / 3, all - 1].into_iter());
    }
}

#[test]
fn other_metrics_and_square_boards_have_no_rows() {
    for text in ["2x2", "3x3", "4x4", "2x3:push", "3x4:push"] {
        assert!(narrow(&puzzle(text)).rows().is_none(), "{text}");
    }
}

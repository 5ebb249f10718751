//! The quick forms are checked against the rules, the tables against plain searches, the solvers against table descent.

mod projections;
mod solvers;

use std::sync::atomic::AtomicBool;

use proptest::prelude::*;

use super::lanes::{Slides, cells_of, cells_of_both, distinct_slides, lanes};
use super::thesis::Objective;
use crate::engine::{Control, Silent};
use crate::puzzle::{Indexed, Rules};
use crate::puzzles::wrapslide::tests::{on_states_of_all_variants, puzzle};
use crate::solve::Workbench;

/// Runs `work` with a workbench that has an empty cache.
fn with_bench<T>(work: impl FnOnce(&Workbench<'_>) -> T) -> T {
    let dir = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, observer: &Silent };
    work(&Workbench::new(dir.path().to_owned(), 1 << 30, 2, control))
}

#[test]
fn lanes_slide_as_boards_do() {
    on_states_of_all_variants(20, |puzzle, state| {
        let variant = &puzzle.variant;
        let slides = Slides::new(variant.half());
        let board = lanes(variant, &state.0);
        for slide in variant.slides() {
            let after = variant.slide(&state.0, slide);
            prop_assert_eq!(slides.slid(&board, slide), lanes(variant, &after));
        }
        Ok(())
    });
}

#[test]
fn slides_that_are_left_out_lead_to_the_same_classes() {
    on_states_of_all_variants(5, |puzzle, state| {
        let after = |slide| {
            let board = puzzle.variant.slide(&state.0, slide);
            puzzle.index_of(&crate::puzzle::State(board))
        };
        if !puzzle.variant.fixed {
            let distinct = distinct_slides(&puzzle.variant);
            for slide in puzzle.variant.slides() {
                prop_assert!(distinct.iter().any(|&other| after(other) == after(slide)));
            }
        }
        Ok(())
    });
}

#[test]
fn lanes_have_the_index_of_their_board() {
    on_states_of_all_variants(20, |puzzle, state| {
        let board = lanes(&puzzle.variant, &state.0);
        let index = puzzle.index_of_lanes(&board).map(u128::from);
        prop_assert!(index.is_none() || index == puzzle.index_of(state));
        Ok(())
    });
}

#[test]
fn cells_are_those_of_the_colours() {
    on_states_of_all_variants(10, |puzzle, state| {
        let variant = &puzzle.variant;
        let board = lanes(variant, &state.0);
        let both = cells_of_both(&board, 0, 1);
        for (quadrant, &both) in both.iter().enumerate() {
            let cells: Vec<_> = variant.quadrant_cells(quadrant).collect();
            let bits = |holds: &dyn Fn(u8) -> bool| {
                let digit = |set, &cell: &usize| set << 1 | u16::from(holds(state.0[cell]));
                cells.iter().fold(0, digit)
            };
            prop_assert_eq!(cells_of(&board, 1)[quadrant], bits(&|colour| colour == 2));
            prop_assert_eq!(both, bits(&|colour| colour <= 2));
        }
        Ok(())
    });
}

/// The objective as the thesis words it.
#[test]
fn the_objective_is_the_sum_of_differences() {
    on_states_of_all_variants(20, |puzzle, state| {
        let (variant, board) = (&puzzle.variant, &state.0);
        let side = variant.half();
        let mut sum = 0;
        for quadrant in 0..3 {
            let cells: Vec<_> = variant.quadrant_cells(quadrant).collect();
            let differ = |a: usize, b: usize| u32::from(board[cells[a]].abs_diff(board[cells[b]]));
            for cell in 0..side * side {
                if cell % side + 1 < side {
                    sum += differ(cell, cell + 1);
                }
                if cell / side + 1 < side {
                    sum += differ(cell, cell + side);
                }
            }
        }
        prop_assert_eq!(Objective::new(variant).of(&lanes(variant, board)), sum);
        Ok(())
    });
    // The example of the thesis.
    let puzzle = puzzle("4x4:4");
    let state = puzzle.parse_state("1313/2424/1342/2431").unwrap();
    let board = lanes(&puzzle.variant, &state.0);
    assert_eq!(Objective::new(&puzzle.variant).of(&board), 18);
}

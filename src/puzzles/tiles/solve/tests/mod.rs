//! Solvers against slow twins.
//!
//! | file | what it tests |
//! |---|---|
//! | `shortest` | tables, bounds and `optimal` |
//! | `short` | `fast` and the beam |

mod short;
mod shortest;

use std::sync::atomic::AtomicBool;

use super::super::rules::TilesVariant;
use super::{TilesFast, TilesOptimal};
use crate::engine::{Control, Silent};
use crate::error::Error;
use crate::puzzle::{Instance, Rules, State};
use crate::puzzles::registry;
use crate::random::Random;
use crate::solve::{Effort, ReadySolver, Solver, Workbench, solve};

fn variant(rows: usize, columns: usize, push: bool) -> TilesVariant {
    TilesVariant { rows, columns, push }
}

fn with_bench<T>(memory: u64, work: impl FnOnce(&Workbench<'_>) -> T) -> T {
    let dir = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, observer: &Silent };
    work(&Workbench::new(dir.path().to_owned(), memory, 2, control))
}

fn puzzle(variant: &TilesVariant) -> Box<dyn Rules> {
    let push = if variant.push { ":push" } else { "" };
    registry::parse(&format!("tiles:{}x{}{push}", variant.rows, variant.columns)).unwrap()
}

fn random_board(variant: &TilesVariant, number: u64) -> State {
    let Instance::State(state) = puzzle(variant).scramble(&mut Random::instance(71, number)).unwrap() else {
        panic!()
    };
    state
}

/// The length of a solution that is replayed by the rules.
fn length(variant: &TilesVariant, solver: &dyn ReadySolver, state: &State) -> u32 {
    let stop = AtomicBool::new(false);
    let effort = Effort::unbounded(1 << 24, &stop);
    let solved = solve(&*puzzle(variant), solver, state, &effort).unwrap();
    solved.length().unwrap()
}

#[test]
fn boards_that_cannot_be_solved_are_refused() {
    let variant = variant(2, 3, false);
    with_bench(1 << 24, |bench| {
        let solvers: [Box<dyn Solver>; 2] = [Box::new(TilesOptimal(variant)), Box::new(TilesFast(variant))];
        let stop = AtomicBool::new(false);
        let effort = Effort::unbounded(0, &stop);
        for solver in &solvers {
            let solver = solver.prepare(bench, None).unwrap();
            for board in [&[2, 1, 3, 4, 5, 0][..], &[1, 2, 3, 4, 5, 6], &[1, 0], &[]] {
                let refused = solver.attempt(&State(board.to_vec()), &effort);
                assert!(matches!(refused, Err(Error::Usage(_))));
            }
        }
    });
}

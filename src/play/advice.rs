//! Where hints and solutions come from: the solvers of a puzzle, the default first.
//!
//! A solver that looks for a shortest way may look for hours. A player is better served by a longer way
//! now, so after a while the next solver is asked, if the puzzle has another one.

use std::time::{Duration, Instant};

use super::game::FoundPath;
use crate::engine::budget::default_memory;
use crate::engine::{Control, cores};
use crate::error::{Error, Result};
use crate::puzzle::{Rules, State};
use crate::solve::{self, Effort, Workbench, cache};

/// A solver that has not found anything after so long is left for the next one, if there is one.
const PATIENCE: Duration = Duration::from_secs(10);

/// Asks the solvers of a puzzle one after the other for a way.
pub(super) fn find_way(puzzle: &dyn Rules, state: &State, control: Control<'_>) -> Result<FoundPath> {
    let threads = cores();
    let bench = Workbench::new(cache::directory(), default_memory(), threads, control);
    let stopped = || Err(Error::interrupted("the search was stopped"));
    let mut failed = None;
    let solvers = solve::solvers(puzzle);
    for (number, solver) in solvers.iter().enumerate() {
        // A table that is not the first choice would take too long to make.
        if number > 0 && solver.name() == "table" {
            continue;
        }
        let prepared = match solver.prepare(&bench, solver.strength()) {
            Ok(prepared) => prepared,
            Err(_) if control.stopped() => return stopped(),
            Err(why) => {
                failed = Some(why);
                continue;
            }
        };
        let others = solvers[number + 1..].iter().any(|other| other.name() != "table");
        let effort = Effort {
            deadline: others.then(|| Instant::now() + PATIENCE),
            memory: bench.free(),
            threads,
            stop: control.stop,
            visited: None,
        };
        let solved = solve::solve(puzzle, &*prepared, state, &effort)?;
        let optimal = solved.is_optimal();
        if let Some(moves) = solved.attempt.moves {
            return Ok(FoundPath { moves, optimal });
        }
        if control.stopped() {
            return stopped();
        }
        if others {
            control.observer.note(&format!("{} has found nothing yet; another solver tries", solver.name()));
        }
    }
    Err(failed.unwrap_or_else(|| Error::limit("no solution was found")))
}

//! All solvers of a puzzle on one state.

use std::time::{Duration, Instant};

use super::{Effort, Solved, Workbench, solve, solvers};
use crate::error::{Error, Result};
use crate::puzzle::{Rules, State};

/// What one solver did.
pub struct SolverTrial {
    /// The solver's name.
    pub solver: &'static str,
    /// How long it took to read or build its tables.
    pub prepared: Duration,
    /// What it found, or why it could not be used.
    pub outcome: Result<Solved>,
}

/// Lets every solver of a puzzle try a state, one after the other, each with a bench of its own and this much time. Ends early
/// only if the user stops it.
pub fn compare<'a>(
    puzzle: &dyn Rules,
    state: &State,
    bench: impl Fn() -> Workbench<'a>,
    time: Duration,
) -> Result<Vec<SolverTrial>> {
    let mut all = Vec::new();
    for solver in solvers(puzzle) {
        let bench = bench();
        let began = Instant::now();
        let ready = solver.prepare(&bench, solver.strength());
        let prepared = began.elapsed();
        let effort = Effort {
            deadline: Instant::now().checked_add(time),
            threads: bench.threads,
            ..Effort::unbounded(bench.free(), bench.control.stop)
        };
        let outcome = ready.and_then(|ready| solve(puzzle, &*ready, state, &effort));
        if bench.control.stopped() {
            return Err(Error::interrupted("stopped before all solvers had tried"));
        }
        if let Err(error @ Error::Verification { .. }) = outcome {
            return Err(error);
        }
        all.push(SolverTrial { solver: solver.name(), prepared, outcome });
    }
    Ok(all)
}

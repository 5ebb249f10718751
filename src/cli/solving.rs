//! What the commands that solve have in common: their options, the workbench.

use std::time::{Duration, Instant};

use super::resource_args::ResourceArgs;
use crate::engine::budget::default_memory;
use crate::engine::{Control, cores};
use crate::error::{Result, usage};
use crate::puzzle::{Rules, State};
use crate::solve::{Effort, Workbench, cache};
use crate::text::parse_duration;

/// Which solver, and what it may use.
#[derive(clap::Args)]
pub struct SolverArgs {
    /// The solver, or SOLVER=STRENGTH [default: the first that `godnum solvers PUZZLE` lists]
    #[arg(long, value_name = "SOLVER")]
    pub solver: Option<String>,
    /// Time to spend on one state at the most, for example 10s [default: as much as it takes]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub time: Option<Duration>,
    #[command(flatten)]
    pub resources: ResourceArgs,
}

impl SolverArgs {
    /// A bench for a solver.
    pub fn bench<'a>(&self, control: Control<'a>) -> Workbench<'a> {
        let memory = self.resources.memory.unwrap_or_else(default_memory);
        let threads = self.resources.threads().unwrap_or_else(cores);
        Workbench::new(cache::directory(), memory, threads, control)
    }

    /// What may be spent on one state, from now on.
    pub fn effort<'a>(&self, bench: &Workbench<'a>) -> Effort<'a> {
        Effort {
            deadline: self.time.and_then(|time| Instant::now().checked_add(time)),
            memory: bench.free(),
            threads: bench.threads,
            stop: bench.control.stop,
            visited: None,
        }
    }
}

/// A state in the puzzle's notation, or the one that the puzzle is given in.
pub fn state_or_start(puzzle: &dyn Rules, text: Option<&str>) -> Result<State> {
    match text {
        Some(text) => puzzle.parse_state(text),
        None => match puzzle.start() {
            Some(start) => Ok(start),
            None => usage(format!(
                "name the state of {0} to solve; `godnum scramble {0}` prints random ones",
                puzzle.text()
            )),
        },
    }
}

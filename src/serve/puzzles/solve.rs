//! Solving, as a task.
//!
//! The puzzle of a request may have a file that cannot be read again ([`parse_given`]), so no job is
//! made for it: the table descent, which needs one, is left out there.
//!
//! [`parse_given`]: crate::puzzles::registry::parse_given

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};

use super::fields::{Seconds, read};
use super::{cache, explore, lines};
use crate::error::{Error, Result};
use crate::puzzle::Rules;
use crate::serve::TaskContext;
use crate::serve::request::TaskKind;
use crate::serve::task::{NewTask, Preparation};
use crate::solve::descent;
use crate::solve::{self, Choice, Effort, Solver, Workbench, choose_among};

/// The time for a state, unless the request says another one, and the most that it can say.
const SECONDS: f64 = 60.0;
const MOST_SECONDS: f64 = 600.0;

/// The solvers of a puzzle, the default first.
fn all_solvers(puzzle: &dyn Rules) -> Vec<Box<dyn Solver + '_>> {
    match puzzle.content() {
        Some(_) => puzzle.solvers(),
        None => solve::solvers(puzzle),
    }
}

/// Those that are offered, the default first: not those that mostly find nothing, nor a table that is neither small nor
/// in `jobs`.
pub(super) fn solvers<'p>(puzzle: &'p dyn Rules, jobs: &Path) -> Vec<Box<dyn Solver + 'p>> {
    let has_table = || explore::find(puzzle, jobs).is_ok_and(|found| found.is_some());
    let mut offered = match puzzle.content().is_none() && (descent::is_small(puzzle) || has_table()) {
        true => solve::solvers(puzzle),
        false => puzzle.solvers(),
    };
    offered.retain(|solver| solver.is_helpful());
    offered
}

/// What a task may spend, from now on.
pub(super) fn effort<'a>(context: &TaskContext<'a>, seconds: Option<Seconds>) -> Effort<'a> {
    let seconds = seconds.map_or(SECONDS, |seconds| seconds.0).min(MOST_SECONDS);
    Effort {
        deadline: Instant::now().checked_add(Duration::from_secs_f64(seconds)),
        memory: context.memory,
        threads: context.threads,
        stop: context.control.stop,
        visited: None,
    }
}

/// The task that solves a state.
pub fn task(request: &Value) -> Result<NewTask> {
    let (wanted, preparation) = SolveRequest::read(request)?;
    let text = Some(wanted.puzzle.clone());
    let mut task =
        NewTask::new(TaskKind::Solve, text, move |context| wanted.solve(solve::cache::directory(), context));
    task.preparation = Some(preparation);
    Ok(task)
}

/// What shall be solved, and how.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SolveRequest {
    puzzle: String,
    file: Option<String>,
    state: String,
    solver: Option<String>,
    seconds: Option<Seconds>,
    length_only: Option<bool>,
}

impl SolveRequest {
    /// What a request wants, and what has to be built for that; rejected if the puzzle, the state or the solver is not
    /// found.
    pub fn read(request: &Value) -> Result<(Self, Preparation)> {
        let wanted: SolveRequest = read(request)?;
        let puzzle = cache::puzzle(&wanted.puzzle, wanted.file.as_deref())?;
        puzzle.parse_state(&wanted.state)?;
        let name = wanted.choice(&*puzzle)?.full_name();
        let preparation = explore::preparation(&*puzzle, wanted.file.as_deref(), &name);
        Ok((wanted, preparation))
    }

    fn choice<'p>(&self, puzzle: &'p dyn Rules) -> Result<Choice<'p>> {
        choose_among(puzzle, all_solvers(puzzle), self.solver.as_deref())
    }

    /// Solves it, with tables in some cache.
    pub fn solve(&self, tables: Option<PathBuf>, context: &TaskContext<'_>) -> Result<Value> {
        let puzzle = cache::puzzle(&self.puzzle, self.file.as_deref())?;
        let given = &self.state;
        let state = puzzle.parse_state(given)?;
        let choice = self.choice(&*puzzle)?;
        let mut bench = Workbench::new(tables, context.memory, context.threads, context.control);
        bench.jobs = context.jobs.to_owned();
        let prepared = choice.prepare(&bench)?;
        (context.prepared)();
        let effort = Effort { memory: bench.free(), ..effort(context, self.seconds) };
        let solved = solve::solve(&*puzzle, &*prepared, &state, &effort)?;
        if solved.attempt.cut_short && context.control.stopped() {
            return Err(Error::interrupted("stopped before the state was solved"));
        }
        let moves = solved.attempt.moves.as_deref();
        let moves = moves.filter(|_| self.length_only != Some(true));
        Ok(json!({
            "solver": choice.name(),
            "seconds": solved.time.as_secs_f64(),
            "length": solved.length(),
            "optimal": solved.is_optimal(),
            "bound": solved.attempt.bound,
            "cut_short": solved.attempt.cut_short,
            "moves": moves.map(|moves| puzzle.name_moves(given, &state, moves)),
            "states": moves.map(|moves| lines(&*puzzle, given, &state, moves)),
        }))
    }
}

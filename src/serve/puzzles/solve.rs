//! Solving, as a task.
//!
//! The puzzle of a request may have a file that nobody can read again ([`parse_given`]), so no job is
//! made for it: the table descent, which needs one, is left out there.
//!
//! [`parse_given`]: crate::puzzle::registry::parse_given

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::request::Fields;
use super::{Desk, lines};
use crate::error::{Error, Result};
use crate::puzzle::Puzzle;
use crate::solve::{self, Effort, Solver, Workbench, cache, choose_among};

/// The time for a state, unless the request says another one, and the most that it can say.
const SECONDS: f64 = 60.0;
const MOST_SECONDS: f64 = 600.0;

/// The solvers of a puzzle, the default first.
pub(super) fn solvers(puzzle: &dyn Puzzle) -> Vec<Box<dyn Solver + '_>> {
    match puzzle.content() {
        Some(_) => puzzle.solvers(),
        None => solve::solvers(puzzle),
    }
}

/// What a task may spend, from now on.
pub(super) fn effort<'a>(desk: &Desk<'a>, seconds: Option<f64>) -> Effort<'a> {
    let seconds = seconds.unwrap_or(SECONDS).min(MOST_SECONDS);
    Effort {
        deadline: Instant::now().checked_add(Duration::from_secs_f64(seconds)),
        memory: desk.memory,
        threads: desk.threads,
        stop: desk.control.stop,
    }
}

/// Solves a state.
pub(super) fn solve(request: &Value, desk: &Desk<'_>) -> Result<Value> {
    solve_in(cache::directory(), request, desk)
}

/// The same with tables in some other cache.
pub(super) fn solve_in(cache: Option<PathBuf>, request: &Value, desk: &Desk<'_>) -> Result<Value> {
    let known = [
        "do",
        "puzzle",
        "file",
        "state",
        "solver",
        "seconds",
        "length_only",
    ];
    let fields = Fields::of(request, &known)?;
    let (seconds, length_only) = (fields.positive("seconds")?, fields.flag("length_only")?);
    let solver = fields.optional_text("solver")?;
    let puzzle = fields.puzzle()?;
    let given = fields.text("state")?;
    let state = puzzle.parse_state(given)?;
    let choice = choose_among(&*puzzle, solvers(&*puzzle), solver)?;
    let mut bench = Workbench::new(cache, desk.memory, desk.threads, desk.control);
    bench.jobs = desk.jobs.to_owned();
    let prepared = choice.prepare(&bench)?;
    let effort = Effort {
        memory: bench.free(),
        ..effort(desk, seconds)
    };
    let solved = solve::solve(&*puzzle, &*prepared, &state, &effort)?;
    if solved.attempt.cut_short && desk.control.stopped() {
        return Err(Error::Interrupted(
            "stopped before the state was solved".into(),
        ));
    }
    let moves = solved.attempt.moves.as_deref().filter(|_| !length_only);
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

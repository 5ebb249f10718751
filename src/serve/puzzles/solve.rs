//! Solving, as a task.
//!
//! The puzzle of a request may have a file that nobody can read again ([`parse_given`]), so no job is
//! made for it: the table descent, which needs one, is left out there.
//!
//! [`parse_given`]: crate::puzzles::registry::parse_given

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::lines;
use super::request::{Fields, Subject};
use crate::error::{Error, Result};
use crate::puzzle::Puzzle;
use crate::serve::Desk;
use crate::serve::order::What;
use crate::serve::task::Order;
use crate::solve::{self, Choice, Effort, Solver, Workbench, cache, choose_among};

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

/// The order to solve a state.
pub fn order(request: &Value) -> Result<Order> {
    let wanted = Wanted::read(request)?;
    Ok(Order {
        what: What::Solve,
        puzzle: Some(wanted.subject.text.clone()),
        job: None,
        work: Box::new(move |desk| wanted.solve(cache::directory(), desk)),
    })
}

/// What shall be solved, and how.
pub(super) struct Wanted {
    subject: Subject,
    state: String,
    solver: Option<String>,
    seconds: Option<f64>,
    length_only: bool,
}

impl Wanted {
    /// What a request wants; refused if there is no such puzzle, state or solver.
    pub fn read(request: &Value) -> Result<Self> {
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
        let wanted = Wanted {
            subject: fields.subject()?,
            state: fields.text("state")?.to_owned(),
            solver: fields.optional_text("solver")?.map(str::to_owned),
            seconds: fields.positive("seconds")?,
            length_only: fields.flag("length_only")?,
        };
        let puzzle = wanted.subject.puzzle()?;
        puzzle.parse_state(&wanted.state)?;
        wanted.choice(&*puzzle)?;
        Ok(wanted)
    }

    fn choice<'p>(&self, puzzle: &'p dyn Puzzle) -> Result<Choice<'p>> {
        choose_among(puzzle, solvers(puzzle), self.solver.as_deref())
    }

    /// Solves it, with tables in some cache.
    pub fn solve(&self, cache: Option<PathBuf>, desk: &Desk<'_>) -> Result<Value> {
        let (puzzle, given) = (self.subject.puzzle()?, &self.state);
        let state = puzzle.parse_state(given)?;
        let choice = self.choice(&*puzzle)?;
        let mut bench = Workbench::new(cache, desk.memory, desk.threads, desk.control);
        bench.jobs = desk.jobs.to_owned();
        let prepared = choice.prepare(&bench)?;
        let effort = Effort {
            memory: bench.free(),
            ..effort(desk, self.seconds)
        };
        let solved = solve::solve(&*puzzle, &*prepared, &state, &effort)?;
        if solved.attempt.cut_short && desk.control.stopped() {
            return Err(Error::Interrupted(
                "stopped before the state was solved".into(),
            ));
        }
        let moves = solved.attempt.moves.as_deref();
        let moves = moves.filter(|_| !self.length_only);
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

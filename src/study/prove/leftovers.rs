//! Solving the states that words leave, one by one.

use std::sync::OnceLock;

use crate::engine::Control;
use crate::error::{Error, Result};
use crate::puzzle::{Effort, Move, ReadySolver, Rules, Solver, State, Workbench};
use crate::solve::{self, solve};
use crate::study::StudyOptions;

/// Bytes that one attempt may take: the same wherever it is made, so that it finds the same solution.
const ATTEMPT: u64 = 256 << 20;

/// What became of a state.
pub enum Fate {
    /// It is solved within the bound.
    Solved(Vec<Move>),
    /// No solver brought it within the bound.
    Open,
    /// It needs more moves than the bound allows: this many at least.
    Refuted(u32),
}

/// The puzzle's solvers, each made ready when it is first needed.
pub struct Leftovers<'a> {
    puzzle: &'a dyn Rules,
    solvers: &'a [Box<dyn Solver + 'a>],
    ready: Vec<OnceLock<Box<dyn ReadySolver + 'a>>>,
    bench: Workbench<'a>,
    preparing: std::sync::Mutex<()>,
}

impl<'a> Leftovers<'a> {
    /// Tries the solvers in this order.
    pub fn new(
        puzzle: &'a dyn Rules,
        solvers: &'a [Box<dyn Solver + 'a>],
        options: &StudyOptions,
        memory: u64,
        control: Control<'a>,
    ) -> Self {
        let threads = options.threads.unwrap_or_else(crate::engine::cores);
        Leftovers {
            puzzle,
            solvers,
            ready: solvers.iter().map(|_| OnceLock::new()).collect(),
            bench: Workbench::new(options.cache.clone(), memory, threads, control),
            preparing: std::sync::Mutex::new(()),
        }
    }

    fn ready(&self, number: usize) -> Result<&dyn ReadySolver> {
        let _one_at_a_time = self.preparing.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if self.ready[number].get().is_none() {
            let solver = self.solvers[number].prepare(&self.bench, None)?;
            let _ = self.ready[number].set(solver);
        }
        let ready = self.ready[number].get();
        ready.map(|ready| &**ready).ok_or_else(|| Error::verification("a solver was not made ready"))
    }

    /// Solves a state in at most that many moves, if a solver can.
    pub fn solve(&self, state: &State, at_most: u32) -> Result<Fate> {
        let effort = Effort::unbounded(ATTEMPT, self.bench.control.stop);
        for number in 0..self.solvers.len() {
            let solved = solve(self.puzzle, self.ready(number)?, state, &effort)?;
            if self.bench.control.stopped() {
                return Err(Error::interrupted("stopped while states were solved one by one"));
            }
            if solved.attempt.bound > at_most {
                return Ok(Fate::Refuted(solved.attempt.bound));
            }
            match solved.attempt.moves {
                Some(moves) if moves.len() as u32 <= at_most => return Ok(Fate::Solved(moves)),
                _ => {}
            }
        }
        Ok(Fate::Open)
    }
}

/// The solvers to try: the puzzle's own, or whatever there is.
pub fn solvers(puzzle: &dyn Rules) -> Vec<Box<dyn Solver + '_>> {
    let own = puzzle.solvers();
    if own.is_empty() { solve::solvers(puzzle) } else { own }
}

//! Solvers as the rest of the program sees them: what one promises, what it is prepared with, and what
//! it finds out about a state.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::workbench::Workbench;
use super::{Move, State};
use crate::error::{Result, usage};

/// A way to solve the states of one puzzle.
///
/// It is prepared once and then tries any number of states, also from several threads:
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use godnum::engine::{Control, Silent};
/// use godnum::puzzle::{Effort, Solver, Workbench};
///
/// let tiles = godnum::puzzles::registry::parse("tiles:3x3")?;
/// let solvers = tiles.solvers();
/// let named = |solver: &&Box<dyn Solver + '_>| solver.name() == "optimal";
/// let optimal = solvers.iter().find(named).unwrap();
///
/// # let cache = std::env::temp_dir().join(format!("godnum-solver-{}", std::process::id()));
/// let (memory, stop) = (64 << 20, AtomicBool::new(false));
/// let control = Control { stop: &stop, observer: &Silent };
/// let ready = optimal.prepare(&Workbench::new(cache.clone(), memory, 1, control), None)?;
///
/// let state = tiles.parse_state("1 2 3/4 5 6/0 7 8")?;
/// let attempt = ready.attempt(&state, &Effort::unbounded(memory, &stop))?;
/// assert_eq!((attempt.moves.unwrap().len(), attempt.bound), (2, 2));
/// # let _ = std::fs::remove_dir_all(&cache);
/// # Ok::<(), godnum::error::Error>(())
/// ```
pub trait Solver: Send + Sync {
    /// One word.
    fn name(&self) -> &'static str;

    /// What it promises and what it costs, in one sentence without a full stop at its end.
    fn promise(&self) -> String;

    /// How hard it tries unless the user chooses, if that is a number: the width of a beam. The user
    /// chooses another one by writing `name=number`.
    fn strength(&self) -> Option<u64> {
        None
    }

    /// Whether it is worth offering to someone who wants a solution: not if it mostly finds none.
    fn is_helpful(&self) -> bool {
        true
    }

    /// Makes it ready: reads or builds its tables. `strength` is what the user chose, and only given
    /// if there is one by default.
    fn prepare<'a>(&'a self, bench: &Workbench<'_>, strength: Option<u64>) -> Prepared<'a>;
}

/// A solver made ready, or why it cannot be.
pub type Prepared<'a> = Result<Box<dyn ReadySolver + 'a>>;

/// A solver that is ready.
pub trait ReadySolver: Send + Sync {
    /// Tries to solve a state of the puzzle. Called by many threads at once.
    ///
    /// A state that is proven to have no solution is an error ([`unsolvable`]). A search that would
    /// need more memory than its effort allows, or more time, gives up: with the best solution it
    /// has, or none, and the lower bound that it proved.
    fn attempt(&self, state: &State, effort: &Effort<'_>) -> Result<Attempt>;
}

/// What a solver found out about a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempt {
    /// Moves from the state to a solved one, if any were found.
    pub moves: Option<Vec<Move>>,
    /// No solution has fewer moves than this: that is proven.
    pub bound: u32,
    /// Whether the effort was spent before the solver was done.
    pub cut_short: bool,
}

/// What an attempt may spend.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// The moment at which it gives up.
    pub deadline: Option<Instant>,
    /// Bytes that it may take, besides the tables that are prepared.
    pub memory: u64,
    /// Threads that it may use.
    pub threads: usize,
    /// Set by the caller to make it stop at once.
    pub stop: &'a AtomicBool,
    /// Counts the states that are visited, for a caller who wants to know.
    pub visited: Option<&'a AtomicU64>,
}

impl<'a> Effort<'a> {
    /// As much time as it takes.
    pub fn unbounded(memory: u64, stop: &'a AtomicBool) -> Self {
        Effort { deadline: None, memory, threads: 1, stop, visited: None }
    }

    /// Reports that this many more states were visited: taken up by a search to look at their neighbours, or
    /// looked up in a table.
    pub fn visit(&self, states: u64) {
        if let Some(visited) = self.visited {
            visited.fetch_add(states, Relaxed);
        }
    }

    /// Whether the attempt has to end. It looks at the clock: ask once in some thousand steps.
    pub fn is_spent(&self) -> bool {
        self.stop.load(Relaxed) || self.deadline.is_some_and(|end| Instant::now() >= end)
    }
}

/// Refuses a state that has no solution.
pub fn unsolvable<T>(why: &str) -> Result<T> {
    usage(format!("the state is well-formed, but it can never be solved: {why}"))
}

//! Solvers: the distance of one state, or at least a short way to a solved one.
//!
//! # The pieces
//!
//! - A **solver** ([`Solver`]) is a way to solve the states of one puzzle. It has a name and a
//!   promise (shortest solutions, or short ones, and on which boards), and is *prepared* once:
//!   tables are read from the user's cache, or built and put there ([`Workbench`]).
//! - What is prepared ([`ReadySolver`]) makes an [`Attempt`] at any number of states, from any number
//!   of threads at once. An attempt is a list of moves, or none, and a lower bound that is proven.
//!   If both meet, the solution is optimal.
//! - An attempt has an [`Effort`] that it may spend: memory, and time if the user bounds it. Without
//!   a bound on time the same state always gives the same attempt.
//! - [`solve`] makes an attempt and replays it by the rules of the puzzle. A solution that is
//!   illegal or does not end solved is never shown, whatever the solver did.
//!
//! [`solvers`] lists what a puzzle has, the default first; [`choose`] reads `name` or `name=strength`.
//!
//! # The searches
//!
//! They are written once, for anything that can be walked ([`Search`]); a puzzle supplies its
//! positions in a quick form, and its heuristic.
//!
//! | module | search | finds |
//! |---|---|---|
//! | [`descent`] | down the levels of a finished enumeration | shortest solutions, for any puzzle with a job |
//! | [`ida`] | iterative deepening (IDA*) with a lower bound | shortest solutions, in next to no memory |
//! | [`astar`] | breadth first, led by a lower bound (A*) | shortest solutions where the goals are many or unknown |
//! | [`depth_first`] | depth first, every position once | some solution, usually a long one; to compare with |
//! | [`bidirectional`] | from both ends, breadth first | shortest solutions on small boards and in windows |
//! | [`beam`] | breadth first, keeping the most promising positions of each level | short solutions, quickly |
//!
//! # Tables
//!
//! Pattern databases and the like are byte tables with a name and a version, kept in the cache
//! directory ([`cache`]): checksummed, and built again if they are damaged or of another version.

pub mod astar;
pub mod beam;
pub mod bidirectional;
mod choice;
pub mod compare;
pub mod depth_first;
pub mod descent;
pub mod distances;
mod first_levels;
pub mod ida;
pub mod phased;
mod search;
#[cfg(test)]
mod tests;

use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

pub use choice::{Choice, choose, choose_among, solvers};
pub use first_levels::FirstLevels;
pub use phased::SolvedPhases;
pub use search::{Keyed, Search};

use crate::error::{Error, Result};
pub use crate::puzzle::workbench as cache;
pub use crate::puzzle::{Attempt, Effort, Prepared, ReadySolver, Solver, Workbench, unsolvable};
use crate::puzzle::{Move, Rules, State};

/// A state that was tried.
#[derive(Clone, Debug)]
pub struct Solved {
    /// What the solver found, replayed.
    pub attempt: Attempt,
    /// How many states the solver visited: those that a search took up to look at their neighbours, and
    /// those that were looked up in a table.
    pub visited: u64,
    /// How long it took.
    pub time: Duration,
}

impl Solved {
    /// The number of moves, if there is a solution.
    pub fn length(&self) -> Option<u32> {
        Some(self.attempt.moves.as_ref()?.len() as u32)
    }

    /// Whether the solution is proven to be a shortest one.
    pub fn is_optimal(&self) -> bool {
        self.length().is_some_and(|length| length <= self.attempt.bound)
    }
}

/// Lets a solver try a state, and replays what it found.
pub fn solve(
    puzzle: &dyn Rules,
    solver: &dyn ReadySolver,
    state: &State,
    effort: &Effort<'_>,
) -> Result<Solved> {
    let began = Instant::now();
    let visited = AtomicU64::new(0);
    let effort = &Effort { visited: Some(&visited), ..*effort };
    let attempt = if puzzle.is_solved(state) {
        Attempt { moves: Some(Vec::new()), ..Attempt::default() }
    } else {
        solver.attempt(state, effort)?
    };
    let time = began.elapsed();
    if let Some(moves) = &attempt.moves {
        let states = replay(puzzle, state, moves)?;
        if !states.last().is_some_and(|last| puzzle.is_solved(last)) {
            return Err(wrong("it does not end in a solved state", puzzle, state));
        }
        if (moves.len() as u32) < attempt.bound {
            return Err(wrong("it is shorter than its lower bound", puzzle, state));
        }
    }
    Ok(Solved { attempt, visited: visited.into_inner(), time })
}

/// The states that legal moves lead through, the first one included.
pub fn replay(puzzle: &dyn Rules, state: &State, moves: &[Move]) -> Result<Vec<State>> {
    let mut states = vec![state.clone()];
    for &mv in moves {
        let last = states.last().unwrap_or(state);
        if !puzzle.moves(last).contains(&mv) {
            return Err(wrong("it has an illegal move", puzzle, state));
        }
        states.push(puzzle.apply(last, mv));
    }
    Ok(states)
}

fn wrong(what: &str, puzzle: &dyn Rules, state: &State) -> Error {
    Error::verification(format!(
        "a solver of {} found a wrong solution of {}: {what}. It is not shown; please report \
         this",
        puzzle.text(),
        puzzle.print_state(state)
    ))
}

//! Solvers of sliding tiles.
//!
//! | file | what it holds |
//! |---|---|
//! | `solver` | `optimal`: which tables it uses on which board |
//! | `patterns` | additive pattern databases, for moves of one tile |
//! | `optimal` | positions with their bounds by these databases, for IDA* |
//! | `pushes` | databases and positions for the push metric |
//! | `fast` | `fast`: short solutions of any board; read its essay first, then these: |
//! | `board` | boards of any size; the steps that tiles must go, a lower bound |
//! | `lines` | which row or column is solved next, and how boards are scored on the way |
//! | `beam` | the beam search that solves one line after the other |
//! | `place` | a line solved tile by tile, where the beam is stuck |
//! | `shorten` | windows of a solution made shorter |

mod beam;
mod board;
mod fast;
mod lines;
mod optimal;
mod patterns;
mod place;
mod pushes;
mod shorten;
mod solver;
#[cfg(test)]
mod tests;

pub(super) use fast::TilesFast;
pub(super) use solver::TilesOptimal;

use super::rules::TilesVariant;
use crate::error::Result;
use crate::puzzle::State;
use crate::solve::unsolvable;

/// The most cells of a board that `optimal` is for.
pub(super) const MOST_CELLS: usize = patterns::MOST_CELLS;

/// Refuses a board that no moves lead to.
fn check(variant: &TilesVariant, state: &State) -> Result<()> {
    if state.0.len() == variant.cells() && variant.is_reachable(&state.0) {
        return Ok(());
    }
    unsolvable("half of all arrangements cannot be reached by moves, and this is one of them")
}

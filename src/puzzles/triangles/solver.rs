//! The solver: a board is filled from any state on, in whatever order is quick, and the pieces are
//! then placed in reading order.

use super::Triangles;
use super::complete::{Completion, Given};
use super::hint::bytes;
use super::notation::to_move;
use super::pieces::Turned;
use crate::error::Result;
use crate::puzzle::{Move, State};
use crate::solve::{Attempt, Effort, Prepared, ReadySolver, Solver, Workbench, unsolvable};
use crate::text::pluralise;

/// The solver `search` of a puzzle.
pub(super) struct Searching<'a>(pub &'a Triangles);

impl Solver for Searching<'_> {
    fn name(&self) -> &'static str {
        "search"
    }

    fn promise(&self) -> String {
        "a solution of any state that has one, or a proof that none exists; all solutions of a \
         state have as many moves as there are empty cells, so each is optimal"
            .into()
    }

    fn prepare<'a>(&'a self, _: &Workbench<'_>, _: Option<u64>) -> Prepared<'a> {
        self.0.setting.completer();
        Ok(Box::new(Searching(self.0)))
    }
}

impl ReadySolver for Searching<'_> {
    fn attempt(&self, state: &State, effort: &Effort<'_>) -> Result<Attempt> {
        let (puzzle, placed) = (self.0, placed_pieces(self.0, state));
        let left = placed.iter().filter(|cell| cell.is_none()).count();
        let found = match puzzle.setting.completer().complete(&placed, effort, None) {
            Completion::Found(board) => Some(moves(puzzle, state, &board)),
            Completion::Spent => None,
            Completion::Impossible => {
                return unsolvable(&format!(
                    "the pieces that are left do not fit into the {}",
                    pluralise(left, "empty cell")
                ));
            }
        };
        Ok(Attempt { cut_short: found.is_none(), moves: found, bound: left as u32 })
    }
}

/// Calls `visit` with the moves of every solution of a state.
pub(super) fn all(
    puzzle: &Triangles,
    state: &State,
    effort: &Effort<'_>,
    visit: &mut dyn FnMut(&[Move]) -> bool,
) {
    let mut each = |board: &[Turned]| visit(&moves(puzzle, state, board));
    let placed = placed_pieces(puzzle, state);
    puzzle.setting.completer().all(&placed, effort, &mut each);
}

/// What lies where in a state.
fn placed_pieces(puzzle: &Triangles, state: &State) -> Given {
    let placed = state.0.iter().map(|&byte| Some(Turned::from_byte(byte)));
    let cells = puzzle.rules().board.cells.len();
    placed.chain(std::iter::repeat(None)).take(cells).collect()
}

/// From a state to a full board, cell by cell.
fn moves(puzzle: &Triangles, state: &State, board: &[Turned]) -> Vec<Move> {
    let filling = bytes(board);
    let next = board.iter().enumerate().skip(state.0.len());
    next.map(|(cell, &turned)| to_move(puzzle.rules(), &filling[..cell], turned)).collect()
}

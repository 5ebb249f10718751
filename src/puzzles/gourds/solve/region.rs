//! Shortest ways inside a few cells: the base of the recursion.
//!
//! If gourds and the hole fill a set of cells exactly, clicks on these cells never lead out of it. Up
//! to seven cells have at most 960 positions, and a search from both ends goes through them.

use std::sync::atomic::AtomicBool;

use super::super::board::{Board, cells_of};
use super::position::{Position, Walker};
use crate::puzzle::Move;
use crate::solve::{Effort, Keyed, Search, bidirectional};

/// No more cells than this are searched: their codes fit in the bytes of a key.
pub(super) const MOST: usize = 7;

struct Region<'a> {
    board: &'a Board,
    cells: &'a [u8],
    set: u64,
    target: &'a Position,
}

impl Search for Region<'_> {
    type Node = Position;

    fn expand(&self, node: &Position, _: Option<Move>, mut visit: impl FnMut(Move, Position)) {
        for cell in cells_of(self.board.neighbours(node.hole.into()) & self.set) {
            let mut after = *node;
            after.click(self.board, cell as u8);
            visit(Move(cell as u32), after);
        }
    }

    fn bound(&self, node: &Position) -> u32 {
        u32::from(!self.is_solved(node))
    }

    fn is_solved(&self, node: &Position) -> bool {
        node.agrees(self.target, self.cells)
    }
}

impl Keyed for Region<'_> {
    type Key = u64;

    fn key(&self, node: &Position) -> u64 {
        let codes = self.cells.iter().map(|&cell| node.code[usize::from(cell)]);
        codes.fold(0, |key, code| key << 8 | u64::from(code))
    }
}

/// Makes the position agree with another one on at most [`MOST`] cells that the same gourds and the
/// hole fill in both; `None` if that cannot be done there.
pub(super) fn settle(walker: &mut Walker<'_>, target: &Position, cells: &[u8]) -> Option<()> {
    let region = Region {
        board: walker.board,
        cells,
        set: cells.iter().fold(0, |set, cell| set | 1 << cell),
        target,
    };
    let never = AtomicBool::new(false);
    let effort = Effort::unbounded(u64::MAX, &never);
    // What lies elsewhere differs, but is not looked at.
    let found = bidirectional::search(&region, walker.at, [*target], &effort);
    for mv in found.moves? {
        walker.click(mv.0 as u8);
    }
    Some(())
}

//! Shortest ways inside a few cells: the base of the recursion.
//!
//! If gourds and the hole fill a set of cells exactly, clicks on these cells never lead out of it. Up
//! to seven cells have at most 960 positions, and a search from both ends goes through them.

use std::sync::atomic::AtomicBool;

use super::super::board::{HexBoard, cells_of};
use super::position::{ClickPath, EndMap};
use crate::puzzle::Move;
use crate::solve::{Effort, Keyed, Search, bidirectional};

/// No more cells than this are searched: their codes fit in the bytes of a key.
pub(super) const MOST: usize = 7;

struct Region<'a> {
    board: &'a HexBoard,
    cells: &'a [u8],
    set: u64,
    target: &'a EndMap,
}

impl Search for Region<'_> {
    type Node = EndMap;

    fn expand(&self, node: &EndMap, _: Option<Move>, mut visit: impl FnMut(Move, EndMap)) {
        for cell in cells_of(self.board.neighbours(node.hole.into()) & self.set) {
            let mut after = *node;
            after.click(self.board, cell as u8);
            visit(Move(cell as u32), after);
        }
    }

    fn bound(&self, node: &EndMap) -> u32 {
        u32::from(!self.is_solved(node))
    }

    fn is_solved(&self, node: &EndMap) -> bool {
        node.agrees(self.target, self.cells)
    }
}

impl Keyed for Region<'_> {
    type Key = u64;

    fn key(&self, node: &EndMap) -> u64 {
        let codes = self.cells.iter().map(|&cell| node.code[usize::from(cell)]);
        codes.fold(0, |key, code| key << 8 | u64::from(code))
    }
}

/// Makes the position agree with another one on at most [`MOST`] cells that the same gourds and the
/// hole fill in both; `None` if that cannot be done there.
pub(super) fn settle(path: &mut ClickPath<'_>, target: &EndMap, cells: &[u8]) -> Option<()> {
    let region =
        Region { board: path.board, cells, set: cells.iter().fold(0, |set, cell| set | 1 << cell), target };
    let never = AtomicBool::new(false);
    let effort = Effort::unbounded(u64::MAX, &never);
    // What lies elsewhere differs, but is not looked at.
    let found = bidirectional::search(&region, path.at, [*target], &effort);
    for mv in found.moves? {
        path.click(mv.0 as u8);
    }
    Some(())
}

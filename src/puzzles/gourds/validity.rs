//! Proper boards: those on which every placement can be turned into every other one.
//!
//! A board is proper if it has no cut cell, surrounds no empty place, and is not the Star of
//! David. Then it has a Hamiltonian cycle, and all placements of numbered gourds are connected.
//! On the Star seven cells, the centre and the tips, have no neighbours but the six cells between
//! them; so every gourd covers exactly one of those six, and never leaves it.

use super::board::{HexBoard, cells_of};

/// The first reason why a board is not proper.
pub(super) fn improper(board: &HexBoard) -> Option<String> {
    if let Some(cell) = cut_cell(board) {
        return Some(format!("it falls apart without cell {cell}"));
    }
    if has_hole(board) {
        return Some("it goes round a place that has no cell".to_owned());
    }
    is_star(board).then(|| "it is the Star of David".to_owned())
}

/// A cell without which the board is not connected.
fn cut_cell(board: &HexBoard) -> Option<usize> {
    cells_of(board.all()).find(|&cell| {
        let others = board.all() & !(1 << cell);
        let start = others.trailing_zeros() as usize;
        board.component(start, others) != others
    })
}

/// Whether some place without a cell cannot be reached from outside: by Euler's formula, the cells of a
/// connected board less its pairs plus its triangles of neighbours are one less the number of such holes.
fn has_hole(board: &HexBoard) -> bool {
    let (mut ends, mut corners) = (0, 0);
    for a in cells_of(board.all()) {
        for b in cells_of(board.neighbours(a)) {
            ends += 1;
            corners += (board.neighbours(a) & board.neighbours(b)).count_ones() as usize;
        }
    }
    // Each pair was met twice, and each triangle six times.
    board.size() + corners / 6 != ends / 2 + 1
}

/// Whether the board is the Star of David: its thirteen cells are recognised by their neighbours.
pub(super) fn is_star(board: &HexBoard) -> bool {
    let mut degrees: Vec<u32> =
        cells_of(board.all()).map(|cell| board.neighbours(cell).count_ones()).collect();
    degrees.sort_unstable();
    degrees == [2, 2, 2, 2, 2, 2, 5, 5, 5, 5, 5, 5, 6]
}

//! Proper boards: those on which every placement can be turned into every other one.
//!
//! A board is proper if it has no cut cell, surrounds no empty place, and is not the Star of
//! David. Then it has a Hamiltonian cycle, and all placements of numbered gourds are connected.
//! On the Star seven cells, the centre and the tips, have no neighbours but the six cells between
//! them; so every gourd covers exactly one of those six, and never leaves it.

use std::collections::HashSet;
use std::fmt;

use super::board::{Board, Point, cells_of};

/// Why a board is not proper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Improper {
    /// Without this cell the board falls apart.
    CutCell(usize),
    /// The board goes round a place that has no cell.
    Hole,
    /// The board is the Star of David.
    Star,
}

impl fmt::Display for Improper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Improper::CutCell(cell) => write!(f, "it falls apart without cell {cell}"),
            Improper::Hole => write!(f, "it goes round a place that has no cell"),
            Improper::Star => write!(f, "it is the Star of David"),
        }
    }
}

/// The first reason why a board is not proper.
pub(super) fn improper(board: &Board) -> Option<Improper> {
    if let Some(cell) = cut_cell(board) {
        Some(Improper::CutCell(cell))
    } else if has_hole(board) {
        Some(Improper::Hole)
    } else {
        is_star(board).then_some(Improper::Star)
    }
}

/// A cell without which the board is not connected.
fn cut_cell(board: &Board) -> Option<usize> {
    cells_of(board.all()).find(|&cell| {
        let others = board.all() & !(1 << cell);
        let start = others.trailing_zeros() as usize;
        board.component(start, others) != others
    })
}

/// Whether some place without a cell cannot be reached from outside.
fn has_hole(board: &Board) -> bool {
    let points: HashSet<Point> = board.points().iter().copied().collect();
    let (mut low, mut high) = (board.points()[0], board.points()[0]);
    for point in &points {
        low = Point {
            q: low.q.min(point.q),
            r: low.r.min(point.r),
        };
        high = Point {
            q: high.q.max(point.q),
            r: high.r.max(point.r),
        };
    }
    // A frame of one place all around, in axial coordinates: a slanted box.
    let inside = |point: &Point| {
        (low.q - 1..=high.q + 1).contains(&point.q) && (low.r - 1..=high.r + 1).contains(&point.r)
    };
    let places = (high.q - low.q + 3) * (high.r - low.r + 3);
    let start = Point {
        q: low.q - 1,
        r: low.r - 1,
    };
    let mut outside = HashSet::from([start]);
    let mut next = vec![start];
    while let Some(point) = next.pop() {
        for neighbour in point.neighbours() {
            if inside(&neighbour) && !points.contains(&neighbour) && outside.insert(neighbour) {
                next.push(neighbour);
            }
        }
    }
    outside.len() + points.len() != places as usize
}

/// Whether the board is the Star of David: its thirteen cells are told by their neighbours.
pub(super) fn is_star(board: &Board) -> bool {
    let mut degrees: Vec<u32> = cells_of(board.all())
        .map(|cell| board.neighbours(cell).count_ones())
        .collect();
    degrees.sort_unstable();
    degrees == [2, 2, 2, 2, 2, 2, 5, 5, 5, 5, 5, 5, 6]
}

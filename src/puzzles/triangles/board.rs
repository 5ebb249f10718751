//! The board: its cells in reading order, and the edges that two cells share.

use std::ops::{Range, RangeInclusive};

use serde::Serialize;

/// The rows of a board: the number of each, from 1, and its columns, from 1.
pub(super) type BoardRows = &'static [(u8, RangeInclusive<u8>)];

/// The hexagon of 24 cells.
pub(super) const HEXAGON: BoardRows = &[(1, 1..=5), (2, 1..=7), (3, 1..=7), (4, 1..=5)];

/// Parts of the hexagon that have a name, smallest first.
pub(super) const PARTS: &[(&str, BoardRows)] = &[
    ("tri4", &[(1, 3..=3), (2, 3..=5)]),
    ("hex6", &[(2, 3..=5), (3, 3..=5)]),
    ("tri9", &[(1, 3..=3), (2, 3..=5), (3, 2..=6)]),
    ("half12", &[(1, 1..=5), (2, 1..=7)]),
    ("band14", &[(2, 1..=7), (3, 1..=7)]),
];

/// A triangular cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Cell {
    /// Its row on the hexagon, from 1.
    pub row: u8,
    /// Its column on the hexagon, from 1.
    pub column: u8,
    /// How far right it lies: cells of different rows with the same `x` lie above each other.
    pub x: u8,
    /// Whether it points up.
    pub up: bool,
    /// The inner edge at each slot; `None` at the rim. Slots 0, 1, 2 are left, bottom, right of
    /// a cell that points up and right, top, left of one that points down, so that slot j of a
    /// cell always faces slot j of its neighbour.
    #[serde(skip)]
    pub edges: [Option<usize>; 3],
}

/// An inner edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    /// The cell that comes first in reading order.
    pub first: usize,
    /// The other cell.
    pub second: usize,
    /// The slot it is at, of both.
    pub slot: usize,
}

/// A board.
#[derive(Clone, Debug)]
pub(super) struct TriangleBoard {
    /// In reading order.
    pub cells: Vec<Cell>,
    /// In the order of their first cells.
    pub edges: Vec<Edge>,
    /// The cells of each row.
    pub rows: Vec<Range<usize>>,
}

impl TriangleBoard {
    pub fn new(rows: BoardRows) -> Self {
        let mut board = TriangleBoard { cells: Vec::new(), edges: Vec::new(), rows: Vec::new() };
        for (row, columns) in rows {
            let start = board.cells.len();
            for column in columns.clone() {
                // The short rows of the hexagon start one cell further right.
                let x = column + u8::from(matches!(row, 1 | 4));
                board.cells.push(Cell { row: *row, column, x, up: (row + x) % 2 == 1, edges: [None; 3] });
            }
            board.rows.push(start..board.cells.len());
        }
        for first in 0..board.cells.len() {
            for slot in 0..3 {
                let second = board.neighbour(first, slot);
                if let Some(second) = second.filter(|&second| second > first) {
                    let edge = Some(board.edges.len());
                    board.cells[first].edges[slot] = edge;
                    board.cells[second].edges[slot] = edge;
                    board.edges.push(Edge { first, second, slot });
                }
            }
        }
        board
    }

    /// The cell beyond the edge at a slot.
    fn neighbour(&self, cell: usize, slot: usize) -> Option<usize> {
        let Cell { row, x, up, .. } = self.cells[cell];
        let (row, x) = match (up, slot) {
            (true, 0) | (false, 2) => (row, x - 1),
            (true, 1) => (row + 1, x),
            (false, 1) => (row - 1, x),
            _ => (row, x + 1),
        };
        let at = |other: &Cell| (other.row, other.x) == (row, x);
        self.cells.iter().position(at)
    }

    /// The cell at a row and a column of the hexagon.
    pub fn at(&self, row: u8, column: u8) -> Option<usize> {
        let at = |cell: &Cell| (cell.row, cell.column) == (row, column);
        self.cells.iter().position(at)
    }

    /// The other cell at an edge.
    pub fn beyond(&self, edge: usize, cell: usize) -> usize {
        let Edge { first, second, .. } = self.edges[edge];
        first + second - cell
    }

    /// The edges between two groups of cells, in their order.
    pub fn between(&self, one: &Range<usize>, other: &Range<usize>) -> Vec<usize> {
        let joins = |edge: &Edge| one.contains(&edge.first) && other.contains(&edge.second);
        let edges = self.edges.iter().enumerate();
        edges.filter(|(_, edge)| joins(edge)).map(|e| e.0).collect()
    }

    /// The row of a board, from 0, that a cell is in, and its place in the row, from 0.
    pub fn place(&self, cell: usize) -> (usize, usize) {
        let row = self.rows.iter().position(|row| row.contains(&cell));
        let row = row.unwrap_or_default();
        (row, cell - self.rows[row].start)
    }
}

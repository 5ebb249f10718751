//! Which row or column is solved next, and how good a board is on the way to it.
//!
//! The rest of the board, a rectangle that ends in the blank's corner, loses its first row or column,
//! whichever is shorter, until it has three rows and columns at most. While a line is the target, the
//! tiles of all others count, too: a board's score is the sum of the ways of all tiles, and those of
//! the line weigh most, those of the lines after it a little more than the others. So a beam that
//! brings the line in order prefers the ways that do the most good to everything else, and later
//! lines begin half done.
//!
//! Two more things count besides the steps:
//! - A far tile costs more than its steps: the value of a way grows a little faster than its length.
//!   With plain steps, moves that bring near tiles home were taken too early.
//! - The sum alone does not see *traps*: a tile that misses between two that are where they belong (or
//!   between one and the border) cannot come in without moving one of them away, unless it waits in
//!   front of its place and the blank is there. And the blank has to come near the tile that is next:
//!   it is drawn to the nearest tile of the line that is not in its place.

use super::super::rules::TilesVariant;
use super::board::{MOST, TileBoard, distance};
use crate::puzzle::Arrow;

// What weighs how much in a score. The numbers were chosen by trial, for the shortest solutions of
// random 6x6 and 10x10 boards with a beam of width 100.

/// One step of a tile of the line.
const LINE: i32 = 1600;
/// One step of any other tile.
pub(super) const OTHER: i32 = 400;
/// Of what the line weighs more than others, each line after it has this part of the line before.
const LATER: (i32, i32) = (3, 10);
/// The second step of a way costs more than the first, the third more than the second and so on, by
/// this part of the first.
const GROWTH: (i32, i32) = (3, 16);
/// A trap.
const TRAP: i32 = 1600;
/// A step of the blank.
const BLANK: i32 = 1200;

/// The part of the board that is not solved: its first row and column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rest {
    pub row: usize,
    pub column: usize,
}

/// The rest is solved otherwise when it has at most that many rows and columns.
pub(super) const SMALL: usize = 3;

/// No cell.
const NONE: u8 = u8::MAX;

/// A row or column to be solved.
pub(super) struct TargetLine {
    /// Its cells, in order. The tile of a cell has the cell's number plus one.
    pub cells: Vec<usize>,
    /// For each cell, its neighbours among the cells that are not solved before the line; the rest of
    /// the array is [`NONE`].
    neighbours: [[u8; 4]; MOST],
    /// From one of its cells to the neighbour that is not in the line.
    inward: usize,
    /// The row of each cell.
    rows: [u8; MOST],
    /// The column of each cell.
    columns: [u8; MOST],
    /// For each tile and each cell, what the way from there weighs.
    values: Vec<i32>,
}

impl TargetLine {
    /// All lines of a board, in the order in which they are solved.
    pub fn all(variant: &TilesVariant) -> Vec<TargetLine> {
        let mut shapes = Vec::new();
        let mut rest = Rest::default();
        while let Some((cells, inward, after)) = first(variant, rest) {
            shapes.push((cells, inward, rest));
            rest = after;
        }
        (0..shapes.len()).map(|line| TargetLine::new(variant, &shapes[line..])).collect()
    }

    /// The first of some lines.
    fn new(variant: &TilesVariant, lines: &[(Vec<usize>, usize, Rest)]) -> TargetLine {
        let mut weights = [OTHER; MOST];
        let mut more = LINE - OTHER;
        for (cells, ..) in lines {
            cells.iter().for_each(|&cell| weights[cell] = OTHER + more);
            more = more * LATER.0 / LATER.1;
        }
        let mut values = vec![0; MOST * MOST];
        for home in 0..variant.cells() - 1 {
            for cell in 0..variant.cells() {
                let steps = distance(variant.columns, cell, home) as i32;
                let growth = steps * (steps - 1) / 2 * GROWTH.0;
                let way = steps * GROWTH.1 + growth;
                values[(home + 1) * MOST + cell] = weights[home] * way / GROWTH.1;
            }
        }
        let rows: [u8; MOST] = std::array::from_fn(|cell| (cell / variant.columns) as u8);
        let columns: [u8; MOST] = std::array::from_fn(|cell| (cell % variant.columns) as u8);
        let (cells, inward, rest) = &lines[0];
        let mut neighbours = [[NONE; 4]; MOST];
        for (cell, neighbours) in neighbours.iter_mut().enumerate().take(variant.cells()) {
            let all = Arrow::ALL.into_iter();
            let all = all.filter_map(|direction| variant.blank_after(cell, direction));
            let free = all.filter(|&cell| {
                usize::from(rows[cell]) >= rest.row && usize::from(columns[cell]) >= rest.column
            });
            for (place, cell) in neighbours.iter_mut().zip(free) {
                *place = cell as u8;
            }
        }
        TargetLine { cells: cells.clone(), neighbours, inward: *inward, rows, columns, values }
    }

    /// The neighbours of a cell that are not solved before the line.
    #[inline]
    pub fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let neighbours = self.neighbours[cell].into_iter();
        neighbours.take_while(|&cell| cell != NONE).map(usize::from)
    }

    /// What the ways of all tiles weigh.
    pub fn ways(&self, board: &TileBoard) -> i32 {
        let values = self.values.chunks_exact(MOST).zip(&board.places);
        values.skip(1).map(|(values, &cell)| values[usize::from(cell)]).sum()
    }

    /// What a tile's step between two cells changes about that.
    #[inline]
    pub fn step(&self, tile: u8, from: usize, to: usize) -> i32 {
        let values = usize::from(tile) * MOST;
        self.values[values + to] - self.values[values + from]
    }

    /// What counts besides the ways; `None` if the line is solved.
    #[inline]
    pub fn trouble(&self, board: &TileBoard) -> Option<i32> {
        let blank = board.blank();
        let mut nearest = u8::MAX;
        let mut traps = 0;
        let mut before_home = true;
        // The cell before, if its tile misses and the one before it does not.
        let mut open = None;
        for &cell in &self.cells {
            let place = board.place(cell + 1);
            let home = place == cell;
            if home {
                traps += open.map_or(0, |cell| self.trap(board, cell));
                open = None;
            } else {
                let way = self.rows[place].abs_diff(self.rows[blank])
                    + self.columns[place].abs_diff(self.columns[blank]);
                nearest = nearest.min(way);
                open = before_home.then_some(cell);
            }
            before_home = home;
        }
        if nearest == u8::MAX {
            return None;
        }
        traps += open.map_or(0, |cell| self.trap(board, cell));
        Some(traps * TRAP + i32::from(nearest) * BLANK)
    }

    /// 1, unless the missing tile can just slide in.
    #[inline]
    fn trap(&self, board: &TileBoard, cell: usize) -> i32 {
        let waits = board.place(cell + 1) == cell + self.inward && board.blank() == cell;
        i32::from(!waits)
    }
}

/// The cells of the first line of the rest, the step inwards, and the rest after it; `None` if the
/// rest is small.
fn first(variant: &TilesVariant, rest: Rest) -> Option<(Vec<usize>, usize, Rest)> {
    let TilesVariant { rows, columns, .. } = *variant;
    let (height, width) = (rows - rest.row, columns - rest.column);
    if height <= SMALL && width <= SMALL {
        return None;
    }
    let cell = |row: usize, column: usize| row * columns + column;
    Some(if height >= width {
        let cells = (rest.column..columns).map(|column| cell(rest.row, column));
        let row = rest.row + 1;
        (cells.collect(), columns, Rest { row, ..rest })
    } else {
        let cells = (rest.row..rows).map(|row| cell(row, rest.column));
        let column = rest.column + 1;
        (cells.collect(), 1, Rest { column, ..rest })
    })
}

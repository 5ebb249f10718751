//! Boards: sets of cells of the hexagonal grid, that is, points of the triangular lattice.
//!
//! A point has axial coordinates `(q, r)` and six neighbours, in the order E, SE, SW, W, NW, NE.
//! In a picture it stands in row `r` and column `2q + r`, so that neighbours in a row are two
//! columns apart and those in the rows above and below one column; all cells of a picture then
//! have the same parity of column plus row. The cells of a board are numbered row by row from 0.

use std::collections::BTreeSet;

/// A point of the lattice. Points are ordered row by row, like the cells of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Point {
    pub r: i32,
    pub q: i32,
}

/// The six directions, by 60 degrees each: E, SE, SW, W, NW, NE, as `(q, r)`.
const DIRECTIONS: [(i32, i32); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// The directions in which a neighbour with a larger number lies, smallest number first.
const LATER: [usize; 3] = [0, 2, 1];

/// How many directions lead to later neighbours.
pub(super) const PARTNERS: usize = LATER.len();

/// No board has more cells than this.
pub(super) const MOST_CELLS: usize = 63;

/// The largest number of neighbours that a cell can have.
pub(super) const MOST_NEIGHBOURS: usize = DIRECTIONS.len();

impl Point {
    /// The column in a picture.
    pub fn x(self) -> i32 {
        2 * self.q + self.r
    }

    /// The neighbours, by 60 degrees each.
    pub fn neighbours(self) -> [Point; 6] {
        DIRECTIONS.map(|(q, r)| Point { q: self.q + q, r: self.r + r })
    }

    /// The image under one of the twelve symmetries of the lattice that fix the origin.
    fn image(self, symmetry: usize) -> Point {
        let Point { mut q, mut r } = self;
        if symmetry >= 6 {
            (q, r) = (r, q);
        }
        for _ in 0..symmetry % 6 {
            (q, r) = (-r, q + r);
        }
        Point { q, r }
    }
}

/// The images of a set of points under the twelve symmetries of the lattice, each moved so that
/// its picture begins in row 0 and column 0 or 1. Image `i` of point `j` is at place `[i][j]`.
pub(super) fn images(points: &[Point]) -> [Vec<Point>; 12] {
    std::array::from_fn(|symmetry| {
        let turned: Vec<Point> = points.iter().map(|point| point.image(symmetry)).collect();
        let r = turned.iter().map(|point| point.r).min().unwrap_or(0);
        // A translation that keeps the rows moves columns by two.
        let x = turned.iter().map(|point| point.x() - r).min().unwrap_or(0);
        let q = (x - x.rem_euclid(2)) / 2;
        let moved = |point: Point| Point { q: point.q - q, r: point.r - r };
        turned.into_iter().map(moved).collect()
    })
}

/// The cells of a picture, row by row; what is wrong with it otherwise.
///
/// `o` is a cell, `.` is none, and `/` goes to the next row.
pub(super) fn read_picture(picture: &str) -> Result<Vec<Point>, String> {
    let mut points = Vec::new();
    let mut first: Option<(i32, i32)> = None;
    for (row, line) in (0..).zip(picture.split('/')) {
        for (column, letter) in (0..).zip(line.chars()) {
            if letter == '.' {
                continue;
            }
            let place = |x: i32, y: i32| format!("row {}, column {}", y + 1, x + 1);
            let here = place(column, row);
            if letter != 'o' {
                let letter = letter.escape_debug();
                return Err(format!(
                    "{here}: `{letter}` is neither a cell, `o`, nor a place without one, `.`"
                ));
            }
            let (x, y) = *first.get_or_insert((column, row));
            if (column + row - x - y) % 2 != 0 {
                return Err(format!(
                    "{here}: cells of a hexagonal grid are two columns apart in a row and one \
                     column apart in neighbouring rows, so this cell does not fit to the one in {}",
                    place(x, y)
                ));
            }
            // The parity of the first cell is that of all, so this is exact.
            let q = (column - row - (x + y) % 2).div_euclid(2);
            points.push(Point { q, r: row });
        }
    }
    Ok(points)
}

/// The cells of rows that are centred above each other; what is wrong with their widths
/// otherwise.
pub(super) fn centred_rows(widths: &[usize]) -> Result<Vec<Point>, String> {
    for pair in widths.windows(2) {
        if pair[0].abs_diff(pair[1]) != 1 {
            return Err(format!(
                "neighbouring rows must differ by exactly one cell, unlike {} and {}; any other \
                 board needs a picture in a file",
                pair[0], pair[1]
            ));
        }
    }
    if widths.contains(&0) {
        return Err("a row needs at least one cell".into());
    }
    let cells = widths.iter().copied().fold(0, usize::saturating_add);
    if cells > MOST_CELLS {
        return Err(format!("the board has more than {MOST_CELLS} cells"));
    }
    let widths = widths.iter().map(|&width| width as i32);
    let widest = widths.clone().max().unwrap_or(0);
    let row = |(r, width): (i32, i32)| {
        let first = widest - width;
        (0..width).map(move |place| Point { q: (first + 2 * place - r).div_euclid(2), r })
    };
    Ok((0..).zip(widths).flat_map(row).collect())
}

/// A connected set of cells, an odd number of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HexBoard {
    points: Vec<Point>,
    /// For every cell the set of its neighbours.
    neighbours: Vec<u64>,
}

impl HexBoard {
    /// The board with these cells; what is wrong with them otherwise.
    pub fn new(points: impl IntoIterator<Item = Point>) -> Result<HexBoard, String> {
        let set: BTreeSet<Point> = points.into_iter().collect();
        let size = set.len();
        if size > MOST_CELLS {
            return Err(format!("the board has more than {MOST_CELLS} cells"));
        }
        if size.is_multiple_of(2) {
            return Err(format!(
                "the board has {size} cells; it must be an odd number, so that one cell stays free \
                 beside the gourds"
            ));
        }
        if size < 3 {
            return Err("the board has a single cell, and no gourd fits on it".into());
        }
        let points = images(&set.into_iter().collect::<Vec<_>>())[0].clone();
        let place = |point: &Point| points.binary_search(point).ok();
        let around = |point: &Point| {
            let cells = point.neighbours().into_iter().filter_map(|p| place(&p));
            cells.fold(0, |set, cell| set | 1 << cell)
        };
        let neighbours = points.iter().map(around).collect();
        let board = HexBoard { points, neighbours };
        match board.all_but(board.component(0, board.all())).next() {
            None => Ok(board),
            Some(cell) => {
                Err(format!("the board is not connected: there is no way from cell 0 to cell {cell}"))
            }
        }
    }

    pub fn size(&self) -> usize {
        self.points.len()
    }

    pub fn gourds(&self) -> usize {
        self.size() / 2
    }

    /// The points of the cells, in order.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The set of all cells.
    pub fn all(&self) -> u64 {
        u64::MAX >> (64 - self.size())
    }

    pub fn neighbours(&self, cell: usize) -> u64 {
        self.neighbours[cell]
    }

    pub fn adjacent(&self, a: usize, b: usize) -> bool {
        self.neighbours[a] >> b & 1 == 1
    }

    /// A cell's neighbours with larger numbers: E, SW and SE, in the order of their numbers.
    pub fn partners(&self, cell: usize) -> [Option<usize>; PARTNERS] {
        let around = self.points[cell].neighbours();
        LATER.map(|direction| self.points.binary_search(&around[direction]).ok())
    }

    /// What can be reached from a cell inside a set of cells.
    pub fn component(&self, cell: usize, inside: u64) -> u64 {
        let mut reached = 1 << cell & inside;
        loop {
            let more = cells_of(reached).fold(reached, |set, c| set | self.neighbours[c]) & inside;
            if more == reached {
                return reached;
            }
            reached = more;
        }
    }

    /// The cells that are not in a set.
    pub fn all_but(&self, set: u64) -> impl Iterator<Item = usize> + use<> {
        cells_of(self.all() & !set)
    }

    /// The picture: rows of `o` and `.` with `/` between them.
    pub fn picture(&self) -> String {
        let height = self.points.last().map_or(0, |point| point.r + 1);
        let first = self.points.iter().map(|point| point.x()).min().unwrap_or(0);
        let last = self.points.iter().map(|point| point.x()).max().unwrap_or(0);
        let row = |r: i32| {
            let letter = |x: i32| {
                let q = (x - r).div_euclid(2);
                let point = Point { q, r };
                if point.x() == x && self.points.binary_search(&point).is_ok() { 'o' } else { '.' }
            };
            (first..=last).map(letter).collect::<String>()
        };
        (0..height).map(row).collect::<Vec<_>>().join("/")
    }

    /// The cells at points; `None` if one of them is not on the board.
    pub fn cells_at(&self, points: &[Point]) -> Option<Vec<u8>> {
        let cell = |point: &Point| self.points.binary_search(point).ok().map(|cell| cell as u8);
        points.iter().map(cell).collect()
    }

    /// The symmetries of the board: where each sends every cell. The identity comes first; on a
    /// board in one line two symmetries of the lattice can act alike, and are one here.
    pub fn symmetries(&self) -> Vec<Vec<u8>> {
        let mut symmetries: Vec<Vec<u8>> = Vec::new();
        for cells in images(&self.points).iter().filter_map(|image| self.cells_at(image)) {
            if !symmetries.contains(&cells) {
                symmetries.push(cells);
            }
        }
        symmetries
    }
}

/// The cells of a set, ascending.
pub(super) fn cells_of(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then_some(set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        cell
    })
}

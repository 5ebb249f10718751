//! A Hamiltonian cycle of a proper board, and the triangles inside it.
//!
//! The outer boundary of a proper board is a ring, because there is no cut cell. Every cell that is
//! missing lies inside it; as long as some missing cell has two neighbours that follow each other on
//! the ring, it can be put in between them. Cells with few such places go first, and chance decides
//! between equal ones: if that gets stuck, another seed begins again. Cycles of different seeds differ,
//! and methods that depend on the cycle try several. Should all seeds get stuck, a depth-first
//! search finds a cycle; one exists on every proper board (V. Gordon, Y. Orlovich and F. Werner,
//! "Hamiltonian properties of triangular grid graphs", 2008).
//!
//! A cycle through all cells is a polygon with no lattice point inside, so its inside consists of
//! N - 2 unit triangles (Pick's theorem) that hang together like a tree.

use super::super::board::{HexBoard, cells_of};
use super::ring::Ring;
use crate::random::Random;

/// How many seeds are tried before the depth-first search.
const RESTARTS: u64 = 200;
/// How many cells the depth-first search may enter.
const EFFORT: u64 = 1 << 22;

/// A cycle through all cells of a proper board; other seeds give other ones.
pub(super) fn find(board: &HexBoard, seed: u64) -> Option<Ring> {
    // A separate source for every seed and restart.
    let mut found = (0..RESTARTS).filter_map(|start| insert_all(board, &mut Random::instance(seed, start)));
    let cells = found.next().or_else(|| search(board))?;
    Some(Ring::new(cells))
}

/// Different cycles of a board, at most `most`.
pub(super) fn several(board: &HexBoard, most: u64) -> Vec<Ring> {
    let mut rings: Vec<Ring> = Vec::new();
    for ring in (0..most).map_while(|seed| find(board, seed)) {
        if !rings.contains(&ring) {
            rings.push(ring);
        }
    }
    rings
}

/// The cells along the outer boundary, clockwise from cell 0.
fn boundary(board: &HexBoard) -> Vec<u8> {
    let cell_at = |point| board.points().binary_search(&point).ok();
    let mut cells = vec![0];
    let mut cell = 0;
    // Nothing lies to the west of the first cell, nor in the row above it.
    let mut back = 3;
    while cells.len() <= board.size() {
        let around = board.points()[cell].neighbours();
        let mut ways = (1..=6).map(|turn| (back + turn) % 6);
        let next = ways.find_map(|way| Some((way, cell_at(around[way])?)));
        let Some((way, next)) = next.filter(|&(_, next)| next != 0) else {
            break;
        };
        cells.push(next as u8);
        cell = next;
        back = (way + 3) % 6;
    }
    cells
}

/// The boundary with all other cells put in; `None` if chance got stuck.
fn insert_all(board: &HexBoard, random: &mut Random) -> Option<Vec<u8>> {
    let mut ring = boundary(board);
    let mut missing = ring.iter().fold(board.all(), |set, cell| set & !(1 << cell));
    while missing != 0 {
        let gaps = |cell: usize| -> Vec<usize> {
            let near = |place: usize| board.adjacent(cell, ring[place % ring.len()].into());
            (0..ring.len()).filter(|&place| near(place) && near(place + 1)).collect()
        };
        let options: Vec<(usize, Vec<usize>)> =
            cells_of(missing).map(|cell| (cell, gaps(cell))).filter(|(_, gaps)| !gaps.is_empty()).collect();
        let fewest = options.iter().map(|(_, gaps)| gaps.len()).min()?;
        let best: Vec<_> = options.iter().filter(|(_, gaps)| gaps.len() == fewest).collect();
        let (cell, gaps) = best[random.place(best.len())];
        let gap = gaps[random.place(gaps.len())];
        ring.insert(gap + 1, *cell as u8);
        missing &= !(1 << cell);
    }
    Some(ring)
}

fn search(board: &HexBoard) -> Option<Vec<u8>> {
    let mut path = vec![0];
    let mut effort = EFFORT;
    extend(board, &mut path, board.all() & !1, &mut effort).then_some(path)
}

/// Completes a path to a cycle. Every cell that is not on it needs two neighbours that are not on it
/// either, or one of its ends; and all of them must hang together with its last cell.
fn extend(board: &HexBoard, path: &mut Vec<u8>, left: u64, effort: &mut u64) -> bool {
    let (Some(&first), Some(&last)) = (path.first(), path.last()) else {
        return false;
    };
    let (first, last) = (usize::from(first), usize::from(last));
    if left == 0 {
        return board.adjacent(first, last);
    }
    if *effort == 0 {
        return false;
    }
    *effort -= 1;
    let open = left | 1 << first | 1 << last;
    if cells_of(left).any(|cell| (board.neighbours(cell) & open).count_ones() < 2)
        || board.component(last, left | 1 << last) != left | 1 << last
    {
        return false;
    }
    let free = |cell: usize| (board.neighbours(cell) & left).count_ones();
    let mut next: Vec<usize> = cells_of(board.neighbours(last) & left).collect();
    next.sort_by_key(|&cell| free(cell));
    for cell in next {
        path.push(cell as u8);
        if extend(board, path, left & !(1 << cell), effort) {
            return true;
        }
        path.pop();
    }
    false
}

/// The unit triangles inside a cycle, as triples of cells.
pub(super) fn triangles(board: &HexBoard, ring: &Ring) -> Vec<[u8; 3]> {
    let mut triangles = Vec::new();
    for a in 0..board.size() {
        for b in cells_of(board.neighbours(a) >> a << a) {
            for c in cells_of((board.neighbours(a) & board.neighbours(b)) >> b << b) {
                if inside(board, ring, [a, b, c]) {
                    triangles.push([a as u8, b as u8, c as u8]);
                }
            }
        }
    }
    triangles
}

/// Whether the centre of a triangle lies inside a polygon: a ray from there along the row crosses an
/// odd number of sides. Coordinates are three times the axial ones, so that the centre has whole
/// ones; the ray meets no corner, because the rows of a triangle's corners never add up to a
/// multiple of three.
fn inside(board: &HexBoard, ring: &Ring, corners: [usize; 3]) -> bool {
    let points = corners.map(|cell| board.points()[cell]);
    let q: i32 = points.iter().map(|point| point.q).sum();
    let r: i32 = points.iter().map(|point| point.r).sum();
    let crossed = (0..ring.len()).filter(|&place| {
        let [a, b] = [0, 1].map(|i| board.points()[usize::from(ring.cell(place, i))]);
        let rise = b.r - a.r;
        // How far along the side the ray's row is, in thirds.
        let along = (r - 3 * a.r) * rise;
        rise != 0 && (1..3).contains(&along) && 3 * a.q + along * (b.q - a.q) > q
    });
    crossed.count() % 2 == 1
}

#[cfg(test)]
mod tests;

//! Generating proper boards cell by cell.
//!
//! A cell whose neighbours on the board form one unbroken run of two to five can be added without
//! making a cut cell or a hole, and every board without those can be made so from a triangle: a
//! disc of triangles always has a corner at its rim that lies on no edge across it, and can lose
//! that corner. The Star of David can be made, too, and has to be excluded.

use std::collections::BTreeSet;

use super::board::{HexBoard, Point, images};
use super::layout::Labels;
use super::rules::{self, Pairs};
use super::validity::is_star;
use crate::random::Random;

/// The triangle that every board begins with.
fn triangle() -> BTreeSet<Point> {
    let points = [(0, 0), (1, 0), (0, 1)];
    points.map(|(q, r)| Point { q, r }).into()
}

/// The places where a cell can be added, in the order of points.
fn places(points: &BTreeSet<Point>) -> BTreeSet<Point> {
    let around = points.iter().flat_map(|point| point.neighbours());
    around
        .filter(|place| !points.contains(place) && one_run(place.neighbours().map(|p| points.contains(&p))))
        .collect()
}

/// Whether two to five in a circle of six are set, all in a row.
fn one_run(set: [bool; 6]) -> bool {
    let size = set.iter().filter(|&&on| on).count();
    let starts = (0..6).filter(|&i| set[i] && !set[(i + 5) % 6]).count();
    starts == 1 && (2..=5).contains(&size)
}

/// The board of this many cells, an odd number of at least three, that a seed names in every
/// later version: made from a triangle, each new cell chosen among all possible places with equal chances.
pub(super) fn random(cells: usize, seed: u64) -> Result<HexBoard, String> {
    let mut random = Random::new(seed);
    loop {
        let mut points = triangle();
        while points.len() < cells {
            // There are always places around a board.
            let places: Vec<Point> = places(&points).into_iter().collect();
            points.insert(places[random.place(places.len())]);
        }
        let board = HexBoard::new(points)?;
        if !is_star(&board) {
            return Ok(board);
        }
    }
}

/// Clicks for every cell of a walk that mixes gourds.
const CLICKS: usize = 40;

/// Labels for a board, with gourds placed at random: that many colours, all of which occur on cells, or a number
/// for every cell. What a seed gives is frozen. `None` if gourds cannot be placed.
///
/// The labels of the gourds are those of the cells where they lie in a position far from the start, so that
/// there is a solution.
pub(super) fn labels(board: &HexBoard, colours: Option<usize>, seed: u64) -> Option<Labels> {
    let mut random = Random::instance(seed, 1);
    let home = walk(board, rules::default_goal(board, None)?, &mut random)?;
    let cells: Vec<u16> = match colours {
        None => (1..=board.size() as u16).collect(),
        Some(colours) => {
            let mut cells: Vec<u16> = (0..board.size())
                .map(|cell| if cell < colours { cell } else { random.place(colours) } as u16 + 1)
                .collect();
            random.shuffle(&mut cells);
            cells
        }
    };
    let gourds = home.iter().map(|pair| pair.map(|cell| cells[usize::from(cell)])).collect();
    let start = walk(board, home, &mut random)?;
    Some(Labels { coloured: colours.is_some(), cells, gourds, start, names: Vec::new() })
}

/// The position after many random clicks.
fn walk(board: &HexBoard, mut pairs: Pairs, random: &mut Random) -> Option<Pairs> {
    for _ in 0..CLICKS * board.size() {
        let clicks: Vec<usize> = rules::clicks(board, &pairs).collect();
        pairs = rules::click(board, &pairs, clicks[random.place(clicks.len())])?;
    }
    Some(pairs)
}

/// All proper boards with this number of cells, an odd one, each in one of the twelve positions
/// that turning and reflecting gives it; in a fixed order.
pub(super) fn all(cells: usize) -> Result<Vec<HexBoard>, String> {
    let start: Vec<Point> = triangle().into_iter().collect();
    let mut boards = BTreeSet::from([standing(&start)]);
    for _ in 3..cells {
        let mut larger = BTreeSet::new();
        for (_, points) in &boards {
            let points: BTreeSet<Point> = points.iter().copied().collect();
            for place in places(&points) {
                let larger_board: Vec<Point> = points.iter().copied().chain([place]).collect();
                larger.insert(standing(&larger_board));
            }
        }
        boards = larger;
    }
    let boards = boards.into_iter().map(|(_, points)| HexBoard::new(points));
    boards.filter(|board| !board.as_ref().is_ok_and(is_star)).collect()
}

/// A set of points in the position with the fewest rows, and of those in the one that begins with
/// the fewest points in a row; with the number of its last row. It is the same for all sets that
/// turning, reflecting and moving make equal.
pub(super) fn standing(points: &[Point]) -> (i32, Vec<Point>) {
    let positions = images(points).into_iter().map(|mut points| {
        points.sort_unstable();
        (points.last().map_or(0, |point| point.r), points)
    });
    let standing = positions.min_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.cmp(&a.1)));
    standing.unwrap_or_default()
}

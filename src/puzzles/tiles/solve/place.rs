//! A line solved tile by tile: never short, but sure.
//!
//! The tiles of a line are brought to their places one after the other, the last two together; those
//! that are in place are not touched again. Each time the way is searched on the cells of the tile (or
//! the two) and of the blank alone, nearest to the goal first. Such a way always exists: what is free
//! are at least two more lines of two cells or more, and there two tiles and the blank can be brought
//! to any three cells, as the others are not distinguished.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::super::rules::TilesVariant;
use super::board::{TileBoard, distance};
use super::lines::TargetLine;

/// The blank and one or two tiles: their cells.
type PlaceCells = [u8; 3];

/// Solves the line on the board; returns the cells from which tiles slide. `None` cannot happen on a
/// board that can be solved.
pub(super) fn place_line(
    variant: &TilesVariant,
    line: &TargetLine,
    board: &mut TileBoard,
) -> Option<Vec<u8>> {
    let mut slides = Vec::new();
    let (ones, pair) = line.cells.split_at(line.cells.len().checked_sub(2)?);
    let mut locked = [false; super::board::MOST];
    for &cell in ones {
        place(variant, line, &locked, board, &[cell], &mut slides)?;
        locked[cell] = true;
    }
    place(variant, line, &locked, board, pair, &mut slides)?;
    Some(slides)
}

/// Brings the tiles of one or two cells there.
fn place(
    variant: &TilesVariant,
    line: &TargetLine,
    locked: &[bool],
    board: &mut TileBoard,
    goals: &[usize],
    slides: &mut Vec<u8>,
) -> Option<()> {
    let columns = variant.columns;
    // Without a second tile the first stands for it as well.
    let goals = [*goals.first()?, *goals.last()?];
    let tiles = goals.map(|goal| goal + 1);
    let left = |cells: PlaceCells| {
        let [blank, first, second] = cells.map(usize::from);
        let ways = distance(columns, first, goals[0]) + distance(columns, second, goals[1]);
        let misplaced =
            [(first, goals[0]), (second, goals[1])].into_iter().filter(|(cell, goal)| cell != goal);
        let near = misplaced.map(|(cell, _)| distance(columns, blank, cell)).min();
        (2 * ways + near.unwrap_or(0)) as u32
    };
    let start: PlaceCells = [board.places[0], board.places[tiles[0]], board.places[tiles[1]]];
    let mut before: FxHashMap<PlaceCells, (PlaceCells, u32)> = FxHashMap::default();
    before.insert(start, (start, 0));
    let mut queue = BinaryHeap::from([Reverse((left(start), 0, start))]);
    let mut reached = None;
    while let Some(Reverse((_, steps, cells))) = queue.pop() {
        let [blank, first, second] = cells;
        if usize::from(first) == goals[0] && usize::from(second) == goals[1] {
            reached = Some(cells);
            break;
        }
        if before.get(&cells).is_some_and(|&(_, best)| best < steps) {
            continue;
        }
        for from in line.neighbours(blank.into()) {
            if locked[from] {
                continue;
            }
            let from = from as u8;
            let travel = |cell| if cell == from { blank } else { cell };
            let after = [from, travel(first), travel(second)];
            let known = before.get(&after).map(|&(_, steps)| steps);
            if known.is_none_or(|known| steps + 1 < known) {
                before.insert(after, (cells, steps + 1));
                queue.push(Reverse((steps + 1 + left(after), steps + 1, after)));
            }
        }
    }
    let mut way = Vec::new();
    let mut cells = reached?;
    while cells != start {
        way.push(cells[0]);
        cells = before.get(&cells)?.0;
    }
    for &from in way.iter().rev() {
        board.slide(from.into());
    }
    slides.extend(way.iter().rev());
    Some(())
}

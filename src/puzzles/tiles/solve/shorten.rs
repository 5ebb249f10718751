//! Solutions made shorter, piece by piece.
//!
//! First, what undoes itself goes. Then each window of a solution, that many moves long, is searched for
//! a shorter way between its two ends: depth first, with the steps that the tiles are away from the
//! window's end as the lower bound. A window is given up after a fixed number of boards, so the time
//! is bounded and the result depends on the solution only.

use super::super::rules::TilesVariant;
use super::board::{TileBoard, distance};
use crate::puzzle::Arrow;

/// Moves in a window.
const WINDOW: usize = 28;
/// From the beginning of one window to the next.
const STRIDE: usize = 7;
/// Boards that are looked at in one window.
const PATIENCE: u32 = 1500;

/// Makes a solution shorter. A solution is the list of the cells from which tiles slide.
pub(super) fn shorten(variant: &TilesVariant, start: &[u8], slides: Vec<u8>) -> Vec<u8> {
    let mut slides = slides;
    let mut board = TileBoard::new(start);
    let mut at = 0;
    while at + 2 < slides.len() {
        let end = slides.len().min(at + WINDOW);
        let mut target = board;
        for &from in &slides[at..end] {
            target.slide(from.into());
        }
        let mut window = ShortenWindow { variant, target: &target, path: Vec::new(), visited: 0 };
        let left = window.steps(&board);
        let mut board_there = board;
        // The parity of the length is fixed, and so a shorter way is shorter by two.
        let mut limit = left;
        while limit + 2 <= (end - at) as u32 && window.visited < PATIENCE {
            if window.search(&mut board_there, usize::MAX, left, limit) {
                slides.splice(at..end, window.path.iter().copied());
                break;
            }
            limit += 2;
        }
        for &from in slides.iter().skip(at).take(STRIDE) {
            board.slide(from.into());
        }
        at += STRIDE;
    }
    slides
}

/// A search for a way to one board.
struct ShortenWindow<'a> {
    variant: &'a TilesVariant,
    target: &'a TileBoard,
    path: Vec<u8>,
    visited: u32,
}

impl ShortenWindow<'_> {
    /// How many steps the tiles are away from where they are to go.
    fn steps(&self, board: &TileBoard) -> u32 {
        let cells = board.places.iter().zip(&self.target.places);
        let ways = cells.skip(1).take(self.variant.cells() - 1);
        ways.map(|(&a, &b)| distance(self.variant.columns, a.into(), b.into()) as u32).sum()
    }

    /// Whether the target was reached in at most `limit` moves, of which `left` are needed at least.
    /// The last slide left `before` as the cell where the blank was.
    fn search(&mut self, board: &mut TileBoard, before: usize, left: u32, limit: u32) -> bool {
        if left == 0 {
            return true;
        }
        self.visited += 1;
        if self.visited >= PATIENCE {
            return false;
        }
        let columns = self.variant.columns;
        let blank = board.blank();
        for direction in Arrow::ALL {
            let from = self.variant.blank_after(blank, direction);
            let Some(from) = from.filter(|&from| from != before) else {
                continue;
            };
            let goal = self.target.place(board.tiles[from].into());
            let left = left + distance(columns, blank, goal) as u32 - distance(columns, from, goal) as u32;
            if left + 1 > limit {
                continue;
            }
            self.path.push(from as u8);
            board.slide(from);
            let found = self.search(board, blank, left, limit - 1);
            board.slide(blank);
            if found {
                return true;
            }
            self.path.pop();
        }
        false
    }
}

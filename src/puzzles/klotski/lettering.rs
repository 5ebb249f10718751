//! The letters of blocks while they move.
//!
//! A state knows the shapes of blocks, not their names: printed on its own, its blocks get letters in
//! reading order. On the way from one state to another a block keeps the letter that it had in the
//! first one, as it was given.

use super::grid::letters;
use super::rules::{Board, Shift};

/// What each cell shows.
#[derive(Clone, Debug)]
pub(super) struct Lettering(pub Vec<char>);

impl Lettering {
    /// The letters of a state as it was written; a text that does not fit counts for nothing.
    pub fn new(board: &Board, state: &[u8], given: &str) -> Self {
        let rows = given.trim().split(['/', '\n']).map(str::trim);
        let shown: Vec<char> = rows.flat_map(str::chars).collect();
        let own = letters(board, state);
        let fits = shown.len() == own.len()
            && shown
                .iter()
                .zip(&own)
                .all(|(a, b)| (*a == '.') == (*b == '.'));
        Lettering(if fits { shown } else { own })
    }

    /// The letter of the block that begins at a cell.
    pub fn letter(&self, cell: usize) -> char {
        self.0.get(cell).copied().unwrap_or('?')
    }

    /// Takes the letters of a block along with it; `state` is the one before the move.
    pub fn follow(&mut self, board: &Board, state: &[u8], shift: Shift) {
        let Some(&kind) = state.get(shift.from) else {
            return;
        };
        let letter = self.letter(shift.from);
        for (from, shown) in [(shift.from, '.'), (shift.to, letter)] {
            for cell in board.cover(kind, from) {
                if let Some(place) = self.0.get_mut(cell) {
                    *place = shown;
                }
            }
        }
    }

    /// The state on one line.
    pub fn line(&self, board: &Board) -> String {
        let rows = self.0.chunks(board.columns).map(|row| row.iter().collect());
        rows.collect::<Vec<String>>().join("/")
    }
}

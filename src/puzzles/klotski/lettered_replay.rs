//! A layout on its way through moves, with the letters of its blocks.
//!
//! A state knows the shapes of blocks, not their names: printed on its own, its blocks get letters in
//! reading order. On the way from one state to another a block keeps the letter that it had in the
//! first one, as it was given.

use super::grid::{self, letters};
use super::rules::{BlockBoard, BlockMove, Metric};
use super::{drawing, notation};
use crate::error::Result;
use crate::puzzle::{Frame, Move, Replay};

/// A state, and the letter that each of its cells shows.
#[derive(Clone, Debug)]
pub(super) struct LetteredReplay<'a> {
    pub board: &'a BlockBoard,
    pub metric: Metric,
    pub state: Vec<u8>,
    letters: Vec<char>,
}

impl<'a> LetteredReplay<'a> {
    /// A state with the letters of the text that it was read from; a text that does not fit is ignored.
    pub fn new(board: &'a BlockBoard, metric: Metric, state: &[u8], given: &str) -> Self {
        let rows = given.trim().split(['/', '\n']).map(str::trim);
        let shown: Vec<char> = rows.flat_map(str::chars).collect();
        let own = letters(board, state);
        let fits =
            shown.len() == own.len() && shown.iter().zip(&own).all(|(a, b)| (*a == '.') == (*b == '.'));
        let letters = if fits { shown } else { own };
        LetteredReplay { board, metric, state: state.to_vec(), letters }
    }

    /// The letter of the block that begins at a cell.
    pub fn letter(&self, cell: usize) -> char {
        self.letters.get(cell).copied().unwrap_or('?')
    }

    /// The cell where the block with a letter begins.
    pub fn find(&self, has_letter: impl Fn(char) -> bool) -> Option<usize> {
        self.board.blocks(&self.state).find(|&cell| has_letter(self.letter(cell)))
    }

    /// The state on one line.
    pub fn line(&self) -> String {
        grid::line(self.board, &self.letters)
    }
}

impl Replay for LetteredReplay<'_> {
    fn name(&self, mv: Move) -> String {
        notation::move_name(self, mv.into())
    }

    fn read(&self, name: &str) -> Result<Move> {
        notation::parse_move(self, name).map(Move::from)
    }

    /// An illegal move changes nothing.
    fn apply(&mut self, mv: Move) {
        let shift = BlockMove::from(mv);
        let after = self.board.moved(&self.state, shift);
        if after == self.state {
            return;
        }
        let (kind, letter) = (self.state[shift.from], self.letter(shift.from));
        for (from, shown) in [(shift.from, '.'), (shift.to, letter)] {
            self.board.cover(kind, from).for_each(|cell| self.letters[cell] = shown);
        }
        self.state = after;
    }

    fn frame(&self, colour: bool) -> Frame {
        Frame { line: self.line(), picture: drawing::draw(self, None, colour) }
    }
}

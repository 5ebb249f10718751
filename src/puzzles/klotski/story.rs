//! A layout on its way through moves: every block keeps the letter that it was given.

use super::lettering::Lettering;
use super::rules::{Board, Shift};
use super::{Klotski, drawing};
use crate::puzzle::{Frame, State};

/// A state on its way, with the letters of its blocks.
pub(super) struct Story<'a> {
    board: &'a Board,
    pub state: Vec<u8>,
    pub letters: Lettering,
}

impl<'a> Story<'a> {
    pub fn new(puzzle: &'a Klotski, given: &str, state: &State) -> Self {
        Story {
            board: &puzzle.board,
            letters: puzzle.letters(state, given),
            state: state.0.clone(),
        }
    }

    pub fn go_on(&mut self, shift: Shift) {
        self.letters.follow(self.board, &self.state, shift);
        self.state = self.board.moved(&self.state, shift);
    }

    pub fn frame(&self, colour: bool) -> Frame {
        Frame {
            line: self.letters.line(self.board),
            picture: drawing::draw(self.board, &self.state, &self.letters, colour),
        }
    }
}

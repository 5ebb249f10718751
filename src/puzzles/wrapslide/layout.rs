//! From the board that people see to the cells that the index counts, and the board's symmetries.
//!
//! Inside, cells are numbered quadrant by quadrant (top left, top right, bottom left, bottom
//! right), each row by row, and colours from 0. With a fixed quadrant the board is first moved by
//! half its size both ways, so that quadrant `j` comes to position `j ^ 3`: the fixed quadrant is
//! then the last one and is left out, together with its colour, and the moves that spare it are
//! those of the top and left halves.

use super::rules::WrapslideVariant;
use crate::symmetry::{Action, Group, Points};

/// The numbering of the free cells and colours of one variant.
#[derive(Clone, Debug)]
pub(super) struct WrapslideLayout {
    variant: WrapslideVariant,
    /// The place on the board, row by row, of each inner cell.
    cells: Vec<usize>,
    /// What is added to an inner colour to get the board's.
    first_colour: u8,
}

impl WrapslideLayout {
    pub fn new(variant: WrapslideVariant) -> Self {
        let (positions, moved) = if variant.fixed { (3, 3) } else { (4, 0) };
        WrapslideLayout {
            variant,
            cells: (0..positions).flat_map(|position| variant.quadrant_cells(position ^ moved)).collect(),
            first_colour: 1 + u8::from(variant.fixed),
        }
    }

    /// How many cells each free colour fills.
    pub fn counts(&self) -> Vec<usize> {
        self.variant.counts().split_off(usize::from(self.variant.fixed))
    }

    /// Inner labels of a board.
    pub fn inner(&self, board: &[u8]) -> Vec<u8> {
        self.cells.iter().map(|&cell| board[cell] - self.first_colour).collect()
    }

    /// The board with these inner labels.
    pub fn board(&self, inner: &[u8]) -> Vec<u8> {
        let mut board = vec![1; self.variant.size * self.variant.size];
        for (&cell, &label) in self.cells.iter().zip(inner) {
            board[cell] = label + self.first_colour;
        }
        board
    }

    /// The symmetries of the board as they act on the inner cells, without those of the colours:
    /// rotations, reflections and translations by half the board, as far as they keep a fixed
    /// quadrant in its place.
    fn board_group(&self) -> Option<Group> {
        let n = self.variant.size;
        let colours = Points::plain(self.counts().len())?;
        let action = Action::new(Points::plain(n * n)?, colours)?;
        let generator = |image: &dyn Fn(usize, usize) -> (usize, usize)| {
            action.moving((0..n * n).map(|cell| {
                let (row, column) = image(cell / n, cell % n);
                (row * n + column, 0)
            }))
        };
        let generators = [
            generator(&|row, column| (column, n - 1 - row))?,
            generator(&|row, column| (row, n - 1 - column))?,
            generator(&|row, column| (row, (column + n / 2) % n))?,
        ];
        let group = Group::generate(&action, &generators)?;
        group.slot_stabiliser(&self.cells).restrict(&self.cells)
    }

    /// The whole group: board symmetries and permutations of equally frequent free colours.
    pub fn group(&self) -> Option<Group> {
        Some(self.board_group()?.with_relabellings(&self.counts()))
    }
}

//! The rules, cell by cell: slow, obvious, and the measure of the index in
//! [`space`](super::space).

use super::board::TriangleBoard;
use super::complete::Given;
use super::game::BoardPieces;
use super::pieces::{CASE, EdgeLetters, PieceSet, PlacedPiece, Turned};

/// A board and the pieces for it, as many as there are cells.
///
/// A *filling* is what lies in the first cells, in reading order, one byte for each.
#[derive(Clone, Debug)]
pub(super) struct TriangleRules {
    pub board: TriangleBoard,
    pub pieces: PieceSet,
}

impl TriangleRules {
    /// The cells next to one whose pieces do not match a piece that shows these letters there; `lies`
    /// tells what lies in a cell.
    fn clashes(
        &self,
        cell: usize,
        shown: EdgeLetters,
        turned_at: impl Fn(usize) -> Option<Turned>,
    ) -> impl Iterator<Item = usize> {
        (0..3).filter_map(move |slot| {
            let other = self.board.beyond(self.board.cells[cell].edges[slot]?, cell);
            let there = self.pieces.shown(turned_at(other)?);
            // Slots with the same number face each other.
            (there[slot] != shown[slot] ^ CASE).then_some(other)
        })
    }

    /// The first cell that a piece which shows these letters does not match in the next cell.
    pub fn clash(&self, filling: &[u8], shown: EdgeLetters) -> Option<usize> {
        let turned_at = |cell: usize| filling.get(cell).map(|&byte| Turned::from_byte(byte));
        self.clashes(filling.len(), shown, turned_at).next()
    }

    /// Whether a turned piece in a cell does not match a piece next to it.
    pub fn conflicts(&self, placed: &Given, cell: usize, turned: Turned) -> bool {
        let turned_at = |other: usize| *placed.get(other)?;
        self.clashes(cell, self.pieces.shown(turned), turned_at).next().is_some()
    }

    /// Whether all touching edges on a board match.
    pub fn agree(&self, placed: &Given) -> bool {
        let mut cells = placed.iter().enumerate();
        cells.all(|(cell, &turned)| turned.is_none_or(|turned| !self.conflicts(placed, cell, turned)))
    }

    /// The pieces of a filling as they are written.
    pub fn placed(&self, filling: &[u8]) -> Vec<PlacedPiece> {
        let placed = |byte, up| self.pieces.placed(Turned::from_byte(byte), up);
        self.board.cells.iter().zip(filling).map(|(cell, &byte)| placed(byte, cell.up)).collect()
    }

    /// The pieces on a board by their numbers.
    pub fn turned(&self, board: &BoardPieces) -> Given {
        let find = |piece: PlacedPiece| self.pieces.find(piece.shown());
        board.iter().map(|&piece| piece.and_then(find)).collect()
    }

    /// What can be put into the next cell.
    pub fn placements(&self, filling: &[u8]) -> impl Iterator<Item = Turned> {
        let room = filling.len() < self.board.cells.len();
        self.pieces.all_turned().filter(move |&turned| {
            room && !filling.iter().any(|&byte| Turned::from_byte(byte).piece == turned.piece)
                && self.clash(filling, self.pieces.shown(turned)).is_none()
        })
    }

    /// Calls `visit` with every filling there is, the empty one first, until it says no. Returns
    /// whether it never did.
    pub fn all_fillings(&self, visit: &mut impl FnMut(&[u8]) -> bool) -> bool {
        let turned: Vec<Turned> = self.pieces.all_turned().collect();
        let mut filling = Vec::with_capacity(self.board.cells.len());
        self.extend(&turned, &mut filling, 0, visit)
    }

    fn extend(
        &self,
        turned: &[Turned],
        filling: &mut Vec<u8>,
        used: u32,
        visit: &mut impl FnMut(&[u8]) -> bool,
    ) -> bool {
        if !visit(filling) {
            return false;
        }
        if filling.len() == self.board.cells.len() {
            return true;
        }
        turned.iter().all(|&next| {
            let bit = 1 << next.piece;
            if used & bit != 0 || self.clash(filling, self.pieces.shown(next)).is_some() {
                return true;
            }
            filling.push(next.byte());
            let all = self.extend(turned, filling, used | bit, visit);
            filling.pop();
            all
        })
    }
}

//! The rules, cell by cell: slow, obvious, and the measure of the index in
//! [`space`](super::space).

use super::board::Board;
use super::pieces::{CASE, Letters, Pieces, Turned};

/// A board and the pieces for it, as many as there are cells.
///
/// A *filling* is what lies in the first cells, in reading order, one byte for each.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub board: Board,
    pub pieces: Pieces,
}

impl Rules {
    /// The first touching edge that does not match if a piece that shows these letters is put
    /// into the next cell: the cell beyond it.
    pub fn clash(&self, filling: &[u8], shown: Letters) -> Option<usize> {
        let cell = filling.len();
        (0..3).find_map(|slot| {
            let other = self.board.beyond(self.board.cells[cell].edges[slot]?, cell);
            let there = self.pieces.shown(Turned::from_byte(*filling.get(other)?));
            // Slots with the same number face each other.
            (there[slot] != shown[slot] ^ CASE).then_some(other)
        })
    }

    /// The cells next to one that have a piece which does not match a turned piece there.
    pub fn clashes(
        &self,
        laid: &[Option<Turned>],
        cell: usize,
        turned: Turned,
    ) -> impl Iterator<Item = usize> {
        let shown = self.pieces.shown(turned);
        (0..3).filter_map(move |slot| {
            let other = self.board.beyond(self.board.cells[cell].edges[slot]?, cell);
            let there = self.pieces.shown((*laid.get(other)?)?);
            (there[slot] != shown[slot] ^ CASE).then_some(other)
        })
    }

    /// Whether all touching edges on a board match.
    pub fn agree(&self, laid: &[Option<Turned>]) -> bool {
        let mut cells = laid.iter().enumerate();
        cells.all(|(cell, &turned)| {
            turned.is_none_or(|turned| self.clashes(laid, cell, turned).next().is_none())
        })
    }

    /// Whether a piece is in a filling.
    pub fn used(&self, filling: &[u8], piece: u8) -> bool {
        let mut pieces = filling.iter().map(|&byte| Turned::from_byte(byte).piece);
        pieces.any(|other| other == piece)
    }

    /// What can be put into the next cell.
    pub fn placements(&self, filling: &[u8]) -> impl Iterator<Item = Turned> {
        let room = filling.len() < self.board.cells.len();
        self.pieces.all_turned().filter(move |&turned| {
            room && !self.used(filling, turned.piece)
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

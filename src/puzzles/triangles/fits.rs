//! Which pieces fit where, as a table.
//!
//! An inner edge has two letters that determine each other. We name it by one of them: the letter
//! on the side of the cell that points **up**. With that, an edge has one letter no matter from
//! which side it is looked at, and a piece fits a cell if the letters that it gives to the cell's
//! edges are those that the edges have.

use super::pieces::{ANY, CASE, PieceSet};

/// A turned piece that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fit {
    pub piece: u8,
    pub turn: u8,
    /// The letters that it gives to the edges, by slot.
    pub letters: [u8; 3],
}

/// How much each slot counts in the number of a wish.
pub(super) const WEIGHTS: [u16; 3] = [81, 9, 1];
/// How many wishes there are.
const WISHES: usize = 9 * 9 * 9;

/// The number of a wish: letters that the edges of a cell must have, by slot, or [`ANY`].
pub(super) fn wish(letters: [u8; 3]) -> usize {
    let terms = letters.iter().zip(WEIGHTS);
    terms.map(|(&l, weight)| usize::from(l) * usize::from(weight)).sum()
}

/// All turned pieces, listed for every wish.
#[derive(Clone, Debug)]
pub(super) struct Fits {
    fits: Vec<Fit>,
    /// Where the list of each wish starts: for cells that point down, then up.
    starts: [Vec<u16>; 2],
}

impl Fits {
    pub fn new(pieces: &PieceSet) -> Self {
        let mut fits = Fits { fits: Vec::new(), starts: [Vec::new(), Vec::new()] };
        for up in [false, true] {
            let given: Vec<Fit> = pieces
                .all_turned()
                .map(|turned| Fit {
                    piece: turned.piece,
                    turn: turned.turn,
                    letters: pieces.shown(turned).map(|l| if up { l } else { l ^ CASE }),
                })
                .collect();
            for number in 0..WISHES {
                fits.starts[usize::from(up)].push(fits.fits.len() as u16);
                let wanted = WEIGHTS.map(|weight| (number / usize::from(weight) % 9) as u8);
                let suits = |fit: &&Fit| {
                    let mut slots = fit.letters.iter().zip(wanted);
                    slots.all(|(&letter, wanted)| wanted == ANY || wanted == letter)
                };
                fits.fits.extend(given.iter().filter(suits));
            }
            fits.starts[usize::from(up)].push(fits.fits.len() as u16);
        }
        fits
    }

    /// The turned pieces that give a cell's edges the letters of a wish.
    #[inline(always)]
    pub fn list(&self, up: bool, wish: usize) -> &[Fit] {
        let starts = &self.starts[usize::from(up)];
        &self.fits[usize::from(starts[wish])..usize::from(starts[wish + 1])]
    }
}

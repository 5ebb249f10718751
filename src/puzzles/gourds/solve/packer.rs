//! Positions packed into bytes: small, exact, and quick to compare, for searches that keep many of them.
//!
//! The cells are walked in order, and each that is not covered yet gives one letter: the hole, or a
//! gourd that begins there, as the direction of its other end (one of three, because that end has a
//! larger number) and the code of the end at hand. There is one letter more than there are gourds,
//! each a byte. With codes of kinds, equal bytes are equal states of the puzzle.

use super::super::board::HexBoard;
use super::position::{EndMap, FREE, PLACES};

/// The letter of the hole; gourds have smaller ones.
const HOLE: u8 = u8::MAX;
/// Codes are below this number.
const CODES: u8 = 64;

/// `L` letters; boards with fewer gourds leave the last ones 0.
pub(super) type Packed<const L: usize> = [u8; L];

/// Packs and unpacks positions.
#[derive(Clone, Debug)]
pub(super) struct PositionPacker {
    pub board: HexBoard,
    /// `[cell][direction]`: the cell there.
    partners: Vec<[u8; 3]>,
    /// What a code becomes at the other end of the gourd.
    other: [u8; CODES as usize],
}

impl PositionPacker {
    /// For positions with the codes of this one.
    pub fn new(board: &HexBoard, like: &EndMap) -> PositionPacker {
        let partner = |cell: Option<usize>| cell.map_or(FREE, |cell| cell as u8);
        let mut other = [0; CODES as usize];
        for (cell, &code) in like.code.iter().enumerate().filter(|(_, code)| **code != FREE) {
            other[usize::from(code % CODES)] = like.code[usize::from(like.mate[cell])];
        }
        PositionPacker {
            board: board.clone(),
            partners: (0..board.size()).map(|cell| board.partners(cell).map(partner)).collect(),
            other,
        }
    }

    /// Packs a position; there must be room for all letters.
    #[inline]
    pub fn pack<const L: usize>(&self, at: &EndMap) -> Packed<L> {
        let mut packed = [0; L];
        let mut left = self.board.all();
        for letter in &mut packed {
            if left == 0 {
                break;
            }
            let cell = left.trailing_zeros() as usize;
            let mate = at.mate[cell];
            left &= !(1 << cell | 1u64 << mate);
            *letter = match usize::from(mate) == cell {
                true => HOLE,
                false => {
                    let [east, south_west, _] = self.partners[cell];
                    let direction = match mate {
                        mate if mate == east => 0,
                        mate if mate == south_west => 1,
                        _ => 2,
                    };
                    direction * CODES + at.code[cell]
                }
            };
        }
        packed
    }

    /// Unpacks what was packed here.
    #[inline]
    pub fn unpack<const L: usize>(&self, packed: &Packed<L>) -> EndMap {
        let mut at = EndMap { code: [FREE; PLACES], mate: std::array::from_fn(|cell| cell as u8), hole: 0 };
        let mut left = self.board.all();
        for &letter in packed {
            if left == 0 {
                break;
            }
            let cell = left.trailing_zeros() as usize;
            left &= left - 1;
            if letter == HOLE {
                at.hole = cell as u8;
                continue;
            }
            let code = letter % CODES;
            let mate = self.partners[cell][usize::from(letter / CODES) % 3];
            at.code[cell] = code;
            at.mate[cell] = mate;
            at.code[usize::from(mate) % PLACES] = self.other[usize::from(code)];
            at.mate[usize::from(mate) % PLACES] = cell as u8;
            left &= !(1u64 << (mate % 64));
        }
        at
    }
}

//! The symmetry of square boards: rows become columns.
//!
//! Transposition alone would not keep the solved board as it is, so the tiles are renamed, too: a
//! tile gets the name of the one whose place on the solved board is the mirror image of its own
//! place there. The blank's place is on the diagonal, so it remains the blank. What slid to
//! the left now slides up: moves become moves.
//!
//! On the index this is a plain way through the board: digits of the rank, tiles, mirrored tiles,
//! digits, rank. It is walked once for every state that is expanded, so it works on arrays of
//! fixed length, where the compiler knows every divisor. On boards it is the one element beside the
//! identity of [`group`].

use super::rules::TilesVariant;
use crate::symmetry::{Action, Group, Points};

/// The number of the transposed state, for one size of board; see [`transposition`].
pub(super) type Transposition = fn(u64) -> u64;

/// Transposition on the index of [`space`](super::space), for square boards that have one.
pub(super) fn transposition(size: usize) -> Option<Transposition> {
    match size {
        2 => Some(transposed::<2, 4>),
        3 => Some(transposed::<3, 9>),
        4 => Some(transposed::<4, 16>),
        _ => None,
    }
}

/// The symmetries of a puzzle, as they act on boards.
pub(super) fn group(variant: &TilesVariant) -> Option<Group> {
    let cells = variant.cells();
    let action = Action::new(Points::plain(cells)?, Points::plain(cells)?)?;
    if !variant.is_square() {
        return Group::generate(&action, &[]);
    }
    let motion = action.moving((0..cells).map(|cell| (mirrored(variant.rows, cell), 0)))?;
    let solved = variant.solved();
    Group::generate(&action, &[action.between(&motion, &solved, &solved)?])
}

/// A cell's mirror image.
pub(super) fn mirrored(size: usize, cell: usize) -> usize {
    cell % size * size + cell / size
}

/// All tiles in order, four bits for each.
const TILES: u64 = 0xFEDC_BA98_7654_3210;

/// `CELLS` must be the square of `SIZE`, and at most 16. The index must be one of a state.
fn transposed<const SIZE: usize, const CELLS: usize>(index: u64) -> u64 {
    let tiles = CELLS - 1;
    let blank = (index % CELLS as u64) as usize;
    let mut rest = index / CELLS as u64;

    // The digits of the rank. The last one is 0; the one before it is not in the rank, and makes
    // the sum of all as odd or even as the blank's row asks.
    let rows_below = SIZE - 1 - blank / SIZE;
    let mut sum = if SIZE.is_multiple_of(2) { rows_below as u64 } else { 0 };
    let mut digits = [0; CELLS];
    for place in (0..tiles - 2).rev() {
        let radix = (tiles - place) as u64;
        digits[place] = rest % radix;
        rest /= radix;
        sum += digits[place];
    }
    digits[tiles - 2] = sum % 2;

    // The board, with tiles counted from 0. A digit is a place among the tiles that are left.
    let mut left = TILES;
    let mut board = [0; CELLS];
    for place in 0..tiles {
        let shift = 4 * digits[place];
        let before = (1 << shift) - 1;
        board[place + usize::from(place >= blank)] = (left >> shift & 15) as usize;
        left = left & before | left >> 4 & !before;
    }

    // The mirrored board without the blank. The blank's cell is written, and written over by the
    // next one.
    let mut mirror = [0; CELLS];
    let mut place = 0;
    for cell in 0..CELLS {
        let from = mirrored(SIZE, cell);
        mirror[place] = mirrored(SIZE, board[from]);
        place += usize::from(from != blank);
    }

    let mut rank = 0;
    let mut unused = (1u32 << tiles) - 1;
    for (place, &tile) in mirror[..tiles - 2].iter().enumerate() {
        let smaller = (unused & ((1 << tile) - 1)).count_ones();
        rank = rank * (tiles - place) as u64 + u64::from(smaller);
        unused &= !(1 << tile);
    }
    rank * CELLS as u64 + mirrored(SIZE, blank) as u64
}

//! The number of a state: its rank among all layouts with the pieces of the puzzle.
//!
//! A state is a word: what begins at every cell that is not yet covered, in reading order, and
//! [`Fillings`] ranks such words. A move changes only the part of the word between the first and
//! the last cell that the block leaves or enters. Before it, the neighbour's word is the state's
//! own; behind it the same pieces have been used and the same cells are covered, so from there
//! on it adds the same to the rank. A [`Side`] remembers for every cell the place that a state's
//! word has reached and the rank so far, and a neighbour is ranked by walking the changed part.

use super::blocks::{Blocks, Frame, ones};
use super::rules::{BIG, Board, KINDS, SIZES, Uses};
use crate::encode::{Fillings, Piece, Place};

/// The cells of a piece of each kind that begins at bit 0.
const PATTERNS: [u64; KINDS] = [1, 1, 0b11, 0x101, 0x303];

/// The numbers of all layouts on a board.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    pub frame: Frame,
    fillings: Fillings,
}

/// A state laid out for ranking its neighbours.
#[derive(Clone, Debug)]
pub(super) struct Side {
    /// The binary digits of the kind of piece that begins at a bit; 0 also where none begins.
    digits: [u64; 3],
    /// Where a piece begins, be it an empty cell.
    begins: u64,
    /// By the bit where a piece begins: the place in the word, and the rank of what is before it;
    /// at last the whole rank. Stale where none begins.
    trail: [(Place, u64); 65],
}

impl Default for Side {
    fn default() -> Self {
        Side {
            digits: [0; 3],
            begins: 0,
            trail: [(Place::default(), 0); 65],
        }
    }
}

/// The fillings of a board; the 2x2 block only where `allowed` says.
fn fillings(board: &Board, uses: &Uses, allowed: impl Fn(usize) -> bool) -> Option<Fillings> {
    let piece = |kind: u8| {
        let cover = |cell| {
            let fits = board.fits(kind, cell) && (kind != BIG || allowed(cell));
            fits.then(|| board.cover(kind, cell).fold(0, |mask, own| mask | 1 << own))
        };
        Piece {
            covers: (0..board.cells()).map(cover).collect(),
            uses: uses[usize::from(kind)].clone(),
        }
    };
    let pieces: Vec<_> = (0..KINDS as u8).map(piece).collect();
    Fillings::new(board.cells(), &pieces)
}

impl Numbering {
    /// Prepares the tables; `None` if the board is too large for them.
    pub fn new(board: &Board, uses: &Uses) -> Option<Self> {
        Some(Numbering {
            frame: Frame::new(board),
            fillings: fillings(board, uses, |_| true)?,
        })
    }

    /// The layouts of [`new`](Numbering::new) that are solved, in the order of their numbers there.
    pub fn solved(board: &Board, uses: &Uses) -> Option<Self> {
        Some(Numbering {
            frame: Frame::new(board),
            fillings: fillings(board, uses, |cell| cell == board.goal)?,
        })
    }

    /// How many layouts there are.
    pub fn count(&self) -> u64 {
        self.fillings.count()
    }

    /// The state with a number below [`count`](Numbering::count); without any pieces otherwise.
    #[inline(always)]
    pub fn blocks(&self, number: u64) -> Blocks {
        let mut blocks = Blocks::default();
        self.fillings.unrank(number, |cell, kind| {
            blocks.0[kind] |= 1 << self.frame.bit(cell);
        });
        blocks
    }

    /// The number of a state; `None` if its pieces are not those of the puzzle.
    #[inline(always)]
    pub fn number(&self, blocks: &Blocks) -> Option<u64> {
        let digits = digits(blocks);
        self.fillings
            .rank(|cell| letter(&digits, self.frame.bit(cell)))
    }

    /// Whether the state with a number below [`count`](Numbering::count) is its own mirror image.
    #[inline(always)]
    pub fn is_symmetric(&self, number: u64) -> bool {
        let mut blocks = Blocks::default();
        let mut first_row = true;
        self.fillings.trace(number, |cell, kind, _, _| {
            let bit = self.frame.bit(cell);
            if bit >= 8 && first_row {
                // Mostly the first row tells already that it is not.
                first_row = false;
                if self.frame.mirrored(&blocks) != blocks {
                    return false;
                }
            }
            blocks.0[kind] |= 1 << bit;
            true
        });
        self.frame.mirrored(&blocks) == blocks
    }

    /// Whether a state's number is greater than that of its mirror image.
    #[inline(always)]
    pub fn is_behind_its_image(&self, blocks: &Blocks) -> bool {
        is_greater(&digits(blocks), &digits(&self.frame.mirrored(blocks)))
    }

    /// Lays out the state with a number below [`count`](Numbering::count).
    #[inline(always)]
    pub fn open(&self, number: u64, side: &mut Side) -> Blocks {
        let mut blocks = Blocks::default();
        self.fillings.trace(number, |cell, kind, place, before| {
            let bit = self.frame.bit(cell);
            blocks.0[kind] |= 1 << bit;
            side.trail[bit] = (place, before);
            true
        });
        side.trail[64].1 = number;
        side.set(&blocks);
        blocks
    }

    /// Lays out a state that has the pieces of the puzzle.
    #[inline(always)]
    pub fn lay_out(&self, blocks: &Blocks, side: &mut Side) {
        side.set(blocks);
        let mut place = self.fillings.start();
        let mut rank = 0;
        for bit in ones(side.begins) {
            side.trail[bit] = (place, rank);
            let (next, more) = self.fillings.step(place, letter(&side.digits, bit));
            (place, rank) = (next, rank + more);
        }
        side.trail[64].1 = rank;
    }

    /// The number of the neighbour that a legal move leads to.
    #[inline(always)]
    pub fn neighbour(&self, side: &Side, kind: usize, from: usize, to: usize) -> u64 {
        let digits = side.moved(kind, from, to);
        let pattern = PATTERNS[kind];
        let begins = (side.begins | pattern << from) & !((pattern ^ 1) << to);
        let first = from.min(to);
        let (height, width) = SIZES[kind];
        let last = from.max(to) + 8 * (height - 1) + width - 1;
        let behind = begins & (!0 << last << 1);
        let (mut place, mut rank) = side.trail[first];
        for bit in ones((begins ^ behind) & (!0 << first)) {
            let (next, more) = self.fillings.step(place, letter(&digits, bit));
            (place, rank) = (next, rank + more);
        }
        rank + side.trail[64].1 - side.trail[behind.trailing_zeros() as usize].1
    }
}

impl Side {
    #[inline(always)]
    fn set(&mut self, blocks: &Blocks) {
        self.digits = digits(blocks);
        self.begins = blocks.0.iter().fold(0, |all, mask| all | mask);
    }

    /// The digits after a move.
    #[inline(always)]
    pub fn moved(&self, kind: usize, from: usize, to: usize) -> [u64; 3] {
        let changed = 1 << from | 1 << to;
        let digit = |i: usize| self.digits[i] ^ if kind >> i & 1 != 0 { changed } else { 0 };
        [digit(0), digit(1), digit(2)]
    }
}

/// Whether the word with the first digits comes behind the word with the second: at the first bit
/// where they differ it has the greater kind.
#[inline(always)]
pub(super) fn is_greater(one: &[u64; 3], other: &[u64; 3]) -> bool {
    let differ = (one[0] ^ other[0]) | (one[1] ^ other[1]) | (one[2] ^ other[2]);
    // Equal words have no such bit; any will do for them.
    let bit = differ.trailing_zeros() as usize & 63;
    letter(one, bit) > letter(other, bit)
}

#[inline(always)]
fn digits(blocks: &Blocks) -> [u64; 3] {
    let [_, single, lying, standing, big] = blocks.0;
    [single | standing, lying | standing, big]
}

/// The kind that begins at a bit.
#[inline(always)]
fn letter(digits: &[u64; 3], bit: usize) -> usize {
    let digit = |i: usize| (digits[i] >> bit & 1) as usize;
    digit(0) | digit(1) << 1 | digit(2) << 2
}

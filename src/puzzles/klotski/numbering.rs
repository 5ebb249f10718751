//! The number of a state: its rank among all layouts with the pieces of the puzzle.
//!
//! A state is a word: what begins at every cell that is not yet covered, in reading order, and
//! [`Fillings`] ranks such words. A move changes only the part of the word between the first and
//! the last cell that the block leaves or enters. Before it, the neighbour's word is the state's
//! own; behind it the same pieces have been used and the same cells are covered, so from there
//! on it adds the same to the rank. A [`RankedLayout`] remembers for every cell the place that a state's
//! word has reached and the rank so far, and a neighbour is ranked by walking the changed part.
//!
//! The numbers of a batch ascend, so that most states begin like the one before. What they have in
//! common is not walked again, neither in the state nor in its mirror image: both are words in rows.

use super::blocks::{BitBoard, Blocks, ones};
use super::rules::{BIG, BlockBoard, KINDS, SIZES, Uses};
use crate::encode::{FillingNode, FillingStep, Fillings, Piece};

/// The cells of a piece of each kind that begins at bit 0.
const PATTERNS: [u64; KINDS] = [1, 1, 0b11, 0x101, 0x303];

/// The numbers of all layouts on a board.
#[derive(Clone, Debug)]
pub(super) struct LayoutNumbering {
    pub frame: BitBoard,
    fillings: Fillings,
}

/// A state prepared for ranking its neighbours.
#[derive(Clone, Debug)]
pub(super) struct RankedLayout {
    /// The binary digits of the kind of piece that begins at a bit; 0 also where none begins.
    digits: [u64; 3],
    /// Where a piece begins, be it an empty cell.
    begins: u64,
    /// By the bit where a piece begins: the place in the word, and the rank of what is before it;
    /// at last the whole rank. Stale where none begins.
    trail: [(FillingNode, u64); 65],
    /// Likewise the end of the ranks of all states that are alike before that bit; only of a state that
    /// was opened by its number.
    ends: [u64; 64],
    /// The pieces of a state that was opened by its number.
    blocks: Blocks,
}

impl Default for RankedLayout {
    fn default() -> Self {
        RankedLayout {
            digits: [0; 3],
            begins: 0,
            trail: [(FillingNode::default(), 0); 65],
            ends: [0; 64],
            blocks: Blocks::default(),
        }
    }
}

impl LayoutNumbering {
    /// Prepares the tables; `None` if the board is too large for them.
    pub fn new(board: &BlockBoard, uses: &Uses) -> Option<Self> {
        LayoutNumbering::with_big_at(board, uses, |_| true)
    }

    /// The layouts of [`new`](LayoutNumbering::new) that are solved, in the order of their numbers there.
    pub fn solved(board: &BlockBoard, uses: &Uses) -> Option<Self> {
        LayoutNumbering::with_big_at(board, uses, |cell| cell == board.goal)
    }

    /// Layouts with the 2x2 block only where it is `allowed`.
    fn with_big_at(board: &BlockBoard, uses: &Uses, allowed: impl Fn(usize) -> bool) -> Option<Self> {
        let pieces = (0..).zip(uses).map(|(kind, uses)| {
            let cover = |cell| {
                let fits = board.fits(kind, cell) && (kind != BIG || allowed(cell));
                fits.then(|| board.cover(kind, cell).fold(0, |mask, own| mask | 1 << own))
            };
            Piece { covers: (0..board.cells()).map(cover).collect(), uses: uses.clone() }
        });
        let fillings = Fillings::new(board.cells(), &pieces.collect::<Vec<_>>())?;
        Some(LayoutNumbering { frame: BitBoard::new(board), fillings })
    }

    pub fn count(&self) -> u64 {
        self.fillings.count()
    }

    /// The state with a number below [`count`](LayoutNumbering::count); without any pieces otherwise.
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
        self.fillings.rank(|cell| letter(&digits, self.frame.bit(cell)))
    }

    /// Whether the state with a number below [`count`](LayoutNumbering::count) is its own mirror image.
    #[inline(always)]
    pub fn is_symmetric(&self, number: u64) -> bool {
        let mut blocks = Blocks::default();
        let mut first_row = true;
        self.fillings.trace(self.fillings.first(), number, |cell, kind, _| {
            let bit = self.frame.bit(cell);
            if bit >= 8 && first_row {
                // Mostly the first row shows already that it is not.
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

    /// Prepares the state with a number below [`count`](LayoutNumbering::count). What was opened before must
    /// be of the same numbering.
    #[inline(always)]
    pub fn open(&self, number: u64, side: &mut RankedLayout) -> Blocks {
        let (from, step) = side.common_step(number).unwrap_or((0, self.fillings.first()));
        let mut blocks = side.blocks;
        for mask in &mut blocks.0 {
            *mask &= (1 << from) - 1;
        }
        self.fillings.trace(step, number, |cell, kind, step| {
            let bit = self.frame.bit(cell);
            blocks.0[kind] |= 1 << bit;
            side.trail[bit] = (step.node, step.start);
            side.ends[bit] = step.end;
            true
        });
        side.trail[64].1 = number;
        side.blocks = blocks;
        side.set(&blocks);
        blocks
    }

    /// Prepares a state that has the pieces of the puzzle. What was prepared before must be of the same
    /// numbering.
    #[inline(always)]
    pub fn prepare(&self, blocks: &Blocks, side: &mut RankedLayout) {
        let (digits, begins) = (side.digits, side.begins);
        side.set(blocks);
        let changed = (0..3).fold(begins ^ side.begins, |bits, i| bits | digits[i] ^ side.digits[i]);
        if changed == 0 {
            return;
        }
        // In both of them a piece begins at the first bit that differs.
        let same = (1 << changed.trailing_zeros()) - 1;
        let (mut place, mut rank) = match side.begins & same {
            0 => (self.fillings.start(), 0),
            _ => side.trail[changed.trailing_zeros() as usize],
        };
        for bit in ones(side.begins & !same) {
            side.trail[bit] = (place, rank);
            let (next, more) = self.fillings.step(place, letter(&side.digits, bit));
            (place, rank) = (next, rank + more);
        }
        side.trail[64].1 = rank;
    }

    /// The number of the neighbour that a legal move leads to.
    #[inline(always)]
    pub fn neighbour(&self, side: &RankedLayout, kind: usize, from: usize, to: usize) -> u64 {
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

impl RankedLayout {
    /// The last step of the state that was opened before which the state with this number has, too,
    /// and the bit where it is.
    #[inline(always)]
    fn common_step(&self, number: u64) -> Option<(usize, FillingStep)> {
        let mut begins = self.begins;
        while begins != 0 {
            let bit = begins.ilog2() as usize;
            let (node, start) = self.trail[bit];
            let step = FillingStep { node, start, end: self.ends[bit] };
            if (step.start..step.end).contains(&number) {
                return Some((bit, step));
            }
            begins ^= 1 << bit;
        }
        None
    }

    #[inline(always)]
    fn set(&mut self, blocks: &Blocks) {
        self.digits = digits(blocks);
        self.begins = blocks.0.iter().fold(0, |all, mask| all | mask);
    }

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

//! The fast form of a state: one mask of cells for each kind of piece, and moves as shifts of them.
//!
//! Every row has eight bits, no matter how many columns there are: row r, column c is bit 8r + c,
//! so that the distances between neighbours are constants, and exchanging left and right is
//! reversing the bits of every byte. A mask has the bits of the upper left cells of all pieces of
//! its kind. What leaves a row at one end would come in at the other end of the next: masks of
//! allowed cells prevent that.

use super::rules::{BlockBoard, COVERED, KINDS, Metric, SIZES};

/// All cells but those of the first column, where nothing arrives that goes right.
const NOT_FIRST: u64 = !0x0101_0101_0101_0101;
/// All cells but those of the eighth column, where nothing arrives that goes left.
const NOT_LAST: u64 = !0x8080_8080_8080_8080;

/// How far a bit goes up, down, left and right.
const DISTANCES: [isize; 4] = [-8, 8, -1, 1];

/// A state: for every kind of piece where one begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Blocks(pub [u64; KINDS]);

/// The board in this form.
#[derive(Clone, Debug)]
pub(super) struct BitBoard {
    columns: u32,
    /// Where a piece of each kind can begin so that it lies on the board.
    fits: [u64; KINDS],
    /// The bit of every cell.
    bits: Box<[u8]>,
}

impl BitBoard {
    pub fn new(board: &BlockBoard) -> Self {
        let bit = |cell| cell / board.columns * 8 + cell % board.columns;
        let mut fits = [0; KINDS];
        for (kind, fits) in (0..).zip(&mut fits) {
            let cells = (0..board.cells()).filter(|&cell| board.fits(kind, cell));
            cells.for_each(|cell| *fits |= 1u64 << bit(cell));
        }
        BitBoard {
            columns: board.columns as u32,
            fits,
            bits: (0..board.cells()).map(|cell| bit(cell) as u8).collect(),
        }
    }

    #[inline(always)]
    pub fn bit(&self, cell: usize) -> usize {
        usize::from(self.bits[cell])
    }

    /// From the form of [`rules`](super::rules).
    pub fn blocks(&self, cells: &[u8]) -> Blocks {
        let mut blocks = Blocks::default();
        for (&bit, &kind) in self.bits.iter().zip(cells) {
            if let Some(mask) = blocks.0.get_mut(usize::from(kind)) {
                *mask |= 1 << bit;
            }
        }
        blocks
    }

    /// To the form of [`rules`](super::rules).
    pub fn cells(&self, blocks: &Blocks) -> Vec<u8> {
        let begins = |bit: u8| (0..).zip(blocks.0).find(|(_, mask)| mask >> bit & 1 != 0);
        let kind = |&bit: &u8| begins(bit).map_or(COVERED, |(kind, _)| kind);
        self.bits.iter().map(kind).collect()
    }

    /// The state with left and right exchanged.
    #[inline(always)]
    pub fn mirrored(&self, blocks: &Blocks) -> Blocks {
        let mut mirrored = *blocks;
        for (kind, mask) in mirrored.0.iter_mut().enumerate() {
            // The bits of every byte reversed; then a piece begins at what was its last column.
            let reversed = mask.reverse_bits().swap_bytes() >> (8 - self.columns);
            *mask = reversed >> (SIZES[kind].1 - 1);
        }
        mirrored
    }

    /// Where a piece of a kind that begins at a bit begins after left and right were exchanged.
    #[inline(always)]
    pub fn mirrored_bit(&self, kind: usize, bit: usize) -> usize {
        (bit & !7) + self.columns as usize - SIZES[kind].1 - (bit & 7)
    }

    /// Visits all moves: the kind of the block, the bit where it begins, and the one where it will.
    #[inline(always)]
    pub fn moves(&self, metric: Metric, blocks: &Blocks, mut visit: impl FnMut(usize, usize, usize)) {
        let doors = [
            doors::<1, 1>(blocks.0[0], self.fits[1]),
            doors::<1, 2>(blocks.0[0], self.fits[2]),
            doors::<2, 1>(blocks.0[0], self.fits[3]),
            doors::<2, 2>(blocks.0[0], self.fits[4]),
        ];
        for (number, doors) in doors.iter().enumerate() {
            let kind = number + 1;
            let begin = blocks.0[kind];
            if metric == Metric::Move {
                let [up, down, left, right] = doors;
                let movable = begin & (up << 8 | down >> 8 | left << 1 | right >> 1);
                for from in ones(movable) {
                    let reached = self.reached(blocks.0[0], kind, from);
                    ones(reached).for_each(|to| visit(kind, from, to));
                }
                continue;
            }
            for (way, door) in doors.iter().enumerate() {
                let mut arrived = shifted(begin, way) & door;
                let mut distance = DISTANCES[way];
                while arrived != 0 {
                    for to in ones(arrived) {
                        visit(kind, to.wrapping_add_signed(-distance), to);
                    }
                    if metric == Metric::Step {
                        break;
                    }
                    arrived = shifted(arrived, way) & door;
                    distance += DISTANCES[way];
                }
            }
        }
    }

    /// Where else the block that begins at `from` can get to by any path.
    #[inline(always)]
    fn reached(&self, empty: u64, kind: usize, from: usize) -> u64 {
        let (height, width) = SIZES[kind];
        let start = 1 << from;
        // The block's own cells are free for it.
        let wide = start | start << (width - 1);
        let free = empty | wide | wide << (8 * (height - 1));
        let free = free & free >> (width - 1);
        let room = free & free >> (8 * (height - 1)) & self.fits[kind];
        let mut reached = start;
        loop {
            let sideways = reached << 1 & NOT_FIRST | reached >> 1 & NOT_LAST;
            let further = (reached | reached << 8 | reached >> 8 | sideways) & room;
            if further == reached {
                return reached & !start;
            }
            reached = further;
        }
    }
}

/// For each direction, where a block of this size may arrive with a step in that direction: the
/// cells that it did not cover before must be empty.
#[inline(always)]
fn doors<const HEIGHT: usize, const WIDTH: usize>(empty: u64, fits: u64) -> [u64; 4] {
    let row = empty & empty >> (WIDTH - 1);
    let column = empty & empty >> (8 * (HEIGHT - 1));
    [
        row & fits,
        row >> (8 * (HEIGHT - 1)) & fits,
        column & fits & NOT_LAST,
        column >> (WIDTH - 1) & fits & NOT_FIRST,
    ]
}

/// All bits one step in a direction.
#[inline(always)]
fn shifted(mask: u64, way: usize) -> u64 {
    match way {
        0 => mask >> 8,
        1 => mask << 8,
        2 => mask >> 1,
        _ => mask << 1,
    }
}

/// The bits of a mask, from the lowest on.
#[inline(always)]
pub(super) fn ones(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            bit
        })
    })
}

//! The quick form of a board: one word for each quadrant, in which every colour has a lane.
//!
//! A lane has 16 bits and holds the cells of the quadrant that have the colour, **cell 0 being the
//! most significant** of as many bits as a quadrant has cells. A slide then moves bits between two
//! words, by the same distance in all lanes: a few shifts do it for all colours at once.

use super::super::rules::{Half, HalfSlide, WrapslideVariant};
use crate::puzzle::Move;

/// A board: the quadrants top left, top right, bottom left, bottom right.
pub(super) type Lanes = [u64; 4];

/// The cells of a set by quadrants: one lane of a board, or several together.
pub(super) type LaneCells = [u16; 4];

/// A number in every lane.
const fn everywhere(bits: u64) -> u64 {
    bits * 0x0001_0001_0001_0001
}

/// How slides move bits on boards with one size of quadrants.
#[derive(Clone, Debug)]
pub(super) struct Slides {
    /// Rows of a quadrant.
    side: usize,
    up: Vec<QuadrantShift>,
    left: Vec<QuadrantShift>,
}

/// A slide by less than half the board: what stays in a quadrant moves up by `by` bits, and what
/// leaves it comes into the other one `back` bits further down.
#[derive(Clone, Copy, Debug)]
struct QuadrantShift {
    by: usize,
    back: usize,
    stays: u64,
    comes: u64,
}

impl QuadrantShift {
    #[inline(always)]
    fn apply(&self, first: u64, second: u64) -> (u64, u64) {
        let image =
            |here: u64, there: u64| (here << self.by) & self.stays | (there >> self.back) & self.comes;
        (image(first, second), image(second, first))
    }
}

impl Slides {
    /// For quadrants of `side` rows (2, 3 or 4).
    pub fn new(side: usize) -> Self {
        let row = (1u64 << side) - 1;
        let rows = |bits: u64| (0..side).fold(0, |all, r| all | bits << (r * side));
        let shift = |by: usize, width: usize, stays: u64, comes: u64| QuadrantShift {
            by,
            back: width - by,
            stays: everywhere(stays),
            comes: everywhere(comes),
        };
        let cells = side * side;
        let all = (1u64 << cells) - 1;
        Slides {
            side,
            up: (0..side)
                .map(|k| {
                    let by = k * side;
                    shift(by, cells, all << by & all, (1 << by) - 1)
                })
                .collect(),
            left: (0..side).map(|k| shift(k, side, rows(row << k & row), rows((1 << k) - 1))).collect(),
        }
    }

    /// The board after a slide.
    #[inline(always)]
    pub fn slid(&self, board: &Lanes, slide: HalfSlide) -> Lanes {
        let (first, second, shifts) = match slide.half {
            Half::Top => (0, 1, &self.left),
            Half::Bottom => (2, 3, &self.left),
            Half::Left => (0, 2, &self.up),
            Half::Right => (1, 3, &self.up),
        };
        // Half the board exchanges the two quadrants.
        let (here, there, cells) = match slide.cells >= self.side {
            true => (board[second], board[first], slide.cells - self.side),
            false => (board[first], board[second], slide.cells),
        };
        let mut after = *board;
        if let Some(shift) = shifts.get(cells) {
            (after[first], after[second]) = shift.apply(here, there);
        }
        after
    }
}

/// The slides that are worth a try: by half the board, the top half does what the bottom half does but
/// for a translation of the whole, and so does the left half for the right one.
pub(super) fn distinct_slides(variant: &WrapslideVariant) -> Vec<HalfSlide> {
    let half = variant.half();
    let twice = |slide: &HalfSlide| slide.cells == half && matches!(slide.half, Half::Top | Half::Left);
    variant.slides().filter(|slide| !twice(slide)).collect()
}

/// Calls `visit` with the slides that are worth a try after the last move, and the boards that they make.
#[inline(always)]
pub(super) fn expand_slides(
    slides: &Slides,
    moves: &[HalfSlide],
    unit: bool,
    node: &Lanes,
    last: Option<Move>,
    mut visit: impl FnMut(Move, Lanes),
) {
    let last = last.and_then(HalfSlide::from_move).map(|slide| slide.half);
    for &slide in moves {
        // Slides of one half in a row are one slide; opposite halves do not touch each other.
        let skipped = match (last, slide.half) {
            (Some(Half::Bottom), Half::Top) | (Some(Half::Right), Half::Left) => true,
            (Some(last), half) => last == half && !unit,
            (None, _) => false,
        };
        if !skipped {
            visit(slide.into(), slides.slid(node, slide));
        }
    }
}

/// A number that differs for different boards but for rare accidents. Translations by half the board exchange
/// quadrants: the greatest one leads, so that they share it.
pub(super) fn fingerprint(board: &Lanes) -> u64 {
    let mut lead = 0;
    for position in 1..4 {
        if board[position] > board[lead] {
            lead = position;
        }
    }
    let mut hash = 0u64;
    for position in 0..4 {
        hash = (hash ^ board[lead ^ position]).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    hash
}

/// Whether every colour fills whole quadrants, and with three colours the small ones lie as they shall.
pub(super) fn is_goal(variant: &WrapslideVariant, board: &Lanes) -> bool {
    let full = ((1u32 << variant.quadrant()) - 1) as u16;
    let place = |colour: usize| cells_of(board, colour).iter().position(|&cells| cells == full);
    let places: Option<Vec<usize>> = (0..variant.colours - 1).map(place).collect();
    places.is_some_and(|places| {
        variant.colours != 3 || variant.any || variant.fixed || places[0] ^ places[1] != 3
    })
}

/// A board, given row by row with colours from 1, in its quick form.
pub(super) fn lanes(variant: &WrapslideVariant, board: &[u8]) -> Lanes {
    let last = variant.quadrant() - 1;
    std::array::from_fn(|quadrant| {
        let cells = variant.quadrant_cells(quadrant).enumerate();
        cells.fold(0, |word, (number, cell)| {
            let colour = usize::from(board[cell]) - 1;
            word | 1 << (16 * colour + last - number)
        })
    })
}

/// The cells of one colour, counted from 0.
#[inline(always)]
pub(super) fn cells_of(board: &Lanes, colour: usize) -> LaneCells {
    // A loop, because `map` on arrays is not always inlined.
    let mut cells = [0; 4];
    for (cells, word) in cells.iter_mut().zip(board) {
        *cells = (word >> (16 * colour)) as u16;
    }
    cells
}

/// The cells of either of two colours.
#[inline(always)]
pub(super) fn cells_of_both(board: &Lanes, one: usize, other: usize) -> LaneCells {
    let mut cells = [0; 4];
    for (cells, word) in cells.iter_mut().zip(board) {
        *cells = (word >> (16 * one)) as u16 | (word >> (16 * other)) as u16;
    }
    cells
}

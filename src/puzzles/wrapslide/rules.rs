//! The rules on a grid of cells, read row by row: slow, obvious, and the measure of the fast form
//! in [`quadrants`](super::quadrants).

use serde::Serialize;

use crate::puzzle::Move;

/// Which Wrapslide is played. Made by [`parse`](super::notation::parse), which refuses impossible
/// combinations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct WrapslideVariant {
    /// Rows and columns: 4, 6 or 8.
    pub size: usize,
    /// 2, 3 or 4.
    pub colours: usize,
    /// Three colours: diagonal quadrants of colours 1 and 2 count as solved too.
    pub any: bool,
    /// Colour 1 lies in the top-left quadrant and stays there.
    pub fixed: bool,
    /// Three colours, `fixed`: colour 2 must end beside colour 1, not diagonal.
    #[serde(skip)]
    pub beside: bool,
    /// Only slides by one cell, in either direction, are moves.
    pub unit: bool,
}

/// The half of the board that a move slides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    Top,
    Bottom,
    Left,
    Right,
}

impl Half {
    pub const ALL: [Half; 4] = [Half::Top, Half::Bottom, Half::Left, Half::Right];
}

/// A move: a half slides by `cells`, to the left (top, bottom) or up (left, right).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HalfSlide {
    pub half: Half,
    pub cells: usize,
}

/// Slides by fewer cells than this, which is more than a board has.
const CELLS: u32 = 16;

impl From<HalfSlide> for Move {
    fn from(slide: HalfSlide) -> Move {
        Move(slide.half as u32 * CELLS + slide.cells as u32)
    }
}

impl HalfSlide {
    /// The slide that a move's number stands for.
    pub fn from_move(mv: Move) -> Option<HalfSlide> {
        Some(HalfSlide { half: *Half::ALL.get((mv.0 / CELLS) as usize)?, cells: (mv.0 % CELLS) as usize })
    }
}

impl WrapslideVariant {
    /// Rows and columns of a quadrant.
    pub fn half(&self) -> usize {
        self.size / 2
    }

    /// Cells of a quadrant.
    pub fn quadrant(&self) -> usize {
        self.half() * self.half()
    }

    /// How many cells each colour fills.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![self.quadrant(); self.colours];
        counts[self.colours - 1] *= 5 - self.colours;
        counts
    }

    /// The cells of a quadrant, row by row; 0 is top left, 1 top right, 2 bottom left.
    pub fn quadrant_cells(&self, quadrant: usize) -> impl Iterator<Item = usize> + use<> {
        let (size, half) = (self.size, self.half());
        let corner = (quadrant / 2 * half) * size + quadrant % 2 * half;
        (0..half).flat_map(move |row| (0..half).map(move |column| corner + row * size + column))
    }

    /// By how many cells a half may slide.
    pub fn distances(&self) -> impl Iterator<Item = usize> + use<> {
        let (size, unit) = (self.size, self.unit);
        (1..size).filter(move |&cells| !unit || cells == 1 || cells == size - 1)
    }

    /// All moves; they are legal in every state.
    pub fn slides(&self) -> impl Iterator<Item = HalfSlide> + use<> {
        let variant = *self;
        let stays = move |half: &Half| variant.fixed && matches!(half, Half::Top | Half::Left);
        let halves = Half::ALL.into_iter().filter(move |half| !stays(half));
        halves.flat_map(move |half| variant.distances().map(move |cells| HalfSlide { half, cells }))
    }

    /// The board after a slide.
    pub fn slide(&self, board: &[u8], slide: HalfSlide) -> Vec<u8> {
        let n = self.size;
        let from = |row: usize, column: usize| match slide.half {
            Half::Top if row < n / 2 => (row, (column + slide.cells) % n),
            Half::Bottom if row >= n / 2 => (row, (column + slide.cells) % n),
            Half::Left if column < n / 2 => ((row + slide.cells) % n, column),
            Half::Right if column >= n / 2 => ((row + slide.cells) % n, column),
            _ => (row, column),
        };
        (0..n * n)
            .map(|cell| {
                let (row, column) = from(cell / n, cell % n);
                board[row * n + column]
            })
            .collect()
    }

    /// Whether every colour occupies whole quadrants, arranged as the variant asks.
    pub fn is_solved(&self, board: &[u8]) -> bool {
        let mut filled = [0; 4];
        for (quadrant, colour) in filled.iter_mut().enumerate() {
            let mut cells = self.quadrant_cells(quadrant).map(|cell| board[cell]);
            *colour = cells.next().unwrap_or_default();
            if cells.any(|other| other != *colour) {
                return false;
            }
        }
        if self.colours == 3 && !self.any && (self.beside || !self.fixed) {
            // Diagonal quadrants differ in both binary digits of their numbers.
            let place = |wanted| filled.iter().position(|&colour| colour == wanted).unwrap_or(0);
            return place(1) ^ place(2) != 3 && (!self.fixed || filled[0] == 1);
        }
        !self.fixed || filled[0] == 1
    }

    /// All solved boards.
    pub fn solved(&self) -> Vec<Vec<u8>> {
        let arrangements = (0..self.colours.pow(4)).map(|code| {
            let mut board = vec![0; self.size * self.size];
            for quadrant in 0..4 {
                let colour = code / self.colours.pow(quadrant as u32) % self.colours + 1;
                self.quadrant_cells(quadrant).for_each(|cell| board[cell] = colour as u8);
            }
            board
        });
        let counts = self.counts();
        arrangements
            .filter(|board| {
                let filled = |colour| board.iter().filter(|&&label| label == colour).count();
                (1..).zip(&counts).all(|(colour, &count)| filled(colour) == count)
            })
            .filter(|board| self.is_solved(board))
            .collect()
    }
}

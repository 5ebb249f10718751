//! The rules on a board of cells, read row by row: slow, obvious, and the measure of the fast form
//! in [`space`](super::space).

use serde::Serialize;

use super::transposition::group;
use crate::encode::permutation::{self, Parity};
use crate::puzzle::{Arrow, Move};

/// Which sliding-tile puzzle is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct TilesVariant {
    /// 2 to 10.
    pub rows: usize,
    /// 2 to 10.
    pub columns: usize,
    /// Whether several tiles may move as one.
    pub push: bool,
}

/// A move: that many tiles travel by one cell each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TileSlide {
    /// Where the tiles travel. The blank goes the other way.
    pub direction: Arrow,
    pub tiles: usize,
}

/// Slides have fewer tiles than this.
const TILES: u32 = 16;

impl From<TileSlide> for Move {
    fn from(slide: TileSlide) -> Move {
        Move(slide.direction as u32 * TILES + slide.tiles as u32)
    }
}

impl TileSlide {
    /// The slide that a move's number stands for.
    pub fn from_move(mv: Move) -> Option<TileSlide> {
        Some(TileSlide {
            direction: *Arrow::ALL.get((mv.0 / TILES) as usize)?,
            tiles: (mv.0 % TILES) as usize,
        })
    }
}

impl TilesVariant {
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    pub fn is_square(&self) -> bool {
        self.rows == self.columns
    }

    /// The solved board; 0 is the blank.
    pub fn solved(&self) -> Vec<u8> {
        let tiles = 1..self.cells() as u8;
        tiles.chain([0]).collect()
    }

    pub fn blank(&self, board: &[u8]) -> Option<usize> {
        board.iter().position(|&tile| tile == 0)
    }

    /// Where the blank comes to when the tile beside it travels in a direction.
    pub fn blank_after(&self, blank: usize, direction: Arrow) -> Option<usize> {
        let (row, column) = (blank / self.columns, blank % self.columns);
        match direction {
            Arrow::Left => (column + 1 < self.columns).then(|| blank + 1),
            Arrow::Right => (column > 0).then(|| blank - 1),
            Arrow::Up => (row + 1 < self.rows).then(|| blank + self.columns),
            Arrow::Down => (row > 0).then(|| blank - self.columns),
        }
    }

    /// How many tiles lie between the blank and the edge that they would leave.
    pub fn reach(&self, blank: usize, direction: Arrow) -> usize {
        let (row, column) = (blank / self.columns, blank % self.columns);
        match direction {
            Arrow::Left => self.columns - 1 - column,
            Arrow::Right => column,
            Arrow::Up => self.rows - 1 - row,
            Arrow::Down => row,
        }
    }

    /// The most tiles that one move takes along in a direction.
    pub fn most(&self, blank: usize, direction: Arrow) -> usize {
        let reach = self.reach(blank, direction);
        if self.push { reach } else { reach.min(1) }
    }

    /// The legal moves.
    pub fn slides(&self, board: &[u8]) -> impl Iterator<Item = TileSlide> + use<> {
        let variant = *self;
        let blank = self.blank(board);
        Arrow::ALL.into_iter().flat_map(move |direction| {
            let most = blank.map_or(0, |blank| variant.most(blank, direction));
            (1..=most).map(move |tiles| TileSlide { direction, tiles })
        })
    }

    /// The board after a slide; `None` if that is not legal.
    pub fn slide(&self, board: &[u8], slide: TileSlide) -> Option<Vec<u8>> {
        let mut board = board.to_vec();
        let mut blank = self.blank(&board)?;
        if !(1..=self.most(blank, slide.direction)).contains(&slide.tiles) {
            return None;
        }
        for _ in 0..slide.tiles {
            let next = self.blank_after(blank, slide.direction)?;
            board.swap(blank, next);
            blank = next;
        }
        Some(board)
    }

    /// The parity that the tiles in reading order, without the blank, have on every board that
    /// can be reached and has the blank on this cell.
    pub fn parity(&self, blank: usize) -> Parity {
        let rows_below = self.rows - 1 - blank / self.columns;
        if self.columns.is_multiple_of(2) && !rows_below.is_multiple_of(2) {
            Parity::Odd
        } else {
            Parity::Even
        }
    }

    /// Whether a board with all tiles and a blank can be reached from the solved one.
    pub fn is_reachable(&self, board: &[u8]) -> bool {
        let places: Vec<u8> = board.iter().filter_map(|tile| tile.checked_sub(1)).collect();
        let blank = self.blank(board);
        blank.is_some_and(|blank| permutation::parity(&places) == Some(self.parity(blank)))
    }

    /// The number of boards that can be reached: half of all; `None` if it needs more than 128
    /// bits.
    pub fn states(&self) -> Option<u128> {
        Some(permutation::count(self.cells())? / 2)
    }

    /// The number of classes; `None` if it needs more than 128 bits.
    ///
    /// These are half of the classes of all boards. To exchange two tiles turns boards that can be
    /// reached into those that cannot; and if the two are each other's mirror image, or if there
    /// are no mirror images, it turns classes into classes.
    pub fn classes(&self) -> Option<u128> {
        Some(group(self)?.classes(&vec![1; self.cells()])? / 2)
    }
}

//! The rules on a board of cells, read row by row: slow, obvious, and the measure of the fast form
//! in [`space`](super::space).

use crate::encode::permutation::{self, Parity};
use crate::puzzle::Move;

/// Which sliding-tile puzzle is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Variant {
    /// 2 to 10.
    pub rows: usize,
    /// 2 to 10.
    pub columns: usize,
    /// Whether several tiles may move as one.
    pub push: bool,
}

/// The direction in which tiles travel. The blank goes the other way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Left,
    Right,
    Up,
    Down,
}

impl Direction {
    pub const ALL: [Direction; 4] = [
        Direction::Left,
        Direction::Right,
        Direction::Up,
        Direction::Down,
    ];

    /// The way back.
    pub fn opposite(self) -> Direction {
        match self {
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
        }
    }

    /// The direction on the transposed board.
    pub fn transposed(self) -> Direction {
        match self {
            Direction::Left => Direction::Up,
            Direction::Right => Direction::Down,
            Direction::Up => Direction::Left,
            Direction::Down => Direction::Right,
        }
    }
}

/// A move: so many tiles travel by one cell each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slide {
    pub direction: Direction,
    pub tiles: usize,
}

/// Slides have fewer tiles than this.
const TILES: u32 = 16;

impl From<Slide> for Move {
    fn from(slide: Slide) -> Move {
        Move(slide.direction as u32 * TILES + slide.tiles as u32)
    }
}

impl Slide {
    /// The slide that a move's number stands for.
    pub fn from_move(mv: Move) -> Option<Slide> {
        Some(Slide {
            direction: *Direction::ALL.get((mv.0 / TILES) as usize)?,
            tiles: (mv.0 % TILES) as usize,
        })
    }
}

impl Variant {
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

    /// Where the blank is.
    pub fn blank(&self, board: &[u8]) -> Option<usize> {
        board.iter().position(|&tile| tile == 0)
    }

    /// Where the blank comes to when the tile beside it travels in a direction.
    pub fn blank_after(&self, blank: usize, direction: Direction) -> Option<usize> {
        let (row, column) = (blank / self.columns, blank % self.columns);
        match direction {
            Direction::Left => (column + 1 < self.columns).then(|| blank + 1),
            Direction::Right => (column > 0).then(|| blank - 1),
            Direction::Up => (row + 1 < self.rows).then(|| blank + self.columns),
            Direction::Down => (row > 0).then(|| blank - self.columns),
        }
    }

    /// How many tiles lie between the blank and the edge that they would leave.
    pub fn reach(&self, blank: usize, direction: Direction) -> usize {
        let (row, column) = (blank / self.columns, blank % self.columns);
        match direction {
            Direction::Left => self.columns - 1 - column,
            Direction::Right => column,
            Direction::Up => self.rows - 1 - row,
            Direction::Down => row,
        }
    }

    /// The most tiles that one move takes along in a direction.
    pub fn most(&self, blank: usize, direction: Direction) -> usize {
        let reach = self.reach(blank, direction);
        if self.push { reach } else { reach.min(1) }
    }

    /// The legal moves.
    pub fn slides(&self, board: &[u8]) -> impl Iterator<Item = Slide> + use<> {
        let variant = *self;
        let blank = self.blank(board);
        Direction::ALL.into_iter().flat_map(move |direction| {
            let most = blank.map_or(0, |blank| variant.most(blank, direction));
            (1..=most).map(move |tiles| Slide { direction, tiles })
        })
    }

    /// The board after a slide; `None` if that is not legal.
    pub fn slide(&self, board: &[u8], slide: Slide) -> Option<Vec<u8>> {
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
        let places: Vec<u8> = board
            .iter()
            .filter_map(|tile| tile.checked_sub(1))
            .collect();
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
    /// On a square board the group has two elements, so there are as many classes as the average
    /// of the boards that each leaves alone. A board that transposition leaves alone has tiles of
    /// the diagonal on the diagonal (and the blank is one of them), `n!` ways; and it takes pairs
    /// of cells that are each other's mirror image to such pairs, `k! 2^k` ways for `k` pairs. As
    /// the blank is on the diagonal, an even number of moves away from its corner, an even
    /// permutation is needed; and half of them are even, because to exchange a pair is odd.
    pub fn classes(&self) -> Option<u128> {
        let states = self.states()?;
        if !self.is_square() {
            return Some(states);
        }
        let diagonal = self.rows;
        let pairs = diagonal * (diagonal - 1) / 2;
        let symmetric =
            permutation::count(diagonal)? * permutation::count(pairs)? * (1 << pairs) / 2;
        Some((states + symmetric) / 2)
    }
}

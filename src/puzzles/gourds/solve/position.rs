//! Positions in the form that the solvers move: what lies on every cell, and where its other end is.
//!
//! Every end of a gourd has a code: twice a number, plus one for the second end. With a number for
//! each gourd, positions tell all gourds apart, as the methods that sort gourds need it; with a
//! number for each *kind* of gourd, equal positions are equal states of the puzzle. A list of clicks
//! means the same in both.

use super::super::board::Board;
use super::super::kinds::Kinds;

/// The code of the hole.
pub(super) const FREE: u8 = u8::MAX;

/// One more than the largest board has cells.
pub(super) const PLACES: usize = 64;

/// What lies on the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in super::super) struct Position {
    /// By cell: the code of the end that lies there.
    pub code: [u8; PLACES],
    /// By cell: the cell of the gourd's other end; the cell itself where there is no gourd.
    pub mate: [u8; PLACES],
    pub hole: u8,
}

impl Position {
    /// Gourds on these pairs of cells; `code` is asked for a gourd and its end.
    fn new(board: &Board, pairs: &[[u8; 2]], code: impl Fn(usize, usize) -> u8) -> Position {
        let mut position = Position {
            code: [FREE; PLACES],
            mate: std::array::from_fn(|cell| cell as u8),
            hole: 0,
        };
        let mut free = board.all();
        for (gourd, &[a, b]) in pairs.iter().enumerate() {
            for (end, [cell, mate]) in [[a, b], [b, a]].into_iter().enumerate() {
                position.code[usize::from(cell)] = code(gourd, end);
                position.mate[usize::from(cell)] = mate;
                free &= !(1 << cell);
            }
        }
        position.hole = free.trailing_zeros() as u8;
        position
    }

    /// The position that tells all gourds apart.
    pub fn distinct(board: &Board, pairs: &[[u8; 2]]) -> Position {
        Position::new(board, pairs, |gourd, end| (2 * gourd + end) as u8)
    }

    /// The position in which gourds that are alike are equal.
    pub fn of_kinds(board: &Board, kinds: &Kinds, pairs: &[[u8; 2]]) -> Position {
        Position::new(board, pairs, |gourd, end| kinds.code(gourd, end))
    }

    /// The number of the gourd on a cell, or of its kind.
    pub fn gourd(&self, cell: u8) -> u8 {
        self.code[usize::from(cell)] >> 1
    }

    /// Clicks a neighbour of the hole; returns the click that undoes it.
    ///
    /// The end on that cell goes into the hole. If the other end touches the hole, it stays (a
    /// pivot), and otherwise follows.
    #[inline]
    pub fn click(&mut self, board: &Board, cell: u8) -> u8 {
        debug_assert!(board.adjacent(self.hole.into(), cell.into()));
        let hole = self.hole;
        let mate = self.mate[usize::from(cell)];
        let stays = board.adjacent(mate.into(), hole.into());
        self.code[usize::from(hole)] = self.code[usize::from(cell)];
        let (other, left, undo) = match stays {
            true => (mate, cell, hole),
            false => {
                self.code[usize::from(cell)] = self.code[usize::from(mate)];
                (cell, mate, cell)
            }
        };
        self.mate[usize::from(hole)] = other;
        self.mate[usize::from(other)] = hole;
        self.code[usize::from(left)] = FREE;
        self.mate[usize::from(left)] = left;
        self.hole = left;
        undo
    }

    /// Whether the same lies on all these cells in another position.
    pub fn agrees(&self, other: &Position, cells: &[u8]) -> bool {
        let equal = |&cell: &u8| self.code[usize::from(cell)] == other.code[usize::from(cell)];
        cells.iter().all(equal)
    }
}

/// One click that was made.
#[derive(Clone, Copy, Debug)]
struct Click {
    cell: u8,
    /// The click that undoes it.
    undo: u8,
}

/// A position on its way, with the clicks that were made.
#[derive(Clone, Debug)]
pub(in super::super) struct Walker<'a> {
    pub board: &'a Board,
    pub at: Position,
    log: Vec<Click>,
}

impl<'a> Walker<'a> {
    pub fn new(board: &'a Board, at: Position) -> Self {
        Walker {
            board,
            at,
            log: Vec::new(),
        }
    }

    /// One that stands here and has made no clicks: to try something.
    pub fn scout(&self) -> Self {
        Walker::new(self.board, self.at)
    }

    /// Goes where a scout went.
    pub fn follow(&mut self, scout: Walker<'_>) {
        self.at = scout.at;
        self.log.extend(scout.log);
    }

    /// Makes the clicks of another walker backwards: from where that one stands to where it came
    /// from. Both must stand alike on the cells that it used.
    pub fn retrace(&mut self, other: &Walker<'_>) {
        for click in other.log.iter().rev() {
            self.click(click.undo);
        }
    }

    pub fn click(&mut self, cell: u8) {
        let undo = self.at.click(self.board, cell);
        self.log.push(Click { cell, undo });
    }

    /// How many clicks were made.
    pub fn clicks(&self) -> usize {
        self.log.len()
    }

    /// The clicks that were made.
    pub fn way(&self) -> Vec<u8> {
        self.log.iter().map(|click| click.cell).collect()
    }

    /// The clicks that lead back.
    pub fn way_back(&self) -> Vec<u8> {
        self.log.iter().rev().map(|click| click.undo).collect()
    }
}

//! Shapes: which cells the gourds cover in pairs and which one is free, no matter which gourd is
//! where.
//!
//! A shape is a filling of the board with pairs and one hole. Walking the cells in order, the
//! letter of a cell says where its partner lies, E, SW or SE, or that it is the hole. Partners in
//! this order have ascending numbers, so shapes in lexicographic order of their letters are in
//! lexicographic order of their lists of pairs, too, and the first one is the default goal.

use super::board::{HexBoard, MOST_CELLS, PARTNERS, Point, images};
use super::matching::can_be_paired;
use crate::encode::{Fillings, Piece};

/// Which pairs are covered and which cell is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    pub hole: u8,
    /// The other cell of each cell's pair; the cell itself for the hole and beyond the board.
    mate: [u8; MOST_CELLS],
}

impl Shape {
    /// The shape in which these pairs are covered, which must be all cells but one, each once.
    pub fn new(board: &HexBoard, pairs: impl IntoIterator<Item = [u8; 2]>) -> Shape {
        let mut mate = std::array::from_fn(|cell| cell as u8);
        let mut free = board.all();
        for [a, b] in pairs {
            mate[usize::from(a)] = b;
            mate[usize::from(b)] = a;
            free &= !(1 << a | 1 << b);
        }
        Shape { hole: free.trailing_zeros() as u8, mate }
    }

    /// The covered pairs, smaller cell first, ascending.
    pub fn pairs(&self) -> impl Iterator<Item = [u8; 2]> + '_ {
        let pairs = (0..).zip(self.mate);
        pairs.filter_map(|(cell, mate)| (cell < mate).then_some([cell, mate]))
    }

    /// The image under a symmetry of the board, given by where it sends each cell.
    pub fn image(&self, board: &HexBoard, cells: &[u8]) -> Shape {
        Shape::new(board, self.pairs().map(|pair| pair.map(|cell| cells[usize::from(cell)])))
    }
}

/// The letter of the hole.
const HOLE: usize = PARTNERS;

/// All shapes of a board, numbered from the default goal on.
#[derive(Clone, Debug)]
pub(super) struct Shapes {
    fillings: Fillings,
    partners: Vec<[Option<usize>; PARTNERS]>,
}

impl Shapes {
    /// The shapes of a board; `None` if the tables that number them would be too large.
    pub fn new(board: &HexBoard) -> Option<Shapes> {
        let partners: Vec<_> = (0..board.size()).map(|cell| board.partners(cell)).collect();
        let pair = |direction: usize| Piece {
            covers: (0..)
                .zip(&partners)
                .map(|(cell, partners)| Some(1 << cell | 1 << partners[direction]?))
                .collect(),
            uses: 0..=usize::MAX,
        };
        let hole = Piece { covers: (0..board.size()).map(|cell| Some(1 << cell)).collect(), uses: 1..=1 };
        Some(Shapes { fillings: Fillings::new(board.size(), &[pair(0), pair(1), pair(2), hole])?, partners })
    }

    pub fn count(&self) -> u64 {
        self.fillings.count()
    }

    /// The number of a shape of this board.
    pub fn rank(&self, shape: &Shape) -> u64 {
        let letter = |cell: usize| {
            let mate = usize::from(shape.mate[cell]);
            let direction = self.partners[cell].iter().position(|&p| p == Some(mate));
            direction.unwrap_or(HOLE)
        };
        // Every shape of this board is one of its fillings.
        self.fillings.rank(letter).unwrap_or(0)
    }

    /// The shape with this number, which must be below the count.
    pub fn unrank(&self, rank: u64) -> Shape {
        let mut mate: [u8; MOST_CELLS] = std::array::from_fn(|cell| cell as u8);
        let mut hole = 0;
        self.fillings.unrank(rank, |cell, letter| match self.partners[cell].get(letter).copied().flatten() {
            Some(partner) => {
                mate[cell] = partner as u8;
                mate[partner] = cell as u8;
            }
            None => hole = cell as u8,
        });
        Shape { hole, mate }
    }
}

/// The board in the one of three positions in which its widest row is shortest, and where each of its
/// cells is then. Walked along short rows, the tables that number shapes are smallest.
pub(super) fn turned(board: &HexBoard) -> Option<(HexBoard, Vec<u8>)> {
    let widest = |points: &Vec<Point>| {
        let width = |r: i32| points.iter().filter(|point| point.r == r).count();
        points.iter().map(|point| width(point.r)).max()
    };
    let turned = images(board.points()).into_iter().take(3);
    let points = turned.min_by_key(widest)?;
    let board = HexBoard::new(points.iter().copied()).ok()?;
    let cells = board.cells_at(&points)?;
    Some((board, cells))
}

/// The number of shapes of a board; `None` if the tables that count them would be too large.
pub(super) fn count(board: &HexBoard) -> Option<u64> {
    Some(Shapes::new(&turned(board)?.0)?.count())
}

/// The first shape in lexicographic order of its pairs; `None` if the board has none. Gives what
/// unranking 0 gives, without tables.
pub(super) fn first(board: &HexBoard) -> Option<Shape> {
    let mut free = board.all();
    if !can_be_paired(board, free) {
        return None;
    }
    let mut pairs = Vec::new();
    while free != 0 {
        let cell = free.trailing_zeros() as usize;
        free &= !(1 << cell);
        let partners = board.partners(cell).into_iter().flatten();
        // If no partner leaves the rest coverable, this cell is the hole.
        if let Some(partner) = partners
            .filter(|&partner| free >> partner & 1 == 1)
            .find(|&partner| can_be_paired(board, free & !(1 << partner)))
        {
            free &= !(1 << partner);
            pairs.push([cell as u8, partner as u8]);
        }
    }
    Some(Shape::new(board, pairs))
}

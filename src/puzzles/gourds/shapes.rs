//! Shapes: which cells the gourds cover in pairs and which one is free, no matter which gourd is
//! where.
//!
//! A shape is a filling of the board with pairs and one hole. Walking the cells in order, the
//! letter of a cell says where its partner lies, E, SW or SE, or that it is the hole. Partners in
//! this order have ascending numbers, so shapes in lexicographic order of their letters are in
//! lexicographic order of their lists of pairs, too, and the first one is the default goal.

use super::board::{Board, MOST_CELLS, PARTNERS, Point, images};
use super::matching::can_be_paired;
use crate::encode::{Fillings, Piece};

/// Which pairs are covered and which cell is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    /// The free cell.
    pub hole: u8,
    /// The other cell of each cell's pair; the cell itself for the hole and beyond the board.
    mate: [u8; MOST_CELLS],
}

/// A move as it changes a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// The pair that was covered: first the clicked cell, then its mate.
    pub from: [u8; 2],
    /// The pair that is covered by the same two ends afterwards.
    pub to: [u8; 2],
}

impl Shape {
    /// The shape in which these pairs are covered, which must be all cells but one, each once.
    pub fn new(board: &Board, pairs: impl IntoIterator<Item = [u8; 2]>) -> Shape {
        let mut mate = std::array::from_fn(|cell| cell as u8);
        let mut free = board.all();
        for [a, b] in pairs {
            mate[usize::from(a)] = b;
            mate[usize::from(b)] = a;
            free &= !(1 << a | 1 << b);
        }
        Shape {
            hole: free.trailing_zeros() as u8,
            mate,
        }
    }

    /// The covered pairs, smaller cell first, ascending.
    pub fn pairs(&self) -> impl Iterator<Item = [u8; 2]> + '_ {
        let pairs = (0..).zip(self.mate);
        pairs.filter_map(|(cell, mate)| (cell < mate).then_some([cell, mate]))
    }

    /// What a click on a neighbour of the hole does. The end on that cell goes into the hole; the
    /// other end stays if it touches the hole, too, and follows otherwise.
    pub fn click(&self, board: &Board, cell: usize) -> Change {
        let mate = self.mate[cell];
        let (cell, hole) = (cell as u8, self.hole);
        let stays = board.adjacent(mate.into(), hole.into());
        Change {
            from: [cell, mate],
            to: [hole, if stays { mate } else { cell }],
        }
    }

    /// The shape after a change.
    pub fn after(mut self, change: Change) -> Shape {
        for cell in change.from {
            self.mate[usize::from(cell)] = cell;
        }
        let [a, b] = change.to;
        self.mate[usize::from(a)] = b;
        self.mate[usize::from(b)] = a;
        let left = change
            .from
            .into_iter()
            .find(|cell| !change.to.contains(cell));
        self.hole = left.unwrap_or(self.hole);
        self
    }

    /// The image under a symmetry of the board, given by where it sends each cell.
    pub fn image(&self, cells: &[u8]) -> Shape {
        let mut mate = std::array::from_fn(|cell| cell as u8);
        for (&to, &other) in cells.iter().zip(&self.mate) {
            mate[usize::from(to)] = cells[usize::from(other)];
        }
        Shape {
            hole: cells[usize::from(self.hole)],
            mate,
        }
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
    pub fn new(board: &Board) -> Option<Shapes> {
        let partners: Vec<_> = (0..board.size()).map(|cell| board.partners(cell)).collect();
        let pair = |direction: usize| Piece {
            covers: (0..)
                .zip(&partners)
                .map(|(cell, partners)| Some(1 << cell | 1 << partners[direction]?))
                .collect(),
            uses: 0..=usize::MAX,
        };
        let hole = Piece {
            covers: (0..board.size()).map(|cell| Some(1 << cell)).collect(),
            uses: 1..=1,
        };
        Some(Shapes {
            fillings: Fillings::new(board.size(), &[pair(0), pair(1), pair(2), hole])?,
            partners,
        })
    }

    /// How many there are.
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
        self.fillings.unrank(rank, |cell, letter| {
            match self.partners[cell].get(letter).copied().flatten() {
                Some(partner) => {
                    mate[cell] = partner as u8;
                    mate[partner] = cell as u8;
                }
                None => hole = cell as u8,
            }
        });
        Shape { hole, mate }
    }
}

/// The board in the one of three positions in which its widest row is shortest, and where each of its
/// cells is then. Walked along short rows, the tables that number shapes are smallest.
pub(super) fn turned(board: &Board) -> Option<(Board, Vec<u8>)> {
    let widest = |points: &Vec<Point>| {
        let width = |r: i32| points.iter().filter(|point| point.r == r).count();
        points.iter().map(|point| width(point.r)).max()
    };
    let turned = images(board.points()).into_iter().take(3);
    let points = turned.min_by_key(widest)?;
    let board = Board::new(points.iter().copied()).ok()?;
    let cell = |point: &Point| board.points().binary_search(point).ok().map(|c| c as u8);
    let cells = points.iter().map(cell).collect::<Option<Vec<u8>>>()?;
    Some((board, cells))
}

/// The number of shapes of a board; `None` if the tables that count them would be too large.
pub(super) fn count(board: &Board) -> Option<u64> {
    Some(Shapes::new(&turned(board)?.0)?.count())
}

/// The first shape in lexicographic order of its pairs; `None` if the board has none. Gives what
/// unranking 0 gives, without tables.
pub(super) fn first(board: &Board) -> Option<Shape> {
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

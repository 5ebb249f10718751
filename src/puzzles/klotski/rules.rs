//! The rules on a grid of cells, read row by row: slow, obvious, and the measure of the fast form
//! in [`blocks`](super::blocks).
//!
//! A state has one byte for each cell: the kind of piece that begins there (its upper left cell),
//! or [`COVERED`]. Blocks have no names in it, so blocks of the same shape are interchangeable.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::ops::RangeInclusive;

use crate::puzzle::Move;

/// An empty cell, which counts as a kind of piece.
pub(super) const EMPTY: u8 = 0;
/// The one block that has to reach the goal.
pub(super) const BIG: u8 = 4;
/// A cell that belongs to a block which begins elsewhere.
pub(super) const COVERED: u8 = 5;

/// How many kinds of pieces there are: empty cells and four shapes of blocks.
pub(super) const KINDS: usize = 5;
/// Rows and columns of each kind: empty, single, lying, standing, big.
pub(super) const SIZES: [(usize, usize); KINDS] = [(1, 1), (1, 1), (1, 2), (2, 1), (2, 2)];
/// The kinds in words, after a number.
pub(super) const NAMES: [&str; KINDS] =
    ["empty cells", "1x1 blocks", "1x2 blocks (lying)", "2x1 blocks (standing)", "2x2 blocks"];

/// How many pieces of each kind there may be.
pub(super) type Uses = [RangeInclusive<usize>; KINDS];

/// A board, and where on it the 2x2 block has to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockBoard {
    /// At most 8.
    pub rows: usize,
    /// At most 8.
    pub columns: usize,
    /// The cell of the 2x2 block's upper left corner when the puzzle is solved.
    pub goal: usize,
}

/// What counts as one move of one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Metric {
    Step,
    /// Any distance in a straight line.
    Slide,
    /// Any path.
    Move,
}

impl Metric {
    pub const NAMES: [&str; 3] = ["step", "slide", "move"];
    pub const ALL: [Metric; 3] = [Metric::Step, Metric::Slide, Metric::Move];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BlockDirection {
    Up,
    Down,
    Left,
    Right,
}

impl BlockDirection {
    pub const ALL: [BlockDirection; 4] =
        [BlockDirection::Up, BlockDirection::Down, BlockDirection::Left, BlockDirection::Right];

    /// The direction in notation.
    pub fn letter(self) -> char {
        ['U', 'D', 'L', 'R'][self as usize]
    }
}

/// A block's way: directions with the number of cells, no two neighbouring ones alike.
pub(super) type BlockPath = Vec<(BlockDirection, usize)>;

/// A move: the block that begins at one cell then begins at another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockMove {
    pub from: usize,
    pub to: usize,
}

impl From<BlockMove> for Move {
    fn from(shift: BlockMove) -> Move {
        Move((shift.from * 64 + shift.to) as u32)
    }
}

impl From<Move> for BlockMove {
    fn from(mv: Move) -> BlockMove {
        BlockMove { from: mv.0 as usize / 64, to: mv.0 as usize % 64 }
    }
}

impl BlockBoard {
    /// The board of all well-known layouts: the goal is the middle of the lower edge.
    pub const USUAL: BlockBoard = BlockBoard { rows: 5, columns: 4, goal: 3 * 4 + 1 };

    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// Whether a piece that begins at a cell lies on the board.
    pub fn fits(&self, kind: u8, cell: usize) -> bool {
        let Some((height, width)) = SIZES.get(usize::from(kind)) else {
            return false;
        };
        cell < self.cells()
            && cell / self.columns + height <= self.rows
            && cell % self.columns + width <= self.columns
    }

    /// The cells of a piece that begins at a cell where it fits.
    pub fn cover(&self, kind: u8, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let (columns, (height, width)) = (self.columns, SIZES[usize::from(kind)]);
        (0..height).flat_map(move |r| (0..width).map(move |c| cell + r * columns + c))
    }

    /// The cell next to another one.
    pub fn beside(&self, cell: usize, direction: BlockDirection) -> Option<usize> {
        let (row, column) = (cell / self.columns, cell % self.columns);
        match direction {
            BlockDirection::Up if row > 0 => Some(cell - self.columns),
            BlockDirection::Down if row + 1 < self.rows => Some(cell + self.columns),
            BlockDirection::Left if column > 0 => Some(cell - 1),
            BlockDirection::Right if column + 1 < self.columns => Some(cell + 1),
            _ => None,
        }
    }

    /// Whether the 2x2 block is where it has to go.
    pub fn is_solved(&self, state: &[u8]) -> bool {
        state.get(self.goal) == Some(&BIG)
    }

    /// Whether left and right can be exchanged without the goal changing its place.
    pub fn has_symmetric_goal(&self) -> bool {
        2 * (self.goal % self.columns) + 2 == self.columns
    }

    /// Where the block that begins at `from` can go when it is at `at`, by one cell in a direction.
    fn ahead(&self, state: &[u8], from: usize, at: usize, direction: BlockDirection) -> Option<usize> {
        let kind = state[from];
        let to = self.beside(at, direction)?;
        let own = |cell| self.cover(kind, from).any(|mine| mine == cell);
        let free = |cell| state[cell] == EMPTY || own(cell);
        (self.fits(kind, to) && self.cover(kind, to).all(free)).then_some(to)
    }

    pub fn has_block(&self, state: &[u8], cell: usize) -> bool {
        state.get(cell).is_some_and(|kind| (1..COVERED).contains(kind))
    }

    pub fn blocks(&self, state: &[u8]) -> impl Iterator<Item = usize> {
        (0..state.len()).filter(|&cell| self.has_block(state, cell))
    }

    /// Where the block that begins at a cell can go with one move, in a fixed order.
    pub fn targets(&self, state: &[u8], from: usize, metric: Metric) -> Vec<usize> {
        let ahead = |at, direction| self.ahead(state, from, at, direction);
        let mut targets = Vec::new();
        match metric {
            Metric::Step | Metric::Slide => {
                let most = if metric == Metric::Step { 1 } else { usize::MAX };
                for direction in BlockDirection::ALL {
                    let first = ahead(from, direction);
                    let way = std::iter::successors(first, |&at| ahead(at, direction));
                    targets.extend(way.take(most));
                }
            }
            Metric::Move => {
                let mut seen = BTreeSet::from([from]);
                let mut reached = vec![from];
                while let Some(at) = reached.pop() {
                    let next = BlockDirection::ALL.iter().filter_map(|&d| ahead(at, d));
                    reached.extend(next.filter(|&to| seen.insert(to)));
                }
                seen.remove(&from);
                targets.extend(seen);
            }
        }
        targets
    }

    /// All moves in a state, block by block.
    pub fn moves(&self, state: &[u8], metric: Metric) -> Vec<BlockMove> {
        let moves = self.blocks(state).flat_map(|from| {
            let targets = self.targets(state, from, metric).into_iter();
            targets.map(move |to| BlockMove { from, to })
        });
        moves.collect()
    }

    /// The state after a move; the same state if there is no such block or no room for it.
    pub fn moved(&self, state: &[u8], shift: BlockMove) -> Vec<u8> {
        let mut after = state.to_vec();
        if !self.has_block(state, shift.from) {
            return after;
        }
        let kind = state[shift.from];
        for cell in self.cover(kind, shift.from) {
            after[cell] = EMPTY;
        }
        let room = |cell| after[cell] == EMPTY;
        if !self.fits(kind, shift.to) || !self.cover(kind, shift.to).all(room) {
            return state.to_vec();
        }
        for cell in self.cover(kind, shift.to) {
            after[cell] = COVERED;
        }
        after[shift.to] = kind;
        after
    }

    /// A way by which a block gets from one cell to another: as few cells as possible, then as few
    /// bends as possible; `None` if it does not exist.
    pub fn path(&self, state: &[u8], shift: BlockMove) -> Option<BlockPath> {
        if !self.has_block(state, shift.from) {
            return None;
        }
        // Ordered by cells, then by bends, then by directions, so that the choice is always the
        // same.
        let mut open = BinaryHeap::from([Reverse((0, 0, BlockPath::new(), shift.from))]);
        let mut seen = BTreeSet::new();
        while let Some(Reverse((cells, _, path, at))) = open.pop() {
            if at == shift.to {
                return Some(path);
            }
            if !seen.insert((at, path.last().map(|leg| leg.0))) {
                continue;
            }
            for direction in BlockDirection::ALL {
                let Some(to) = self.ahead(state, shift.from, at, direction) else {
                    continue;
                };
                let mut path = path.clone();
                match path.last_mut() {
                    Some(leg) if leg.0 == direction => leg.1 += 1,
                    _ => path.push((direction, 1)),
                }
                open.push(Reverse((cells + 1, path.len(), path, to)));
            }
        }
        None
    }

    /// Where a path leads a block, if every cell of it is free.
    pub fn follow(&self, state: &[u8], from: usize, path: &BlockPath) -> Option<usize> {
        let mut at = from;
        for &(direction, cells) in path {
            for _ in 0..cells {
                at = self.ahead(state, from, at, direction)?;
            }
        }
        Some(at)
    }
}

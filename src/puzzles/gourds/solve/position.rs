//! Positions in the form that the solvers move: what lies on every cell, and where its other end is.
//!
//! Every end of a gourd has a code: twice a number, plus one for the second end. With a number for
//! each gourd, positions tell all gourds apart, as the methods that sort gourds need it; with a
//! number for each *kind* of gourd, equal positions are equal states of the puzzle. A list of clicks
//! means the same in both.

use super::super::board::HexBoard;
use super::super::kinds::Kinds;

/// The code of the hole.
pub(super) const FREE: u8 = u8::MAX;

/// One more than the largest board has cells.
pub(super) const PLACES: usize = 64;

/// What lies on the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in super::super) struct EndMap {
    /// By cell: the code of the end that lies there.
    pub code: [u8; PLACES],
    /// By cell: the cell of the gourd's other end; the cell itself where there is no gourd.
    pub mate: [u8; PLACES],
    pub hole: u8,
}

impl EndMap {
    /// Gourds on these pairs of cells; `code` is asked for a gourd and its end.
    fn new(board: &HexBoard, pairs: &[[u8; 2]], code: impl Fn(usize, usize) -> u8) -> EndMap {
        let mut position =
            EndMap { code: [FREE; PLACES], mate: std::array::from_fn(|cell| cell as u8), hole: 0 };
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
    pub fn distinct(board: &HexBoard, pairs: &[[u8; 2]]) -> EndMap {
        EndMap::new(board, pairs, |gourd, end| (2 * gourd + end) as u8)
    }

    /// The position in which gourds that are alike are equal.
    pub fn of_kinds(board: &HexBoard, kinds: &Kinds, pairs: &[[u8; 2]]) -> EndMap {
        EndMap::new(board, pairs, |gourd, end| kinds.code(gourd, end))
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
    pub fn click(&mut self, board: &HexBoard, cell: u8) -> u8 {
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

    /// The cells of the gourds, one end of each.
    pub fn gourds(&self) -> impl Iterator<Item = u8> {
        (0..).zip(self.mate).filter(|(cell, mate)| cell < mate).map(|(cell, _)| cell)
    }

    /// The number of the gourd on a cell, or of its kind, and its cells, that of its first end first.
    #[inline]
    pub fn ends(&self, cell: u8) -> (u8, [u8; 2]) {
        let (code, mate) = (self.code[usize::from(cell)], self.mate[usize::from(cell)]);
        let is_first = code.is_multiple_of(2);
        (code >> 1, if is_first { [cell, mate] } else { [mate, cell] })
    }

    /// Whether the same lies on all these cells in another position.
    pub fn agrees(&self, other: &EndMap, cells: &[u8]) -> bool {
        let equal = |&cell: &u8| self.code[usize::from(cell)] == other.code[usize::from(cell)];
        cells.iter().all(equal)
    }
}

/// A position, and the clicks that led to it.
#[derive(Clone, Debug)]
pub(in super::super) struct ClickPath<'a> {
    pub board: &'a HexBoard,
    pub at: EndMap,
    /// Every click, and the one that undoes it.
    log: Vec<[u8; 2]>,
}

impl<'a> ClickPath<'a> {
    pub fn new(board: &'a HexBoard, at: EndMap) -> Self {
        ClickPath { board, at, log: Vec::new() }
    }

    /// A path that begins where this one ends.
    pub fn fork(&self) -> Self {
        ClickPath::new(self.board, self.at)
    }

    pub fn append(&mut self, fork: ClickPath<'_>) {
        self.at = fork.at;
        self.log.extend(fork.log);
    }

    /// Tries several continuations and appends the one with the fewest clicks; `None` if all fail.
    pub fn append_shortest<T>(
        &mut self,
        options: impl IntoIterator<Item = T>,
        mut extend: impl FnMut(&mut Self, T) -> Option<()>,
    ) -> Option<()> {
        let forks = options.into_iter().filter_map(|option| {
            let mut fork = self.fork();
            extend(&mut fork, option).map(|()| fork)
        });
        let shortest = forks.min_by_key(ClickPath::len)?;
        self.append(shortest);
        Some(())
    }

    /// Appends the clicks that lead another path back to its start. Both positions must agree on the
    /// cells that it used.
    pub fn append_reversed(&mut self, other: &ClickPath<'_>) {
        other.reversed().into_iter().for_each(|cell| self.click(cell));
    }

    pub fn click(&mut self, cell: u8) {
        let undo = self.at.click(self.board, cell);
        self.log.push([cell, undo]);
    }

    /// The number of clicks.
    pub fn len(&self) -> usize {
        self.log.len()
    }

    pub fn clicks(&self) -> Vec<u8> {
        self.log.iter().map(|[cell, _]| *cell).collect()
    }

    /// The clicks that lead back.
    pub fn reversed(&self) -> Vec<u8> {
        self.log.iter().rev().map(|[_, undo]| *undo).collect()
    }
}

//! Whether cells can be paired: the largest matching of neighbours, found by growing alternating
//! trees and shrinking odd cycles (Edmonds' blossoms).

use super::board::{HexBoard, MOST_CELLS, cells_of};

/// No cell.
const NONE: usize = usize::MAX;

/// Whether neighbours in a set of cells can be paired so that no cell is left over, or exactly one
/// if their number is odd.
pub(super) fn can_be_paired(board: &HexBoard, set: u64) -> bool {
    let mut search = PairingSearch { board, set, mate: [NONE; MOST_CELLS] };
    // A cell that cannot be paired now cannot be later either.
    let unpaired = cells_of(set).filter(|&cell| search.mate[cell] == NONE && !search.pair(cell)).count();
    unpaired == set.count_ones() as usize % 2
}

struct PairingSearch<'a> {
    board: &'a HexBoard,
    set: u64,
    mate: [usize; MOST_CELLS],
}

/// A tree of alternating paths from a root.
struct Tree {
    /// For a cell at odd distance from the root, the cell before it.
    parent: [usize; MOST_CELLS],
    /// The base of the blossom that a cell was shrunk into; itself if it was not.
    base: [usize; MOST_CELLS],
    /// Cells at even distance.
    even: u64,
}

impl PairingSearch<'_> {
    /// Pairs one more cell, by exchanging pairs along a path that begins at `root`; `false` if
    /// there is no such path.
    fn pair(&mut self, root: usize) -> bool {
        let mut tree =
            Tree { parent: [NONE; MOST_CELLS], base: std::array::from_fn(|cell| cell), even: 1 << root };
        let mut queue = vec![root];
        let mut at = 0;
        while let Some(&cell) = queue.get(at) {
            at += 1;
            for next in cells_of(self.board.neighbours(cell) & self.set) {
                if tree.base[cell] == tree.base[next] || self.mate[cell] == next {
                    continue;
                }
                let mate = self.mate[next];
                if next == root || mate != NONE && tree.parent[mate] != NONE {
                    self.shrink(&mut tree, cell, next, &mut queue);
                } else if tree.parent[next] == NONE {
                    tree.parent[next] = cell;
                    if mate == NONE {
                        self.exchange(&tree, next);
                        return true;
                    }
                    tree.even |= 1 << mate;
                    queue.push(mate);
                }
            }
        }
        false
    }

    /// Shrinks the odd cycle that an edge between two even cells closes.
    fn shrink(&self, tree: &mut Tree, a: usize, b: usize, queue: &mut Vec<usize>) {
        let base = self.common_base(tree, a, b);
        let mut blossom = 0u64;
        for (start, other) in [(a, b), (b, a)] {
            let (mut cell, mut child) = (start, other);
            while tree.base[cell] != base {
                let mate = self.mate[cell];
                blossom |= 1 << tree.base[cell] | 1 << tree.base[mate];
                tree.parent[cell] = child;
                child = mate;
                cell = tree.parent[mate];
            }
        }
        for cell in cells_of(self.set) {
            if blossom >> tree.base[cell] & 1 == 1 {
                tree.base[cell] = base;
                if tree.even >> cell & 1 == 0 {
                    tree.even |= 1 << cell;
                    queue.push(cell);
                }
            }
        }
    }

    /// The first base that the paths from two even cells to the root share.
    fn common_base(&self, tree: &Tree, a: usize, b: usize) -> usize {
        let mut seen = 0u64;
        let mut cell = a;
        loop {
            cell = tree.base[cell];
            seen |= 1 << cell;
            match self.mate[cell] {
                NONE => break,
                mate => cell = tree.parent[mate],
            }
        }
        cell = tree.base[b];
        while seen >> cell & 1 == 0 {
            cell = tree.base[tree.parent[self.mate[cell]]];
        }
        cell
    }

    /// Exchanges paired and unpaired edges on the path from the root to `cell`.
    fn exchange(&mut self, tree: &Tree, mut cell: usize) {
        while cell != NONE {
            let before = tree.parent[cell];
            let next = self.mate[before];
            self.mate[cell] = before;
            self.mate[before] = cell;
            cell = next;
        }
    }
}

//! Ranking of fillings: ways to cover every cell of a board exactly once with pieces.
//!
//! Cells are walked in order; at every cell that is not covered yet some piece must begin, and the
//! *letter* says which kind. So a filling is a word. What can follow depends only on the cell
//! that was reached, on the later cells that are covered already, and on how often each kind was
//! used: these are the nodes of a graph without cycles, and every path from its start to its end
//! is a filling. With the number of paths from each node known, a filling's rank in lexicographic
//! order is one addition for each piece, and the number of all fillings comes without listing one.
//!
//! A filling that differs from a known one in a few cells has the same nodes before and after
//! them. [`FillingNode`] and [`step`](Fillings::step) are for ranking only what lies between, and
//! [`FillingStep`] and [`trace`](Fillings::trace) for finding only what follows the pieces that two
//! fillings with ranks near each other have in common.

use std::collections::HashMap;
use std::ops::RangeInclusive;

/// No more kinds of pieces than this.
pub const MOST_KINDS: usize = 8;
/// No more cells than this.
pub const MOST_CELLS: usize = 64;
/// Larger graphs are given up: some ten megabytes.
const MOST_NODES: usize = 1 << 18;

/// No piece of this kind can begin here.
const DEAD: u32 = u32::MAX;

/// A kind of piece.
#[derive(Clone, Debug)]
pub struct Piece {
    /// For every cell, the mask of cells that a piece covers if it begins there, that cell being
    /// the lowest one; `None` where it would not fit.
    pub covers: Vec<Option<u64>>,
    /// How many pieces of this kind a filling has.
    pub uses: RangeInclusive<usize>,
}

/// A node: a cell where a piece begins, and all that matters of the pieces before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FillingNode(u32);

/// A node on the way to some filling: the fillings that begin like it have the ranks from `start` on and
/// below `end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FillingStep {
    /// The node.
    pub node: FillingNode,
    /// The least of the ranks: what the pieces so far add to the rank.
    pub start: u64,
    /// The end of the ranks.
    pub end: u64,
}

/// All fillings of a board, numbered in lexicographic order of their letters.
#[derive(Clone, Debug)]
pub struct Fillings {
    kinds: usize,
    cells: usize,
    count: u64,
    start: u32,
    /// The cell that a node has reached.
    cell: Box<[u8]>,
    /// `[node][letter]`, flattened.
    edges: Box<[GraphEdge]>,
}

/// What a letter means at a node: both numbers are wanted together.
#[derive(Clone, Copy, Debug)]
struct GraphEdge {
    /// Fillings from the node on that begin with a smaller letter.
    smaller: u64,
    /// Where the letter leads.
    next: u32,
}

impl Fillings {
    /// Prepares the fillings of a board of that many cells; `None` if there are more of them than 64
    /// bits can number, more cells or kinds than possible, or if the tables would be too large.
    pub fn new(cells: usize, pieces: &[Piece]) -> Option<Self> {
        if cells > MOST_CELLS || pieces.len() > MOST_KINDS {
            return None;
        }
        let mut builder = GraphBuilder {
            cells,
            pieces,
            known: HashMap::new(),
            count: Vec::new(),
            cell: Vec::new(),
            edges: Vec::new(),
        };
        let start = builder.node(NodeKey::default())?;
        Some(Fillings {
            kinds: pieces.len(),
            cells,
            count: match start {
                DEAD => 0,
                _ => builder.count[start as usize],
            },
            start,
            cell: builder.cell.into(),
            edges: builder.edges.into(),
        })
    }

    /// How many fillings there are.
    #[inline]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number of the filling in which the piece that begins at each cell is of the kind that
    /// `letter_at` says; it is asked for cells in ascending order, and only where a piece begins.
    /// `None` if that is not a filling.
    #[inline(always)]
    pub fn rank(&self, mut letter_at: impl FnMut(usize) -> usize) -> Option<u64> {
        let mut node = self.start;
        let mut rank = 0;
        if self.count == 0 {
            return None;
        }
        loop {
            let cell = usize::from(self.cell[node as usize]);
            if cell == self.cells {
                return Some(rank);
            }
            let letter = letter_at(cell);
            if letter >= self.kinds {
                return None;
            }
            let edge = self.edges[node as usize * self.kinds + letter];
            rank += edge.smaller;
            node = edge.next;
            if node == DEAD {
                return None;
            }
        }
    }

    /// Tells the cell and the kind of every piece of the filling with this rank, in order of the
    /// cells; nothing if there is no such filling.
    #[inline(always)]
    pub fn unrank(&self, rank: u64, mut piece: impl FnMut(usize, usize)) {
        self.trace(self.first(), rank, |cell, letter, _| {
            piece(cell, letter);
            true
        });
    }

    /// The step before the first piece of every filling.
    #[inline(always)]
    pub fn first(&self) -> FillingStep {
        FillingStep { node: self.start(), start: 0, end: self.count }
    }

    /// Like [`unrank`](Fillings::unrank), from a step of that filling on, and tells also the step that
    /// each piece is. Goes on as long as the answer is `true`.
    #[inline(always)]
    pub fn trace(
        &self,
        mut step: FillingStep,
        rank: u64,
        mut piece: impl FnMut(usize, usize, FillingStep) -> bool,
    ) {
        if rank >= self.count {
            return;
        }
        loop {
            let node = step.node.0 as usize;
            let left = rank - step.start;
            let cell = usize::from(self.cell[node]);
            if cell == self.cells {
                return;
            }
            // The numbers ascend. A dead letter has as many smaller ones as the next living one,
            // or as all there are: so the last letter that has no more than `left` is alive.
            let row = &self.edges[node * self.kinds..][..self.kinds];
            let mut letter = 0;
            match row {
                // Five kinds written out, as a chain of selections: sums would be vectorised, which takes
                // longer for so few.
                [_, a, b, c, d] => {
                    for (edge, at) in [(a, 1), (b, 2), (c, 3), (d, 4)] {
                        letter = if edge.smaller <= left { at } else { letter };
                    }
                }
                _ => {
                    for edge in &row[1..] {
                        letter += usize::from(edge.smaller <= left);
                    }
                }
            }
            if !piece(cell, letter, step) {
                return;
            }
            if let Some(behind) = row.get(letter + 1) {
                step.end = step.start + behind.smaller;
            }
            step.start += row[letter].smaller;
            step.node = FillingNode(row[letter].next);
        }
    }

    /// The place where every filling begins; the place of nothing if there is none.
    #[inline(always)]
    pub fn start(&self) -> FillingNode {
        FillingNode(self.start)
    }

    /// Where a piece of this kind leads from a place, and how much it adds to the rank. Beginning
    /// one where it cannot begin leads to a place from which a further step panics.
    #[inline(always)]
    pub fn step(&self, place: FillingNode, letter: usize) -> (FillingNode, u64) {
        let edge = self.edges[place.0 as usize * self.kinds + letter];
        (FillingNode(edge.next), edge.smaller)
    }
}

/// What decides how a filling can continue.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct NodeKey {
    cell: u8,
    covered: u64,
    used: [u8; MOST_KINDS],
}

struct GraphBuilder<'a> {
    cells: usize,
    pieces: &'a [Piece],
    known: HashMap<NodeKey, u32>,
    count: Vec<u64>,
    cell: Vec<u8>,
    edges: Vec<GraphEdge>,
}

impl GraphBuilder<'_> {
    /// The number of a node, `DEAD` if no filling goes through it; `None` if it is all too much.
    fn node(&mut self, key: NodeKey) -> Option<u32> {
        if let Some(&node) = self.known.get(&key) {
            return Some(node);
        }
        if self.known.len() >= 4 * MOST_NODES || self.cell.len() >= MOST_NODES {
            return None;
        }
        let mut edges = vec![GraphEdge { smaller: 0, next: DEAD }; self.pieces.len()];
        let mut count = 0u64;
        if usize::from(key.cell) == self.cells {
            let enough = |(kind, piece): (usize, &Piece)| usize::from(key.used[kind]) >= *piece.uses.start();
            count = u64::from(self.pieces.iter().enumerate().all(enough));
        } else {
            for (letter, edge) in edges.iter_mut().enumerate() {
                edge.smaller = count;
                if let Some(after) = self.step(key, letter) {
                    edge.next = self.node(after)?;
                    if edge.next != DEAD {
                        count = count.checked_add(self.count[edge.next as usize])?;
                    }
                }
            }
        }
        let node = if count == 0 {
            DEAD
        } else {
            self.count.push(count);
            self.cell.push(key.cell);
            self.edges.extend(edges);
            self.count.len() as u32 - 1
        };
        self.known.insert(key, node);
        Some(node)
    }

    /// What is reached when a piece of this kind begins at the node's cell, if it can.
    fn step(&self, key: NodeKey, letter: usize) -> Option<NodeKey> {
        let piece = &self.pieces[letter];
        let mask = (*piece.covers.get(usize::from(key.cell))?)?;
        if key.covered & mask != 0 || usize::from(key.used[letter]) >= *piece.uses.end() {
            return None;
        }
        let covered = key.covered | mask;
        let free = !covered & u64::MAX.checked_shl(u32::from(key.cell)).unwrap_or(0);
        let cell = (free.trailing_zeros() as usize).min(self.cells);
        let mut after = NodeKey {
            cell: cell as u8,
            // Earlier cells are all covered, and say nothing any more.
            covered: covered & u64::MAX.checked_shl(cell as u32).unwrap_or(0),
            used: key.used,
        };
        // How often beyond what matters is forgotten, so that more nodes are alike.
        let matters = match *piece.uses.end() {
            usize::MAX => *piece.uses.start(),
            end => end,
        };
        if usize::from(after.used[letter]) < matters {
            after.used[letter] += 1;
        }
        Some(after)
    }
}

#[cfg(test)]
mod tests;

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
//! them. [`Place`], [`step`](Fillings::step) and [`trace`](Fillings::trace) are for ranking only
//! what lies between.

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
pub struct Place(u32);

/// All fillings of a board, numbered in lexicographic order of their letters.
#[derive(Clone, Debug)]
pub struct Fillings {
    kinds: usize,
    cells: usize,
    count: u64,
    start: u32,
    /// The cell that a node has reached.
    cell: Box<[u8]>,
    /// `[node][letter]`: where the letter leads.
    next: Box<[u32]>,
    /// `[node][letter]`: fillings from the node on that begin with a smaller letter.
    smaller: Box<[u64]>,
}

impl Fillings {
    /// Prepares the fillings of a board of so many cells; `None` if there are more of them than 64
    /// bits can number, more cells or kinds than possible, or if the tables would be too large.
    pub fn new(cells: usize, pieces: &[Piece]) -> Option<Self> {
        if cells > MOST_CELLS || pieces.len() > MOST_KINDS {
            return None;
        }
        let mut builder = Builder {
            cells,
            pieces,
            known: HashMap::new(),
            count: Vec::new(),
            cell: Vec::new(),
            next: Vec::new(),
            smaller: Vec::new(),
        };
        let start = builder.node(Key::default())?;
        Some(Fillings {
            kinds: pieces.len(),
            cells,
            count: match start {
                DEAD => 0,
                _ => builder.count[start as usize],
            },
            start,
            cell: builder.cell.into(),
            next: builder.next.into(),
            smaller: builder.smaller.into(),
        })
    }

    /// How many fillings there are.
    #[inline]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number of the filling in which the piece that begins at each cell is of the kind that
    /// `letter_at` says; it is asked for cells in ascending order, and only where a piece begins.
    /// `None` if that is no filling.
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
            let edge = node as usize * self.kinds + letter;
            rank += self.smaller[edge];
            node = self.next[edge];
            if node == DEAD {
                return None;
            }
        }
    }

    /// Tells the cell and the kind of every piece of the filling with this rank, in order of the
    /// cells; nothing if there is no such filling.
    #[inline(always)]
    pub fn unrank(&self, rank: u64, mut piece: impl FnMut(usize, usize)) {
        self.trace(rank, |cell, letter, _, _| {
            piece(cell, letter);
            true
        });
    }

    /// Like [`unrank`](Fillings::unrank), and tells also the place where each piece begins, and
    /// which part of the rank is due to the pieces before it. Goes on as long as the answer is
    /// `true`.
    #[inline(always)]
    pub fn trace(&self, rank: u64, mut piece: impl FnMut(usize, usize, Place, u64) -> bool) {
        if rank >= self.count {
            return;
        }
        let mut left = rank;
        let mut node = self.start as usize;
        loop {
            let cell = usize::from(self.cell[node]);
            if cell == self.cells {
                return;
            }
            let row = node * self.kinds;
            // The numbers ascend. A dead letter has as many smaller ones as the next living one,
            // or as all there are: so the last letter that has no more than `left` is alive.
            let smaller = &self.smaller[row..row + self.kinds];
            let passed = |number: &u64| usize::from(*number <= left);
            let letter = match smaller {
                // Five kinds written out: a loop of unknown length would be vectorised.
                [_, a, b, c, d] => passed(a) + passed(b) + passed(c) + passed(d),
                _ => smaller[1..].iter().map(passed).sum(),
            };
            if !piece(cell, letter, Place(node as u32), rank - left) {
                return;
            }
            left -= smaller[letter];
            node = self.next[row + letter] as usize;
        }
    }

    /// The place where every filling begins; the place of nothing if there is none.
    #[inline(always)]
    pub fn start(&self) -> Place {
        Place(self.start)
    }

    /// Where a piece of this kind leads from a place, and how much it adds to the rank. Beginning
    /// one where it cannot begin leads to a place from which a further step panics.
    #[inline(always)]
    pub fn step(&self, place: Place, letter: usize) -> (Place, u64) {
        let edge = place.0 as usize * self.kinds + letter;
        (Place(self.next[edge]), self.smaller[edge])
    }
}

/// What decides how a filling can go on.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Key {
    cell: u8,
    covered: u64,
    used: [u8; MOST_KINDS],
}

struct Builder<'a> {
    cells: usize,
    pieces: &'a [Piece],
    known: HashMap<Key, u32>,
    count: Vec<u64>,
    cell: Vec<u8>,
    next: Vec<u32>,
    smaller: Vec<u64>,
}

impl Builder<'_> {
    /// The number of a node, `DEAD` if no filling goes through it; `None` if it is all too much.
    fn node(&mut self, key: Key) -> Option<u32> {
        if let Some(&node) = self.known.get(&key) {
            return Some(node);
        }
        if self.known.len() >= 4 * MOST_NODES || self.cell.len() >= MOST_NODES {
            return None;
        }
        let mut next = vec![DEAD; self.pieces.len()];
        let mut smaller = vec![0u64; self.pieces.len()];
        let mut count = 0u64;
        if usize::from(key.cell) == self.cells {
            let enough =
                |(kind, piece): (usize, &Piece)| usize::from(key.used[kind]) >= *piece.uses.start();
            count = u64::from(self.pieces.iter().enumerate().all(enough));
        } else {
            for letter in 0..self.pieces.len() {
                smaller[letter] = count;
                if let Some(after) = self.step(key, letter) {
                    next[letter] = self.node(after)?;
                    if next[letter] != DEAD {
                        count = count.checked_add(self.count[next[letter] as usize])?;
                    }
                }
            }
        }
        let node = if count == 0 {
            DEAD
        } else {
            self.count.push(count);
            self.cell.push(key.cell);
            self.next.extend(next);
            self.smaller.extend(smaller);
            self.count.len() as u32 - 1
        };
        self.known.insert(key, node);
        Some(node)
    }

    /// What is reached when a piece of this kind begins at the node's cell, if it can.
    fn step(&self, key: Key, letter: usize) -> Option<Key> {
        let piece = &self.pieces[letter];
        let mask = (*piece.covers.get(usize::from(key.cell))?)?;
        if key.covered & mask != 0 || usize::from(key.used[letter]) >= *piece.uses.end() {
            return None;
        }
        let covered = key.covered | mask;
        let free = !covered & u64::MAX.checked_shl(u32::from(key.cell)).unwrap_or(0);
        let cell = (free.trailing_zeros() as usize).min(self.cells);
        let mut after = Key {
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
mod tests {
    use super::*;

    /// Lying and standing dominoes and single cells on a board of rows.
    fn dominoes(rows: usize, columns: usize, singles: RangeInclusive<usize>) -> Vec<Piece> {
        let cells = 0..rows * columns;
        let any = 0..=usize::MAX;
        let lying = cells
            .clone()
            .map(|c| (c % columns + 1 < columns).then_some(3 << c));
        let standing = cells
            .clone()
            .map(|c| (c / columns + 1 < rows).then_some((1 | 1 << columns) << c));
        vec![
            Piece {
                covers: cells.map(|c| Some(1 << c)).collect(),
                uses: singles,
            },
            Piece {
                covers: lying.collect(),
                uses: any.clone(),
            },
            Piece {
                covers: standing.collect(),
                uses: any,
            },
        ]
    }

    #[test]
    fn known_numbers_of_tilings() {
        let tilings = |rows, columns, singles| {
            Fillings::new(rows * columns, &dominoes(rows, columns, singles))
                .unwrap()
                .count()
        };
        assert_eq!(tilings(8, 8, 0..=0), 12_988_816);
        assert_eq!(tilings(2, 10, 0..=0), 89);
        assert_eq!(tilings(3, 3, 0..=0), 0);
        // Monomer-dimer coverings of the 3 x 3 and 4 x 4 squares.
        assert_eq!(tilings(3, 3, 0..=usize::MAX), 131);
        assert_eq!(tilings(4, 4, 0..=usize::MAX), 10_012);
        assert_eq!((0..=9).map(|k| tilings(3, 3, k..=k)).sum::<u64>(), 131);
    }

    #[test]
    fn bijective_and_lexicographic() {
        for singles in [0..=usize::MAX, 2..=2, 3..=6] {
            let fillings = Fillings::new(12, &dominoes(3, 4, singles.clone())).unwrap();
            let mut previous = Vec::new();
            for rank in 0..fillings.count() {
                let mut word = Vec::new();
                let mut letters = [9; 12];
                fillings.unrank(rank, |cell, letter| {
                    word.push(letter);
                    letters[cell] = letter;
                });
                assert!(word > previous);
                let used = word.iter().filter(|&&letter| letter == 0).count();
                assert!(singles.contains(&used));
                assert_eq!(fillings.rank(|cell| letters[cell]), Some(rank));
                previous = word;
                let (mut place, mut sum) = (fillings.start(), 0);
                fillings.trace(rank, |cell, letter, at, before| {
                    assert_eq!((letters[cell], place, sum), (letter, at, before));
                    let (next, more) = fillings.step(place, letter);
                    (place, sum) = (next, sum + more);
                    true
                });
                assert_eq!(sum, rank);
            }
            let mut pieces = 0;
            fillings.unrank(fillings.count(), |_, _| pieces += 1);
            assert_eq!(pieces, 0);
        }
    }

    #[test]
    fn what_is_no_filling_has_no_rank() {
        let fillings = Fillings::new(4, &dominoes(2, 2, 2..=2)).unwrap();
        assert_eq!(fillings.count(), 4);
        assert_eq!(fillings.rank(|_| 0), None);
        assert_eq!(fillings.rank(|_| 1), None);
        assert_eq!(fillings.rank(|_| 7), None);
        let none = Fillings::new(1, &dominoes(1, 1, 0..=0)).unwrap();
        assert_eq!((none.count(), none.rank(|_| 0)), (0, None));
        assert!(Fillings::new(65, &[]).is_none());
    }

    #[test]
    fn the_largest_board() {
        let fillings = Fillings::new(64, &dominoes(8, 8, 0..=0)).unwrap();
        let mut letters = [9; 64];
        fillings.unrank(12_345_678, |cell, letter| letters[cell] = letter);
        assert_eq!(fillings.rank(|cell| letters[cell]), Some(12_345_678));
    }
}

//! The fillings of single rows, in buckets: what [`halves`](super::halves) puts together.
//!
//! They are gone through twice, first to see how large the buckets must be: so nothing is moved,
//! and what they take is known before it is taken.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::board::TriangleBoard;
use super::fits::{Fits, wish};
use super::pieces::ANY;
use super::rules::TriangleRules;
use crate::error::{Error, Result};

/// A look at the stop flag is worth its time once in that many fillings of a row.
const LOOK_EVERY: u64 = 1 << 20;

/// What can lie in the rows of a board. Some of the pieces are *marked*.
pub(super) struct RowFillings {
    board: TriangleBoard,
    fits: Fits,
    /// The bit of each piece in a set of pieces.
    bits: Vec<u32>,
    /// How many pieces are marked: those with the lowest bits.
    marked: u32,
}

impl RowFillings {
    pub fn new(rules: &TriangleRules, bits: Vec<u32>, marked: u32) -> Self {
        RowFillings { board: rules.board.clone(), fits: Fits::new(&rules.pieces), bits, marked }
    }

    /// How many pieces are marked.
    pub fn marked(&self) -> u32 {
        self.marked
    }

    /// How many pieces are not marked.
    pub fn rest(&self) -> u32 {
        self.bits.len() as u32 - self.marked
    }

    /// Calls `visit` with the pieces and the letters of the edges of every filling of some cells
    /// of one row.
    fn row(&self, cells: &Range<usize>, visit: &mut impl FnMut(u32, &[u8]) -> Result<()>) -> Result<()> {
        let mut letters = vec![ANY; self.board.edges.len()];
        self.extend(cells.clone(), 0, &mut letters, visit)
    }

    fn extend(
        &self,
        mut cells: Range<usize>,
        used: u32,
        letters: &mut [u8],
        visit: &mut impl FnMut(u32, &[u8]) -> Result<()>,
    ) -> Result<()> {
        let Some(number) = cells.next() else {
            return visit(used, letters);
        };
        let cell = &self.board.cells[number];
        let left = if cell.up { 0 } else { 2 };
        let mut wanted = [ANY; 3];
        if let Some(edge) = cell.edges[left] {
            wanted[left] = letters[edge];
        }
        for fit in self.fits.list(cell.up, wish(wanted)) {
            let bit = 1 << self.bits[usize::from(fit.piece)];
            if used & bit != 0 {
                continue;
            }
            for (edge, letter) in cell.edges.iter().zip(fit.letters) {
                if let Some(edge) = *edge {
                    letters[edge] = letter;
                }
            }
            self.extend(cells.clone(), used | bit, letters, visit)?;
        }
        Ok(())
    }

    /// The fillings of a row in buckets by marked pieces and the letters of `key` edges, each with
    /// the rest of its pieces and the letters of `value` edges.
    pub fn shelf<'a>(
        &'a self,
        cells: &'a Range<usize>,
        key: &'a [usize],
        value: &'a [usize],
        stop: &'a AtomicBool,
    ) -> Result<Shelf<'a>> {
        let mut shelf = Shelf { rows: self, cells, key, value, stop, starts: Vec::new(), total: 0 };
        shelf.measure()?;
        Ok(shelf)
    }
}

/// Buckets that are about to be filled.
pub(super) struct Shelf<'a> {
    rows: &'a RowFillings,
    cells: &'a Range<usize>,
    key: &'a [usize],
    value: &'a [usize],
    stop: &'a AtomicBool,
    /// Where each bucket starts, and where the last one ends.
    starts: Vec<u32>,
    /// The fillings in all buckets.
    total: u64,
}

impl Shelf<'_> {
    /// Calls `visit` with the bucket and the word of every filling.
    fn for_each(&self, mut visit: impl FnMut(usize, u32)) -> Result<()> {
        let (marked, rest) = (self.rows.marked, self.rows.rest());
        let mut passed = 0;
        self.rows.row(self.cells, &mut |used, letters| {
            if passed % LOOK_EVERY == 0 && self.stop.load(Relaxed) {
                return Err(Error::interrupted(
                    "stopped while the count was being prepared; the same command continues",
                ));
            }
            passed += 1;
            let inside = used & ((1 << marked) - 1);
            let key = (inside as usize) << (3 * self.key.len()) | code(self.key, letters);
            let word = used >> marked | (code(self.value, letters) as u32) << rest;
            visit(key, word);
            Ok(())
        })
    }

    /// Finds out how large the buckets are.
    fn measure(&mut self) -> Result<()> {
        let mut sizes = vec![0u32; (1 << (self.rows.marked as usize + 3 * self.key.len())) + 1];
        let mut total = 0;
        self.for_each(|key, _| {
            sizes[key] = sizes[key].wrapping_add(1);
            total += 1;
        })?;
        if total > u64::from(u32::MAX) {
            return Err(Error::limit(format!(
                "counting needs lists of {total} fillings of one row, and at most {} are supported: with so few letters there are too many ways to fill a row",
                u32::MAX
            )));
        }
        let mut start = 0;
        for size in &mut sizes {
            start += std::mem::replace(size, start);
        }
        (self.starts, self.total) = (sizes, total);
        Ok(())
    }

    /// What the filled buckets take.
    pub fn bytes(&self) -> u64 {
        size_of::<u32>() as u64 * (self.starts.len() as u64 + self.total)
    }

    pub fn fill(mut self) -> Result<WordBuckets> {
        let mut words = vec![0; self.total as usize];
        let mut starts = std::mem::take(&mut self.starts);
        self.for_each(|key, word| {
            words[starts[key] as usize] = word;
            starts[key] += 1;
        })?;
        // By now every bucket's number stands where the next bucket's belongs.
        starts.rotate_right(1);
        starts[0] = 0;
        Ok(WordBuckets { starts, words })
    }
}

/// The letters of some edges as one number, three bits for each.
fn code(edges: &[usize], letters: &[u8]) -> usize {
    let letters = edges.iter().map(|&edge| usize::from(letters[edge]));
    letters.fold(0, |code, letter| code << 3 | letter)
}

/// The fillings of a row.
pub(super) struct WordBuckets {
    /// Where each bucket starts, and where the last one ends.
    starts: Vec<u32>,
    words: Vec<u32>,
}

impl WordBuckets {
    /// The words in one bucket.
    #[inline(always)]
    pub fn bucket(&self, key: usize) -> &[u32] {
        &self.words[self.starts[key] as usize..self.starts[key + 1] as usize]
    }
}

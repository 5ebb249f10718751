//! Counting solutions by meeting in the middle.
//!
//! # Halves
//! The board is cut between two rows into a top and a bottom *half* of at most two rows each. A
//! solution is a filling of the top and one of the bottom that use no piece twice and have the
//! same letters on the edges along the cut. So for every set of pieces and every letters of the
//! cut, the number of solutions is a product of two numbers, and all of them are the sum of these
//! products. The hexagon's halves have about 10^9 fillings each: too many to keep, but quickly
//! made from the fillings of single rows, of which there are some 10^7. A half's row at the rim is
//! its *outer* row, the one at the cut its *inner* row; a half of one row has no outer one.
//!
//! # Parts
//! Half of the pieces are *marked*. Every part of the count is about one set of marked pieces that
//! the top half uses: the bottom half uses the other marked ones. A part goes through the fillings
//! of the top half with its marked pieces, counts them in a table by the rest of their pieces and
//! by the letters along the cut, and then adds up what the table says to each filling of the
//! bottom half. For the hexagon that is a table of at most C(12, 6) sets times 8^4 letters.
//!
//! # Joining two rows
//! The fillings of an inner row are in buckets by their marked pieces and the letters at the outer
//! row. For a filling of the outer row there is one bucket in which all fillings have fitting
//! letters and the marked pieces that are still missing, so only the rest of the pieces has to be
//! compared. A filling in a bucket is a word of 32 bits: the rest of its pieces and its letters
//! along the cut.

use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use super::rows::{RowFillings, Shelf, WordBuckets};
use super::rules::TriangleRules;
use crate::encode::binomial::choose;
use crate::error::{Alternative, Error, LimitKind, Result};
use crate::puzzle::{CountTables, Counting};
use crate::text::bytes;

/// The way to count the solutions of a puzzle.
pub(super) struct Halves {
    rows: RowFillings,
    /// The top half and the bottom half.
    plans: [HalfPlan; 2],
}

struct HalfPlan {
    /// The cells of the outer row; none if there is no such row.
    outer: Range<usize>,
    /// The cells of the inner row.
    inner: Range<usize>,
    /// The edges between the two rows.
    join: Vec<usize>,
    /// The edges along the cut.
    cut: Vec<usize>,
}

impl HalfPlan {
    fn cells(&self) -> usize {
        self.outer.len() + self.inner.len()
    }
}

impl Halves {
    /// Half of the pieces are marked, no matter which.
    pub fn new(rules: &TriangleRules) -> Self {
        let pieces = rules.pieces.len() as u32;
        Halves::marking(rules, (0..pieces).collect(), pieces / 2)
    }

    /// With these bits for the pieces, of which the lowest are marked.
    pub fn marking(rules: &TriangleRules, bits: Vec<u32>, marked: u32) -> Self {
        let board = &rules.board;
        // At most four rows. A missing one is no cells.
        let row = |number: usize| board.rows.get(number).cloned().unwrap_or_default();
        let [top, bottom] = match board.rows.len() {
            0..=2 => [[0..0, row(0)], [0..0, row(1)]],
            3 => [[row(0), row(1)], [0..0, row(2)]],
            _ => [[row(0), row(1)], [row(3), row(2)]],
        };
        let cut = board.between(&top[1], &bottom[1]);
        let plan = |[outer, inner]: [Range<usize>; 2]| {
            let (upper, lower) = if outer.start < inner.start { (&outer, &inner) } else { (&inner, &outer) };
            HalfPlan { join: board.between(upper, lower), cut: cut.clone(), outer, inner }
        };
        Halves { plans: [plan(top), plan(bottom)], rows: RowFillings::new(rules, bits, marked) }
    }

    /// How many sets of unmarked pieces the top half can have besides these marked ones.
    fn sets(&self, marked: usize) -> u64 {
        let rest = self.plans[0].cells().checked_sub(marked.count_ones() as usize);
        rest.map_or(0, |rest| choose(self.rows.rest() as usize, rest))
    }
}

struct HalfFillings {
    outer: WordBuckets,
    inner: WordBuckets,
    /// How many bits the letters between the rows take.
    join: usize,
    /// How many pieces are not marked.
    rest: u32,
}

impl HalfFillings {
    /// Calls `visit` for every filling with exactly these marked pieces: with the rest of its
    /// pieces and its letters along the cut.
    #[inline(always)]
    fn for_each(&self, marked: usize, mut visit: impl FnMut(u32, u32)) {
        let all = (1u32 << self.rest) - 1;
        // All ways to divide the marked pieces between the rows.
        let mut outside = marked;
        loop {
            let inside = (marked ^ outside) << self.join;
            for &outer in self.outer.bucket(outside) {
                let (used, letters) = (outer & all, (outer >> self.rest) as usize);
                for &inner in self.inner.bucket(inside | letters) {
                    if inner & used == 0 {
                        visit(inner & all | used, inner >> self.rest);
                    }
                }
            }
            if outside == 0 {
                break;
            }
            outside = (outside - 1) & marked;
        }
    }
}

impl Counting for Halves {
    fn parts(&self) -> usize {
        1 << self.rows.marked()
    }

    fn prepare(&self, memory: u64, stop: &AtomicBool) -> Result<Box<dyn CountTables + '_>> {
        let [top, bottom] = &self.plans;
        let shelves = [top, bottom].map(|plan| -> Result<_> {
            let outer = self.rows.shelf(&plan.outer, &[], &plan.join, stop)?;
            let inner = self.rows.shelf(&plan.inner, &plan.join, &plan.cut, stop)?;
            Ok((outer, inner))
        });
        let [top_shelves, bottom_shelves] = shelves;
        let (top_shelves, bottom_shelves) = (top_shelves?, bottom_shelves?);
        let most = (0..self.parts()).map(|part| self.sets(part)).max();
        let cut = 3 * top.cut.len();
        let part_bytes = (most.unwrap_or_default() << cut) * size_of::<Counter>() as u64;
        let shelves = [&top_shelves, &bottom_shelves];
        let lists = shelves.map(|(outer, inner)| outer.bytes() + inner.bytes());
        let shared_bytes = lists.iter().sum();
        if shared_bytes + part_bytes > memory {
            return Err(Error::from(LimitKind::Memory {
                what: format!(
                    "counting the solutions ({} for the fillings of single rows, and {} for each \
                     thread)",
                    bytes(shared_bytes),
                    bytes(part_bytes)
                ),
                needed: shared_bytes + part_bytes,
                allowed: memory,
                or: Alternative::None,
            }));
        }
        let half = |(outer, inner): (Shelf<'_>, Shelf<'_>), plan: &HalfPlan| -> Result<HalfFillings> {
            Ok(HalfFillings {
                outer: outer.fill()?,
                inner: inner.fill()?,
                join: 3 * plan.join.len(),
                rest: self.rows.rest(),
            })
        };
        Ok(Box::new(HalfLists {
            halves: self,
            top: half(top_shelves, top)?,
            bottom: half(bottom_shelves, bottom)?,
            cut,
            ranks: ranks(self.rows.rest()),
            shared_bytes,
            part_bytes,
            tables: Mutex::new(Vec::new()),
        }))
    }
}

/// The number of each set among those with as many elements.
fn ranks(elements: u32) -> Vec<u16> {
    let mut next = vec![0; elements as usize + 1];
    let sets = 0..1usize << elements;
    sets.map(|set| {
        let rank = &mut next[set.count_ones() as usize];
        *rank += 1;
        *rank - 1
    })
    .collect()
}

/// Counts fillings; as they are counted one by one, it cannot overflow.
type Counter = u64;

/// What all parts share.
struct HalfLists<'a> {
    halves: &'a Halves,
    top: HalfFillings,
    bottom: HalfFillings,
    /// How many bits the letters along the cut take.
    cut: usize,
    ranks: Vec<u16>,
    shared_bytes: u64,
    part_bytes: u64,
    /// Tables that are not in use: making new ones for each part would take longer than counting.
    tables: Mutex<Vec<Vec<Counter>>>,
}

impl HalfLists<'_> {
    #[inline(always)]
    fn place(&self, rest: u32, letters: u32) -> usize {
        usize::from(self.ranks[rest as usize]) << self.cut | letters as usize
    }
}

impl CountTables for HalfLists<'_> {
    fn shared_bytes(&self) -> u64 {
        self.shared_bytes
    }

    fn part_bytes(&self) -> u64 {
        self.part_bytes
    }

    fn count(&self, part: usize) -> u128 {
        let sets = self.halves.sets(part) as usize;
        if part >= self.halves.parts() || sets == 0 {
            return 0;
        }
        let tables = || self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let mut table = tables().pop().unwrap_or_default();
        table.clear();
        table.resize(sets << self.cut, 0);
        self.top.for_each(part, |rest, letters| {
            table[self.place(rest, letters)] += 1;
        });
        let all = (1u32 << self.halves.rows.rest()) - 1;
        let mut solutions = 0u128;
        self.bottom.for_each(self.halves.parts() - 1 - part, |rest, letters| {
            solutions += u128::from(table[self.place(all ^ rest, letters)]);
        });
        tables().push(table);
        solutions
    }
}

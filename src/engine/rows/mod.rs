//! The table of a space in rows: two bits for every number, walked a row at a time.
//!
//! # Why
//! A candidate's bit is somewhere in memory, and waiting for it costs more than finding out which bit it is. Where
//! a move takes a whole row to one other row ([`Rows`]), all reads and writes of a move stay in two rows, which
//! are in cache; what a move does to columns is found once for the row and then applied to all of them. And
//! nothing is subtracted or decoded: the table knows what is known.
//!
//! # What the two bits say
//! | known | fresh | the class of the number is |
//! |---|---|---|
//! | 0 | 0 | not known yet |
//! | 0 | 1 | in the next level, which is being found |
//! | 1 | 1 | in the last level |
//! | 1 | 0 | in a level before |
//!
//! *All* numbers of a class are marked, not only the canonical one: then a move needs no canonical form, and
//! leads from marked numbers to all numbers of the neighbours, but for [twins](Rows::twins) in the few rows that
//! have some, which are marked afterwards. Only when the level is drained are canonical numbers picked.
//!
//! # Who may touch a row
//! While a level is found, the first bits do not change, so anybody may read them; and a second bit is
//! only set where the first is not, so that what makes the last level looks the same at any time. Second bits
//! are set with the row's lock held, by plain writes: candidates are collected in a row of the thread's
//! own, and merged into the table's row a word at a time.
//!
//! # How a level is found
//! [Pushing](Way::Push) goes through the rows, takes the columns of the last level, and carries them with
//! every step of the row. [Pulling](Way::Pull) takes the columns that are not known, and carries those that have
//! found no neighbour yet with one step after the other: most have found one after the first few. Both are as
//! cheap as they carry few columns, which is estimated before a level begins ([`cheaper`]).
//!
//! # What survives
//! The table is made of the level sets, once, when a level is first walked by rows or a job is resumed, and then
//! kept from level to level. A checkpoint while rows are walked saves all new numbers as one run, and how many
//! rows are done.

mod mark;
mod pass;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::budget::{Budget, Charge};
use super::way::{MeasuredPace, Way};
use crate::error::Result;
use crate::space::{Index, RowStep, Rows};
use crate::store::level_set::SortedSet;
use crate::store::memory::HugeTable;
pub(super) use pass::RowPass;

/// Locks; several rows share one.
const LOCKS: usize = 1 << 12;
/// Rows that a thread takes at a time.
const CHUNK: u64 = 32;

/// Nanoseconds, about: for a class that is marked when the table is made, ...
const LOAD: f64 = 8.0;
/// ... for every further number of it, which is somewhere, ...
const FURTHER: f64 = 30.0;
/// ... for a step of a row, ...
const STEP: f64 = 1000.0;
/// ... for a column that is carried, ...
const CARRY: f64 = 3.0;
/// ... and for a number of the table, which is looked through.
const SCAN: f64 = 0.3;

/// Two bits for every number of a space.
pub(super) struct RowTable<'a> {
    rows: &'a dyn Rows,
    count: u64,
    columns: u32,
    /// Words of each bit of a row.
    words: usize,
    /// By row: the first bits, the second bits.
    bits: HugeTable<AtomicU64>,
    locks: Box<[Mutex<()>]>,
    /// The rows that have twins.
    twinned: Vec<u64>,
    /// The last level's number, and how many numbers are in none.
    level: u32,
    unknown: u64,
    /// How long it took for each nanosecond that was expected, when pushing and when pulling.
    paces: [MeasuredPace; 2],
    _charge: Charge<'a>,
}

/// One row of the table.
#[derive(Clone, Copy)]
struct RowBits<'t> {
    known: &'t [AtomicU64],
    fresh: &'t [AtomicU64],
}

impl RowBits<'_> {
    fn is_last(&self, word: usize) -> u64 {
        self.known[word].load(Relaxed) & self.fresh[word].load(Relaxed)
    }

    fn is_new(&self, word: usize) -> u64 {
        !self.known[word].load(Relaxed) & self.fresh[word].load(Relaxed)
    }

    /// Marks those of the bits that are not known. The row's lock must be held.
    fn mark(&self, word: usize, bits: u64) {
        let new = bits & !self.known[word].load(Relaxed);
        if new != 0 {
            self.fresh[word].store(self.fresh[word].load(Relaxed) | new, Relaxed);
        }
    }

    /// Marks a column if it is not known. Without a branch, which could not be foreseen: that makes the walk of 3x4
    /// tiles 1.5 times as fast. The row's lock must be held.
    #[inline(always)]
    fn mark_column(&self, column: u32) {
        let (word, bit) = ((column / 64) as usize, 1 << (column % 64));
        let new = bit & !self.known[word].load(Relaxed);
        self.fresh[word].store(self.fresh[word].load(Relaxed) | new, Relaxed);
    }
}

/// Appends the columns of the bits of a word.
#[inline(always)]
fn columns_of(word: usize, mut bits: u64, columns: &mut Vec<u32>) {
    while bits != 0 {
        columns.push(word as u32 * 64 + bits.trailing_zeros());
        bits &= bits - 1;
    }
}

/// Columns that fit in a bucket in any budget, and bytes of memory for each thread and each column of longer rows:
/// a bucket has at least one row.
const SHORT: u32 = 1 << 17;
const PER_COLUMN: u64 = 1 << 10;

/// Bytes of memory that it takes at least to walk a space with so many numbers by rows.
pub(super) fn memory(rows: &dyn Rows, universe: u128, threads: usize) -> u64 {
    let long =
        if rows.columns() > SHORT { u64::from(rows.columns()) * PER_COLUMN * threads as u64 } else { 0 };
    // The table takes the place of a bitmap.
    let bytes = bytes(rows, universe);
    bytes.saturating_add(bytes.div_ceil(3)).saturating_add(1 << 10).max(long)
}

/// Bytes of the table of a space with so many numbers.
fn bytes(rows: &dyn Rows, universe: u128) -> u64 {
    let count = u64::try_from(universe / u128::from(rows.columns())).unwrap_or(u64::MAX);
    count.saturating_mul(16 * u64::from(rows.columns().div_ceil(64)))
}

impl<'a> RowTable<'a> {
    /// The table of the levels in `sets`, the last of which is level `level`; asks `go_on` before each block.
    pub fn load<I: Index>(
        rows: &'a dyn Rows,
        universe: u128,
        sets: &[SortedSet<I>],
        level: u32,
        budget: &'a Budget,
        go_on: impl Fn() -> Result<()> + Sync,
    ) -> Result<Self> {
        let columns = rows.columns();
        let count = universe as u64 / u64::from(columns);
        let words = columns.div_ceil(64) as usize;
        let _charge = budget.take(bytes(rows, universe));
        let bits = HugeTable::zeroed(count as usize * words * 2)?;
        let locks = (0..LOCKS).map(|_| Mutex::default()).collect();
        let has_twins = |row: &u64| {
            let mut steps = Vec::new();
            rows.twins(*row, &mut steps);
            !steps.is_empty()
        };
        let twinned = (0..count).into_par_iter().filter(has_twins).collect();
        let mut table = RowTable {
            rows,
            count,
            columns,
            words,
            bits,
            locks,
            twinned,
            level,
            unknown: 0,
            paces: Default::default(),
            _charge,
        };
        for (number, set) in sets.iter().enumerate() {
            let is_last = number + 1 == sets.len();
            let mark = |block| -> Result<()> {
                go_on()?;
                let (mut classes, mut numbers) = (Vec::new(), Vec::new());
                set.block(block, &mut classes)?;
                for class in classes {
                    numbers.clear();
                    rows.numbers(class.low(), &mut numbers);
                    for &number in &numbers {
                        table.note(number, is_last);
                    }
                }
                Ok(())
            };
            (0..set.blocks()).into_par_iter().try_for_each(mark)?;
        }
        table.close(
            |row, word| row.known[word].load(Relaxed),
            |row, word, bits| {
                row.known[word].fetch_or(bits, Relaxed);
            },
        );
        table.close(
            |row, word| row.fresh[word].load(Relaxed),
            |row, word, bits| {
                row.fresh[word].fetch_or(bits, Relaxed);
            },
        );
        table.settle(|_, _| ());
        Ok(table)
    }

    /// Notes, while the table is made, that a number is known, and perhaps in the last level.
    fn note(&self, number: u64, is_last: bool) {
        let (row, column) = (number / u64::from(self.columns), number % u64::from(self.columns));
        let row = self.row(row);
        let (word, bit) = ((column / 64) as usize, 1 << (column % 64));
        row.known[word].fetch_or(bit, Relaxed);
        if is_last {
            row.fresh[word].fetch_or(bit, Relaxed);
        }
    }

    /// Marks the twins of all columns that are marked, in all rows that have some.
    fn close(
        &self,
        marked: impl Fn(RowBits<'_>, usize) -> u64 + Sync,
        mark: impl Fn(RowBits<'_>, usize, u64) + Sync,
    ) {
        self.twinned.par_iter().for_each(|&number| {
            let (row, _held) = self.locked(number);
            let (mut columns, mut images, mut steps) = (Vec::new(), Vec::new(), Vec::new());
            for word in 0..self.words {
                columns_of(word, marked(row, word), &mut columns);
            }
            self.rows.twins(number, &mut steps);
            for step in &steps {
                images.clear();
                self.rows.carry(number, step, &columns, &mut images);
                for image in &images {
                    mark(row, (image / 64) as usize, 1 << (image % 64));
                }
            }
        });
    }

    fn row(&self, row: u64) -> RowBits<'_> {
        let start = row as usize * self.words * 2;
        let (known, fresh) = self.bits[start..start + 2 * self.words].split_at(self.words);
        RowBits { known, fresh }
    }

    /// A row whose second bits may be changed.
    fn locked(&self, row: u64) -> (RowBits<'_>, MutexGuard<'_, ()>) {
        let lock = &self.locks[row as usize % LOCKS];
        (self.row(row), lock.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The bits of a word that stand for columns.
    fn valid(&self, word: usize) -> u64 {
        match self.columns as usize - word * 64 {
            columns @ 0..64 => (1 << columns) - 1,
            _ => !0,
        }
    }

    /// The last level's number.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// How many numbers are in no level.
    pub fn unknown(&self) -> u64 {
        self.unknown
    }

    fn pace(&self, way: Way) -> &MeasuredPace {
        &self.paces[usize::from(way == Way::Pull)]
    }

    /// The new level is complete: it becomes the last one.
    pub fn advance(&mut self) {
        self.level += 1;
        self.settle(|row, word| {
            let (known, fresh) = (row.known[word].load(Relaxed), row.fresh[word].load(Relaxed));
            if fresh != 0 {
                row.known[word].store(known | fresh, Relaxed);
                row.fresh[word].store(fresh & !known, Relaxed);
            }
        });
    }

    /// Changes every word of all rows, and counts what is unknown then.
    fn settle(&mut self, change: impl Fn(RowBits<'_>, usize) + Sync) {
        let known_in = |number: u64| {
            let row = self.row(number);
            let mut known = 0;
            for word in 0..self.words {
                change(row, word);
                known += u64::from(row.known[word].load(Relaxed).count_ones());
            }
            known
        };
        let known: u64 = (0..self.count).into_par_iter().map(known_in).sum();
        self.unknown = self.count * u64::from(self.columns) - known;
    }
}

/// The cheaper way to find a level of a space with so many numbers, out of `last` numbers in the level before and
/// `unknown` ones that are in none, and the nanoseconds that it takes on one thread. How far expectations are off is
/// measured as soon as there is a table.
pub(super) fn cheaper(
    rows: &dyn Rows,
    (universe, last, unknown): (f64, f64, f64),
    fanout: usize,
    table: Option<&RowTable<'_>>,
    forced: Option<Way>,
) -> (Way, f64) {
    let fanout = fanout as f64;
    let measured = |way| table.and_then(|table| table.pace(way).measured());
    let steps = universe / f64::from(rows.columns()) * fanout;
    let cost = |way, other, columns: f64| {
        let pace = measured(way).or_else(|| measured(other)).unwrap_or(1.0);
        (way, universe * SCAN + expected(columns, steps) * pace)
    };
    let push = cost(Way::Push, Way::Pull, last * fanout);
    // About as many neighbours of each unknown number are in the last level; in whichever order they are
    // looked at, the first is found after so many.
    let near = (last * fanout / unknown.max(1.0)).min(fanout);
    let pull = cost(Way::Pull, Way::Push, unknown * (fanout + 1.0) / (near + 1.0));
    match forced {
        Some(Way::Push) => push,
        Some(Way::Pull) => pull,
        None if pull.1 < push.1 => pull,
        None => push,
    }
}

/// Nanoseconds that it should take to carry so many columns in so many steps.
fn expected(columns: f64, steps: f64) -> f64 {
    columns * CARRY + steps * STEP
}

/// Nanoseconds that it takes to make the table of so many classes with so many numbers each.
pub(super) fn load_cost(classes: f64, numbers: f64) -> f64 {
    classes * (LOAD + FURTHER * (numbers - 1.0).max(0.0))
}

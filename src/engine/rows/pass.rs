//! The container of a level that is found in a table of rows: drains the new numbers that are canonical.

use std::path::PathBuf;

use super::RowTable;
use crate::engine::container::{Container, ContainerContext, Range, SavedRuns};
use crate::engine::manifest::RunRecord;
use crate::error::Result;
use crate::space::Index;
use crate::store::level_set::SortedSet;

/// Buckets that are named at a time, for each that is in hand.
const NAMED: usize = 16;

/// One pass over a table, which is over all of it; indices below `low` are drained already.
pub(in crate::engine) struct RowPass<'t, 'a, I> {
    context: ContainerContext<'t>,
    table: &'t RowTable<'a>,
    low: I,
    saved: SavedRuns,
}

impl RowTable<'_> {
    /// Marks numbers that are not known.
    fn set<I: Index>(&self, numbers: &[I]) {
        let columns = u64::from(self.columns);
        for number in numbers {
            let (row, column) = (number.low() / columns, number.low() % columns);
            let (row, _held) = self.locked(row);
            row.mark_column(column as u32);
        }
    }
}

impl<'t, 'a, I: Index> RowPass<'t, 'a, I> {
    /// A pass that starts from the numbers in `files`; fails if the user wants to stop before
    /// they are read.
    pub fn new(
        context: ContainerContext<'t>,
        table: &'t RowTable<'a>,
        low: I,
        files: &[RunRecord],
    ) -> Result<Self> {
        let saved = SavedRuns::load(&context, files, |numbers: &[I]| table.set(numbers))?;
        Ok(RowPass { context, table, low, saved })
    }

    /// All of the table, in buckets.
    fn all(&self) -> Vec<Range<I>> {
        self.cut(0, usize::MAX)
    }

    /// The first buckets from a number on: whole rows, but for the first.
    fn cut(&self, mut from: u64, most: usize) -> Vec<Range<I>> {
        let columns = u64::from(self.table.columns);
        let width = (self.context.budget.bucket_entries(size_of::<I>()) as u64 / columns).max(1) * columns;
        let mut buckets = Vec::new();
        while from < self.end() && buckets.len() < most {
            let to = (from / columns * columns + width).min(self.end());
            buckets.push((I::of(from), I::of(to)));
            from = to;
        }
        buckets
    }

    fn end(&self) -> u64 {
        self.table.count * u64::from(self.table.columns)
    }

    /// New numbers of a bucket: all, or the canonical ones.
    fn read(&self, (low, high): Range<I>, canonical: bool) -> Vec<I> {
        let table = self.table;
        let columns = u64::from(table.columns);
        let mut bits = vec![0u64; table.words];
        let mut indices = Vec::new();
        for number in low.low() / columns..high.low().div_ceil(columns) {
            let row = table.row(number);
            let mut any = 0;
            for (word, bits) in bits.iter_mut().enumerate() {
                *bits = row.is_new(word);
                any |= *bits;
            }
            if any == 0 {
                continue;
            }
            if canonical {
                table.rows.retain_canonical(number, &mut bits);
            }
            let first = number * columns;
            // The first row of the first bucket may be done in part.
            let done = low.low().saturating_sub(first);
            bits.iter_mut().take((done / 64) as usize).for_each(|word| *word = 0);
            if let Some(word) = bits.get_mut((done / 64) as usize) {
                *word &= !0 << (done % 64);
            }
            indices.reserve(bits.iter().map(|word| word.count_ones() as usize).sum());
            for (at, &word) in (first..).step_by(64).zip(&bits) {
                let mut left = word;
                while left != 0 {
                    indices.push(I::of(at + u64::from(left.trailing_zeros())));
                    left &= left - 1;
                }
            }
        }
        indices
    }
}

impl<I: Index> Container<I> for RowPass<'_, '_, I> {
    fn push(&self, buffer: &mut Vec<I>) -> Result<()> {
        self.table.set(buffer);
        buffer.clear();
        Ok(())
    }

    fn left(&self, low: I) -> Result<u64> {
        Ok(self.end() - low.max(self.low).low())
    }

    fn buckets(&self, low: I) -> Result<Vec<Range<I>>> {
        Ok(self.cut(low.max(self.low).low(), NAMED * self.context.budget.wave()))
    }

    fn drain_bucket(&self, bucket: Range<I>, _: &[&SortedSet<I>]) -> Result<Vec<I>> {
        Ok(self.read(bucket, true))
    }

    fn save(&mut self, _: &[&SortedSet<I>], saved: &dyn Fn(u64)) -> Result<Vec<RunRecord>> {
        let run = self.context.write_buckets(&self.all(), |bucket| Ok(self.read(bucket, false)), saved)?;
        Ok(self.saved.replace_by(run))
    }

    fn unsaved(&self) -> u64 {
        self.end() / 8
    }

    fn garbage(&mut self) -> Vec<PathBuf> {
        self.saved.take_garbage()
    }

    fn files(&self) -> Vec<RunRecord> {
        self.saved.files()
    }
}

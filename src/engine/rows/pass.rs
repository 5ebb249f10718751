//! The container of a level that is found in a table of rows: drains the new numbers that are canonical.

use std::path::PathBuf;

use super::{RowTable, columns_of};
use crate::engine::container::{Container, ContainerContext, Range};
use crate::engine::manifest::RunRecord;
use crate::error::Result;
use crate::space::Index;
use crate::store::level_set::{BLOCK, SortedSet};
use rayon::prelude::*;

/// Buckets that are named at a time, for each that is in hand.
const NAMED: usize = 16;

/// One pass over a table, which is over all of it; indices below `low` are drained already.
pub(in crate::engine) struct RowPass<'t, 'a, I> {
    context: ContainerContext<'t>,
    table: &'t RowTable<'a>,
    low: I,
    saved: Vec<RunRecord>,
    garbage: Vec<PathBuf>,
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
        let pass = RowPass { context, table, low, saved: files.to_vec(), garbage: Vec::new() };
        for file in files {
            let run = file.open(context.disk.files(), context.set_header, || context.go_on())?;
            let load = |block| -> Result<()> {
                context.go_on()?;
                let mut numbers = Vec::with_capacity(BLOCK);
                run.block(block, &mut numbers)?;
                pass.set(&numbers);
                Ok(())
            };
            context.pool.install(|| (0..run.blocks()).into_par_iter().try_for_each(load))?;
        }
        Ok(pass)
    }

    /// Marks numbers that are not known.
    fn set(&self, numbers: &[I]) {
        let columns = u64::from(self.table.columns);
        for number in numbers {
            let (row, column) = (number.low() / columns, number.low() % columns);
            let (row, _held) = self.table.locked(row);
            row.mark((column / 64) as usize, 1 << (column % 64));
        }
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
        let (mut bits, mut list) = (vec![0; table.words], Vec::new());
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
            list.clear();
            for (word, &bits) in bits.iter().enumerate() {
                columns_of(word, bits, &mut list);
            }
            let index = |&column: &u32| I::of(number * columns + u64::from(column));
            let inside = |index: &I| (low..high).contains(index);
            indices.extend(list.iter().map(index).filter(inside));
        }
        indices
    }
}

impl<I: Index> Container<I> for RowPass<'_, '_, I> {
    fn push(&self, buffer: &mut Vec<I>) -> Result<()> {
        self.set(buffer);
        buffer.clear();
        Ok(())
    }

    fn flush(&self, buffer: &mut Vec<I>) -> Result<()> {
        self.push(buffer)
    }

    fn buffer_entries(&self) -> usize {
        0
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
        let old = std::mem::replace(&mut self.saved, vec![run]);
        self.garbage.extend(old.into_iter().map(|run| run.path));
        Ok(self.saved.clone())
    }

    fn unsaved(&self) -> u64 {
        self.end() / 8
    }

    fn garbage(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.garbage)
    }

    fn files(&self) -> Vec<RunRecord> {
        self.saved.clone()
    }
}

//! Merging runs, bucket by bucket: where buckets are cut, and the union of the runs in one of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::Run;
use crate::engine::container::Range;
use crate::error::Result;
use crate::space::Index;
use crate::store::level_set::{BLOCK, SortedSet};
use crate::store::memory;

/// A bucket with fewer indices than this for each candidate is merged by a bitmap of its own, which
/// then takes no more memory than a list. With runs for 3x4 tiles it saves a tenth of the
/// time.
const CROWDED: u128 = 32;

/// Cuts a range into consecutive buckets of so many blocks of the runs, one after the other: the list
/// of all would grow with the runs.
pub struct Buckets<'r, 'a, I> {
    runs: &'r [Arc<Run<'a, I>>],
    /// For each run that has one: the first index of its next block, and which block that is.
    next: BinaryHeap<Reverse<(I, usize, usize)>>,
    low: I,
    high: I,
    blocks: usize,
}

impl<'r, 'a, I: Index> Buckets<'r, 'a, I> {
    /// The buckets of `range`.
    pub fn new(runs: &'r [Arc<Run<'a, I>>], (low, high): Range<I>, blocks: usize) -> Result<Self> {
        let mut buckets = Buckets { runs, next: BinaryHeap::new(), low, high, blocks };
        for (at, run) in runs.iter().enumerate() {
            let first = run.set.blocks_in(low, None)?.start;
            buckets.push(at, first)?;
        }
        Ok(buckets)
    }

    fn push(&mut self, run: usize, block: usize) -> Result<()> {
        let set = &self.runs[run].set;
        if block < set.blocks() {
            let first = set.first_of(block)?;
            if first < self.high {
                self.next.push(Reverse((first, run, block)));
            }
        }
        Ok(())
    }
}

impl<I: Index> Iterator for Buckets<'_, '_, I> {
    type Item = Result<Range<I>>;

    fn next(&mut self) -> Option<Result<Range<I>>> {
        if self.low >= self.high {
            return None;
        }
        let (low, mut blocks) = (self.low, 0);
        self.low = self.high;
        while let Some(&Reverse((first, run, block))) = self.next.peek() {
            if blocks >= self.blocks && first > low {
                self.low = first;
                break;
            }
            self.next.pop();
            if let Err(error) = self.push(run, block + 1) {
                return Some(Err(error));
            }
            blocks += usize::from(first > low);
        }
        Some(Ok((low, self.low)))
    }
}

/// The union of the runs' indices in `bucket` without those in the known sets, ascending.
pub fn union<I: Index>(
    runs: &[Arc<Run<'_, I>>],
    bucket: Range<I>,
    known: &[&SortedSet<I>],
) -> Result<Vec<I>> {
    let width = (bucket.1 - bucket.0).wide();
    if width <= CROWDED * most_entries(runs, bucket)? as u128 {
        by_bits(runs, bucket, known)
    } else {
        by_lists(runs, bucket, known)
    }
}

/// The same, by merging and subtracting lists.
pub fn by_lists<I: Index>(
    runs: &[Arc<Run<'_, I>>],
    bucket: Range<I>,
    known: &[&SortedSet<I>],
) -> Result<Vec<I>> {
    let mut indices = memory::try_with_capacity(most_entries(runs, bucket)?)?;
    for run in runs {
        run.set.range(bucket.0, Some(bucket.1), &mut indices)?;
    }
    // The stable sort finds the ascending stretches and merges them.
    indices.sort();
    indices.dedup();
    for set in known {
        if indices.is_empty() {
            break;
        }
        set.subtract_from(&mut indices)?;
    }
    Ok(indices)
}

/// How many indices the runs have in a bucket, at the most.
fn most_entries<I: Index>(runs: &[Arc<Run<'_, I>>], bucket: Range<I>) -> Result<usize> {
    let entries = |run: &Arc<Run<'_, I>>| Ok(run.set.blocks_in(bucket.0, Some(bucket.1))?.len() * BLOCK);
    runs.iter().map(entries).sum()
}

/// The same, by a bitmap of the bucket: nothing is sorted, merged or compared.
pub fn by_bits<I: Index>(
    runs: &[Arc<Run<'_, I>>],
    bucket: Range<I>,
    known: &[&SortedSet<I>],
) -> Result<Vec<I>> {
    let (low, high) = bucket;
    let words = (high - low).low().div_ceil(64) as usize;
    let mut bits = memory::try_with_capacity(words)?;
    bits.resize(words, 0u64);
    let place = |index: I| {
        let bit = (index - low).low();
        ((bit / 64) as usize, 1 << (bit % 64))
    };
    for run in runs {
        run.set.visit(low, high, |index| {
            let (word, bit) = place(index);
            bits[word] |= bit;
        })?;
    }
    for set in known {
        set.visit(low, high, |index| {
            let (word, bit) = place(index);
            bits[word] &= !bit;
        })?;
    }
    let mut left = memory::try_with_capacity(bits.iter().map(|word| word.count_ones() as usize).sum())?;
    for (at, mut word) in (0u64..).zip(bits) {
        while word != 0 {
            left.push(low + I::of(at * 64 + u64::from(word.trailing_zeros())));
            word &= word - 1;
        }
    }
    Ok(left)
}

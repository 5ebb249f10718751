//! The container of a level that is pulled: a bitmap of the level before, and the question to every index
//! that is not known whether a neighbour is in it.
//!
//! What is pushed into it is the last level itself. A bucket is a range of indices: those of known classes
//! are left out, those that stand for no class too, and of the rest those remain that have a neighbour in the
//! last level. They come out in order, so there is nothing to gather, and nothing to save for a checkpoint but
//! how far this is.
//!
//! Known are the two levels before, and what is in them must be left out. Older classes have no neighbour
//! in the last level; they are left out where that takes less time than asking them.
//!
//! Neighbours are asked for one class at a time, and looked up when those of many classes are at hand: each
//! look waits for memory, and many of them can wait together.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::container::{Container, ContainerContext, Range};
use super::dense::Dense;
use super::manifest::RunRecord;
use super::way::{MeasuredPace, thread_time};
use crate::error::Result;
use crate::space::{Index, Space};
use crate::store::level_set::SortedSet;
use crate::store::memory::{self, HugeTable};

/// Classes whose neighbours are looked up together.
const TOGETHER: usize = 256;
/// Buckets that are named at a time, for each that is in hand.
const NAMED: usize = 16;

/// Asks what is not known.
pub(super) struct Pull<'a, I> {
    context: ContainerContext<'a>,
    space: &'a dyn Space<I>,
    range: Range<I>,
    last: Dense<'a, I>,
    /// Levels before the last two.
    earlier: Vec<SortedSet<I>>,
    pace: &'a MeasuredPace,
    asked: AtomicU64,
}

impl<'a, I: Index> Pull<'a, I> {
    /// Will look for classes in `range`. `earlier` are levels before the last two, and `spare` lends its
    /// memory as to [`Dense::new`].
    pub fn new(
        context: ContainerContext<'a>,
        space: &'a dyn Space<I>,
        range: Range<I>,
        earlier: Vec<SortedSet<I>>,
        pace: &'a MeasuredPace,
        spare: Option<HugeTable<AtomicU64>>,
    ) -> Result<Self> {
        let all = (I::of(0), space.universe());
        let last = Dense::new(context, all, &[], spare)?;
        Ok(Pull { context, space, range, last, earlier, pace, asked: AtomicU64::new(0) })
    }

    /// Gives the memory back, all of it zero.
    pub fn into_spare(self) -> HugeTable<AtomicU64> {
        self.last.clear();
        self.last.into_spare()
    }

    /// The indices of a bucket that are in none of the sets.
    fn unknown(&self, (low, high): Range<I>, known: &[&SortedSet<I>]) -> Result<Vec<I>> {
        let width = (high - low).low();
        let mut bits = vec![!0u64; width.div_ceil(64) as usize];
        if width % 64 != 0
            && let Some(word) = bits.last_mut()
        {
            *word = (1 << (width % 64)) - 1;
        }
        for set in known.iter().copied().chain(&self.earlier) {
            set.visit(low, high, |index| {
                let bit = (index - low).low();
                bits[(bit / 64) as usize] &= !(1 << (bit % 64));
            })?;
        }
        let left = bits.iter().map(|word| word.count_ones() as usize).sum();
        let mut unknown = memory::try_with_capacity(left)?;
        for (at, mut word) in (0u64..).step_by(64).zip(bits) {
            while word != 0 {
                unknown.push(low + I::of(at + u64::from(word.trailing_zeros())));
                word &= word - 1;
            }
        }
        Ok(unknown)
    }
}

impl<I: Index> Container<I> for Pull<'_, I> {
    fn push(&self, buffer: &mut Vec<I>) -> Result<()> {
        self.last.push(buffer)
    }

    fn left(&self, low: I) -> Result<u64> {
        Ok((self.range.1 - low.clamp(self.range.0, self.range.1)).low())
    }

    fn buckets(&self, low: I) -> Result<Vec<Range<I>>> {
        let (low, high) = (low.max(self.range.0), self.range.1);
        let budget = self.context.budget;
        let width = budget.bucket_entries(size_of::<I>()) as u64 / 64 * 64;
        let named = (NAMED * budget.wave()) as u64;
        let borders = (0..named).map(|bucket| low.wide() + u128::from(bucket * width));
        let borders = borders.take_while(|&border| border < high.wide());
        let end = |border: u128| I::narrow(high.wide().min(border + u128::from(width)));
        Ok(borders.map(|border| (I::narrow(border), end(border))).collect())
    }

    fn drain_bucket(&self, bucket: Range<I>, known: &[&SortedSet<I>]) -> Result<Vec<I>> {
        let mut unknown = self.unknown(bucket, known)?;
        let (start, asked) = (thread_time(), unknown.len() as u64);
        unknown.retain(|&index| self.space.canonical(index) == Some(index));
        let mut neighbours = Vec::with_capacity(TOGETHER * self.space.fanout());
        let mut ends = [0; TOGETHER];
        let (mut kept, mut looked) = (0, 0);
        for first in (0..unknown.len()).step_by(TOGETHER) {
            let together = first..unknown.len().min(first + TOGETHER);
            neighbours.clear();
            for (end, at) in ends.iter_mut().zip(together.clone()) {
                let before = neighbours.len();
                self.space.expand(&unknown[at..=at], &mut neighbours);
                self.last.ask_for(&neighbours[before..]);
                *end = neighbours.len();
            }
            looked += neighbours.len() as u64;
            let mut begin = 0;
            for (&end, at) in ends.iter().zip(together) {
                let is_near = neighbours[begin..end].iter().any(|&to| self.last.has(to));
                begin = end;
                // Without a branch: which ones remain cannot be foreseen.
                unknown[kept] = unknown[at];
                kept += usize::from(is_near);
            }
        }
        unknown.truncate(kept);
        self.pace.add(asked, thread_time() - start);
        self.asked.fetch_add(looked, Relaxed);
        Ok(unknown)
    }

    fn found(&self) -> u64 {
        self.asked.swap(0, Relaxed)
    }

    fn save(&mut self, _: &[&SortedSet<I>], _: &dyn Fn(u64)) -> Result<Vec<RunRecord>> {
        Ok(Vec::new())
    }

    fn unsaved(&self) -> u64 {
        0
    }

    fn garbage(&mut self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn files(&self) -> Vec<RunRecord> {
        Vec::new()
    }
}

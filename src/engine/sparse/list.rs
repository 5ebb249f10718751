//! Runs that wait, what they take, and which of them are merged next.

use std::cmp::Reverse;
use std::path::PathBuf;
use std::sync::Arc;

use crate::engine::budget::Charge;
use crate::engine::manifest::RunRecord;
use crate::space::Index;
use crate::store::level_set::{BLOCK, SortedSet};

/// A run that waits to be merged, or that a thread has in hand.
pub struct Run<'a, I> {
    /// Its indices.
    pub set: SortedSet<I>,
    /// Its file, unless it is in memory.
    pub path: Option<PathBuf>,
    /// How many rounds of merging in memory made it.
    pub tier: u32,
    /// What it takes of the budget.
    pub charge: Charge<'a>,
}

/// Some runs.
pub type RunList<'a, I> = Vec<Arc<Run<'a, I>>>;

/// All runs of a container that no thread has in hand, and what else threads need to know of each other.
pub struct Runs<'a, I> {
    /// Those that wait.
    pub list: RunList<'a, I>,
    /// How many threads have something in hand ...
    pub in_hand: usize,
    /// ... and whether one of them merges files.
    pub merging_files: bool,
    /// Files that the stored manifest names.
    pub named: Vec<PathBuf>,
    /// Those among them that are not needed any more.
    pub garbage: Vec<PathBuf>,
}

impl<'a, I: Index> Runs<'a, I> {
    /// None yet; the stored manifest names some `files`.
    pub fn new(files: &[RunRecord]) -> Self {
        Runs {
            list: Vec::new(),
            in_hand: 0,
            merging_files: false,
            named: files.iter().map(|file| file.path.clone()).collect(),
            garbage: Vec::new(),
        }
    }

    /// Takes the first `most` runs out of the list that are among `which`, in the order of `key`.
    pub fn take_runs<K: Ord>(
        &mut self,
        most: usize,
        which: impl Fn(&Run<'a, I>) -> bool,
        key: impl Fn(&Run<'a, I>) -> K,
    ) -> RunList<'a, I> {
        let (mut taken, kept): (RunList<_>, RunList<_>) =
            std::mem::take(&mut self.list).into_iter().partition(|run| which(run));
        self.list = kept;
        taken.sort_by_key(|run| key(run));
        let rest = taken.len().min(most);
        self.list.extend(taken.drain(rest..));
        taken
    }

    /// Takes the largest runs in memory, `most` of them.
    pub fn take_largest(&mut self, most: usize) -> RunList<'a, I> {
        self.take_runs(most, |run| run.path.is_none(), |run| Reverse(run.set.memory()))
    }

    /// Takes the smaller half of the files, if there are `most` or more, and no thread merges files
    /// already.
    pub fn take_files(&mut self, most: usize) -> RunList<'a, I> {
        let files = self.list.iter().filter(|run| run.path.is_some()).count();
        if files < most || self.merging_files {
            return Vec::new();
        }
        let half = (files / 2 + 1).min(most);
        self.take_runs(half, |run| run.path.is_some(), |run| run.set.totals().count)
    }

    /// Those that wait in memory.
    pub fn in_memory(&self) -> impl Iterator<Item = &Run<'a, I>> {
        let runs = self.list.iter().map(Arc::as_ref);
        runs.filter(|run| run.path.is_none())
    }

    /// Bytes that they take.
    pub fn memory(&self) -> u64 {
        self.in_memory().map(|run| run.set.memory() as u64).sum()
    }
}

/// What the block index of a run takes at the least.
const FIXED: u64 = 256;

/// Bytes that a run of these indices takes at the most. Of a block's gaps, the low bits take no more than
/// the logarithm of their mean; the high bits of all together are no more than twice as many as there are
/// gaps; and no more than one gap in sixteen is so long that it is written in full. A logarithm is
/// concave, so the mean of all blocks bounds what they take together. A run has [`FIXED`] bytes besides.
pub fn most_coded<I: Index>(indices: &[I]) -> u64 {
    let count = indices.len() as u64;
    let (Some(&first), Some(&last)) = (indices.first(), indices.last()) else {
        return 0;
    };
    let mean = (last - first).wide() / u128::from(count) + 1;
    let bits = u64::from(mean.ilog2()) + 1 + 3 + u64::from(I::BITS) / 16;
    let blocks = count.div_ceil(BLOCK as u64);
    count * bits / 8 + blocks * 96 + FIXED
}

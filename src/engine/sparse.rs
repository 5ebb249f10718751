//! The sparse container: sorted, delta-coded runs.
//!
//! A full buffer is sorted, freed of repeats and coded into a run in memory: one or two bytes per
//! candidate instead of eight. Sixteen runs of one tier are merged into one of the next, which
//! drops repeats early. When the runs in memory reach their share of the budget, they are merged
//! into one run on disk. Only if the files become very many are the smaller half of them merged:
//! draining merges all runs anyway, on all threads.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::container::{Container, Range, SAVED_ON_STOP, Stage};
use super::manifest::RunRecord;
use crate::error::Result;
use crate::space::Index;
use crate::store::level_set::{BLOCK, CodedBlock, SetBuilder, SortedSet};
use crate::store::memory;

/// This many runs of one tier in memory are merged into one of the next.
const FAN_IN: usize = 16;

/// A bucket with fewer indices than this for each candidate is merged by a bitmap of its own, which
/// then takes no more memory than a list. With runs for 3x4 tiles it saves a tenth of the
/// time.
const CROWDED: u128 = 32;

struct Run<I> {
    set: SortedSet<I>,
    /// Its file, unless it is in memory.
    path: Option<PathBuf>,
    /// How many rounds of merging in memory made it.
    tier: u32,
}

type RunList<I> = Vec<Arc<Run<I>>>;

struct Runs<I> {
    list: RunList<I>,
    /// Files that the stored manifest names.
    named: Vec<PathBuf>,
    /// Those among them that are not needed any more.
    garbage: Vec<PathBuf>,
}

impl<I: Index> Runs<I> {
    /// Takes runs out of the list, to be replaced by one.
    fn withdraw(&mut self, which: impl Fn(&Run<I>) -> bool) -> RunList<I> {
        let (taken, kept) = std::mem::take(&mut self.list)
            .into_iter()
            .partition(|run| which(run));
        self.list = kept;
        taken
    }

    /// Withdraws the smaller half of the files, if there are `most` or more.
    fn too_many(&mut self, most: usize) -> Option<RunList<I>> {
        let files = self.list.iter().filter(|run| run.path.is_some());
        let mut sizes: Vec<u128> = files.map(|run| run.set.totals().count).collect();
        if sizes.len() < most {
            return None;
        }
        sizes.sort_unstable();
        let median = sizes[sizes.len() / 2];
        Some(self.withdraw(|run| run.path.is_some() && run.set.totals().count <= median))
    }

    fn in_memory(&self) -> impl Iterator<Item = &Run<I>> {
        let runs = self.list.iter().map(Arc::as_ref);
        runs.filter(|run| run.path.is_none())
    }

    fn memory(&self) -> usize {
        self.in_memory().map(|run| run.set.memory()).sum()
    }
}

/// A merge that is worth making now.
enum Chore<I> {
    Spill(RunList<I>),
    MergeInMemory(RunList<I>, u32),
    MergeFiles(RunList<I>),
}

/// Sorted runs in memory and on disk.
pub struct Sparse<'a, I> {
    stage: Stage<'a>,
    range: Range<I>,
    runs: Mutex<Runs<I>>,
}

impl<'a, I: Index> Sparse<'a, I> {
    /// An empty container for candidates in `range`, going on with the runs in `files`.
    pub fn new(stage: Stage<'a>, range: Range<I>, files: &[RunRecord]) -> Result<Self> {
        let sparse = Sparse {
            stage,
            range,
            runs: Mutex::new(Runs {
                list: Vec::new(),
                named: files.iter().map(|file| file.path.clone()).collect(),
                garbage: Vec::new(),
            }),
        };
        for file in files {
            let run = sparse.on_disk(file)?;
            sparse.runs().list.push(Arc::new(run));
        }
        Ok(sparse)
    }

    fn runs(&self) -> MutexGuard<'_, Runs<I>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn on_disk(&self, file: &RunRecord) -> Result<Run<I>> {
        Ok(Run {
            set: file.open(self.stage.about)?,
            path: Some(file.path.clone()),
            tier: 0,
        })
    }

    /// Makes a run in memory out of a buffer's candidates.
    fn flush(&self, buffer: &mut Vec<I>) {
        let (low, high) = self.range;
        buffer.sort_unstable();
        buffer.truncate(buffer.partition_point(|&candidate| candidate < high));
        buffer.dedup();
        let kept = &buffer[buffer.partition_point(|&candidate| candidate < low)..];
        if !kept.is_empty() {
            let run = Run {
                set: SortedSet::in_memory(kept),
                path: None,
                tier: 0,
            };
            self.runs().list.push(Arc::new(run));
        }
        buffer.clear();
    }

    /// Merges and spills until the runs are few enough and small enough, or the user wants to
    /// stop: then there are more of them than one would like for a moment.
    fn tidy(&self) -> Result<()> {
        while !self.stage.control.stopped() {
            let Some(chore) = self.chore() else { break };
            match chore {
                Chore::MergeInMemory(runs, tier) => self.merge_in_memory(runs, tier)?,
                Chore::Spill(runs) | Chore::MergeFiles(runs) => self.merge_to_disk(runs)?,
            }
        }
        Ok(())
    }

    /// Withdraws the runs of the merge that is most needed, if any is.
    fn chore(&self) -> Option<Chore<I>> {
        let mut runs = self.runs();
        if runs.memory() > self.stage.budget.run_bytes() {
            return Some(Chore::Spill(runs.withdraw(|run| run.path.is_none())));
        }
        let crowded = runs.in_memory().map(|run| run.tier).find(|&tier| {
            let alike = runs.in_memory().filter(|run| run.tier == tier);
            alike.count() >= FAN_IN
        });
        if let Some(tier) = crowded {
            let alike = runs.withdraw(|run| run.path.is_none() && run.tier == tier);
            return Some(Chore::MergeInMemory(alike, tier + 1));
        }
        runs.too_many(self.stage.budget.run_files(size_of::<I>()))
            .map(Chore::MergeFiles)
    }

    fn merge_in_memory(&self, old: RunList<I>, tier: u32) -> Result<()> {
        let mut builder = SetBuilder::default();
        let complete = self.merge(&old, |indices| {
            builder.push(indices);
            Ok(())
        })?;
        let union = complete.then(|| Run {
            set: builder.finish(),
            path: None,
            tier,
        });
        self.replace(old, union);
        Ok(())
    }

    fn merge_to_disk(&self, old: RunList<I>) -> Result<()> {
        let written = self.stage.write_run::<I>(|writer| {
            self.merge(&old, |indices| writer.append(&CodedBlock::of_run(indices)))
        })?;
        let union = written.map(|file| self.on_disk(&file)).transpose()?;
        self.replace(old, union);
        Ok(())
    }

    /// Replaces runs that were withdrawn by their union; if that was given up, puts them back.
    fn replace(&self, old: RunList<I>, union: Option<Run<I>>) {
        let mut runs = self.runs();
        let Some(union) = union else {
            runs.list.extend(old);
            return;
        };
        runs.list.push(Arc::new(union));
        for path in old.iter().filter_map(|run| run.path.clone()) {
            if runs.named.contains(&path) {
                runs.garbage.push(path);
            } else {
                // Only we know of it. A failure leaves a file that the next start removes.
                let _ = self.stage.disk.remove(&path);
            }
        }
    }

    /// Hands the union of runs to `emit`, block by block; `false` if it was given up because the
    /// user wants to stop.
    fn merge(
        &self,
        runs: &[Arc<Run<I>>],
        mut emit: impl FnMut(&[I]) -> Result<()>,
    ) -> Result<bool> {
        let mut pending = Vec::new();
        for bucket in self.cut(runs, self.range.0) {
            if self.stage.control.stopped() {
                return Ok(false);
            }
            pending.append(&mut union(runs, bucket, &[])?);
            let whole = pending.len() / BLOCK * BLOCK;
            for indices in pending[..whole].chunks(BLOCK) {
                emit(indices)?;
            }
            pending.drain(..whole);
        }
        if !pending.is_empty() {
            emit(&pending)?;
        }
        Ok(true)
    }

    /// Cuts the range from `low` on into buckets of about as many candidates as the budget lets
    /// a thread have in hand.
    fn cut(&self, runs: &[Arc<Run<I>>], low: I) -> Vec<Range<I>> {
        let high = self.range.1;
        let mut firsts: Vec<I> = Vec::new();
        for run in runs {
            firsts.extend((0..run.set.blocks()).map(|block| run.set.first_of(block)));
        }
        firsts.retain(|&first| first > low && first < high);
        firsts.sort_unstable();
        // Every run's block at a bucket's border is read twice: buckets must not be too small.
        let entries = self.stage.budget.bucket_entries(size_of::<I>());
        let blocks = (entries / BLOCK).max(runs.len()).max(1);
        let mut borders = vec![low];
        borders.extend(firsts.iter().copied().skip(blocks).step_by(blocks));
        borders.push(high);
        borders.dedup();
        borders.windows(2).map(|pair| (pair[0], pair[1])).collect()
    }
}

/// The union of the runs' indices in `bucket` without those in the known sets, ascending.
fn union<I: Index>(
    runs: &[Arc<Run<I>>],
    bucket: Range<I>,
    known: &[&SortedSet<I>],
) -> Result<Vec<I>> {
    let width = (bucket.1 - bucket.0).wide();
    if width <= CROWDED * most_entries(runs, bucket) as u128 {
        by_bits(runs, bucket, known)
    } else {
        by_lists(runs, bucket, known)
    }
}

/// The same, by merging and subtracting lists.
fn by_lists<I: Index>(
    runs: &[Arc<Run<I>>],
    bucket: Range<I>,
    known: &[&SortedSet<I>],
) -> Result<Vec<I>> {
    let mut indices = memory::room(most_entries(runs, bucket))?;
    for run in runs {
        run.set.range(bucket.0, Some(bucket.1), &mut indices)?;
    }
    // The stable sort finds the ascending stretches and merges them.
    indices.sort();
    indices.dedup();
    for set in known {
        set.subtract_from(&mut indices)?;
    }
    Ok(indices)
}

/// How many indices the runs have in a bucket, at the most.
fn most_entries<I: Index>(runs: &[Arc<Run<I>>], bucket: Range<I>) -> usize {
    let blocks = |run: &Arc<Run<I>>| run.set.blocks_in(bucket.0, Some(bucket.1)).len();
    runs.iter().map(|run| blocks(run) * BLOCK).sum()
}

/// The same, by a bitmap of the bucket: nothing is sorted, merged or compared.
fn by_bits<I: Index>(
    runs: &[Arc<Run<I>>],
    bucket: Range<I>,
    known: &[&SortedSet<I>],
) -> Result<Vec<I>> {
    let (low, high) = bucket;
    let words = (high - low).low().div_ceil(64) as usize;
    let mut bits = memory::room(words)?;
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
    let mut left = memory::room(bits.iter().map(|word| word.count_ones() as usize).sum())?;
    for (at, mut word) in (0u64..).zip(bits) {
        while word != 0 {
            left.push(low + I::of(at * 64 + u64::from(word.trailing_zeros())));
            word &= word - 1;
        }
    }
    Ok(left)
}

impl<I: Index> Container<I> for Sparse<'_, I> {
    fn absorb(&self, buffer: &mut Vec<I>) -> Result<()> {
        if buffer.len() < self.buffer_entries() {
            return Ok(());
        }
        self.flush(buffer);
        self.tidy()
    }

    fn settle(&self, buffer: &mut Vec<I>) -> Result<()> {
        self.flush(buffer);
        Ok(())
    }

    fn buffer_entries(&self) -> usize {
        self.stage.budget.buffer_entries(size_of::<I>())
    }

    fn buckets(&self, low: I) -> Vec<Range<I>> {
        let list = self.runs().list.clone();
        self.cut(&list, low)
    }

    fn take(&self, bucket: Range<I>, known: &[&SortedSet<I>]) -> Result<Vec<I>> {
        let list = self.runs().list.clone();
        union(&list, bucket, known)
    }

    fn save(&mut self, _: &[&SortedSet<I>]) -> Result<Option<Vec<RunRecord>>> {
        // Copied as they are: merging them first would take longer than a stop may.
        while self.unsaved() > 0 {
            if self.stage.control.stopped() && self.unsaved() > SAVED_ON_STOP {
                return Ok(None);
            }
            let position = {
                let runs = self.runs();
                runs.list.iter().position(|run| run.path.is_none())
            };
            let Some(position) = position else { break };
            let run = self.runs().list.swap_remove(position);
            let written = self.stage.write_run::<I>(|writer| {
                for block in 0..run.set.blocks() {
                    writer.append(&run.set.coded_block(block)?)?;
                }
                Ok(true)
            })?;
            let copy = written.map(|file| self.on_disk(&file)).transpose()?;
            self.replace(vec![run], copy);
        }
        // Checkpoints that follow each other closely leave many small ones.
        let most = self.stage.budget.run_files(size_of::<I>());
        while !self.stage.control.stopped() {
            let small = self.runs().too_many(most);
            let Some(small) = small else { break };
            self.merge_to_disk(small)?;
        }
        let files = self.files();
        self.stage.sync_names(&files)?;
        self.runs().named = files.iter().map(|file| file.path.clone()).collect();
        Ok(Some(files))
    }

    fn unsaved(&self) -> u64 {
        self.runs().memory() as u64
    }

    fn garbage(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.runs().garbage)
    }

    fn files(&self) -> Vec<RunRecord> {
        let record = |run: &Arc<Run<I>>| {
            Some(RunRecord {
                path: run.path.clone()?,
                chain: run.set.totals().chain,
            })
        };
        self.runs().list.iter().filter_map(record).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn run(indices: &BTreeSet<u64>) -> Arc<Run<u64>> {
        let indices: Vec<u64> = indices.iter().copied().collect();
        Arc::new(Run {
            set: SortedSet::in_memory(&indices),
            path: None,
            tier: 0,
        })
    }

    proptest! {
        /// A bucket's bitmap gives what merging and subtracting lists gives.
        #[test]
        fn bits_agree_with_lists(
            sets in proptest::collection::vec(
                proptest::collection::btree_set(0u64..9000, 1..5000), 2..6),
            bucket in (0u64..9000, 0u64..9000),
        ) {
            let bucket = (bucket.0.min(bucket.1), bucket.0.max(bucket.1) + 1);
            let (known, candidates) = sets.split_first().unwrap();
            let known = run(known);
            let runs: Vec<_> = candidates.iter().map(run).collect();
            let known = [&known.set];
            let expected = by_lists(&runs, bucket, &known).unwrap();
            prop_assert_eq!(by_bits(&runs, bucket, &known).unwrap(), expected);
        }
    }
}

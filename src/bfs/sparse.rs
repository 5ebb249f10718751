//! The sparse container: sorted, delta-coded runs.
//!
//! A full buffer is sorted, freed of repeats and coded into a run in memory: one or two bytes per
//! candidate instead of eight. Sixteen runs of one size are merged into a larger one, which drops
//! repeats early and keeps the number of runs (and of open files) logarithmic. When the runs in
//! memory reach their share of the budget, they are merged into one run on disk.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::container::{Container, Range, Stage};
use super::level_set::{BLOCK, CodedBlock, SetBuilder, SortedSet};
use crate::error::Result;
use crate::puzzle::Index;

/// This many runs of one tier are merged into one of the next.
const FAN_IN: usize = 16;

struct Run<I> {
    set: SortedSet<I>,
    /// Its file, unless it is in memory.
    path: Option<PathBuf>,
    /// How many rounds of merging made it.
    tier: u32,
}

struct Runs<I> {
    list: Vec<Arc<Run<I>>>,
    /// Bytes in memory, runs that are just being merged included.
    memory: usize,
    /// Files that the stored manifest names.
    named: Vec<PathBuf>,
    /// Those among them that are not needed any more.
    garbage: Vec<PathBuf>,
}

/// Sorted runs in memory and on disk.
pub struct Sparse<'a, I> {
    stage: Stage<'a>,
    high: I,
    runs: Mutex<Runs<I>>,
}

impl<'a, I: Index> Sparse<'a, I> {
    /// An empty container for candidates below `high`, going on with the runs in `files`.
    pub fn new(stage: Stage<'a>, high: I, files: &[PathBuf]) -> Result<Self> {
        let mut runs = Runs {
            list: Vec::new(),
            memory: 0,
            named: files.to_vec(),
            garbage: Vec::new(),
        };
        for path in files {
            let set = SortedSet::open(path, stage.about)?;
            runs.memory += set.memory();
            runs.list.push(Arc::new(Run {
                set,
                path: Some(path.clone()),
                tier: 0,
            }));
        }
        Ok(Sparse {
            stage,
            high,
            runs: Mutex::new(runs),
        })
    }

    fn runs(&self) -> MutexGuard<'_, Runs<I>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn flush(&self, buffer: &mut Vec<I>) -> Result<()> {
        if buffer.is_empty() {
            return Ok(());
        }
        buffer.sort_unstable();
        buffer.dedup();
        self.add(Run {
            set: SortedSet::in_memory(buffer),
            path: None,
            tier: 0,
        });
        buffer.clear();
        self.tidy()
    }

    fn add(&self, run: Run<I>) {
        let mut runs = self.runs();
        runs.memory += run.set.memory();
        runs.list.push(Arc::new(run));
    }

    /// Takes runs out of the list, to be replaced by one.
    fn withdraw(&self, which: impl Fn(&Run<I>) -> bool) -> Vec<Arc<Run<I>>> {
        let mut runs = self.runs();
        let (taken, kept) = std::mem::take(&mut runs.list)
            .into_iter()
            .partition(|run| which(run));
        runs.list = kept;
        taken
    }

    /// Replaces runs that were withdrawn by their union.
    fn replace(&self, old: Vec<Arc<Run<I>>>, new: Run<I>) {
        self.add(new);
        let mut runs = self.runs();
        for run in old {
            runs.memory -= run.set.memory();
            if let Some(path) = run.path.clone() {
                if runs.named.contains(&path) {
                    runs.garbage.push(path);
                } else {
                    // Only we know of it. A failure leaves a file that the next start removes.
                    let _ = self.stage.disk.remove(&path);
                }
            }
        }
    }

    /// Merges and spills until the runs are few enough and small enough, or the user wants to
    /// stop: then there are more of them than one would like for a moment.
    fn tidy(&self) -> Result<()> {
        while !self.stage.control.stopped() {
            let over = self.runs().memory > self.stage.budget.run_bytes();
            let old = if over {
                self.withdraw(|run| run.set.is_in_memory())
            } else {
                Vec::new()
            };
            if !old.is_empty() {
                self.merge_to_disk(old, 0)?;
                continue;
            }
            let Some((on_disk, tier)) = self.crowded() else {
                break;
            };
            let old = self.withdraw(|run| run.path.is_some() == on_disk && run.tier == tier);
            if on_disk {
                self.merge_to_disk(old, tier + 1)?;
            } else {
                self.merge_in_memory(old, tier + 1)?;
            }
        }
        Ok(())
    }

    /// Puts withdrawn runs back: their merge was given up.
    fn restore(&self, old: Vec<Arc<Run<I>>>) {
        self.runs().list.extend(old);
    }

    /// A tier, in memory or on disk, that holds enough runs to be merged.
    fn crowded(&self) -> Option<(bool, u32)> {
        let runs = self.runs();
        runs.list.iter().find_map(|run| {
            let key = (run.path.is_some(), run.tier);
            let alike = runs
                .list
                .iter()
                .filter(|other| (other.path.is_some(), other.tier) == key);
            (alike.count() >= FAN_IN).then_some(key)
        })
    }

    fn merge_in_memory(&self, old: Vec<Arc<Run<I>>>, tier: u32) -> Result<()> {
        let mut builder = SetBuilder::default();
        let complete = self.merge(&old, |indices| {
            builder.push(indices);
            Ok(())
        })?;
        if complete {
            let set = builder.finish();
            let path = None;
            self.replace(old, Run { set, path, tier });
        } else {
            self.restore(old);
        }
        Ok(())
    }

    fn merge_to_disk(&self, old: Vec<Arc<Run<I>>>, tier: u32) -> Result<()> {
        let mut complete = false;
        let path = self.stage.write_run::<I>(|writer| {
            complete = self.merge(&old, |indices| writer.append(&CodedBlock::of_run(indices)))?;
            Ok(())
        })?;
        if complete {
            let run = self.on_disk(path, tier)?;
            self.replace(old, run);
            Ok(())
        } else {
            self.restore(old);
            self.stage.disk.remove(&path)
        }
    }

    fn on_disk(&self, path: PathBuf, tier: u32) -> Result<Run<I>> {
        let set = SortedSet::open(&path, self.stage.about)?;
        let path = Some(path);
        Ok(Run { set, path, tier })
    }

    /// Hands the union of runs to `emit`, block by block; `false` if it was given up because the
    /// user wants to stop.
    fn merge(
        &self,
        runs: &[Arc<Run<I>>],
        mut emit: impl FnMut(&[I]) -> Result<()>,
    ) -> Result<bool> {
        let mut pending = Vec::new();
        for part in self.cut(runs, I::default()) {
            if self.stage.control.stopped() {
                return Ok(false);
            }
            gather(runs, part, &mut pending)?;
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

    /// Cuts the range from `low` on so that each part holds about as many candidates as the
    /// budget lets us have in hand.
    fn cut(&self, runs: &[Arc<Run<I>>], low: I) -> Vec<Range<I>> {
        let mut firsts: Vec<I> = Vec::new();
        for run in runs {
            firsts.extend((0..run.set.blocks()).map(|block| run.set.first_of(block)));
        }
        firsts.retain(|&first| first > low && first < self.high);
        firsts.sort_unstable();
        // Every run's block at a part's border is read twice: keep parts well above that.
        let entries = self.stage.budget.part_entries(size_of::<I>());
        let blocks = (entries / BLOCK).max(2 * runs.len());
        let mut borders = vec![low];
        borders.extend(firsts.iter().copied().skip(blocks).step_by(blocks));
        borders.push(self.high);
        borders.dedup();
        borders.windows(2).map(|pair| (pair[0], pair[1])).collect()
    }
}

/// Appends the union of the runs' indices in `part` to `out`, which holds smaller ones so far.
fn gather<I: Index>(runs: &[Arc<Run<I>>], part: Range<I>, out: &mut Vec<I>) -> Result<()> {
    let start = out.len();
    for run in runs {
        run.set.range(part.0, Some(part.1), out)?;
    }
    // The stable sort finds the ascending stretches and merges them.
    out[start..].sort();
    out.dedup();
    Ok(())
}

impl<I: Index> Container<I> for Sparse<'_, I> {
    fn absorb(&self, buffer: &mut Vec<I>) -> Result<()> {
        if buffer.len() < self.buffer_entries() {
            return Ok(());
        }
        self.flush(buffer)
    }

    fn settle(&self, buffer: &mut Vec<I>) -> Result<()> {
        self.flush(buffer)
    }

    fn buffer_entries(&self) -> usize {
        self.stage.budget.buffer_entries(size_of::<I>())
    }

    fn parts(&self, low: I) -> Vec<Range<I>> {
        let list = self.runs().list.clone();
        self.cut(&list, low)
    }

    fn take(&self, part: Range<I>, out: &mut Vec<I>) -> Result<()> {
        let list = self.runs().list.clone();
        gather(&list, part, out)
    }

    fn save(&mut self) -> Result<Vec<PathBuf>> {
        // Copied as they are: merging them first would take longer than a stop may.
        for run in self.withdraw(|run| run.set.is_in_memory()) {
            let path = self.stage.write_run::<I>(|writer| {
                (0..run.set.blocks())
                    .try_for_each(|block| writer.append(&run.set.coded_block(block)?))
            })?;
            let copy = self.on_disk(path, run.tier)?;
            self.replace(vec![run], copy);
        }
        let files = self.files();
        self.stage.sync(&files)?;
        self.runs().named = files.clone();
        Ok(files)
    }

    fn unsaved(&self) -> u64 {
        let runs = self.runs();
        let in_memory = runs.list.iter().filter(|run| run.set.is_in_memory());
        in_memory.map(|run| run.set.memory() as u64).sum()
    }

    fn garbage(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.runs().garbage)
    }

    fn files(&self) -> Vec<PathBuf> {
        let runs = self.runs();
        runs.list
            .iter()
            .filter_map(|run| run.path.clone())
            .collect()
    }
}

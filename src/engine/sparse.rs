//! The sparse container: sorted, delta-coded runs.
//!
//! A full buffer is sorted, freed of repeats and coded into a run in memory: one or two bytes per
//! candidate instead of eight. Sixteen runs of one tier are merged into one of the next, which
//! drops repeats early. When the runs in memory reach their share of the budget, the largest of them
//! are merged into one run on disk. Only if the files become very many are the smaller half of them
//! merged: draining merges all runs anyway, on all threads.
//!
//! # Who waits for whom
//!
//! A run *waits* in the list, or a thread has it *in hand*: it has taken it out, to replace it by
//! something. Both are charged to the budget, and so is what a thread makes: before it codes or merges
//! anything it has room for the result.
//!
//! A thread that finds no room for its buffer's candidates writes runs that wait to disk. If none wait,
//! it waits itself, until another thread has replaced what it has in hand. That ends: a thread with
//! something in hand never waits for room. What it writes to disk needs none, what it merges in memory
//! got its room before (without room there is no such merge), and what it reads and writes with is
//! charged from the beginning. It makes no call of rayon either, which could begin work on the same
//! stack that waits. Only if nothing waits and no thread has anything in hand is a run larger than what is
//! left; then it is let in, and no other meanwhile.
//!
//! When the user wants to stop, merging is given up, and a thread that needs room writes the runs that wait
//! as they are.
//!
//! The number of runs that can be merged at a time is bounded by the budget, too: each has blocks in
//! the bucket in hand. If there are more, because a process with more memory left them, or before they
//! are drained, the smallest are merged first.

mod list;
mod union;

use std::cmp::Reverse;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::budget::Charge;
use super::container::{Container, ContainerContext, Range};
use super::manifest::RunRecord;
use crate::error::Result;
use crate::space::Index;
use crate::store::disk::file_length;
use crate::store::level_set::{BLOCK, CodedBlock, SetBuilder, SortedSet};
use list::{Run, RunList, Runs, most_coded};
use union::{Buckets, union};

/// This many runs of one tier in memory are merged into one of the next.
const FAN_IN: usize = 16;

/// Buckets that are cut at a time.
const BUCKETS: usize = 4096;

/// What a thread has in hand: runs that it has taken out of the list, or a new one that it makes. The
/// runs go back when this is dropped, unless something has replaced them.
struct InHand<'s, 'a, I: Index> {
    sparse: &'s Sparse<'a, I>,
    runs: RunList<'a, I>,
    are_files: bool,
}

impl<'a, I: Index> InHand<'_, 'a, I> {
    /// Lists `union` instead of the runs in hand, and deletes their files, or leaves that to the thread that
    /// stores the next manifest.
    fn replace_by(mut self, union: Run<'a, I>) {
        let sparse = self.sparse;
        let mut runs = sparse.runs();
        runs.list.push(Arc::new(union));
        let old = self.runs.drain(..).filter_map(|run| run.path.clone());
        let (named, unknown): (Vec<_>, Vec<_>) = old.partition(|path| runs.named.contains(path));
        runs.garbage.extend(named);
        drop(runs);
        sparse.forget(&unknown);
    }
}

impl<I: Index> Drop for InHand<'_, '_, I> {
    fn drop(&mut self) {
        let sparse = self.sparse;
        let mut runs = sparse.runs();
        runs.list.append(&mut self.runs);
        runs.in_hand -= 1;
        if self.are_files {
            runs.merging_files = false;
        }
        sparse.done.notify_all();
    }
}

/// Where the union of runs goes: into memory, as a run of this tier with this room, or to disk.
enum Target<'a> {
    Memory(u32, Charge<'a>),
    Disk,
}

/// Sorted runs in memory and on disk.
pub struct Sparse<'a, I> {
    context: ContainerContext<'a>,
    range: Range<I>,
    runs: Mutex<Runs<'a, I>>,
    /// Wakes those that wait for room.
    done: Condvar,
}

impl<'a, I: Index> Sparse<'a, I> {
    /// An empty container for candidates in `range`, starting from the runs in `files`; fails if the user
    /// wants to stop before they are few enough and open.
    pub fn new(context: ContainerContext<'a>, range: Range<I>, files: &[RunRecord]) -> Result<Self> {
        let sparse = Sparse { context, range, runs: Mutex::new(Runs::new(files)), done: Condvar::new() };
        let files = sparse.merge_leftovers(files)?;
        let mut opened = sparse.open(&files)?;
        sparse.runs().list.append(&mut opened);
        Ok(sparse)
    }

    /// Merges the smallest of files that an earlier process left, until they can be open together; fails if
    /// the user wants to stop.
    fn merge_leftovers(&self, files: &[RunRecord]) -> Result<Vec<RunRecord>> {
        let most = self.runs_at_once();
        let mut files = files.to_vec();
        while files.len() > most {
            let length = |file: &RunRecord| self.context.go_on().and_then(|()| file_length(&file.path));
            let lengths = files.iter().map(length).collect::<Result<Vec<_>>>()?;
            let mut by_length: Vec<_> = lengths.into_iter().zip(files).collect();
            by_length.sort_by_key(|(length, _)| Reverse(*length));
            files = by_length.into_iter().map(|(_, file)| file).collect();
            let small = files.split_off(files.len() - most.min(files.len() + 1 - most));
            let runs = self.open(&small)?;
            let union = self.write_union(&runs)?;
            self.context.go_on()?;
            files.extend(union);
            let mut held = self.runs();
            let old = small.into_iter().map(|file| file.path);
            let (named, unknown): (Vec<_>, Vec<_>) = old.partition(|path| held.named.contains(path));
            held.garbage.extend(named);
            drop(held);
            self.forget(&unknown);
        }
        Ok(files)
    }

    fn runs(&self) -> MutexGuard<'_, Runs<'a, I>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn runs_at_once(&self) -> usize {
        self.context.budget.runs_at_once(size_of::<I>())
    }

    /// Deletes files of which no manifest knows. A failure leaves a file that the next start removes.
    fn forget(&self, files: &[PathBuf]) {
        for path in files {
            let _ = self.context.disk.remove(path);
        }
    }

    /// Opens files, which reads their block indices; fails if the user wants to stop meanwhile.
    fn open(&self, files: &[RunRecord]) -> Result<RunList<'a, I>> {
        let go_on = || self.context.go_on();
        let open = |file| go_on().and_then(|()| self.on_disk(file, go_on)).map(Arc::new);
        files.iter().map(open).collect()
    }

    fn on_disk(&self, file: &RunRecord, go_on: impl Fn() -> Result<()>) -> Result<Run<'a, I>> {
        let set = file.open(self.context.disk.files(), self.context.set_header, go_on)?;
        let charge = self.context.budget.take_set(&set);
        Ok(Run { set, path: Some(file.path.clone()), tier: 0, charge })
    }

    /// A file that was just written, which a stop must not lose.
    fn written(&self, file: &RunRecord) -> Result<Run<'a, I>> {
        self.on_disk(file, || Ok(()))
    }

    fn in_hand(&self, runs: &mut Runs<'a, I>, taken: RunList<'a, I>) -> InHand<'_, 'a, I> {
        let are_files = taken.first().is_some_and(|run| run.path.is_some());
        runs.in_hand += 1;
        runs.merging_files |= are_files;
        InHand { sparse: self, runs: taken, are_files }
    }

    /// Makes a run in memory out of a buffer's candidates.
    fn sort_into_run(&self, buffer: &mut Vec<I>) -> Result<()> {
        let (low, high) = self.range;
        buffer.sort_unstable();
        buffer.truncate(buffer.partition_point(|&candidate| candidate < high));
        buffer.dedup();
        let kept = &buffer[buffer.partition_point(|&candidate| candidate < low)..];
        if !kept.is_empty() {
            // Twice: a list that grows is copied into one of twice its length.
            let (hand, mut charge) = self.room_for(2 * most_coded(kept))?;
            let set = SortedSet::in_memory(kept);
            charge.change_to(set.memory() as u64);
            hand.replace_by(Run { set, path: None, tier: 0, charge });
        }
        buffer.clear();
        Ok(())
    }

    /// Room for a new run, as soon as there is some.
    fn room_for(&self, bytes: u64) -> Result<(InHand<'_, 'a, I>, Charge<'a>)> {
        let budget = self.context.budget;
        let mut runs = self.runs();
        loop {
            if let Some(charge) = budget.try_take(bytes) {
                return Ok((self.in_hand(&mut runs, Vec::new()), charge));
            }
            let stopped = self.context.control.stopped();
            let largest = runs.take_largest(if stopped { 1 } else { self.runs_at_once() });
            if !largest.is_empty() {
                let hand = self.in_hand(&mut runs, largest);
                drop(runs);
                match stopped {
                    true => self.copy_to_disk(hand, &|_| ())?,
                    false => self.replace(hand, Target::Disk)?,
                }
                runs = self.runs();
            } else if runs.in_hand == 0 {
                return Ok((self.in_hand(&mut runs, Vec::new()), budget.take(bytes)));
            } else {
                runs = self.done.wait(runs).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Merges and spills until the runs are few enough and small enough, or the user wants to
    /// stop.
    fn merge_while_needed(&self) -> Result<()> {
        while !self.context.control.stopped() {
            let Some((hand, target)) = self.next_merge() else {
                break;
            };
            self.replace(hand, target)?;
        }
        Ok(())
    }

    /// Takes the runs of the merge that is most needed, if any is.
    fn next_merge(&self) -> Option<(InHand<'_, 'a, I>, Target<'a>)> {
        let mut runs = self.runs();
        let most = self.runs_at_once();
        if runs.memory() > self.context.budget.run_bytes() {
            let largest = runs.take_largest(most);
            return Some((self.in_hand(&mut runs, largest), Target::Disk));
        }
        let crowded = runs.in_memory().map(|run| run.tier).find(|&tier| {
            let alike = runs.in_memory().filter(|run| run.tier == tier);
            alike.count() >= FAN_IN.min(most)
        });
        if let Some(tier) = crowded {
            let alike = runs.take_runs(most, |run| run.path.is_none() && run.tier == tier, |_| ());
            if let Some(charge) = self.room_for_union(&alike) {
                return Some((self.in_hand(&mut runs, alike), Target::Memory(tier + 1, charge)));
            }
            runs.list.extend(alike);
        }
        let small = runs.take_files(most);
        (!small.is_empty()).then(|| (self.in_hand(&mut runs, small), Target::Disk))
    }

    /// Room for the union of runs in memory, if there is any. It takes no more bytes than they do.
    fn room_for_union(&self, runs: &[Arc<Run<'a, I>>]) -> Option<Charge<'a>> {
        let bytes = runs.iter().map(|run| run.charge.bytes()).sum::<u64>();
        self.context.budget.try_take(2 * bytes)
    }

    /// Replaces the runs in hand by their union, unless the user wants to stop.
    fn replace(&self, hand: InHand<'_, 'a, I>, target: Target<'a>) -> Result<()> {
        match target {
            Target::Memory(tier, mut charge) => {
                let mut builder = SetBuilder::default();
                let complete = self.merge(&hand.runs, |indices| {
                    builder.push(indices);
                    Ok(())
                })?;
                if complete {
                    let set = builder.finish();
                    charge.change_to(set.memory() as u64);
                    hand.replace_by(Run { set, path: None, tier, charge });
                }
            }
            Target::Disk => {
                if let Some(file) = self.write_union(&hand.runs)? {
                    hand.replace_by(self.written(&file)?);
                }
            }
        }
        Ok(())
    }

    /// Writes the union of runs to a file; `None` if that was given up because the user wants to stop.
    fn write_union(&self, runs: &[Arc<Run<'a, I>>]) -> Result<Option<RunRecord>> {
        self.context
            .write_run::<I>(|writer| self.merge(runs, |indices| writer.append(&CodedBlock::of_run(indices))))
    }

    /// Writes the runs in hand as they are, the first of them, and reports how many bytes are done:
    /// merging them would take longer.
    fn copy_to_disk(&self, hand: InHand<'_, 'a, I>, saved: &dyn Fn(u64)) -> Result<()> {
        let Some(run) = hand.runs.first() else {
            return Ok(());
        };
        let written = self.context.write_run::<I>(|writer| {
            for block in 0..run.set.blocks() {
                let coded = run.set.coded_block(block)?;
                writer.append(&coded)?;
                saved(coded.bytes.len() as u64);
            }
            Ok(true)
        })?;
        if let Some(file) = written {
            hand.replace_by(self.written(&file)?);
        }
        Ok(())
    }

    /// Hands the union of runs to `emit`, block by block; `false` if it was given up because the
    /// user wants to stop.
    fn merge(&self, runs: &[Arc<Run<'a, I>>], mut emit: impl FnMut(&[I]) -> Result<()>) -> Result<bool> {
        let mut pending = Vec::new();
        for bucket in self.cut(runs, self.range.0)? {
            if self.context.control.stopped() {
                return Ok(false);
            }
            pending.append(&mut union(runs, bucket?, &[])?);
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
    fn cut<'r>(&self, runs: &'r [Arc<Run<'a, I>>], low: I) -> Result<Buckets<'r, 'a, I>> {
        let entries = self.context.budget.bucket_entries(size_of::<I>());
        // Every run's block at a bucket's border is read twice: buckets must not be too small.
        let blocks = (entries / BLOCK).max(runs.len()).max(1);
        Buckets::new(runs, (low, self.range.1), blocks)
    }

    /// Merges the smallest runs until the rest can be drained together.
    fn merge_until_few(&self) -> Result<()> {
        let most = self.runs_at_once();
        while !self.context.control.stopped() {
            let mut runs = self.runs();
            let Some(more) = runs.list.len().checked_sub(most).filter(|&more| more > 0) else {
                break;
            };
            let small = runs.take_runs((more + 1).min(most), |_| true, |run| run.set.totals().count);
            let room = match small.iter().all(|run| run.path.is_none()) {
                true => self.room_for_union(&small),
                false => None,
            };
            let hand = self.in_hand(&mut runs, small);
            drop(runs);
            self.replace(hand, room.map_or(Target::Disk, |room| Target::Memory(0, room)))?;
        }
        Ok(())
    }
}

impl<I: Index> Container<I> for Sparse<'_, I> {
    fn push(&self, buffer: &mut Vec<I>) -> Result<()> {
        if buffer.len() < self.buffer_entries() {
            return Ok(());
        }
        self.sort_into_run(buffer)?;
        self.merge_while_needed()
    }

    fn flush(&self, buffer: &mut Vec<I>) -> Result<()> {
        self.sort_into_run(buffer)
    }

    fn push_run(&self, run: &mut Vec<I>) -> Result<()> {
        self.sort_into_run(run)?;
        self.merge_while_needed()
    }

    fn buffer_entries(&self) -> usize {
        self.context.budget.buffer_entries(size_of::<I>())
    }

    fn left(&self, low: I) -> Result<u64> {
        let left = |run: &Arc<Run<'_, I>>| Ok(run.set.blocks_in(low, None)?.len() as u64);
        self.runs().list.iter().map(left).sum()
    }

    fn buckets(&self, low: I) -> Result<Vec<Range<I>>> {
        self.merge_until_few()?;
        let list = self.runs().list.clone();
        self.cut(&list, low)?.take(BUCKETS).collect()
    }

    fn drain_bucket(&self, bucket: Range<I>, known: &[&SortedSet<I>]) -> Result<Vec<I>> {
        let list = self.runs().list.clone();
        union(&list, bucket, known)
    }

    fn save(&mut self, _: &[&SortedSet<I>], saved: &dyn Fn(u64)) -> Result<Vec<RunRecord>> {
        // Copied as they are: merging them first would take longer than a stop may.
        loop {
            let mut runs = self.runs();
            let run = runs.take_largest(1);
            if run.is_empty() {
                break;
            }
            let hand = self.in_hand(&mut runs, run);
            drop(runs);
            self.copy_to_disk(hand, saved)?;
        }
        // Checkpoints that follow each other closely leave many small ones.
        while !self.context.control.stopped() {
            let mut runs = self.runs();
            let small = runs.take_files(self.runs_at_once());
            if small.is_empty() {
                break;
            }
            let hand = self.in_hand(&mut runs, small);
            drop(runs);
            self.replace(hand, Target::Disk)?;
        }
        let files = self.files();
        self.context.sync_names(&files)?;
        self.runs().named = files.iter().map(|file| file.path.clone()).collect();
        Ok(files)
    }

    fn unsaved(&self) -> u64 {
        self.runs().memory()
    }

    fn garbage(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.runs().garbage)
    }

    fn files(&self) -> Vec<RunRecord> {
        let record = |run: &Arc<Run<'_, I>>| {
            Some(RunRecord { path: run.path.clone()?, blocks_digest: run.set.totals().blocks_digest })
        };
        self.runs().list.iter().filter_map(record).collect()
    }
}

#[cfg(test)]
mod tests;

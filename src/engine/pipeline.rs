//! One level: expand the level before, gather the candidates, take them out in order, remove
//! what is known, count, write.
//!
//! A level is computed in one pass over all indices, or in several over ranges of them. Each pass
//! first *expands* every block of the level before into a [`Container`] and then *drains* the
//! container into the level set. Both stop between small pieces of work whenever a checkpoint is
//! due or the user asks, and what a checkpoint needs is little: how many blocks are expanded, the
//! runs, and how much of the level set is written.

use std::borrow::Cow;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::budget::{Budget, Charge};
use super::container::Container;
use super::context::JobContext;
use super::progress::Phase;
use super::way::{Way, thread_time};
use crate::error::Result;
use crate::space::Index;
use crate::store::level_set::block::{self, BLOCK, Packing};
use crate::store::level_set::{CodedBlock, SetWriter, SortedSet, full_blocks};
use crate::store::memory;
use crate::store::par_map::par_map;

/// Indices that are expanded by one call: few enough for their candidates to stay in cache.
const BATCH: usize = 256;

/// Why a phase paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// It did not: the phase is complete.
    Done,
    /// The deadline has passed.
    Due,
    /// The user wants to stop.
    Stop,
}

/// One thread's buffers, kept from level to level.
pub struct Worker<'b, I> {
    block: Vec<I>,
    /// Candidates that the container has not taken yet, and what their memory is charged with.
    pub buffer: Vec<I>,
    charge: Option<Charge<'b>>,
    /// Candidates found so far, and the time that the space took for them.
    found: u64,
    expanding: Duration,
}

impl<I> Default for Worker<'_, I> {
    fn default() -> Self {
        Worker { block: Vec::new(), buffer: Vec::new(), charge: None, found: 0, expanding: Duration::ZERO }
    }
}

impl<'b, I> Worker<'b, I> {
    /// Charges a buffer of `room` entries, unless this worker has one. Its memory comes with the first use.
    fn reserve(&mut self, room: usize, budget: &'b Budget) {
        if self.buffer.capacity() < room {
            self.buffer = Vec::new();
            self.charge = None;
            self.charge = Some(budget.take((room * size_of::<I>()) as u64));
        }
    }
}

impl<'a, I: Index> JobContext<'a, I> {
    /// Expands blocks of `current` from number `expanded` on into the container, or, where it pulls, hands it
    /// their classes themselves, until all are done or `deadline` has passed. Updates `expanded`; returns
    /// the number of candidates.
    pub fn expand(
        &self,
        current: &SortedSet<I>,
        container: &dyn Container<I>,
        way: Way,
        expanded: &mut u64,
        deadline: Instant,
    ) -> Result<(Pause, u64)> {
        let blocks = current.blocks();
        let next = AtomicUsize::new(*expanded as usize);
        let failed = AtomicBool::new(false);
        let candidates = AtomicU64::new(0);
        let done = *expanded * BLOCK as u64;
        let classes = u64::try_from(current.totals().count).unwrap_or(u64::MAX);
        self.progress.phase(Phase::Expand, done, classes);
        let left = (blocks as u64).saturating_sub(*expanded);
        // For a single block no other thread is woken, as in `par_map`.
        let alone = left <= 1;
        let room = container.buffer_entries() + (BATCH * self.space.fanout()).max(BLOCK);
        // Before any thread begins: runs would take the room of a thread that begins late.
        for index in 0..if alone { 1 } else { self.workers.len() } {
            self.worker(index).reserve(room, self.budget);
        }
        let work = |worker: &mut Worker<'a, I>| -> Result<()> {
            if worker.buffer.capacity() < room {
                worker.buffer = memory::try_with_capacity(room)?;
            }
            // At least one block is expanded, whatever the deadline.
            while !failed.load(Relaxed) && !self.control.stopped() {
                let block = next.fetch_add(1, Relaxed);
                if block >= blocks {
                    break;
                }
                worker.block.clear();
                current.block(block, &mut worker.block)?;
                let mut found = 0;
                if way == Way::Pull {
                    worker.buffer.extend_from_slice(&worker.block);
                    container.push(&mut worker.buffer)?;
                }
                for batch in worker.block.chunks(BATCH).filter(|_| way == Way::Push) {
                    let (before, start) = (worker.buffer.len(), thread_time());
                    self.space.expand(batch, &mut worker.buffer);
                    worker.expanding += thread_time() - start;
                    found += worker.buffer.len() - before;
                    container.push(&mut worker.buffer)?;
                }
                worker.found += found as u64;
                candidates.fetch_add(found as u64, Relaxed);
                self.progress.advance(worker.block.len() as u64);
                if Instant::now() >= deadline {
                    break;
                }
            }
            Ok(())
        };
        let work = |worker: usize| {
            let result = work(&mut self.worker(worker));
            if result.is_err() {
                failed.store(true, Relaxed);
            }
            result
        };
        let results = match alone {
            true => vec![work(0)],
            false => self.pool.broadcast(|thread| work(thread.index())),
        };
        results.into_iter().collect::<Result<()>>()?;
        // Every block that was begun is done: workers stop only between blocks.
        *expanded = next.load(Relaxed).min(blocks) as u64;
        let pause = if *expanded == blocks as u64 {
            Pause::Done
        } else if self.control.stopped() {
            Pause::Stop
        } else {
            Pause::Due
        };
        Ok((pause, candidates.load(Relaxed)))
    }

    /// Nanoseconds that the space takes for a candidate, once enough are found to tell.
    pub fn pace(&self) -> Option<f64> {
        let workers = (0..self.workers.len()).map(|index| self.worker(index));
        let (found, nanos) = workers.fold((0, 0), |(found, nanos), worker| {
            (found + worker.found, nanos + worker.expanding.as_nanos())
        });
        (found >= 10_000).then(|| nanos as f64 / found as f64)
    }

    /// Hands what is left in the workers' buffers to the container.
    pub fn flush_workers(&self, container: &dyn Container<I>) -> Result<()> {
        let left: Vec<usize> =
            (0..self.workers.len()).filter(|&index| !self.worker(index).buffer.is_empty()).collect();
        let flush = |&index: &usize| container.flush(&mut self.worker(index).buffer);
        par_map(&self.pool, &left, flush)
    }

    /// Gives the workers' buffers back: a bitmap needs their memory.
    pub fn release_buffers(&self) {
        for index in 0..self.workers.len() {
            let mut worker = self.worker(index);
            worker.buffer = Vec::new();
            worker.charge = None;
        }
    }

    fn worker(&self, index: usize) -> std::sync::MutexGuard<'_, Worker<'a, I>> {
        self.workers[index].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drains buckets of the container from `drain.at` on into the level set, until all are done or
    /// `deadline` has passed.
    pub fn drain(
        &self,
        container: &dyn Container<I>,
        known: &[&SortedSet<I>],
        drain: &mut Drain<'_, I>,
        deadline: Instant,
    ) -> Result<Pause> {
        let all = container.left(drain.at)?;
        self.progress.phase(Phase::Merge, 0, all);
        loop {
            let buckets = container.buckets(drain.at)?;
            if buckets.is_empty() {
                return Ok(Pause::Done);
            }
            for wave in buckets.chunks(self.budget.wave()) {
                if self.control.stopped() {
                    return Ok(Pause::Stop);
                }
                let drained = |&bucket: &_| container.drain_bucket(bucket, known);
                let fresh: Vec<Vec<I>> = par_map::<_, _, Result<_>>(&self.pool, wave, drained)?;
                let blocks = full_blocks(&mut drain.carry, &fresh);
                self.write(drain, &blocks)?;
                drain.at = wave[wave.len() - 1].1;
                self.progress.reach(all.saturating_sub(container.left(drain.at)?));
                if Instant::now() >= deadline {
                    return Ok(Pause::Due);
                }
            }
        }
    }

    /// Writes whatever is left in the carry.
    pub fn write_rest(&self, drain: &mut Drain<'_, I>) -> Result<()> {
        let rest = std::mem::take(&mut drain.carry);
        let blocks: Vec<_> = rest.chunks(BLOCK).map(Cow::Borrowed).collect();
        self.write(drain, &blocks)
    }

    fn write(&self, drain: &mut Drain<'_, I>, blocks: &[Cow<'_, [I]>]) -> Result<()> {
        let code = |indices: &[I]| {
            let mut bytes = Vec::new();
            block::encode(indices, Packing::Small, &mut bytes);
            let states = self.space.states(indices);
            CodedBlock { bytes, states }
        };
        drain.writer.append_all(&self.pool, blocks, code)
    }
}

/// The level set being written.
pub struct Drain<'d, I> {
    /// Its file.
    pub writer: SetWriter<'d, I>,
    /// New indices that do not fill a block yet.
    pub carry: Vec<I>,
    /// All new indices below this are in the file or in the carry.
    pub at: I,
}

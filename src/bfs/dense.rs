//! The dense container: one bit for every index of the pass.
//!
//! Repeats vanish as they come in, and nothing is sorted: the bits are in order. It pays where
//! candidates are many compared with the universe. If the bitmap of the universe is larger than
//! its share of memory, the level is computed in several passes, each over a range that fits.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::container::{Container, Range, SAVED_ON_STOP, Stage};
use super::level_set::{BLOCK, CodedBlock, SetWriter, SortedSet};
use crate::error::{Error, Result};
use crate::puzzle::Index;

/// A bitmap over a range of indices.
pub struct Dense<'a, I> {
    stage: Stage<'a>,
    range: Range<I>,
    words: Vec<AtomicU64>,
    /// The runs that hold what was saved before.
    saved: Vec<PathBuf>,
    garbage: Vec<PathBuf>,
}

impl<'a, I: Index> Dense<'a, I> {
    /// An empty bitmap over `range`, going on with the runs in `files`; `None` if the user wants
    /// to stop before they are read. `spare` lends its memory if it has any; its words must be
    /// zero.
    pub fn new(
        stage: Stage<'a>,
        range: Range<I>,
        files: &[PathBuf],
        spare: Vec<AtomicU64>,
    ) -> Result<Option<Self>> {
        let bits = (range.1 - range.0).low();
        let length = bits.div_ceil(64) as usize;
        let words = if spare.len() == length {
            spare
        } else {
            drop(spare);
            zeroed(length)?
        };
        let dense = Dense {
            stage,
            range,
            words,
            saved: files.to_vec(),
            garbage: Vec::new(),
        };
        for path in files {
            let run = SortedSet::open(path, stage.about)?;
            let load = |block| {
                if stage.control.stopped() {
                    return Ok(());
                }
                let mut indices = Vec::with_capacity(BLOCK);
                run.block(block, &mut indices)?;
                dense.set(&indices);
                Ok(())
            };
            stage
                .pool
                .install(|| (0..run.blocks()).into_par_iter().try_for_each(load))?;
            if stage.control.stopped() {
                return Ok(None);
            }
        }
        Ok(Some(dense))
    }

    /// Gives the memory back, for the next level. All buckets must have been taken.
    pub fn into_spare(self) -> Vec<AtomicU64> {
        debug_assert!(self.words.iter().all(|word| word.load(Relaxed) == 0));
        self.words
    }

    fn set(&self, candidates: &[I]) {
        let (low, high) = self.range;
        for &candidate in candidates {
            if candidate < low || candidate >= high {
                continue;
            }
            let bit = (candidate - low).low();
            let word = &self.words[(bit / 64) as usize];
            let mask = 1 << (bit % 64);
            // Most candidates are repeats: a look is cheaper than a locked write.
            if word.load(Relaxed) & mask == 0 {
                word.fetch_or(mask, Relaxed);
            }
        }
    }

    /// The bits of a bucket, as numbers of the first and behind the last.
    fn bits(&self, bucket: Range<I>) -> (u64, u64) {
        let low = self.range.0;
        ((bucket.0 - low).low(), (bucket.1 - low).low())
    }

    /// Appends the indices of the bits in `bucket`.
    fn read(&self, bucket: Range<I>, out: &mut Vec<I>) {
        let (from, to) = self.bits(bucket);
        for at in from / 64..to.div_ceil(64) {
            let mut word = self.words[at as usize].load(Relaxed);
            if at == from / 64 {
                word &= !0 << (from % 64);
            }
            if to - at * 64 < 64 {
                word &= (1 << (to - at * 64)) - 1;
            }
            while word != 0 {
                let bit = u64::from(word.trailing_zeros());
                out.push(self.range.0 + I::of(at * 64 + bit));
                word &= word - 1;
            }
        }
    }

    /// Writes all bits as a run, several buckets at a time; `false` if it was given up because
    /// the user wants to stop.
    fn write_run(&self, writer: &mut SetWriter<'_, I>) -> Result<bool> {
        let pool = self.stage.pool;
        let mut carry = Vec::new();
        for wave in self.buckets(self.range.0).chunks(self.stage.budget.wave()) {
            if self.stage.control.stopped() && self.unsaved() > SAVED_ON_STOP {
                return Ok(false);
            }
            let read = |&bucket: &Range<I>| {
                let mut indices = Vec::new();
                self.read(bucket, &mut indices);
                indices
            };
            let found: Vec<Vec<I>> = pool.install(|| wave.par_iter().map(read).collect());
            carry.extend(found.into_iter().flatten());
            let whole = carry.len() / BLOCK * BLOCK;
            writer.append_all(pool, &carry[..whole], CodedBlock::of_run)?;
            carry.drain(..whole);
        }
        writer.append_all(pool, &carry, CodedBlock::of_run)?;
        Ok(true)
    }
}

/// Zero words; a refusal of the system is an error, not an abort.
fn zeroed(length: usize) -> Result<Vec<AtomicU64>> {
    let mut words = Vec::new();
    words.try_reserve_exact(length).map_err(|_| {
        Error::Limit(format!(
            "the system refused {} for a bitmap; run again with a smaller --memory",
            crate::report::bytes(length as u64 * 8)
        ))
    })?;
    words.resize_with(length, || AtomicU64::new(0));
    Ok(words)
}

impl<I: Index> Container<I> for Dense<'_, I> {
    fn absorb(&self, buffer: &mut Vec<I>) -> Result<()> {
        self.set(buffer);
        buffer.clear();
        Ok(())
    }

    fn settle(&self, buffer: &mut Vec<I>) -> Result<()> {
        self.absorb(buffer)
    }

    fn buffer_entries(&self) -> usize {
        0
    }

    fn buckets(&self, low: I) -> Vec<Range<I>> {
        // Borders on multiples of whole words, so that no two buckets share one.
        let size = self.stage.budget.bucket_entries(size_of::<I>()) as u64 / 64 * 64;
        let (start, high) = self.range;
        let mut buckets = Vec::new();
        let mut from = low;
        while from < high {
            let end = ((from - start).low() / size + 1) * size;
            let to = if (high - start).low() <= end {
                high
            } else {
                start + I::of(end)
            };
            buckets.push((from, to));
            from = to;
        }
        buckets
    }

    fn take(&self, bucket: Range<I>, out: &mut Vec<I>) -> Result<()> {
        self.read(bucket, out);
        let (from, to) = self.bits(bucket);
        for word in &self.words[(from / 64) as usize..to.div_ceil(64) as usize] {
            word.store(0, Relaxed);
        }
        Ok(())
    }

    fn save(&mut self) -> Result<Option<Vec<PathBuf>>> {
        let Some(path) = self.stage.write_run(|writer| self.write_run(writer))? else {
            return Ok(None);
        };
        self.stage.sync_names(std::slice::from_ref(&path))?;
        self.garbage.append(&mut self.saved);
        self.saved.push(path);
        Ok(Some(self.saved.clone()))
    }

    fn unsaved(&self) -> u64 {
        // The bits must be coded, too, which takes as long as writing them.
        self.words.len() as u64 * 16
    }

    fn garbage(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.garbage)
    }

    fn files(&self) -> Vec<PathBuf> {
        self.saved.clone()
    }
}

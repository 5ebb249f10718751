//! The dense container: one bit for every index of the pass.
//!
//! Repeats vanish as they come in, and nothing is sorted: the bits are in order. It pays where
//! candidates are many compared with the universe. If the bitmap of the universe is larger than
//! its share of memory, the level is computed in several passes, each over a range that fits.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::container::{Container, Range, Stage};
use super::level_set::{BLOCK, CodedBlock, SetWriter, SortedSet};
use crate::error::{Error, Result};
use crate::puzzle::Index;

/// Bits of one part: 128 KiB of words, and at most 8 MiB of indices.
const PART_BITS: u64 = 1 << 20;

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
    /// An empty bitmap over `range`, going on with the runs in `files`. `spare` lends its memory
    /// if it has any; its words must be zero.
    pub fn new(
        stage: Stage<'a>,
        range: Range<I>,
        files: &[PathBuf],
        spare: Vec<AtomicU64>,
    ) -> Result<Self> {
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
        let mut indices = Vec::new();
        for path in files {
            let run = SortedSet::open(path, stage.about)?;
            for block in 0..run.blocks() {
                indices.clear();
                run.block(block, &mut indices)?;
                dense.set(&indices);
            }
        }
        Ok(dense)
    }

    /// Gives the memory back, for the next level. All parts must have been taken.
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

    /// Appends the indices of the bits in `part`.
    fn read(&self, part: Range<I>, out: &mut Vec<I>) {
        let low = self.range.0;
        let (from, to) = ((part.0 - low).low(), (part.1 - low).low());
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
                out.push(low + I::of(at * 64 + bit));
                word &= word - 1;
            }
        }
    }

    /// Writes all bits as a run, several parts at a time.
    fn write_run(&self, writer: &mut SetWriter<'_, I>) -> Result<()> {
        let mut carry = Vec::new();
        for wave in self.parts(self.range.0).chunks(self.stage.budget.wave()) {
            let parts: Vec<Vec<I>> = self.stage.pool.install(|| {
                wave.par_iter()
                    .map(|&part| {
                        let mut indices = Vec::new();
                        self.read(part, &mut indices);
                        indices
                    })
                    .collect()
            });
            for part in &parts {
                carry.extend_from_slice(part);
            }
            let whole = carry.len() / BLOCK * BLOCK;
            self.append(writer, &carry[..whole])?;
            carry.drain(..whole);
        }
        self.append(writer, &carry)
    }

    fn append(&self, writer: &mut SetWriter<'_, I>, indices: &[I]) -> Result<()> {
        let coded: Vec<CodedBlock> = self.stage.pool.install(|| {
            let blocks = indices.par_chunks(BLOCK);
            blocks.map(CodedBlock::of_run).collect()
        });
        coded.iter().try_for_each(|block| writer.append(block))
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

    fn parts(&self, low: I) -> Vec<Range<I>> {
        let (start, high) = self.range;
        let mut parts = Vec::new();
        let mut from = low;
        while from < high {
            // Borders on multiples of the part size, so that no two parts share a word.
            let end = ((from - start).low() / PART_BITS + 1) * PART_BITS;
            let to = if (high - start).low() <= end {
                high
            } else {
                start + I::of(end)
            };
            parts.push((from, to));
            from = to;
        }
        parts
    }

    fn take(&self, part: Range<I>, out: &mut Vec<I>) -> Result<()> {
        self.read(part, out);
        let low = self.range.0;
        let (from, to) = ((part.0 - low).low(), (part.1 - low).low());
        for word in &self.words[(from / 64) as usize..to.div_ceil(64) as usize] {
            word.store(0, Relaxed);
        }
        Ok(())
    }

    fn save(&mut self) -> Result<Vec<PathBuf>> {
        let path = self.stage.write_run(|writer| self.write_run(writer))?;
        self.stage.sync(std::slice::from_ref(&path))?;
        self.garbage.append(&mut self.saved);
        self.saved.push(path);
        Ok(self.saved.clone())
    }

    fn unsaved(&self) -> u64 {
        self.words.len() as u64 * 8
    }

    fn garbage(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.garbage)
    }

    fn files(&self) -> Vec<PathBuf> {
        self.saved.clone()
    }
}

//! The first levels of an enumeration, in memory: exact distances near the solved states.
//!
//! An open hash table with a word for each class: its index, and its level in the low four bits.

use super::descent::in_cache;
use super::{Workbench, cache};
use crate::error::{Error, Result};
use crate::puzzle::Rules;

/// No class has this word.
const EMPTY: u64 = u64::MAX;
/// Bits for the level.
const LEVEL_BITS: u32 = 4;

/// The distances of all classes up to some level.
pub struct FirstLevels {
    words: Vec<u64>,
    shift: u32,
    last: u32,
}

impl FirstLevels {
    /// Reads the levels up to `last`, at most 15, from the puzzle's job in the cache, which is made or
    /// continued if need be. The space must have indices below 2^60.
    pub fn prepare(puzzle: &dyn Rules, last: u32, bench: &Workbench<'_>) -> Result<Self> {
        let last = last.min((1 << LEVEL_BITS) - 1);
        let too_wide = || Error::Usage(format!("{} has indices that are too wide", puzzle.text()));
        let universe = puzzle.space().ok_or_else(too_wide)?.universe();
        if universe >= 1 << (64 - LEVEL_BITS) {
            return Err(too_wide());
        }
        let dir = cache::job_dir(bench.cache()?, puzzle);
        let (job, manifest) = in_cache(puzzle, &dir, Some(last), bench)?;
        let levels = manifest.levels.iter().take(last as usize + 1);
        let classes: u128 = levels.map(|level| level.classes).sum();
        // At most two thirds full.
        let bits = (classes as f64 * 1.5).max(2.0).log2().ceil() as u32;
        let bytes = 8u64 << bits;
        bench.take(&format!("the table of the first levels of {}", puzzle.text()), bytes, bytes)?;
        let mut table = FirstLevels { words: vec![EMPTY; 1 << bits], shift: 64 - bits, last };
        let stopped = || Error::interrupted("stopped while the first levels were read");
        let go_on = || bench.control.go_on(stopped);
        let mut indices = Vec::new();
        for record in manifest.levels.iter().take(last as usize + 1) {
            let set = job.open_level_while::<u64>(record, go_on)?;
            for block in 0..set.blocks() {
                go_on()?;
                indices.clear();
                set.block(block, &mut indices)?;
                for &index in &indices {
                    table.insert(index, record.level);
                }
            }
        }
        Ok(table)
    }

    /// The last level that is there.
    pub fn last(&self) -> u32 {
        self.last
    }

    fn insert(&mut self, index: u64, level: u32) {
        let mask = self.words.len() - 1;
        let mut at = self.place(index);
        while self.words[at] != EMPTY {
            at = (at + 1) & mask;
        }
        self.words[at] = index << LEVEL_BITS | u64::from(level);
    }

    /// The level of a class, if it is one of the first.
    #[inline]
    pub fn get(&self, index: u64) -> Option<u32> {
        let mask = self.words.len() - 1;
        let mut at = self.place(index);
        loop {
            let word = self.words[at];
            if word == EMPTY {
                return None;
            }
            if word >> LEVEL_BITS == index {
                return Some(word as u32 & ((1 << LEVEL_BITS) - 1));
            }
            at = (at + 1) & mask;
        }
    }

    /// Where the search for an index begins.
    #[inline]
    fn place(&self, index: u64) -> usize {
        (index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }
}

#[cfg(test)]
mod tests;

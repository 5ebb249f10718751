//! Spheres of classes around a state: all that are a number of moves away, and looking them up in levels.

use rayon::prelude::*;

use crate::engine::Control;
use crate::error::{Alternative, Error, LimitKind, Result};
use crate::space::{Index, Space};
use crate::store::level_set::SortedSet;
use crate::store::memory::HugeTable;

/// Classes that are expanded or looked up at a time.
const CHUNK: usize = 1 << 14;

/// The classes next to a sphere that are neither in it nor in the one before, ascending.
pub fn neighbours<I: Index>(
    space: &dyn Space<I>,
    sphere: &[I],
    before: &[I],
    memory: u64,
    control: Control<'_>,
) -> Result<Vec<I>> {
    let allowed = memory / (2 * size_of::<I>() as u64);
    let taken = (sphere.len() + before.len()) as u64;
    let group = (CHUNK * 16).max(sphere.len() / 64);
    let mut next: Vec<I> = Vec::new();
    for group in sphere.chunks(group) {
        if control.stopped() {
            return Err(Error::interrupted("stopped while classes around a state were visited"));
        }
        let expanded: Vec<Vec<I>> = group
            .par_chunks(CHUNK)
            .map(|batch| {
                let mut candidates = Vec::new();
                space.expand(batch, &mut candidates);
                candidates.sort_unstable();
                candidates.dedup();
                let known =
                    |index: &I| sphere.binary_search(index).is_ok() || before.binary_search(index).is_ok();
                candidates.retain(|index| !known(index));
                candidates
            })
            .collect();
        expanded.into_iter().for_each(|candidates| next.extend(candidates));
        next.par_sort_unstable();
        next.dedup();
        if next.len() as u64 + taken > allowed {
            return Err(Error::from(LimitKind::Memory {
                what: "visiting all classes around the state (more stored levels would need less)".into(),
                needed: 2 * (next.len() as u64 + taken) * size_of::<I>() as u64,
                allowed: memory,
                or: Alternative::None,
            }));
        }
    }
    Ok(next)
}

/// Whether one of the ascending `indices` is in a set.
pub fn meets<I: Index>(set: &SortedSet<I>, indices: &[I], control: Control<'_>) -> Result<bool> {
    let mut stored = Vec::new();
    for chunk in indices.chunks(CHUNK) {
        let (Some(&low), Some(&high)) = (chunk.first(), chunk.last()) else { continue };
        if control.stopped() {
            return Err(Error::interrupted("stopped while classes around a state were visited"));
        }
        let end = high.wide().checked_add(1).map(I::narrow);
        // Where they lie far apart, each is looked for alone.
        if set.blocks_in(low, end)?.len() > chunk.len() {
            for &index in chunk {
                if set.contains(index)? {
                    return Ok(true);
                }
            }
            continue;
        }
        stored.clear();
        set.range(low, end, &mut stored)?;
        if chunk.iter().any(|index| stored.binary_search(index).is_ok()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A level that most indices are not in, which is known of nearly all of them without reading it.
pub struct FilteredLevel<I> {
    set: SortedSet<I>,
    /// Each index in the level has set some bits of one word.
    words: HugeTable<u64>,
}

/// Bits of the filter for each index.
const BITS: u64 = 16;

impl<I: Index> FilteredLevel<I> {
    /// Reads a level once; the filter takes two bytes for each index, and at most `memory` bytes.
    pub fn new(set: SortedSet<I>, memory: u64, control: Control<'_>) -> Result<Self> {
        let wanted = u64::try_from(set.totals().count).unwrap_or(u64::MAX).saturating_mul(BITS / 8);
        let words = wanted.min(memory).div_ceil(8).max(1) as usize;
        let mut filter = FilteredLevel { set, words: HugeTable::zeroed(words)? };
        let mut indices = Vec::new();
        for block in 0..filter.set.blocks() {
            if control.stopped() {
                return Err(Error::interrupted("stopped while a level was read"));
            }
            indices.clear();
            filter.set.block(block, &mut indices)?;
            for index in &indices {
                let (word, bits) = filter.place(*index);
                filter.words[word] |= bits;
            }
        }
        Ok(filter)
    }

    /// The word of an index, and its bits there.
    fn place(&self, index: I) -> (usize, u64) {
        let mixed = mix(index.wide());
        let word = ((u128::from(mixed) * self.words.len() as u128) >> 64) as usize;
        let mixed = mix(mixed.into());
        let bit = |number: u32| 1 << ((mixed >> (6 * number)) & 63);
        (word, bit(0) | bit(1) | bit(2))
    }

    /// Whether one of these indices, ascending, is in the level.
    pub fn meets(&self, indices: &[I], control: Control<'_>) -> Result<bool> {
        let may_be = |index: &I| {
            let (word, bits) = self.place(*index);
            self.words[word] & bits == bits
        };
        let candidates: Vec<I> = indices.par_iter().copied().filter(may_be).collect();
        meets(&self.set, &candidates, control)
    }
}

/// Spreads a number over 64 bits.
fn mix(number: u128) -> u64 {
    let mut mixed = (number as u64) ^ ((number >> 64) as u64).rotate_left(32);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::engine::Silent;

    #[test]
    fn a_filter_never_misses_an_index() {
        let indices: Vec<u64> = (0..20_000).map(|number| number * 7 + number % 3).collect();
        let stop = AtomicBool::new(false);
        let control = Control { stop: &stop, observer: &Silent };
        for memory in [1, 1000, 1 << 20] {
            let level = FilteredLevel::new(SortedSet::in_memory(&indices), memory, control).unwrap();
            assert!(indices.iter().all(|&index| level.meets(&[index], control).unwrap()));
            let others: Vec<u64> = (0..100_000).filter(|n| indices.binary_search(n).is_err()).collect();
            assert!(!level.meets(&others, control).unwrap());
            assert!(level.meets(&(0..100_000).collect::<Vec<u64>>(), control).unwrap());
        }
    }
}

//! What the next level will cost, estimated before it starts.
//!
//! The estimate is rough: level sizes follow the growth so far, and cannot exceed what is left of
//! the space; their bytes for each class follow the levels before. It decides which container is cheaper and whether the level fits on the disk.

use super::budget::Budget;
use super::container::ContainerKind;
use super::manifest::LevelRecord;
use crate::error::{DiskBound, Error, LimitKind, Result};
use crate::store::level_set::BLOCK;

/// What is known of a space before its next level.
#[derive(Clone, Copy, Debug)]
pub struct SpaceProfile {
    /// All indices are below it.
    pub universe: u128,
    /// The most candidates of one class.
    pub fanout: usize,
    /// All classes there are, where that is known.
    pub total_classes: Option<u128>,
}

/// The expected cost of a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Classes that it will have.
    pub classes: u128,
    /// Candidates that expanding the level before will give, at most.
    pub candidates: u128,
    /// Bytes of its level set.
    pub level_bytes: u64,
    /// Bytes of all candidates as runs, each of them once.
    pub run_bytes: u64,
}

/// Bytes of a set beside its indices: header, trailer, checksums.
const FRAME: u64 = 200;
/// Bytes of a block beside its indices: its header, and its line in the block index.
const PER_BLOCK: f64 = 24.0 + 24.0;
/// Bits that a Rice code takes for an index more than any code must.
const RICE: f64 = 0.04;

/// Coded size of `count` indices that lie anywhere in a `universe`, headers included: what their gaps cost.
pub fn coded_bytes(count: u128, universe: u128) -> u64 {
    if count == 0 {
        return FRAME;
    }
    let share = (count as f64 / universe.max(1) as f64).min(1.0);
    let rest = 1.0 - share;
    let gaps = -share.log2() - if rest > 0.0 { rest / share * rest.log2() } else { 0.0 };
    let bytes = count as f64 * (gaps + RICE) / 8.0 + (count as f64 / BLOCK as f64).ceil() * PER_BLOCK;
    (bytes as u64).saturating_add(FRAME)
}

/// Levels with fewer classes say nothing of how large others will be.
const TELLING: u128 = 1000;

/// How many indices there are, as far as the sizes of level sets show: indices that stand for classes need not lie
/// anywhere in a universe, and those that do may be close together in a part of it. Seen in the last level with enough
/// classes; without one, what is known of the number of classes is all there is to go by.
pub fn effective_universe(levels: &[LevelRecord], universe: u128, total: Option<u128>) -> u128 {
    let Some(told) = levels.iter().rev().find(|record| record.classes >= TELLING) else {
        return total.map_or(universe, |total| total.saturating_add(total / 2).min(universe));
    };
    // The smallest universe in which as many indices take as many bytes.
    let (mut low, mut high) = (told.classes, universe.max(told.classes));
    // There must be room for all classes, whatever the first levels look like.
    low = low.max(total.unwrap_or(0)).min(high);
    while low < high {
        let middle = low + (high - low) / 2;
        match coded_bytes(told.classes, middle) < told.bytes {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    low
}

/// The classes that the level after `sizes` will have, about: it grows as the last one did, or less if growth slows
/// down, and cannot be larger than what is left.
pub fn next_classes(sizes: &[u128], fanout: usize, total: Option<u128>) -> f64 {
    let growth = |before: u128, after: u128| after as f64 / before.max(1) as f64;
    let (current, factor) = match *sizes {
        [.., a, b, c] => (c, growth(b, c) * (growth(b, c) / growth(a, b).max(1e-9)).clamp(0.5, 1.0)),
        [b, c] => (c, growth(b, c)),
        [c] => (c, fanout as f64),
        [] => (1, 1.0),
    };
    let most = current as f64 * fanout.max(1) as f64;
    let left = total.map_or(f64::INFINITY, |total| total.saturating_sub(sizes.iter().sum()) as f64);
    (current as f64 * factor).min(most).min(left)
}

impl SpaceProfile {
    /// The expected cost of the level after `levels`.
    pub fn next(&self, levels: &[LevelRecord]) -> Forecast {
        let sizes: Vec<u128> = levels.iter().map(|record| record.classes).collect();
        let (before, current) = match sizes[..] {
            [.., before, current] => (before, current),
            [current] => (0, current),
            [] => (0, 1),
        };
        let candidates = current.saturating_mul(self.fanout as u128);
        let classes = next_classes(&sizes, self.fanout, self.total_classes) as u128;
        let effective = effective_universe(levels, self.universe, self.total_classes);
        // Moves are reversible, so most of the two levels before turn up again.
        let again = before.saturating_add(current);
        Forecast {
            classes,
            candidates,
            level_bytes: coded_bytes(classes, effective),
            run_bytes: coded_bytes(again.saturating_add(classes).min(candidates), effective),
        }
    }

    /// The cheaper container for a level with `candidates`, or the one that is `forced`,
    /// and how many passes it takes. `pace` is how many nanoseconds the space takes for a
    /// candidate, if that is known: every further pass expands the level once more.
    pub fn container(
        &self,
        candidates: u128,
        budget: &Budget,
        forced: Option<ContainerKind>,
        pace: Option<f64>,
    ) -> Result<(ContainerKind, u64)> {
        let bitmap = self.universe.div_ceil(8);
        let room = u128::from(budget.bitmap_bytes());
        let passes = bitmap.div_ceil(room);
        match forced {
            // By rows nothing depends on how many candidates there are.
            Some(ContainerKind::Rows) => Ok((ContainerKind::Rows, 1)),
            Some(ContainerKind::Sparse) => Ok((ContainerKind::Sparse, 1)),
            Some(ContainerKind::Dense) => {
                if passes > 64 {
                    return Err(Error::from(LimitKind::Passes { universe: self.universe, passes }));
                }
                Ok((ContainerKind::Dense, passes as u64))
            }
            None if candidates >= self.universe / DENSE_FROM && passes_are_cheaper(passes, pace) => {
                Ok((ContainerKind::Dense, passes as u64))
            }
            None => Ok((ContainerKind::Sparse, 1)),
        }
    }
}

/// With a candidate for fewer indices than this, a bitmap is cheaper than runs. Measured on 6x6 Wrapslide with two
/// colours: both take equally long when there is one candidate for about 300 indices.
pub(super) const DENSE_FROM: u128 = 256;

/// Nanoseconds that a bitmap takes for a candidate, reading the level included.
pub(super) const DENSE: f64 = 8.0;
/// Nanoseconds that runs take for a candidate: sorting, coding, merging.
pub(super) const SPARSE: f64 = 65.0;

/// Whether `passes` passes over a bitmap take no longer than one with runs. Measured with a tenth of
/// the memory: four passes make 3x4 tiles 2.2 times slower than one, runs 3.1 times.
fn passes_are_cheaper(passes: u128, pace: Option<f64>) -> bool {
    match pace {
        Some(pace) => passes as f64 * (pace + DENSE) <= pace + SPARSE,
        None => passes <= 1,
    }
}

/// What the disks have left for a job.
#[derive(Clone, Copy, Debug)]
pub struct DiskRoom {
    /// Free where the job is.
    pub job: u64,
    /// Free where runs go, if that is another disk.
    pub runs: Option<u64>,
    /// What the user's limit leaves.
    pub limit: Option<u64>,
}

impl DiskRoom {
    /// Refuses a level that will not fit. `spilled` is what its runs take at least.
    pub fn check(&self, forecast: &Forecast, spilled: u64, level: u32) -> Result<()> {
        let set = forecast.level_bytes;
        let both = set.saturating_add(spilled);
        let on_job_disk = if self.runs.is_some() { set } else { both };
        let limits = [
            (self.limit, both, DiskBound::Limit),
            (Some(self.job), on_job_disk, DiskBound::JobDisk),
            (self.runs, spilled, DiskBound::ScratchDisk),
        ];
        for (room, needed, bound) in limits {
            let Some(left) = room.filter(|&room| needed > room) else {
                continue;
            };
            return Err(Error::from(LimitKind::Level {
                level,
                classes: forecast.classes,
                candidates: forecast.candidates,
                set,
                runs: spilled,
                needed,
                left,
                bound,
            }));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;

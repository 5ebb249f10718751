//! What the next level will cost, estimated before it starts.
//!
//! The estimate is rough: level sizes follow the growth so far, and cannot exceed what is left of
//! the space. It decides which container is cheaper and whether the level fits on the disk.

use super::budget::Budget;
use super::container::ContainerKind;
use super::manifest::LevelRecord;
use crate::error::{DiskBound, Error, LimitKind, Result};

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
    /// Bytes of all candidates as runs, at least: each of them once.
    pub run_bytes: u64,
}

/// Coded size of `count` indices out of `universe`, headers included.
pub fn coded_bytes(count: u128, universe: u128) -> u64 {
    if count == 0 {
        return 512;
    }
    let bits = (universe as f64 / count as f64).max(1.0).log2() + 2.0;
    ((count as f64 * bits / 8.0) as u64).saturating_add(512)
}

impl SpaceProfile {
    /// The expected cost of the level after `levels`.
    pub fn next(&self, levels: &[LevelRecord]) -> Forecast {
        let sizes: Vec<u128> = levels.iter().map(|record| record.classes).collect();
        let (before, current, growth) = match sizes[..] {
            [.., before, current] => (before, current, current as f64 / before.max(1) as f64),
            [current] => (0, current, self.fanout as f64),
            [] => (0, 1, 1.0),
        };
        let candidates = current.saturating_mul(self.fanout as u128);
        let mut classes = (current as f64 * growth) as u128;
        classes = classes.clamp(1, candidates.max(1));
        if let Some(total) = self.total_classes {
            classes = classes.min(total.saturating_sub(sizes.iter().sum()));
        }
        // Moves are reversible, so most of the two levels before turn up again.
        let again = before.saturating_add(current);
        Forecast {
            classes,
            candidates,
            level_bytes: coded_bytes(classes, self.universe),
            run_bytes: coded_bytes(again.saturating_add(classes).min(candidates), self.universe),
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
            // Measured on 6x6 Wrapslide with two colours: both take equally long when there is one
            // candidate for about 300 indices.
            None if candidates >= self.universe / 256 && passes_are_cheaper(passes, pace) => {
                Ok((ContainerKind::Dense, passes as u64))
            }
            None => Ok((ContainerKind::Sparse, 1)),
        }
    }
}

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

//! What is safe on disk: the manifest, and the sealed JSON that it and `job.json` are kept in.
//!
//! The manifest is the one truth about a job. It is replaced in one rename, after everything it
//! names has been synced; files that it does not name are leftovers and are deleted. `levels.csv`
//! and `timing.csv` are written out of it, and can be written again at any time.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::checkpoint::Checkpoint;
use super::tables::{levels_csv, timing_csv};
use super::way::Way;
use crate::error::{Error, Repair, Result};
use crate::space::Index;
use crate::store::disk::Disk;
use crate::store::files::Files;
use crate::store::level_set::{SetHeader, SortedSet};
use crate::store::sealed::{FORMAT, decimal, hex, seal};

/// One committed level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelRecord {
    /// Distance from the roots.
    pub level: u32,
    /// Classes in it.
    #[serde(with = "decimal")]
    pub classes: u128,
    /// States that they stand for.
    #[serde(with = "decimal")]
    pub states: u128,
    /// Length of the level-set file.
    pub bytes: u64,
    /// The file's checksum over its blocks.
    #[serde(rename = "chain", with = "hex")]
    pub blocks_digest: u64,
    /// Time spent on the level, in milliseconds.
    pub millis: u64,
    /// How the level was found. That it was pushed is not written: older versions knew no other way, and the bytes
    /// of their manifests must stay what they are.
    #[serde(default, skip_serializing_if = "Way::is_push")]
    pub way: Way,
    /// Candidates that expanding the level before gave, or neighbours that were looked at.
    #[serde(with = "decimal")]
    pub candidates: u128,
    /// Bytes written while computing the level.
    pub bytes_written: u64,
    /// The process's peak memory until then.
    pub peak_rss: u64,
}

/// A run that a checkpoint counts on. All runs of a level look alike from outside, so it is named by
/// its content, too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// Its file: in the manifest, as seen from the job.
    pub path: PathBuf,
    /// The file's checksum over its blocks.
    #[serde(rename = "chain", with = "hex")]
    pub blocks_digest: u64,
}

impl RunRecord {
    /// Opens the run, if it is that one; asks `go_on` as [`SortedSet::open_with`] does.
    pub fn open<I: Index>(
        &self,
        files: &Arc<dyn Files>,
        set_header: &SetHeader,
        go_on: impl Fn() -> Result<()>,
    ) -> Result<SortedSet<I>> {
        let run = SortedSet::open_with(files, &self.path, set_header, go_on)?;
        match run.totals().blocks_digest == self.blocks_digest {
            true => Ok(run),
            false => Err(Error::damaged(
                &self.path,
                "it is not the run that the manifest names",
                Repair::Level { job: None, level: set_header.level },
            )),
        }
    }
}

/// Everything that is safe on disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of this format.
    pub format: u32,
    /// Checksum of the job description that it belongs to.
    #[serde(with = "hex")]
    pub job: u64,
    /// Committed levels, from 0 on.
    pub levels: Vec<LevelRecord>,
    /// Level sets below this level have been deleted (`--keep last-two`).
    pub kept_from: u32,
    /// Folders outside the job in which runs were written: a process that is killed leaves some there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scratch: Vec<PathBuf>,
    /// The level in progress, if a checkpoint was taken inside it.
    #[serde(rename = "unfinished")]
    pub checkpoint: Option<Checkpoint>,
    /// Whether the last level is the last there is.
    pub finished: bool,
    /// How long it took to see that, in milliseconds.
    pub closing_millis: u64,
    /// Of one process's part of a job: which part, and since when it is safe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<PartState>,
    /// Of a job of several processes: where its level sets are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distribution: Option<Distribution>,
}

/// A process's part of a job, and the commit that made it safe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartState {
    /// Which start of the job stored it. A process of an earlier start cannot store anything for this one.
    pub epoch: u64,
    /// Counts the commits of that start.
    pub commit: u64,
    /// Which process ...
    pub process: usize,
    /// ... of how many.
    pub count: usize,
}

/// Where the level sets of a job of several processes are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Distribution {
    /// How often the job was started.
    pub epoch: u64,
    /// The parts that are safe are those of this start and commit.
    pub stored: (u64, u64),
    /// From which level on they are divided in which way; levels before the first are not divided.
    pub layouts: Vec<Layout>,
}

/// One way in which levels are divided among processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    /// The start of the job that made it.
    pub epoch: u64,
    /// How many processes.
    pub count: usize,
    /// The first level that was found by them.
    pub first: u32,
}

impl Manifest {
    /// The manifest of a job that has not begun.
    pub fn new(job: u64) -> Self {
        Manifest {
            format: FORMAT,
            job,
            levels: Vec::new(),
            kept_from: 0,
            scratch: Vec::new(),
            checkpoint: None,
            finished: false,
            closing_millis: 0,
            part: None,
            distribution: None,
        }
    }

    /// What cannot be in the manifest of a job over `universe` indices, if something is. Every sum over
    /// one without a flaw is a number. Whether these are the right numbers is checked elsewhere.
    pub(super) fn flaw(&self, universe: u128) -> Option<&'static str> {
        let (mut classes, mut states, mut candidates) = (0u128, 0u128, 0u128);
        let (mut millis, mut bytes) = (self.closing_millis, 0u64);
        for (number, level) in self.levels.iter().enumerate() {
            if level.level as usize != number {
                return Some("its levels are not in order");
            }
            if level.classes == 0 && self.part.is_none() {
                return Some("a level has no classes");
            }
            classes = classes.saturating_add(level.classes);
            states = states.saturating_add(level.states);
            candidates = candidates.saturating_add(level.candidates);
            millis = millis.saturating_add(level.millis);
            bytes = bytes.saturating_add(level.bytes_written);
        }
        if let Some(checkpoint) = &self.checkpoint {
            if self.finished || checkpoint.level as usize != self.levels.len() {
                return Some("its checkpoint is not in the next level");
            }
            if let Some(flaw) = checkpoint.flaw(universe, self.levels.last()) {
                return Some(flaw);
            }
            let partial = checkpoint.partial.as_ref().map_or(0, |p| p.states);
            states = states.saturating_add(partial);
            candidates = candidates.saturating_add(checkpoint.candidates);
            millis = millis.saturating_add(checkpoint.millis);
            bytes = bytes.saturating_add(checkpoint.bytes_written);
        }
        if self.kept_from as usize > self.levels.len() || (self.finished && classes == 0) {
            return Some("levels that it refers to are missing from it");
        }
        let most = classes.max(states).max(candidates);
        let too_large = most > u128::MAX / 2 || millis.max(bytes) > u64::MAX / 2;
        too_large.then_some("its numbers are larger than is possible")
    }

    /// The tables that are written out of it, by file name.
    pub fn tables(&self) -> [(&'static str, String); 2] {
        [("levels.csv", levels_csv(&self.levels)), ("timing.csv", timing_csv(&self.levels))]
    }

    /// All states so far.
    pub fn states(&self) -> u128 {
        self.levels.iter().map(|level| level.states).sum()
    }

    /// All classes so far.
    pub fn classes(&self) -> u128 {
        self.levels.iter().map(|level| level.classes).sum()
    }

    /// All the time so far, in milliseconds, the level in progress included.
    pub fn millis(&self) -> u64 {
        let checkpoint = self.checkpoint.as_ref().map_or(0, |c| c.millis);
        let levels: u64 = self.levels.iter().map(|level| level.millis).sum();
        levels + checkpoint + self.closing_millis
    }
}

/// Replaces the manifest in one step.
pub fn store(disk: &Disk, path: &Path, manifest: &Manifest) -> Result<()> {
    disk.replace(path, &seal(manifest)?.0)
}

#[cfg(test)]
mod tests;

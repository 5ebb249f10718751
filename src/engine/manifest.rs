//! What is safe on disk: the manifest, and the sealed JSON that it and `job.json` are kept in.
//!
//! The manifest is the one truth about a job. It is replaced in one rename, after everything it
//! names has been synced; files that it does not name are leftovers and are deleted. `levels.csv`
//! and `timing.csv` are written out of it, and can be written again at any time.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::tables::{levels_csv, timing_csv};
use crate::error::{Error, Result, go_back};
use crate::space::Index;
use crate::store::disk::Disk;
use crate::store::level_set::{About, BLOCK, SortedSet};
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
    #[serde(with = "hex")]
    pub chain: u64,
    /// Time spent on the level, in milliseconds.
    pub millis: u64,
    /// Candidates that expanding the level before gave.
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
    #[serde(with = "hex")]
    pub chain: u64,
}

impl RunRecord {
    /// Opens the run, if it is that one.
    pub fn open<I: Index>(&self, about: &About) -> Result<SortedSet<I>> {
        let run = SortedSet::open(&self.path, about)?;
        match run.totals().chain == self.chain {
            true => Ok(run),
            false => Err(Error::damaged(
                &self.path,
                "it is not the run that the manifest names",
                go_back(&self.path),
            )),
        }
    }
}

/// A level that was under way at the last checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unfinished {
    /// Which level.
    pub level: u32,
    /// The pass under way collects indices from here on ...
    #[serde(with = "decimal")]
    pub low: u128,
    /// ... and below this.
    #[serde(with = "decimal")]
    pub high: u128,
    /// How many blocks of the level before have been expanded in this pass.
    pub expanded: u64,
    /// Candidates so far, over all passes.
    #[serde(with = "decimal")]
    pub candidates: u128,
    /// Time so far, in milliseconds.
    pub millis: u64,
    /// Bytes written so far.
    pub bytes_written: u64,
    /// Runs that hold the pass's candidates.
    pub runs: Vec<RunRecord>,
    /// How much of the level set is written, once that has begun.
    pub written: Option<Written>,
}

impl Unfinished {
    /// What cannot be in a checkpoint after the level `before`.
    fn flaw(&self, universe: u128, before: Option<&LevelRecord>) -> Option<&'static str> {
        if self.low >= self.high || self.high > universe {
            return Some("its checkpoint is in a range that does not exist");
        }
        let blocks = before.map_or(0, |level| level.classes.div_ceil(BLOCK as u128));
        if u128::from(self.expanded) > blocks {
            return Some("its checkpoint has more blocks expanded than there are");
        }
        let written = self.written.as_ref()?;
        if written.drained < self.low || written.drained > self.high {
            return Some("its checkpoint has something drained beyond its range");
        }
        let carry: Option<Vec<u128>> = written.carry.iter().map(|i| i.parse().ok()).collect();
        let sound = carry.is_some_and(|carry| {
            let below = carry.last().is_none_or(|&last| last < written.drained);
            below && carry.len() < BLOCK && carry.is_sorted_by(|a, b| a < b)
        });
        (!sound || written.bytes > u64::MAX / 2)
            .then_some("its checkpoint holds indices that cannot be there")
    }
}

/// The safe beginning of a level set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// Bytes of whole blocks.
    pub bytes: u64,
    /// The checksum over them.
    #[serde(with = "hex")]
    pub chain: u64,
    /// States they stand for.
    #[serde(with = "decimal")]
    pub states: u128,
    /// All new indices below this one are in those blocks or in the carry.
    #[serde(with = "decimal")]
    pub drained: u128,
    /// The indices that did not fill a block yet.
    pub carry: Vec<String>,
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
    /// The level under way, if a checkpoint was taken inside it.
    pub unfinished: Option<Unfinished>,
    /// Whether the last level is the last there is.
    pub finished: bool,
    /// How long it took to see that, in milliseconds.
    pub closing_millis: u64,
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
            unfinished: None,
            finished: false,
            closing_millis: 0,
        }
    }

    /// What cannot be in the manifest of a job over so many indices, if something is. Every sum over
    /// one without a flaw is a number. Whether these are the right numbers is for others to tell.
    pub(super) fn flaw(&self, universe: u128) -> Option<&'static str> {
        let (mut classes, mut states, mut candidates) = (0u128, 0u128, 0u128);
        let (mut millis, mut bytes) = (self.closing_millis, 0u64);
        for (number, level) in self.levels.iter().enumerate() {
            if level.level as usize != number {
                return Some("its levels are not in order");
            }
            if level.classes == 0 {
                return Some("a level has no classes");
            }
            classes = classes.saturating_add(level.classes);
            states = states.saturating_add(level.states);
            candidates = candidates.saturating_add(level.candidates);
            millis = millis.saturating_add(level.millis);
            bytes = bytes.saturating_add(level.bytes_written);
        }
        if let Some(unfinished) = &self.unfinished {
            if self.finished || unfinished.level as usize != self.levels.len() {
                return Some("its checkpoint is not in the level that comes next");
            }
            if let Some(flaw) = unfinished.flaw(universe, self.levels.last()) {
                return Some(flaw);
            }
            let written = unfinished.written.as_ref().map_or(0, |w| w.states);
            states = states.saturating_add(written);
            candidates = candidates.saturating_add(unfinished.candidates);
            millis = millis.saturating_add(unfinished.millis);
            bytes = bytes.saturating_add(unfinished.bytes_written);
        }
        if self.kept_from as usize > self.levels.len() || (self.finished && classes == 0) {
            return Some("levels that it counts on are missing in it");
        }
        let most = classes.max(states).max(candidates);
        let too_large = most > u128::MAX / 2 || millis.max(bytes) > u64::MAX / 2;
        too_large.then_some("its numbers are too large to be true")
    }

    /// The tables that are written out of it, by file name.
    pub fn tables(&self) -> [(&'static str, String); 2] {
        [
            ("levels.csv", levels_csv(&self.levels)),
            ("timing.csv", timing_csv(&self.levels)),
        ]
    }

    /// All states so far.
    pub fn states(&self) -> u128 {
        self.levels.iter().map(|level| level.states).sum()
    }

    /// All classes so far.
    pub fn classes(&self) -> u128 {
        self.levels.iter().map(|level| level.classes).sum()
    }

    /// All the time so far, in milliseconds, the unfinished level included.
    pub fn millis(&self) -> u64 {
        let unfinished = self.unfinished.as_ref().map_or(0, |u| u.millis);
        let levels: u64 = self.levels.iter().map(|level| level.millis).sum();
        levels + unfinished + self.closing_millis
    }
}

/// Replaces the manifest in one step.
pub fn store(disk: &Disk, path: &Path, manifest: &Manifest) -> Result<()> {
    disk.replace(path, &seal(manifest)?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sound manifest in the middle of level 2.
    fn sound() -> Manifest {
        let record = |level: u32| LevelRecord {
            level,
            classes: 5,
            states: 40,
            bytes: 100,
            chain: 0,
            millis: 1,
            candidates: 50,
            bytes_written: 100,
            peak_rss: 0,
        };
        let mut manifest = Manifest::new(0);
        manifest.levels = vec![record(0), record(1)];
        manifest.unfinished = Some(Unfinished {
            level: 2,
            low: 64,
            high: 128,
            written: Some(Written {
                bytes: 0,
                chain: 0,
                states: 0,
                drained: 90,
                carry: vec!["70".into(), "89".into()],
            }),
            ..Unfinished::default()
        });
        manifest
    }

    /// Numbers that contradict each other, and numbers that no machine could have reached.
    #[test]
    fn every_flaw_is_noticed() {
        assert_eq!(sound().flaw(128), None);
        let wrong: [fn(&mut Manifest, &mut Unfinished); 14] = [
            |manifest, _| manifest.closing_millis = u64::MAX,
            |_, unfinished| unfinished.expanded = 2,
            |manifest, _| manifest.levels[1].level = 2,
            |manifest, _| manifest.levels[0].classes = u128::MAX,
            |manifest, _| manifest.levels[1].states = u128::MAX,
            |manifest, _| manifest.kept_from = 3,
            |_, unfinished| unfinished.level = 3,
            |_, unfinished| unfinished.low = 100,
            |_, unfinished| unfinished.high = 80,
            |_, unfinished| unfinished.high = 129,
            |_, unfinished| written(unfinished).drained = u128::MAX,
            |_, unfinished| written(unfinished).carry[0] = "89".into(),
            |_, unfinished| written(unfinished).carry[1] = "90".into(),
            |_, unfinished| written(unfinished).carry[1] = "-1".into(),
        ];
        for (number, spoil) in wrong.into_iter().enumerate() {
            let mut manifest = sound();
            let mut unfinished = manifest.unfinished.take().unwrap_or_default();
            spoil(&mut manifest, &mut unfinished);
            manifest.unfinished = Some(unfinished);
            assert!(manifest.flaw(128).is_some(), "number {number}");
        }
    }

    fn written(unfinished: &mut Unfinished) -> &mut Written {
        unfinished.written.as_mut().unwrap()
    }
}

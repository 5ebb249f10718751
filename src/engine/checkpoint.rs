//! How far a level is: [`Checkpoint`] as the manifest stores it, `LevelState` while it is computed.
//!
//! A level is computed in passes over consecutive ranges of indices. A checkpoint is taken only inside
//! a pass, so the file always names the pass's range. Between two passes there is none, which the live
//! state expresses by an `Option`.

use serde::{Deserialize, Serialize};

use super::job::Job;
use super::manifest::{LevelRecord, RunRecord};
use super::way::Way;
use crate::store::level_set::BLOCK;
use crate::store::sealed::{decimal, hex};

/// A level in progress, as the manifest stores it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// Which level.
    pub level: u32,
    /// The pass in progress collects indices from here on ...
    #[serde(with = "decimal")]
    pub low: u128,
    /// ... and below this.
    #[serde(with = "decimal")]
    pub high: u128,
    /// How many blocks of the level before have been expanded in this pass.
    pub expanded: u64,
    /// Where the level is found by rows: how far. The runs then hold all numbers that are new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<RowsDone>,
    /// Candidates so far, over all passes.
    #[serde(with = "decimal")]
    pub candidates: u128,
    /// Time so far, in milliseconds.
    pub millis: u64,
    /// Bytes written so far.
    pub bytes_written: u64,
    /// Runs that hold the pass's candidates, with paths relative to the job.
    pub runs: Vec<RunRecord>,
    /// How much of the level set is written, once that has begun.
    #[serde(rename = "written")]
    pub partial: Option<PartialLevel>,
}

/// How many rows are done, and in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowsDone {
    /// The way.
    pub way: Way,
    /// All rows below this one.
    pub done: u64,
}

/// The durable beginning of a level set, as the manifest stores it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartialLevel {
    /// Bytes of complete blocks.
    pub bytes: u64,
    /// The checksum over them.
    #[serde(rename = "chain", with = "hex")]
    pub blocks_digest: u64,
    /// States they stand for.
    #[serde(with = "decimal")]
    pub states: u128,
    /// All new indices below this one are in those blocks or in the carry.
    #[serde(with = "decimal")]
    pub drained: u128,
    /// The indices that did not fill a block yet.
    pub carry: Vec<String>,
}

impl Checkpoint {
    /// What cannot be in a checkpoint after the level `before`.
    pub(super) fn flaw(&self, universe: u128, before: Option<&LevelRecord>) -> Option<&'static str> {
        if self.low >= self.high || self.high > universe {
            return Some("its checkpoint is in a range that does not exist");
        }
        let blocks = before.map_or(0, |level| level.classes.div_ceil(BLOCK as u128));
        if u128::from(self.expanded) > blocks {
            return Some("its checkpoint has more blocks expanded than there are");
        }
        let partial = self.partial.as_ref()?;
        if partial.drained < self.low || partial.drained > self.high {
            return Some("its checkpoint has something drained beyond its range");
        }
        let carry: Option<Vec<u128>> = partial.carry.iter().map(|i| i.parse().ok()).collect();
        let sound = carry.is_some_and(|carry| {
            let below = carry.last().is_none_or(|&last| last < partial.drained);
            below && carry.len() < BLOCK && carry.is_sorted_by(|a, b| a < b)
        });
        (!sound || partial.bytes > u64::MAX / 2)
            .then_some("its checkpoint holds indices that cannot be there")
    }
}

/// A level in progress, without its level set.
pub(super) struct LevelState {
    /// Which level.
    pub number: u32,
    /// How it is found, as far as it is.
    pub way: Way,
    /// The passes so far collected all indices below this.
    pub low: u128,
    /// Candidates so far, over all passes.
    pub candidates: u128,
    /// What earlier processes spent on the level.
    pub earlier_millis: u64,
    pub earlier_bytes: u64,
}

/// A pass in progress. It collects indices from the level's `low` on.
pub(super) struct PassState {
    /// It collects indices below this.
    pub high: u128,
    /// How many blocks of the level before have been expanded.
    pub expanded: u64,
    /// How far rows are, where the level is found by them.
    pub rows: Option<RowsDone>,
    /// Runs of an earlier process that hold candidates of the pass, or numbers by rows.
    pub runs: Vec<RunRecord>,
}

impl LevelState {
    /// A level of which nothing is done.
    pub fn new(number: u32) -> Self {
        LevelState { number, way: Way::Push, low: 0, candidates: 0, earlier_millis: 0, earlier_bytes: 0 }
    }

    /// The state that a checkpoint of `job` describes: the level, the pass in it, and how much of the
    /// level set is written.
    pub fn resume(checkpoint: Checkpoint, job: &Job) -> (Self, PassState, Option<PartialLevel>) {
        let state = LevelState {
            number: checkpoint.level,
            way: Way::Push,
            low: checkpoint.low,
            candidates: checkpoint.candidates,
            earlier_millis: checkpoint.millis,
            earlier_bytes: checkpoint.bytes_written,
        };
        let pass = PassState {
            high: checkpoint.high,
            expanded: checkpoint.expanded,
            rows: checkpoint.rows,
            runs: checkpoint.runs.iter().map(|run| job.run(run)).collect(),
        };
        (state, pass, checkpoint.partial)
    }
}

impl PassState {
    /// A pass over the indices below `high` of which nothing is done.
    pub fn new(high: u128) -> Self {
        PassState { high, expanded: 0, rows: None, runs: Vec::new() }
    }
}

//! The other processes of a walk: what the engine asks of whatever connects them.
//!
//! All processes take the same steps in the same order. Between them they *agree*: each reports, and goes on with
//! what all have reported, from which all draw the same conclusions. What travels in between are coded runs of
//! candidates, in *phases*: a phase is over when all that was sent in it by anybody has been put into containers.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::manifest::{LevelRecord, Manifest, PartState};
use super::pipeline::Pause;
use crate::error::{Error, Result};
use crate::store::sealed::{decimal, hex};

/// Connects the processes of a walk. Everything fails from the moment on at which another process is lost.
pub trait Peers: Sync {
    /// Which process this is, ...
    fn process(&self) -> usize;

    /// ... of how many.
    fn count(&self) -> usize;

    /// Takes a coded run for another process, unless too much is on the way already.
    fn try_send(&self, to: usize, run: &mut Vec<u8>) -> Result<bool>;

    /// What has arrived: waits for it as long as `wait`. Ends a phase, if this process has finished its part.
    fn receive(&self, wait: Duration) -> Result<Arrival>;

    /// A run that was received is in a container.
    fn received(&self, run: ReceivedRun);

    /// This process will send nothing more in this phase.
    fn finish(&self) -> Result<()>;

    /// Hands in this process's report, and waits for those of all.
    fn exchange_reports(&self, report: Vec<u8>) -> Result<Vec<Vec<u8>>>;

    /// All processes have made durable what `part` and the levels are, which thereby become safe: stores that for the
    /// whole job, if this is the process that does so.
    fn publish(&self, part: &PartState, levels: &[LevelRecord], finished: bool) -> Result<()>;

    /// The bytes of a message, at the most, and how much of this process's memory messages may take.
    fn message_bytes(&self) -> (usize, u64);
}

/// What a process can receive.
#[derive(Debug)]
pub enum Arrival {
    /// A coded run.
    Run(ReceivedRun),
    /// Nothing yet.
    Nothing,
    /// Nothing more: the phase is over, for all processes.
    Settled,
}

/// A coded run that has arrived, until it is in a container.
#[derive(Debug)]
pub struct ReceivedRun {
    /// Its blocks.
    pub bytes: Vec<u8>,
    /// What whatever delivered it knows it by.
    pub time: u64,
}

/// What a process reports when all have to agree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Report {
    /// It has come to the end of a phase of a level, or has paused.
    Pause { level: u32, done: bool, stop: bool, checkpoint: bool },
    /// It has finished a level.
    Level { record: LevelShare, due: bool, stop: bool },
    /// Its part is durable.
    Prepared { epoch: u64, commit: u64 },
    /// It knows that all parts are.
    Published { epoch: u64, commit: u64 },
    /// Which parts of older levels it can read, by number.
    Sources { readable: Vec<bool> },
}

/// A process's share of a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LevelShare {
    level: u32,
    #[serde(with = "decimal")]
    classes: u128,
    #[serde(with = "decimal")]
    states: u128,
    bytes: u64,
    #[serde(with = "hex")]
    blocks_digest: u64,
    millis: u64,
    #[serde(with = "decimal")]
    candidates: u128,
    bytes_written: u64,
    peak_rss: u64,
}

impl From<&LevelRecord> for LevelShare {
    fn from(record: &LevelRecord) -> Self {
        LevelShare {
            level: record.level,
            classes: record.classes,
            states: record.states,
            bytes: record.bytes,
            blocks_digest: record.blocks_digest,
            millis: record.millis,
            candidates: record.candidates,
            bytes_written: record.bytes_written,
            peak_rss: record.peak_rss,
        }
    }
}

/// The record of a level out of the shares of all processes. Its checksum is one over theirs, in their order.
pub(super) fn joint_record(shares: &[LevelShare]) -> LevelRecord {
    let digests = shares.iter().flat_map(|share| share.blocks_digest.to_le_bytes()).collect::<Vec<u8>>();
    LevelRecord {
        level: shares.first().map_or(0, |share| share.level),
        classes: shares.iter().map(|share| share.classes).sum(),
        states: shares.iter().map(|share| share.states).sum(),
        bytes: shares.iter().map(|share| share.bytes).sum(),
        blocks_digest: xxhash_rust::xxh3::xxh3_64(&digests),
        millis: shares.iter().map(|share| share.millis).max().unwrap_or(0),
        way: super::way::Way::Push,
        candidates: shares.iter().map(|share| share.candidates).sum(),
        bytes_written: shares.iter().map(|share| share.bytes_written).sum(),
        peak_rss: shares.iter().map(|share| share.peak_rss).max().unwrap_or(0),
    }
}

/// What all processes do at a pause.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointPause {
    pub pause: Pause,
    pub checkpoint: bool,
}

impl dyn Peers + '_ {
    /// Exchanges reports; `read` says what each must be.
    fn agree<T>(&self, report: &Report, read: impl Fn(Report) -> Option<T>) -> Result<Vec<T>> {
        let coded = serde_json::to_vec(report).map_err(|e| Error::verification(e.to_string()))?;
        let reports = self.exchange_reports(coded)?.into_iter().enumerate();
        let read = |(process, bytes): (usize, Vec<u8>)| {
            let report = serde_json::from_slice::<Report>(&bytes).ok();
            report.and_then(&read).ok_or_else(|| {
                Error::verification(format!(
                    "process {process} does not take the same step as process {}: it reports {}",
                    self.process(),
                    String::from_utf8_lossy(&bytes)
                ))
            })
        };
        reports.map(read).collect()
    }

    /// Agrees on what to do after a phase: all pause until all are done.
    pub(super) fn agree_on_pause(&self, number: u32, pause: Pause, checkpoint: bool) -> Result<JointPause> {
        let report = Report::Pause {
            level: number,
            done: pause == Pause::Done,
            stop: pause == Pause::Stop,
            checkpoint,
        };
        let votes = self.agree(&report, |report| match report {
            Report::Pause { level, done, stop, checkpoint } if level == number => {
                Some((done, stop, checkpoint))
            }
            _ => None,
        })?;
        let stop = votes.iter().any(|(_, stop, _)| *stop);
        Ok(JointPause {
            pause: match votes.iter().all(|(done, ..)| *done) {
                true => Pause::Done,
                false if stop => Pause::Stop,
                false => Pause::Due,
            },
            checkpoint: stop || votes.iter().any(|(.., checkpoint)| *checkpoint),
        })
    }

    /// Agrees on a level: its record, whether to store it now, and whether to stop then.
    pub(super) fn agree_on_level(
        &self,
        record: &LevelRecord,
        due: bool,
        stop: bool,
    ) -> Result<(LevelRecord, bool, bool)> {
        let report = Report::Level { record: record.into(), due, stop };
        let shares = self.agree(&report, |report| match report {
            Report::Level { record: share, due, stop } if share.level == record.level => {
                Some((share, due, stop))
            }
            _ => None,
        })?;
        let due = shares.iter().any(|(_, due, _)| *due);
        let stop = shares.iter().any(|(.., stop)| *stop);
        let shares: Vec<LevelShare> = shares.into_iter().map(|(share, ..)| share).collect();
        Ok((joint_record(&shares), due, stop))
    }

    /// Waits until the parts of all processes are durable, and the job says so. `levels` are those of the job.
    pub(super) fn commit(&self, part: &PartState, manifest: &Manifest, levels: &[LevelRecord]) -> Result<()> {
        let id = (part.epoch, part.commit);
        self.agree(&Report::Prepared { epoch: id.0, commit: id.1 }, |report| match report {
            Report::Prepared { epoch, commit } if (epoch, commit) == id => Some(()),
            _ => None,
        })?;
        self.publish(part, levels, manifest.finished)?;
        self.agree(&Report::Published { epoch: id.0, commit: id.1 }, |report| match report {
            Report::Published { epoch, commit } if (epoch, commit) == id => Some(()),
            _ => None,
        })?;
        Ok(())
    }

    /// For each of the sources, the first process that can read it.
    pub(super) fn agree_on_sources(&self, readable: Vec<bool>) -> Result<Vec<Option<usize>>> {
        let count = readable.len();
        let views = self.agree(&Report::Sources { readable }, |report| match report {
            Report::Sources { readable } if readable.len() == count => Some(readable),
            _ => None,
        })?;
        Ok((0..count).map(|source| views.iter().position(|view| view[source])).collect())
    }
}

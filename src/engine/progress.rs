//! How an enumeration reports progress, and how it is stopped.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::manifest::LevelRecord;
use crate::error::{Error, Result};
use crate::store::Pulse;

/// Hears what a walk does. Nothing is ever printed from inside the library.
pub trait Observer: Sync {
    /// A level begins: which one, with which container and in which way, and about how many candidates.
    fn begun(&self, _level: u32, _how: &str, _candidates: u128) {}
    /// A level is computed.
    fn computed(&self, _record: &LevelRecord) {}
    /// A checkpoint inside a level is stored.
    fn checkpoint(&self, _level: u32) {}
    /// Something worth a sentence happened.
    fn note(&self, _sentence: &str) {}
    /// Something happened that a user should read even if it takes no time.
    fn announce(&self, sentence: &str) {
        self.note(sentence);
    }
    /// `done` of `total` things are done.
    fn counted(&self, _what: &str, _done: u64, _total: u64) {}
    /// Called several times a second while work continues.
    fn tick(&self, _pulse: &Pulse) {}
    /// The user wants to stop, and that takes a while: what is computed is saved first. What was stored
    /// before is so old.
    fn stopping(&self, _stored: Duration) {}
}

/// Hears nothing.
pub struct Silent;

impl Observer for Silent {}

/// The walk's two links to its caller.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Set it to make the walk save what is safe and return.
    pub stop: &'a AtomicBool,
    /// Hears what happens.
    pub observer: &'a dyn Observer,
}

impl Control<'_> {
    /// Whether the walk shall stop.
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Fails with this error if the walk shall stop. Whatever reads files asks this between any two pieces
    /// that a slow disk takes long for.
    pub fn go_on(&self, stopped: impl FnOnce() -> Error) -> Result<()> {
        match self.stopped() {
            true => Err(stopped()),
            false => Ok(()),
        }
    }
}

/// What is being done with a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Expanding the level before.
    Expand = 0,
    /// Removing repeats and known classes, counting, writing.
    Merge = 1,
    /// Making candidates durable.
    Save = 2,
}

/// Live numbers, written by the workers and read by the observer.
pub struct ProgressCounters {
    start: Instant,
    level: AtomicU32,
    phase: AtomicU32,
    done: AtomicU64,
    total: AtomicU64,
    /// When the level began, in milliseconds since the start.
    since: AtomicU64,
    /// When the phase began, and what was done of it then.
    phase_since: AtomicU64,
    phase_done: AtomicU64,
    /// When the last manifest was stored.
    stored: AtomicU64,
    /// The whole job, when the level began.
    job: Mutex<JobProgress>,
}

/// How far a job is when a level begins.
#[derive(Clone, Copy, Debug, Default)]
pub struct JobProgress {
    /// The share of all states that is in levels that are done; if it is known how many there are.
    pub known: Option<f64>,
    /// The share of all classes that was expanded before; if it is known how many there are.
    pub expanded: Option<f64>,
    /// The share of all classes that is expanded now.
    pub expanding: f64,
    /// Time spent on it by all runs until then.
    pub millis: u64,
}

/// Expanding takes about this part of a level, what follows takes the rest.
const EXPANDING: f64 = 0.7;
/// Time left is not estimated before this part of the work is done.
const FORESEEABLE: f64 = 1e-4;

impl Default for ProgressCounters {
    /// Nothing done yet.
    fn default() -> Self {
        ProgressCounters {
            start: Instant::now(),
            level: AtomicU32::default(),
            phase: AtomicU32::default(),
            done: AtomicU64::default(),
            total: AtomicU64::default(),
            since: AtomicU64::default(),
            phase_since: AtomicU64::default(),
            phase_done: AtomicU64::default(),
            stored: AtomicU64::default(),
            job: Mutex::default(),
        }
    }
}

impl ProgressCounters {
    /// A level begins.
    pub fn level(&self, level: u32, job: JobProgress) {
        *self.job.lock().unwrap_or_else(PoisonError::into_inner) = job;
        self.level.store(level, Relaxed);
        self.since.store(self.now(), Relaxed);
    }

    /// A phase begins, of `total` steps (classes or buckets), some of them done.
    pub fn phase(&self, phase: Phase, done: u64, total: u64) {
        self.phase.store(phase as u32, Relaxed);
        self.done.store(done, Relaxed);
        self.total.store(total, Relaxed);
        self.phase_since.store(self.now(), Relaxed);
        self.phase_done.store(done, Relaxed);
    }

    /// More steps are done.
    pub fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Relaxed);
    }

    /// Everything that a manifest can name is stored.
    pub fn stored(&self) {
        self.stored.store(self.now(), Relaxed);
    }

    /// How long ago that was, or this process began.
    pub fn since_stored(&self) -> Duration {
        Duration::from_millis(self.now().saturating_sub(self.stored.load(Relaxed)))
    }

    /// So many steps are done.
    pub fn reach(&self, steps: u64) {
        self.done.store(steps, Relaxed);
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    /// Seconds that are left of the phase at its present rate.
    fn left(&self) -> Option<u64> {
        let done = self.done.load(Relaxed);
        let fresh = done.saturating_sub(self.phase_done.load(Relaxed));
        let spent = self.now().saturating_sub(self.phase_since.load(Relaxed));
        let rest = self.total.load(Relaxed).saturating_sub(done);
        (fresh > 0).then(|| (spent as f64 * rest as f64 / fresh as f64 / 1000.0) as u64)
    }

    /// Seconds that are left of the job: as many for each class that is left as for those before.
    fn left_of_job(&self, job: &JobProgress, millis: u64) -> Option<u64> {
        let total = self.total.load(Relaxed).max(1);
        let step = (self.done.load(Relaxed) as f64 / total as f64).min(1.0);
        let done = match self.phase.load(Relaxed) {
            0 => EXPANDING * step,
            1 => EXPANDING + (1.0 - EXPANDING) * step,
            _ => EXPANDING,
        };
        let done = job.expanded? + job.expanding * done;
        (done >= FORESEEABLE).then(|| (millis as f64 * (1.0 - done).max(0.0) / done / 1000.0) as u64)
    }

    /// The numbers now.
    pub fn pulse(&self) -> Pulse {
        let now = self.now();
        let job = *self.job.lock().unwrap_or_else(PoisonError::into_inner);
        let millis = job.millis + now.saturating_sub(self.since.load(Relaxed));
        Pulse {
            pid: std::process::id(),
            level: self.level.load(Relaxed),
            phase: match self.phase.load(Relaxed) {
                0 => "expand",
                1 => "merge",
                _ => "save",
            }
            .into(),
            done: self.done.load(Relaxed),
            total: self.total.load(Relaxed),
            seconds: now.saturating_sub(self.since.load(Relaxed)) / 1000,
            left: self.left(),
            known: job.known.map(|share| (share * 1e6) as u64),
            job_seconds: millis / 1000,
            job_left: self.left_of_job(&job, millis),
            ..Pulse::default()
        }
    }
}

//! What an enumeration will take: disk, memory and time, before it starts.
//!
//! It learns from the job's own levels, from a table in `results/`, and from a short enumeration on this machine, in
//! a temporary directory that is removed. What they do not tell is estimated by the engine's
//! [outlook](crate::engine::outlook).

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::time::{ClockId, clock_gettime};

use crate::engine::budget::resident_memory;
use crate::engine::outlook::{KnownLevel, MeasuredLevel, Outlook, outlook};
use crate::engine::provenance::{Host, Provenance};
use crate::engine::{
    self, Control, Job, LevelCount, Manifest, Options, Silent, Subject as _, read_levels_csv,
};
use crate::error::{Error, IoAction, Result};
use crate::puzzle::{Rules, job_name, subject};
use crate::store::disk;

/// The measurement may use this much disk.
const DISK: u64 = 2 << 30;
/// However busy the machine is, measuring takes no longer than so many times the time that was asked for.
const LONGEST: u32 = 5;
/// A table of levels is no larger.
const TABLE: u64 = 1 << 20;
/// A job that took longer than this needs no measurement on the same machine.
const ENOUGH: u64 = 2_000;

/// What is asked.
#[derive(Clone, Debug)]
pub struct EstimateOptions {
    /// Bytes of memory; `None`: as for an enumeration.
    pub memory: Option<u64>,
    /// Threads; `None`: as for an enumeration.
    pub threads: Option<usize>,
    /// The last level that is wanted.
    pub max_level: Option<u32>,
    /// How long to measure; not at all if it is zero.
    pub measure: Duration,
    /// Where tables of levels are.
    pub results: PathBuf,
}

/// What an enumeration will take.
#[derive(Clone, Debug)]
pub struct JobEstimate {
    /// Level by level.
    pub outlook: Outlook,
    /// The most memory that the process will have.
    pub memory: u64,
    /// Bytes and seconds of it that a job has spent already.
    pub spent: (u64, f64),
    /// What the estimate rests on, in sentences.
    pub basis: Vec<String>,
}

/// Estimates what an enumeration of a puzzle will take; `job` is its job, if it has one.
pub fn estimate(
    puzzle: &dyn Rules,
    job: Option<&Job>,
    options: &EstimateOptions,
    control: Control<'_>,
) -> Result<JobEstimate> {
    let subject = subject(puzzle)?;
    let engine_options = Options { memory: options.memory, threads: options.threads, ..Options::default() };
    let budget = engine_options.budget()?;
    let mut basis = Vec::new();
    let mut known: Vec<KnownLevel> = Vec::new();
    let mut complete = false;
    let mut spent = (0, 0.0);
    let base = resident_memory();
    let (mut peak, mut seen) = (0, 0);
    let mut measured_here = 0;
    if let Some(job) = job {
        let manifest = job.manifest()?;
        let here = is_of_this_machine(job);
        measured_here = if here { manifest.millis() } else { 0 };
        known = of_manifest(&manifest, here);
        complete = manifest.finished;
        spent = (job.size(&manifest.scratch)?, manifest.millis() as f64 / 1000.0);
        let elsewhere = if here { "" } else { ", computed on another machine" };
        basis.push(format!("{} levels of the job in {}{elsewhere}", known.len(), job.dir().display()));
        peak = manifest.levels.last().filter(|_| complete && here).map_or(0, |last| last.peak_rss);
    }
    let enough = complete && measured_here > 0;
    if !options.measure.is_zero() && !enough && measured_here < ENOUGH {
        let measured = measure(puzzle, &engine_options, options, control)?;
        let levels = of_manifest(&measured, true);
        seen = measured.levels.last().map_or(0, |last| last.peak_rss);
        let said = format!(
            "a measurement of {:.1} s on this machine ({} levels)",
            measured.millis() as f64 / 1000.0,
            levels.len()
        );
        basis.push(said);
        if measured.finished || measured.levels.len() > options.max_level.unwrap_or(u32::MAX) as usize {
            peak = measured.levels.last().map_or(0, |last| last.peak_rss);
        }
        if levels.len() > known.len() {
            known = levels;
            complete |= measured.finished;
        } else {
            // The job's own levels are known; how long they take here was measured.
            for (level, here) in known.iter_mut().zip(&levels) {
                *level = *here;
            }
        }
    }
    if !complete && let Some((name, counts)) = table(puzzle, &options.results)? {
        let all: u128 = counts.iter().map(|level| level.states).sum();
        let whole = puzzle.totals().states.is_none_or(|total| total == all);
        let more = counts.iter().skip(known.len());
        known.extend(more.map(|count| KnownLevel { classes: count.classes, measured: None }));
        complete = whole && known.len() == counts.len();
        basis.push(format!("the table {name}"));
    }
    if basis.is_empty() {
        basis.push("nothing but the size of the space".into());
    }
    let mut totals = puzzle.totals();
    // A class has about as many states as there are symmetries.
    let classes_of = |states: u128| states.div_ceil(u128::from(puzzle.group_order()).max(1));
    totals.classes = totals.classes.or(totals.states.map(classes_of));
    totals.existing = totals.existing.map(classes_of);
    let outlook = outlook(subject.space(), &totals, &budget, &known, complete, options.max_level)?;
    let threads = budget.threads() as u64;
    let memory = match peak {
        0 => seen.max(base + outlook.memory() + threads * PER_THREAD),
        peak => peak,
    };
    Ok(JobEstimate { outlook, memory, spent, basis })
}

/// What a thread takes beside its work: a part of its stack, buffers, compressors.
const PER_THREAD: u64 = 1 << 20;

/// Whether all runs of a job were on this machine.
fn is_of_this_machine(job: &Job) -> bool {
    let this = Host::this();
    let provenance = Provenance::of(job).ok().flatten();
    provenance.is_some_and(|provenance| provenance.runs.iter().all(|run| run.host == this))
}

fn of_manifest(manifest: &Manifest, here: bool) -> Vec<KnownLevel> {
    let levels = manifest.levels.iter();
    levels
        .map(|record| KnownLevel {
            classes: record.classes,
            measured: Some(MeasuredLevel {
                bytes: record.bytes,
                millis: here.then_some(record.millis),
                candidates: record.candidates,
                way: record.way,
            }),
        })
        .collect()
}

/// The level table of a puzzle among results, and its name.
fn table(puzzle: &dyn Rules, results: &Path) -> Result<Option<(String, Vec<LevelCount>)>> {
    let path = results.join(format!("{}.csv", job_name(puzzle)));
    let Ok(Some(bytes)) = disk::read(&path, TABLE) else {
        return Ok(None);
    };
    let levels = String::from_utf8(bytes).ok().and_then(|text| read_levels_csv(&text).ok());
    Ok(levels.map(|levels| (path.display().to_string(), levels)))
}

/// The processor time that this process has had.
fn process_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Enumerates for a while, and returns the levels that this came to.
fn measure(
    puzzle: &dyn Rules,
    options: &Options,
    wanted: &EstimateOptions,
    control: Control<'_>,
) -> Result<Manifest> {
    let serial = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos());
    let dir = std::env::temp_dir().join(format!("godnum-estimate-{}-{serial}", std::process::id()));
    let options = Options { max_level: wanted.max_level, disk_limit: Some(DISK), ..options.clone() };
    let subject = subject(puzzle)?;
    let (end, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let (started, worked_before) = (Instant::now(), process_time());
    let outcome = std::thread::scope(|scope| {
        let watch = || {
            while !done.load(Relaxed) {
                // On a busy machine, it takes longer to see as much.
                let (elapsed, worked) = (started.elapsed(), process_time().saturating_sub(worked_before));
                let enough = worked >= wanted.measure && elapsed >= wanted.measure;
                if enough || elapsed >= LONGEST * wanted.measure || control.stopped() {
                    end.store(true, Relaxed);
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        };
        let Ok(_) = std::thread::Builder::new().spawn_scoped(scope, watch) else {
            return Err(Error::limit("cannot start a thread to measure"));
        };
        let measuring = Control { stop: &end, observer: &Silent };
        let outcome = engine::enumerate(&subject, &dir, &options, measuring);
        done.store(true, Relaxed);
        outcome.map(|_| ())
    });
    let manifest = Job::open(&dir).and_then(|job| job.manifest());
    let removed = std::fs::remove_dir_all(&dir);
    if control.stopped() {
        return Err(Error::interrupted("stopped before the estimate was made"));
    }
    match (outcome, manifest) {
        (Ok(()) | Err(Error::Interrupted(_) | Error::Limit(_)), Ok(manifest)) => {
            removed.map_err(|e| Error::io(IoAction::Delete, &dir, e))?;
            Ok(manifest)
        }
        (Err(error), _) | (_, Err(error)) => Err(error),
    }
}

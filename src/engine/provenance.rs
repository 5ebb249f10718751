//! Where the numbers of a job come from: which builds computed them, with which command and settings, where and when.
//!
//! `provenance.json` has one record for each run of a job. It is a file of its own, which nothing else depends on: the
//! bytes of the manifest and of level sets stay what they are, jobs of older versions have none, and one that is
//! lost or damaged is begun anew. It is sealed, so that a change is noticed.

use std::fs;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::budget::Budget;
use super::job::Job;
use super::verify::{CERTIFICATE, Certificate};
use super::{End, Keep, Options, cores};
use crate::build_info::Build;
use crate::error::{Error, Result};
use crate::store::disk::{Disk, exists};
use crate::store::sealed::{self, FORMAT};
use crate::text::timestamp;

/// The file in a job.
pub const PROVENANCE: &str = "provenance.json";

/// More runs than this are not listed one by one: those in the middle go.
const MOST_RUNS: usize = 200;

/// Where a job's numbers come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// Version of this format.
    pub format: u32,
    /// Runs of the job in order: every one that computed something.
    pub runs: Vec<RunOfJob>,
    /// Runs that are not listed.
    pub omitted: u64,
    /// Whether the record does not begin with the job: it was begun by an older version, or the file was lost.
    pub incomplete: bool,
}

/// A run of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOfJob {
    /// The program.
    #[serde(flatten)]
    pub build: Build,
    /// Its command line.
    pub command: Vec<String>,
    /// What it was allowed and told.
    pub settings: RunSettings,
    /// Where it ran.
    pub host: Host,
    /// When it began.
    pub started: String,
    /// When it ended; missing if it was killed, or if it is still running.
    pub ended: Option<String>,
    /// The level that it began with.
    pub first_level: u32,
    /// How many levels the job had at its end.
    pub levels: Option<u32>,
    /// How it ended: `finished`, `max-level`, `stopped`, `limit` or `failed`.
    pub end: Option<String>,
}

/// What a run was allowed and told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSettings {
    /// Bytes of memory.
    pub memory: u64,
    /// Threads.
    pub threads: usize,
    /// The last level that was wanted.
    pub max_level: Option<u32>,
    /// Bytes on disk.
    pub disk_limit: Option<u64>,
    /// Which level sets stayed.
    pub keep: String,
    /// The container, if it was not left to the engine.
    pub container: Option<String>,
    /// How levels were found, if that was not left to the engine.
    pub direction: Option<String>,
    /// The level after which everything was discarded first.
    pub from_level: Option<u32>,
    /// Where runs of candidates went, if not into the job.
    pub scratch: Option<String>,
    /// Where level sets of finished levels went, if not into the job.
    pub archive: Option<String>,
}

/// A machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Its name.
    pub name: String,
    /// Its system.
    pub system: String,
    /// Its processor.
    pub processor: String,
    /// Threads that it runs at once.
    pub cores: usize,
    /// Bytes of memory.
    pub memory: u64,
}

impl Host {
    /// This one.
    pub fn this() -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let field = |path: &str, name: &str| {
            let text = read(path);
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            line.map(|line| line.trim_start_matches([' ', '\t', ':']).trim().to_owned())
        };
        let known = |text: String| match text.trim() {
            "" => "not known".to_owned(),
            text => text.to_owned(),
        };
        let memory = field("/proc/meminfo", "MemTotal").unwrap_or_default();
        let memory = memory.trim_end_matches("kB").trim().parse::<u64>().unwrap_or(0);
        Host {
            name: known(read("/proc/sys/kernel/hostname")),
            system: format!(
                "{} {} {}",
                known(read("/proc/sys/kernel/ostype")),
                known(read("/proc/sys/kernel/osrelease")),
                std::env::consts::ARCH
            ),
            processor: known(field("/proc/cpuinfo", "model name").unwrap_or_default()),
            cores: cores(),
            memory: memory * 1024,
        }
    }
}

impl Provenance {
    /// The provenance of a job; `None` if it has none, as those of older versions. An error if it cannot be read.
    pub fn of(job: &Job) -> Result<Option<Provenance>> {
        let path = job.path(PROVENANCE);
        match exists(&path)? {
            true => Ok(Some(sealed::unseal::<Provenance>(&path)?.0)),
            false => Ok(None),
        }
    }
}

/// Mends what is about a job and no part of it: a record of runs that is damaged is begun anew, a damaged certificate
/// goes, and so do halves of both that a killed process left.
pub(super) fn mend(job: &Job, disk: &Disk) -> Result<()> {
    for name in [PROVENANCE, CERTIFICATE] {
        disk.remove(&job.path(&format!("{name}.part")))?;
    }
    if let Err(Error::Damaged { .. }) = Provenance::of(job) {
        let empty = Provenance { format: FORMAT, runs: Vec::new(), omitted: 0, incomplete: true };
        disk.put(&job.path(PROVENANCE), &sealed::seal(&empty)?.0)?;
    }
    let certificate = job.path(CERTIFICATE);
    if exists(&certificate)? && matches!(Certificate::read(&certificate), Err(Error::Damaged { .. })) {
        disk.remove(&certificate)?;
    }
    Ok(())
}

/// The record of the run that is under way.
pub(super) struct RunRecorder<'a> {
    job: &'a Job,
    disk: &'a Disk,
    provenance: Provenance,
}

impl<'a> RunRecorder<'a> {
    /// A run begins with the level `first_level`: stores that.
    pub fn begin(
        job: &'a Job,
        disk: &'a Disk,
        options: &Options,
        budget: &Budget,
        first_level: u32,
    ) -> Result<Self> {
        // A record that cannot be read is no reason not to compute.
        let older = Provenance::of(job).ok().flatten();
        let incomplete = first_level > 0 || options.from_level.is_some();
        let mut provenance =
            older.unwrap_or(Provenance { format: FORMAT, runs: Vec::new(), omitted: 0, incomplete });
        if provenance.runs.len() >= MOST_RUNS {
            provenance.runs.remove(MOST_RUNS / 2);
            provenance.omitted += 1;
        }
        let path = |path: &std::path::Path| path.display().to_string();
        provenance.runs.push(RunOfJob {
            build: Build::this(),
            command: std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect(),
            settings: RunSettings {
                memory: budget.memory(),
                threads: budget.threads(),
                max_level: options.max_level,
                disk_limit: options.disk_limit,
                keep: match options.keep {
                    Keep::All => "all".into(),
                    Keep::LastTwo => "last-two".into(),
                },
                container: options.container.map(|kind| kind.name().into()),
                direction: options.way.map(|way| way.name().into()),
                from_level: options.from_level,
                scratch: options.scratch.as_deref().map(path),
                archive: options.archive.as_deref().map(path),
            },
            host: Host::this(),
            started: timestamp(SystemTime::now()),
            ended: None,
            first_level,
            levels: None,
            end: None,
        });
        let recorder = RunRecorder { job, disk, provenance };
        recorder.store()?;
        Ok(recorder)
    }

    /// The run ended, with this many levels: stores that, if there is still room for it. The numbers are safe whether
    /// or not it can be.
    pub fn end(mut self, end: &Result<End>, levels: usize) {
        let Some(run) = self.provenance.runs.last_mut() else { return };
        run.ended = Some(timestamp(SystemTime::now()));
        run.levels = Some(levels as u32);
        run.end = Some(word(end).to_owned());
        let _ = self.store();
    }

    fn store(&self) -> Result<()> {
        let path = self.job.path(PROVENANCE);
        self.disk.put(&path, &sealed::seal(&self.provenance)?.0)
    }
}

/// How a run ended, in a word.
pub fn word(end: &Result<End>) -> &'static str {
    match end {
        Ok(End::Finished) => "finished",
        Ok(End::AtMaxLevel) => "max-level",
        Err(Error::Interrupted(_)) => "stopped",
        Err(Error::Limit(_)) => "limit",
        Err(_) => "failed",
    }
}

//! `godnum enumerate`: run a job, or resume it.

#[cfg(feature = "cluster")]
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[cfg(feature = "cluster")]
use clap::ValueEnum;

use super::cluster::ClusterArgs;
use super::display::{Display, PLAIN_EVERY};
use super::events::{Events, Listener, ListenerArgs};
use super::puzzle_text::PuzzleText;
use super::resource_args::{OutputArgs, ResourceArgs};
use super::{confirm, listen_for_signals, output, summary};
use crate::engine::{ContainerKind, Control, Job, Keep, Options, Way};
#[cfg(feature = "cluster")]
use crate::engine::{budget::default_memory, cores};
use crate::error::Result;
use crate::puzzle::{Rules, default_dir, enumerate};
use crate::puzzles::registry;
use crate::store::disk::Disk;
use crate::text::{parse_bytes, parse_duration};

/// Enumerate a puzzle: all levels, counted and checked. Resumes where it was stopped.
#[derive(clap::Args)]
pub struct EnumerateArgs {
    /// The puzzle, for example wrapslide:6x6:2 (see `godnum puzzles`)
    #[arg(value_parser = PuzzleText, hide_possible_values = true)]
    puzzle: String,
    /// The job directory [default: runs/<puzzle with dashes>]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Delete the job that is in the directory and start again
    #[arg(long)]
    fresh: bool,
    /// With --fresh: delete without asking
    #[arg(long, short, requires = "fresh")]
    yes: bool,
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// What may change from one run of a job to the next.
#[derive(clap::Args)]
pub struct EngineArgs {
    #[command(flatten)]
    resources: ResourceArgs,
    /// Stop after this level; a later run can go further
    #[arg(long, value_name = "L")]
    max_level: Option<u32>,
    /// Disk space that the job may use, for example 50G [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    disk_limit: Option<u64>,
    /// Begin levels that are not expected to fit on the disk: a limit that is met in the middle stops the job safely
    #[arg(long)]
    force: bool,
    /// Time between checkpoints inside a level
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = parse_duration)]
    checkpoint_every: Duration,
    /// Directory for runs of candidates [default: inside the job]
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// Directory, on another disk, for level sets of finished levels; links to them stay in the job
    #[arg(long, value_name = "DIR", conflicts_with = "keep")]
    archive: Option<PathBuf>,
    /// Which level sets stay on disk
    #[arg(long, value_enum, default_value_t = Keep::All)]
    keep: Keep,
    /// How candidates are gathered [default: the cheaper way, chosen for each level]
    #[arg(long, value_enum)]
    container: Option<ContainerKind>,
    /// How a level is found [default: the cheaper way, chosen for each level]
    #[arg(long, value_enum)]
    direction: Option<Way>,
    /// Time between two lines of progress where there is no terminal
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = parse_duration)]
    progress_every: Duration,
    #[command(flatten)]
    listeners: ListenerArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl EngineArgs {
    pub(super) fn options(&self) -> Options {
        Options {
            memory: self.resources.memory,
            threads: self.resources.threads(),
            max_level: self.max_level,
            disk_limit: self.disk_limit,
            force: self.force,
            checkpoint_every: self.checkpoint_every,
            scratch: self.scratch.clone(),
            archive: self.archive.clone(),
            keep: self.keep,
            container: self.container,
            way: self.direction,
            ..Options::default()
        }
    }
}

pub fn main(arguments: EnumerateArgs) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    let dir = arguments.dir.unwrap_or_else(|| default_dir(&*puzzle));
    if arguments.fresh {
        // Nothing is deleted for a job that could not start.
        arguments.engine.options().budget()?;
        confirm::before_deleting(&dir, "--fresh", "", arguments.yes)?;
        Job::discard(&dir, &Disk::new(None, 0))?;
    }
    match arguments.cluster.is_given() {
        true => arguments.cluster.walk(&*puzzle, &dir, &arguments.engine),
        false => walk(&*puzzle, &dir, &arguments.engine, None),
    }
}

#[cfg(feature = "cluster")]
impl EngineArgs {
    /// What one of `count` processes on this machine may use, and as arguments of the command.
    pub(super) fn share(&self, count: usize) -> Result<(Options, Vec<OsString>)> {
        let count = count.max(1) as u64;
        let given = self.options();
        let memory = given.memory.unwrap_or(default_memory() / count);
        let threads = given.threads.unwrap_or((cores() / count as usize).max(1));
        let disk_limit = given.disk_limit.map(|limit| limit / count);
        let mut arguments: Vec<OsString> = vec![
            format!("--memory={memory}").into(),
            format!("--threads={threads}").into(),
            format!("--checkpoint-every={}ms", given.checkpoint_every.as_millis()).into(),
            "--quiet".into(),
        ];
        arguments.extend(disk_limit.map(|limit| format!("--disk-limit={limit}").into()));
        for (option, value) in [
            ("--container", self.container.and_then(|kind| kind.to_possible_value())),
            ("--keep", self.keep.to_possible_value()),
        ] {
            arguments.extend(value.map(|value| format!("{option}={}", value.get_name()).into()));
        }
        if let Some(scratch) = &given.scratch {
            arguments.extend(["--scratch".into(), scratch.into()]);
        }
        Ok((Options { memory: Some(memory), threads: Some(threads), disk_limit, ..given }, arguments))
    }
}

/// Runs a job and shows how it ended.
pub(super) fn walk(
    puzzle: &dyn Rules,
    dir: &Path,
    arguments: &EngineArgs,
    from_level: Option<u32>,
) -> Result<()> {
    let options = Options { from_level, ..arguments.options() };
    if let Some(warning) = puzzle.warning() {
        output::warn(&warning);
    }
    let events = Events::new(&arguments.listeners, puzzle, dir)?;
    let display = Display::new(arguments.output.quiet, arguments.progress_every);
    let stop = listen_for_signals();
    events.started();
    let listener = Listener { display: &display, events: &events };
    let outcome = enumerate(puzzle, dir, &options, Control { stop: &stop, observer: &listener });
    display.clear();
    events.ended(&outcome);
    output::print(&summary::show(puzzle, dir, &outcome?, arguments.output.json))
}

/// Does long work with progress on standard error; signals stop it.
pub fn observed<T>(quiet: bool, work: impl FnOnce(Control<'_>) -> Result<T>) -> Result<T> {
    let display = Display::new(quiet, PLAIN_EVERY);
    let stop = listen_for_signals();
    let result = work(Control { stop: &stop, observer: &display });
    display.clear();
    result
}

//! `godnum enumerate`: run a job, or go on with it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::display::Display;
use super::means::Means;
use super::{listen_for_signals, output, summary};
use crate::engine::{ContainerKind, Control, Job, Keep, Options};
use crate::error::Result;
use crate::puzzle::Puzzle;
use crate::puzzle::{default_dir, enumerate};
use crate::puzzles::registry;
use crate::store::disk::Disk;
use crate::text::{parse_bytes, parse_duration};

/// Enumerate a puzzle: all levels, counted and checked. Goes on where it was stopped.
#[derive(clap::Args)]
pub struct Arguments {
    /// The puzzle, for example wrapslide:6x6:2 (see `godnum puzzles`)
    puzzle: String,
    /// The job directory [default: runs/<puzzle with dashes>]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Delete the job that is in the directory and start again
    #[arg(long)]
    fresh: bool,
    #[command(flatten)]
    engine: EngineArguments,
}

/// What may change from one run of a job to the next.
#[derive(clap::Args)]
pub struct EngineArguments {
    #[command(flatten)]
    means: Means,
    /// Stop after this level; a later run can go further
    #[arg(long, value_name = "L")]
    max_level: Option<u32>,
    /// Disk space that the job may use, for example 50G [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    disk_limit: Option<u64>,
    /// Time between checkpoints inside a level
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = parse_duration)]
    checkpoint_every: Duration,
    /// Directory for runs of candidates [default: inside the job]
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// Which level sets stay on disk
    #[arg(long, value_enum, default_value_t = Keep::All)]
    keep: Keep,
    /// How candidates are kept [default: whichever pays]
    #[arg(long, value_enum)]
    container: Option<ContainerKind>,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl EngineArguments {
    fn options(&self) -> Options {
        Options {
            memory: self.means.memory,
            threads: self.means.threads(),
            max_level: self.max_level,
            disk_limit: self.disk_limit,
            checkpoint_every: self.checkpoint_every,
            scratch: self.scratch.clone(),
            keep: self.keep,
            container: self.container,
            ..Options::default()
        }
    }
}

pub fn main(arguments: Arguments) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    let dir = arguments.dir.unwrap_or_else(|| default_dir(&*puzzle));
    if arguments.fresh {
        // Nothing is deleted for a job that could not start.
        arguments.engine.options().budget()?;
        Job::discard(&dir, &Disk::new(None, 0))?;
    }
    walk(&*puzzle, &dir, &arguments.engine, None)
}

/// Runs a job and shows how it ended.
pub fn walk(
    puzzle: &dyn Puzzle,
    dir: &Path,
    arguments: &EngineArguments,
    from_level: Option<u32>,
) -> Result<()> {
    let options = Options {
        from_level,
        ..arguments.options()
    };
    if let Some(warning) = puzzle.warning() {
        output::warn(&warning);
    }
    let outcome = observed(arguments.quiet, |control| {
        enumerate(puzzle, dir, &options, control)
    })?;
    output::print(&if arguments.json {
        summary::json(puzzle, dir, &outcome)
    } else {
        summary::text(puzzle, dir, &outcome)
    })
}

/// Does long work with progress on standard error and an ear for signals.
pub fn observed<T>(quiet: bool, work: impl FnOnce(Control<'_>) -> Result<T>) -> Result<T> {
    let display = Display::new(quiet);
    let stop = listen_for_signals();
    let result = work(Control {
        stop: &stop,
        observer: &display,
    });
    display.clear();
    result
}

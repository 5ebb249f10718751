//! `godnum enumerate`: run a job, or go on with it.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::display::Display;
use super::{listen_for_signals, output};
use crate::bfs::{self, ContainerKind, Control, End, Job, Keep, Options, Outcome, default_dir};
use crate::error::Result;
use crate::puzzle::{Puzzle, registry};
use crate::report::{self, Format, count, duration, parse_bytes, parse_duration, quoted};

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
    /// Memory to use, for example 16G [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<u64>,
    /// Threads to use [default: one for every core, as far as memory is enough for]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
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
    quiet: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl EngineArguments {
    fn options(&self) -> Options {
        Options {
            memory: self.memory,
            threads: self.threads.map(usize::from),
            max_level: self.max_level,
            disk_limit: self.disk_limit,
            checkpoint_every: self.checkpoint_every,
            scratch: self.scratch.clone(),
            keep: self.keep,
            container: self.container,
            from_level: None,
        }
    }
}

pub fn main(arguments: Arguments) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    let dir = arguments.dir.unwrap_or_else(|| default_dir(&*puzzle));
    if arguments.fresh {
        // Nothing is deleted for a job that could not start.
        arguments.engine.options().budget()?;
        Job::discard(&dir)?;
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
    let outcome = observed(arguments.quiet, |control| {
        bfs::enumerate(puzzle, dir, &options, control)
    })?;
    output::print(&if arguments.json {
        json(puzzle, dir, &outcome)
    } else {
        summary(puzzle, dir, &outcome)
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

/// The level table and one sentence.
pub fn summary(puzzle: &dyn Puzzle, dir: &Path, outcome: &Outcome) -> String {
    let manifest = &outcome.manifest;
    let mut text = report::levels_table(&manifest.levels, Format::Table);
    let Some(last) = manifest.levels.last() else {
        return text;
    };
    let time = duration(Duration::from_millis(manifest.millis()));
    let (name, metric, order) = (puzzle.text(), puzzle.metric(), puzzle.group_order());
    let _ = match outcome.end {
        End::Finished => writeln!(
            text,
            "\nGod's number of {name} is {} in the {metric} metric: under a symmetry group of \
             order {order}, {} {} at distance {}; {} states in all{}; {time}.",
            last.level,
            plural(last.classes, "class", "classes"),
            format_args!("({})", plural(last.states, "state", "states")),
            last.level,
            count(manifest.states()),
            match puzzle.total_states() {
                Some(_) => ", as the formula says",
                None => "",
            },
        ),
        End::AtMaxLevel => writeln!(
            text,
            "\n{name} is enumerated up to level {} in the {metric} metric, under a symmetry group \
             of order {order}: {} in {}; {time}. Go on with `godnum resume {}`.",
            last.level,
            plural(manifest.states(), "state", "states"),
            plural(manifest.classes(), "class", "classes"),
            quoted(dir),
        ),
    };
    text
}

fn plural(number: u128, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// The same as JSON.
pub fn json(puzzle: &dyn Puzzle, dir: &Path, outcome: &Outcome) -> String {
    let manifest = &outcome.manifest;
    let levels = report::levels_table(&manifest.levels, Format::Json);
    let levels: serde_json::Value = serde_json::from_str(&levels).unwrap_or_default();
    let finished = outcome.end == End::Finished;
    let last = manifest.levels.last().map(|record| record.level);
    let value = serde_json::json!({
        "puzzle": puzzle.text(),
        "metric": puzzle.metric(),
        "group_order": puzzle.group_order(),
        "finished": finished,
        "gods_number": last.filter(|_| finished),
        "classes": manifest.classes().to_string(),
        "states": manifest.states().to_string(),
        "seconds": manifest.millis() as f64 / 1000.0,
        "dir": dir.display().to_string(),
        "levels": levels,
    });
    let mut text = serde_json::to_string_pretty(&value).unwrap_or_default();
    text.push('\n');
    text
}

//! `godnum levels`: the level table of a job.

use std::ffi::OsString;

use super::{explain, find, output};
use crate::error::{Result, usage};
use crate::puzzles::registry;
use crate::report::{LevelFormat, LevelTable};

/// Print the level table of a job.
#[derive(clap::Args)]
pub struct LevelsArgs {
    /// A puzzle whose job is in runs/ or in the cache, or a job directory
    #[arg(value_name = "PUZZLE|DIR")]
    target: OsString,
    /// The format
    #[arg(long, value_enum, default_value_t = LevelFormat::Table)]
    format: LevelFormat,
    /// With --format bfile: the numbers of classes instead of states
    #[arg(long)]
    classes: bool,
}

pub fn main(arguments: LevelsArgs) -> Result<()> {
    if arguments.classes && arguments.format != LevelFormat::Bfile {
        return usage("--classes is for `--format bfile`: other formats have classes and states");
    }
    let job = find::job(&arguments.target)?;
    let manifest = job.manifest()?;
    // The file that a puzzle is read from may be gone or changed: the levels are there.
    let puzzle = registry::of_job(&job);
    if let Err(error) = &puzzle {
        output::warn(&explain(error));
    }
    let total = puzzle.as_ref().ok().and_then(|puzzle| puzzle.totals().states);
    let table = LevelTable { levels: &manifest.levels, total, finished: manifest.finished };
    output::print(&match arguments.format {
        LevelFormat::Json => {
            let mut value = table.json();
            value["puzzle"] = job.description.puzzle.clone().into();
            output::json("levels", value)
        }
        LevelFormat::Bfile => table.bfile(arguments.classes),
        format => table.text(format),
    })?;
    if !manifest.finished {
        output::remark("(the job is not finished: there may be further levels)");
    }
    Ok(())
}

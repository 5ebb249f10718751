//! `godnum compare`: whether two jobs or level tables are the same.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use super::{find, output};
use crate::engine::{Job, LevelCount, LevelRecord, Manifest};
use crate::error::{Result, usage};
use crate::report::plot::{self, Data};
use crate::report::{Compared, ComparedJob, Comparison};
use crate::store::disk::is_dir;
use crate::text::shell_quote;

/// Compare two jobs or level tables: are they the same, and where do they part?
///
/// Two jobs of the same puzzle are compared by the digests of their level sets, too. The exit code is 0 if they are the
/// same as far as an unfinished one goes, and 4 if they are not.
#[derive(clap::Args)]
pub struct CompareArgs {
    /// A puzzle whose job is in runs/ or in the cache, a job directory, or a level table in CSV
    #[arg(value_name = "PUZZLE|DIR|CSV")]
    first: OsString,
    /// What it is compared with
    #[arg(value_name = "PUZZLE|DIR|CSV")]
    second: OsString,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub fn main(arguments: CompareArgs) -> Result<u8> {
    let (a, b) = (read(&arguments.first)?, read(&arguments.second)?);
    let comparison = Comparison::of(&a, &b);
    output::print(&match arguments.json {
        true => output::json("comparison", comparison.json(&a, &b)),
        false => format!("{}\n", comparison.sentences.join("; ")),
    })?;
    Ok(if comparison.same { 0 } else { 4 })
}

fn read(target: &OsStr) -> Result<Compared> {
    let path = Path::new(target);
    if !is_dir(path)? && path.extension().is_some_and(|extension| extension == "csv") {
        let series = plot::read_file(path)?;
        return match series.data {
            Data::Levels { levels, unfinished } => {
                Ok(Compared { name: shell_quote(path), levels, unfinished, job: None })
            }
            Data::Sample(_) => usage(format!("{} is a sample, not a table of levels", shell_quote(path))),
        };
    }
    let job = find::job(target)?;
    Ok(of_job(&job, job.manifest()?))
}

fn of_job(job: &Job, manifest: Manifest) -> Compared {
    let count = |record: &LevelRecord| LevelCount { classes: record.classes, states: record.states };
    Compared {
        name: shell_quote(job.dir()),
        levels: manifest.levels.iter().map(count).collect(),
        unfinished: !manifest.finished,
        job: Some(ComparedJob::of(job, &manifest)),
    }
}

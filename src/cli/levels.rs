//! `godnum levels`: the level table of a job.

use std::ffi::OsString;

use super::{find, output};
use crate::error::Result;
use crate::report::{LevelFormat, levels_table};

/// Print the level table of a job.
#[derive(clap::Args)]
pub struct LevelsArgs {
    /// A puzzle whose job is in runs/ or in the cache, or a job directory
    #[arg(value_name = "PUZZLE|DIR")]
    target: OsString,
    /// The format
    #[arg(long, value_enum, default_value_t = LevelFormat::Table)]
    format: LevelFormat,
}

pub fn main(arguments: LevelsArgs) -> Result<()> {
    let manifest = find::job(&arguments.target)?.manifest()?;
    output::print(&levels_table(&manifest.levels, arguments.format))?;
    if !manifest.finished {
        output::remark("(the job is not finished: there may be further levels)");
    }
    Ok(())
}

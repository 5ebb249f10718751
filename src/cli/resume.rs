//! `godnum resume`: resume the job in a directory.

use std::ffi::OsString;

use super::enumerate::{EngineArgs, observed, walk};
use super::{confirm, find, output};
use crate::engine::{Job, salvage};
use crate::error::Result;
use crate::puzzle::subject;
use crate::puzzles::registry;

/// Resume a job; of a finished one, print the result.
#[derive(clap::Args)]
pub struct ResumeArgs {
    /// A puzzle whose job is in runs/ or in the cache, or a job directory
    #[arg(value_name = "PUZZLE|DIR")]
    target: OsString,
    /// Discard everything after this level first, for example after damage. A lost manifest.json or
    /// job.json is rebuilt from the level sets up to this level
    #[arg(long, value_name = "L")]
    from_level: Option<u32>,
    /// With --from-level: delete without asking
    #[arg(long, short, requires = "from_level")]
    yes: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

pub fn main(arguments: ResumeArgs) -> Result<()> {
    let dir = find::dir(&arguments.target)?;
    if let Some(level) = arguments.from_level {
        let what = format!("the levels after level {level} of ");
        confirm::before_deleting(&dir, "--from-level", &what, arguments.yes)?;
        let rebuilt = observed(arguments.engine.output.quiet, |control| {
            let puzzle = registry::parse(&salvage::text(&dir)?)?;
            salvage::rebuild(&subject(&*puzzle)?, &dir, level, control)
        })?;
        rebuilt.iter().for_each(|sentence| output::warn(sentence));
    }
    let job = Job::open(&dir)?;
    let puzzle = registry::of_job(&job)?;
    walk(&*puzzle, &dir, &arguments.engine, arguments.from_level)
}

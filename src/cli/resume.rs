//! `godnum resume`: resume the job in a directory.

use std::path::PathBuf;

use super::enumerate::{EngineArgs, observed, walk};
use super::output;
use crate::engine::{Job, salvage};
use crate::error::Result;
use crate::puzzle::subject;
use crate::puzzles::registry;

/// Resume the job in a directory; of a finished one, print the result.
#[derive(clap::Args)]
pub struct ResumeArgs {
    /// The job directory
    dir: PathBuf,
    /// Discard everything after this level first, for example after damage. A lost manifest.json or
    /// job.json is rebuilt from the level sets up to this level
    #[arg(long, value_name = "L")]
    from_level: Option<u32>,
    #[command(flatten)]
    engine: EngineArgs,
}

pub fn main(arguments: ResumeArgs) -> Result<()> {
    if let Some(level) = arguments.from_level {
        let rebuilt = observed(arguments.engine.output.quiet, |control| {
            let puzzle = registry::parse(&salvage::text(&arguments.dir)?)?;
            salvage::rebuild(&subject(&*puzzle)?, &arguments.dir, level, control)
        })?;
        rebuilt.iter().for_each(|sentence| output::warn(sentence));
    }
    let job = Job::open(&arguments.dir)?;
    let puzzle = registry::of_job(&job)?;
    walk(&*puzzle, &arguments.dir, &arguments.engine, arguments.from_level)
}

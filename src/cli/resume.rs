//! `godnum resume`: go on with the job in a directory.

use std::path::PathBuf;

use super::enumerate::{EngineArguments, observed, walk};
use super::output;
use crate::engine::{Job, salvage};
use crate::error::Result;
use crate::puzzle::subject;
use crate::puzzles::registry;

/// Go on with the job in a directory; a finished one is shown.
#[derive(clap::Args)]
pub struct Arguments {
    /// The job directory
    dir: PathBuf,
    /// Forget everything after this level first, after damage for example. A manifest.json or
    /// job.json that is lost is made again out of the level sets up to this level
    #[arg(long, value_name = "L")]
    from_level: Option<u32>,
    #[command(flatten)]
    engine: EngineArguments,
}

pub fn main(arguments: Arguments) -> Result<()> {
    if let Some(level) = arguments.from_level {
        let rebuilt = observed(arguments.engine.quiet, |control| {
            let puzzle = registry::parse(&salvage::text(&arguments.dir)?)?;
            salvage::rebuild(&subject(&*puzzle)?, &arguments.dir, level, control)
        })?;
        rebuilt.iter().for_each(|sentence| output::warn(sentence));
    }
    let job = Job::open(&arguments.dir)?;
    let puzzle = registry::of_job(&job)?;
    walk(
        &*puzzle,
        &arguments.dir,
        &arguments.engine,
        arguments.from_level,
    )
}

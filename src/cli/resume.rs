//! `godnum resume`: go on with the job in a directory.

use std::path::PathBuf;

use super::enumerate::{EngineArguments, walk};
use crate::bfs::Job;
use crate::error::Result;

/// Go on with the job in a directory; a finished one is shown.
#[derive(clap::Args)]
pub struct Arguments {
    /// The job directory
    dir: PathBuf,
    /// Forget everything after this level first (after damage, for example)
    #[arg(long, value_name = "L")]
    from_level: Option<u32>,
    #[command(flatten)]
    engine: EngineArguments,
}

pub fn main(arguments: Arguments) -> Result<()> {
    let job = Job::open(&arguments.dir)?;
    let puzzle = job.puzzle()?;
    walk(
        &*puzzle,
        &arguments.dir,
        &arguments.engine,
        arguments.from_level,
    )
}

//! `godnum gather`: bring the parts of a job of several processes together.

use std::path::PathBuf;

use super::enumerate::observed;
use super::output;
use super::resource_args::ResourceArgs;
use crate::engine::{Job, Options, parts};
use crate::error::Result;
use crate::puzzle::subject;
use crate::puzzles::registry;
use crate::text::{pluralise, shell_quote};

/// Bring the parts of a job that several processes computed together, into a job of one machine.
#[derive(clap::Args)]
pub struct GatherArgs {
    /// The job directory, with all parts in it
    dir: PathBuf,
    #[command(flatten)]
    resources: ResourceArgs,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

pub fn main(arguments: GatherArgs) -> Result<()> {
    let dir = &arguments.dir;
    let puzzle = registry::of_job(&Job::open(dir)?)?;
    let options = Options {
        memory: arguments.resources.memory,
        threads: arguments.resources.threads(),
        ..Options::default()
    };
    let gathered =
        observed(arguments.quiet, |control| parts::gather(&subject(&*puzzle)?, dir, &options, control))?;
    output::print(&match gathered {
        0 => format!("The job in {} is not divided.\n", shell_quote(dir)),
        _ => format!(
            "{} of {} are together: the job in {} is one of this machine.\n",
            pluralise(gathered, "level"),
            puzzle.text(),
            shell_quote(dir)
        ),
    })
}

//! `godnum run`: an experiment.

use std::path::PathBuf;

use super::enumerate::{json, observed, summary};
use super::output;
use crate::error::Result;
use crate::experiment::Experiment;

/// Run an experiment: a job with its budget, and the file its levels go to.
#[derive(clap::Args)]
pub struct Arguments {
    /// The experiment, for example experiments/wrapslide-6x6-2.toml
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub fn main(arguments: Arguments) -> Result<()> {
    let experiment = Experiment::read(&arguments.file)?;
    let outcome = observed(arguments.quiet, |control| experiment.run(control))?;
    if arguments.json {
        return output::print(&json(&*experiment.puzzle, &experiment.dir, &outcome));
    }
    let mut text = summary(&*experiment.puzzle, &experiment.dir, &outcome);
    text += &format!("Levels written to {}.\n", experiment.result.display());
    output::print(&text)
}

//! `godnum run`: an experiment.

use std::path::PathBuf;

use super::count::sentence;
use super::enumerate::observed;
use super::{output, sample, summary};
use crate::error::Result;
use crate::study::experiment::{Experiment, ExperimentOutcome, ExperimentTask};

/// Run an experiment: jobs with their budget, and the files their results go to.
#[derive(clap::Args)]
pub struct RunArgs {
    /// The experiment, for example experiments/wrapslide-6x6-2.toml
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    /// Print the results as JSON, one document for each
    #[arg(long)]
    json: bool,
}

pub fn main(arguments: RunArgs) -> Result<()> {
    let experiments = Experiment::read(&arguments.file)?;
    for experiment in &experiments {
        let done = observed(arguments.quiet, |control| experiment.run(control))?;
        let mut text = show(&experiment.task, &done, arguments.json);
        if !arguments.json {
            text += &format!("Written to {}.\n", experiment.result.display());
        }
        output::print(&text)?;
    }
    Ok(())
}

fn show(task: &ExperimentTask, done: &ExperimentOutcome, json: bool) -> String {
    match (task, done) {
        (ExperimentTask::Enumerate { puzzle, dir, .. }, ExperimentOutcome::Enumerated(outcome)) => {
            summary::show(&**puzzle, dir, outcome, json)
        }
        (ExperimentTask::Count { puzzle, .. }, ExperimentOutcome::Counted(counted)) => {
            sentence(&**puzzle, counted, json)
        }
        (ExperimentTask::Sample(sampling), ExperimentOutcome::Sampled(sampled)) => {
            sample::show(&*sampling.puzzle, sampling.seed, sampled, json)
        }
        (_, ExperimentOutcome::Surveyed(table)) => {
            if json {
                output::json("table", serde_json::json!({ "rows": table.json() }))
            } else {
                table.aligned()
            }
        }
        // Each task has its own way of being done.
        _ => String::new(),
    }
}

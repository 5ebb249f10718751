//! `godnum run`: an experiment.

use std::path::PathBuf;

use super::count::sentence;
use super::enumerate::observed;
use super::{output, sample, summary};
use crate::error::Result;
use crate::study::experiment::{Done, Experiment, Task};

/// Run an experiment: jobs with their budget, and the files their results go to.
#[derive(clap::Args)]
pub struct Arguments {
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

pub fn main(arguments: Arguments) -> Result<()> {
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

fn show(task: &Task, done: &Done, json: bool) -> String {
    match (task, done) {
        (Task::Enumerate { puzzle, dir, .. }, Done::Enumerated(outcome)) => match json {
            true => summary::json(&**puzzle, dir, outcome),
            false => summary::text(&**puzzle, dir, outcome),
        },
        (Task::Count { puzzle, .. }, Done::Counted(counted)) => sentence(&**puzzle, counted, json),
        (Task::Sample(sampling), Done::Sampled(sampled)) => {
            let (puzzle, seed) = (&*sampling.puzzle, sampling.seed);
            match json {
                true => sample::json(puzzle, seed, sampled),
                false => sample::text(puzzle, seed, sampled),
            }
        }
        (_, Done::Surveyed(table)) => match json {
            true => table.json(),
            false => table.aligned(),
        },
        // Each task has its own way of being done.
        _ => String::new(),
    }
}

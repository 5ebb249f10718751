//! `godnum bench`: a fixed set of complete jobs, timed.

use std::path::PathBuf;

use super::enumerate::observed;
use super::output;
use super::resource_args::{OutputArgs, ResourceArgs};
use crate::engine::Options;
use crate::error::Result;
use crate::study::bench::{Bench, Measured, Timed};
use crate::text::{TextTable, count};

/// Time a fixed set of complete jobs, and check a signature over all their levels.
#[derive(clap::Args)]
pub struct BenchArgs {
    /// Leave out jobs of more than about a second
    #[arg(long)]
    quick: bool,
    /// How often each job is run; the best time counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// A directory on the disk to use; the jobs in it are deleted [default: the system's directory for temporary files]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    #[command(flatten)]
    resources: ResourceArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn main(arguments: BenchArgs) -> Result<()> {
    let bench = Bench {
        quick: arguments.quick,
        repeat: arguments.repeat,
        dir: arguments.dir.unwrap_or_else(std::env::temp_dir),
        options: Options {
            memory: arguments.resources.memory,
            threads: arguments.resources.threads(),
            ..Options::default()
        },
    };
    let measured = observed(arguments.output.quiet, |control| bench.run(control))?;
    output::print(&if arguments.output.json { json(&measured) } else { text(&measured) })?;
    measured.check()
}

fn text(measured: &Measured) -> String {
    let row = |job: &Timed| {
        vec![
            job.puzzle.clone(),
            job.levels.to_string(),
            count(job.classes),
            count(job.states),
            format!("{:.3}", job.best.as_secs_f64()),
            count(job.per_second(job.states) as u128),
            count(job.per_second(job.classes) as u128),
        ]
    };
    let table = TextTable {
        heading: &["puzzle", "levels", "classes", "states", "seconds", "states/s", "classes/s"],
        rows: measured.jobs.iter().map(row).collect(),
    };
    format!("{}\nsignature {:016x}\n", table.aligned(), measured.signature)
}

fn json(measured: &Measured) -> String {
    let job = |job: &Timed| {
        serde_json::json!({
            "puzzle": job.puzzle,
            "levels": job.levels,
            "classes": job.classes.to_string(),
            "states": job.states.to_string(),
            "seconds": job.best.as_secs_f64(),
            "states_per_second": job.per_second(job.states),
            "classes_per_second": job.per_second(job.classes),
        })
    };
    let value = serde_json::json!({
        "jobs": measured.jobs.iter().map(job).collect::<Vec<_>>(),
        "signature": format!("{:016x}", measured.signature),
        "expected": format!("{:016x}", measured.expected),
    });
    output::json("bench", value)
}

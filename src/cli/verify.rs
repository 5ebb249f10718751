//! `godnum verify`: check a job by other means than those that made it.

use std::path::PathBuf;
use std::time::Instant;

use super::enumerate::observed;
use super::output;
use crate::engine::budget::default_memory;
use crate::engine::salvage;
use crate::engine::verify::{Extent, verify};
use crate::error::Result;
use crate::puzzle::subject;
use crate::puzzles::registry;
use crate::study::{count, sample};
use crate::text;
use crate::text::{duration, parse_bytes, plural};

/// Check a job: checksums, order, counts, and that distances are right. A count and a sample are
/// checked, too.
#[derive(clap::Args)]
pub struct Arguments {
    /// The job directory
    dir: PathBuf,
    /// Check the neighbours of about N classes of each level; 0 checks files and sums only
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    sample: u64,
    /// Which classes a sample takes
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Check the neighbours of every class
    #[arg(long, conflicts_with = "sample")]
    full: bool,
    /// Memory to use [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<u64>,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

pub fn main(arguments: Arguments) -> Result<()> {
    if let Some(progress) = count::check(&arguments.dir)? {
        return output::print(&format!(
            "{}: the count of {} is sound: {} of {} parts are done\nnot checked: whether each part was \
             counted right; counting again with `godnum count --fresh` would tell\n",
            arguments.dir.display(),
            progress.puzzle,
            progress.done,
            progress.parts
        ));
    }
    if let Some(checked) = sample::check(&arguments.dir)? {
        let mut text = format!(
            "{}: the sample of {} is sound: {}, replayed by the rules\n",
            arguments.dir.display(),
            checked.about,
            plural(checked.rows.into(), "row", "rows"),
        );
        for sentence in &checked.left_out {
            text += &format!("not checked: {sentence}\n");
        }
        return output::print(&text);
    }
    let start = Instant::now();
    let extent = match (arguments.full, arguments.sample) {
        (true, _) => Extent::Full,
        (false, 0) => Extent::Files,
        (false, sample) => Extent::Sample(sample, arguments.seed),
    };
    let memory = arguments.memory.unwrap_or_else(default_memory);
    let puzzle = registry::parse(&salvage::text(&arguments.dir)?)?;
    let findings = observed(arguments.quiet, |control| {
        verify(
            &subject(&*puzzle)?,
            &arguments.dir,
            extent,
            memory,
            control.stop,
            control.observer,
        )
    })?;
    let mut text = format!(
        "{}: {} level sets are sound",
        arguments.dir.display(),
        findings.levels
    );
    if extent != Extent::Files {
        text += &format!(
            "; {} of {} classes {} checked, and their {} neighbours are where they must be",
            if extent == Extent::Full {
                "all"
            } else {
                "a sample"
            },
            text::count(findings.classes),
            if extent == Extent::Full {
                "were"
            } else {
                "was"
            },
            text::count(findings.neighbours)
        );
    }
    if let Some(rest) = findings.rest {
        text += &format!(
            "; {} ({}) were not reached, and none of them has a neighbour that was",
            plural(rest.classes, "class", "classes"),
            plural(rest.states, "state", "states")
        );
    }
    text += &format!(" ({})\n", duration(start.elapsed()));
    for sentence in &findings.left_out {
        text += &format!("not checked: {sentence}\n");
    }
    output::print(&text)
}

//! `godnum count`: how many solutions a puzzle has.

use std::path::PathBuf;

use super::enumerate::observed;
use super::means::Means;
use super::output;
use crate::error::Result;
use crate::puzzle::Puzzle;
use crate::puzzles::registry;
use crate::study::count::{self, Counted, Options};
use crate::text::{duration, plural};

/// Count the solutions of a puzzle exactly. Goes on where it was stopped.
#[derive(clap::Args)]
pub struct Arguments {
    /// The puzzle, for example triangles:sample
    puzzle: String,
    /// Where what is done is kept [default: runs/<puzzle with dashes>-count]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Forget what is done and start again
    #[arg(long)]
    fresh: bool,
    #[command(flatten)]
    means: Means,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub fn main(arguments: Arguments) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    let dir = arguments
        .dir
        .unwrap_or_else(|| count::default_dir(&*puzzle));
    if arguments.fresh {
        count::discard(&dir)?;
    }
    let options = Options {
        memory: arguments.means.memory,
        threads: arguments.means.threads(),
        ..Options::default()
    };
    let counted = observed(arguments.quiet, |control| {
        count::count(&*puzzle, &dir, &options, control)
    })?;
    output::print(&sentence(&*puzzle, &counted, arguments.json))
}

/// What a count came to, as a sentence or as JSON.
pub fn sentence(puzzle: &dyn Puzzle, counted: &Counted, json: bool) -> String {
    if json {
        let value = serde_json::json!({
            "puzzle": puzzle.text(),
            "solutions": counted.solutions.to_string(),
            "parts": counted.parts,
            "seconds": counted.time.as_secs_f64(),
        });
        return serde_json::to_string_pretty(&value).unwrap_or_default() + "\n";
    }
    format!(
        "{} has {}, counted in {}; {}.\n",
        puzzle.text(),
        plural(counted.solutions, "solution", "solutions"),
        plural(counted.parts as u128, "part", "parts"),
        duration(counted.time),
    )
}

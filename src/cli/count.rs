//! `godnum count`: how many solutions a puzzle has.

use std::path::PathBuf;

use super::enumerate::observed;
use super::puzzle_text::PuzzleText;
use super::resource_args::{OutputArgs, ResourceArgs};
use super::{confirm, output};
use crate::error::Result;
use crate::puzzle::Rules;
use crate::puzzles::registry;
use crate::study::StudyOptions;
use crate::study::count::{self, Counted};
use crate::text::{duration, pluralise};

/// Count the solutions of a puzzle exactly. Resumes where it was stopped.
#[derive(clap::Args)]
pub struct CountArgs {
    /// The puzzle, for example triangles:sample
    #[arg(value_parser = PuzzleText, hide_possible_values = true)]
    puzzle: String,
    /// The directory for the work done so far [default: runs/<puzzle with dashes>-count]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Discard the work done so far and start again
    #[arg(long)]
    fresh: bool,
    /// With --fresh: delete without asking
    #[arg(long, short, requires = "fresh")]
    yes: bool,
    #[command(flatten)]
    resources: ResourceArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn main(arguments: CountArgs) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    let dir = arguments.dir.unwrap_or_else(|| count::default_dir(&*puzzle));
    if arguments.fresh {
        confirm::before_deleting(&dir, "--fresh", "", arguments.yes)?;
        count::discard(&dir)?;
    }
    let options = StudyOptions::within(arguments.resources.memory, arguments.resources.threads());
    let counted =
        observed(arguments.output.quiet, |control| count::count(&*puzzle, &dir, &options, control))?;
    output::print(&sentence(&*puzzle, &counted, arguments.output.json))
}

/// What a count came to, as a sentence or as JSON.
pub fn sentence(puzzle: &dyn Rules, counted: &Counted, json: bool) -> String {
    if json {
        let value = serde_json::json!({
            "puzzle": puzzle.text(),
            "solutions": counted.solutions.to_string(),
            "parts": counted.parts,
            "seconds": counted.time.as_secs_f64(),
        });
        return output::json("solution-count", value);
    }
    format!(
        "{} has {}, counted in {}; {}.\n",
        puzzle.text(),
        pluralise(counted.solutions, "solution"),
        pluralise(counted.parts, "part"),
        duration(counted.time),
    )
}

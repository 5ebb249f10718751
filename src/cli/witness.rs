//! `godnum witness`: a lower bound with a certificate.

use std::path::PathBuf;

use super::enumerate::observed;
use super::output;
use super::puzzle_text::PuzzleText;
use super::resource_args::{OutputArgs, ResourceArgs};
use crate::error::Result;
use crate::puzzles::registry;
use crate::study::StudyOptions;
use crate::study::witness::{self, WitnessPlan, WitnessRecord};
use crate::text::{pluralise, shell_quote};

/// Show that a state needs at least K moves, with a certificate that `verify` checks: everything around it is
/// looked up in the first levels of the puzzle's job.
#[derive(clap::Args)]
pub struct WitnessArgs {
    /// The puzzle, for example wrapslide:4x4:4
    #[arg(value_parser = PuzzleText, hide_possible_values = true)]
    puzzle: String,
    /// The state, in the puzzle's notation
    state: String,
    /// The bound that is to be shown
    #[arg(long, value_name = "K")]
    at_least: u32,
    /// The directory of the witness [default: runs/<puzzle with dashes>-at-least-K]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Use no level beyond this one [default: all that the job has]
    #[arg(long, value_name = "L")]
    levels: Option<u32>,
    #[command(flatten)]
    resources: ResourceArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn main(arguments: WitnessArgs) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    let state = puzzle.parse_state(&arguments.state)?;
    let WitnessArgs { at_least, levels, .. } = arguments;
    let plan = WitnessPlan { puzzle: &*puzzle, state: &state, at_least, levels };
    let dir = arguments.dir.unwrap_or_else(|| witness::default_dir(&*puzzle, at_least));
    let options = StudyOptions::within(arguments.resources.memory, arguments.resources.threads());
    let quiet = arguments.output.quiet;
    let record = observed(quiet, |control| witness::witness(&plan, &dir, &options, control))?;
    output::print(&match arguments.output.json {
        true => json(&record),
        false => format!("{}Check it with `godnum verify {}`.\n", text(&record), shell_quote(&dir)),
    })
}

fn text(record: &WitnessRecord) -> String {
    let farthest = record.visited.len().saturating_sub(1) as u32;
    format!(
        "{}: the state {} needs at least {} moves; shown.\nNo class within {} of it is in levels 0 to {}: \
         at these distances there are {} classes.\n",
        record.puzzle,
        record.state,
        record.at_least,
        pluralise(farthest, "move"),
        record.last_level(),
        record.visited.join(", ")
    )
}

fn json(record: &WitnessRecord) -> String {
    let value = serde_json::json!({
        "puzzle": record.puzzle,
        "state": record.state,
        "at_least": record.at_least,
        "last_level": record.last_level(),
        "visited": record.visited,
    });
    output::json("witness", value)
}

//! `godnum hunt`: states that need many moves.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::enumerate::observed;
use super::output;
use super::resource_args::{OutputArgs, ResourceArgs};
use crate::error::Result;
use crate::puzzles::registry;
use crate::study::StudyOptions;
use crate::study::hunt::{self, HuntPlan, HuntRecord};
use crate::text::{TextTable, count, pluralise, shell_quote};

/// Look for states that need at least K moves among symmetric ones; each find gets a certificate that `verify`
/// checks.
#[derive(clap::Args)]
pub struct HuntArgs {
    /// The puzzle, for example wrapslide:4x4:4
    puzzle: String,
    /// How many moves the states must need
    #[arg(long, value_name = "K")]
    at_least: u32,
    /// Test this many boards
    #[arg(long, value_name = "N", default_value_t = 1000)]
    boards: u64,
    /// Stop after this many finds
    #[arg(long, value_name = "N", default_value_t = 1)]
    finds: usize,
    /// Which boards are tested
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The directory of the hunt [default: runs/<puzzle with dashes>-hunt-K]
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

pub fn main(arguments: HuntArgs) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    let HuntArgs { at_least, boards, finds, seed, levels, .. } = arguments;
    let plan = HuntPlan { puzzle: &*puzzle, at_least, boards, finds, seed, levels };
    let dir = arguments.dir.unwrap_or_else(|| hunt::default_dir(&*puzzle, at_least));
    let options = StudyOptions::within(arguments.resources.memory, arguments.resources.threads());
    let quiet = arguments.output.quiet;
    let record = observed(quiet, |control| hunt::hunt(&plan, &dir, &options, control))?;
    output::print(&match arguments.output.json {
        true => json(&record),
        false => text(&record, &dir),
    })
}

fn text(record: &HuntRecord, dir: &Path) -> String {
    let mut text = format!(
        "{}: {} tested; found {} at {} moves or more.\n",
        record.puzzle,
        pluralise(record.boards, "symmetric board"),
        pluralise(record.finds.len(), "state"),
        record.at_least
    );
    let last = record.distances.len().saturating_sub(1);
    let row = |(distance, &boards): (usize, &u64)| {
        let distance = if distance == last { format!("{distance} or more") } else { distance.to_string() };
        vec![distance, count(boards.into())]
    };
    let seen = record.distances.iter().enumerate().filter(|(_, boards)| **boards > 0);
    text += &TextTable { heading: &["distance", "boards"], rows: seen.map(row).collect() }.aligned();
    for (number, find) in (1..).zip(&record.finds) {
        let place = shell_quote(&hunt::witness_dir(dir, number));
        let _ =
            writeln!(text, "{find} needs at least {}; `godnum verify {place}` checks it", record.at_least);
    }
    text
}

fn json(record: &HuntRecord) -> String {
    let value = serde_json::json!({
        "puzzle": record.puzzle,
        "at_least": record.at_least,
        "seed": record.seed,
        "last_level": record.levels.last(),
        "boards": record.boards,
        "distances": record.distances,
        "finds": record.finds,
    });
    output::json("hunt", value)
}

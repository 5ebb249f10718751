//! `godnum prove`: an upper bound with a certificate.

use std::fmt::Write;
use std::path::PathBuf;

use super::enumerate::observed;
use super::puzzle_text::PuzzleText;
use super::resource_args::{OutputArgs, ResourceArgs};
use super::{confirm, output};
use crate::error::Result;
use crate::puzzle::Rules;
use crate::puzzles::registry;
use crate::study::StudyOptions;
use crate::study::prove::record::{LevelSummary, ProofRecord};
use crate::study::prove::{self, LONGEST, LevelEstimate, ProofPlan};
use crate::text::{TextTable, count, duration, pluralise, shell_quote};

/// Prove that every state of a puzzle is solved in at most N moves, with a certificate that `verify`
/// checks. Resumes where it was stopped.
#[derive(clap::Args)]
pub struct ProveArgs {
    /// The puzzle, for example wrapslide:6x6:3
    #[arg(value_parser = PuzzleText, hide_possible_values = true)]
    puzzle: String,
    /// The bound that is to be proven
    #[arg(long, value_name = "N")]
    at_most: u32,
    /// The directory of the proof [default: runs/<puzzle with dashes>-at-most-N]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// How much longer than the shortest the words may be that bring pieces into place first
    #[arg(long, value_name = "M", default_value_t = 3, value_parser = clap::value_parser!(u32).range(..=i64::from(LONGEST)))]
    longer: u32,
    /// Discard the work done so far and start again
    #[arg(long)]
    fresh: bool,
    /// With --fresh: delete without asking
    #[arg(long, short, requires = "fresh")]
    yes: bool,
    /// Only estimate the time, from this many classes of each level
    #[arg(long, value_name = "CLASSES", num_args = 0..=1, default_missing_value = "64", conflicts_with = "fresh")]
    estimate: Option<u64>,
    #[command(flatten)]
    resources: ResourceArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn main(arguments: ProveArgs) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    let plan = ProofPlan { puzzle: &*puzzle, at_most: arguments.at_most, longer: arguments.longer };
    let options = StudyOptions::within(arguments.resources.memory, arguments.resources.threads());
    let quiet = arguments.output.quiet;
    if let Some(sample) = arguments.estimate {
        let levels = observed(quiet, |control| prove::estimate(&plan, sample, 1, &options, control))?;
        return output::print(&estimated(&levels, arguments.output.json));
    }
    let dir = arguments.dir.unwrap_or_else(|| prove::default_dir(&*puzzle, arguments.at_most));
    if arguments.fresh {
        confirm::before_deleting(&dir, "--fresh", "", arguments.yes)?;
        prove::discard(&dir)?;
    }
    let record = observed(quiet, |control| prove::prove(&plan, &dir, &options, control))?;
    output::print(&match arguments.output.json {
        true => json(&record),
        false => format!("{}Check it with `godnum verify {}`.\n", text(&*puzzle, &record), shell_quote(&dir)),
    })
}

/// The columns of a summary; `+2` counts classes that words settle which are up to two moves longer than the
/// shortest.
const HEADING: [&str; 4 + LONGEST as usize] =
    ["distance", "classes", "one by one", "+0", "+1", "+2", "+3", "+4", "+5", "+6", "+7", "+8", "+9"];

/// A proof in words.
fn text(puzzle: &dyn Rules, record: &ProofRecord) -> String {
    let (base, fibre) = (&record.base, &record.fibre);
    let mut text = format!(
        "{}: every state is solved in at most {} moves ({} metric); proven.\n",
        record.puzzle,
        record.at_most,
        puzzle.metric()
    );
    let first = record.first_level();
    if first > base.last() {
        let _ = writeln!(
            text,
            "{} is at most {} and {} at most {}: nothing else was needed.",
            base.puzzle,
            base.last(),
            fibre.puzzle,
            fibre.last()
        );
        return text;
    }
    let _ = writeln!(
        text,
        "First {}, then {}, which takes at most {} moves; classes of the first at distance {first} and more, \
         by how much longer than the shortest the words are that settle all states over them:",
        base.puzzle,
        fibre.puzzle,
        fibre.last()
    );
    text += &table(&record.summary(), record.longer);
    let solved = record.solved();
    if solved > 0 {
        let _ = writeln!(text, "{} solved one by one.", pluralise(solved, "state"));
    }
    text
}

fn table(levels: &[LevelSummary], longer: u32) -> String {
    let row = |level: &LevelSummary| {
        let mut row = vec![level.level.to_string(), count(level.classes)];
        row.extend([level.one_by_one].iter().chain(&level.longer).map(|&classes| count(classes)));
        row
    };
    TextTable {
        heading: &HEADING[..4 + longer.min(LONGEST) as usize],
        rows: levels.iter().map(row).collect(),
    }
    .aligned()
}

fn json(record: &ProofRecord) -> String {
    let level = |level: &LevelSummary| {
        serde_json::json!({
            "distance": level.level,
            "classes": level.classes.to_string(),
            "longer": level.longer.iter().map(u128::to_string).collect::<Vec<_>>(),
            "one_by_one": level.one_by_one.to_string(),
        })
    };
    let value = serde_json::json!({
        "puzzle": record.puzzle,
        "at_most": record.at_most,
        "base": record.base.puzzle,
        "fibre": record.fibre.puzzle,
        "levels": record.summary().iter().map(level).collect::<Vec<_>>(),
        "states_one_by_one": record.solved(),
    });
    output::json("proof", value)
}

fn estimated(levels: &[LevelEstimate], json: bool) -> String {
    let hours: f64 = levels.iter().map(|level| level.time.as_secs_f64()).sum::<f64>() / 3600.0;
    if json {
        let level = |level: &LevelEstimate| {
            serde_json::json!({
                "distance": level.level,
                "classes": level.classes.to_string(),
                "sampled": level.sampled,
                "left": level.left,
                "states_left": level.states_left,
                "core_hours": level.time.as_secs_f64() / 3600.0,
            })
        };
        let value = serde_json::json!({
            "core_hours": hours,
            "levels": levels.iter().map(level).collect::<Vec<_>>(),
        });
        return output::json("proof-estimate", value);
    }
    let row = |level: &LevelEstimate| {
        vec![
            level.level.to_string(),
            count(level.classes),
            level.sampled.to_string(),
            level.left.to_string(),
            level.states_left.to_string(),
            duration(level.time),
        ]
    };
    let heading = &["distance", "classes", "sampled", "not closed", "states left", "core time"];
    let mut text = TextTable { heading, rows: levels.iter().map(row).collect() }.aligned();
    let _ = writeln!(
        text,
        "About {hours:.3} core-hours on this machine, besides the states that are solved one by one."
    );
    text
}

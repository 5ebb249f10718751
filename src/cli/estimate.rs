//! `godnum estimate`: how large a puzzle is, and what enumerating it takes.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use super::enumerate::observed;
use super::puzzle_text::PuzzleText;
use super::resource_args::ResourceArgs;
use super::{find, output};
use crate::engine::budget::{default_memory, free_memory};
use crate::error::Result;
use crate::puzzle::Rules;
use crate::puzzles::registry;
use crate::study::estimate::{EstimateOptions, JobEstimate, estimate};
use crate::text::{bytes, count, duration, parse_duration};

/// Show how large a puzzle is, and what enumerating it takes: time, disk, memory.
///
/// The estimate rests on the job's own levels if there is a job, on a table in results/, and on a short enumeration in
/// a temporary directory.
#[derive(clap::Args)]
pub struct EstimateArgs {
    /// The puzzle
    #[arg(value_parser = PuzzleText, hide_possible_values = true)]
    puzzle: String,
    /// Estimate the enumeration up to this level [default: all of it]
    #[arg(long, value_name = "L")]
    max_level: Option<u32>,
    #[command(flatten)]
    resources: ResourceArgs,
    /// How long to measure on this machine; 0 measures nothing
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = parse_duration)]
    measure: Duration,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub fn main(arguments: EstimateArgs) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    if let Some(warning) = puzzle.warning() {
        output::warn(&warning);
    }
    let memory = arguments.resources.memory.unwrap_or_else(default_memory);
    let job = find::job_of(&*puzzle)?;
    let expected = match puzzle.space() {
        None => None,
        Some(_) => observed(true, |control| {
            let options = EstimateOptions {
                memory: Some(memory),
                threads: arguments.resources.threads(),
                max_level: arguments.max_level,
                measure: arguments.measure,
                results: PathBuf::from("results"),
            };
            estimate(&*puzzle, job.as_ref(), &options, control).map(Some)
        })?,
    };
    output::print(&match arguments.json {
        true => output::json("estimate", document(&*puzzle, &arguments, memory, expected.as_ref())),
        false => text(&*puzzle, &arguments, memory, expected.as_ref()),
    })
}

fn text(puzzle: &dyn Rules, arguments: &EstimateArgs, memory: u64, expected: Option<&JobEstimate>) -> String {
    let mut text = format!("{}\n", puzzle.heading());
    let known = |number: Option<u128>| number.map_or("not known".into(), count);
    let _ = writeln!(text, "metric:          {}", puzzle.metric());
    let states = match (puzzle.totals().states, puzzle.totals().existing) {
        (None, Some(existing)) => format!("{} exist; some may be unreachable", count(existing)),
        (states, _) => known(states),
    };
    let _ = writeln!(text, "states:          {states}");
    let about = match puzzle.about_symmetry() {
        about if about.is_empty() => about,
        about => format!(": {about}"),
    };
    let _ = writeln!(text, "symmetry group:  order {}{about}", puzzle.group_order());
    let _ = writeln!(text, "classes:         {}", known(puzzle.totals().classes));
    let Some(space) = puzzle.space() else {
        return text + "no index: it can be drawn and moved, not enumerated\n";
    };
    let universe = space.universe();
    let _ = writeln!(text, "universe:        {} indices", count(universe));
    let _ = writeln!(text, "moves per class: up to {}", space.fanout());
    match u64::try_from(universe.div_ceil(8)) {
        Ok(bitmap) => {
            let _ = writeln!(text, "one bitmap:      {}", bytes(bitmap));
        }
        Err(_) => text += "one bitmap:      more than any machine has\n",
    }
    let _ = writeln!(
        text,
        "this machine:    {} free, {} --memory {}",
        free_memory().map_or("unknown memory".into(), bytes),
        if arguments.resources.memory.is_some() { "with" } else { "default" },
        bytes(memory)
    );
    text.push('\n');
    expected.map_or(text.clone(), |expected| text + &costs(expected, arguments.max_level))
}

/// What a job takes, in words.
fn costs(expected: &JobEstimate, max_level: Option<u32>) -> String {
    let outlook = &expected.outlook;
    let last = outlook.levels.len().saturating_sub(1);
    let guessed = outlook.levels.iter().filter(|level| !level.known).count();
    let levels = match (guessed, outlook.complete) {
        (0, true) => format!("0 to {last}, all of them"),
        (0, false) => format!("0 to {last}"),
        (_, true) => format!("0 to about {last}"),
        (_, false) => format!("0 to {}", max_level.unwrap_or(last as u32)),
    };
    let mut text = format!("levels:          {levels}\n");
    let about =
        |number: u128| if guessed == 0 { count(number) } else { format!("about {}", rounded(number)) };
    let _ = writeln!(text, "their classes:   {}", about(outlook.classes()));
    let _ = writeln!(text, "candidates:      about {}", rounded(outlook.candidates()));
    let _ = write!(text, "time:            about {}", long_time(outlook.seconds()));
    let (spent_bytes, spent_seconds) = expected.spent;
    let _ = match spent_seconds > 0.0 {
        true => writeln!(text, ", of which {} were spent", long_time(spent_seconds)),
        false => writeln!(text),
    };
    let _ = write!(text, "disk:            about {} for the job", bytes(outlook.job_bytes()));
    let _ = match spent_bytes > 0 {
        true => writeln!(text, ", of which {} are there", bytes(spent_bytes)),
        false => writeln!(text),
    };
    let scratch = match outlook.scratch_bytes() {
        0 => "none".into(),
        size => format!("about {}", bytes(size)),
    };
    let _ = writeln!(text, "scratch:         {scratch}");
    let _ = writeln!(text, "peak memory:     about {}", bytes(expected.memory));
    let _ = writeln!(text, "based on:        {}", expected.basis.join("; "));
    text
}

/// A time; a long one in days or years.
fn long_time(seconds: f64) -> String {
    let days = seconds / 86_400.0;
    match days {
        2.0..730.0 => format!("{days:.0} days"),
        730.0.. => format!("{} years", rounded((days / 365.25) as u128)),
        _ => duration(Duration::try_from_secs_f64(seconds).unwrap_or_default()),
    }
}

/// A number with three digits and zeros behind them.
fn rounded(number: u128) -> String {
    let digits = number.checked_ilog10().unwrap_or(0);
    let unit = 10u128.pow(digits.saturating_sub(2));
    count(number.saturating_add(unit / 2) / unit * unit)
}

fn document(
    puzzle: &dyn Rules,
    arguments: &EstimateArgs,
    memory: u64,
    expected: Option<&JobEstimate>,
) -> Value {
    let decimal = |number: Option<u128>| number.map(|number| number.to_string());
    let totals = puzzle.totals();
    let mut notes: Vec<String> = Vec::new();
    if puzzle.space().is_none() {
        notes.push("it has no index, and cannot be enumerated".into());
    } else if totals.classes.or(totals.states).is_none() {
        notes.push(
            "how many of its states can be reached is not known: the estimate is for all that exist".into(),
        );
    }
    json!({
        "puzzle": puzzle.text(),
        "metric": puzzle.metric(),
        "states": decimal(totals.states),
        "existing_states": decimal(totals.existing),
        "classes": decimal(totals.classes),
        "group_order": puzzle.group_order().to_string(),
        "universe": decimal(puzzle.space().map(|space| space.universe())),
        "fanout": puzzle.space().map(|space| space.fanout()),
        "max_level": arguments.max_level,
        "memory_allowed": memory,
        "job": expected.map(job),
        "notes": notes,
    })
}

fn job(expected: &JobEstimate) -> Value {
    let outlook = &expected.outlook;
    let levels = outlook.levels.iter().enumerate().map(|(number, level)| {
        json!({
            "level": number,
            "classes": level.classes.to_string(),
            "known": level.known,
            "bytes": level.bytes.to_string(),
            "seconds": level.seconds,
        })
    });
    let (spent_bytes, spent_seconds) = expected.spent;
    json!({
        "last_level": outlook.levels.len().saturating_sub(1),
        "complete": outlook.complete,
        "classes": outlook.classes().to_string(),
        "candidates": outlook.candidates().to_string(),
        "seconds": outlook.seconds(),
        "seconds_left": (outlook.seconds() - spent_seconds).max(0.0),
        "job_bytes": outlook.job_bytes().to_string(),
        "bytes_left": outlook.job_bytes().saturating_sub(spent_bytes).to_string(),
        "scratch_bytes": outlook.scratch_bytes().to_string(),
        "memory_bytes": expected.memory.to_string(),
        "basis": expected.basis,
        "levels": levels.collect::<Vec<_>>(),
    })
}

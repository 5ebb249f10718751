//! `godnum sample`: many random states, solved.

use std::fmt::Write;
use std::path::PathBuf;

use serde_json::json;

use super::enumerate::observed;
use super::puzzle_text::PuzzleText;
use super::resource_args::OutputArgs;
use super::solving::SolverArgs;
use super::{confirm, output};
use crate::error::{Result, usage};
use crate::puzzle::{Rules, Scrambling};
use crate::puzzles::registry;
use crate::store::disk::Disk;
use crate::study::sample::{self, Optimality, SamplePlan, Sampled};
use crate::study::{StudyOptions, histogram};
use crate::text::pluralise;

/// Solve many random states in parallel: how long are the solutions? Resumes where it was stopped.
#[derive(clap::Args)]
pub struct SampleArgs {
    /// The puzzle, for example wrapslide:6x6:3
    #[arg(value_parser = PuzzleText, hide_possible_values = true)]
    puzzle: String,
    /// How many states; a later run may ask for more
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    /// The seed that chooses them, as in `godnum scramble`
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How the states are chosen: `uniform` (every solvable state is equally likely), or `walk:N` (N random
    /// moves from a solved state)
    #[arg(long, value_name = "WAY", default_value_t)]
    scramble: Scrambling,
    #[command(flatten)]
    solver: SolverArgs,
    /// Write the table of all states to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// The directory for the work done so far [default: runs/<puzzle with dashes>-sample-<solver>[-walk-N]-<seed>]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Discard the work done so far and start again
    #[arg(long)]
    fresh: bool,
    /// With --fresh: delete without asking
    #[arg(long, short, requires = "fresh")]
    yes: bool,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn main(arguments: SampleArgs) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    let plan = SamplePlan {
        puzzle: &*puzzle,
        solver: arguments.solver.solver.as_deref(),
        scramble: arguments.scramble,
        seed: arguments.seed,
        count: arguments.count,
        time: arguments.solver.time,
    };
    let dir = sample::directory(&plan, arguments.dir.as_deref())?;
    if let Some(path) = &arguments.csv {
        // Better now than after all states are solved.
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        if path.is_dir() || path.file_name().is_none() {
            return usage(format!("--csv {} is a directory: name a file in it", path.display()));
        }
        if parent.is_some_and(|parent| !parent.is_dir()) {
            return usage(format!("--csv {}: the directory does not exist; create it first", path.display()));
        }
    }
    if arguments.fresh {
        confirm::before_deleting(&dir, "--fresh", "", arguments.yes)?;
        sample::discard(&dir)?;
    }
    let resources = &arguments.solver.resources;
    let options = StudyOptions::within(resources.memory, resources.threads());
    let sampled = observed(arguments.output.quiet, |control| sample::sample(&plan, &dir, &options, control))?;
    if let Some(path) = &arguments.csv {
        Disk::new(None, 0).replace(path, sampled.csv().as_bytes())?;
    }
    output::print(&show(&*puzzle, arguments.seed, &sampled, arguments.output.json))
}

/// The result of a sample, as text or as JSON.
pub fn show(puzzle: &dyn Rules, seed: u64, sampled: &Sampled, as_json: bool) -> String {
    if as_json { json(puzzle, seed, sampled) } else { text(puzzle, seed, sampled) }
}

/// The histogram and some sentences.
fn text(puzzle: &dyn Rules, seed: u64, sampled: &Sampled) -> String {
    let lengths = sampled.lengths();
    let mut text = histogram(&lengths);
    if !text.is_empty() {
        text.push('\n');
    }
    let rows = sampled.rows.len();
    let _ = writeln!(
        text,
        "{}: {rows} random states{}, seed {seed}, solver {}, {} metric",
        puzzle.text(),
        match sampled.scramble {
            Scrambling::Uniform => String::new(),
            Scrambling::Walk(length) => format!(" after {}", pluralise(length, "random move")),
        },
        sampled.solver,
        puzzle.metric()
    );
    if let Some(s) = sampled.statistics() {
        let interval = s.ci95.map_or(String::new(), |half| {
            format!(" (95 % confidence: {:.3} to {:.3})", s.mean - half, s.mean + half)
        });
        let _ = writeln!(
            text,
            "moves:   mean {:.3}{interval}, median {}, minimum {}, maximum {}",
            s.mean, s.median, s.min, s.max
        );
    }
    let percent = |part: usize| 100.0 * part as f64 / rows.max(1) as f64;
    let optimal = sampled.with(Optimality::Optimal);
    let _ = writeln!(text, "optimal: {optimal} of {rows} are proven ({:.1} %)", percent(optimal));
    let cut = sampled.with(Optimality::CutShort);
    if cut > 0 {
        let _ = writeln!(text, "cut:     {cut} reached the limit on time or memory ({:.1} %)", percent(cut));
    }
    let unsolved = rows - lengths.len();
    if unsolved > 0 {
        let _ = writeln!(text, "unsolved: {unsolved}; not included in the numbers of moves above");
    }
    let (mean, most) = sampled.seconds();
    let _ = writeln!(text, "seconds: mean {mean:.4}, maximum {most:.4}");
    text
}

/// The same as JSON.
fn json(puzzle: &dyn Rules, seed: u64, sampled: &Sampled) -> String {
    let s = sampled.statistics();
    let (seconds_mean, seconds_max) = sampled.seconds();
    let mut times = std::collections::BTreeMap::new();
    for length in sampled.lengths() {
        *times.entry(length).or_insert(0u64) += 1;
    }
    let lengths = times.iter().map(|(length, times)| json!({ "length": length, "times": times }));
    let lengths: serde_json::Value = lengths.collect();
    let value = json!({
        "puzzle": puzzle.text(),
        "solver": sampled.solver,
        "scramble": sampled.scramble.to_string(),
        "seed": seed.to_string(),
        "count": sampled.rows.len(),
        "solved": sampled.lengths().len(),
        "optimal": sampled.with(Optimality::Optimal),
        "cut_short": sampled.with(Optimality::CutShort),
        "mean": s.as_ref().map(|s| s.mean),
        "ci95": s.as_ref().and_then(|s| s.ci95),
        "median": s.as_ref().map(|s| s.median),
        "min": s.as_ref().map(|s| s.min),
        "max": s.as_ref().map(|s| s.max),
        "seconds_mean": seconds_mean,
        "seconds_max": seconds_max,
        "lengths": lengths,
    });
    output::json("sample", value)
}

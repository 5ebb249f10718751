//! `godnum sample`: many random states, solved.

use std::fmt::Write;
use std::path::PathBuf;

use super::enumerate::observed;
use super::output;
use super::solving::SolverArguments;
use crate::error::{Result, usage};
use crate::puzzle::Puzzle;
use crate::puzzles::registry;
use crate::solve::cache;
use crate::store::disk::Disk;
use crate::study::histogram;
use crate::study::sample::{self, Options, Plan, Proof, Sampled};

/// Solve many random states in parallel: how long are the solutions? Goes on where it was stopped.
#[derive(clap::Args)]
pub struct Arguments {
    /// The puzzle, for example wrapslide:6x6:3
    puzzle: String,
    /// How many states; a later run may ask for more
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    /// What chooses them, as in `godnum scramble`
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    solver: SolverArguments,
    /// Write the table of all states to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Where what is done is kept [default: runs/<puzzle with dashes>-sample-<solver>-<seed>]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Forget what is done and start again
    #[arg(long)]
    fresh: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub fn main(arguments: Arguments) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    let plan = Plan {
        puzzle: &*puzzle,
        solver: arguments.solver.solver.as_deref(),
        seed: arguments.seed,
        count: arguments.count,
        time: arguments.solver.time,
    };
    let dir = match &arguments.dir {
        Some(dir) => dir.clone(),
        None => sample::default_dir(&plan)?,
    };
    if let Some(path) = &arguments.csv {
        // Better now than after all states are solved.
        let parent = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        if path.is_dir() || path.file_name().is_none() {
            return usage(format!(
                "--csv {} is a directory: name a file in it",
                path.display()
            ));
        }
        if parent.is_some_and(|parent| !parent.is_dir()) {
            return usage(format!(
                "--csv {}: there is no such directory; make it first",
                path.display()
            ));
        }
    }
    if arguments.fresh {
        sample::discard(&dir)?;
    }
    let options = Options {
        memory: arguments.solver.means.memory,
        threads: arguments.solver.means.threads(),
        cache: cache::directory(),
        ..Options::default()
    };
    let sampled = observed(arguments.quiet, |control| {
        sample::sample(&plan, &dir, &options, control)
    })?;
    if let Some(path) = &arguments.csv {
        Disk::new(None, 0).replace(path, sampled.csv().as_bytes())?;
    }
    output::print(&match arguments.json {
        true => json(&*puzzle, arguments.seed, &sampled),
        false => text(&*puzzle, arguments.seed, &sampled),
    })
}

/// The histogram and some sentences.
pub fn text(puzzle: &dyn Puzzle, seed: u64, sampled: &Sampled) -> String {
    let lengths = sampled.lengths();
    let mut text = histogram(&lengths);
    if !text.is_empty() {
        text.push('\n');
    }
    let rows = sampled.rows.len();
    let _ = writeln!(
        text,
        "{}: {rows} random states, seed {seed}, solver {}, {} metric",
        puzzle.text(),
        sampled.solver,
        puzzle.metric()
    );
    if let Some(s) = sampled.statistics() {
        let interval = s.ci95.map_or(String::new(), |half| {
            format!(
                " (95 % confidence: {:.3} to {:.3})",
                s.mean - half,
                s.mean + half
            )
        });
        let _ = writeln!(
            text,
            "moves:   mean {:.3}{interval}, median {}, minimum {}, maximum {}",
            s.mean, s.median, s.min, s.max
        );
    }
    let percent = |part: usize| 100.0 * part as f64 / rows.max(1) as f64;
    let optimal = sampled.with(Proof::Optimal);
    let _ = writeln!(
        text,
        "optimal: {optimal} of {rows} are proven ({:.1} %)",
        percent(optimal)
    );
    let cut = sampled.with(Proof::CutShort);
    if cut > 0 {
        let _ = writeln!(
            text,
            "cut:     {cut} met the limit on time or memory ({:.1} %)",
            percent(cut)
        );
    }
    let unsolved = rows - lengths.len();
    if unsolved > 0 {
        let _ = writeln!(
            text,
            "unsolved: {unsolved}; they are not part of the numbers of moves above"
        );
    }
    let (mean, most) = sampled.seconds();
    let _ = writeln!(text, "seconds: mean {mean:.4}, maximum {most:.4}");
    text
}

/// The same as JSON.
pub fn json(puzzle: &dyn Puzzle, seed: u64, sampled: &Sampled) -> String {
    let s = sampled.statistics();
    let (seconds_mean, seconds_max) = sampled.seconds();
    let mut times = std::collections::BTreeMap::new();
    for length in sampled.lengths() {
        *times.entry(length).or_insert(0u64) += 1;
    }
    let lengths: Vec<_> = times
        .into_iter()
        .map(|(length, times)| serde_json::json!({ "length": length, "times": times }))
        .collect();
    let value = serde_json::json!({
        "puzzle": puzzle.text(),
        "solver": sampled.solver,
        "seed": seed.to_string(),
        "count": sampled.rows.len(),
        "solved": sampled.lengths().len(),
        "optimal": sampled.with(Proof::Optimal),
        "cut_short": sampled.with(Proof::CutShort),
        "mean": s.as_ref().map(|s| s.mean),
        "ci95": s.as_ref().and_then(|s| s.ci95),
        "median": s.as_ref().map(|s| s.median),
        "min": s.as_ref().map(|s| s.min),
        "max": s.as_ref().map(|s| s.max),
        "seconds_mean": seconds_mean,
        "seconds_max": seconds_max,
        "lengths": lengths,
    });
    serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
}

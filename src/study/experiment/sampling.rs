//! Samples in an experiment: one with all of its rows as the result, or many with a table of them.

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use crate::engine::Control;
use crate::error::{Error, Result};
use crate::puzzle::Puzzle;
use crate::puzzles::registry;
use crate::solve::{cache, choose};
use crate::study::sample::{self, Options, Plan, SUMMARY, Sampled};
use crate::text::{Table, parse_duration};

/// One sample.
pub struct Sampling {
    /// Whose states are solved.
    pub puzzle: Box<dyn Puzzle>,
    /// By which solver; `None`: the default.
    pub solver: Option<String>,
    /// What chooses the states.
    pub seed: u64,
    /// How many.
    pub count: u64,
    /// The most time for each.
    pub time: Option<Duration>,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Threads.
    pub threads: Option<usize>,
    /// Where what is done is kept; `None`: in `runs/`.
    pub dir: Option<PathBuf>,
}

/// One of `samples`, word by word. What it leaves out, the file may say for all.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Entry {
    pub puzzle: String,
    pub solver: Option<String>,
    pub count: Option<u64>,
    pub seed: Option<u64>,
    pub time: Option<String>,
}

impl Entry {
    /// The sample; seed 1 unless told otherwise.
    pub fn sampling(&self, memory: Option<u64>, threads: Option<usize>) -> Result<Sampling> {
        let puzzle = registry::parse(&self.puzzle)?;
        choose(&*puzzle, self.solver.as_deref())?;
        Ok(Sampling {
            solver: self.solver.clone(),
            seed: self.seed.unwrap_or(1),
            count: self.count.filter(|&count| count > 0).ok_or_else(|| {
                Error::Usage(format!(
                    "the sample of {} needs a `count`: how many states are solved",
                    self.puzzle
                ))
            })?,
            time: self.time.as_deref().map(parse_duration).transpose()?,
            puzzle,
            memory,
            threads,
            dir: None,
        })
    }
}

impl Sampling {
    /// Takes it, or goes on with it.
    pub fn run(&self, control: Control<'_>) -> Result<Sampled> {
        let plan = Plan {
            puzzle: &*self.puzzle,
            solver: self.solver.as_deref(),
            seed: self.seed,
            count: self.count,
            time: self.time,
        };
        let dir = match &self.dir {
            Some(dir) => dir.clone(),
            None => sample::default_dir(&plan)?,
        };
        let options = Options {
            memory: self.memory,
            threads: self.threads,
            cache: cache::directory(),
            ..Options::default()
        };
        sample::sample(&plan, &dir, &options, control)
    }
}

/// Takes many, and makes a table with one row for each.
pub(super) fn run_all(samples: &[Sampling], control: Control<'_>) -> Result<Table> {
    let rows = samples.iter().map(|sampling| {
        let sampled = sampling.run(control)?;
        Ok(sampled.summary(&sampling.puzzle.text(), sampling.seed))
    });
    Ok(Table {
        heading: SUMMARY,
        rows: rows.collect::<Result<_>>()?,
    })
}

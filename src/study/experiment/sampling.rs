//! Samples in an experiment: one with all of its rows as the result, or many with a table of them.

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use crate::engine::Control;
use crate::error::{Error, Result};
use crate::puzzle::{Rules, Scrambling};
use crate::puzzles::registry;
use crate::solve::choose;
use crate::study::StudyOptions;
use crate::study::sample::{self, SUMMARY, SamplePlan, Sampled};
use crate::text::{TextTable, parse_duration};

/// One sample.
pub struct Sampling {
    /// Whose states are solved.
    pub puzzle: Box<dyn Rules>,
    /// By which solver; `None`: the default.
    pub solver: Option<String>,
    /// How the states are chosen.
    pub scramble: Scrambling,
    /// What chooses them.
    pub seed: u64,
    /// How many.
    pub count: u64,
    /// The most time for each.
    pub time: Option<Duration>,
    /// With which budget.
    pub options: StudyOptions,
    /// Where what is done is kept; `None`: in `runs/`.
    pub dir: Option<PathBuf>,
}

/// One of `samples`, word by word. What it leaves out, the file may say for all.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct SampleEntry {
    pub puzzle: String,
    pub solver: Option<String>,
    pub scramble: Option<String>,
    pub count: Option<u64>,
    pub seed: Option<u64>,
    pub time: Option<String>,
}

impl SampleEntry {
    /// The sample; seed 1 by default.
    pub fn sampling(&self, options: StudyOptions) -> Result<Sampling> {
        let puzzle = registry::parse(&self.puzzle)?;
        choose(&*puzzle, self.solver.as_deref())?;
        Ok(Sampling {
            solver: self.solver.clone(),
            scramble: self.scramble.as_deref().map(str::parse).transpose()?.unwrap_or_default(),
            seed: self.seed.unwrap_or(1),
            count: self.count.filter(|&count| count > 0).ok_or_else(|| {
                Error::Usage(format!(
                    "the sample of {} needs a `count`: how many states are solved",
                    self.puzzle
                ))
            })?,
            time: self.time.as_deref().map(parse_duration).transpose()?,
            puzzle,
            options,
            dir: None,
        })
    }
}

impl Sampling {
    /// Takes it, or resumes it.
    pub fn run(&self, control: Control<'_>) -> Result<Sampled> {
        let plan = SamplePlan {
            puzzle: &*self.puzzle,
            solver: self.solver.as_deref(),
            scramble: self.scramble,
            seed: self.seed,
            count: self.count,
            time: self.time,
        };
        let dir = sample::directory(&plan, self.dir.as_deref())?;
        sample::sample(&plan, &dir, &self.options, control)
    }
}

/// Takes many, and makes a table with one row for each.
pub(super) fn run_all(samples: &[Sampling], control: Control<'_>) -> Result<TextTable> {
    let rows = samples.iter().map(|sampling| {
        let sampled = sampling.run(control)?;
        Ok(sampled.summary(&sampling.puzzle.text(), sampling.seed))
    });
    Ok(TextTable { heading: SUMMARY, rows: rows.collect::<Result<_>>()? })
}

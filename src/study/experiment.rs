//! Experiments: what to compute, with which budget, and the file its result goes to, as TOML.
//!
//! `puzzle = "..."` enumerates a puzzle and writes its levels, `puzzles = [...]` does so for many;
//! `count = "..."` counts a puzzle's solutions; `survey = "KIND"` with a `size` makes a table over
//! all puzzles of a kind; `swaps = "..."` solves all exchanges of two cells; `sample = "..."` with a number as `count` solves as many random states and
//! writes one row for each; `samples = [{ puzzle = "..." }, ...]` does so for many puzzles or solvers
//! and writes one row for each sample (`sampling`).

mod sampling;

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::engine::budget::{MOST_THREADS, default_memory};
use crate::engine::{ContainerKind, Control, Keep, Options, Way, cores, levels_csv};
use crate::error::{Error, IoAction, Result, usage};
use crate::puzzle::{Enumeration, Rules, Survey, default_dir, enumerate, job_name};
use crate::puzzles::registry;
use crate::solve::Workbench;
use crate::store::disk::{self, Disk};
use crate::study::StudyOptions;
use crate::study::count::{self, Counted};
use crate::study::sample::Sampled;
use crate::study::swaps;
use crate::text::{TextTable, parse_bytes, parse_duration};
use sampling::SampleEntry;
pub use sampling::Sampling;

/// No experiment file is larger than this.
const LARGEST_FILE: u64 = 1 << 20;

/// One experiment.
pub struct Experiment {
    /// What is computed.
    pub task: ExperimentTask,
    /// Where the result goes.
    pub result: PathBuf,
}

/// What an experiment computes.
pub enum ExperimentTask {
    /// The levels of a puzzle.
    Enumerate {
        /// Which one.
        puzzle: Box<dyn Rules>,
        /// With which budget.
        options: Options,
        /// In which directory.
        dir: PathBuf,
    },
    /// The solutions of a puzzle.
    Count {
        /// Which one.
        puzzle: Box<dyn Rules>,
        /// With which budget.
        options: StudyOptions,
        /// In which directory.
        dir: PathBuf,
    },
    /// A table over many puzzles, up to a size.
    Survey(Survey, usize),
    /// All exchanges of two cells, by a solver, within a budget.
    Swaps(Box<dyn Rules>, Option<String>, StudyOptions),
    /// Random states of a puzzle, solved.
    Sample(Box<Sampling>),
    /// The same for many puzzles or solvers.
    Samples(Vec<Sampling>),
}

/// What an experiment came to.
pub enum ExperimentOutcome {
    /// The levels of a puzzle.
    Enumerated(Box<Enumeration>),
    /// The number of solutions.
    Counted(Counted),
    /// A table.
    Surveyed(TextTable),
    /// A sample.
    Sampled(Sampled),
}

/// The file, word by word.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ExperimentFile {
    puzzle: Option<String>,
    #[serde(default)]
    puzzles: Vec<String>,
    count: Option<CountField>,
    survey: Option<String>,
    swaps: Option<String>,
    size: Option<usize>,
    sample: Option<String>,
    #[serde(default)]
    samples: Vec<SampleEntry>,
    seed: Option<u64>,
    solver: Option<String>,
    scramble: Option<String>,
    time: Option<String>,
    /// Why the experiment is there; for readers.
    #[allow(dead_code)]
    about: Option<String>,
    memory: Option<String>,
    threads: Option<usize>,
    max_level: Option<u32>,
    disk_limit: Option<String>,
    checkpoint_every: Option<String>,
    container: Option<ContainerKind>,
    direction: Option<Way>,
    keep: Option<Keep>,
    scratch: Option<PathBuf>,
    dir: Option<PathBuf>,
    result: Option<PathBuf>,
}

/// `count`: the puzzle whose solutions are counted, or the number of states of a sample.
#[derive(Deserialize)]
#[serde(untagged)]
enum CountField {
    Puzzle(String),
    Number(u64),
}

impl Experiment {
    /// Reads a file, which holds one experiment or more. Paths in it count from the current
    /// directory; by default the job is in `runs/` and the result goes to `results/`, both named
    /// after the puzzle.
    pub fn read(path: &Path) -> Result<Vec<Experiment>> {
        let wrong = |why| Error::Usage(format!("{}: {why}", path.display()));
        let bytes = disk::read(path, LARGEST_FILE).map_err(|e| Error::io(IoAction::Read, path, e))?;
        let bytes = bytes.ok_or_else(|| wrong("the file is larger than any experiment: 1 MiB at most"))?;
        let text = String::from_utf8(bytes).map_err(|_| wrong("this is not text (UTF-8)"))?;
        Experiment::parse(&text).map_err(|error| error.in_file(path))
    }

    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<Vec<Experiment>> {
        let text: ExperimentFile = toml::from_str(text)
            .map_err(|e| Error::Usage(format!("not an experiment: {}", e.to_string().trim())))?;
        text.refuse_what_does_not_apply()?;
        if let Some(threads) = text.threads
            && !(1..=MOST_THREADS).contains(&threads)
        {
            return usage(format!("{threads} threads are not possible: choose 1 to {MOST_THREADS}"));
        }
        if !text.puzzles.is_empty() && (text.dir.is_some() || text.result.is_some()) {
            return usage("`dir` and `result` are for one puzzle, and `puzzles` are many");
        }
        let asked = [
            text.puzzle.is_some(),
            !text.puzzles.is_empty(),
            text.counted().is_some(),
            text.survey.is_some(),
            text.swaps.is_some(),
            text.sample.is_some(),
            !text.samples.is_empty(),
        ];
        if asked.into_iter().filter(|&asked| asked).count() != 1 {
            return usage(NOT_ONE);
        }
        if !text.puzzles.is_empty() {
            let puzzles = text.puzzles.iter();
            return puzzles.map(|puzzle| text.enumeration(puzzle)).collect();
        }
        if let Some(puzzle) = &text.swaps {
            return Ok(vec![text.exchanges(puzzle)?]);
        }
        let only = match (&text.puzzle, text.counted(), &text.survey, &text.sample) {
            (Some(puzzle), ..) => text.enumeration(puzzle),
            (_, Some(puzzle), ..) => text.counting(puzzle),
            (_, _, Some(kind), _) => text.survey(kind),
            (.., Some(puzzle)) => text.sample(puzzle),
            _ => text.samples(),
        };
        Ok(vec![only?])
    }

    /// Computes it, or resumes it, and writes the result.
    pub fn run(&self, control: Control<'_>) -> Result<ExperimentOutcome> {
        let (done, csv) = match &self.task {
            ExperimentTask::Enumerate { puzzle, options, dir } => {
                let outcome = enumerate(&**puzzle, dir, options, control)?;
                let csv = levels_csv(&outcome.manifest.levels);
                (ExperimentOutcome::Enumerated(Box::new(outcome)), csv)
            }
            ExperimentTask::Count { puzzle, options, dir } => {
                let counted = count::count(&**puzzle, dir, options, control)?;
                let table = TextTable {
                    heading: &["puzzle", "solutions"],
                    rows: vec![vec![puzzle.text(), counted.solutions.to_string()]],
                };
                (ExperimentOutcome::Counted(counted), table.csv())
            }
            ExperimentTask::Survey(survey, size) => {
                let table = (survey.run)(*size, control)?;
                let csv = table.csv();
                (ExperimentOutcome::Surveyed(table), csv)
            }
            ExperimentTask::Swaps(puzzle, solver, options) => {
                let memory = options.memory.unwrap_or_else(default_memory);
                let threads = options.threads.unwrap_or_else(cores);
                let bench = Workbench::new(options.cache.clone(), memory, threads, control);
                let table = swaps::table(&swaps::swaps(&**puzzle, solver.as_deref(), &bench)?);
                let csv = table.csv();
                (ExperimentOutcome::Surveyed(table), csv)
            }
            ExperimentTask::Sample(sampling) => {
                let sampled = sampling.run(control)?;
                let csv = sampled.csv();
                (ExperimentOutcome::Sampled(sampled), csv)
            }
            ExperimentTask::Samples(samples) => {
                let table = sampling::run_all(samples, control)?;
                let csv = table.csv();
                (ExperimentOutcome::Surveyed(table), csv)
            }
        };
        let disk = Disk::new(None, 0);
        if let Some(parent) = self.result.parent()
            && !parent.as_os_str().is_empty()
        {
            disk.create_dir(parent)?;
        }
        disk.replace(&self.result, csv.as_bytes())?;
        Ok(done)
    }
}

/// The survey of a kind.
pub fn survey(kind: &str) -> Result<Survey> {
    registry::kind(kind)?.survey.ok_or_else(|| {
        let kinds = registry::kinds().filter(|kind| kind.survey.is_some());
        let names: Vec<_> = kinds.map(|kind| kind.name).collect();
        Error::Usage(format!("there is no survey of {kind}; there are surveys of: {}", names.join(", ")))
    })
}

/// What is said of a file that asks for nothing, or for two things at once.
const NOT_ONE: &str = "not an experiment: exactly one of `puzzle`, `puzzles`, `count` (of a puzzle), \
                       `survey`, `swaps`, `sample` and `samples` says what is computed";

impl ExperimentFile {
    /// An option that would do nothing is a mistake.
    fn refuse_what_does_not_apply(&self) -> Result<()> {
        let (count, survey) = (self.counted().is_some(), self.survey.is_some());
        let (sample, samples) = (self.sample.is_some(), !self.samples.is_empty());
        let sampled = sample || samples;
        let swaps = self.swaps.is_some();
        let walk = !count && !survey && !sampled && !swaps;
        let number = matches!(self.count, Some(CountField::Number(_)));
        let given = [
            ("size", self.size.is_some(), survey),
            ("memory", self.memory.is_some(), !survey),
            ("threads", self.threads.is_some(), !survey),
            ("dir", self.dir.is_some(), !survey && !samples),
            ("max-level", self.max_level.is_some(), walk),
            ("disk-limit", self.disk_limit.is_some(), walk),
            ("checkpoint-every", self.checkpoint_every.is_some(), walk),
            ("container", self.container.is_some(), walk),
            ("direction", self.direction.is_some(), walk),
            ("keep", self.keep.is_some(), walk),
            ("scratch", self.scratch.is_some(), walk),
            ("count", number, sampled),
            ("seed", self.seed.is_some(), sampled),
            ("scramble", self.scramble.is_some(), sampled),
            ("solver", self.solver.is_some(), sampled || swaps),
            ("time", self.time.is_some(), sampled),
        ];
        match given.iter().find(|(_, given, applies)| *given && !applies) {
            None => Ok(()),
            Some((key, ..)) => usage(format!(
                "`{key}` does not apply to {}",
                match (count, survey, sample, samples) {
                    (true, ..) => "a count",
                    (_, true, ..) => "a survey",
                    (_, _, true, _) => "a sample",
                    (.., true) => "many samples",
                    _ if swaps => "a table of exchanges",
                    _ => "an enumeration",
                }
            )),
        }
    }

    /// The puzzle whose solutions are counted.
    fn counted(&self) -> Option<&str> {
        match &self.count {
            Some(CountField::Puzzle(puzzle)) => Some(puzzle),
            _ => None,
        }
    }

    /// A sample, with what the file says for all where it says nothing itself.
    fn sampling(&self, entry: SampleEntry) -> Result<Sampling> {
        let number = match self.count {
            Some(CountField::Number(number)) => Some(number),
            _ => None,
        };
        let entry = SampleEntry {
            solver: entry.solver.or_else(|| self.solver.clone()),
            count: entry.count.or(number),
            scramble: entry.scramble.or_else(|| self.scramble.clone()),
            seed: entry.seed.or(self.seed),
            time: entry.time.or_else(|| self.time.clone()),
            ..entry
        };
        entry.sampling(StudyOptions::within(self.memory()?, self.threads))
    }

    fn sample(&self, puzzle: &str) -> Result<Experiment> {
        let sampling = self.sampling(SampleEntry { puzzle: puzzle.into(), ..SampleEntry::default() })?;
        let name = format!("{}-sample", job_name(&*sampling.puzzle));
        let task = ExperimentTask::Sample(Box::new(Sampling { dir: self.dir.clone(), ..sampling }));
        Ok(self.named(task, &name))
    }

    fn samples(&self) -> Result<Experiment> {
        let samples = self.samples.iter().cloned();
        let samples = samples.map(|entry| self.sampling(entry));
        let task = ExperimentTask::Samples(samples.collect::<Result<_>>()?);
        match self.result {
            Some(_) => Ok(self.named(task, "")),
            None => usage("`samples` need a `result`: the file that their table goes to"),
        }
    }

    fn enumeration(&self, puzzle: &str) -> Result<Experiment> {
        let puzzle = registry::parse(puzzle)?;
        let name = job_name(&*puzzle);
        let dir = self.dir.clone();
        let task = ExperimentTask::Enumerate {
            dir: dir.unwrap_or_else(|| default_dir(&*puzzle)),
            options: self.options()?,
            puzzle,
        };
        Ok(self.named(task, &name))
    }

    fn counting(&self, puzzle: &str) -> Result<Experiment> {
        let puzzle = registry::parse(puzzle)?;
        let name = format!("{}-count", job_name(&*puzzle));
        let dir = self.dir.clone();
        let task = ExperimentTask::Count {
            dir: dir.unwrap_or_else(|| count::default_dir(&*puzzle)),
            options: StudyOptions::within(self.memory()?, self.threads),
            puzzle,
        };
        Ok(self.named(task, &name))
    }

    fn survey(&self, kind: &str) -> Result<Experiment> {
        let survey = survey(kind)?;
        let size =
            self.size.ok_or_else(|| Error::Usage(format!("a survey needs a `size`: {}", survey.about)))?;
        Ok(self.named(ExperimentTask::Survey(survey, size), &format!("{kind}-survey")))
    }

    fn exchanges(&self, puzzle: &str) -> Result<Experiment> {
        let puzzle = registry::parse(puzzle)?;
        let name = format!("{}-swaps", job_name(&*puzzle));
        let options = StudyOptions::within(self.memory()?, self.threads);
        Ok(self.named(ExperimentTask::Swaps(puzzle, self.solver.clone(), options), &name))
    }

    fn named(&self, task: ExperimentTask, name: &str) -> Experiment {
        let result = self.result.clone();
        Experiment { task, result: result.unwrap_or_else(|| format!("results/{name}.csv").into()) }
    }

    fn memory(&self) -> Result<Option<u64>> {
        Ok(self.memory.as_deref().map(parse_bytes).transpose()?)
    }

    fn options(&self) -> Result<Options> {
        let mut options = Options {
            memory: self.memory()?,
            threads: self.threads,
            max_level: self.max_level,
            disk_limit: self.disk_limit.as_deref().map(parse_bytes).transpose()?,
            container: self.container,
            way: self.direction,
            keep: self.keep.unwrap_or_default(),
            scratch: self.scratch.clone(),
            ..Options::default()
        };
        if let Some(every) = &self.checkpoint_every {
            options.checkpoint_every = parse_duration(every)?;
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests;

//! Experiments: what to compute, with which budget, and the file its result goes to, as TOML.
//!
//! `puzzle = "..."` enumerates a puzzle and writes its levels; `count = "..."` counts a puzzle's
//! solutions; `survey = "KIND"` with a `size` makes a table over all puzzles of a kind.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::bfs::{self, ContainerKind, Control, Keep, Options, Outcome, disk::Disk};
use crate::count::{self, Counted};
use crate::error::{Error, Result};
use crate::puzzle::registry::{self, Survey};
use crate::puzzle::{Puzzle, registry::job_name};
use crate::report::{Table, levels_csv, parse_bytes, parse_duration};

/// One experiment.
pub struct Experiment {
    /// What is computed.
    pub task: Task,
    /// Where the result goes.
    pub result: PathBuf,
}

/// What an experiment computes.
pub enum Task {
    /// The levels of a puzzle.
    Enumerate {
        /// Which one.
        puzzle: Box<dyn Puzzle>,
        /// With which budget.
        options: Options,
        /// In which directory.
        dir: PathBuf,
    },
    /// The solutions of a puzzle.
    Count {
        /// Which one.
        puzzle: Box<dyn Puzzle>,
        /// With which budget.
        options: count::Options,
        /// In which directory.
        dir: PathBuf,
    },
    /// A table over many puzzles, up to a size.
    Survey(Survey, usize),
}

/// What an experiment came to.
pub enum Done {
    /// The levels of a puzzle.
    Enumerated(Box<Outcome>),
    /// The number of solutions.
    Counted(Counted),
    /// A table.
    Surveyed(Table),
}

/// The file, word by word.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Text {
    puzzle: Option<String>,
    count: Option<String>,
    survey: Option<String>,
    size: Option<usize>,
    /// Why the experiment is there; for readers.
    #[allow(dead_code)]
    about: Option<String>,
    memory: Option<String>,
    threads: Option<usize>,
    max_level: Option<u32>,
    disk_limit: Option<String>,
    checkpoint_every: Option<String>,
    container: Option<ContainerKind>,
    #[serde(default)]
    keep: Keep,
    scratch: Option<PathBuf>,
    dir: Option<PathBuf>,
    result: Option<PathBuf>,
}

impl Experiment {
    /// Reads a file. Paths in it count from the current directory; by default the job is in
    /// `runs/` and the result goes to `results/`, both named after the puzzle.
    pub fn read(path: &Path) -> Result<Experiment> {
        let text = std::fs::read_to_string(path).map_err(|e| Error::io("read", path, e))?;
        Experiment::parse(&text)
            .map_err(|error| Error::Usage(format!("{}: {error}", path.display())))
    }

    fn parse(text: &str) -> Result<Experiment> {
        let text: Text = toml::from_str(text)
            .map_err(|e| Error::Usage(format!("not an experiment: {}", e.to_string().trim())))?;
        let named = |task, name: String| Experiment {
            task,
            result: text
                .result
                .clone()
                .unwrap_or_else(|| format!("results/{name}.csv").into()),
        };
        match (&text.puzzle, &text.count, &text.survey) {
            (Some(puzzle), None, None) => {
                let puzzle = registry::parse(puzzle)?;
                let name = job_name(&*puzzle);
                let dir = text.dir.clone();
                let task = Task::Enumerate {
                    dir: dir.unwrap_or_else(|| bfs::default_dir(&*puzzle)),
                    options: text.options()?,
                    puzzle,
                };
                Ok(named(task, name))
            }
            (None, Some(puzzle), None) => {
                let puzzle = registry::parse(puzzle)?;
                let name = format!("{}-count", job_name(&*puzzle));
                let dir = text.dir.clone();
                let task = Task::Count {
                    dir: dir.unwrap_or_else(|| count::default_dir(&*puzzle)),
                    options: count::Options {
                        memory: text.memory()?,
                        threads: text.threads,
                    },
                    puzzle,
                };
                Ok(named(task, name))
            }
            (None, None, Some(kind)) => {
                let (survey, size) = (survey(kind)?, text.size);
                let size = size.ok_or_else(|| {
                    Error::Usage(format!("a survey needs a `size`: {}", survey.about))
                })?;
                Ok(named(Task::Survey(survey, size), format!("{kind}-survey")))
            }
            _ => Err(Error::Usage(
                "not an experiment: exactly one of `puzzle`, `count` and `survey` says what is \
                 computed"
                    .into(),
            )),
        }
    }

    /// Computes it, or goes on with it, and writes the result.
    pub fn run(&self, control: Control<'_>) -> Result<Done> {
        let (done, csv) = match &self.task {
            Task::Enumerate {
                puzzle,
                options,
                dir,
            } => {
                let outcome = bfs::enumerate(&**puzzle, dir, options, control)?;
                let csv = levels_csv(&outcome.manifest.levels);
                (Done::Enumerated(Box::new(outcome)), csv)
            }
            Task::Count {
                puzzle,
                options,
                dir,
            } => {
                let counted = count::count(&**puzzle, dir, options, control)?;
                let table = Table {
                    heading: &["puzzle", "solutions"],
                    rows: vec![vec![puzzle.text(), counted.solutions.to_string()]],
                };
                (Done::Counted(counted), table.csv())
            }
            Task::Survey(survey, size) => {
                let table = (survey.run)(*size, control)?;
                let csv = table.csv();
                (Done::Surveyed(table), csv)
            }
        };
        let disk = Disk::new(None, 0);
        if let Some(parent) = self.result.parent()
            && !parent.as_os_str().is_empty()
        {
            disk.create_dir(parent)?;
        }
        disk.replace(&self.result, csv.as_bytes(), true)?;
        Ok(done)
    }
}

/// The survey of a kind.
pub fn survey(kind: &str) -> Result<Survey> {
    registry::kind(kind)?.survey.ok_or_else(|| {
        let kinds = registry::KINDS.iter().filter(|kind| kind.survey.is_some());
        let names: Vec<_> = kinds.map(|kind| kind.name).collect();
        Error::Usage(format!(
            "there is no survey of {kind}; there are surveys of: {}",
            names.join(", ")
        ))
    })
}

impl Text {
    fn memory(&self) -> Result<Option<u64>> {
        self.memory.as_deref().map(parse_bytes).transpose()
    }

    fn options(&self) -> Result<Options> {
        let mut options = Options {
            memory: self.memory()?,
            threads: self.threads,
            max_level: self.max_level,
            disk_limit: self.disk_limit.as_deref().map(parse_bytes).transpose()?,
            container: self.container,
            keep: self.keep,
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
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        match Experiment::parse(text) {
            Ok(_) => panic!("accepted: {text}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_file_becomes_a_job() {
        let text =
            "puzzle = 'wrapslide:4x4:2'\nmemory = '64M'\ncontainer = 'dense'\nmax-level = 3\n";
        let experiment = Experiment::parse(text).unwrap();
        assert_eq!(experiment.result, Path::new("results/wrapslide-4x4-2.csv"));
        let Task::Enumerate { options, dir, .. } = experiment.task else {
            panic!("not an enumeration")
        };
        assert_eq!(options.memory, Some(64 << 20));
        assert_eq!(options.max_level, Some(3));
        assert_eq!(dir, Path::new("runs/wrapslide-4x4-2"));
    }

    #[test]
    fn mistakes_are_named() {
        assert!(refusal("memory = '1G'").contains("puzzle"));
        assert!(refusal("puzzle = 'wrapslide:5x5:2'").contains("5x5"));
        assert!(refusal("puzzle = 'wrapslide:4x4:2'\nmemry = '1G'").contains("memry"));
        assert!(refusal("puzzle = 'wrapslide:4x4:2'\nmemory = 'lots'").contains("lots"));
        assert!(refusal("puzzle = 'wrapslide:4x4:2'\ncontainer = 'tin'").contains("tin"));
        assert!(refusal("puzzle = ").contains("not an experiment"));
        assert!(refusal("puzzle = 'wrapslide:4x4:2'\ncount = 'x'").contains("exactly one"));
        assert!(refusal("survey = 'wrapslide'\nsize = 4").contains("no survey of wrapslide"));
    }
}

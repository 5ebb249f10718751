//! Experiments: a job with its budget and the file its levels go to, as a TOML file.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::bfs::{self, ContainerKind, Control, Keep, Options, Outcome, default_dir, disk::Disk};
use crate::error::{Error, Result};
use crate::puzzle::{Puzzle, registry};
use crate::report::{levels_csv, parse_bytes, parse_duration};

/// One experiment.
pub struct Experiment {
    /// What is enumerated.
    pub puzzle: Box<dyn Puzzle>,
    /// With which budget.
    pub options: Options,
    /// In which directory.
    pub dir: PathBuf,
    /// Where the levels go.
    pub result: PathBuf,
}

/// The file, word by word.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Text {
    puzzle: String,
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
        let puzzle = registry::parse(&text.puzzle)?;
        let bytes = |size: Option<String>| size.as_deref().map(parse_bytes).transpose();
        let mut options = Options {
            memory: bytes(text.memory)?,
            threads: text.threads,
            max_level: text.max_level,
            disk_limit: bytes(text.disk_limit)?,
            container: text.container,
            keep: text.keep,
            scratch: text.scratch,
            ..Options::default()
        };
        if let Some(every) = text.checkpoint_every {
            options.checkpoint_every = parse_duration(&every)?;
        }
        let file = format!("results/{}.csv", registry::job_name(&*puzzle));
        Ok(Experiment {
            dir: text.dir.unwrap_or_else(|| default_dir(&*puzzle)),
            result: text.result.unwrap_or_else(|| file.into()),
            puzzle,
            options,
        })
    }

    /// Runs the job, or goes on with it, and writes the result.
    pub fn run(&self, control: Control<'_>) -> Result<Outcome> {
        let outcome = bfs::enumerate(&*self.puzzle, &self.dir, &self.options, control)?;
        let disk = Disk::new(None, 0);
        if let Some(parent) = self.result.parent()
            && !parent.as_os_str().is_empty()
        {
            disk.create_dir(parent)?;
        }
        let levels = levels_csv(&outcome.manifest.levels);
        disk.replace(&self.result, levels.as_bytes(), true)?;
        Ok(outcome)
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
        assert_eq!(experiment.options.memory, Some(64 << 20));
        assert_eq!(experiment.options.max_level, Some(3));
        assert_eq!(experiment.result, Path::new("results/wrapslide-4x4-2.csv"));
        assert_eq!(experiment.dir, Path::new("runs/wrapslide-4x4-2"));
    }

    #[test]
    fn mistakes_are_named() {
        assert!(refusal("memory = '1G'").contains("puzzle"));
        assert!(refusal("puzzle = 'wrapslide:5x5:2'").contains("5x5"));
        assert!(refusal("puzzle = 'wrapslide:4x4:2'\nmemry = '1G'").contains("memry"));
        assert!(refusal("puzzle = 'wrapslide:4x4:2'\nmemory = 'lots'").contains("lots"));
        assert!(refusal("puzzle = 'wrapslide:4x4:2'\ncontainer = 'tin'").contains("tin"));
        assert!(refusal("puzzle = ").contains("not an experiment"));
    }
}

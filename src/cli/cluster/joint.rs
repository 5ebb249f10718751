//! What the feature `cluster` adds: the arguments as settings, and how the job ended.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::ClusterArgs;
use crate::cli::enumerate::{EngineArgs, observed};
use crate::cli::{output, summary};
use crate::cluster::{self, Place, Settings};
use crate::engine::{Control, Job, parts};
use crate::error::{Error, Result, usage};
use crate::puzzle::{Conclusion, Enumeration, Rules, conclude, subject};

impl ClusterArgs {
    /// What the user asked for.
    fn settings(&self, puzzle: &dyn Rules, dir: &Path, engine: &EngineArgs) -> Result<Settings> {
        let cluster = self.cluster.clone().unwrap_or_default();
        if self.dead_after < Duration::from_millis(200) {
            return usage("`--dead-after` is at least 200ms".to_owned());
        }
        let text = cluster.to_str().unwrap_or_default();
        let number = |text: &str| text.parse::<usize>().ok();
        let place = if text == "slurm" {
            Place::Slurm
        } else if let Some(count) = text.strip_prefix("local:") {
            let Some(count) = number(count) else {
                return usage(format!("`{text}` does not say how many processes; write for example local:4"));
            };
            hosts_have_process(self.process, text)?;
            let mut arguments: Vec<OsString> =
                vec!["enumerate".into(), puzzle.text().into(), "--dir".into(), dir.into()];
            arguments.extend(engine.share(count)?.1);
            Place::Local(count, arguments)
        } else if let Some(joined) = text.strip_prefix("join:") {
            let parts = joined.rsplit_once('/').map(|(first, count)| (first, number(count), self.process));
            let Some((first, Some(count), Some(process))) = parts else {
                return usage("`--cluster join:` is for processes that another one starts".to_owned());
            };
            Place::Started(first.to_owned(), count, process)
        } else {
            Place::Hosts(cluster.clone().into(), self.process)
        };
        Ok(Settings { place, dead_after: self.dead_after, secret: self.secret.clone() })
    }
}

fn hosts_have_process(process: Option<usize>, text: &str) -> Result<()> {
    match process {
        None => Ok(()),
        Some(_) => usage(format!("`--process` is for a file with hosts, not for {text}: leave it out")),
    }
}

/// Runs one process of a job; the first shows how it ended.
pub fn walk(cluster: &ClusterArgs, puzzle: &dyn Rules, dir: &Path, arguments: &EngineArgs) -> Result<()> {
    let settings = cluster.settings(puzzle, dir, arguments)?;
    let mut options = arguments.options();
    if let Place::Local(count, _) = settings.place {
        options = arguments.share(count)?.0;
    }
    if !matches!(settings.place, Place::Started(..))
        && let Some(warning) = puzzle.warning()
    {
        output::warn(&warning);
    }
    let outcome = observed(arguments.output.quiet, |control| {
        let ended = cluster::enumerate(&subject(puzzle)?, dir, &options, &settings, control)?;
        if ended.process > 0 {
            return Ok(None);
        }
        let job = Job::open(dir)?;
        if parts::is_all_here(&subject(puzzle)?, dir, &job.manifest()?) {
            parts::gather(&subject(puzzle)?, dir, &options, control)?;
        } else {
            control.observer.announce("the level sets are on the machines of the other processes");
        }
        let manifest = job.manifest()?;
        let conclusion = match manifest.finished {
            true => conclusion(&job, puzzle, control)?,
            false => None,
        };
        Ok(Some(Enumeration { end: ended.end, manifest, conclusion }))
    })?;
    match outcome {
        Some(outcome) => output::print(&summary::show(puzzle, dir, &outcome, arguments.output.json)),
        None => Ok(()),
    }
}

/// What the levels show; nothing if that cannot be seen without bringing them together.
fn conclusion(job: &Job, puzzle: &dyn Rules, control: Control<'_>) -> Result<Option<Conclusion>> {
    let stopped = || Error::interrupted("stopped after the last level; all levels are safe");
    match conclude(job, puzzle, &job.manifest()?, &|| control.go_on(stopped)) {
        Err(Error::Misdirected { .. }) => Ok(None),
        other => other,
    }
}

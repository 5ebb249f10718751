//! Finds the job that a puzzle text or a directory means.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::bfs::{Job, default_dir};
use crate::error::{Error, Result, usage};
use crate::puzzle::{Puzzle, registry};

/// The job in a directory, or that of a puzzle: in `runs/` first, then in the user's cache.
pub fn job(target: &OsStr) -> Result<Job> {
    let dir = Path::new(target);
    let Some(target) = target.to_str() else {
        return Job::open(dir);
    };
    if dir.is_dir() || (target.contains('/') && !target.contains(':')) {
        return Job::open(dir);
    }
    if !target.contains(':') && registry::kind(target).is_err() {
        return usage(format!(
            "`{target}` is neither a directory here nor the text of a puzzle (`godnum puzzles` \
             lists those)"
        ));
    }
    let puzzle = registry::parse(target)?;
    let text = puzzle.text();
    let places = [Some(default_dir(&*puzzle)), cached(&*puzzle)];
    match places
        .iter()
        .flatten()
        .find(|p| p.join("job.json").exists())
    {
        Some(place) => Job::open(place),
        None => Err(Error::Usage(format!(
            "there is no job for {text} yet (looked in {}); `godnum enumerate {text}` makes it",
            places
                .iter()
                .flatten()
                .map(|place| place.display().to_string())
                .collect::<Vec<_>>()
                .join(" and ")
        ))),
    }
}

fn cached(puzzle: &dyn Puzzle) -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?;
    Some(cache.join("godnum").join(registry::job_name(puzzle)))
}

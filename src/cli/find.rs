//! Finds the job that a puzzle text or a directory means.

use std::ffi::OsStr;
use std::path::Path;

use crate::bfs::{Job, default_dir};
use crate::error::{Error, Result, usage};
use crate::puzzle::registry;
use crate::solve::cache;

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
    let places = [
        Some(default_dir(&*puzzle)),
        cache::directory().map(|cache| cache::job_dir(&cache, &*puzzle)),
    ];
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

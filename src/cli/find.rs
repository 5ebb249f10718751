//! Finds the job that a puzzle text or a directory means.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::engine::Job;
use crate::error::{Result, usage};
use crate::puzzle::{Rules, default_dir};
use crate::puzzles::registry;
use crate::solve::cache;
use crate::store::disk::{exists, is_dir};
use crate::study::count;

/// The job in a directory, or that of a puzzle: in `runs/` first, then in the user's cache.
pub fn job(target: &OsStr) -> Result<Job> {
    Job::open(&dir(target)?)
}

/// The directory that a target names, or the one that holds the job of the puzzle that it names: also a damaged job.
pub fn dir(target: &OsStr) -> Result<PathBuf> {
    let path = Path::new(target);
    let Some(target) = target.to_str() else {
        return Ok(path.to_owned());
    };
    if is_dir(path)? || (target.contains('/') && !target.contains(':')) {
        return Ok(path.to_owned());
    }
    let puzzle = puzzle(target)?;
    for place in places(&*puzzle) {
        // What is left of a job without its description can be named, too.
        for file in ["job.json", "manifest.json", "levels"] {
            if exists(&place.join(file))? {
                return Ok(place);
            }
        }
    }
    usage(missing(&*puzzle, &[]))
}

/// The same for work of any kind: if the puzzle has no job, its count.
pub fn work(target: &OsStr) -> Result<PathBuf> {
    let found = dir(target);
    if let (Err(_), Some(text)) = (&found, target.to_str())
        && let Ok(puzzle) = puzzle(text)
    {
        let count = count::default_dir(&*puzzle);
        if exists(&count.join("count.json"))? {
            return Ok(count);
        }
    }
    found
}

/// The puzzle that a text names, if it is not meant to be a directory.
pub fn puzzle(target: &str) -> Result<Box<dyn Rules>> {
    if !target.contains(':') && registry::kind(target).is_err() {
        return usage(format!(
            "`{target}` is neither an existing directory nor the text of a puzzle (`godnum puzzles` \
             lists those)"
        ));
    }
    registry::parse(target)
}

/// The job of a puzzle, if there is one: in `runs/`, or else in the user's cache.
pub fn job_of(puzzle: &dyn Rules) -> Result<Option<Job>> {
    for place in places(puzzle) {
        if exists(&place.join("job.json"))? {
            return Job::open(&place).map(Some);
        }
    }
    Ok(None)
}

/// The message that a puzzle has no job: where it was looked for (also in `others`), and how to create it.
pub fn missing(puzzle: &dyn Rules, others: &[PathBuf]) -> String {
    let places = places(puzzle);
    let places = places.iter().chain(others).map(|p| p.display().to_string());
    let text = puzzle.text();
    format!(
        "there is no job for {text} yet (looked in {}); `godnum enumerate {text}` creates it",
        places.collect::<Vec<_>>().join(" and ")
    )
}

fn places(puzzle: &dyn Rules) -> Vec<PathBuf> {
    let cache = cache::directory().map(|cache| cache::job_dir(&cache, puzzle));
    std::iter::once(default_dir(puzzle)).chain(cache).collect()
}

//! A puzzle's enumeration: its space and identity for the engine, and where its job is.

use std::path::{Path, PathBuf};

use super::{Conclusion, Rules, conclude};
use crate::engine::{self, Control, End, Identity, JOBS, Job, JobOutcome, Manifest, Options, Subject};
use crate::error::{Error, Result};
use crate::space::AnySpace;
use crate::text::file_name;

/// A puzzle as the engine sees it.
pub struct PuzzleSubject<'a> {
    puzzle: &'a dyn Rules,
    space: AnySpace<'a>,
}

impl Subject for PuzzleSubject<'_> {
    fn identity(&self) -> Identity {
        Identity {
            text: self.puzzle.text(),
            index_scheme: self.puzzle.index_scheme(),
            content: self.puzzle.content(),
            totals: self.puzzle.totals(),
        }
    }

    fn space(&self) -> AnySpace<'_> {
        self.space
    }
}

/// The puzzle as the engine sees it; an error if it has no index.
pub fn subject(puzzle: &dyn Rules) -> Result<PuzzleSubject<'_>> {
    let space = puzzle
        .space()
        .ok_or_else(|| Error::Usage(format!("{} cannot be enumerated: it has no index", puzzle.text())))?;
    Ok(PuzzleSubject { puzzle, space })
}

/// The name that a puzzle's job directory and result files have. A text that names a file is told
/// from the same text for another content.
pub fn job_name(puzzle: &dyn Rules) -> String {
    let name = file_name(&puzzle.text());
    match puzzle.content() {
        Some(content) => format!("{name}-{:08x}", content >> 32),
        None => name,
    }
}

/// Where a puzzle's job is by default.
pub fn default_dir(puzzle: &dyn Rules) -> PathBuf {
    Path::new(JOBS).join(job_name(puzzle))
}

/// What an enumeration of a puzzle came to.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// How it ended.
    pub end: End,
    /// Everything that is on disk.
    pub manifest: Manifest,
    /// What the levels show, if they are all there.
    pub conclusion: Option<Conclusion>,
}

/// Enumerates a puzzle in the directory `dir`: starts the job, resumes it, or, if it is finished,
/// returns how it ended.
pub fn enumerate(
    puzzle: &dyn Rules,
    dir: &Path,
    options: &Options,
    control: Control<'_>,
) -> Result<Enumeration> {
    let JobOutcome { end, manifest } = engine::enumerate(&subject(puzzle)?, dir, options, control)?;
    let conclusion = match end {
        End::Finished => {
            let stopped = || Error::interrupted("stopped after the last level; all levels are safe");
            conclude(&Job::open(dir)?, puzzle, &manifest, &|| control.go_on(stopped))?
        }
        End::AtMaxLevel => None,
    };
    Ok(Enumeration { end, manifest, conclusion })
}

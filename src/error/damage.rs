//! What is known about how to replace a damaged file by an intact one.

use std::path::PathBuf;

/// How to get an intact file in place of a damaged one, as far as that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repair {
    /// The file cannot be computed from others: only a copy helps, or starting again.
    Restore,
    /// Another version of this program wrote the file.
    OtherVersion,
    /// The file that the puzzle's text names was changed after the work began.
    PuzzleFile,
    /// A level set or a run: it can be computed again from the levels before it.
    Level {
        /// The job, once it is known.
        job: Option<PathBuf>,
        /// The level that the file belongs to.
        level: u32,
    },
    /// `job.json` or `manifest.json`: it can be rebuilt from level sets.
    Rebuild {
        /// The job.
        job: PathBuf,
        /// The level sets 0 to this one can be used; `None` if the first ones cannot.
        last: Option<u32>,
        /// Whether every byte of them was read.
        checked: bool,
        /// What else is possible.
        otherwise: Box<Repair>,
    },
    /// A level set that is needed to rebuild the manifest.
    RebuildBefore {
        /// The job.
        job: PathBuf,
        /// The level.
        level: u32,
    },
    /// Several files of a job, after a check of all of them.
    Job(JobDamage),
    /// The files are as they were written, but a complete check of the job can tell more.
    Verify(PathBuf),
    /// A file that the user handed in: it can be written again by what it came from.
    Rewrite(FileOrigin),
}

/// What a check of all files of a job found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobDamage {
    /// The job.
    pub job: PathBuf,
    /// What it enumerates.
    pub puzzle: String,
    /// The first level whose set is kept.
    pub kept_from: u32,
    /// The last level that the manifest names.
    pub last: u32,
    /// The first and the last damaged level set.
    pub levels: Option<(u32, u32)>,
    /// Whether a file of the level under way is damaged.
    pub checkpoint: bool,
}

impl JobDamage {
    /// The last level from which the job can be resumed: a level is computed out of the two before
    /// it, so two intact ones are needed, or the first alone.
    pub fn usable(&self) -> Option<u32> {
        let Some((first, _)) = self.levels else {
            return Some(self.last);
        };
        let before = first.checked_sub(1)?;
        (before == 0 && self.kept_from == 0 || before > self.kept_from).then_some(before)
    }
}

/// What a file that a user handed in comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileOrigin {
    /// A table of levels.
    Levels,
    /// A table for a picture: of levels, or of a sample.
    Table,
    /// A saved game.
    Game,
    /// Something else: it is not a file of this program.
    Foreign,
}

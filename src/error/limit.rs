//! Limits: what was needed, what was allowed, and who allowed no more.

use std::fmt;
use std::path::PathBuf;

use crate::text::{bytes, count};

/// A limit that was reached, and what is kept of the work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Which limit.
    pub kind: LimitKind,
    /// What is safe of the job that reached it.
    pub saved: Option<Saved>,
}

/// What is safe of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The number of stored levels, from 0 on.
    pub levels: usize,
    /// Whether that is everything that was computed.
    pub all: bool,
}

/// Which limit was reached.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LimitKind {
    /// The memory budget.
    #[error("{what} needs at least {} of memory, but {} may be used", bytes(*needed), bytes(*allowed))]
    Memory {
        /// What needs memory, with its amount of threads or its width.
        what: String,
        /// Bytes that it needs at least.
        needed: u64,
        /// Bytes that it may use.
        allowed: u64,
        /// What would need less.
        or: Alternative,
    },
    /// The memory budget would cut a bitmap into too many passes.
    #[error(
        "a bitmap of {} indices takes {}, which this memory budget would cut into {} passes",
        count(*universe),
        bytes(u64::try_from(universe.div_ceil(8)).unwrap_or(u64::MAX)),
        count(*passes)
    )]
    Passes {
        /// Indices.
        universe: u128,
        /// Passes.
        passes: u128,
    },
    /// The next level is not expected to fit on a disk.
    #[error(
        "level {level} is not expected to fit: about {} classes from up to {} candidates are expected, which takes \
         about {} on disk ({} for the level set, {} for runs), and {bound} {}",
        count(*classes), count(*candidates), bytes(*needed), bytes(*set), bytes(*runs), bytes(*left)
    )]
    Level {
        /// Which level.
        level: u32,
        /// Classes that it is expected to have.
        classes: u128,
        /// Candidates that it is made of, at most.
        candidates: u128,
        /// Bytes of its level set.
        set: u64,
        /// Bytes of its runs.
        runs: u64,
        /// Bytes needed on this disk.
        needed: u64,
        /// Bytes left there.
        left: u64,
        /// Which bound it exceeds.
        bound: DiskBound,
    },
    /// A write would exceed the disk limit.
    #[error("writing {} would exceed the disk limit of {}", path.display(), bytes(*limit))]
    Disk {
        /// The file.
        path: PathBuf,
        /// Bytes that are allowed.
        limit: u64,
    },
    /// The system refused a resource.
    #[error("the system refused {resource}{}", cause.as_ref().map_or(String::new(), |cause| format!(" ({cause})")))]
    Refused {
        /// Which.
        resource: Resource,
        /// What the system reported.
        cause: Option<String>,
    },
    /// A limit that no option can raise.
    #[error("{0}")]
    Other(String),
}

/// What needs less memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Alternative {
    /// Nothing.
    None,
    /// Fewer threads.
    FewerThreads,
    /// Another solver.
    OtherSolver,
    /// A beam of smaller width.
    SmallerWidth,
}

/// Where a level has to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiskBound {
    /// Within the user's disk limit.
    #[error("the disk limit leaves")]
    Limit,
    /// On the job's disk.
    #[error("the disk has")]
    JobDisk,
    /// On the disk that runs go to.
    #[error("the scratch disk has")]
    ScratchDisk,
}

/// What only the system can grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Resource {
    /// Bytes of memory.
    #[error("{} of memory", bytes(*.0))]
    Memory(u64),
    /// Threads.
    #[error("{0} threads")]
    Threads(usize),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)?;
        self.saved.map_or(Ok(()), |saved| write!(f, ". {saved}"))
    }
}

impl fmt::Display for Saved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.levels.checked_sub(1) {
            Some(last) => write!(f, "Levels 0 to {last} are safe")?,
            None => write!(f, "No level is safe yet")?,
        }
        if self.all { Ok(()) } else { write!(f, "; what else was computed could not be stored") }
    }
}

/// Too many files are open: in this process, or in the whole system.
const TOO_MANY_FILES: [i32; 2] = [24, 23];

/// Whether the system refused more than it allows a process: memory, open files, a file's length.
pub(super) fn is_limit(source: &std::io::Error) -> bool {
    use std::io::ErrorKind::*;
    matches!(source.kind(), FileTooLarge | OutOfMemory) || is_too_many_files(source)
}

/// Whether the system refused to open one more file.
pub(crate) fn is_too_many_files(source: &std::io::Error) -> bool {
    let code = source.raw_os_error();
    code.is_some_and(|code| TOO_MANY_FILES.contains(&code))
}

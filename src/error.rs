//! What went wrong and where, as data.
//!
//! An [`Error`] holds facts: which file, which job, which level, which limit, which cause. Its
//! `Display` is one factual sentence that suits any program. What a user of the command line can do
//! about it (which command to run, which option to change) is derived from the same facts in one
//! place, [`cli::explain`](crate::cli::explain).
//!
//! - Code that does not know which job a file belongs to leaves the field empty; the code that opened
//!   the job fills it with [`Error::in_job`].
//! - A user's mistake carries the fact as text, because the parser that found it knows best
//!   what was wrong and where. What is accepted belongs to it; a command line does not.
//! - What happens after an error is decided by its variant and fields, never by its text.

mod damage;
mod limit;

use std::fmt;
use std::path::{Path, PathBuf};

pub use damage::{FileOrigin, JobDamage, Repair};
pub(crate) use limit::is_too_many_files;
pub use limit::{Alternative, DiskBound, Limit, LimitKind, Resource, Saved};

use crate::text::{Malformed, count};

/// The result of everything that can fail in this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Refuses something as a user's mistake.
pub(crate) fn usage<T>(why: impl Into<String>) -> Result<T> {
    Err(Error::Usage(why.into()))
}

/// Every failure a user can meet, by kind; each kind has one exit code.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text, an option or a state that cannot be understood or does not apply: what is wrong
    /// with it.
    #[error("{0}")]
    Usage(String),
    /// The same, where another request would give what was probably wanted.
    #[error("{fact}")]
    Misdirected {
        /// What is wrong.
        fact: String,
        /// What to ask for.
        instead: Instead,
    },
    /// A directory holds something other than what it was opened as.
    #[error("{} {holds}", dir.display())]
    Directory {
        /// The directory.
        dir: PathBuf,
        /// What is in it.
        holds: Holds,
    },
    /// The operating system refused to read or write something.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: IoAction,
        /// On which file, directory or address.
        path: PathBuf,
        /// What the system reported.
        source: std::io::Error,
    },
    /// The work does not fit in what the user or the machine allows.
    #[error("{0}")]
    Limit(Box<Limit>),
    /// A number does not add up, or a stored claim turned out false.
    #[error("{fact}")]
    Verification {
        /// What contradicts what.
        fact: String,
        /// The job whose files it is about, if a complete check of them could tell more.
        job: Option<PathBuf>,
    },
    /// A file is damaged, of another version, or not ours.
    #[error("{}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
        /// What is known about how to get an intact one.
        repair: Box<Repair>,
    },
    /// Another process works on the job.
    #[error("the job in {} is being worked on by {}", dir.display(), process(*pid))]
    Locked {
        /// The job directory.
        dir: PathBuf,
        /// The process that holds the lock; `None` if it only reads, or did not write its number.
        pid: Option<u32>,
    },
    /// Another process that computes the same job was lost, or gave up.
    #[error("process {process} ({place}) {how}")]
    Lost {
        /// Which process.
        process: usize,
        /// Where it was.
        place: String,
        /// What happened to it, as far as that is known.
        how: String,
    },
    /// The user asked to stop.
    #[error("{0}")]
    Interrupted(Interruption),
}

/// What to ask for instead of what was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Instead {
    /// First an enumeration of this puzzle: what was asked for reads its job.
    EnumerateFirst(String),
    /// An enumeration of this puzzle.
    Enumerate(String),
    /// The number of solutions of this puzzle.
    Count(String),
    /// A puzzle of one of the listed kinds.
    Kinds,
    /// This, which is spelled nearly alike: a puzzle, a solver.
    Meant(String),
    /// First to bring the parts of this job together.
    Gather(PathBuf),
    /// A solver of those that this puzzle has.
    Solvers(String),
    /// A puzzle that can be solved in two stages; this one cannot, but perhaps it can be enumerated.
    Staged(String),
}

/// What a directory is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkKind {
    /// An enumeration.
    #[error("job")]
    Job,
    /// A count of solutions.
    #[error("count")]
    Count,
    /// A sample of lengths.
    #[error("sample")]
    Sample,
    /// A proof of an upper bound.
    #[error("proof")]
    Proof,
    /// A witness of a lower bound.
    #[error("witness")]
    Witness,
    /// A hunt for states that are far away.
    #[error("hunt")]
    Hunt,
}

/// What a directory holds instead of what it was opened as.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Holds {
    /// No job.
    #[error("holds no job (there is no job.json in it)")]
    NoJob,
    /// A count or a sample where a job was expected.
    #[error("holds a {0}, not a job")]
    OtherWork(WorkKind),
    /// Work of the right kind on something else.
    #[error("holds another {work}: {held}, not {wanted}")]
    Another {
        /// Which kind.
        work: WorkKind,
        /// What the work in the directory is about.
        held: String,
        /// What was asked for.
        wanted: String,
    },
    /// A file that no work of this kind has.
    #[error("holds something other than a {work}: {}", path.display())]
    Foreign {
        /// What the directory should hold.
        work: WorkKind,
        /// The first file that does not belong there.
        path: PathBuf,
    },
}

/// What was tried when the system refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the names are the verbs")]
pub enum IoAction {
    #[error("open")]
    Open,
    #[error("read")]
    Read,
    #[error("list the files in")]
    List,
    #[error("look for")]
    LookFor,
    #[error("find the path of")]
    Resolve,
    #[error("create")]
    Create,
    #[error("create the directory")]
    CreateDirectory,
    #[error("reopen")]
    Reopen,
    #[error("write")]
    Write,
    #[error("write to")]
    WriteTo,
    #[error("sync")]
    Sync,
    #[error("rename to")]
    RenameTo,
    #[error("delete")]
    Delete,
    #[error("lock")]
    Lock,
    #[error("listen on")]
    ListenOn,
    #[error("connect to")]
    ConnectTo,
}

impl IoAction {
    /// Whether it needs no more than the right to read.
    pub fn only_reads(self) -> bool {
        use IoAction::*;
        matches!(self, Open | Read | List | LookFor | Resolve)
    }
}

/// Where work was stopped, and what is kept of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Interruption {
    /// An enumeration.
    Level {
        /// The job.
        job: PathBuf,
        /// The level under way; all levels before it are safe.
        level: u32,
        /// Whether everything done of that level is saved.
        saved: bool,
    },
    /// A count or a sample.
    Parts {
        /// Which of the two.
        work: WorkKind,
        /// Where the finished parts are.
        dir: PathBuf,
        /// How many are finished.
        done: u64,
        /// How many there are.
        all: u64,
    },
    /// Anything else, of which nothing is kept.
    Other(String),
}

impl fmt::Display for Interruption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Interruption::Level { level, saved, .. } => {
                let rest = match saved {
                    true => "its progress is saved",
                    false => "its progress since the last checkpoint will be repeated",
                };
                write!(f, "stopped in level {level}; all levels before it are safe, and {rest}")
            }
            Interruption::Parts { work, dir, done, all } => {
                let parts = match work {
                    WorkKind::Sample => "instances",
                    WorkKind::Proof => "blocks of classes",
                    WorkKind::Hunt => "boards",
                    _ => "parts",
                };
                let (done, all) = (count((*done).into()), count((*all).into()));
                let dir = dir.display();
                write!(f, "stopped with {done} of {all} {parts} done; they are kept in {dir}")
            }
            Interruption::Other(fact) => f.write_str(fact),
        }
    }
}

impl From<Malformed> for Error {
    fn from(Malformed(why): Malformed) -> Self {
        Error::Usage(why)
    }
}

impl From<LimitKind> for Error {
    fn from(kind: LimitKind) -> Self {
        Error::Limit(Box::new(Limit { kind, saved: None }))
    }
}

impl Error {
    /// Wraps what the system reported about `path`.
    pub fn io(action: IoAction, path: &Path, source: std::io::Error) -> Self {
        Error::Io { action, path: path.to_owned(), source }
    }

    /// A damaged or foreign file.
    pub fn damaged(path: &Path, what: impl Into<String>, repair: Repair) -> Self {
        Error::Damaged { path: path.to_owned(), what: what.into(), repair: Box::new(repair) }
    }

    /// A limit that no option can raise.
    pub fn limit(fact: impl Into<String>) -> Self {
        LimitKind::Other(fact.into()).into()
    }

    /// Something that does not add up.
    pub fn verification(fact: impl Into<String>) -> Self {
        Error::Verification { fact: fact.into(), job: None }
    }

    /// Work that was stopped and of which nothing is kept.
    pub fn interrupted(fact: impl Into<String>) -> Self {
        Error::Interrupted(Interruption::Other(fact.into()))
    }

    /// The same error, of a file of the job in `dir`: fills the field where it is empty.
    #[must_use]
    pub fn in_job(mut self, dir: &Path) -> Self {
        let job = match &mut self {
            Error::Verification { job, .. } => Some(job),
            Error::Damaged { repair, .. } => match &mut **repair {
                Repair::Level { job, .. } => Some(job),
                _ => None,
            },
            _ => None,
        };
        if let Some(job @ None) = job {
            *job = Some(dir.to_owned());
        }
        self
    }

    /// The same error, met while reading `file`: a fact that does not name a file is prefixed with it.
    #[must_use]
    pub(crate) fn in_file(mut self, file: &Path) -> Self {
        let fact = match &mut self {
            Error::Usage(fact) | Error::Misdirected { fact, .. } | Error::Verification { fact, .. } => {
                Some(fact)
            }
            Error::Limit(limit) => match &mut limit.kind {
                LimitKind::Other(fact) | LimitKind::Memory { what: fact, .. } => Some(fact),
                _ => None,
            },
            _ => None,
        };
        if let Some(fact) = fact {
            *fact = format!("{}: {fact}", file.display());
        }
        self
    }

    /// The process exit code of this kind of failure.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Io { source, .. } if limit::is_limit(source) => 3,
            Error::Io { .. } => 1,
            Error::Usage(_) | Error::Misdirected { .. } | Error::Directory { .. } => 2,
            Error::Limit(_) => 3,
            Error::Verification { .. } => 4,
            Error::Damaged { .. } => 5,
            Error::Locked { .. } => 6,
            Error::Lost { .. } => 7,
            Error::Interrupted(_) => 130,
        }
    }
}

/// A process in words.
pub(crate) fn process(pid: Option<u32>) -> String {
    pid.map_or("another process".into(), |pid| format!("process {pid}"))
}

//! What can go wrong, said in sentences, and which exit code each kind has.

use std::path::{Path, PathBuf};

use crate::text::{Malformed, quoted};

/// The result of everything that can fail in this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Refuses something as a user's mistake.
pub(crate) fn usage<T>(why: impl Into<String>) -> Result<T> {
    Err(Error::Usage(why.into()))
}

/// What helps when a file of a level is damaged.
pub(crate) const GO_BACK: &str = "go back to the last whole level with \
    `godnum resume DIR --from-level L`, or start again with `godnum enumerate ... --fresh`";

/// What helps when a level set or a run is damaged, with the job and the level as far as the
/// file's path tells them.
pub(crate) fn go_back(path: &Path) -> String {
    let folder = path.parent().unwrap_or(path);
    let inside = folder.ends_with("levels") || folder.ends_with("scratch");
    let dir = folder
        .parent()
        .filter(|_| inside)
        .map_or("DIR".into(), quoted);
    let name = path.file_name().and_then(|name| name.to_str());
    let number = name.and_then(|name| name.split(['.', '-']).next());
    match number.and_then(|number| number.parse::<u32>().ok()) {
        Some(level) if level > 0 => format!(
            "`godnum verify {dir}` tells which levels are sound; if all before level {level} are, \
             `godnum resume {dir} --from-level {}` computes the rest again",
            level - 1
        ),
        _ => format!("`godnum verify {dir}` tells which levels are sound"),
    }
}

/// Every failure a user can meet. Each message names what, where and what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A text, an option or a state that cannot be understood or does not apply.
    #[error("{0}")]
    Usage(String),
    /// The operating system refused to read or write something.
    #[error("cannot {action} {}: {source}{}", path.display(), remedy(action, source))]
    Io {
        /// What was tried, as a verb: "write", "create".
        action: &'static str,
        /// On which file or directory.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The job does not fit in what the user or the machine allows.
    #[error("{0}")]
    Limit(String),
    /// A number does not add up, or a stored claim turned out false.
    #[error("{0}")]
    Verification(String),
    /// A file is damaged, of another version, or not ours.
    #[error("{}: {what}; {remedy}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
        /// What the user can do.
        remedy: String,
    },
    /// Another process works on the job.
    #[error("the job in {} is being worked on by {}; wait for it{}", dir.display(), process(*pid), end_it(*pid))]
    Locked {
        /// The job directory.
        dir: PathBuf,
        /// The process that holds the lock; `None` if it only reads, or did not say who it is.
        pid: Option<u32>,
    },
    /// The user asked to stop; the sentence says how to go on.
    #[error("{0}")]
    Interrupted(String),
}

impl From<Malformed> for Error {
    fn from(Malformed(why): Malformed) -> Self {
        Error::Usage(why)
    }
}

impl Error {
    /// Wraps what the system said about `path`.
    pub fn io(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        Error::Io {
            action,
            path: path.to_owned(),
            source,
        }
    }

    /// A damaged or foreign file.
    pub fn damaged(path: &Path, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Error::Damaged {
            path: path.to_owned(),
            what: what.into(),
            remedy: remedy.into(),
        }
    }

    /// The same, with the job's directory in the commands that help, where a file's path did not
    /// tell it.
    pub(crate) fn in_job(mut self, dir: &Path) -> Self {
        if let Error::Damaged { remedy, .. } = &mut self {
            *remedy = remedy.replace(" DIR", &format!(" {}", quoted(dir)));
        }
        self
    }

    /// The process exit code of this kind of failure.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Io { source, .. } if is_limit(source) => 3,
            Error::Io { .. } => 1,
            Error::Usage(_) => 2,
            Error::Limit(_) => 3,
            Error::Verification(_) => 4,
            Error::Damaged { .. } => 5,
            Error::Locked { .. } => 6,
            Error::Interrupted(_) => 130,
        }
    }
}

/// A process in words.
pub(crate) fn process(pid: Option<u32>) -> String {
    pid.map_or("another process".into(), |pid| format!("process {pid}"))
}

fn end_it(pid: Option<u32>) -> String {
    pid.map_or(String::new(), |pid| {
        format!(", or stop it with `kill {pid}`")
    })
}

/// Too many files are open: in this process, or in the whole system.
const TOO_MANY_FILES: [i32; 2] = [24, 23];

/// Whether the system refused more than it allows a process: memory, open files, a file's length.
fn is_limit(source: &std::io::Error) -> bool {
    use std::io::ErrorKind::*;
    let code = source.raw_os_error();
    matches!(source.kind(), FileTooLarge | OutOfMemory)
        || code.is_some_and(|code| TOO_MANY_FILES.contains(&code))
}

/// What is done with files that are only read.
const READING: [&str; 4] = ["open", "read", "look into", "look for"];

/// What is done with ports.
pub(crate) const LISTEN: &str = "listen on";

/// What usually helps, for the system errors that users meet most.
fn remedy(action: &str, source: &std::io::Error) -> &'static str {
    use std::io::ErrorKind::*;
    match source.kind() {
        StorageFull | QuotaExceeded => {
            " (free some space; a job or a sample then goes on if the same command is run again)"
        }
        AddrInUse => {
            " (another program listens there: choose another port with --port, or any free one with \
             --port 0)"
        }
        PermissionDenied if action == LISTEN => {
            " (not every port is for everybody: choose another one with --port)"
        }
        PermissionDenied if READING.contains(&action) => " (you need the right to read it)",
        PermissionDenied | ReadOnlyFilesystem => {
            " (choose a place you may write to, with --dir or --scratch, for tables with XDG_CACHE_HOME)"
        }
        FileTooLarge => {
            " (raise the limit on file sizes, `ulimit -f`, and run the same command again)"
        }
        OutOfMemory => " (allow more memory, `ulimit -v`, or run it again with a smaller --memory)",
        _ if is_limit(source) => {
            " (raise the limit on open files, `ulimit -n`, and run the same command again)"
        }
        _ => "",
    }
}

//! The lock of a job, and the progress that its holder publishes.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::disk;
use crate::error::{Error, IoAction, Result};
use crate::text::duration;

/// The lock of a job: held by the process that works on it, and its live progress.
///
/// The system releases it when the process ends, however it ends.
#[derive(Debug)]
#[must_use = "dropping a lock releases it"]
pub struct Lock {
    file: File,
}

/// The length of what it publishes.
const LENGTH: usize = 256;

/// What a running process publishes in the lock file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Pulse {
    /// Process number.
    pub pid: u32,
    /// The level under way.
    pub level: u32,
    /// What is being done with it.
    pub phase: String,
    /// Steps done ...
    pub done: u64,
    /// ... out of these.
    pub total: u64,
    /// Seconds spent on this level by this process.
    pub seconds: u64,
    /// Seconds left of what is being done, as far as can be estimated.
    pub left: Option<u64>,
}

impl std::fmt::Display for Pulse {
    /// How far the work is, in a sentence.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "level {}: {}", self.level, self.phase)?;
        if self.total > 0 {
            let share = 100.0 * self.done as f64 / self.total as f64;
            write!(f, ", {share:.0} % done")?;
        }
        let seconds = |s| match s {
            0..60 => format!("{s} s"),
            _ => duration(Duration::from_secs(s)),
        };
        write!(f, ", {} so far", seconds(self.seconds))?;
        match self.left {
            Some(left) => write!(f, ", about {} left in this step", seconds(left)),
            None => Ok(()),
        }
    }
}

impl Lock {
    /// Takes the lock of the job in `dir`; an error names the process that holds it.
    pub fn take(dir: &Path) -> Result<Lock> {
        let path = dir.join("lock");
        // The process that was last seen to hold it: it may be gone when that is reported.
        let mut seen = None;
        // `status` holds a shared lock for an instant: try again before refusing.
        for _ in 0..20 {
            let opened = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&path);
            let file = match opened {
                // A process that had nothing to keep has just taken the directory away.
                Err(e) if e.kind() == ErrorKind::NotFound && !dir.exists() => {
                    fs::create_dir_all(dir).map_err(|e| Error::io(IoAction::Create, dir, e))?;
                    continue;
                }
                other => other.map_err(|e| Error::io(IoAction::Create, &path, e))?,
            };
            match file.try_lock() {
                Ok(()) => {
                    if is_at(&file, &path).map_err(|e| Error::io(IoAction::LookFor, &path, e))? {
                        let lock = Lock { file };
                        lock.tell(&Pulse::default());
                        return Ok(lock);
                    }
                    // It was deleted before it was ours, and another may have taken its place.
                }
                Err(TryLockError::WouldBlock) => {
                    seen = pid(&file).or(seen);
                    drop(file);
                    std::thread::sleep(Duration::from_millis(10));
                }
                Err(TryLockError::Error(e)) => return Err(Error::io(IoAction::Lock, &path, e)),
            }
        }
        Err(Error::Locked { dir: dir.to_owned(), pid: seen })
    }

    /// Keeps other processes from changing the job in `dir` while it is only read, as long as what
    /// is returned lives. Refused while one works on it. Without a lock file, no process ever worked there.
    pub fn share(dir: &Path) -> Result<Option<Lock>> {
        let path = dir.join("lock");
        let file = match disk::open(&path) {
            // What is not a regular file is held by no process.
            Err(e)
                if matches!(
                    e.kind(),
                    ErrorKind::NotFound | ErrorKind::PermissionDenied | ErrorKind::InvalidInput
                ) =>
            {
                return Ok(None);
            }
            opened => opened.map_err(|e| Error::io(IoAction::Open, &path, e))?,
        };
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => Err(Error::Locked { dir: dir.to_owned(), pid: pid(&file) }),
            _ => Ok(Some(Lock { file })),
        }
    }

    /// Publishes how far the work is. Failures are ignored.
    pub fn tell(&self, pulse: &Pulse) {
        use std::os::unix::fs::FileExt;
        let pulse = Pulse { pid: std::process::id(), ..pulse.clone() };
        let mut text = serde_json::to_vec(&pulse).unwrap_or_default();
        // One write of one length, so that a reader never sees half of it.
        text.resize(LENGTH, b' ');
        text[LENGTH - 1] = b'\n';
        let _ = self.file.write_all_at(&text, 0);
    }

    /// The process that works on the job in `dir` now, if any.
    pub fn holder(dir: &Path) -> Option<Pulse> {
        worker(&disk::open(&dir.join("lock")).ok()?)
    }
}

impl Drop for Lock {
    /// Closing the file would not be enough at once: a process that is just being started has it open,
    /// too, until it has become another program.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// Who has a lock file for itself; it need not have said anything yet.
fn worker(file: &File) -> Option<Pulse> {
    if !matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)) {
        return None;
    }
    let mut text = String::new();
    let pulse = file.take(LENGTH as u64).read_to_string(&mut text).ok();
    let pulse = pulse.and_then(|_| serde_json::from_str(text.trim()).ok());
    Some(pulse.unwrap_or_default())
}

/// The process that has a lock file for itself, if it has said so.
fn pid(file: &File) -> Option<u32> {
    worker(file).map(|pulse| pulse.pid).filter(|&pid| pid > 0)
}

/// Whether a path still leads to a file.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let identity = |found: Metadata| (found.dev(), found.ino());
    match fs::metadata(path) {
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(false),
        named => Ok(identity(named?) == identity(file.metadata()?)),
    }
}

//! The lock of a job, and the progress that its holder publishes.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

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
const LENGTH: usize = 512;
/// A process reports every second. One that has not for this long is stopped, or waits for a disk.
const SILENT: Duration = Duration::from_secs(10);

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
    /// When this was reported, in seconds since 1970; 0 where that is not known.
    #[serde(default)]
    pub at: u64,
    /// Of all states there are, how many are in levels that are done, in millionths; if that is known.
    #[serde(default)]
    pub known: Option<u64>,
    /// Seconds spent on the whole job, in all of its runs.
    #[serde(default)]
    pub job_seconds: u64,
    /// Seconds left of the whole job, as far as can be estimated.
    #[serde(default)]
    pub job_left: Option<u64>,
}

/// Seconds, with a unit that fits.
fn seconds(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        _ => duration(Duration::from_secs(seconds)),
    }
}

impl Pulse {
    /// How far the whole job is, in a sentence; nothing where nothing is known of it.
    pub fn of_job(&self) -> Option<String> {
        let share = self.known.map(|known| format!("{:.2} % of all states known, ", known as f64 / 1e4));
        let left = self.job_left.map(|left| format!(", about {} left", seconds(left)));
        (share.is_some() || left.is_some()).then(|| {
            format!(
                "{}{} so far{}",
                share.unwrap_or_default(),
                seconds(self.job_seconds),
                left.unwrap_or_default()
            )
        })
    }

    /// For how long the process has not reported, if that is longer than a working process takes.
    pub fn silence(&self) -> Option<Duration> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
        let silent = now.checked_sub(Duration::from_secs(self.at))?;
        (self.at > 0 && silent >= SILENT).then_some(silent)
    }

    /// Whether the process is suspended, as by Ctrl-Z or `kill -STOP`; only known of one on this machine.
    pub fn is_suspended(&self) -> bool {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid)).unwrap_or_default();
        let state = status.lines().find_map(|line| line.strip_prefix("State:"));
        state.is_some_and(|state| state.trim_start().starts_with(['T', 't']))
    }
}

impl std::fmt::Display for Pulse {
    /// How far the work is, in a sentence.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "level {}: {}", self.level, self.phase)?;
        if self.total > 0 {
            let share = 100.0 * self.done as f64 / self.total as f64;
            write!(f, ", {share:.0} % done")?;
        }
        write!(f, ", {} so far", seconds(self.seconds))?;
        match self.left {
            Some(left) => write!(f, ", about {} left in this step", seconds(left)),
            None => Ok(()),
        }
    }
}

/// How often a lock is tried to be taken.
const TRIES: u32 = 20;

impl Lock {
    /// Takes the lock of the job in `dir`; an error names the process that holds it.
    pub fn take(dir: &Path) -> Result<Lock> {
        let path = dir.join("lock");
        // The process that was last seen to hold it: it may be gone when that is reported.
        let mut seen = None;
        // `status` holds a shared lock for an instant: try again before refusing.
        for attempt in 0..TRIES {
            let opened = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&path);
            let file = match opened {
                // A process that had nothing to keep has just taken the directory away.
                // Another may be back already, so whether it exists now says nothing.
                Err(e) if e.kind() == ErrorKind::NotFound && attempt + 1 < TRIES => {
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
        let at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
        let pulse = Pulse { pid: std::process::id(), at, ..pulse.clone() };
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

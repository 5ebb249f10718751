//! The lock of a job, and what its holder tells the world.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The lock of a job: held by the process that works on it, and its live progress.
///
/// The system releases it when the process ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

/// The length of what it tells.
const LENGTH: usize = 256;

/// What a running process tells about itself in the lock file.
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
    /// Seconds left of what is being done, as far as can be told.
    pub left: Option<u64>,
}

impl Lock {
    /// Takes the lock of the job in `dir`, or says who holds it.
    pub fn take(dir: &Path) -> Result<Lock> {
        let path = dir.join("lock");
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .map_err(|e| Error::io("create", &path, e))?;
        // `status` holds a shared lock for an instant: try again before refusing.
        for _ in 0..20 {
            match file.try_lock() {
                Ok(()) => {
                    let lock = Lock { file };
                    lock.tell(&Pulse::default());
                    return Ok(lock);
                }
                Err(std::fs::TryLockError::WouldBlock) => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                Err(std::fs::TryLockError::Error(e)) => return Err(Error::io("lock", &path, e)),
            }
        }
        let pid = read_pulse(&file).map_or("unknown".into(), |pulse| pulse.pid.to_string());
        Err(Error::Locked {
            dir: dir.to_owned(),
            pid,
        })
    }

    /// Tells the world how far the work is. Only a courtesy: failures are ignored.
    pub fn tell(&self, pulse: &Pulse) {
        use std::os::unix::fs::FileExt;
        let pulse = Pulse {
            pid: std::process::id(),
            ..pulse.clone()
        };
        let mut text = serde_json::to_vec(&pulse).unwrap_or_default();
        // One write of one length, so that a reader never sees half of it.
        text.resize(LENGTH, b' ');
        text[LENGTH - 1] = b'\n';
        let _ = self.file.write_all_at(&text, 0);
    }

    /// Who works on the job in `dir` now, if anybody.
    pub fn holder(dir: &Path) -> Option<Pulse> {
        let file = File::open(dir.join("lock")).ok()?;
        match file.try_lock_shared() {
            Err(std::fs::TryLockError::WouldBlock) => read_pulse(&file).or(Some(Pulse::default())),
            _ => None,
        }
    }
}

fn read_pulse(file: &File) -> Option<Pulse> {
    let mut text = String::new();
    file.take(LENGTH as u64).read_to_string(&mut text).ok()?;
    serde_json::from_str(text.trim()).ok()
}

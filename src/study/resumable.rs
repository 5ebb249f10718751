//! Long work that falls into numbered parts, with a directory of its own that remembers which are
//! done: what counting and sampling share.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::engine::Control;
use crate::error::{Error, Holds, Interruption, Result, WorkKind};
use crate::solve::cache;
use crate::store::disk::{self, Disk};
use crate::store::files::{self, Files};
use crate::store::{Lock, par_map};

/// What the user allows a count or a sample. All of it may change from one run to the next.
#[derive(Clone, Debug)]
pub struct StudyOptions {
    /// Bytes of memory; `None`: three quarters of what is free.
    pub memory: Option<u64>,
    /// Threads; `None`: one for every core. Fewer are used if memory is not enough for that many.
    pub threads: Option<usize>,
    /// Where solvers keep their tables, if there is a place.
    pub cache: Option<PathBuf>,
    /// Changes files.
    pub files: Arc<dyn Files>,
}

impl StudyOptions {
    /// What the user allows, with tables in the cache.
    pub fn within(memory: Option<u64>, threads: Option<usize>) -> Self {
        StudyOptions { memory, threads, cache: cache::directory(), ..StudyOptions::default() }
    }
}

impl Default for StudyOptions {
    fn default() -> Self {
        StudyOptions { memory: None, threads: None, cache: None, files: files::system() }
    }
}

/// The error of a directory that holds the same kind of work on something else.
pub fn another(dir: &Path, work: WorkKind, held: String, wanted: String) -> Error {
    Error::Directory { dir: dir.to_owned(), holds: Holds::Another { work, held, wanted } }
}

/// The error of work that was stopped with some of its parts done.
pub fn interrupted(dir: &Path, work: WorkKind, done: u64, all: u64) -> Error {
    Error::Interrupted(Interruption::Parts { work, dir: dir.to_owned(), done, all })
}

/// Does the parts 0 to `parts` - 1 on `threads` threads, begun in this order, until all are done, one of
/// them fails, or the user wants to stop.
pub fn for_each_part(
    parts: u64,
    threads: usize,
    control: Control<'_>,
    work: impl Fn(u64) -> Result<()> + Sync,
) -> Result<()> {
    let pool = par_map::pool(threads)?;
    let next = AtomicU64::new(0);
    let failed = AtomicBool::new(false);
    let results = pool.broadcast(|_| -> Result<()> {
        while !control.stopped() && !failed.load(Relaxed) {
            let part = next.fetch_add(1, Relaxed);
            if part >= parts {
                break;
            }
            work(part).inspect_err(|_| failed.store(true, Relaxed))?;
        }
        Ok(())
    });
    results.into_iter().collect()
}

/// Refuses a directory that holds something other than this work, which consists of these files.
pub fn refuse_foreign(dir: &Path, work: WorkKind, ours: &[&str]) -> Result<()> {
    for path in disk::entries(dir)? {
        if !ours.iter().any(|name| path.ends_with(name)) {
            return Err(Error::Directory { dir: dir.to_owned(), holds: Holds::Foreign { work, path } });
        }
    }
    Ok(())
}

/// Leaves a directory in which nothing was done as if it had never been there.
pub fn remove_files(disk: &Disk, dir: &Path, lock: Lock, files: &[&str]) -> Result<()> {
    for name in files {
        disk.remove(&dir.join(name))?;
    }
    // While it is held: a process that waits for it sees that it is gone.
    disk.remove(&dir.join("lock"))?;
    disk.remove_empty_dir(dir);
    drop(lock);
    Ok(())
}

//! The one thin layer through which the engine changes the disk.
//!
//! Every create, write, sync, rename and delete of a job goes through a [`Disk`], which charges
//! what is written to the user's disk limit and names the file in every error. Files that
//! matter are written aside, synced and renamed, and then the directory is synced: after a crash
//! a name holds either the old content or the whole new one.
//!
//! A sync that fails is the last one. The system may have dropped what it could not write, and it
//! says so only once: a second sync would succeed and mean nothing. So no further sync succeeds
//! here, nothing more is committed, and the next process goes on from the last commit.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::files::{self, Files, Output};
use crate::error::{Error, GO_BACK, Result};
use crate::text::bytes;

/// How many bytes an [`OutFile`] gathers before it writes.
const WRITE_BUFFER: usize = 1 << 20;

/// How many bytes are handed to the system before it is made to write them: no later sync has to
/// wait for more than this.
const SYNC_EVERY: usize = 64 << 20;

/// From so many files on, one sync of the whole disk takes less time than one for each.
const MANY: usize = 8;

/// The disk as one job may use it.
#[derive(Debug)]
pub struct Disk {
    files: Arc<dyn Files>,
    limit: Option<u64>,
    used: AtomicU64,
    written: AtomicU64,
    /// Whether a sync failed.
    failed: AtomicBool,
}

impl Disk {
    /// A disk of which the job may use `limit` bytes, `used` of them being taken already.
    pub fn new(limit: Option<u64>, used: u64) -> Self {
        Disk::on(files::system(), limit, used)
    }

    /// The same, with something else than the system to change files.
    pub fn on(files: Arc<dyn Files>, limit: Option<u64>, used: u64) -> Self {
        Disk {
            files,
            limit,
            used: AtomicU64::new(used),
            written: AtomicU64::new(0),
            failed: AtomicBool::new(false),
        }
    }

    /// Bytes that the job's files take now.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Bytes written since the start of this process.
    pub fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    /// What the user allows, if that is bounded.
    pub fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// Whether a sync failed: what a crash would leave is not known any more.
    pub fn is_doubtful(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Creates a directory and its parents, and makes the new names durable.
    pub fn create_dir(&self, path: &Path) -> Result<()> {
        let is_missing = |dir: &&Path| !dir.as_os_str().is_empty() && !dir.exists();
        let mut missing: Vec<&Path> = path.ancestors().take_while(is_missing).collect();
        while let Some(dir) = missing.pop() {
            match self.files.create_dir(dir) {
                // Another process may have been faster.
                Err(e) if e.kind() != io::ErrorKind::AlreadyExists || !dir.is_dir() => {
                    return Err(Error::io("create the directory", dir, e));
                }
                _ => self.sync_dir(parent(dir))?,
            }
        }
        Ok(())
    }

    /// Creates a file anew.
    pub fn create(&self, path: &Path) -> Result<OutFile<'_>> {
        // An older file of that name is a leftover of a killed process.
        self.remove(path)?;
        let file = self.files.create(path);
        let file = file.map_err(|e| Error::io("create", path, e))?;
        Ok(OutFile::new(self, file, path))
    }

    /// Opens a file that a checkpoint vouched for up to `length` bytes; drops what follows.
    pub fn reopen(&self, path: &Path, length: u64) -> Result<OutFile<'_>> {
        let found = file_length(path);
        if found < length {
            return Err(Error::damaged(
                path,
                format!("{found} bytes are left of {length} that were safe"),
                GO_BACK,
            ));
        }
        let file = self.files.reopen(path, length);
        let file = file.map_err(|e| Error::io("reopen", path, e))?;
        self.release(found - length);
        Ok(OutFile::new(self, file, path))
    }

    /// Replaces `path` by `content` in one step, durable when this returns.
    pub fn replace(&self, path: &Path, content: &[u8]) -> Result<()> {
        self.put(path, content)?;
        self.sync_dir(parent(path))
    }

    /// Replaces `path` by `content` in one step. The content is durable, its name is not until the
    /// directory is synced: until then, a crash may bring the old content back.
    pub fn put(&self, path: &Path, content: &[u8]) -> Result<()> {
        let aside = aside(path);
        let old = file_length(path);
        let written = self
            .write_aside(&aside, content)
            .and_then(|()| self.rename(&aside, path));
        if let Err(error) = written {
            // Half a file is of no use.
            let _ = self.remove(&aside);
            return Err(error);
        }
        self.release(old);
        Ok(())
    }

    fn write_aside(&self, aside: &Path, content: &[u8]) -> Result<()> {
        let mut file = self.create(aside)?;
        // The limit is for what is large: the manifest must be stored, or work is lost.
        file.exempt = true;
        file.write(content)?;
        file.sync()
    }

    /// Renames within one directory.
    pub fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        let renamed = self.files.rename(from, to);
        renamed.map_err(|e| Error::io("rename to", to, e))
    }

    /// Makes the contents of files of one directory durable: each by itself, or, if they are many,
    /// with whatever else waits to be written to that disk. So many syncs, even at once, would take
    /// longer than all else that a puzzle with many small levels needs.
    pub fn sync_files(&self, paths: &[PathBuf]) -> Result<()> {
        let dir = paths.first().and_then(|path| path.parent());
        if let Some(dir) = dir.filter(|_| paths.len() >= MANY) {
            return self.trusted(dir, || self.files.sync_all(dir));
        }
        let sync = |path: &PathBuf| self.trusted(path, || self.files.sync(path));
        paths.iter().try_for_each(sync)
    }

    /// Makes the names in a directory durable.
    pub fn sync_dir(&self, path: &Path) -> Result<()> {
        self.trusted(path, || self.files.sync(path))
    }

    /// Syncs, unless an earlier sync failed.
    fn trusted(&self, path: &Path, sync: impl FnOnce() -> io::Result<()>) -> Result<()> {
        if self.is_doubtful() {
            let why = io::Error::other("an earlier sync failed, and what it lost is not known");
            return Err(Error::io("sync", path, why));
        }
        sync().map_err(|e| {
            self.failed.store(true, Ordering::Relaxed);
            Error::io("sync", path, e)
        })
    }

    /// Deletes a file; one that is not there is as good as deleted.
    pub fn remove(&self, path: &Path) -> Result<()> {
        let Ok(found) = fs::symlink_metadata(path) else {
            return Ok(());
        };
        match self.files.remove(path) {
            Ok(()) => {
                self.release(found.len());
                Ok(())
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(e) => Err(Error::io("delete", path, e)),
        }
    }

    /// Deletes a directory if it is empty; one that holds something, or is missing, stays as it
    /// is.
    pub fn remove_empty_dir(&self, path: &Path) {
        if path.is_dir() {
            let _ = self.files.remove_dir(path);
        }
    }

    fn release(&self, length: u64) {
        let _ = self
            .used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
                Some(used.saturating_sub(length))
            });
    }

    fn charge(&self, length: u64, exempt: bool, path: &Path) -> Result<()> {
        let used = self.used.fetch_add(length, Ordering::Relaxed) + length;
        self.written.fetch_add(length, Ordering::Relaxed);
        match self.limit {
            Some(limit) if used > limit && !exempt => {
                self.release(length);
                Err(Error::Limit(format!(
                    "writing {} would take the job over its disk limit of {}; allow more with \
                     --disk-limit and run the same command again",
                    path.display(),
                    bytes(limit)
                )))
            }
            _ => Ok(()),
        }
    }
}

/// The directory that a path's name stands in.
fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Where a file is written before it is renamed to `path`.
fn aside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

/// What is in a directory; nothing if it is missing.
pub fn entries(dir: &Path) -> Result<Vec<PathBuf>> {
    match fs::read_dir(dir) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(e) => Err(Error::io("look into", dir, e)),
        Ok(entries) => Ok(entries.flatten().map(|entry| entry.path()).collect()),
    }
}

/// Opens a file to read it. What is no file is refused: a pipe could keep us waiting for ever.
pub fn open(path: &Path) -> io::Result<fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    let at_once = rustix::fs::OFlags::NONBLOCK.bits() as i32;
    let file = fs::OpenOptions::new()
        .read(true)
        .custom_flags(at_once)
        .open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a regular file",
        )),
    }
}

/// The content of a file; `None` if it is longer than `most` bytes, as a device can be that never ends.
pub fn read(path: &Path, most: u64) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    open(path)?
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// A file's length, 0 if there is none.
pub fn file_length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |m| m.len())
}

/// A file being written from start to end.
#[derive(Debug)]
pub struct OutFile<'d> {
    disk: &'d Disk,
    file: Box<dyn Output>,
    path: PathBuf,
    buffer: Vec<u8>,
    /// Bytes handed to the system since the last sync.
    unsynced: usize,
    /// Whether the disk limit does not count.
    exempt: bool,
}

impl<'d> OutFile<'d> {
    fn new(disk: &'d Disk, file: Box<dyn Output>, path: &Path) -> Self {
        OutFile {
            disk,
            file,
            path: path.to_owned(),
            buffer: Vec::new(),
            unsynced: 0,
            exempt: false,
        }
    }

    /// Appends.
    pub fn write(&mut self, content: &[u8]) -> Result<()> {
        self.buffer.extend_from_slice(content);
        if self.buffer.len() >= WRITE_BUFFER {
            self.flush()?;
        }
        Ok(())
    }

    /// Hands everything appended so far to the system.
    pub fn flush(&mut self) -> Result<()> {
        self.hand_over()?;
        if self.unsynced >= SYNC_EVERY {
            self.sync()?;
        }
        Ok(())
    }

    /// Makes everything appended so far durable.
    pub fn sync(&mut self) -> Result<()> {
        self.hand_over()?;
        self.unsynced = 0;
        self.disk.trusted(&self.path, || self.file.sync())
    }

    fn hand_over(&mut self) -> Result<()> {
        let length = self.buffer.len();
        if length == 0 {
            return Ok(());
        }
        self.disk.charge(length as u64, self.exempt, &self.path)?;
        if let Err(error) = self.file.write_all(&self.buffer) {
            self.disk.release(length as u64);
            return Err(Error::io("write", &self.path, error));
        }
        self.buffer.clear();
        self.unsynced += length;
        Ok(())
    }
}

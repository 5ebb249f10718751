//! The one thin layer through which the engine changes the disk.
//!
//! Every create, write, sync, rename and delete of a job goes through a [`Disk`], which charges
//! what is written to the user's disk limit and names the file in every error. Files that
//! matter are written aside, synced and renamed, and then the directory is synced: after a crash
//! a name holds either the old content or the complete new one.
//!
//! A sync that fails is the last one. The system may have dropped what it could not write, and it
//! says so only once: a second sync would succeed and mean nothing. So no further sync succeeds
//! here, nothing more is committed, and the next process continues from the last commit.
//!
//! It says so once to each descriptor that was open at that moment. So a file's descriptor is kept
//! until its sync succeeded, even if that is done later together with others
//! ([`OutFile::end`], [`Disk::sync_files`]), and a directory is opened before the first change in it. How
//! many files are kept is bounded.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::process::{Resource, getrlimit};

use super::files::{self, Directory, Files, Output};
use crate::error::{Error, IoAction, LimitKind, Repair, Result};

/// How many bytes an [`OutFile`] gathers before it writes. Its buffer is no larger, unless more is appended
/// at once.
pub const WRITE_BUFFER: usize = 1 << 20;

/// How many bytes are handed to the system before it is made to write them: no later sync has to
/// wait for more than this.
const SYNC_EVERY: usize = 64 << 20;

/// From this many files on, one sync of the whole disk takes less time than one for each.
const MANY: usize = 8;

/// No more files than this wait for their sync, and no more than a quarter of those that the process
/// may open.
const MOST_WAITING: u64 = 128;

/// The disk as one job may use it.
#[derive(Debug)]
pub struct Disk {
    files: Arc<dyn Files>,
    limit: Option<u64>,
    used: AtomicU64,
    written: AtomicU64,
    /// Whether a sync failed.
    failed: AtomicBool,
    /// Files that are written and not synced yet.
    waiting: Mutex<Vec<(PathBuf, Box<dyn Output>)>>,
    most_waiting: usize,
    /// Directories in which something was changed, opened before that.
    dirs: Mutex<BTreeMap<PathBuf, Arc<dyn Directory>>>,
    /// Directories whose names, and those of their parents, are durable.
    named: Mutex<BTreeSet<PathBuf>>,
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
            waiting: Mutex::default(),
            most_waiting: {
                let open = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
                (open / 4).clamp(1, MOST_WAITING) as usize
            },
            dirs: Mutex::default(),
            named: Mutex::default(),
        }
    }

    /// What changes and reads the files.
    pub fn files(&self) -> &Arc<dyn Files> {
        &self.files
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

    /// Creates a directory and its parents, and makes their names durable. Those that are there may
    /// be the work of a process that was killed before it came to that.
    pub fn create_dir(&self, path: &Path) -> Result<()> {
        let mut missing = Vec::new();
        for dir in path.ancestors().filter(|dir| !dir.as_os_str().is_empty()) {
            if exists(dir)? {
                break;
            }
            missing.push(dir);
        }
        let mut made = Vec::new();
        let result = missing.iter().rev().try_for_each(|dir| {
            self.watch(parent(dir)).map_err(|e| Error::io(IoAction::CreateDirectory, dir, e))?;
            match self.files.create_dir(dir) {
                // Another process may have been faster.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists && dir.is_dir() => Ok(()),
                Err(e) => Err(Error::io(IoAction::CreateDirectory, dir, e)),
                Ok(()) => {
                    made.push(*dir);
                    Ok(())
                }
            }
        });
        let result = result.and_then(|()| self.sync_way_to(path));
        if result.is_err() {
            // Were they to stay, the next process could not tell that their names are not durable.
            made.iter().rev().for_each(|dir| self.remove_empty_dir(dir));
        }
        result
    }

    /// Makes the name of a directory durable, and those of its parents on the same disk.
    fn sync_way_to(&self, path: &Path) -> Result<()> {
        let path = std::path::absolute(path).map_err(|e| Error::io(IoAction::Resolve, path, e))?;
        let device = |dir: &Path| fs::metadata(dir).map(|found| found.dev()).ok();
        let disk = device(&path);
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        let unnamed: Vec<&Path> = path.ancestors().take_while(|dir| !named.contains(*dir)).collect();
        for dir in unnamed.iter().filter_map(|dir| dir.parent()).take_while(|dir| device(dir) == disk) {
            match self.watch(dir) {
                // Who may not read a directory did not change it.
                Err(e) if e.kind() == io::ErrorKind::PermissionDenied => {}
                Err(e) => return Err(Error::io(IoAction::Sync, dir, e)),
                Ok(open) => {
                    self.trusted(dir, || open.sync())?;
                    self.dirs().remove(dir);
                }
            }
        }
        named.extend(unnamed.into_iter().map(PathBuf::from));
        Ok(())
    }

    /// Creates a file anew.
    pub fn create(&self, path: &Path) -> Result<OutFile<'_>> {
        // An older file of that name is a leftover of a killed process.
        self.remove(path)?;
        let file = self.watch(parent(path)).and_then(|_| self.files.create(path));
        let file = file.map_err(|e| Error::io(IoAction::Create, path, e))?;
        Ok(OutFile::new(self, file, path))
    }

    /// Opens a file that a checkpoint vouched for up to `length` bytes; drops what follows.
    pub fn reopen(&self, path: &Path, length: u64) -> Result<OutFile<'_>> {
        let found = file_length(path)?;
        if found < length {
            let what = format!("{found} bytes are left of {length} that were safe");
            return Err(Error::damaged(path, what, Repair::Restore));
        }
        let file = self.files.reopen(path, length);
        let file = file.map_err(|e| Error::io(IoAction::Reopen, path, e))?;
        self.release(found - length);
        Ok(OutFile::new(self, file, path))
    }

    /// Replaces `path` by `content` in one step, durable when this returns.
    pub fn replace(&self, path: &Path, content: &[u8]) -> Result<()> {
        self.put(path, content)?;
        self.sync_name(path)
    }

    /// Makes the names in the directory of a file durable. If that fails, the file's name may lead to
    /// something else after a crash, and no later sync would mend that: an unfinished file beside it
    /// tells [`is_in_doubt`](Disk::is_in_doubt) so.
    pub fn sync_name(&self, path: &Path) -> Result<()> {
        self.sync_dir(parent(path)).inspect_err(|_| drop(self.files.create(&aside(path))))
    }

    /// Whether a file may have to be replaced once more, by the same content, to be durable. If not,
    /// syncing its directory is enough.
    pub fn is_in_doubt(&self, path: &Path) -> Result<bool> {
        exists(&aside(path))
    }

    /// Replaces `path` by `content` in one step. The content is durable, its name is not until the
    /// directory is synced: until then, a crash may bring the old content back.
    pub fn put(&self, path: &Path, content: &[u8]) -> Result<()> {
        // Nothing is begun that cannot be synced.
        self.trusted(path, || Ok(()))?;
        let aside = aside(path);
        let old = file_length(path)?;
        let written = self.write_aside(&aside, content).and_then(|()| self.rename(&aside, path));
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
        let renamed = self.watch(parent(to)).and_then(|_| self.files.rename(from, to));
        renamed.map_err(|e| Error::io(IoAction::RenameTo, to, e))
    }

    /// Makes the contents of files durable that were [ended](OutFile::end) without that: each by
    /// itself, or, if they are many, with whatever else waits to be written to their disk. That many
    /// syncs, even at once, would take longer than all else that a puzzle with many small levels needs.
    pub fn sync_files(&self, paths: &[PathBuf]) -> Result<()> {
        let (named, others) = {
            let mut waiting = self.waiting();
            std::mem::take(&mut *waiting).into_iter().partition(|(path, _)| paths.contains(path))
        };
        self.waiting().extend::<Vec<_>>(others);
        self.sync_outputs(named)
    }

    fn sync_outputs(&self, files: Vec<(PathBuf, Box<dyn Output>)>) -> Result<()> {
        let first = files.first().filter(|_| files.len() >= MANY);
        let together = match first.map(|(path, _)| parent(path)) {
            None => false,
            Some(dir) => {
                let open = self.watch(dir).map_err(|e| Error::io(IoAction::Sync, dir, e))?;
                self.trusted(dir, || open.sync_disk())?
            }
        };
        for (path, mut file) in files {
            self.trusted(&path, || match together {
                true => file.check(),
                false => file.sync(),
            })?;
        }
        Ok(())
    }

    /// Keeps a file until it is synced. If too many wait, all of them are.
    fn wait(&self, path: &Path, file: Box<dyn Output>) -> Result<()> {
        let mut waiting = self.waiting();
        waiting.push((path.to_owned(), file));
        if waiting.len() < self.most_waiting {
            return Ok(());
        }
        let all = std::mem::take(&mut *waiting);
        drop(waiting);
        self.sync_outputs(all)
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<(PathBuf, Box<dyn Output>)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the names in a directory durable.
    pub fn sync_dir(&self, path: &Path) -> Result<()> {
        let open = self.watch(path).map_err(|e| Error::io(IoAction::Sync, path, e))?;
        self.trusted(path, || open.sync())
    }

    /// Opens a directory, unless it is open.
    fn watch(&self, path: &Path) -> io::Result<Arc<dyn Directory>> {
        let path = std::path::absolute(path)?;
        let mut dirs = self.dirs();
        if let Some(open) = dirs.get(&path) {
            return Ok(open.clone());
        }
        let open: Arc<dyn Directory> = self.files.open_dir(&path)?.into();
        dirs.insert(path, open.clone());
        Ok(open)
    }

    fn dirs(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Arc<dyn Directory>>> {
        self.dirs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Syncs, unless an earlier sync failed.
    fn trusted<T>(&self, path: &Path, sync: impl FnOnce() -> io::Result<T>) -> Result<T> {
        if self.is_doubtful() {
            let why = io::Error::other("an earlier sync failed, and what it lost is not known");
            return Err(Error::io(IoAction::Sync, path, why));
        }
        sync().map_err(|e| {
            self.failed.store(true, Ordering::Relaxed);
            Error::io(IoAction::Sync, path, e)
        })
    }

    /// Deletes a file; one that is not there is as good as deleted.
    pub fn remove(&self, path: &Path) -> Result<()> {
        let found = match fs::symlink_metadata(path) {
            Err(e) if is_missing(&e) => return Ok(()),
            found => found.map_err(|e| Error::io(IoAction::Delete, path, e))?,
        };
        match self.files.remove(path) {
            Ok(()) => {
                self.waiting().retain(|(waiting, _)| waiting != path);
                self.release(found.len());
                Ok(())
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(e) => Err(Error::io(IoAction::Delete, path, e)),
        }
    }

    /// Deletes a directory if it is empty; one that holds something, or is missing, stays as it
    /// is.
    pub fn remove_empty_dir(&self, path: &Path) {
        if path.is_dir() && self.files.remove_dir(path).is_ok() {
            self.dirs().retain(|dir, _| std::path::absolute(path).is_ok_and(|gone| *dir != gone));
            self.named.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }

    /// Charges files that were there before.
    pub fn count_in(&self, length: u64) {
        self.used.fetch_add(length, Ordering::Relaxed);
    }

    /// Bytes of a file are elsewhere from now on.
    pub fn give_back(&self, length: u64) {
        self.release(length);
    }

    fn release(&self, length: u64) {
        let _ = self
            .used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| Some(used.saturating_sub(length)));
    }

    fn charge(&self, length: u64, exempt: bool, path: &Path) -> Result<()> {
        let used = self.used.fetch_add(length, Ordering::Relaxed) + length;
        self.written.fetch_add(length, Ordering::Relaxed);
        match self.limit {
            Some(limit) if used > limit && !exempt => {
                self.release(length);
                Err(Error::from(LimitKind::Disk { path: path.to_owned(), limit }))
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
        Err(e) => Err(Error::io(IoAction::List, dir, e)),
        Ok(entries) => {
            let path = |entry: io::Result<fs::DirEntry>| entry.map(|entry| entry.path());
            let paths: io::Result<_> = entries.map(path).collect();
            paths.map_err(|e| Error::io(IoAction::List, dir, e))
        }
    }
}

/// Whether something has this name. That this cannot be told is an error of its own.
pub fn exists(path: &Path) -> Result<bool> {
    match fs::metadata(path) {
        Err(e) if is_missing(&e) => Ok(false),
        found => found.map(|_| true).map_err(|e| Error::io(IoAction::LookFor, path, e)),
    }
}

/// Whether there is a directory of this name. That this cannot be told is an error of its own.
pub fn is_dir(path: &Path) -> Result<bool> {
    match fs::metadata(path) {
        Err(e) if is_missing(&e) => Ok(false),
        found => found.map(|found| found.is_dir()).map_err(|e| Error::io(IoAction::LookFor, path, e)),
    }
}

/// Whether the system says that there is nothing, or cannot be anything, of a name.
fn is_missing(error: &io::Error) -> bool {
    use io::ErrorKind::*;
    matches!(error.kind(), NotFound | NotADirectory | InvalidFilename)
}

/// Opens a file to read it. Anything but a regular file is refused: a pipe could block forever.
pub fn open(path: &Path) -> io::Result<fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    let at_once = rustix::fs::OFlags::NONBLOCK.bits() as i32;
    let file = fs::OpenOptions::new().read(true).custom_flags(at_once).open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

/// The content of a file; `None` if it is longer than `most` bytes, as a device can be that never ends.
pub fn read(path: &Path, most: u64) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// A file's length, 0 if it does not exist.
pub fn file_length(path: &Path) -> Result<u64> {
    match fs::metadata(path) {
        Err(e) if is_missing(&e) => Ok(0),
        found => found.map(|found| found.len()).map_err(|e| Error::io(IoAction::LookFor, path, e)),
    }
}

/// A file being written from start to end.
#[derive(Debug)]
pub struct OutFile<'d> {
    disk: &'d Disk,
    /// Given away when it is ended.
    file: Option<Box<dyn Output>>,
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
            file: Some(file),
            path: path.to_owned(),
            buffer: Vec::new(),
            unsynced: 0,
            exempt: false,
        }
    }

    /// Appends.
    pub fn write(&mut self, content: &[u8]) -> Result<()> {
        if self.buffer.len() + content.len() > WRITE_BUFFER {
            self.flush()?;
        }
        let length = self.buffer.len() + content.len();
        if length > self.buffer.capacity() {
            // By doubling, as usual, but not beyond the limit. A small file takes little memory: there may be little.
            let wanted = (2 * self.buffer.capacity()).min(WRITE_BUFFER).max(length);
            self.buffer.reserve_exact(wanted - self.buffer.len());
        }
        self.buffer.extend_from_slice(content);
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
        let Some(file) = &mut self.file else {
            return Err(ended(IoAction::Sync, &self.path));
        };
        self.disk.trusted(&self.path, || file.sync())
    }

    /// Ends the file: durable, or to be synced with others by [`Disk::sync_files`].
    pub fn end(&mut self, durable: bool) -> Result<()> {
        if durable {
            return self.sync();
        }
        self.hand_over()?;
        match self.file.take() {
            None => Ok(()),
            Some(file) => self.disk.wait(&self.path, file),
        }
    }

    fn hand_over(&mut self) -> Result<()> {
        let length = self.buffer.len();
        if length == 0 {
            return Ok(());
        }
        let Some(file) = &mut self.file else {
            return Err(ended(IoAction::Write, &self.path));
        };
        self.disk.charge(length as u64, self.exempt, &self.path)?;
        // After a failure some of it may be there: it stays charged.
        file.write_all(&self.buffer).map_err(|e| Error::io(IoAction::Write, &self.path, e))?;
        self.buffer.clear();
        self.unsynced += length;
        Ok(())
    }
}

fn ended(action: IoAction, path: &Path) -> Error {
    Error::io(action, path, io::Error::other("this process has ended the file"))
}

//! The workbench: tables and jobs that solvers need, found in the user's cache or made there.
//!
//! A table is a file with a header (magic, format version, the table's own version and length), its
//! bytes, and a checksum over all of that. One that is damaged, cut off or of another version is
//! built again and replaced in one rename; so is a job in the cache that is damaged. Nothing outside
//! of the cache is ever deleted.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use xxhash_rust::xxh3::Xxh3;

use super::{Rules, job_name};
use crate::engine::{Control, JOBS};
use crate::error::{Alternative, Error, IoAction, LimitKind, Result, process};
use crate::store::disk::{self, Disk};
use crate::store::memory::HugeTable;
use crate::store::{Lock, par_map};
use crate::text::bytes;

const MAGIC: &[u8; 8] = b"GODNUMTB";
/// Version of the file format.
const FORMAT: u32 = 1;
/// Bytes before a table's own.
const HEADER: usize = 8 + 4 + 4 + 8;
/// The folder of locks, one for each name.
const LOCKS: &str = "locks";
/// Bytes that are read or written between two looks at the stop flag.
const PIECE: usize = 1 << 20;

/// The directory of tables and jobs that solvers made: `godnum` in `XDG_CACHE_HOME`, or else in
/// `~/.cache`. `None` if neither is known.
pub fn directory() -> Option<PathBuf> {
    let absolute = |name| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(cache.join("godnum"))
}

/// Where the job of a puzzle is in a cache.
pub fn job_dir(cache: &Path, puzzle: &dyn Rules) -> PathBuf {
    cache.join(job_name(puzzle))
}

/// What a solver works with while it is prepared: a place for tables, and what it may use.
pub struct Workbench<'a> {
    /// Where the user's own jobs are.
    pub jobs: PathBuf,
    cache: Option<PathBuf>,
    /// Bytes of memory that solvers and searches may take together.
    memory: u64,
    /// Bytes that tables take of it.
    taken: AtomicU64,
    /// Threads that tables may be built with.
    pub threads: usize,
    /// Hears what is built, and says when to stop.
    pub control: Control<'a>,
}

/// Which table is meant.
#[derive(Clone, Debug)]
pub struct TableName<'a> {
    /// The name of its file, without an ending.
    pub name: &'a str,
    /// Version of its content: another one means another way to number its entries.
    pub version: u32,
    /// Its length in bytes.
    pub length: usize,
    /// Bytes that building it takes, the table itself included.
    pub to_build: u64,
}

impl<'a> Workbench<'a> {
    /// A bench with the cache in this directory; without one there are no tables. Jobs are in `runs/`.
    pub fn new(cache: impl Into<Option<PathBuf>>, memory: u64, threads: usize, control: Control<'a>) -> Self {
        Workbench {
            jobs: JOBS.into(),
            cache: cache.into(),
            memory,
            taken: AtomicU64::new(0),
            threads,
            control,
        }
    }

    /// Where the cache is; refused if there is no place for one.
    pub fn cache(&self) -> Result<&Path> {
        self.cache.as_deref().ok_or_else(|| {
            Error::Usage("there is no directory for tables: set HOME or XDG_CACHE_HOME".into())
        })
    }

    /// Bytes of memory that are not taken.
    pub fn free(&self) -> u64 {
        self.memory.saturating_sub(self.taken.load(Relaxed))
    }

    /// Takes memory for something that stays; refused if there is not as much, or if making it would
    /// need more (`at_first` bytes in all).
    pub fn take(&self, what: &str, stays: u64, at_first: u64) -> Result<()> {
        let needed = stays.max(at_first);
        if needed > self.free() {
            return Err(Error::from(LimitKind::Memory {
                what: what.to_owned(),
                needed,
                allowed: self.free(),
                or: Alternative::OtherSolver,
            }));
        }
        self.taken.fetch_add(stays, Relaxed);
        Ok(())
    }

    /// A table: read from the cache, or built and put there. `build` gives exactly as many bytes as
    /// the name says, with the bench's threads. The memory for both is taken here.
    pub fn table(
        &self,
        table: &TableName<'_>,
        build: impl FnOnce() -> Result<Vec<u8>> + Send,
    ) -> Result<HugeTable> {
        let path = self.cache()?.join(format!("{}.table", table.name));
        let what = format!("the table {}", table.name);
        let length = table.length as u64;
        if disk::exists(&path)? {
            self.take(&what, length, length)?;
            match load(&path, table, &|| self.go_on())? {
                Ok(content) => return Ok(content),
                Err(why) => self
                    .control
                    .observer
                    .announce(&format!("{} is not usable ({why}), so it is built again", path.display())),
            }
            self.taken.fetch_sub(length, Relaxed);
        }
        // What was built is copied to where it stays.
        self.take(&what, length, table.to_build.max(2 * length))?;
        self.control.observer.announce(&format!(
            "building {what} ({}); it is kept in {}",
            bytes(length),
            self.cache()?.display()
        ));
        let pool = par_map::pool(self.threads)?;
        let content = pool.install(build)?;
        if content.len() != table.length {
            return Err(Error::verification(format!(
                "{what} has {} bytes instead of {length}; please report this",
                content.len()
            )));
        }
        self.store(&path, table, &content)?;
        HugeTable::of(&content)
    }

    fn go_on(&self) -> Result<()> {
        self.control.go_on(|| Error::interrupted("stopped while a table was read or written"))
    }

    fn store(&self, path: &Path, table: &TableName<'_>, content: &[u8]) -> Result<()> {
        let disk = Disk::new(None, 0);
        // Another process that builds the same table writes the same bytes, but at another moment.
        let _lock = self.lock(table.name)?;
        let head = header(table);
        let aside = path.with_extension("table.part");
        let write = || -> Result<()> {
            let mut file = disk.create(&aside)?;
            file.write(&head)?;
            for piece in content.chunks(PIECE) {
                self.go_on()?;
                file.write(piece)?;
            }
            file.write(&checksum(&head, content))?;
            file.sync()
        };
        if let Err(error) = write() {
            // Half a table is of no use.
            let _ = disk.remove(&aside);
            return Err(error);
        }
        disk.rename(&aside, path)?;
        disk.sync_dir(self.cache()?)
    }

    /// The right to make what has this name in the cache, waited for if need be. What has another name is made
    /// meanwhile.
    pub(crate) fn lock(&self, name: &str) -> Result<Lock> {
        let place = self.cache()?.join(LOCKS).join(name);
        Disk::new(None, 0).create_dir(&place)?;
        self.patiently(|| Lock::take(&place))
    }

    /// Tries something until no other process is in the way.
    pub(crate) fn patiently<T>(&self, work: impl Fn() -> Result<T>) -> Result<T> {
        let mut reported = false;
        loop {
            match work() {
                Err(Error::Locked { dir, pid }) => {
                    let who = process(pid);
                    if self.control.stopped() {
                        return Err(Error::interrupted(format!(
                            "stopped while waiting for {who}, which works on {}",
                            dir.display()
                        )));
                    }
                    if !std::mem::replace(&mut reported, true) {
                        self.control
                            .observer
                            .announce(&format!("waiting for {who}, which works on {}", dir.display()));
                    }
                    std::thread::sleep(Duration::from_millis(100));
                }
                other => return other,
            }
        }
    }
}

fn header(table: &TableName<'_>) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&FORMAT.to_le_bytes());
    header[12..16].copy_from_slice(&table.version.to_le_bytes());
    header[16..].copy_from_slice(&(table.length as u64).to_le_bytes());
    header
}

fn checksum(header: &[u8], content: &[u8]) -> [u8; 8] {
    let mut hash = Xxh3::new();
    hash.update(header);
    hash.update(content);
    hash.digest().to_le_bytes()
}

/// Reads a table, or says why it cannot be used.
fn load(
    path: &Path,
    table: &TableName<'_>,
    go_on: &dyn Fn() -> Result<()>,
) -> Result<std::result::Result<HugeTable, &'static str>> {
    let io = |e| Error::io(IoAction::Read, path, e);
    let mut file = disk::open(path).map_err(|e| Error::io(IoAction::Open, path, e))?;
    let expected = header(table);
    if file.metadata().map_err(io)?.len() != (HEADER + table.length + 8) as u64 {
        return Ok(Err("it has another length"));
    }
    let mut found = [0; HEADER];
    file.read_exact(&mut found).map_err(io)?;
    if found != expected {
        return Ok(Err("it is of another version"));
    }
    let mut content = HugeTable::zeroed(table.length)?;
    for piece in content.chunks_mut(PIECE) {
        go_on()?;
        file.read_exact(piece).map_err(io)?;
    }
    let mut sum = [0; 8];
    file.read_exact(&mut sum).map_err(io)?;
    Ok(if sum == checksum(&expected, &content) { Ok(content) } else { Err("it does not match its checksum") })
}

#[cfg(test)]
mod tests;

//! The calls that change the file system, one method each, and nothing else.
//!
//! [`Disk`](super::disk::Disk) is the only one who makes them. [`System`] passes them on; a test puts
//! something in its place that fails, stops or forgets at any of them.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

/// Whoever changes files.
pub trait Files: fmt::Debug + Send + Sync {
    /// Creates a directory in one that is there.
    fn create_dir(&self, path: &Path) -> io::Result<()>;
    /// Creates a file that is not there.
    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>>;
    /// Opens a file to write on behind its first `length` bytes; what follows them is cut off.
    fn reopen(&self, path: &Path, length: u64) -> io::Result<Box<dyn Output>>;
    /// Renames a file, in place of another if there is one.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Deletes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Deletes an empty directory.
    fn remove_dir(&self, path: &Path) -> io::Result<()>;
    /// Makes the content of a file, or the names in a directory, durable.
    fn sync(&self, path: &Path) -> io::Result<()>;
    /// Makes the contents of all files on the disk of `path` durable.
    fn sync_all(&self, path: &Path) -> io::Result<()>;
}

/// A file that is being written.
pub trait Output: Write + fmt::Debug + Send {
    /// Makes what was written durable.
    fn sync(&mut self) -> io::Result<()>;
}

/// The files of this machine.
#[derive(Clone, Copy, Debug)]
pub struct System;

/// What jobs use unless they are given something else.
pub fn system() -> Arc<dyn Files> {
    Arc::new(System)
}

impl Files for System {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        Ok(Box::new(File::create(path)?))
    }

    fn reopen(&self, path: &Path, length: u64) -> io::Result<Box<dyn Output>> {
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        Ok(Box::new(file))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn sync_all(&self, path: &Path) -> io::Result<()> {
        Ok(rustix::fs::syncfs(File::open(path)?)?)
    }
}

impl Output for File {
    fn sync(&mut self) -> io::Result<()> {
        File::sync_all(self)
    }
}

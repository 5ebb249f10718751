//! The calls that change the file system, one method each, those that read what grows with the
//! work (level sets and runs), and nothing else.
//!
//! [`Disk`](super::disk::Disk) is the only caller that changes anything. [`System`] passes the calls
//! on; a test puts something in its place that fails, stops or forgets at any of them.
//!
//! Nothing is synced by its name. The system reports lost data once to each descriptor that was open
//! when it was lost; one that is opened later may not hear of it, because another process's sync has
//! collected the error. So whatever is synced was opened before it was changed: [`Output`] and
//! [`Directory`] are descriptors that are kept until then.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::num::NonZero;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

use super::disk;

/// Changes files.
pub trait Files: fmt::Debug + Send + Sync {
    /// Creates a directory in one that is there.
    fn create_dir(&self, path: &Path) -> io::Result<()>;
    /// Opens a directory, to sync what is changed in it from now on.
    fn open_dir(&self, path: &Path) -> io::Result<Box<dyn Directory>>;
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
    /// Opens a file to read it in places. Anything but a regular file is refused.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Input>> {
        System.open(path)
    }
}

/// A file that is being written.
pub trait Output: Write + fmt::Debug + Send {
    /// Makes what was written durable.
    fn sync(&mut self) -> io::Result<()>;
    /// After [`Directory::sync_disk`]: whether all of it was written. An error means that something
    /// was lost since the file was opened.
    fn check(&mut self) -> io::Result<()>;
}

/// An open directory.
pub trait Directory: fmt::Debug + Send + Sync {
    /// Makes the names in it durable.
    fn sync(&self) -> io::Result<()>;
    /// Makes everything on its disk durable that could be written; each file must be
    /// [checked](Output::check) afterwards. `false` if that would not tell what was lost: then each
    /// file has to be synced.
    fn sync_disk(&self) -> io::Result<bool>;
}

/// A file that is read in places, by any number of threads.
pub trait Input: fmt::Debug + Send + Sync {
    /// Fills `bytes` from `offset` on; an error of the kind `UnexpectedEof` if the file ends before.
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()>;
    /// The file's length now.
    fn length(&self) -> io::Result<u64>;
    /// Tells the system what will be read soon. Only advice.
    fn will_read(&self, _offset: u64, _length: u64) {}
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

    fn open_dir(&self, path: &Path) -> io::Result<Box<dyn Directory>> {
        Ok(Box::new(File::open(path)?))
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

    fn open(&self, path: &Path) -> io::Result<Box<dyn Input>> {
        Ok(Box::new(disk::open(path)?))
    }
}

impl Input for File {
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        FileExt::read_exact_at(self, bytes, offset)
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn will_read(&self, offset: u64, length: u64) {
        let _ = rustix::fs::fadvise(self, offset, NonZero::new(length), rustix::fs::Advice::WillNeed);
    }
}

impl Output for File {
    fn sync(&mut self) -> io::Result<()> {
        File::sync_all(self)
    }

    /// A second sync would be as certain, but it makes the disk empty its cache for every file: 64
    /// small files take 3 to 100 ms on ext4 that way, and 0.3 ms this way.
    fn check(&mut self) -> io::Result<()> {
        // SAFETY: the descriptor is open as long as the file is, and no memory is handed over.
        match unsafe { libc::sync_file_range(self.as_raw_fd(), 0, 0, libc::SYNC_FILE_RANGE_WAIT_BEFORE) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// File systems that keep a file's pages, and the errors of writing them, with the file itself: ext2
/// to ext4, xfs, btrfs, f2fs, tmpfs. Stacked ones and those of a network keep them elsewhere.
const DIRECT: [u64; 5] = [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x0102_1994];

impl Directory for File {
    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }

    fn sync_disk(&self) -> io::Result<bool> {
        let kind = rustix::fs::fstatfs(self)?.f_type as u64;
        if !DIRECT.contains(&kind) {
            return Ok(false);
        }
        rustix::fs::syncfs(self)?;
        Ok(true)
    }
}

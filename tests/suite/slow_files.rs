//! A disk that takes long to make anything durable.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use godnum::store::files::{Directory, Files, Output, System};

/// The files of this machine, with syncs that take so long.
#[derive(Debug)]
pub struct SlowFiles(pub Duration);

#[derive(Debug)]
struct SlowOutput(Box<dyn Output>, Duration);

impl Files for SlowFiles {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        System.create_dir(path)
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        Ok(Box::new(SlowOutput(System.create(path)?, self.0)))
    }

    fn reopen(&self, path: &Path, length: u64) -> io::Result<Box<dyn Output>> {
        Ok(Box::new(SlowOutput(System.reopen(path, length)?, self.0)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        System.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        System.remove(path)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        System.remove_dir(path)
    }

    fn open_dir(&self, path: &Path) -> io::Result<Box<dyn Directory>> {
        Ok(Box::new(SlowDirectory(System.open_dir(path)?, self.0)))
    }
}

#[derive(Debug)]
struct SlowDirectory(Box<dyn Directory>, Duration);

impl Directory for SlowDirectory {
    fn sync(&self) -> io::Result<()> {
        std::thread::sleep(self.1);
        self.0.sync()
    }

    fn sync_disk(&self) -> io::Result<bool> {
        std::thread::sleep(self.1);
        self.0.sync_disk()
    }
}

impl Write for SlowOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Output for SlowOutput {
    fn sync(&mut self) -> io::Result<()> {
        std::thread::sleep(self.1);
        self.0.sync()
    }

    fn check(&mut self) -> io::Result<()> {
        self.0.check()
    }
}

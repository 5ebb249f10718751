//! The block index of a file that is being written.
//!
//! It is as long as the file has blocks, and stands behind them. Until they are all there, what is
//! more than a few entries is in a file beside it. No crash can lose anything with that one: the process that
//! continues the set reads its blocks again, to check them, and notes them anew.

use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

use super::source::SetFile;
use super::{BlockEntry, ENTRY};
use crate::error::{Error, IoAction, Result};
use crate::space::Index;
use crate::store::disk::{Disk, OutFile};

/// Bytes of entries that are gathered in memory: some 700,000 indices.
const GATHERED: usize = 170 * ENTRY;

/// Notes where the blocks of a file begin.
pub(super) struct IndexWriter<'d> {
    disk: &'d Disk,
    /// The file beside the set.
    path: PathBuf,
    file: Option<OutFile<'d>>,
    /// Entries as they will be in the file, those that are not in the file beside it.
    bytes: Vec<u8>,
    /// Bytes of entries in the file beside it.
    spilled: u64,
    /// Of those.
    checksum: Xxh3,
}

impl<'d> IndexWriter<'d> {
    /// The index of the set in `path`.
    pub fn new(disk: &'d Disk, path: &Path) -> Self {
        let mut beside = path.as_os_str().to_owned();
        beside.push(".index.part");
        IndexWriter {
            disk,
            path: beside.into(),
            file: None,
            bytes: Vec::new(),
            spilled: 0,
            checksum: Xxh3::new(),
        }
    }

    /// How many blocks were noted.
    pub fn blocks(&self) -> u64 {
        (self.spilled + self.bytes.len() as u64) / ENTRY as u64
    }

    /// One more block.
    pub fn note<I: Index>(&mut self, entry: BlockEntry<I>) -> Result<()> {
        if self.bytes.len() == GATHERED {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(self.disk.create(&self.path)?),
            };
            file.write(&self.bytes)?;
            // What is written is kept in memory only by the system.
            file.flush()?;
            self.checksum.update(&self.bytes);
            self.spilled += self.bytes.len() as u64;
            self.bytes.clear();
        }
        self.bytes.extend_from_slice(&entry.first.wide().to_le_bytes());
        self.bytes.extend_from_slice(&entry.offset.to_le_bytes());
        Ok(())
    }

    /// Appends the index to the set; the result has gone over its bytes.
    pub fn finish(&mut self, out: &mut OutFile<'_>) -> Result<Xxh3> {
        if self.file.is_some() {
            let wrong = |kind, what: &str| {
                Error::io(IoAction::Read, &self.path, io::Error::new(kind, what.to_owned()))
            };
            let lost = || wrong(io::ErrorKind::UnexpectedEof, "it lost its end");
            let beside = SetFile::open(&**self.disk.files(), &self.path, lost)?;
            let mut found = Xxh3::new();
            let mut piece = vec![0; GATHERED];
            for at in (0..self.spilled).step_by(GATHERED) {
                beside.read(&mut piece, at, lost)?;
                found.update(&piece);
                out.write(&piece)?;
            }
            if found.digest() != self.checksum.digest() {
                return Err(wrong(io::ErrorKind::InvalidData, "it is not what was written to it"));
            }
            self.disk.remove(&self.path)?;
            self.file = None;
        }
        self.checksum.update(&self.bytes);
        out.write(&self.bytes)?;
        Ok(self.checksum.clone())
    }
}

impl Drop for IndexWriter<'_> {
    fn drop(&mut self) {
        // A set that was given up. What a failure leaves is a leftover that the next start deletes.
        if self.file.take().is_some() {
            let _ = self.disk.remove(&self.path);
        }
    }
}

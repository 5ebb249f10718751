//! Sorted sets of indices: level sets, and runs of candidates, in memory or on disk.
//!
//! ```text
//! file   = header | block ... block | block index | trailer
//! header = "GODNUMLS" | version (4) | kind (1) | index width in bytes (1) | text length (2)
//!        | index scheme (4) | level (4) | universe (16) | puzzle text | checksum (8)
//! index  = for every block: its first index (16) | its offset from the first block (8)
//! trailer= blocks (8) | indices (16) | states (16) | chain (8) | checksum (8) | "GODNUMEN"
//! ```
//! Blocks are those of [`block`], all full but the last. The chain is a checksum
//! over the checksums of all blocks; the last checksum covers the block index and the trailer.
//! So every byte of a file is covered, a block can be read and checked alone, and the file's
//! last 64 bytes tell whether it is complete.
//!
//! Files are read through memory maps of bounded windows, each made after a look at the file's
//! present length, so that a file which lost its tail gives an error and not a bus error.

mod bits;
pub mod block;
mod set;
mod source;
#[cfg(test)]
mod tests;
mod writer;

use std::io::Read;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use crate::error::{Error, Result, go_back};
use crate::store::disk;
pub use block::{BLOCK, CodedBlock};
pub use set::{Cursor, SortedSet};
pub use writer::{SetBuilder, SetWriter, check_beginning, full_blocks};

/// Version of the file format.
pub const VERSION: u32 = 1;
const MAGIC: &[u8; 8] = b"GODNUMLS";
const END: &[u8; 8] = b"GODNUMEN";
const TRAILER: usize = 64;
const ENTRY: usize = 24;
const FIXED_HEADER: usize = 40;

/// What a set is about; stands in the file's header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Whether it is a level set or a run.
    pub kind: Kind,
    /// Canonical text of the puzzle.
    pub puzzle: String,
    /// Version of the puzzle's numbering.
    pub scheme: u32,
    /// Which level.
    pub level: u32,
    /// All indices are below it.
    pub universe: u128,
}

/// The two kinds of sorted sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All indices of one level.
    Level = 0,
    /// Candidates of one flush.
    Run = 1,
}

impl About {
    fn header(&self, width: u32) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(FIXED_HEADER + self.puzzle.len() + 8);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.push(self.kind as u8);
        bytes.push((width / 8) as u8);
        bytes.extend_from_slice(&(self.puzzle.len() as u16).to_le_bytes());
        bytes.extend_from_slice(&self.scheme.to_le_bytes());
        bytes.extend_from_slice(&self.level.to_le_bytes());
        bytes.extend_from_slice(&self.universe.to_le_bytes());
        bytes.extend_from_slice(self.puzzle.as_bytes());
        bytes.extend_from_slice(&xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// Bytes of the header.
    pub fn length(&self) -> u64 {
        (FIXED_HEADER + self.puzzle.len() + 8) as u64
    }

    /// What a file says that it is about, if its header is sound.
    pub fn read(path: &Path) -> Result<About> {
        let damaged = |what: &str| Error::damaged(path, what, go_back(path));
        let file = disk::open(path).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => damaged("the file is missing"),
            _ => Error::io("open", path, e),
        })?;
        let mut start = Vec::new();
        file.take(FIXED_HEADER as u64 + (1 << 16) + 8)
            .read_to_end(&mut start)
            .map_err(|e| Error::io("read", path, e))?;
        About::parse(&start).ok_or_else(|| damaged("its header is damaged"))
    }

    fn parse(start: &[u8]) -> Option<About> {
        let number = |at: usize, length: usize| {
            let mut bytes = [0; 16];
            bytes[..length].copy_from_slice(start.get(at..at + length)?);
            Some(u128::from_le_bytes(bytes))
        };
        let end = FIXED_HEADER + number(14, 2)? as usize;
        let about = About {
            kind: match start.get(12)? {
                0 => Kind::Level,
                1 => Kind::Run,
                _ => return None,
            },
            puzzle: String::from_utf8(start.get(FIXED_HEADER..end)?.to_vec()).ok()?,
            scheme: number(16, 4)? as u32,
            level: number(20, 4)? as u32,
            universe: number(24, 16)?,
        };
        // Every byte counts: it must be what writing this down gives.
        let width = 8 * u32::from(*start.get(13)?);
        (start.get(..end + 8)? == about.header(width)).then_some(about)
    }
}

/// What a finished set amounts to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Indices in it.
    pub count: u128,
    /// States they stand for (0 for runs, which are not counted).
    pub states: u128,
    /// Checksum over the checksums of the blocks.
    pub chain: u64,
}

/// Where one block is.
#[derive(Clone, Copy, Debug)]
struct Entry<I> {
    first: I,
    /// Counted from the first block.
    offset: u64,
}

//! Sorted sets of indices: level sets, and runs of candidates, in memory or on disk.
//!
//! ```text
//! file   = header | block ... block | block index | trailer
//! header = "GODNUMLS" | version (4) | kind (1) | index width in bytes (1) | text length (2)
//!        | index scheme (4) | level (4) | universe (16) | puzzle text | checksum (8)
//! index  = for every block: its first index (16) | its offset from the first block (8)
//! trailer= blocks (8) | indices (16) | states (16) | blocks digest (8) | checksum (8) | "GODNUMEN"
//! ```
//! Blocks are those of [`block`], all full but the last. The blocks digest is a checksum
//! over the checksums of all blocks; the last checksum covers the block index and the trailer.
//! So every byte of a file is covered, a block can be read and checked alone, and the file's
//! last 64 bytes tell whether it is complete.
//!
//! `version` is 1. It is 2 if the puzzle's text names a file: then a hash of that file's content (8)
//! stands between the text and the checksum. (The first files of such puzzles were of version 1; they
//! are read like the others, and only the manifest tells whose they are.)
//!
//! Nothing that is read or written grows with the set in memory. Files are read with positioned
//! reads (`source`), a chunk at a time where blocks are read in order; of the block index only a
//! line for each page is in memory (`index`); and a writer keeps what it will put into the index
//! in a file beside the set (`index_writer`).

mod bits;
pub mod block;
mod cursor;
mod header;
mod index;
mod index_writer;
mod open;
mod set;
mod source;
#[cfg(test)]
mod tests;
mod writer;

use std::path::Path;

use crate::error::{Error, Repair};
pub use block::{BLOCK, CodedBlock};
pub use cursor::Cursor;
pub use header::{SetHeader, SetKind};
pub use open::claimed_totals;
pub use set::SortedSet;
pub use source::READER;
pub use writer::{SetBuilder, SetWriter, check_beginning, full_blocks};

const END: &[u8; 8] = b"GODNUMEN";
const TRAILER: usize = 64;
const ENTRY: usize = 24;

/// A file of a level is damaged; the caller knows of which job.
fn damaged(path: &Path, what: impl Into<String>, level: u32) -> Error {
    Error::damaged(path, what, Repair::Level { job: None, level })
}

/// What a finished set amounts to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetTotals {
    /// Indices in it.
    pub count: u128,
    /// States they stand for (0 for runs, which are not counted).
    pub states: u128,
    /// Checksum over the checksums of the blocks.
    pub blocks_digest: u64,
}

/// Where one block begins.
#[derive(Clone, Copy, Debug)]
struct BlockEntry<I> {
    first: I,
    /// Counted from the first block.
    offset: u64,
}

impl<I: Ord> BlockEntry<I> {
    /// Whether the other can follow it.
    fn is_before(&self, other: &Self) -> bool {
        self.first < other.first && self.offset < other.offset
    }
}

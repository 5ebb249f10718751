//! Where the bytes of blocks come from: memory, or bounded windows on a file.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use memmap2::{Mmap, MmapOptions};

use super::{Kind, block};
use crate::error::{Error, Result, go_back};
use crate::store::disk;

/// Windows of one file that are kept: threads read it in several places.
const KEPT: usize = 4;

/// Where the bytes of blocks come from.
pub(super) enum Source {
    Memory(Vec<u8>),
    File {
        /// Opened for every window anew: runs can be many, and open files may not.
        path: PathBuf,
        /// Where the blocks start and how long they are together.
        start: u64,
        length: u64,
        /// Windows begin at multiples of this, and each reaches one block further.
        width: u64,
        windows: Mutex<Vec<Arc<Window>>>,
    },
}

pub(super) struct Window {
    map: Mmap,
    /// Offset of the map from the first block.
    offset: u64,
}

/// The bytes of one block, borrowed from memory or from a window that they keep alive.
pub(super) enum BlockBytes<'a> {
    Memory(&'a [u8]),
    Window(Arc<Window>, std::ops::Range<usize>),
}

impl BlockBytes<'_> {
    pub fn get(&self) -> &[u8] {
        match self {
            BlockBytes::Memory(bytes) => bytes,
            BlockBytes::Window(window, range) => &window.map[range.clone()],
        }
    }
}

impl Source {
    /// A file whose blocks begin at `start`. Level sets are few and read on all threads; runs
    /// can be many, and their windows must be small.
    pub fn file(path: &Path, kind: Kind, start: u64, length: u64) -> Self {
        Source::File {
            path: path.to_owned(),
            start,
            length,
            width: match kind {
                Kind::Level => 1 << 20,
                Kind::Run => 1 << 16,
            },
            windows: Mutex::new(Vec::new()),
        }
    }

    /// Bytes of windows that are kept at the most.
    pub fn windows_at_most(&self) -> u64 {
        match self {
            Source::Memory(_) => 0,
            Source::File { length, width, .. } => {
                (*length).min(KEPT as u64 * (width + block::LONGEST as u64))
            }
        }
    }

    /// Bytes of all blocks.
    pub fn length(&self) -> u64 {
        match self {
            Source::Memory(bytes) => bytes.len() as u64,
            Source::File { length, .. } => *length,
        }
    }

    pub fn damaged(&self, what: &str) -> Error {
        match self {
            Source::Memory(_) => Error::Verification(format!(
                "a run in memory is damaged ({what}): this machine's memory may be faulty"
            )),
            Source::File { path, .. } => Error::damaged(path, what, go_back(path)),
        }
    }

    /// The bytes of the block at `offset`, header included.
    pub fn block_bytes(&self, offset: u64) -> Result<BlockBytes<'_>> {
        match self {
            Source::Memory(bytes) => {
                let rest = bytes.get(offset as usize..).unwrap_or_default();
                let header = block::Header::read(rest)
                    .ok_or_else(|| self.damaged("a block's header is damaged"))?;
                let length = block::HEADER + header.length as usize;
                rest.get(..length)
                    .map(BlockBytes::Memory)
                    .ok_or_else(|| self.damaged("a block is cut off"))
            }
            Source::File { length, .. } => {
                let room = length.saturating_sub(offset);
                if room < block::HEADER as u64 {
                    return Err(self.damaged("a block is cut off"));
                }
                let window = self.window(offset)?;
                let at = (offset - window.offset) as usize;
                let header = block::Header::read(&window.map[at..])
                    .ok_or_else(|| self.damaged("a block's header is damaged"))?;
                let size = block::HEADER + header.length as usize;
                if size as u64 > room {
                    return Err(self.damaged("a block is cut off"));
                }
                Ok(BlockBytes::Window(window, at..at + size))
            }
        }
    }

    /// The window in which the block at `offset` begins, and ends.
    fn window(&self, offset: u64) -> Result<Arc<Window>> {
        let Source::File {
            path,
            start,
            length,
            width,
            windows,
        } = self
        else {
            return Err(self.damaged("a run in memory has no window"));
        };
        let from = offset / width * width;
        let mut windows = windows.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = windows.iter().find(|window| window.offset == from) {
            return Ok(held.clone());
        }
        let io = |e| Error::io("map", path, e);
        let file = disk::open(path).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => self.damaged("the file is missing"),
            _ => io(e),
        })?;
        let present = file.metadata().map_err(io)?.len();
        if present < start + length {
            return Err(self.damaged("the file lost its end"));
        }
        let size = (length - from).min(width + block::LONGEST as u64);
        // SAFETY: files of a job are written once and only read afterwards; the lock keeps other
        // processes of ours away, and the length was checked just now.
        let map = unsafe {
            MmapOptions::new()
                .offset(start + from)
                .len(size as usize)
                .map(&file)
                .map_err(io)?
        };
        // What follows is wanted next: the disk fetches it while this is computed with. Only advice.
        let behind = start + from + size;
        let next = std::num::NonZero::new(*width);
        let _ = rustix::fs::fadvise(file, behind, next, rustix::fs::Advice::WillNeed);
        let fresh = Arc::new(Window { map, offset: from });
        if windows.len() == KEPT {
            windows.remove(0);
        }
        windows.push(fresh.clone());
        Ok(fresh)
    }
}

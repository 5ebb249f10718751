//! Where the bytes of blocks come from: memory, or positioned reads of a file.
//!
//! A file that cannot be read, or that was cut, is an error where it is read, and never a signal:
//! nothing is mapped.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::{SetHeader, block, damaged};
use crate::error::{Error, IoAction, Result};
use crate::store::files::{Files, Input};

/// Bytes that are read at once where blocks are read in order.
const CHUNK: usize = 1 << 16;
/// Whenever a read crosses a multiple of this, the system is told to fetch as much again.
const AHEAD: u64 = 1 << 20;
/// Sets that keep their files open, at the most. Others open them for every row of reads anew: runs
/// can be many, and so can levels, and open files may not.
const MOST_OPEN: usize = 8;

/// How many sets keep their files open.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// Bytes that a thread takes at the most while it reads blocks, beside the indices.
pub const READER: usize = if CHUNK > block::LONGEST { CHUNK } else { block::LONGEST };

/// Where the bytes of blocks come from.
pub(super) enum BlockSource {
    Memory(Vec<u8>),
    File {
        files: Arc<dyn Files>,
        path: PathBuf,
        kept: Option<KeptOpen>,
        /// Where the blocks start and how long they are together.
        start: u64,
        length: u64,
        /// Which level it belongs to, and to which job, if that is known.
        level: u32,
        job: Option<PathBuf>,
    },
}

/// A file that stays open as long as its set is there.
pub(super) struct KeptOpen(Box<dyn Input>);

impl KeptOpen {
    fn new(input: Box<dyn Input>) -> Option<Self> {
        let one_more = |open| (open < MOST_OPEN).then_some(open + 1);
        OPEN.fetch_update(Relaxed, Relaxed, one_more).ok()?;
        Some(KeptOpen(input))
    }
}

impl Drop for KeptOpen {
    fn drop(&mut self) {
        OPEN.fetch_sub(1, Relaxed);
    }
}

/// A file that is open to be read, with its path for errors.
pub(super) struct SetFile<'p> {
    path: &'p Path,
    input: Box<dyn Input>,
    /// Its length when it was opened.
    pub length: u64,
}

impl<'p> SetFile<'p> {
    /// Opens a file; `missing` is the error if there is none.
    pub fn open(files: &dyn Files, path: &'p Path, missing: impl FnOnce() -> Error) -> Result<Self> {
        let input = files.open(path).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => missing(),
            _ => Error::io(IoAction::Open, path, e),
        })?;
        let length = input.length().map_err(|e| Error::io(IoAction::Read, path, e))?;
        Ok(SetFile { path, input, length })
    }

    /// Fills `bytes`; `cut` is the error if the file ends before.
    pub fn read(&self, bytes: &mut [u8], offset: u64, cut: impl FnOnce() -> Error) -> Result<()> {
        read(&*self.input, self.path, bytes, offset, cut)
    }

    /// The first bytes of the file, `most` if it has as many.
    pub fn beginning(&self, most: usize, cut: impl FnOnce() -> Error) -> Result<Vec<u8>> {
        let mut bytes = vec![0; most.min(usize::try_from(self.length).unwrap_or(most))];
        self.read(&mut bytes, 0, cut)?;
        Ok(bytes)
    }

    /// The file as the source of the blocks that begin at `start`.
    pub fn into_source(
        self,
        files: &Arc<dyn Files>,
        about: &SetHeader,
        start: u64,
        length: u64,
    ) -> BlockSource {
        BlockSource::File {
            files: files.clone(),
            path: self.path.to_owned(),
            kept: KeptOpen::new(self.input),
            start,
            length,
            level: about.level,
            job: None,
        }
    }
}

fn read(
    input: &dyn Input,
    path: &Path,
    bytes: &mut [u8],
    offset: u64,
    cut: impl FnOnce() -> Error,
) -> Result<()> {
    input.read_exact_at(bytes, offset).map_err(|e| match e.kind() {
        std::io::ErrorKind::UnexpectedEof => cut(),
        _ => Error::io(IoAction::Read, path, e),
    })?;
    let end = offset + bytes.len() as u64;
    if offset / AHEAD != end / AHEAD {
        input.will_read(end, AHEAD);
    }
    Ok(())
}

impl BlockSource {
    /// The file is one of the job in `dir`.
    pub fn set_job(&mut self, dir: &Path) {
        if let BlockSource::File { job, .. } = self {
            *job = Some(dir.to_owned());
        }
    }

    /// Bytes of all blocks.
    pub fn length(&self) -> u64 {
        match self {
            BlockSource::Memory(bytes) => bytes.len() as u64,
            BlockSource::File { length, .. } => *length,
        }
    }

    pub fn damaged(&self, what: &str) -> Error {
        match self {
            BlockSource::Memory(_) => Error::verification(format!(
                "a run in memory is damaged ({what}): this machine's memory may be faulty"
            )),
            BlockSource::File { path, level, job, .. } => {
                let error = damaged(path, what, *level);
                match job {
                    Some(dir) => error.in_job(dir),
                    None => error,
                }
            }
        }
    }

    /// Reads blocks, and what follows them.
    pub fn reader(&self) -> BlockReader<'_> {
        BlockReader { source: self, opened: None, buffer: SPARE.take(), start: 0, filled: 0 }
    }
}

thread_local! {
    /// The buffer of the last reader on the thread, for the next one.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Reads blocks that follow each other, several at a time.
pub(super) struct BlockReader<'a> {
    source: &'a BlockSource,
    /// The file, if its set does not keep it open.
    opened: Option<Box<dyn Input>>,
    buffer: Vec<u8>,
    /// Where the buffer's content stands, from the first block on, and how long it is.
    start: u64,
    filled: usize,
}

impl Drop for BlockReader<'_> {
    fn drop(&mut self) {
        SPARE.set(std::mem::take(&mut self.buffer));
    }
}

impl BlockReader<'_> {
    /// The bytes of the block at `offset`, header included. Nothing from `end` on will be wanted.
    pub fn block(&mut self, offset: u64, end: u64) -> Result<&[u8]> {
        let source = self.source;
        let room = source.length().saturating_sub(offset);
        if room < block::HEADER as u64 {
            return Err(source.damaged("a block is truncated"));
        }
        let size = |from: &[u8]| {
            let header =
                block::Header::read(from).ok_or_else(|| source.damaged("a block's header is damaged"))?;
            let size = block::HEADER + header.length as usize;
            match size as u64 <= room {
                true => Ok(size),
                false => Err(source.damaged("a block is truncated")),
            }
        };
        if let BlockSource::Memory(bytes) = source {
            let rest = &bytes[offset as usize..];
            return Ok(&rest[..size(rest)?]);
        }
        let wanted = end.saturating_sub(offset).clamp(block::HEADER as u64, CHUNK as u64).min(room) as usize;
        if !self.holds(offset, block::HEADER) {
            self.fill(offset, wanted)?;
        }
        let size = size(&self.buffer[(offset - self.start) as usize..self.filled])?;
        if !self.holds(offset, size) {
            self.fill(offset, wanted.max(size))?;
        }
        let at = (offset - self.start) as usize;
        Ok(&self.buffer[at..at + size])
    }

    /// Whether these bytes are in the buffer.
    fn holds(&self, offset: u64, length: usize) -> bool {
        let end = self.start + self.filled as u64;
        offset >= self.start && offset + length as u64 <= end
    }

    /// Reads these bytes, which are within the blocks, into the buffer.
    fn fill(&mut self, offset: u64, length: usize) -> Result<()> {
        let mut buffer = std::mem::take(&mut self.buffer);
        if let Some(more) = length.checked_sub(buffer.len()) {
            buffer.reserve_exact(more);
            buffer.resize(length, 0);
        }
        self.filled = 0;
        let done = self.read(&mut buffer[..length], offset);
        self.buffer = buffer;
        done?;
        (self.start, self.filled) = (offset, length);
        Ok(())
    }

    /// Reads whatever stands in the file `offset` bytes after its first block begins.
    pub fn read(&mut self, bytes: &mut [u8], offset: u64) -> Result<()> {
        let source = self.source;
        let BlockSource::File { files, path, kept, start, .. } = source else {
            return Err(source.damaged("a run in memory is read like a file"));
        };
        let input = match (kept, &mut self.opened) {
            (Some(kept), _) => &*kept.0,
            (None, Some(opened)) => &**opened,
            (None, opened) => {
                let missing = || source.damaged("the file is missing");
                &**opened.insert(SetFile::open(&**files, path, missing)?.input)
            }
        };
        read(input, path, bytes, start + offset, || source.damaged("the file is truncated"))
    }
}

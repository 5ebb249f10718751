//! Sorted sets of indices: level sets, and runs of candidates, in memory or on disk.
//!
//! ```text
//! file   = header | block ... block | block index | trailer
//! header = "GODNUMLS" | version (4) | kind (1) | index width in bytes (1) | text length (2)
//!        | index scheme (4) | level (4) | universe (16) | puzzle text | checksum (8)
//! index  = for every block: its first index (16) | its offset from the first block (8)
//! trailer= blocks (8) | indices (16) | states (16) | chain (8) | checksum (8) | "GODNUMEN"
//! ```
//! Blocks are those of [`block`](super::block), all full but the last. The chain is a checksum
//! over the checksums of all blocks; the last checksum covers the block index and the trailer.
//! So every byte of a file is covered, a block can be read and checked alone, and the file's
//! last 64 bytes tell whether it is complete.
//!
//! Files are read through memory maps of bounded windows, each made after a look at the file's
//! present length, so that a file which lost its tail gives an error and not a bus error.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use memmap2::{Mmap, MmapOptions};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::block::{self, Packing};
use super::disk::{Disk, OutFile};
use crate::error::{Error, Result};
use crate::puzzle::Index;

/// Version of the file format.
pub const VERSION: u32 = 1;
const MAGIC: &[u8; 8] = b"GODNUMLS";
const END: &[u8; 8] = b"GODNUMEN";
const TRAILER: usize = 64;
const ENTRY: usize = 24;
const FIXED_HEADER: usize = 40;
/// How much of a file is mapped at a time.
pub const WINDOW: usize = 1 << 20;

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
    offset: u64,
}

/// A block in coded form, with the number of states it stands for.
pub struct CodedBlock {
    /// The bytes of the block.
    pub bytes: Vec<u8>,
    /// How many states its indices stand for.
    pub states: u128,
}

impl CodedBlock {
    /// Codes a block of a run, whose states nobody counts.
    pub fn of_run<I: Index>(indices: &[I]) -> Self {
        let mut bytes = Vec::new();
        block::encode(indices, Packing::Fast, &mut bytes);
        CodedBlock { bytes, states: 0 }
    }
}

/// Writes a sorted set to a file, block by block.
pub struct SetWriter<'d, I> {
    out: OutFile<'d>,
    header: u64,
    length: u64,
    entries: Vec<Entry<I>>,
    count: u128,
    states: u128,
    chain: Xxh3,
}

impl<'d, I: Index> SetWriter<'d, I> {
    /// Starts a file.
    pub fn create(disk: &'d Disk, path: &Path, about: &About) -> Result<Self> {
        let mut out = disk.create(path)?;
        let header = about.header(I::BITS);
        out.write(&header)?;
        Ok(SetWriter {
            out,
            header: header.len() as u64,
            length: 0,
            entries: Vec::new(),
            count: 0,
            states: 0,
            chain: Xxh3::new(),
        })
    }

    /// Goes on with a file of which a checkpoint vouched for the first `length` bytes of blocks.
    /// `states` is what those blocks stand for.
    pub fn reopen(
        disk: &'d Disk,
        path: &Path,
        about: &About,
        length: u64,
        states: u128,
    ) -> Result<Self> {
        let header = about.header(I::BITS);
        let header_length = header.len() as u64;
        let out = disk.reopen(path, header_length + length)?;
        let file = File::open(path).map_err(|e| Error::io("open", path, e))?;
        let mut writer = SetWriter {
            out,
            header: header_length,
            length: 0,
            entries: Vec::new(),
            count: 0,
            states,
            chain: Xxh3::new(),
        };
        let source = Source::file(path, file, header_length, length);
        let mut indices = Vec::new();
        while writer.length < length {
            let bytes = source.block_bytes(writer.length)?;
            indices.clear();
            block::decode::<I>(bytes.get(), &mut indices).map_err(|what| source.damaged(what))?;
            writer.note(bytes.get(), indices[0], indices.len());
        }
        Ok(writer)
    }

    /// Appends a block; its indices must follow those before.
    pub fn append(&mut self, coded: &CodedBlock) -> Result<()> {
        let header = block::Header::read(&coded.bytes)
            .ok_or_else(|| Error::Verification("a block was coded wrongly".into()))?;
        self.out.write(&coded.bytes)?;
        self.note(&coded.bytes, I::narrow(header.first), header.count as usize);
        self.states += coded.states;
        Ok(())
    }

    fn note(&mut self, bytes: &[u8], first: I, count: usize) {
        self.entries.push(Entry {
            first,
            offset: self.length,
        });
        self.length += bytes.len() as u64;
        self.count += count as u128;
        self.chain.update(&bytes[24..block::HEADER]);
    }

    /// Bytes of blocks so far, and states they stand for.
    pub fn progress(&self) -> (u64, u128) {
        (self.length, self.states)
    }

    /// Makes what was appended durable, for a checkpoint.
    pub fn sync(&mut self) -> Result<()> {
        self.out.sync()
    }

    /// Ends the file; returns its totals and its length.
    pub fn finish(mut self, durable: bool) -> Result<(Totals, u64)> {
        let totals = Totals {
            count: self.count,
            states: self.states,
            chain: self.chain.digest(),
        };
        let mut tail = Vec::with_capacity(self.entries.len() * ENTRY + TRAILER);
        for entry in &self.entries {
            tail.extend_from_slice(&entry.first.wide().to_le_bytes());
            tail.extend_from_slice(&entry.offset.to_le_bytes());
        }
        tail.extend_from_slice(&(self.entries.len() as u64).to_le_bytes());
        tail.extend_from_slice(&totals.count.to_le_bytes());
        tail.extend_from_slice(&totals.states.to_le_bytes());
        tail.extend_from_slice(&totals.chain.to_le_bytes());
        tail.extend_from_slice(&xxh3_64(&tail).to_le_bytes());
        tail.extend_from_slice(END);
        self.out.write(&tail)?;
        let length = self.header + self.length + tail.len() as u64;
        self.out.finish(durable)?;
        Ok((totals, length))
    }
}

/// Makes a run in memory, block by block.
pub struct SetBuilder<I> {
    entries: Vec<Entry<I>>,
    bytes: Vec<u8>,
    count: u128,
}

impl<I> Default for SetBuilder<I> {
    fn default() -> Self {
        SetBuilder {
            entries: Vec::new(),
            bytes: Vec::new(),
            count: 0,
        }
    }
}

impl<I: Index> SetBuilder<I> {
    /// Appends a block; its indices must follow those before.
    pub fn push(&mut self, indices: &[I]) {
        self.entries.push(Entry {
            first: indices[0],
            offset: self.bytes.len() as u64,
        });
        self.count += indices.len() as u128;
        block::encode(indices, Packing::Fast, &mut self.bytes);
    }

    /// The run.
    pub fn finish(mut self) -> SortedSet<I> {
        self.bytes.shrink_to_fit();
        SortedSet {
            entries: self.entries,
            source: Source::Memory(self.bytes),
            totals: Totals {
                count: self.count,
                ..Totals::default()
            },
        }
    }
}

/// A sorted set that can be read: all of it, a range, or one index.
pub struct SortedSet<I> {
    entries: Vec<Entry<I>>,
    source: Source,
    totals: Totals,
}

impl<I: Index> SortedSet<I> {
    /// A run in memory, of ascending indices without repeats.
    pub fn in_memory(indices: &[I]) -> Self {
        let mut builder = SetBuilder::default();
        builder.bytes.reserve(indices.len() * 2);
        for piece in indices.chunks(block::BLOCK) {
            builder.push(piece);
        }
        builder.finish()
    }

    /// Opens a file and checks that it is what `about` says.
    pub fn open(path: &Path, about: &About) -> Result<Self> {
        let damaged = |what: String| Error::damaged(path, what, REMEDY);
        let io = |e| Error::io("read", path, e);
        let file = File::open(path).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => damaged("the file is missing".into()),
            _ => Error::io("open", path, e),
        })?;
        let length = file.metadata().map_err(io)?.len();
        let expected = about.header(I::BITS);
        let mut header = vec![0; expected.len().min(length as usize)];
        read_at(&file, &mut header, 0).map_err(io)?;
        check_header(&header, &expected, about).map_err(damaged)?;
        let minimum = (expected.len() + TRAILER) as u64;
        if length < minimum {
            return Err(damaged("the file is cut off".into()));
        }
        let mut trailer = [0; TRAILER];
        read_at(&file, &mut trailer, length - TRAILER as u64).map_err(io)?;
        if &trailer[56..] != END {
            return Err(damaged("the end of the file is missing or damaged".into()));
        }
        let blocks = u64::from_le_bytes(field(&trailer, 0));
        let index_length = blocks
            .checked_mul(ENTRY as u64)
            .filter(|&bytes| bytes <= length - minimum)
            .ok_or_else(|| damaged("the block index is larger than the file".into()))?;
        let index_start = length - TRAILER as u64 - index_length;
        let mut tail = vec![0; index_length as usize + 48];
        read_at(&file, &mut tail, index_start).map_err(io)?;
        if xxh3_64(&tail) != u64::from_le_bytes(field(&trailer, 48)) {
            return Err(damaged(
                "the block index does not match its checksum".into(),
            ));
        }
        let entries = tail[..index_length as usize]
            .chunks_exact(ENTRY)
            .map(|entry| Entry {
                first: I::narrow(u128::from_le_bytes(field(entry, 0))),
                offset: u64::from_le_bytes(field(entry, 16)),
            })
            .collect();
        let start = expected.len() as u64;
        Ok(SortedSet {
            entries,
            source: Source::file(path, file, start, index_start - start),
            totals: Totals {
                count: u128::from_le_bytes(field(&trailer, 8)),
                states: u128::from_le_bytes(field(&trailer, 24)),
                chain: u64::from_le_bytes(field(&trailer, 40)),
            },
        })
    }

    /// What it amounts to.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.entries.len()
    }

    /// The first index of a block.
    pub fn first_of(&self, block: usize) -> I {
        self.entries[block].first
    }

    /// Bytes of memory it takes, windows on files aside.
    pub fn memory(&self) -> usize {
        let data = match &self.source {
            Source::Memory(bytes) => bytes.len(),
            Source::File { .. } => 0,
        };
        data + self.entries.len() * size_of::<Entry<I>>()
    }

    /// Whether the set is in memory only.
    pub fn is_in_memory(&self) -> bool {
        matches!(self.source, Source::Memory(_))
    }

    /// Appends the indices of one block.
    pub fn block(&self, block: usize, out: &mut Vec<I>) -> Result<()> {
        let bytes = self.source.block_bytes(self.entries[block].offset)?;
        block::decode(bytes.get(), out).map_err(|what| self.source.damaged(what))
    }

    /// The index at a position, counted from 0 in ascending order; `None` beyond the end.
    pub fn nth(&self, position: u128) -> Result<Option<I>> {
        // All blocks are full but the last.
        let block = (position / block::BLOCK as u128) as usize;
        if position >= self.totals.count || block >= self.entries.len() {
            return Ok(None);
        }
        let mut indices = Vec::new();
        self.block(block, &mut indices)?;
        Ok(indices
            .get((position % block::BLOCK as u128) as usize)
            .copied())
    }

    /// The block's bytes as stored, to be copied into another file of the set.
    pub fn coded_block(&self, block: usize) -> Result<CodedBlock> {
        let bytes = self.source.block_bytes(self.entries[block].offset)?;
        Ok(CodedBlock {
            bytes: bytes.get().to_vec(),
            states: 0,
        })
    }

    /// Appends the indices from `low` on that are below `high` (no bound: `None`), ascending.
    pub fn range(&self, low: I, high: Option<I>, out: &mut Vec<I>) -> Result<()> {
        let from = self.entries.partition_point(|e| e.first <= low).max(1) - 1;
        let to = high.map_or(self.entries.len(), |high| {
            self.entries.partition_point(|e| e.first < high)
        });
        for block in from..to {
            let start = out.len();
            self.block(block, out)?;
            if let Some(high) = high {
                let keep = out[start..].partition_point(|&i| i < high);
                out.truncate(start + keep);
            }
            let skip = out[start..].partition_point(|&i| i < low);
            out.drain(start..start + skip);
        }
        Ok(())
    }

    /// Removes from an ascending list what is in the set. Only blocks in whose range something
    /// of the list lies are read, one at a time.
    pub fn subtract_from(&self, list: &mut Vec<I>) -> Result<()> {
        let mut block: Vec<I> = Vec::new();
        // Entries from here on start after the block in hand, and the position in that block.
        let (mut next, mut at) = (0, 0);
        let mut kept = 0;
        for i in 0..list.len() {
            let index = list[i];
            if self.entries.get(next).is_some_and(|e| e.first <= index) {
                next += self.entries[next..].partition_point(|e| e.first <= index);
                block.clear();
                self.block(next - 1, &mut block)?;
                at = 0;
            }
            while block.get(at).is_some_and(|&known| known < index) {
                at += 1;
            }
            if block.get(at) != Some(&index) {
                list[kept] = index;
                kept += 1;
            }
        }
        list.truncate(kept);
        Ok(())
    }

    /// Whether `index` is in the set.
    pub fn contains(&self, index: I) -> Result<bool> {
        let block = self.entries.partition_point(|e| e.first <= index);
        if block == 0 {
            return Ok(false);
        }
        let mut indices = Vec::new();
        self.block(block - 1, &mut indices)?;
        Ok(indices.binary_search(&index).is_ok())
    }

    /// Reads every block and checks checksums, order and count.
    pub fn check(&self, universe: I) -> Result<()> {
        let mut chain = Xxh3::new();
        let mut count = 0u128;
        let mut last: Option<I> = None;
        let mut indices = Vec::new();
        for (i, entry) in self.entries.iter().enumerate() {
            let bytes = self.source.block_bytes(entry.offset)?;
            chain.update(&bytes.get()[24..block::HEADER]);
            indices.clear();
            self.block(i, &mut indices)?;
            let ordered = last.is_none_or(|last| last < indices[0])
                && indices.windows(2).all(|pair| pair[0] < pair[1])
                && indices[indices.len() - 1] < universe
                && indices[0] == entry.first;
            if !ordered {
                return Err(self.source.damaged("its indices are not in order"));
            }
            last = indices.last().copied();
            count += indices.len() as u128;
        }
        if count != self.totals.count || chain.digest() != self.totals.chain {
            return Err(self
                .source
                .damaged("its blocks do not add up to its totals"));
        }
        Ok(())
    }
}

const REMEDY: &str = "go back to the last whole level with `godnum resume DIR --from-level L`, \
                      or start again with `godnum enumerate ... --fresh`";

fn field<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut field = [0; N];
    field.copy_from_slice(&bytes[at..at + N]);
    field
}

/// Says what is different between the header found and the one expected, the gravest first.
fn check_header(found: &[u8], expected: &[u8], about: &About) -> std::result::Result<(), String> {
    if found.get(..8) != Some(MAGIC.as_slice()) {
        return Err("this is not a godnum level set".into());
    }
    if let Some(version) = found.get(8..12)
        && version != VERSION.to_le_bytes()
    {
        return Err(format!(
            "the file was written in format {}, this build reads format {VERSION}",
            u32::from_le_bytes(field(version, 0))
        ));
    }
    if found.len() < expected.len() {
        return Err("the file is cut off".into());
    }
    if found != expected {
        return Err(format!(
            "its header is damaged, or it is not level {} of {} (index scheme {})",
            about.level, about.puzzle, about.scheme
        ));
    }
    Ok(())
}

fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> std::io::Result<()> {
    use std::os::unix::fs::FileExt;
    file.read_exact_at(bytes, offset)
}

/// Where the bytes of blocks come from.
enum Source {
    Memory(Vec<u8>),
    File {
        path: PathBuf,
        file: File,
        /// Where the blocks start and how long they are together.
        start: u64,
        length: u64,
        window: Mutex<Option<Arc<Window>>>,
    },
}

struct Window {
    map: Mmap,
    /// Offset of the map from the first block.
    offset: u64,
}

/// The bytes of one block, borrowed from memory or from a window that they keep alive.
enum BlockBytes<'a> {
    Memory(&'a [u8]),
    Window(Arc<Window>, std::ops::Range<usize>),
}

impl BlockBytes<'_> {
    fn get(&self) -> &[u8] {
        match self {
            BlockBytes::Memory(bytes) => bytes,
            BlockBytes::Window(window, range) => &window.map[range.clone()],
        }
    }
}

impl Source {
    fn file(path: &Path, file: File, start: u64, length: u64) -> Self {
        Source::File {
            path: path.to_owned(),
            file,
            start,
            length,
            window: Mutex::new(None),
        }
    }

    fn damaged(&self, what: &str) -> Error {
        match self {
            Source::Memory(_) => Error::Verification(format!(
                "a run in memory is damaged ({what}): this machine's memory may be faulty"
            )),
            Source::File { path, .. } => Error::damaged(path, what, REMEDY),
        }
    }

    /// The bytes of the block at `offset`, header included.
    fn block_bytes(&self, offset: u64) -> Result<BlockBytes<'_>> {
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
                let (window, at) = self.window(offset, block::HEADER)?;
                let header = block::Header::read(&window.map[at..])
                    .ok_or_else(|| self.damaged("a block's header is damaged"))?;
                let size = block::HEADER + header.length as usize;
                if size as u64 > length - offset {
                    return Err(self.damaged("a block is cut off"));
                }
                if at + size <= window.map.len() {
                    return Ok(BlockBytes::Window(window, at..at + size));
                }
                let (window, at) = self.window(offset, size)?;
                Ok(BlockBytes::Window(window, at..at + size))
            }
        }
    }

    /// A window that holds `size` bytes from `offset` on, and where in it they are.
    fn window(&self, offset: u64, size: usize) -> Result<(Arc<Window>, usize)> {
        let Source::File {
            path,
            file,
            start,
            length,
            window,
        } = self
        else {
            return Err(self.damaged("a run in memory has no window"));
        };
        if offset > *length || size as u64 > length - offset {
            return Err(self.damaged("a block is cut off"));
        }
        let mut held = window.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = held.as_ref()
            && offset >= held.offset
            && offset - held.offset + size as u64 <= held.map.len() as u64
        {
            return Ok((held.clone(), (offset - held.offset) as usize));
        }
        let io = |e| Error::io("map", path, e);
        let present = file.metadata().map_err(io)?.len();
        if present < start + length {
            return Err(self.damaged("the file lost its end"));
        }
        let size = (length - offset).min(size.max(WINDOW) as u64) as usize;
        // SAFETY: files of a job are written once and only read afterwards; the lock keeps other
        // processes of ours away, and the length was checked just now.
        let map = unsafe {
            MmapOptions::new()
                .offset(start + offset)
                .len(size)
                .map(file)
                .map_err(io)?
        };
        let fresh = Arc::new(Window { map, offset });
        *held = Some(fresh.clone());
        Ok((fresh, 0))
    }
}

#[cfg(test)]
mod tests;

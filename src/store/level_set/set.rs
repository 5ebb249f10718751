//! Reading sorted sets: all of one, a range, or one index.

use std::fs::File;
use std::ops::Range;
use std::path::Path;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::block::{self, CodedBlock};
use super::source::Source;
use super::{About, BLOCK, END, ENTRY, Entry, MAGIC, TRAILER, Totals, VERSION};
use crate::error::{Error, Result, go_back};
use crate::space::Index;
use crate::store::disk;

/// A sorted set that can be read: all of it, a range, or one index.
pub struct SortedSet<I> {
    pub(super) entries: Vec<Entry<I>>,
    pub(super) source: Source,
    pub(super) totals: Totals,
    /// All indices are below it; for a run in memory, which nobody could damage, it is no bound.
    pub(super) universe: u128,
}

impl<I: Index> SortedSet<I> {
    /// A run in memory, of ascending indices without repeats.
    pub fn in_memory(indices: &[I]) -> Self {
        let mut builder = super::SetBuilder::default();
        for piece in indices.chunks(block::BLOCK) {
            builder.push(piece);
        }
        builder.finish()
    }

    /// Opens a file and checks that it is what `about` says.
    pub fn open(path: &Path, about: &About) -> Result<Self> {
        let damaged = |what: String| Error::damaged(path, what, go_back(path));
        let io = |e| Error::io("read", path, e);
        let file = disk::open(path).map_err(|e| match e.kind() {
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
        let count = u128::from_le_bytes(field(&trailer, 8));
        let index_length = blocks
            .checked_mul(ENTRY as u64)
            .filter(|&bytes| bytes <= length - minimum)
            .filter(|_| u128::from(blocks) == count.div_ceil(BLOCK as u128))
            .ok_or_else(|| damaged("the block index does not fit the file".into()))?;
        let index_start = length - TRAILER as u64 - index_length;
        let mut tail = vec![0; index_length as usize + 48];
        read_at(&file, &mut tail, index_start).map_err(io)?;
        if xxh3_64(&tail) != u64::from_le_bytes(field(&trailer, 48)) {
            return Err(damaged(
                "the block index does not match its checksum".into(),
            ));
        }
        let entry = |entry: &[u8]| {
            let first = u128::from_le_bytes(field(entry, 0));
            (I::narrow(first).wide() == first).then(|| Entry {
                first: I::narrow(first),
                offset: u64::from_le_bytes(field(entry, 16)),
            })
        };
        let entries = tail[..index_length as usize].chunks_exact(ENTRY);
        let entries: Option<Vec<Entry<I>>> = entries.map(entry).collect();
        let entries = entries
            .filter(|list| list.is_sorted_by(|a, b| a.first < b.first && a.offset < b.offset))
            .ok_or_else(|| damaged("the block index is not in order".into()))?;
        let start = expected.len() as u64;
        Ok(SortedSet {
            universe: about.universe,
            entries,
            source: Source::file(path, about.kind, start, index_start - start),
            totals: Totals {
                count,
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

    /// Bytes of memory it takes at the most, with windows on its file.
    pub fn most_memory(&self) -> u64 {
        self.memory() as u64 + self.source.windows_at_most()
    }

    /// Whether the set is in memory only.
    pub fn is_in_memory(&self) -> bool {
        matches!(self.source, Source::Memory(_))
    }

    /// Appends the indices of one block: ascending, below the universe, and the first one that which
    /// the block index names.
    pub fn block(&self, block: usize, out: &mut Vec<I>) -> Result<()> {
        let start = out.len();
        let entry = self.entries[block];
        let bytes = self.source.block_bytes(entry.offset)?;
        block::decode(bytes.get(), out).map_err(|what| self.source.damaged(what))?;
        let indices = &out[start..];
        let what = match (indices.first(), indices.last()) {
            (_, Some(last)) if last.wide() >= self.universe => {
                "it holds indices beyond the end of the space"
            }
            (first, _) if first != Some(&entry.first) || !ascending(indices) => {
                "its indices are not in order"
            }
            _ => return Ok(()),
        };
        out.truncate(start);
        Err(self.source.damaged(what))
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

    /// The blocks in which indices from `low` on and below `high` can be.
    pub fn blocks_in(&self, low: I, high: Option<I>) -> Range<usize> {
        let from = self.entries.partition_point(|e| e.first <= low).max(1) - 1;
        let to = high.map_or(self.entries.len(), |high| {
            self.entries.partition_point(|e| e.first < high)
        });
        from..to
    }

    /// Appends the indices from `low` on that are below `high` (no bound: `None`), ascending.
    pub fn range(&self, low: I, high: Option<I>, out: &mut Vec<I>) -> Result<()> {
        for block in self.blocks_in(low, high) {
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

    /// Hands every index from `low` on that is below `high` to `visit`, ascending, with no more than
    /// a block in memory.
    pub fn visit(&self, low: I, high: I, mut visit: impl FnMut(I)) -> Result<()> {
        let mut indices = Vec::with_capacity(BLOCK);
        for block in self.blocks_in(low, Some(high)) {
            indices.clear();
            self.block(block, &mut indices)?;
            for &index in &indices {
                if index >= low && index < high {
                    visit(index);
                }
            }
        }
        Ok(())
    }

    /// Removes from an ascending list what is in the set.
    pub fn subtract_from(&self, list: &mut Vec<I>) -> Result<()> {
        let mut cursor = self.cursor();
        let mut kept = 0;
        for i in 0..list.len() {
            if cursor.find(list[i])?.is_none() {
                list[kept] = list[i];
                kept += 1;
            }
        }
        list.truncate(kept);
        Ok(())
    }

    /// Looks for many indices, in ascending order.
    pub fn cursor(&self) -> Cursor<'_, I> {
        Cursor {
            set: self,
            block: Vec::new(),
            next: 0,
            at: 0,
        }
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

    /// Holds every byte to its checksum; asks `go_on` before each block.
    pub fn check_bytes(&self, go_on: impl Fn() -> Result<()>) -> Result<()> {
        self.check_blocks(|_| go_on())
    }

    /// The same; asks `visit` about the number of each block before.
    fn check_blocks(&self, mut visit: impl FnMut(usize) -> Result<()>) -> Result<()> {
        let mut chain = Xxh3::new();
        let mut count = 0u128;
        let mut end = 0;
        for (i, entry) in self.entries.iter().enumerate() {
            visit(i)?;
            let bytes = self.source.block_bytes(entry.offset)?;
            let header = block::check(bytes.get()).map_err(|what| self.source.damaged(what))?;
            if entry.offset != end || entry.first.wide() != header.first {
                return Err(self
                    .source
                    .damaged("its blocks are not where they should be"));
            }
            end += bytes.get().len() as u64;
            count += u128::from(header.count);
            chain.update(&bytes.get()[24..block::HEADER]);
        }
        if (count, chain.digest(), end)
            != (self.totals.count, self.totals.chain, self.source.length())
        {
            return Err(self
                .source
                .damaged("its blocks do not add up to its totals"));
        }
        Ok(())
    }

    /// Reads every block and checks checksums, order and count; asks `go_on` before each.
    pub fn check(&self, go_on: impl Fn() -> Result<()>) -> Result<()> {
        let mut last: Option<I> = None;
        let mut indices = Vec::new();
        self.check_blocks(|block| {
            go_on()?;
            indices.clear();
            self.block(block, &mut indices)?;
            if last.is_some_and(|last| last >= self.entries[block].first) {
                return Err(self.source.damaged("its indices are not in order"));
            }
            last = indices.last().copied();
            Ok(())
        })
    }
}

/// Finds indices that are asked for in ascending order. Only blocks in whose range something was
/// asked for are read, one at a time.
pub struct Cursor<'a, I> {
    set: &'a SortedSet<I>,
    /// The block in hand, and the position in it.
    block: Vec<I>,
    at: usize,
    /// Blocks from here on begin behind everything that was asked for.
    next: usize,
}

impl<I: Index> Cursor<'_, I> {
    /// The position of `index` in the set, if it is there; not below what was asked for before.
    #[inline]
    pub fn find(&mut self, index: I) -> Result<Option<u64>> {
        let entries = &self.set.entries;
        if entries.get(self.next).is_some_and(|e| e.first <= index) {
            self.next += entries[self.next..].partition_point(|e| e.first <= index);
            self.block.clear();
            self.set.block(self.next - 1, &mut self.block)?;
            self.at = 0;
        }
        while self.block.get(self.at).is_some_and(|&known| known < index) {
            self.at += 1;
        }
        Ok(match self.block.get(self.at) {
            Some(&known) if known == index => {
                Some((self.next - 1) as u64 * BLOCK as u64 + self.at as u64)
            }
            _ => None,
        })
    }
}

/// Whether every index is greater than the one before. It looks at all of them, so that many can be
/// compared at a time.
fn ascending<I: Index>(indices: &[I]) -> bool {
    let pairs = indices.iter().zip(indices.get(1..).unwrap_or_default());
    pairs.fold(true, |so_far, (a, b)| so_far & (a < b))
}

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

pub(super) fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> std::io::Result<()> {
    use std::os::unix::fs::FileExt;
    file.read_exact_at(bytes, offset)
}

//! Reading sorted sets: all of one, a range, or one index.

use std::ops::Range;
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use super::block::{self, CodedBlock};
use super::index::{BlockIndex, BlockPlace};
use super::source::{BlockReader, BlockSource, READER};
use super::{BLOCK, SetTotals};
use crate::encode::cpu::{self, Cpu, Kernel};
use crate::error::Result;
use crate::space::Index;

/// A sorted set that can be read: all of it, a range, or one index.
///
/// ```
/// use godnum::store::level_set::SortedSet;
///
/// let squares: Vec<u64> = (0..10_000).map(|n| n * n).collect();
/// let set = SortedSet::in_memory(&squares);
/// assert_eq!(set.blocks(), 3); // of up to 4096 indices
/// assert!(set.contains(81)? && !set.contains(80)?);
/// assert_eq!(set.nth(5_000)?, Some(25_000_000));
///
/// let mut some = Vec::new();
/// set.range(100, Some(200), &mut some)?;
/// assert_eq!(some, [100, 121, 144, 169, 196]);
/// # Ok::<(), godnum::error::Error>(())
/// ```
pub struct SortedSet<I> {
    pub(super) index: BlockIndex<I>,
    pub(super) source: BlockSource,
    pub(super) totals: SetTotals,
    /// All indices are below it; for a run in memory it is not a bound.
    pub(super) universe: u128,
    pub(super) file_length: u64,
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

    /// The same set, as a file of the job in `dir`.
    pub fn of_job(mut self, dir: &Path) -> Self {
        self.source.set_job(dir);
        self
    }

    /// What it amounts to.
    pub fn totals(&self) -> SetTotals {
        self.totals
    }

    /// Bytes of its file when that was opened; 0 in memory.
    pub fn file_length(&self) -> u64 {
        self.file_length
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.index.blocks()
    }

    /// The first index of a block.
    pub fn first_of(&self, block: usize) -> Result<I> {
        Ok(self.index.place(block, &self.source)?.first)
    }

    /// Bytes of memory it takes at the most, apart from what threads take while they read it.
    pub fn memory(&self) -> usize {
        let data = match &self.source {
            BlockSource::Memory(bytes) => bytes.capacity(),
            BlockSource::File { .. } => 0,
        };
        data + self.index.memory()
    }

    /// Bytes that a thread takes for a moment to read a page of its block index.
    pub fn page_memory(&self) -> usize {
        self.index.page_memory()
    }

    /// Bytes of memory that it takes at the most, while one thread reads it.
    pub fn most_memory(&self) -> u64 {
        let reader = match &self.source {
            BlockSource::Memory(_) => 0,
            BlockSource::File { .. } => READER + self.index.page_memory(),
        };
        (self.memory() + reader) as u64
    }

    /// Appends the indices of one block: ascending, below the universe, and the first one that which
    /// the block index names.
    pub fn block(&self, block: usize, out: &mut Vec<I>) -> Result<()> {
        let place = self.index.place(block, &self.source)?;
        self.read_block(&mut self.source.reader(), &place, place.end, out)
    }

    /// The same, with a reader of the set, which reads on as far as `end` if it can.
    pub(super) fn read_block(
        &self,
        reader: &mut BlockReader<'_>,
        place: &BlockPlace<I>,
        end: u64,
        out: &mut Vec<I>,
    ) -> Result<()> {
        let bytes = reader.block(place.offset, end)?;
        self.decode(place, bytes, out)
    }

    /// Appends the indices of the block with these bytes, which must be those of its place.
    fn decode(&self, place: &BlockPlace<I>, bytes: &[u8], out: &mut Vec<I>) -> Result<()> {
        let start = out.len();
        block::decode(bytes, out).map_err(|what| self.source.damaged(what))?;
        let indices = &out[start..];
        let what = match (indices.first(), indices.last()) {
            (_, Some(last)) if last.wide() >= self.universe => "it holds indices beyond the end of the space",
            (first, _) if first != Some(&place.first) || !cpu::run(Ascending(indices)) => {
                "its indices are not in order"
            }
            _ => return Ok(()),
        };
        out.truncate(start);
        Err(self.source.damaged(what))
    }

    /// Appends the indices of one block after the other; after each, hands all of them to `visit`,
    /// with the number of those that were there before it.
    fn each_block(
        &self,
        blocks: Range<usize>,
        out: &mut Vec<I>,
        mut visit: impl FnMut(&mut Vec<I>, usize),
    ) -> Result<()> {
        let end = match blocks.end < self.blocks() {
            true => self.index.place(blocks.end, &self.source)?.offset,
            false => self.source.length(),
        };
        let mut reader = self.source.reader();
        for block in blocks {
            let place = self.index.place(block, &self.source)?;
            let start = out.len();
            self.read_block(&mut reader, &place, end, out)?;
            visit(out, start);
        }
        Ok(())
    }

    /// The index at a position, counted from 0 in ascending order; `None` beyond the end.
    pub fn nth(&self, position: u128) -> Result<Option<I>> {
        // All blocks are full but the last.
        let block = (position / block::BLOCK as u128) as usize;
        if position >= self.totals.count || block >= self.blocks() {
            return Ok(None);
        }
        let mut indices = Vec::new();
        self.block(block, &mut indices)?;
        Ok(indices.get((position % block::BLOCK as u128) as usize).copied())
    }

    /// The block's bytes as stored, to be copied into another file of the set.
    pub fn coded_block(&self, block: usize) -> Result<CodedBlock> {
        let place = self.index.place(block, &self.source)?;
        let bytes = self.source.reader().block(place.offset, place.end)?.to_vec();
        Ok(CodedBlock { bytes, states: 0 })
    }

    /// The blocks in which indices from `low` on and below `high` can be.
    pub fn blocks_in(&self, low: I, high: Option<I>) -> Result<Range<usize>> {
        let from = self.index.partition_point(&self.source, |first| first <= low)?.max(1) - 1;
        let to = match high {
            Some(high) => self.index.partition_point(&self.source, |first| first < high)?,
            None => self.blocks(),
        };
        Ok(from..to)
    }

    /// Appends the indices from `low` on that are below `high` (no bound: `None`), ascending.
    pub fn range(&self, low: I, high: Option<I>, out: &mut Vec<I>) -> Result<()> {
        self.each_block(self.blocks_in(low, high)?, out, |out, start| {
            if let Some(high) = high {
                let keep = out[start..].partition_point(|&i| i < high);
                out.truncate(start + keep);
            }
            let skip = out[start..].partition_point(|&i| i < low);
            out.drain(start..start + skip);
        })
    }

    /// Hands every index from `low` on that is below `high` to `visit`, ascending, with no more than
    /// a block in memory.
    pub fn visit(&self, low: I, high: I, mut visit: impl FnMut(I)) -> Result<()> {
        let mut indices = Vec::with_capacity(BLOCK);
        self.each_block(self.blocks_in(low, Some(high))?, &mut indices, |indices, _| {
            let from = indices.partition_point(|&index| index < low);
            let to = indices.partition_point(|&index| index < high);
            for &index in &indices[from..to] {
                visit(index);
            }
            indices.clear();
        })
    }

    /// Whether `index` is in the set.
    pub fn contains(&self, index: I) -> Result<bool> {
        let block = self.index.partition_point(&self.source, |first| first <= index)?;
        if block == 0 {
            return Ok(false);
        }
        let mut indices = Vec::new();
        self.block(block - 1, &mut indices)?;
        Ok(indices.binary_search(&index).is_ok())
    }

    /// Checks every byte against its checksum; asks `go_on` before each block.
    pub fn check_bytes(&self, go_on: impl Fn() -> Result<()>) -> Result<()> {
        self.check_blocks(go_on, |_, bytes| {
            block::check(bytes).map(|_| ()).map_err(|what| self.source.damaged(what))
        })
    }

    /// Checks where blocks are and what they amount to, and the bytes of each as `check` does.
    fn check_blocks(
        &self,
        go_on: impl Fn() -> Result<()>,
        mut check: impl FnMut(&BlockPlace<I>, &[u8]) -> Result<()>,
    ) -> Result<()> {
        let mut reader = self.source.reader();
        let mut blocks_digest = Xxh3::new();
        let mut count = 0u128;
        let mut end = 0;
        for i in 0..self.blocks() {
            go_on()?;
            let place = self.index.place(i, &self.source)?;
            let bytes = reader.block(place.offset, self.source.length())?;
            check(&place, bytes)?;
            let header = block::Header::read(bytes);
            let header = header.filter(|header| place.offset == end && place.first.wide() == header.first);
            let wrong = || self.source.damaged("its blocks are not where they should be");
            count += u128::from(header.ok_or_else(wrong)?.count);
            end += bytes.len() as u64;
            blocks_digest.update(&bytes[24..block::HEADER]);
        }
        if (count, blocks_digest.digest(), end)
            != (self.totals.count, self.totals.blocks_digest, self.source.length())
        {
            return Err(self.source.damaged("its blocks do not add up to its totals"));
        }
        Ok(())
    }

    /// Reads every block and checks checksums, order and count; asks `go_on` before each.
    pub fn check(&self, go_on: impl Fn() -> Result<()>) -> Result<()> {
        let mut last: Option<I> = None;
        let mut indices = Vec::new();
        self.check_blocks(go_on, |place, bytes| {
            indices.clear();
            self.decode(place, bytes, &mut indices)?;
            if last.is_some_and(|last| last >= place.first) {
                return Err(self.source.damaged("its indices are not in order"));
            }
            last = indices.last().copied();
            Ok(())
        })
    }
}

/// Whether every index is greater than the one before. It looks at all of them, so that many can be
/// compared at a time.
struct Ascending<'a, I>(&'a [I]);

impl<I: Index> Kernel for Ascending<'_, I> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> bool {
        let mut ascending = true;
        for pair in self.0.windows(2) {
            ascending &= pair[0] < pair[1];
        }
        ascending
    }
}

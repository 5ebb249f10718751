//! The block index: where each block is, in two levels.
//!
//! In the file it is one list, sorted by first index and by offset alike. It is used in *pages* of
//! about as many entries as there are pages: the square root of the number of blocks. In memory are
//! a line for each page, with the checksum that the page had when the file was opened, and a few
//! pages that were used last. So a set of 10^12 indices takes one to three megabytes, where all entries
//! would take four gigabytes, and one of less than [`LEAST`] blocks has one page, which stays.

use std::sync::{Arc, Mutex, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

use super::source::BlockSource;
use super::{BlockEntry, ENTRY};
use crate::error::Result;
use crate::space::Index;

/// Entries of a page at least: reading fewer is not faster.
const LEAST: usize = 256;
/// Pages that are kept: threads read a set in several places.
const KEPT: usize = 4;

/// Where the blocks of a set are.
pub(super) struct BlockIndex<I> {
    blocks: usize,
    /// Blocks in a page; the last one may have fewer.
    per_page: usize,
    lines: Vec<PageLine<I>>,
    /// The pages used last, the oldest first. If there is one page only, it is here.
    recent: Mutex<Vec<Arc<IndexPage<I>>>>,
}

/// What is always in memory of a page.
struct PageLine<I> {
    first: BlockEntry<I>,
    /// Of the page's bytes.
    checksum: u64,
}

struct IndexPage<I> {
    number: usize,
    entries: Vec<BlockEntry<I>>,
}

/// Where one block is.
pub(super) struct BlockPlace<I> {
    /// Its first index.
    pub first: I,
    /// Where it begins and ends, from the first block on.
    pub offset: u64,
    pub end: u64,
    /// The first index of the next block, if there is one.
    pub next: Option<I>,
}

/// Blocks in a page of an index of so many.
pub(super) fn per_page(blocks: u64) -> usize {
    (blocks.isqrt() as usize + 1).max(LEAST)
}

/// The entries that these bytes of the file hold; `None` if one is no index, or they are not in order.
fn parse<I: Index>(bytes: &[u8]) -> Option<Vec<BlockEntry<I>>> {
    let (entries, _) = bytes.as_chunks::<ENTRY>();
    let entry = |entry: &[u8; ENTRY]| {
        let (first, offset) = entry.split_at(16);
        let first = u128::from_le_bytes(first.try_into().ok()?);
        let offset = u64::from_le_bytes(offset.try_into().ok()?);
        (I::narrow(first).wide() == first).then(|| BlockEntry { first: I::narrow(first), offset })
    };
    let entries: Vec<BlockEntry<I>> = entries.iter().map(entry).collect::<Option<_>>()?;
    entries.is_sorted_by(|a, b| a.is_before(b)).then_some(entries)
}

impl<I: Index> BlockIndex<I> {
    /// The index of blocks in memory.
    pub fn of(entries: Vec<BlockEntry<I>>) -> Self {
        let mut index = BlockIndex::new(entries.len().max(1), 1);
        index.blocks = entries.len();
        if let Some(&first) = entries.first() {
            index.lines.push(PageLine { first, checksum: 0 });
            index.keep(Arc::new(IndexPage { number: 0, entries }));
        }
        index
    }

    /// An empty one, to which so many pages are added in their order.
    pub fn new(per_page: usize, pages: usize) -> Self {
        BlockIndex { blocks: 0, per_page, lines: Vec::with_capacity(pages), recent: Mutex::default() }
    }

    /// Adds a page as it stands in the file; `None` if it is out of order. All pages but the last
    /// are full.
    pub fn add(&mut self, bytes: &[u8], last: &mut Option<BlockEntry<I>>) -> Option<()> {
        let entries = parse::<I>(bytes)?;
        let (&first, &end) = (entries.first()?, entries.last()?);
        if last.is_some_and(|last| !last.is_before(&first)) {
            return None;
        }
        *last = Some(end);
        self.lines.push(PageLine { first, checksum: xxh3_64(bytes) });
        self.blocks += entries.len();
        if self.lines.len() <= KEPT {
            self.keep(Arc::new(IndexPage { number: self.lines.len() - 1, entries }));
        }
        Some(())
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// The first index of all.
    pub fn first(&self) -> Option<I> {
        self.lines.first().map(|line| line.first.first)
    }

    /// Bytes of memory at the most.
    pub fn memory(&self) -> usize {
        let kept = self.blocks.min(KEPT * self.per_page);
        self.lines.capacity() * size_of::<PageLine<I>>() + kept * size_of::<BlockEntry<I>>()
    }

    /// Bytes that a thread takes for a moment to read a page.
    pub fn page_memory(&self) -> usize {
        self.blocks.min(self.per_page) * (ENTRY + size_of::<BlockEntry<I>>())
    }

    /// Where a block is, which must be one of the set's.
    pub fn place(&self, block: usize, source: &BlockSource) -> Result<BlockPlace<I>> {
        let page = self.page(block / self.per_page, source)?;
        let missing = || source.damaged("a block is asked for that is not there");
        let at = block % self.per_page;
        let BlockEntry { first, offset } = *page.entries.get(at).ok_or_else(missing)?;
        let next = match page.entries.get(at + 1) {
            Some(next) => Some(next),
            None => self.lines.get(page.number + 1).map(|line| &line.first),
        };
        Ok(BlockPlace {
            first,
            offset,
            end: next.map_or(source.length(), |next| next.offset),
            next: next.map(|next| next.first),
        })
    }

    /// The number of blocks at the beginning for whose first index `before` holds.
    pub fn partition_point(&self, source: &BlockSource, before: impl Fn(I) -> bool) -> Result<usize> {
        let pages = self.lines.partition_point(|line| before(line.first.first));
        let Some(last) = pages.checked_sub(1) else {
            return Ok(0);
        };
        let page = self.page(last, source)?;
        Ok(last * self.per_page + page.entries.partition_point(|entry| before(entry.first)))
    }

    fn page(&self, number: usize, source: &BlockSource) -> Result<Arc<IndexPage<I>>> {
        {
            let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(page) = recent.iter().find(|page| page.number == number) {
                return Ok(page.clone());
            }
        }
        let changed = || source.damaged("its block index is not what it was when the file was opened");
        let line = self.lines.get(number).ok_or_else(changed)?;
        let start = number * self.per_page;
        let entries = (self.blocks - start).min(self.per_page);
        let mut bytes = vec![0; entries * ENTRY];
        // The index follows the blocks.
        source.reader().read(&mut bytes, source.length() + (start * ENTRY) as u64)?;
        if xxh3_64(&bytes) != line.checksum {
            return Err(changed());
        }
        let entries = parse(&bytes).ok_or_else(changed)?;
        let page = Arc::new(IndexPage { number, entries });
        self.keep(page.clone());
        Ok(page)
    }

    fn keep(&self, page: Arc<IndexPage<I>>) {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been faster.
        if recent.iter().any(|kept| kept.number == page.number) {
            return;
        }
        if recent.len() >= KEPT {
            recent.remove(0);
        }
        recent.push(page);
    }
}

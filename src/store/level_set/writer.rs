//! Making sorted sets: in a file, or in memory.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

use xxhash_rust::xxh3::Xxh3;

use super::block::{self, CodedBlock, Packing};
use super::index::BlockIndex;
use super::index_writer::IndexWriter;
use super::source::{BlockSource, SetFile};
use super::{BLOCK, BlockEntry, END, ENTRY, SetHeader, SetTotals, SortedSet, TRAILER};
use crate::error::{Error, Result};
use crate::space::Index;
use crate::store::disk::{Disk, OutFile};
use crate::store::files::Files;
use crate::store::par_map::par_map;

/// Writes a sorted set to a file, block by block.
pub struct SetWriter<'d, I> {
    out: OutFile<'d>,
    header: u64,
    blocks: BlockSums,
    index: IndexWriter<'d>,
    states: u128,
    of: PhantomData<I>,
}

/// What the blocks of a file amount to so far.
#[derive(Default)]
struct BlockSums {
    length: u64,
    count: u128,
    blocks_digest: Xxh3,
}

impl BlockSums {
    /// Adds a block; the result is where it begins.
    fn add<I: Index>(&mut self, bytes: &[u8], header: &block::Header) -> BlockEntry<I> {
        let offset = self.length;
        self.length += bytes.len() as u64;
        self.count += u128::from(header.count);
        self.blocks_digest.update(&bytes[24..block::HEADER]);
        BlockEntry { first: I::narrow(header.first), offset }
    }
}

/// Reads the file of a set that is being written, of which a checkpoint vouched for a number of bytes of
/// blocks with a checksum: the header and those blocks must be intact. What follows them does not
/// count. Asks `go_on` before each block.
pub fn check_beginning<I: Index>(
    files: &Arc<dyn Files>,
    path: &Path,
    about: &SetHeader,
    safe: (u64, u64),
    go_on: impl Fn() -> Result<()>,
) -> Result<()> {
    read_beginning::<I>(files, path, about, safe, |_| go_on()).map(|_| ())
}

/// The same, with the length of the header and the sums of the blocks; tells `visit` where each begins.
fn read_beginning<I: Index>(
    files: &Arc<dyn Files>,
    path: &Path,
    about: &SetHeader,
    (length, blocks_digest): (u64, u64),
    mut visit: impl FnMut(BlockEntry<I>) -> Result<()>,
) -> Result<(u64, BlockSums)> {
    let damaged = |what: String| super::damaged(path, what, about.level);
    let cut = || damaged("the file is truncated".into());
    let file = SetFile::open(&**files, path, || damaged("the file is missing".into()))?;
    let start = file.beginning(about.length() as usize, cut)?;
    let header = about.check(&start, I::BITS).map_err(damaged)?;
    let (found, safe) = (file.length, header.saturating_add(length));
    if found < safe {
        return Err(damaged(format!("{found} bytes are left of {safe} that were safe")));
    }
    let source: BlockSource = file.into_source(files, about, header, length);
    let mut reader = source.reader();
    let mut blocks = BlockSums::default();
    while blocks.length < length {
        let bytes = reader.block(blocks.length, length)?;
        let header = block::check(bytes).map_err(|what| source.damaged(what))?;
        visit(blocks.add(bytes, &header))?;
    }
    if blocks.blocks_digest.digest() != blocks_digest {
        return Err(source.damaged("its blocks are not those that the manifest names"));
    }
    Ok((header, blocks))
}

impl<'d, I: Index> SetWriter<'d, I> {
    /// Starts a file.
    pub fn create(disk: &'d Disk, path: &Path, about: &SetHeader) -> Result<Self> {
        let mut out = disk.create(path)?;
        out.write(&about.bytes(I::BITS))?;
        Ok(SetWriter {
            out,
            header: about.length(),
            blocks: BlockSums::default(),
            index: IndexWriter::new(disk, path),
            states: 0,
            of: PhantomData,
        })
    }

    /// Continues a file of which a checkpoint vouched for a number of bytes of blocks with a
    /// checksum. `states` is what those blocks stand for. Asks `go_on` before each of them.
    pub fn reopen(
        disk: &'d Disk,
        path: &Path,
        about: &SetHeader,
        safe: (u64, u64),
        states: u128,
        go_on: impl Fn() -> Result<()>,
    ) -> Result<Self> {
        let mut index = IndexWriter::new(disk, path);
        let (header, blocks) = read_beginning(disk.files(), path, about, safe, |entry: BlockEntry<I>| {
            go_on()?;
            index.note(entry)
        })?;
        let out = disk.reopen(path, header + safe.0)?;
        Ok(SetWriter { out, header, blocks, index, states, of: PhantomData })
    }

    /// Appends a block; its indices must follow those before.
    pub fn append(&mut self, coded: &CodedBlock) -> Result<()> {
        let header = block::Header::read(&coded.bytes)
            .ok_or_else(|| Error::verification("a block was encoded wrongly"))?;
        self.out.write(&coded.bytes)?;
        self.index.note::<I>(self.blocks.add(&coded.bytes, &header))?;
        self.states += coded.states;
        Ok(())
    }

    /// Appends many blocks, coded by `code` on all threads.
    pub fn append_all(
        &mut self,
        pool: &rayon::ThreadPool,
        blocks: &[Cow<'_, [I]>],
        code: impl Fn(&[I]) -> CodedBlock + Sync + Send,
    ) -> Result<()> {
        let coded: Vec<CodedBlock> = par_map(pool, blocks, |block| code(block));
        coded.iter().try_for_each(|block| self.append(block))
    }

    /// Bytes of blocks so far, their checksum, and the states they stand for.
    pub fn progress(&self) -> (u64, u64, u128) {
        (self.blocks.length, self.blocks.blocks_digest.digest(), self.states)
    }

    /// Makes what was appended durable, for a checkpoint.
    pub fn sync(&mut self) -> Result<()> {
        self.out.sync()
    }

    /// Ends the file, durable or not; returns its totals and its length. Nothing may be appended
    /// afterwards.
    pub fn end(&mut self, durable: bool) -> Result<(SetTotals, u64)> {
        let totals = SetTotals {
            count: self.blocks.count,
            states: self.states,
            blocks_digest: self.blocks.blocks_digest.digest(),
        };
        let mut trailer = Vec::with_capacity(TRAILER);
        trailer.extend_from_slice(&self.index.blocks().to_le_bytes());
        trailer.extend_from_slice(&totals.count.to_le_bytes());
        trailer.extend_from_slice(&totals.states.to_le_bytes());
        trailer.extend_from_slice(&totals.blocks_digest.to_le_bytes());
        let index = self.index.blocks() * ENTRY as u64;
        let mut checksum = self.index.finish(&mut self.out)?;
        checksum.update(&trailer);
        trailer.extend_from_slice(&checksum.digest().to_le_bytes());
        trailer.extend_from_slice(END);
        self.out.write(&trailer)?;
        self.out.end(durable)?;
        Ok((totals, self.header + self.blocks.length + index + TRAILER as u64))
    }
}

/// Cuts lists that follow each other into full blocks. What the carry holds comes first, and what
/// does not fill a block stays in it. Only blocks that lie across lists are copied.
pub fn full_blocks<'a, I: Index>(carry: &mut Vec<I>, lists: &'a [Vec<I>]) -> Vec<Cow<'a, [I]>> {
    let mut blocks = Vec::new();
    for list in lists {
        let missing = match carry.len() {
            0 => 0,
            held => (BLOCK - held).min(list.len()),
        };
        let (head, rest) = list.split_at(missing);
        carry.extend_from_slice(head);
        if carry.len() == BLOCK {
            blocks.push(Cow::Owned(std::mem::take(carry)));
        }
        let full = rest.chunks_exact(BLOCK);
        carry.extend_from_slice(full.remainder());
        blocks.extend(full.map(Cow::Borrowed));
    }
    blocks
}

/// Makes a run in memory, block by block.
pub struct SetBuilder<I> {
    entries: Vec<BlockEntry<I>>,
    bytes: Vec<u8>,
    count: u128,
}

impl<I> Default for SetBuilder<I> {
    fn default() -> Self {
        SetBuilder { entries: Vec::new(), bytes: Vec::new(), count: 0 }
    }
}

impl<I: Index> SetBuilder<I> {
    /// Appends a block; its indices must follow those before.
    pub fn push(&mut self, indices: &[I]) {
        self.entries.push(BlockEntry { first: indices[0], offset: self.bytes.len() as u64 });
        self.count += indices.len() as u128;
        block::encode(indices, Packing::Fast, &mut self.bytes);
    }

    /// The run.
    pub fn finish(mut self) -> SortedSet<I> {
        self.bytes.shrink_to_fit();
        self.entries.shrink_to_fit();
        SortedSet {
            universe: u128::MAX,
            index: BlockIndex::of(self.entries),
            file_length: 0,
            source: BlockSource::Memory(self.bytes),
            totals: SetTotals { count: self.count, ..SetTotals::default() },
        }
    }
}

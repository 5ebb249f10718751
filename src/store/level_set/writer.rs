//! Making sorted sets: in a file, or in memory.

use std::borrow::Cow;
use std::path::Path;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::block::{self, CodedBlock, Packing};
use super::set::read_at;
use super::source::Source;
use super::{About, BLOCK, END, ENTRY, Entry, SortedSet, TRAILER, Totals};
use crate::error::{Error, Result, go_back};
use crate::space::Index;
use crate::store::disk::{self, Disk, OutFile, file_length};
use crate::store::par_map::par_map;

/// Writes a sorted set to a file, block by block.
pub struct SetWriter<'d, I> {
    out: OutFile<'d>,
    header: u64,
    blocks: Blocks<I>,
    states: u128,
}

/// The blocks of a file so far.
struct Blocks<I> {
    entries: Vec<Entry<I>>,
    length: u64,
    count: u128,
    chain: Xxh3,
}

impl<I> Default for Blocks<I> {
    fn default() -> Self {
        Blocks {
            entries: Vec::new(),
            length: 0,
            count: 0,
            chain: Xxh3::new(),
        }
    }
}

impl<I: Index> Blocks<I> {
    fn note(&mut self, bytes: &[u8], header: &block::Header) {
        self.entries.push(Entry {
            first: I::narrow(header.first),
            offset: self.length,
        });
        self.length += bytes.len() as u64;
        self.count += u128::from(header.count);
        self.chain.update(&bytes[24..block::HEADER]);
    }
}

/// Reads the file of a set that is being written, of which a checkpoint vouched for so many bytes of
/// blocks with this checksum: the header and those blocks must be sound. What follows them does not
/// count. Asks `go_on` before each block.
pub fn check_beginning<I: Index>(
    path: &Path,
    about: &About,
    safe: (u64, u64),
    go_on: impl Fn() -> Result<()>,
) -> Result<()> {
    read_beginning::<I>(path, about, safe, go_on).map(|_| ())
}

fn read_beginning<I: Index>(
    path: &Path,
    about: &About,
    (length, chain): (u64, u64),
    go_on: impl Fn() -> Result<()>,
) -> Result<Blocks<I>> {
    let damaged = |what: String| Error::damaged(path, what, go_back(path));
    let file = disk::open(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => damaged("the file is missing".into()),
        _ => Error::io("open", path, e),
    })?;
    let header = about.header(I::BITS);
    let found = file_length(path);
    let safe = (header.len() as u64).saturating_add(length);
    if found < safe {
        return Err(damaged(format!(
            "{found} bytes are left of {safe} that were safe"
        )));
    }
    let mut start = vec![0; header.len()];
    read_at(&file, &mut start, 0).map_err(|e| Error::io("read", path, e))?;
    if start != header {
        return Err(damaged("its header is damaged".into()));
    }
    let source = Source::file(path, about.kind, header.len() as u64, length);
    let mut blocks = Blocks::default();
    while blocks.length < length {
        go_on()?;
        let bytes = source.block_bytes(blocks.length)?;
        let header = block::check(bytes.get()).map_err(|what| source.damaged(what))?;
        blocks.note(bytes.get(), &header);
    }
    if blocks.chain.digest() != chain {
        return Err(source.damaged("its blocks are not those that the manifest names"));
    }
    Ok(blocks)
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
            blocks: Blocks::default(),
            states: 0,
        })
    }

    /// Goes on with a file of which a checkpoint vouched for so many bytes of blocks with this
    /// checksum. `states` is what those blocks stand for.
    pub fn reopen(
        disk: &'d Disk,
        path: &Path,
        about: &About,
        safe: (u64, u64),
        states: u128,
    ) -> Result<Self> {
        let blocks = read_beginning(path, about, safe, || Ok(()))?;
        let header = about.header(I::BITS).len() as u64;
        Ok(SetWriter {
            out: disk.reopen(path, header + safe.0)?,
            header,
            blocks,
            states,
        })
    }

    /// Appends a block; its indices must follow those before.
    pub fn append(&mut self, coded: &CodedBlock) -> Result<()> {
        let header = block::Header::read(&coded.bytes)
            .ok_or_else(|| Error::Verification("a block was coded wrongly".into()))?;
        self.out.write(&coded.bytes)?;
        self.blocks.note(&coded.bytes, &header);
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
        (self.blocks.length, self.blocks.chain.digest(), self.states)
    }

    /// Makes what was appended durable, for a checkpoint.
    pub fn sync(&mut self) -> Result<()> {
        self.out.sync()
    }

    /// Ends the file, durable or not; returns its totals and its length. Nothing may be appended
    /// afterwards.
    pub fn end(&mut self, durable: bool) -> Result<(Totals, u64)> {
        let totals = Totals {
            count: self.blocks.count,
            states: self.states,
            chain: self.blocks.chain.digest(),
        };
        let entries = &self.blocks.entries;
        let mut tail = Vec::with_capacity(entries.len() * ENTRY + TRAILER);
        for entry in entries {
            tail.extend_from_slice(&entry.first.wide().to_le_bytes());
            tail.extend_from_slice(&entry.offset.to_le_bytes());
        }
        tail.extend_from_slice(&(entries.len() as u64).to_le_bytes());
        tail.extend_from_slice(&totals.count.to_le_bytes());
        tail.extend_from_slice(&totals.states.to_le_bytes());
        tail.extend_from_slice(&totals.chain.to_le_bytes());
        tail.extend_from_slice(&xxh3_64(&tail).to_le_bytes());
        tail.extend_from_slice(END);
        self.out.write(&tail)?;
        self.out.flush()?;
        if durable {
            self.out.sync()?;
        }
        Ok((totals, self.header + self.blocks.length + tail.len() as u64))
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
            universe: u128::MAX,
            entries: self.entries,
            source: Source::Memory(self.bytes),
            totals: Totals {
                count: self.count,
                ..Totals::default()
            },
        }
    }
}

//! Making sorted sets: in a file, or in memory.

use std::borrow::Cow;
use std::fs::File;
use std::path::Path;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::block::{self, CodedBlock, Packing};
use super::set::read_at;
use super::source::Source;
use super::{About, BLOCK, END, ENTRY, Entry, SortedSet, TRAILER, Totals};
use crate::bfs::disk::{Disk, OutFile};
use crate::bfs::spread::spread;
use crate::error::{Error, GO_BACK, Result};
use crate::puzzle::Index;

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
        let out = disk.reopen(path, header_length.saturating_add(length))?;
        let file = File::open(path).map_err(|e| Error::io("open", path, e))?;
        let mut found = vec![0; header.len()];
        read_at(&file, &mut found, 0).map_err(|e| Error::io("read", path, e))?;
        if found != header {
            return Err(Error::damaged(path, "its header is damaged", GO_BACK));
        }
        let mut writer = SetWriter {
            out,
            header: header_length,
            length: 0,
            entries: Vec::new(),
            count: 0,
            states,
            chain: Xxh3::new(),
        };
        let source = Source::file(path, file, about.kind, header_length, length);
        while writer.length < length {
            let bytes = source.block_bytes(writer.length)?;
            let header = block::Header::read(bytes.get())
                .ok_or_else(|| source.damaged("a block's header is damaged"))?;
            writer.note(
                bytes.get(),
                I::narrow(header.first),
                usize::from(header.count),
            );
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

    /// Appends many blocks, coded by `code` on all threads.
    pub fn append_all(
        &mut self,
        pool: &rayon::ThreadPool,
        blocks: &[Cow<'_, [I]>],
        code: impl Fn(&[I]) -> CodedBlock + Sync + Send,
    ) -> Result<()> {
        let coded: Vec<CodedBlock> = spread(pool, blocks, |block| code(block));
        coded.iter().try_for_each(|block| self.append(block))
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

    /// Ends the file, durable or not; returns its totals and its length. Nothing may be appended
    /// afterwards.
    pub fn end(&mut self, durable: bool) -> Result<(Totals, u64)> {
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
        self.out.flush()?;
        if durable {
            self.out.sync()?;
        }
        Ok((totals, self.header + self.length + tail.len() as u64))
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

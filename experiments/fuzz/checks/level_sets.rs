//! Level sets and runs. The first byte chooses the index width, the kind, and whether checksums are put
//! right; blocks, block index and the first 40 bytes of the trailer follow. The header is always the
//! right one: it must be equal to what is expected, byte by byte.

use std::path::{Path, PathBuf};

use godnum::error::Result;
use godnum::space::Index;
use godnum::store::disk::Disk;
use godnum::store::level_set::block::Header;
use godnum::store::level_set::{BLOCK, READER, SetHeader, SetKind, SetWriter, SortedSet};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Indices of 128 bits, not 64.
pub const WIDE: u8 = 1;
/// A run, not a level set.
pub const RUN: u8 = 2;
/// Checksums are put right.
pub const SEALED: u8 = 4;

/// The bytes of the trailer that no checksum and no mark takes.
pub const COUNTS: usize = 40;
const ENTRY: usize = 24;
const HEADER: usize = 32;

/// What the sets are about.
pub fn set_header(kind: SetKind) -> SetHeader {
    SetHeader { kind, puzzle: "test".into(), content: None, scheme: 1, level: 3, universe: 1 << 40 }
}

/// Writes the set that an input describes; what it is about, and what follows its header.
fn put(data: &[u8]) -> Option<(PathBuf, SetHeader, Vec<u8>)> {
    let (&choice, body) = data.split_first()?;
    let set_header = set_header(match choice & RUN {
        0 => SetKind::Level,
        _ => SetKind::Run,
    });
    let body = match choice & SEALED {
        0 => body.to_vec(),
        _ => sealed(body.to_vec()),
    };
    let head = match choice & WIDE {
        0 => header::<u64>(&set_header),
        _ => header::<u128>(&set_header),
    };
    let path = super::file("set.gls", &[&head[..], &body].concat());
    Some((path, set_header, body))
}

/// All indices of a set of 64 bits.
pub fn indices(data: &[u8]) -> Result<Vec<u64>> {
    let (path, set_header, _) = put(data).unwrap();
    let set = SortedSet::open(&path, &set_header)?;
    let mut all = Vec::new();
    (0..set.blocks()).try_for_each(|block| set.block(block, &mut all))?;
    Ok(all)
}

/// Reads a set in every way.
pub fn check(data: &[u8]) {
    let Some((path, set_header, body)) = put(data) else {
        return;
    };
    // The same bytes as a header.
    let sum = xxh3_64(&data[1..]).to_le_bytes();
    let _ = SetHeader::read(&super::file("head.gls", &[&data[1..], &sum].concat()));
    match data[0] & WIDE {
        0 => read::<u64>(&path, &set_header, &body),
        _ => read::<u128>(&path, &set_header, &body),
    }
}

/// The header of a set: what an empty one begins with.
fn header<I: Index>(set_header: &SetHeader) -> Vec<u8> {
    let path = super::directory().join("empty.gls");
    let disk = Disk::new(None, 0);
    let mut writer = SetWriter::<I>::create(&disk, &path, set_header).unwrap();
    writer.end(false).unwrap();
    let mut bytes = std::fs::read(path).unwrap();
    bytes.truncate(bytes.len() - COUNTS - 24);
    bytes
}

/// Puts right the checksums of the blocks that the index names, their chain and that of the trailer,
/// whatever else is wrong.
fn sealed(mut body: Vec<u8>) -> Vec<u8> {
    let Some(counts) = body.len().checked_sub(COUNTS) else {
        return body;
    };
    let blocks = u64::from_le_bytes(body[counts..counts + 8].try_into().unwrap());
    let index = usize::try_from(blocks).ok().and_then(|blocks| blocks.checked_mul(ENTRY));
    let mut chain = Xxh3::new();
    let mut tail = counts;
    if let Some(start) = index.and_then(|length| counts.checked_sub(length)) {
        tail = start;
        let (area, entries) = body.split_at_mut(start);
        for entry in entries[..counts - start].chunks_exact(ENTRY) {
            let offset = u64::from_le_bytes(entry[16..].try_into().unwrap());
            let block = usize::try_from(offset).ok().and_then(|at| area.get_mut(at..));
            let Some(block) = block else { continue };
            let Some(length) = Header::read(block).map(|header| header.length as usize) else {
                continue;
            };
            let Some(payload) = block.get(HEADER..HEADER + length) else {
                continue;
            };
            let mut sum = Xxh3::new();
            sum.update(&block[..24]);
            sum.update(payload);
            let sum = sum.digest().to_le_bytes();
            block[24..HEADER].copy_from_slice(&sum);
            chain.update(&sum);
        }
    }
    body.extend_from_slice(&chain.digest().to_le_bytes());
    let sum = xxh3_64(&body[tail..]);
    body.extend_from_slice(&sum.to_le_bytes());
    body.extend_from_slice(b"GODNUMEN");
    body
}

fn read<I: Index>(path: &Path, set_header: &SetHeader, body: &[u8]) {
    assert_eq!(SetHeader::read(path).ok().as_ref(), Some(set_header));
    if let Ok(set) = SortedSet::<I>::open(path, set_header) {
        ask(&set, set_header.universe);
    }
    go_on::<I>(path, set_header, body);
}

/// Everything that can be asked of a set that could be opened.
fn ask<I: Index>(set: &SortedSet<I>, universe: u128) {
    let totals = set.totals();
    assert!(totals.count.div_ceil(BLOCK as u128) == set.blocks() as u128);
    assert!(set.most_memory() <= (READER + set.blocks() * (24 + 32)) as u64 + set.memory() as u64);
    let sound = set.check(|| Ok(())).is_ok();
    let mut all = Vec::new();
    let read = (0..set.blocks()).try_for_each(|block| set.block(block, &mut all));
    for block in 0..set.blocks() {
        let _ = (set.first_of(block), set.coded_block(block));
    }
    if sound {
        read.unwrap();
        assert_eq!(all.len() as u128, totals.count);
        assert!(all.is_sorted_by(|a, b| a < b));
        assert!(all.last().is_none_or(|last| last.wide() < universe));
    }
    let (low, high) = (I::of(1 << 10), I::of(1 << 39));
    for border in [None, Some(low), Some(high)] {
        let mut found = Vec::new();
        if set.range(low, border, &mut found).is_ok() {
            assert!(found.iter().all(|&i| i >= low && border.is_none_or(|border| i < border)));
        }
    }
    let _ = set.visit(low, high, |i| assert!(i >= low && i < high));
    for probe in [I::of(0), low, high] {
        let contained = set.contains(probe);
        let found = set.cursor().find(probe);
        if sound {
            assert_eq!(contained.unwrap(), all.binary_search(&probe).is_ok());
            assert_eq!(found.unwrap(), all.binary_search(&probe).ok().map(|at| at as u64));
        }
    }
    for position in [0, 4095, 4096, totals.count, u128::MAX] {
        if let Ok(Some(index)) = set.nth(position) {
            assert!(!sound || all.get(position as usize) == Some(&index));
        }
    }
    let mut list = vec![low, high];
    let _ = set.subtract_from(&mut list);
}

/// Goes on with a file of which a checkpoint vouched for a beginning.
fn go_on<I: Index>(path: &Path, set_header: &SetHeader, body: &[u8]) {
    let disk = Disk::new(None, 0);
    let field = |at: usize| Some(u64::from_le_bytes(body.get(at..at + 8)?.try_into().ok()?));
    let lengths = [field(0), field(body.len().saturating_sub(64)), Some(body.len() as u64)];
    for length in lengths.into_iter().flatten() {
        let chain = field(8).unwrap_or_default();
        let safe = (length, chain);
        if let Ok(writer) = SetWriter::<I>::reopen(&disk, path, set_header, safe, 0, || Ok(())) {
            assert_eq!(writer.progress(), (length, chain, 0));
        }
    }
}

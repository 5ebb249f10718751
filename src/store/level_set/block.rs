//! A block: up to [`BLOCK`] ascending indices in few bits.
//!
//! A block stores its first index and then the gaps between neighbours, Rice-coded: the gap less
//! one is split at bit `k`; the high part is written in unary, the low `k` bits as they are.
//! For gaps of a random set this comes within a few hundredths of a bit of the entropy
//! (about log2(universe/count) + 1.44 bits). `k` is the value that makes the block shortest. With
//! `k = 0` the code *is* a bitmap of the block's range, so dense and sparse sets need no two
//! formats. A block whose gaps have more structure than that is packed once more with zstd if
//! that saves a sixteenth.
//!
//! All of this depends on the indices alone: however a set was computed, its blocks are the same.
//!
//! ```text
//! block = first index (16 bytes) | count (2) | k (1) | flags (1) | payload length (4)
//!       | checksum over the fields before and the payload (8) | payload
//! ```
//! Numbers are little-endian. The payload is a stream of bits, lowest bit first.

use std::cell::RefCell;

use xxhash_rust::xxh3::Xxh3;

use super::bits::{BitReader, BitWriter, ESCAPE, MEDIUM_K, SMALL_K};
use crate::encode::cpu::{self, Cpu, Kernel};
use crate::space::Index;

/// Indices in a full block.
pub const BLOCK: usize = 4096;
/// Length of a block's header.
pub const HEADER: usize = 32;
/// Flag: the payload is packed with zstd.
const ZSTD: u8 = 1;
/// No payload is longer: every gap escaped.
const MAX_PAYLOAD: usize = BLOCK * (ESCAPE as usize + 128) / 8 + 16;

/// No block is longer.
pub const LONGEST: usize = HEADER + MAX_PAYLOAD;

/// Bytes that coding and decoding blocks takes in a thread, at the most: a block's indices and payload, and
/// what zstd works with.
pub const CODEC: usize = 3 * MAX_PAYLOAD + (1 << 20);

/// The fixed part of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The first index.
    pub first: u128,
    /// How many indices.
    pub count: u16,
    k: u8,
    flags: u8,
    /// Bytes that follow the header.
    pub length: u32,
    checksum: u64,
}

impl Header {
    /// Reads a header; `None` if its fields cannot be those of a block.
    pub fn read(bytes: &[u8]) -> Option<Header> {
        let bytes: &[u8; HEADER] = bytes.get(..HEADER)?.try_into().ok()?;
        let header = Header {
            first: u128::from_le_bytes(bytes[..16].try_into().ok()?),
            count: u16::from_le_bytes(bytes[16..18].try_into().ok()?),
            k: bytes[18],
            flags: bytes[19],
            length: u32::from_le_bytes(bytes[20..24].try_into().ok()?),
            checksum: u64::from_le_bytes(bytes[24..].try_into().ok()?),
        };
        let possible = (1..=BLOCK as u16).contains(&header.count)
            && header.k < 128
            && header.flags <= ZSTD
            && header.length as usize <= MAX_PAYLOAD;
        possible.then_some(header)
    }

    fn write(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..16].copy_from_slice(&self.first.to_le_bytes());
        bytes[16..18].copy_from_slice(&self.count.to_le_bytes());
        bytes[18] = self.k;
        bytes[19] = self.flags;
        bytes[20..24].copy_from_slice(&self.length.to_le_bytes());
        bytes[24..].copy_from_slice(&self.checksum.to_le_bytes());
        bytes
    }

    fn sum(&self, payload: &[u8]) -> u64 {
        let mut hasher = Xxh3::new();
        hasher.update(&self.write()[..24]);
        hasher.update(payload);
        hasher.digest()
    }
}

/// How hard to squeeze a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Rice code only: for runs, which are read once.
    Fast,
    /// And zstd where it saves space: for level sets, which are kept.
    Small,
}

/// Appends the block of `indices` (ascending, 1 to [`BLOCK`] of them) to `out`.
pub fn encode<I: Index>(indices: &[I], packing: Packing, out: &mut Vec<u8>) {
    debug_assert!((1..=BLOCK).contains(&indices.len()));
    let start = out.len();
    out.extend_from_slice(&[0; HEADER]);
    let k = cpu::run(WriteGaps { indices, packing, out });
    let mut flags = 0;
    if packing == Packing::Small
        && let Some(packed) = squeeze(&out[start + HEADER..])
    {
        out.truncate(start + HEADER);
        out.extend_from_slice(&packed);
        flags = ZSTD;
    }
    let mut header = Header {
        first: indices[0].wide(),
        count: indices.len() as u16,
        k: k as u8,
        flags,
        length: (out.len() - start - HEADER) as u32,
        checksum: 0,
    };
    header.checksum = header.sum(&out[start + HEADER..]);
    out[start..start + HEADER].copy_from_slice(&header.write());
}

/// Appends the gaps of `indices`; the result is the split that was chosen.
struct WriteGaps<'a, I> {
    indices: &'a [I],
    packing: Packing,
    out: &'a mut Vec<u8>,
}

impl<I: Index> Kernel for WriteGaps<'_, I> {
    type Output = u32;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> u32 {
        let k = best_k(self.indices, self.packing);
        let mut writer = BitWriter::new(self.out);
        if I::BITS == 64 && k <= SMALL_K {
            for pair in self.indices.windows(2) {
                writer.small_gap(pair[1].low() - pair[0].low() - 1, k);
            }
        } else {
            for pair in self.indices.windows(2) {
                writer.gap::<I>((pair[1] - pair[0]).wide() - 1, k);
            }
        }
        writer.finish();
        k
    }
}

/// Checks the bytes of a block against their checksum. `Err` says what is wrong with them.
pub fn check(bytes: &[u8]) -> Result<Header, &'static str> {
    let header = Header::read(bytes).ok_or("a block's header is damaged")?;
    let payload = bytes.get(HEADER..HEADER + header.length as usize).ok_or("a block is truncated")?;
    if header.sum(payload) != header.checksum {
        return Err("a block does not match its checksum");
    }
    Ok(header)
}

/// Appends the indices of a block to `out`. `Err` says what is wrong with the bytes.
pub fn decode<I: Index>(bytes: &[u8], out: &mut Vec<I>) -> Result<(), &'static str> {
    let header = check(bytes)?;
    let payload = &bytes[HEADER..HEADER + header.length as usize];
    if I::BITS == 64 && header.first > u128::from(u64::MAX) {
        return Err("a block holds indices that are too large");
    }
    if header.flags & ZSTD == 0 {
        cpu::run(Unpack(payload, &header, out))
    } else {
        let plain =
            zstd::bulk::decompress(payload, MAX_PAYLOAD).map_err(|_| "a block cannot be decompressed")?;
        cpu::run(Unpack(&plain, &header, out))
    }
}

/// The arguments of [`unpack`].
struct Unpack<'a, I>(&'a [u8], &'a Header, &'a mut Vec<I>);

impl<I: Index> Kernel for Unpack<'_, I> {
    type Output = Result<(), &'static str>;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> Self::Output {
        unpack(self.0, self.1, self.2)
    }
}

#[inline(always)]
fn unpack<I: Index>(payload: &[u8], header: &Header, out: &mut Vec<I>) -> Result<(), &'static str> {
    let k = u32::from(header.k);
    let mut reader = BitReader::new(payload);
    let mut index = header.first;
    out.reserve(header.count as usize);
    out.push(I::narrow(index));
    if I::BITS == 64 && k <= SMALL_K {
        // The common case, in 64-bit arithmetic: header and gaps are vouched for by the checksum. The
        // list has its length from the beginning, so that it is not asked for room every time.
        let mut narrow = index as u64;
        let start = out.len();
        out.resize(start + usize::from(header.count) - 1, I::of(0));
        for place in &mut out[start..] {
            narrow = narrow.wrapping_add(reader.small_gap(k)).wrapping_add(1);
            *place = I::of(narrow);
        }
    } else if I::BITS == 64 && k <= MEDIUM_K {
        let mut narrow = index as u64;
        for _ in 1..header.count {
            narrow = narrow.wrapping_add(reader.medium_gap(k)).wrapping_add(1);
            out.push(I::of(narrow));
        }
    } else {
        for _ in 1..header.count {
            index = index.wrapping_add(reader.gap::<I>(k)).wrapping_add(1);
            out.push(I::narrow(index));
        }
    }
    if reader.overrun() {
        return Err("a block ends too early");
    }
    Ok(())
}

/// The split that makes the block shortest, among those near the logarithm of the mean gap. For a
/// run, which is read once, a good one will do.
#[inline(always)]
fn best_k<I: Index>(indices: &[I], packing: Packing) -> u32 {
    let gaps = indices.len() as u128 - 1;
    if gaps == 0 {
        return 0;
    }
    let span = (indices[indices.len() - 1] - indices[0]).wide() - gaps;
    let middle = (span / gaps + 1).ilog2();
    // Clustered indices want a smaller split than the mean tells, never a larger one.
    let least = match packing {
        Packing::Fast => middle.saturating_sub(1),
        Packing::Small => middle.saturating_sub(4),
    };
    let mut best = (u64::MAX, middle);
    let mut k = least;
    while k <= middle {
        best = best.min((cost(indices, k), k));
        k += 1;
    }
    best.1
}

/// Bits that the gaps take with the split `k`, but for a constant.
#[inline(always)]
fn cost<I: Index>(indices: &[I], k: u32) -> u64 {
    let per_gap = u64::from(k) + 1;
    let escaped = u64::from(ESCAPE + I::BITS);
    let mut bits = 0;
    for pair in indices.windows(2) {
        let high = match I::BITS {
            64 => (pair[1].low() - pair[0].low() - 1) >> k,
            _ => (((pair[1] - pair[0]).wide() - 1) >> k).min(ESCAPE.into()) as u64,
        };
        bits += if high < u64::from(ESCAPE) { high + per_gap } else { escaped };
    }
    bits
}

/// The payload packed with zstd, if that saves at least a sixteenth.
fn squeeze(payload: &[u8]) -> Option<Vec<u8>> {
    thread_local! {
        static PACKER: RefCell<Option<zstd::bulk::Compressor<'static>>> = const { RefCell::new(None) };
    }
    if payload.len() < 64 {
        return None;
    }
    PACKER.with_borrow_mut(|packer| {
        if packer.is_none() {
            *packer = zstd::bulk::Compressor::new(1).ok();
        }
        let packed = packer.as_mut()?.compress(payload).ok()?;
        (packed.len() <= payload.len() - payload.len() / 16).then_some(packed)
    })
}

/// A block in coded form, with the number of states it stands for.
pub struct CodedBlock {
    /// The bytes of the block.
    pub bytes: Vec<u8>,
    /// How many states its indices stand for.
    pub states: u128,
}

impl CodedBlock {
    /// Codes a block of a run, whose states are not counted.
    pub fn of_run<I: Index>(indices: &[I]) -> Self {
        let mut bytes = Vec::new();
        encode(indices, Packing::Fast, &mut bytes);
        CodedBlock { bytes, states: 0 }
    }
}

#[cfg(test)]
mod tests;

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
//! All of this depends on the indices alone: whoever computed a set, its blocks are the same.
//!
//! ```text
//! block = first index (16 bytes) | count (2) | k (1) | flags (1) | payload length (4)
//!       | checksum over the fields before and the payload (8) | payload
//! ```
//! Numbers are little-endian. The payload is a stream of bits, lowest bit first.

use std::cell::RefCell;

use xxhash_rust::xxh3::Xxh3;

use super::bits::{BitReader, BitWriter, ESCAPE, MEDIUM_K, SMALL_K};
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
        let sound = (1..=BLOCK as u16).contains(&header.count)
            && header.k < 128
            && header.flags <= ZSTD
            && header.length as usize <= MAX_PAYLOAD;
        sound.then_some(header)
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
    /// And zstd where it pays: for level sets, which are kept.
    Small,
}

/// Appends the block of `indices` (ascending, 1 to [`BLOCK`] of them) to `out`.
pub fn encode<I: Index>(indices: &[I], packing: Packing, out: &mut Vec<u8>) {
    debug_assert!((1..=BLOCK).contains(&indices.len()));
    let k = best_k(indices, packing);
    let start = out.len();
    out.extend_from_slice(&[0; HEADER]);
    let mut writer = BitWriter::new(out);
    if I::BITS == 64 && k <= SMALL_K {
        for pair in indices.windows(2) {
            writer.small_gap(pair[1].low() - pair[0].low() - 1, k);
        }
    } else {
        for pair in indices.windows(2) {
            writer.gap::<I>((pair[1] - pair[0]).wide() - 1, k);
        }
    }
    writer.finish();
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

/// Holds the bytes of a block to their checksum. `Err` says what is wrong with them.
pub fn check(bytes: &[u8]) -> Result<Header, &'static str> {
    let header = Header::read(bytes).ok_or("a block's header is damaged")?;
    let payload = bytes
        .get(HEADER..HEADER + header.length as usize)
        .ok_or("a block is cut off")?;
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
        unpack(payload, &header, out)
    } else {
        let plain = zstd::bulk::decompress(payload, MAX_PAYLOAD)
            .map_err(|_| "a block cannot be decompressed")?;
        unpack(&plain, &header, out)
    }
}

fn unpack<I: Index>(payload: &[u8], header: &Header, out: &mut Vec<I>) -> Result<(), &'static str> {
    let k = u32::from(header.k);
    let mut reader = BitReader::new(payload);
    let mut index = header.first;
    out.reserve(header.count as usize);
    out.push(I::narrow(index));
    if I::BITS == 64 && k <= SMALL_K {
        // The common case, in 64-bit arithmetic: header and gaps are vouched for by the checksum.
        // As an iterator of known length, so that the list is not asked for room every time.
        let mut narrow = index as u64;
        out.extend((1..header.count).map(|_| {
            narrow = narrow.wrapping_add(reader.small_gap(k)).wrapping_add(1);
            I::of(narrow)
        }));
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
    let candidates = least..=middle;
    candidates
        .min_by_key(|&k| cost(indices, k))
        .unwrap_or(middle)
}

/// Bits that the gaps take with the split `k`, but for a constant.
fn cost<I: Index>(indices: &[I], k: u32) -> u64 {
    let per_gap = u64::from(k) + 1;
    let escaped = u64::from(ESCAPE + I::BITS);
    if I::BITS == 64 {
        indices
            .windows(2)
            .map(|pair| {
                let high = (pair[1].low() - pair[0].low() - 1) >> k;
                if high < u64::from(ESCAPE) {
                    high + per_gap
                } else {
                    escaped
                }
            })
            .sum()
    } else {
        indices
            .windows(2)
            .map(|pair| {
                let high = ((pair[1] - pair[0]).wide() - 1) >> k;
                if high < u128::from(ESCAPE) {
                    high as u64 + per_gap
                } else {
                    escaped
                }
            })
            .sum()
    }
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
    /// Codes a block of a run, whose states nobody counts.
    pub fn of_run<I: Index>(indices: &[I]) -> Self {
        let mut bytes = Vec::new();
        encode(indices, Packing::Fast, &mut bytes);
        CodedBlock { bytes, states: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round_trip<I: Index>(indices: &[I], packing: Packing) -> usize {
        let mut bytes = Vec::new();
        encode(indices, packing, &mut bytes);
        let mut back = Vec::new();
        decode::<I>(&bytes, &mut back).unwrap();
        assert_eq!(back, indices);
        bytes.len()
    }

    fn ascending<T: Ord>(set: std::collections::BTreeSet<T>) -> Vec<T> {
        set.into_iter().collect()
    }

    proptest! {
        #[test]
        fn narrow_blocks_round_trip(
            set in proptest::collection::btree_set(any::<u64>(), 1..600),
            shift in 0u32..63,
        ) {
            let set: std::collections::BTreeSet<u64> = set.into_iter().map(|i| i >> shift).collect();
            round_trip(&ascending(set.clone()), Packing::Fast);
            round_trip(&ascending(set), Packing::Small);
        }

        #[test]
        fn wide_blocks_round_trip(
            set in proptest::collection::btree_set(any::<u128>(), 1..300),
            shift in 0u32..127,
        ) {
            let set: std::collections::BTreeSet<u128> = set.into_iter().map(|i| i >> shift).collect();
            round_trip(&ascending(set.clone()), Packing::Fast);
            round_trip(&ascending(set), Packing::Small);
        }

        #[test]
        fn any_flipped_bit_is_noticed(
            set in proptest::collection::btree_set(0u64..100_000, 2..200),
            at in any::<prop::sample::Index>(),
            bit in 0u8..8,
        ) {
            let mut bytes = Vec::new();
            encode(&ascending(set), Packing::Small, &mut bytes);
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
            prop_assert!(decode::<u64>(&bytes, &mut Vec::new()).is_err());
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode::<u64>(&bytes, &mut Vec::new());
            let _ = decode::<u128>(&bytes, &mut Vec::new());
        }
    }

    #[test]
    fn extremes_round_trip() {
        round_trip(&[0u64, u64::MAX], Packing::Fast);
        round_trip(&[0u128, u128::MAX], Packing::Fast);
        round_trip(&[0u64, 1, 2, 3, u64::MAX - 1, u64::MAX], Packing::Small);
        round_trip(&(0..BLOCK as u64).collect::<Vec<_>>(), Packing::Small);
        round_trip(&[7u64], Packing::Small);
    }

    /// A random set takes little more than its entropy.
    #[test]
    fn blocks_are_near_the_entropy() {
        let mut random = 12345u64;
        for gap in [2u64, 6, 32, 1000, 1 << 30] {
            let mut index = 0;
            let indices: Vec<u64> = (0..BLOCK)
                .map(|_| {
                    random = random
                        .wrapping_mul(6364136223846793005)
                        .wrapping_add(1442695040888963407);
                    let uniform = (random >> 11) as f64 / (1u64 << 53) as f64;
                    // A geometric gap of the given mean.
                    let step = (1.0 - uniform).ln() / (1.0 - 1.0 / gap as f64).ln();
                    index += 1 + step as u64;
                    index
                })
                .collect();
            let bits = 8.0 * round_trip(&indices, Packing::Small) as f64 / BLOCK as f64;
            let p = 1.0 / gap as f64;
            let entropy = -(p * p.log2() + (1.0 - p) * (1.0 - p).log2()) / p;
            assert!(
                bits < 1.1 * entropy,
                "gap {gap}: {bits} bits, entropy {entropy}"
            );
        }
    }
}

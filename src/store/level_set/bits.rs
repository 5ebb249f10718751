//! Streams of bits, lowest first, and gaps in Rice code.

use crate::space::Index;

/// A gap whose high part reaches this is written in full instead.
pub const ESCAPE: u32 = 32;
/// Unary part and low bits of a gap fit into the 57 bits that a peek gives.
pub const SMALL_K: u32 = 57 - ESCAPE - 1;
/// The low bits of a gap fit into a peek of their own.
pub const MEDIUM_K: u32 = 56;

pub struct BitWriter<'a> {
    out: &'a mut Vec<u8>,
    word: u64,
    filled: u32,
}

impl<'a> BitWriter<'a> {
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        BitWriter { out, word: 0, filled: 0 }
    }

    /// Appends the low `width` bits of `value`; `width` is at most 64.
    #[inline(always)]
    fn put(&mut self, value: u64, width: u32) {
        if width == 0 {
            return;
        }
        self.word |= value << self.filled;
        let total = self.filled + width;
        if total < 64 {
            self.filled = total;
            return;
        }
        self.out.extend_from_slice(&self.word.to_le_bytes());
        let used = 64 - self.filled;
        self.word = if used == 64 { 0 } else { value >> used };
        self.filled = total - 64;
    }

    #[inline(always)]
    fn wide(&mut self, value: u128, width: u32) {
        if width <= 64 {
            self.put(value as u64, width);
        } else {
            self.put(value as u64, 64);
            self.put((value >> 64) as u64, width - 64);
        }
    }

    /// A gap with a split of at most [`SMALL_K`]: both parts are written as one.
    #[inline(always)]
    pub fn small_gap(&mut self, gap: u64, k: u32) {
        let high = gap >> k;
        if high < u64::from(ESCAPE) {
            let low = gap & ((1 << k) - 1);
            self.put((low << 1 | 1) << high, high as u32 + 1 + k);
        } else {
            self.put(0, ESCAPE);
            self.put(gap, u64::BITS);
        }
    }

    #[inline(always)]
    pub fn gap<I: Index>(&mut self, gap: u128, k: u32) {
        let high = gap >> k;
        if high < u128::from(ESCAPE) {
            self.put(1 << high, high as u32 + 1);
            self.wide(gap & ((1 << k) - 1), k);
        } else {
            self.put(0, ESCAPE);
            self.wide(gap, I::BITS);
        }
    }

    pub fn finish(self) {
        let bytes = self.filled.div_ceil(8) as usize;
        self.out.extend_from_slice(&self.word.to_le_bytes()[..bytes]);
    }
}

pub struct BitReader<'a> {
    bytes: &'a [u8],
    /// Position in bits.
    at: usize,
}

impl<'a> BitReader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        BitReader { bytes, at: 0 }
    }

    /// At least 57 bits from the current position on; zeros after the end.
    #[inline(always)]
    fn peek(&self) -> u64 {
        let byte = self.at / 8;
        let word = match self.bytes.get(byte..byte + 8) {
            Some(eight) => u64::from_le_bytes(eight.try_into().unwrap_or_default()),
            None => {
                let mut eight = [0; 8];
                let rest = self.bytes.get(byte..).unwrap_or_default();
                eight[..rest.len()].copy_from_slice(rest);
                u64::from_le_bytes(eight)
            }
        };
        word >> (self.at % 8)
    }

    fn wide(&mut self, width: u32) -> u128 {
        let mut value = 0;
        let mut have = 0;
        while have < width {
            let take = (width - have).min(56);
            let piece = self.peek() & ((1 << take) - 1);
            value |= u128::from(piece) << have;
            have += take;
            self.at += take as usize;
        }
        value
    }

    /// A gap with a split of at most [`SMALL_K`]: both parts come out of one word.
    #[inline(always)]
    pub fn small_gap(&mut self, k: u32) -> u64 {
        let word = self.peek();
        let high = word.trailing_zeros();
        if high >= ESCAPE {
            self.at += ESCAPE as usize;
            return self.wide(64) as u64;
        }
        let low = (word >> (high + 1)) & ((1 << k) - 1);
        self.at += (high + 1 + k) as usize;
        (u64::from(high) << k) | low
    }

    /// A gap with a split of at most [`MEDIUM_K`]: the low bits come out of a second word.
    #[inline(always)]
    pub fn medium_gap(&mut self, k: u32) -> u64 {
        let high = self.peek().trailing_zeros();
        if high >= ESCAPE {
            self.at += ESCAPE as usize;
            return self.wide(64) as u64;
        }
        self.at += high as usize + 1;
        let low = self.peek() & ((1 << k) - 1);
        self.at += k as usize;
        (u64::from(high) << k) | low
    }

    pub fn gap<I: Index>(&mut self, k: u32) -> u128 {
        let high = self.peek().trailing_zeros();
        if high >= ESCAPE {
            self.at += ESCAPE as usize;
            return self.wide(I::BITS);
        }
        self.at += high as usize + 1;
        (u128::from(high) << k) | self.wide(k)
    }

    /// Whether more was read than there is.
    pub fn overrun(&self) -> bool {
        self.at > self.bytes.len() * 8
    }
}

//! Ranking of combinations: `k` ones among `n` bits, numbered in numeric order of the masks.
//!
//! The rank of a mask is the number of smaller masks with as many ones. Cut the mask into chunks
//! of bits. Once the chunks above one are fixed, the number of ones from that chunk down is known,
//! and what the chunk adds to the rank depends only on that number and on the chunk's bits: the
//! number of masks that have a smaller value in this chunk. So a rank is one look-up and one
//! addition for each chunk; and as the entries for one number of ones ascend with the chunk's
//! bits, the same table serves `unrank` by binary search. The lowest chunk needs none: those with
//! as many ones are in a list.

use super::binomial::{MAX_N, choose};

/// Bits of a chunk: 36 bits take four look-ups, in tables that stay in cache. One number for all
/// sizes, so that shifts are known when the code is made.
const CHUNK_BITS: usize = 9;
/// The bits of one chunk.
const CHUNK: usize = (1 << CHUNK_BITS) - 1;
/// Chunks that 64 bits can take.
const MOST_CHUNKS: usize = 8;

/// The combinations of `k` ones among the low `n` bits of a word.
#[derive(Clone, Debug)]
pub struct Combination {
    ones: usize,
    count: u64,
    /// A power of two, so that there are few lengths of code; those on top may be empty.
    chunks: usize,
    /// `[chunk][ones in this chunk and below][bits of the chunk]`, flattened: the number of ways
    /// to fill this chunk and those below with that many ones and smaller bits in this chunk.
    table: Box<[u64]>,
    /// The chunks by their number of ones, each kind in ascending order.
    lowest: Box<[u16]>,
    /// Where the chunks with that many ones begin in it.
    kinds: [usize; CHUNK_BITS + 1],
}

/// Where the last [`unrank`](Combination::unrank_next) came to: for each chunk, the ranks that have
/// the same bits in this chunk and above.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    steps: [TrailStep; MOST_CHUNKS],
}

/// The ranks from `start` on and below `end` have these bits so far, and that many ones to come.
#[derive(Clone, Copy, Debug, Default)]
struct TrailStep {
    start: u64,
    end: u64,
    bits: u64,
    ones: usize,
}

impl Combination {
    /// Prepares the tables; `None` unless `k <= n <= 64`.
    pub fn new(n: usize, k: usize) -> Option<Self> {
        if k > n || n > MAX_N {
            return None;
        }
        let chunks = n.div_ceil(CHUNK_BITS).next_power_of_two();
        let mut table = Vec::with_capacity((chunks * (k + 1)) << CHUNK_BITS);
        for chunk in 0..chunks {
            let below = (chunk * CHUNK_BITS).min(n);
            // The top chunks may have fewer bits than the table has room for, or none.
            let here = CHUNK_BITS.min(n - below);
            for ones in 0..=k {
                let mut smaller = 0;
                for bits in 0..1usize << CHUNK_BITS {
                    table.push(smaller);
                    let in_chunk = bits.count_ones() as usize;
                    if bits >> here == 0 && in_chunk <= ones {
                        smaller += choose(below, ones - in_chunk);
                    }
                }
            }
        }
        let mut lowest: Vec<u16> = (0..1 << CHUNK_BITS).collect();
        lowest.sort_by_key(|bits| bits.count_ones());
        let mut kinds = [0; CHUNK_BITS + 1];
        for ones in 1..=CHUNK_BITS {
            kinds[ones] = kinds[ones - 1] + choose(CHUNK_BITS, ones - 1) as usize;
        }
        Some(Combination {
            ones: k,
            count: choose(n, k),
            chunks,
            table: table.into(),
            lowest: lowest.into(),
            kinds,
        })
    }

    /// How many combinations there are.
    #[inline]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number of smaller masks with `k` ones. `mask` must have `k` ones, all among the low
    /// `n` bits; anything else gives a meaningless number or panics.
    #[inline(always)]
    pub fn rank(&self, mask: u64) -> u64 {
        debug_assert_eq!(mask.count_ones() as usize, self.ones);
        // Loops of known length become straight code.
        match self.chunks {
            1 => self.rank_chunks::<1>(mask),
            2 => self.rank_chunks::<2>(mask),
            4 => self.rank_chunks::<4>(mask),
            _ => self.rank_chunks::<MOST_CHUNKS>(mask),
        }
    }

    #[inline(always)]
    fn rank_chunks<const CHUNKS: usize>(&self, mask: u64) -> u64 {
        let mut rank = 0;
        for chunk in 0..CHUNKS {
            let rest = mask >> (chunk * CHUNK_BITS);
            // Ones above this chunk, taken from `k`, leave those at and below it. Counting from
            // the whole mask keeps the look-ups independent of each other.
            let above = (rest >> CHUNK_BITS).count_ones() as usize;
            rank += self.table[self.row(chunk, self.ones - above) + (rest as usize & CHUNK)];
        }
        rank
    }

    /// The mask with this rank, which must be below [`count`](Combination::count); any other
    /// number gives a meaningless mask or panics.
    #[inline(always)]
    pub fn unrank(&self, rank: u64) -> u64 {
        self.descend(rank, self.chunks, self.everything(), |_, _| {})
    }

    /// The same. The trail remembers what was found last: for a rank near the one before, as in
    /// ascending lists, most chunks need no search. It must be new, or from the same combinations.
    #[inline(always)]
    pub fn unrank_next(&self, rank: u64, trail: &mut Trail) -> u64 {
        let known = |step: &TrailStep| step.start <= rank && rank < step.end;
        let mut chunk = 1;
        while chunk < self.chunks && !known(&trail.steps[chunk]) {
            chunk += 1;
        }
        let step = if chunk < self.chunks { trail.steps[chunk] } else { self.everything() };
        self.descend(rank, chunk, step, |chunk, step| trail.steps[chunk] = step)
    }

    fn everything(&self) -> TrailStep {
        TrailStep { start: 0, end: self.count, bits: 0, ones: self.ones }
    }

    /// Finds the chunks below `from`, given what is known of those above.
    #[inline(always)]
    fn descend(
        &self,
        rank: u64,
        from: usize,
        mut step: TrailStep,
        mut note: impl FnMut(usize, TrailStep),
    ) -> u64 {
        debug_assert!(rank < self.count);
        for chunk in (1..from).rev() {
            let row = self.row(chunk, step.ones);
            let row = &self.table[row..row + CHUNK + 1];
            let rest = rank - step.start;
            // Entry 0 is 0, so at least one entry is not above the rest; of equal entries only
            // the last stands for bits that occur.
            // `partition_point` would do the same, but is not inlined into a kernel.
            let mut bits = 0;
            let mut half = 1 << (CHUNK_BITS - 1);
            while half > 0 {
                // The mask changes nothing, but spares the check of a bound.
                bits += if row[(bits + half) & CHUNK] <= rest { half } else { 0 };
                half /= 2;
            }
            if let Some(end) = row.get(bits + 1) {
                step.end = step.start + end;
            }
            step.start += row[bits];
            step.ones -= bits.count_ones() as usize;
            step.bits |= (bits as u64) << (chunk * CHUNK_BITS);
            note(chunk, step);
        }
        let place = self.kinds[step.ones] + (rank - step.start) as usize;
        step.bits | u64::from(self.lowest[place])
    }

    #[inline(always)]
    fn row(&self, chunk: usize, ones: usize) -> usize {
        (chunk * (self.ones + 1) + ones) << CHUNK_BITS
    }
}

#[cfg(test)]
mod tests;

//! The two coordinates of a track, as numbers: the arrangement of its kinds of pieces, and the word of their twists.
//!
//! Arrangements of distinct pieces are numbered lexicographically, so that two neighbours of unlike parity
//! share a number where the parity is known. Others are numbered kind by kind: which of the slots left
//! hold the first kind, and so on. Of the last twist, only what the sum of all leaves open is counted.

use super::frame::{Cells, PieceKind, Track, gcd};
use crate::encode::binomial::{MAX_N, choose, multinomial};

/// The most distinct pieces whose arrangements fit in 64 bits.
const MOST_DISTINCT: usize = 20;

/// The two coordinates of a track.
#[derive(Clone)]
pub(super) struct TrackNumbers {
    first: usize,
    slots: usize,
    /// By code: the kind.
    kinds: Box<[u8; 256]>,
    /// By code: the twist.
    twists: Box<[u8; 256]>,
    /// By kind: its first code, how many there are, its modulus.
    pieces: Vec<(u8, usize, u8)>,
    distinct: bool,
    /// Arrangements and twist words that the laws leave.
    arrangements: u64,
    words: u64,
    /// Of the classes of both: what is known of them, given those before.
    steps: [u32; 2],
    /// What the sum of twists is counted modulo.
    period: u32,
}
impl TrackNumbers {
    /// The numbers of a track of which nothing is known; where there are none, why.
    pub fn new(track: &Track) -> Result<TrackNumbers, String> {
        let mut kinds = Box::new([0; 256]);
        let mut twists = Box::new([0; 256]);
        for (number, kind) in (0..=u8::MAX).zip(&track.kinds) {
            for twist in 0..kind.modulus {
                kinds[usize::from(kind.code + twist)] = number;
                twists[usize::from(kind.code + twist)] = twist;
            }
        }
        let slots = track.slots.len();
        let distinct = track.kinds.len() == slots;
        let too_many = || format!("{slots} pieces have more arrangements than 64 bits can number");
        if slots > MAX_N || distinct && slots > MOST_DISTINCT {
            return Err(too_many());
        }
        let counts: Vec<usize> = track.kinds.iter().map(|kind| kind.count).collect();
        let arrangements = multinomial(&counts).and_then(|count| u64::try_from(count).ok());
        let period = track.kinds.iter().fold(0, |sum, kind| gcd(sum, kind.modulus.into())) as u32;
        let per_kind = |kind: &PieceKind| u64::from(kind.modulus).checked_pow(kind.count as u32);
        let mut words = track.kinds.iter().map(per_kind);
        let words = words.try_fold(1u64, |product, factor| product.checked_mul(factor?));
        Ok(TrackNumbers {
            first: track.first,
            slots,
            kinds,
            twists,
            pieces: track.kinds.iter().map(|kind| (kind.code, kind.count, kind.modulus)).collect(),
            distinct,
            arrangements: arrangements.ok_or_else(too_many)?,
            words: words.ok_or_else(too_many)?,
            steps: [1, 1],
            period,
        })
    }

    /// From now on, its classes are known modulo these steps.
    pub fn obey(&mut self, steps: [u32; 2]) {
        self.steps = steps;
        self.arrangements /= u64::from(steps[0]);
        self.words /= u64::from(steps[1]);
    }

    /// What its classes are counted modulo: parity and sum of twists.
    pub fn periods(&self) -> [u32; 2] {
        [if self.distinct && self.slots > 1 { 2 } else { 1 }, self.period]
    }

    /// The same where nothing is known of classes.
    pub fn without_laws(&self) -> TrackNumbers {
        let [arrangements, words] = self.steps.map(u64::from);
        TrackNumbers {
            arrangements: self.arrangements * arrangements,
            words: self.words * words,
            steps: [1, 1],
            ..self.clone()
        }
    }

    /// How many arrangements and words of twists there are.
    pub fn sizes(&self) -> (u64, u64) {
        (self.arrangements, self.words)
    }

    fn cells<'c>(&self, cells: &'c Cells) -> &'c [u8] {
        &cells[self.first..self.first + self.slots]
    }

    /// The parity of an arrangement of distinct pieces; 0 for others.
    pub fn parity(&self, cells: &Cells) -> u32 {
        if !self.distinct {
            return 0;
        }
        let mut odd = 0;
        let mut seen = 0u64;
        for &code in self.cells(cells) {
            let kind = self.kinds[usize::from(code)];
            odd ^= (seen >> kind).count_ones() & 1;
            seen |= 1 << kind;
        }
        odd
    }

    /// The sum of twists, modulo what all pieces show.
    pub fn sum(&self, cells: &Cells) -> u32 {
        let twists = self.cells(cells).iter().map(|&code| u32::from(self.twists[usize::from(code)]));
        twists.sum::<u32>() % self.period
    }

    /// The number of an arrangement.
    pub fn rank_arrangement(&self, cells: &Cells) -> u64 {
        let cells = self.cells(cells);
        if self.distinct {
            let mut unused = u64::MAX;
            let mut rank = 0;
            for (place, &code) in cells.iter().enumerate() {
                let kind = self.kinds[usize::from(code)];
                let smaller = (unused & ((1 << kind) - 1)).count_ones();
                rank = rank * (self.slots - place) as u64 + u64::from(smaller);
                unused &= !(1 << kind);
            }
            return rank / u64::from(self.steps[0]);
        }
        // The last kind fills what is left.
        let mut rank = 0;
        let mut left = self.slots;
        for (kind, &(_, count, _)) in self.pieces.iter().enumerate().take(self.pieces.len() - 1) {
            let (mut place, mut found, mut chosen) = (0, 0, 0);
            for &code in cells {
                let other = usize::from(self.kinds[usize::from(code)]);
                if other == kind {
                    found += 1;
                    chosen += choose(place, found);
                }
                place += usize::from(other >= kind);
            }
            rank = rank * choose(left, count) + chosen;
            left -= count;
        }
        rank
    }

    /// Fills the cells with kinds, all twists 0. Where the parity is known, it is `residue`.
    pub fn unrank_arrangement(&self, mut rank: u64, residue: u32, cells: &mut Cells) {
        if self.distinct {
            let digits = &mut cells[self.first..self.first + self.slots];
            rank *= u64::from(self.steps[0]);
            for (place, digit) in digits.iter_mut().enumerate().rev() {
                let left = (self.slots - place) as u64;
                *digit = (rank % left) as u8;
                rank /= left;
            }
            let mut unused = u64::MAX;
            for digit in digits.iter_mut() {
                let mut rest = unused;
                for _ in 0..*digit {
                    rest &= rest - 1;
                }
                let kind = rest.trailing_zeros() as usize;
                unused &= !(1 << kind);
                *digit = self.pieces[kind].0;
            }
            if self.steps[0] == 2 && self.parity(cells) != residue {
                let last = self.first + self.slots - 1;
                cells.swap(last - 1, last);
            }
            return;
        }
        let kinds = self.pieces.len();
        let mut digits = [0; MAX_N];
        let mut left = self.pieces[kinds - 1].1;
        for kind in (0..kinds - 1).rev() {
            left += self.pieces[kind].1;
            let ways = choose(left, self.pieces[kind].1);
            digits[kind] = rank % ways;
            rank /= ways;
        }
        let cells = &mut cells[self.first..self.first + self.slots];
        cells.fill(self.pieces[kinds - 1].0);
        // A bit for every slot that no kind has taken.
        let mut free = u64::MAX >> (64 - self.slots);
        for (kind, &(code, count, _)) in self.pieces.iter().enumerate().take(kinds - 1) {
            let mut chosen = digits[kind];
            let mut needed = count;
            let mut open = free;
            while needed > 0 && open != 0 {
                // From the last free slot down.
                let slot = 63 - open.leading_zeros() as usize;
                open &= !(1 << slot);
                let below = choose(open.count_ones() as usize, needed);
                if chosen >= below {
                    chosen -= below;
                    needed -= 1;
                    cells[slot] = code;
                    free &= !(1 << slot);
                }
            }
        }
    }

    /// The number of the twists.
    pub fn rank_word(&self, cells: &Cells) -> u64 {
        if self.words <= 1 {
            return 0;
        }
        let mut rank = 0;
        let (&last, others) = match self.cells(cells).split_last() {
            Some(split) => split,
            None => return 0,
        };
        for &code in others {
            let (kind, twist) = (self.kinds[usize::from(code)], self.twists[usize::from(code)]);
            rank = rank * u64::from(self.pieces[usize::from(kind)].2) + u64::from(twist);
        }
        let (kind, twist) = (self.kinds[usize::from(last)], self.twists[usize::from(last)]);
        let left = u64::from(self.pieces[usize::from(kind)].2) / u64::from(self.steps[1]);
        rank * left + u64::from(twist) / u64::from(self.steps[1])
    }

    /// Adds twists to cells that have none. Their sum is `residue` as far as it is known.
    pub fn unrank_word(&self, mut rank: u64, residue: u32, cells: &mut Cells) {
        let step = self.steps[1];
        let cells = &mut cells[self.first..self.first + self.slots];
        let Some((last, others)) = cells.split_last_mut() else {
            return;
        };
        let modulus = |code: u8| u64::from(self.pieces[usize::from(self.kinds[usize::from(code)])].2);
        let left = modulus(*last) / u64::from(step);
        let high = (rank % left) as u32;
        rank /= left;
        let mut sum = 0;
        for cell in others.iter_mut().rev() {
            let modulus = modulus(*cell);
            let twist = (rank % modulus) as u8;
            rank /= modulus;
            *cell += twist;
            sum += u32::from(twist);
        }
        *last += (high * step + (residue + step - sum % step) % step) as u8;
    }
}

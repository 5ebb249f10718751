//! Arrangements: which kind of gourd lies on which slot of a shape, as a word of kinds, and what
//! moves do to the numbers of such words.
//!
//! Words are numbered lexicographically, like those of [`Multiset`], but without allocating and
//! in 64 bits. A move takes one gourd out of the row of slots and puts it in elsewhere, so all that
//! can happen to a word is one of n(n-1) *shifts*. Where there are not too many words, what each
//! shift does to each of them is tabulated.

use crate::encode::Multiset;

/// The most slots: half of the largest board.
pub(super) const MOST_SLOTS: usize = 31;

/// A word; only as many letters count as there are slots.
pub(super) type KindWord = [u8; MOST_SLOTS + 1];

/// Tables of shifts are not made larger than this many bytes.
const MOST_BYTES: usize = 8 << 20;

/// All words with given numbers of letters.
#[derive(Clone, Debug)]
pub(super) struct Arrangements {
    slots: usize,
    counts: KindWord,
    kinds: usize,
    count: u64,
    /// Whether every letter occurs once.
    distinct: bool,
    tables: Option<Tables>,
}

/// What shifts do to words.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    /// `[word][slot]`: the letters.
    letters: Box<[u8]>,
    /// `[from][to][word]`: the word after a shift, where it was asked for.
    shifts: Box<[Option<Box<[u16]>>]>,
}

impl Arrangements {
    /// The words with these numbers of letters; `None` if 64 bits cannot number them together
    /// with a bit for each slot.
    pub fn new(counts: &[usize]) -> Option<Arrangements> {
        let slots: usize = counts.iter().sum();
        if slots > MOST_SLOTS {
            return None;
        }
        let count = u64::try_from(Multiset::new(counts)?.count()).ok()?;
        // More than is needed for products of words and slots.
        count.checked_mul(1 << slots)?;
        let mut by_letter = [0; MOST_SLOTS + 1];
        for (count, &letters) in by_letter.iter_mut().zip(counts) {
            *count = letters as u8;
        }
        Some(Arrangements {
            slots,
            counts: by_letter,
            kinds: counts.len(),
            count,
            distinct: counts.iter().all(|&count| count == 1),
            tables: None,
        })
    }

    #[inline(always)]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How many letters a word has.
    #[inline(always)]
    pub fn slots(&self) -> usize {
        self.slots
    }

    #[inline(always)]
    pub fn rank(&self, word: &KindWord) -> u64 {
        if self.distinct {
            return self.rank_distinct(word);
        }
        let mut left = self.counts;
        let mut words = self.count;
        let mut rank = 0;
        for (place, &letter) in word[..self.slots].iter().enumerate() {
            let letter = usize::from(letter);
            let length = (self.slots - place) as u64;
            let smaller: u64 = left[..letter].iter().map(|&count| u64::from(count)).sum();
            rank += words * smaller / length;
            words = words * u64::from(left[letter]) / length;
            left[letter] -= 1;
        }
        rank
    }

    #[inline(always)]
    fn rank_distinct(&self, word: &KindWord) -> u64 {
        let mut unused = u32::MAX;
        let mut rank = 0;
        for (place, &letter) in word[..self.slots].iter().enumerate() {
            let bit = 1u32 << letter;
            let smaller = (unused & (bit - 1)).count_ones();
            rank = rank * (self.slots - place) as u64 + u64::from(smaller);
            unused &= !bit;
        }
        rank
    }

    /// The word with this number, which must be below the count.
    #[inline(always)]
    pub fn unrank(&self, rank: u64) -> KindWord {
        let mut word = [0; MOST_SLOTS + 1];
        match &self.tables {
            Some(tables) => {
                let letters = &tables.letters[rank as usize * self.slots..][..self.slots];
                word[..self.slots].copy_from_slice(letters);
            }
            None => self.unrank_into(rank, &mut word),
        }
        word
    }

    fn unrank_into(&self, mut rank: u64, word: &mut KindWord) {
        let mut left = self.counts;
        let mut words = self.count;
        for (place, slot) in word[..self.slots].iter_mut().enumerate() {
            let length = (self.slots - place) as u64;
            // Of the letters that are left, sorted, each one begins an equal share of the words.
            let mut smaller = 0;
            let share = rank * length / words;
            let mut letter = 0;
            while letter + 1 < self.kinds && smaller + u64::from(left[letter]) <= share {
                smaller += u64::from(left[letter]);
                letter += 1;
            }
            rank -= words * smaller / length;
            words = words * u64::from(left[letter]) / length;
            left[letter] -= 1;
            *slot = letter as u8;
        }
    }

    /// Tabulates shifts, given as pairs of different slots, unless that would take too much memory.
    pub fn tabulate(&mut self, shifts: impl IntoIterator<Item = (u8, u8)>) {
        let slots = self.slots;
        let words = self.count as usize;
        let mut wanted = vec![false; slots * slots];
        for (from, to) in shifts {
            wanted[usize::from(from) * slots + usize::from(to)] = true;
        }
        let shifts = wanted.iter().filter(|&&wanted| wanted).count();
        // Besides the tables that stay there are those they are made of.
        let bytes = (shifts + 2 * slots) as u64 * 2 * self.count;
        if self.count > 1 << 16 || bytes > MOST_BYTES as u64 {
            return;
        }
        let mut letters = vec![0; words * slots];
        let mut exchanges = vec![vec![0u16; words]; slots.saturating_sub(1)];
        for rank in 0..words {
            let mut word = [0; MOST_SLOTS + 1];
            self.unrank_into(rank as u64, &mut word);
            letters[rank * slots..][..slots].copy_from_slice(&word[..slots]);
            for (slot, exchange) in exchanges.iter_mut().enumerate() {
                word.swap(slot, slot + 1);
                exchange[rank] = self.rank(&word) as u16;
                word.swap(slot, slot + 1);
            }
        }
        // A shift to the slot after next is one to the next slot and an exchange there, and so on.
        let mut tables = vec![None; slots * slots];
        let same: Vec<u16> = (0..words).map(|word| word as u16).collect();
        for from in 0..slots {
            let upwards: Vec<usize> = (from + 1..slots).collect();
            let downwards: Vec<usize> = (0..from).rev().collect();
            for way in [upwards, downwards] {
                let mut table = same.clone();
                let mut at = from;
                for to in way {
                    let exchange = &exchanges[at.min(to)];
                    table.iter_mut().for_each(|word| *word = exchange[usize::from(*word)]);
                    at = to;
                    if wanted[from * slots + to] {
                        tables[from * slots + to] = Some(table.clone().into());
                    }
                }
            }
        }
        self.tables = Some(Tables { letters: letters.into(), shifts: tables.into() });
    }

    /// What shifts do to one word.
    #[inline(always)]
    pub fn shifted(&self, rank: u64) -> Shifted<'_> {
        match &self.tables {
            Some(tables) => Shifted::Tables(self, tables, rank as usize),
            None => Shifted::Word(self, rank, self.unrank(rank)),
        }
    }
}

/// A word that is to be shifted in several ways.
pub(super) enum Shifted<'a> {
    Tables(&'a Arrangements, &'a Tables, usize),
    Word(&'a Arrangements, u64, KindWord),
}

impl Shifted<'_> {
    /// The letter of a slot before any shift.
    #[inline(always)]
    pub fn letter(&self, slot: u8) -> u8 {
        let slot = usize::from(slot);
        match self {
            Shifted::Tables(arrangements, tables, rank) => tables.letters[rank * arrangements.slots + slot],
            Shifted::Word(_, _, word) => word[slot],
        }
    }

    /// The number of the word in which the letter of slot `from` has gone to slot `to`, and those
    /// between have moved up or down. The shift must be one of those that were tabulated.
    #[inline(always)]
    pub fn after(&self, from: u8, to: u8) -> u64 {
        let (from, to) = (usize::from(from), usize::from(to));
        match self {
            Shifted::Tables(arrangements, tables, rank) => {
                match &tables.shifts[from * arrangements.slots + to] {
                    Some(table) => table[*rank].into(),
                    // To its own slot.
                    None => *rank as u64,
                }
            }
            Shifted::Word(_, rank, _) if from == to => *rank,
            Shifted::Word(arrangements, _, word) => {
                let mut after = *word;
                match from < to {
                    true => after.copy_within(from + 1..=to, from),
                    false => after.copy_within(to..from, to + 1),
                }
                after[to] = word[from];
                arrangements.rank(&after)
            }
        }
    }
}

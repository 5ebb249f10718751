//! The index of towers: which disc is on which peg, up to an exchange of pegs.
//!
//! # The index
//! A state is the word of its discs' pegs, the largest disc first. Some pegs are *named*: the goal, and
//! those that the arrangement of the pegs tells from others. The rest can be exchanged, which makes classes;
//! of each class the word is taken in which they appear in ascending order. So the next letter of a word is
//! one of the pegs that are named or have appeared, or the first that has not. With `k` of `p` pegs known,
//! words of `m` letters number
//! *words(m, k) = k words(m - 1, k) + words(m - 1, k + 1)*, the last term only if `k < p`,
//! and the index is the lexicographic rank among them: every number below the universe is a class.
//!
//! # Neighbours
//! A move changes the letter of one disc, and perhaps the names of pegs in the letters after it. Discs that
//! move are mostly small, so their letters are the last ones, and the rank of all before stays. Batches are
//! ascending; only the letters that differ from those of the index before are read anew.

use super::rules::{Arrangement, HanoiRules};
use crate::space::{Direction, Space};

/// The most pegs.
pub(super) const MOST_PEGS: usize = 8;
/// The most discs.
pub(super) const MOST_DISCS: usize = 40;

/// The classes of one puzzle.
pub(super) struct HanoiSpace {
    rules: HanoiRules,
    /// By letters that follow, and by pegs known: how many words there are.
    words: Vec<[u64; MOST_PEGS + 2]>,
    /// By peg: whether a disc may come from another one, and which, in one move.
    sources: Vec<Vec<usize>>,
}

/// A word, with the rank of the part before each letter and the pegs known there.
struct HanoiWord {
    letters: [u8; MOST_DISCS],
    rank: [u64; MOST_DISCS + 1],
    known: [u8; MOST_DISCS + 1],
}

impl HanoiSpace {
    /// Prepares the table; `None` if the classes do not fit into 64 bits.
    pub fn new(rules: HanoiRules) -> Option<HanoiSpace> {
        let mut words = vec![[1u64; MOST_PEGS + 2]];
        for _ in 0..rules.discs {
            let last = words[words.len() - 1];
            let mut next = [0; MOST_PEGS + 2];
            for known in rules.named()..=rules.pegs {
                let new = if known < rules.pegs { last[known + 1] } else { 0 };
                next[known] = last[known].checked_mul(known as u64)?.checked_add(new)?;
            }
            words.push(next);
        }
        // Levels are distances to the goal: expanding a state takes moves back.
        let pegs = || 0..rules.pegs;
        let peg = |letter: usize| usize::from(rules.letter_of(letter as u8));
        let sources = pegs().map(|to| pegs().filter(|&from| rules.allows(peg(from), peg(to))).collect());
        let sources = sources.collect();
        Some(HanoiSpace { rules, words, sources })
    }

    /// The index of the class of a state: the pegs of its discs, the smallest first.
    pub fn index_of(&self, state: &[u8]) -> u64 {
        let letters = state.iter().rev().map(|&peg| self.rules.letter_of(peg));
        self.rank_on(0, self.rules.named(), &mut identity(), letters)
    }

    /// The state of a class, the pegs of its discs from the smallest on.
    pub fn state_of(&self, index: u64) -> Vec<u8> {
        let mut word = self.first_word();
        self.read(index, 0, &mut word);
        let letters = word.letters[..self.rules.discs].iter().rev();
        letters.map(|&letter| self.rules.letter_of(letter)).collect()
    }

    /// The rank of a word that begins with letters of a known rank, `known` pegs being known then; `names`
    /// has the pegs as they are called in ascending order of appearance.
    #[inline(always)]
    fn rank_on(
        &self,
        mut rank: u64,
        mut known: usize,
        names: &mut [u8; MOST_PEGS],
        letters: impl ExactSizeIterator<Item = u8>,
    ) -> u64 {
        let mut left = letters.len();
        for letter in letters {
            left -= 1;
            // The pegs that are not known yet keep their order, behind those that are.
            let mut name = usize::from(names[usize::from(letter)]);
            if name >= known {
                if name > known {
                    let holder = names.iter().position(|&other| usize::from(other) == known);
                    names[holder.unwrap_or(0)] = name as u8;
                    names[usize::from(letter)] = known as u8;
                    name = known;
                }
                rank += name as u64 * self.words[left][known];
                known += 1;
            } else {
                rank += name as u64 * self.words[left][known];
            }
        }
        rank
    }

    fn first_word(&self) -> HanoiWord {
        let mut word = HanoiWord {
            letters: [0; MOST_DISCS],
            rank: [0; MOST_DISCS + 1],
            known: [self.rules.named() as u8; MOST_DISCS + 1],
        };
        word.rank[0] = 0;
        word
    }

    /// Reads the letters of an index from number `from` on; those before are right.
    #[inline(always)]
    fn read(&self, index: u64, from: usize, word: &mut HanoiWord) {
        for at in from..self.rules.discs {
            let known = usize::from(word.known[at]);
            let words = self.words[self.rules.discs - 1 - at][known];
            let rest = index - word.rank[at];
            let letter = (rest / words).min(known as u64);
            word.letters[at] = letter as u8;
            word.rank[at + 1] = word.rank[at] + letter * words;
            word.known[at + 1] = (known + usize::from(letter == known as u64)) as u8;
        }
    }

    /// How many letters of a word an index shares with it, at least.
    #[inline(always)]
    fn shared(&self, index: u64, word: &HanoiWord) -> usize {
        let mut at = self.rules.discs;
        while at > 0 {
            let words = self.words[self.rules.discs - at][usize::from(word.known[at])];
            if index >= word.rank[at] && index - word.rank[at] < words {
                break;
            }
            at -= 1;
        }
        at
    }
}

fn identity() -> [u8; MOST_PEGS] {
    std::array::from_fn(|peg| peg as u8)
}

impl Space<u64> for HanoiSpace {
    fn universe(&self) -> u64 {
        self.words[self.rules.discs][self.rules.named()]
    }

    fn roots(&self) -> Vec<u64> {
        vec![self.index_of(&self.rules.goal())]
    }

    fn fanout(&self) -> usize {
        let pegs = self.rules.pegs;
        match self.rules.arrangement {
            // Of two pegs, only one can give its disc to the other.
            Arrangement::Complete => pegs * (pegs - 1) / 2,
            Arrangement::Linear | Arrangement::Star => pegs - 1,
            Arrangement::Cyclic => pegs,
        }
    }

    fn expand(&self, batch: &[u64], candidates: &mut Vec<u64>) {
        let discs = self.rules.discs;
        let mut word = self.first_word();
        let mut read = 0;
        for &index in batch {
            let from = if read == 0 { 0 } else { self.shared(index, &word) };
            self.read(index, from, &mut word);
            read = discs;
            // The place of the topmost disc of each peg in the word.
            let mut tops = [None; MOST_PEGS];
            let mut found = 0;
            for (at, &letter) in word.letters[..discs].iter().enumerate().rev() {
                let top = &mut tops[usize::from(letter)];
                if top.is_none() {
                    *top = Some(at);
                    found += 1;
                    if found == self.rules.pegs {
                        break;
                    }
                }
            }
            for (now, top) in tops[..self.rules.pegs].iter().enumerate() {
                let Some(at) = *top else { continue };
                for &before in &self.sources[now] {
                    // A place further on in the word is a smaller disc.
                    if tops[before].is_some_and(|other| other > at) {
                        continue;
                    }
                    let rest = word.letters[at + 1..discs].iter().copied();
                    let letters = Moved { first: Some(before as u8), rest };
                    let known = usize::from(word.known[at]);
                    candidates.push(self.rank_on(word.rank[at], known, &mut identity(), letters));
                }
            }
        }
    }

    fn states(&self, batch: &[u64]) -> u128 {
        let mut word = self.first_word();
        let mut read = 0;
        let states = batch.iter().map(|&index| {
            let from = if read == 0 { 0 } else { self.shared(index, &word) };
            self.read(index, from, &mut word);
            read = self.rules.discs;
            let known = usize::from(word.known[self.rules.discs]);
            // In how many ways the pegs that appear can be chosen among those that can be exchanged.
            let others = self.rules.pegs - self.rules.named();
            (0..known - self.rules.named()).map(|chosen| (others - chosen) as u128).product::<u128>()
        });
        states.sum()
    }

    fn direction(&self) -> Direction {
        match self.rules.arrangement {
            Arrangement::Cyclic => Direction::Directed,
            _ => Direction::Reversible,
        }
    }
}

/// The letters from the disc that moves on.
struct Moved<R> {
    first: Option<u8>,
    rest: R,
}

impl<R: ExactSizeIterator<Item = u8>> Iterator for Moved<R> {
    type Item = u8;

    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        self.first.take().or_else(|| self.rest.next())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let length = self.rest.len() + usize::from(self.first.is_some());
        (length, Some(length))
    }
}

impl<R: ExactSizeIterator<Item = u8>> ExactSizeIterator for Moved<R> {}

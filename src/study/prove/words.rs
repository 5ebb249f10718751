//! The words that solve a state of the base, by length, one after the other.
//!
//! A depth-first search that never leaves the way: after each move, the base must still be solvable in the
//! moves that are left. What matters of a word is where it carries the free places; two words that carry
//! them alike are one. A place of the search that was left with as many moves to go before is not entered
//! again: what a word has done so far is the state of the base and where the free places are.

use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::Xxh3;

use super::arrangements::then;
use super::slides::{SlideBase, SlideWords};
use super::tables::Distances;
use crate::puzzle::{State, Subgoals};

/// The search for the words from one state of the base.
pub enum BaseWords<'a> {
    /// Move by move.
    Moves(Words<'a>),
    /// By masks.
    Slides(SlideWords<'a>),
}

impl<'a> BaseWords<'a> {
    /// The words from `start`.
    pub fn new(
        subgoals: &'a dyn Subgoals,
        base: &'a Distances,
        slides: Option<&'a SlideBase>,
        start: &State,
    ) -> Self {
        match slides {
            Some(slides) => BaseWords::Slides(SlideWords::new(slides, start)),
            None => BaseWords::Moves(Words::new(subgoals, base, start.clone())),
        }
    }

    /// Calls `visit` with the words of exactly this length until it returns false; those that do the same
    /// as a word before are left out. Returns false if `visit` did.
    pub fn each(&mut self, length: u32, visit: &mut dyn FnMut(Word) -> bool) -> bool {
        match self {
            BaseWords::Moves(words) => words.each(length, visit),
            BaseWords::Slides(words) => words.each(length, visit),
        }
    }
}

/// The words from one state of the base, move by move.
pub struct Words<'a> {
    subgoals: &'a dyn Subgoals,
    base: &'a Distances,
    start: State,
    /// What was found so far, of any length.
    found: FxHashSet<u128>,
}

/// What a word does: the entrance at which it ends, and where in its order each free place comes to.
pub struct Word {
    /// The number of the entrance.
    pub entrance: usize,
    /// For each free place of the start its position.
    pub map: Vec<u8>,
}

/// One search.
struct WordSearch<'w, 'a> {
    words: &'w mut Words<'a>,
    /// By what a word has done: how many moves were left when the search came there.
    seen: FxHashMap<u128, u32>,
    visit: &'w mut dyn FnMut(Word) -> bool,
}

impl<'a> Words<'a> {
    /// The words from `start`.
    pub fn new(subgoals: &'a dyn Subgoals, base: &'a Distances, start: State) -> Self {
        Words { subgoals, base, start, found: FxHashSet::default() }
    }

    /// Calls `visit` with the words of exactly this length until it returns false; those that do the same
    /// as a word before are left out. Returns false if `visit` did.
    pub fn each(&mut self, length: u32, visit: &mut dyn FnMut(Word) -> bool) -> bool {
        let places = self.subgoals.labels().iter().sum::<usize>() as u8;
        let start = self.start.clone();
        let mut descent = WordSearch { words: self, seen: FxHashMap::default(), visit };
        descent.enter(&start, &(0..places).collect::<Vec<u8>>(), length)
    }
}

impl WordSearch<'_, '_> {
    fn enter(&mut self, state: &State, map: &[u8], left: u32) -> bool {
        let (subgoals, base) = (self.words.subgoals, self.words.base);
        if left == 0 {
            let entrance = subgoals.entrance(state);
            let map = then(map, &entrance.order);
            return match self.words.found.insert(key(&[entrance.number as u8], &map)) {
                true => (self.visit)(Word { entrance: entrance.number, map }),
                false => true,
            };
        }
        for mv in base.puzzle.moves(state) {
            let after = base.puzzle.apply(state, mv);
            if u32::from(base.of(&after)) >= left {
                continue;
            }
            let carried = then(map, &subgoals.carry(state, mv));
            let before = self.seen.entry(key(&after.0, &carried)).or_insert(0);
            // What is left is at least one here, so that 0 means new.
            if *before >= left {
                continue;
            }
            *before = left;
            if !self.enter(&after, &carried, left - 1) {
                return false;
            }
        }
        true
    }
}

/// A number for what a word has done. Were two the same, a word would be missed, and nothing worse.
pub fn key(state: &[u8], map: &[u8]) -> u128 {
    let mut hash = Xxh3::new();
    hash.update(state);
    hash.update(map);
    hash.digest128()
}

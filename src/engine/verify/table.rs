//! Every class of a reversible space, by a table that has room for every index.
//!
//! The table knows the levels around the one in hand. Its classes are expanded many at a time, and each of their
//! neighbours is looked up: it must be in the level before, the same or the next, and is *touched* if it is not in the
//! same. A class must have been touched by a class of the level before when its own level comes to hand: so it has a
//! path of as many moves as its level. As no neighbour is farther than the next level, no path is shorter. A class that
//! is not touched by the level after it is a local maximum, because moves can be undone.
//!
//! Only a class that is in neither of the two levels before enters the table, so that none is in two of three levels
//! that follow each other; the argument in [`verify`](super) that none is in two levels at all needs no more.
//!
//! It shares neither the containers nor the order of work with what computed the levels, and takes about as long:
//! `verify --full` of 6x6 Wrapslide with two colours sorted 59 million neighbours with the classes they came from
//! before.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::{LocalMaxima, Verifier};
use crate::error::{Error, Result};
use crate::space::{Direction, Index};
use crate::store::level_set::SortedSet;
use crate::store::memory::{HugeTable, prefetch};
use crate::text::count;

/// Bits for each index: the number of its level modulo three, and one more; whether it was touched.
const BITS: u64 = 4;
const LABEL: u64 = 3;
const TOUCHED: u64 = 4;
/// Entries of a word.
const ENTRIES: u64 = 64 / BITS;
/// Classes that are expanded together.
const BATCH: usize = 256;
/// How many neighbours ahead memory is asked for.
const AHEAD: usize = 32;
/// Blocks between two notes.
const NOTED: usize = 1 << 12;

/// Four bits for every index.
struct NearTable {
    words: HugeTable<AtomicU64>,
}

/// What marks the classes of a level.
fn label(level: u32) -> u64 {
    u64::from(level % 3) + 1
}

impl NearTable {
    fn place<I: Index>(&self, index: I) -> (&AtomicU64, u64) {
        let index = index.low();
        (&self.words[(index / ENTRIES) as usize], index % ENTRIES * BITS)
    }

    fn get<I: Index>(&self, index: I) -> u64 {
        let (word, shift) = self.place(index);
        word.load(Relaxed) >> shift & (LABEL | TOUCHED)
    }

    /// Adds bits; returns those before.
    fn add<I: Index>(&self, index: I, bits: u64) -> u64 {
        let (word, shift) = self.place(index);
        word.fetch_or(bits << shift, Relaxed) >> shift & (LABEL | TOUCHED)
    }

    /// Removes bits; returns those before.
    fn remove<I: Index>(&self, index: I, bits: u64) -> u64 {
        let (word, shift) = self.place(index);
        word.fetch_and(!(bits << shift), Relaxed) >> shift & (LABEL | TOUCHED)
    }
}

impl<I: Index> Verifier<'_, I> {
    /// Whether all classes can be checked by a table.
    pub(super) fn has_room_for_table(&self) -> bool {
        self.space.direction() == Direction::Reversible
            && self.manifest.kept_from == 0
            && self.space.universe().wide().div_ceil(u128::from(8 / BITS)) <= u128::from(self.memory / 2)
    }

    /// Checks all classes of all levels.
    pub(super) fn by_table(&mut self) -> Result<()> {
        let universe = self.space.universe().low();
        let table = NearTable { words: HugeTable::zeroed(universe.div_ceil(ENTRIES) as usize)? };
        let levels = self.manifest.levels.len() as u32;
        for level in 0..levels {
            let set = self.open(level)?;
            if level == 0 {
                self.enter(&table, 0, &set)?;
            }
            if level + 1 < levels {
                self.enter(&table, level + 1, &self.open(level + 1)?)?;
            }
            self.look_around(&table, level, &set)?;
            if level > 0 {
                self.leave(&table, level - 1)?;
            }
        }
        // Beyond the last level of an unfinished job there may be anything.
        if levels > 0 && self.manifest.finished {
            self.leave(&table, levels - 1)?;
        }
        Ok(())
    }

    /// Hands the classes of some blocks of a level set to `work`, and adds up what it returns.
    fn sum_blocks<T: Send>(
        &self,
        set: &SortedSet<I>,
        blocks: std::ops::Range<usize>,
        work: impl Fn(&[I]) -> Result<T> + Sync,
        zero: impl Fn() -> T + Sync + Send,
        add: impl Fn(T, T) -> T + Sync + Send,
    ) -> Result<T> {
        let of_block = |block| {
            self.go_on()?;
            let mut classes = Vec::new();
            set.block(block, &mut classes)?;
            work(&classes)
        };
        blocks.into_par_iter().map(of_block).try_reduce(zero, |a, b| Ok(add(a, b)))
    }

    /// Enters the classes of a level. The two levels before are in the table, and none of their classes may be here.
    fn enter(&self, table: &NearTable, level: u32, set: &SortedSet<I>) -> Result<()> {
        let universe = self.space.universe();
        let enter = |classes: &[I]| {
            for &class in classes {
                if class >= universe {
                    return Err(self.not_canonical(level, class));
                }
                let before = table.add(class, label(level));
                if before != 0 {
                    let other = (0..level).rev().find(|&other| label(other) == before & LABEL);
                    let what = format!("class {class} is in level {}, too", other.unwrap_or(level));
                    return Err(self.wrong(level, what));
                }
            }
            Ok(())
        };
        self.sum_blocks(set, 0..set.blocks(), enter, || (), |(), ()| ())
    }

    fn not_canonical(&self, level: u32, class: I) -> Error {
        self.wrong(level, format!("index {class} is not canonical"))
    }

    /// Checks the classes of a level, and touches their neighbours in the levels before and after it.
    fn look_around(&mut self, table: &NearTable, level: u32, set: &SortedSet<I>) -> Result<()> {
        let mut sums = (0u128, 0u128);
        for first in (0..set.blocks()).step_by(NOTED) {
            let blocks = first..set.blocks().min(first + NOTED);
            let share = 100 * blocks.end / set.blocks();
            self.observer.note(&format!("level {level}: checking classes, up to {share} %"));
            let work = |classes: &[I]| self.look_around_some(table, level, classes);
            let found = self.sum_blocks(set, blocks, work, || (0, 0), add_pairs)?;
            sums = add_pairs(sums, found);
        }
        let (neighbours, states) = sums;
        self.findings.classes += set.totals().count;
        self.findings.neighbours += neighbours;
        self.check_states(level, states)
    }

    /// Checks some classes; returns how many neighbours they have, and the states they stand for.
    fn look_around_some(&self, table: &NearTable, level: u32, classes: &[I]) -> Result<(u128, u128)> {
        let space = self.space;
        for &class in classes {
            if space.canonical(class) != Some(class) {
                return Err(self.not_canonical(level, class));
            }
            if level > 0 && table.remove(class, TOUCHED) & TOUCHED == 0 {
                return Err(self.wrong(level, format!("class {class} has no neighbour in the level before")));
            }
        }
        let last = level as usize + 1 == self.manifest.levels.len();
        let (same, is_complete) = (label(level), !last || self.manifest.finished);
        let mut neighbours = Vec::new();
        let mut found = 0;
        for batch in classes.chunks(BATCH) {
            neighbours.clear();
            space.expand(batch, &mut neighbours);
            found += neighbours.len() as u128;
            for (at, &to) in neighbours.iter().enumerate() {
                if let Some(later) = neighbours.get(at + AHEAD) {
                    prefetch(&table.words, (later.low() / ENTRIES) as usize);
                }
                let bits = if to < space.universe() { table.get(to) } else { 0 };
                if bits == 0 && is_complete {
                    return Err(self.stray(level, batch, to));
                }
                // Most are touched already: a look is cheaper than a locked write.
                if bits != 0 && bits & LABEL != same && bits & TOUCHED == 0 {
                    table.add(to, TOUCHED);
                }
            }
        }
        Ok((found, space.states(classes)))
    }

    /// The error for a neighbour of one of some classes that is in none of the levels next to it.
    fn stray(&self, level: u32, batch: &[I], to: I) -> Error {
        let is_from = |class: &&I| {
            let mut neighbours = Vec::new();
            self.space.expand(std::slice::from_ref(*class), &mut neighbours);
            neighbours.contains(&to)
        };
        let class = batch.iter().find(is_from).unwrap_or(&batch[0]);
        let what = format!("class {class} has the neighbour {to}, which is in none of the levels next to it");
        self.wrong(level, what)
    }

    /// Removes a level from the table; what no class of the level after it touched is a local maximum.
    fn leave(&mut self, table: &NearTable, level: u32) -> Result<()> {
        let set = self.open(level)?;
        let leave = |classes: &[I]| {
            let mut maxima = Vec::new();
            for &class in classes {
                if table.remove(class, LABEL | TOUCHED) & TOUCHED == 0 {
                    maxima.push(class);
                }
            }
            Ok(LocalMaxima { level, classes: maxima.len() as u128, states: self.space.states(&maxima) })
        };
        let none = || LocalMaxima { level, ..LocalMaxima::default() };
        let add = |a: LocalMaxima, b: LocalMaxima| LocalMaxima {
            level,
            classes: a.classes + b.classes,
            states: a.states + b.states,
        };
        let maxima = self.sum_blocks(&set, 0..set.blocks(), leave, none, add)?;
        self.findings.local_maxima.push(maxima);
        Ok(())
    }

    /// Compares the states that the classes of a level stand for with what the manifest says.
    pub(super) fn check_states(&self, level: u32, states: u128) -> Result<()> {
        let expected = self.manifest.levels[level as usize].states;
        if states != expected {
            let (states, expected) = (count(states), count(expected));
            let what = format!("its orbits add up to {states} states, not {expected}");
            return Err(self.wrong(level, what));
        }
        Ok(())
    }
}

fn add_pairs(a: (u128, u128), b: (u128, u128)) -> (u128, u128) {
    (a.0 + b.0, a.1 + b.1)
}

#[cfg(test)]
mod tests;

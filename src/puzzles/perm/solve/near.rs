//! The first levels around the solved states, in memory: exact distances of what is near.

use std::collections::HashMap;

use crate::error::Result;
use crate::puzzles::perm::frame::Cells;
use crate::puzzles::perm::numbered::Numbered;
use crate::solve::Workbench;
use crate::space::{AnySpace, Index, Space};

/// The most classes.
const MOST_CLASSES: usize = 1 << 16;
/// Bytes that a class takes, with what is free in a hash table.
const BYTES: u64 = 80;
/// Classes that are expanded together, unless each has many neighbours.
const MOST_CANDIDATES: usize = 1 << 16;

/// The classes of the first levels.
pub(super) struct NearStates<'p> {
    numbered: &'p Numbered,
    levels: HashMap<u128, u32>,
    /// The last level that is complete.
    last: u32,
    /// Whether there are no others.
    is_all: bool,
}

impl<'p> NearStates<'p> {
    /// As many levels as there is room for.
    pub fn new(numbered: &'p Numbered, bench: &Workbench<'_>) -> Result<NearStates<'p>> {
        let needed = MOST_CLASSES as u64 * BYTES;
        bench.take("the first levels", needed, needed)?;
        let mut near = NearStates { numbered, levels: HashMap::new(), last: 0, is_all: false };
        match numbered.space() {
            AnySpace::Narrow(space) => near.fill(space),
            AnySpace::Wide(space) => near.fill(space),
        }
        Ok(near)
    }

    fn fill<I: Index>(&mut self, space: &dyn Space<I>) {
        let mut level = space.roots();
        self.levels.extend(level.iter().map(|root| (root.wide(), 0)));
        let batch = (MOST_CANDIDATES / space.fanout().max(1)).max(1);
        while !level.is_empty() {
            let mut next = Vec::new();
            let mut candidates = Vec::new();
            for batch in level.chunks(batch) {
                candidates.clear();
                space.expand(batch, &mut candidates);
                for &index in &candidates {
                    if self.levels.contains_key(&index.wide()) {
                        continue;
                    }
                    if self.levels.len() >= MOST_CLASSES {
                        // What is known of this level would be taken for all of it.
                        let last = self.last;
                        self.levels.retain(|_, level| *level <= last);
                        return;
                    }
                    self.levels.insert(index.wide(), self.last + 1);
                    next.push(index);
                }
            }
            next.sort_unstable();
            self.last += u32::from(!next.is_empty());
            level = next;
        }
        self.is_all = true;
    }

    /// The last level that is known.
    pub fn last(&self) -> u32 {
        self.last
    }

    /// A number of moves that every solution needs at least: the distance, or more than all that is known.
    pub fn bound(&self, cells: &Cells) -> u32 {
        let number = self.numbered.lawful_number(cells);
        let known = number.and_then(|number| self.levels.get(&number)).copied();
        known.unwrap_or(self.last + 1)
    }

    /// Whether it is proven that the state has no solution.
    pub fn is_unreachable(&self, cells: &Cells) -> bool {
        match self.numbered.number_of(cells) {
            Some(number) => self.is_all && !self.levels.contains_key(&number),
            None => true,
        }
    }
}

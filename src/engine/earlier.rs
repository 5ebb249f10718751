//! The levels that a directed walk has behind it, as few sets.
//!
//! Every level of a directed space is compared with all levels before. Large ones stay files, of which one
//! block is in memory at a time. Small ones, of which there can be very many, are united in memory: a set is
//! merged with the one before as long as that is not much larger, so that sets are few and each class is
//! merged seldom.

use crate::error::Result;
use crate::space::Index;
use crate::store::level_set::SortedSet;
use crate::store::memory;

/// Levels from 0 on, without any between them missing.
pub(super) struct EarlierLevels<I> {
    /// How many levels.
    levels: u32,
    /// Their classes: files, and sets in memory.
    files: Vec<SortedSet<I>>,
    united: Vec<SortedSet<I>>,
    /// The classes that fit in memory.
    room: u128,
}

impl<I: Index> EarlierLevels<I> {
    /// No level; `bytes` of memory may be used.
    pub fn within(bytes: u64) -> Self {
        // Coded, and decoded for a moment while they are merged.
        let room = u128::from(bytes) / (3 * size_of::<I>() as u128);
        EarlierLevels { levels: 0, files: Vec::new(), united: Vec::new(), room }
    }

    /// Adds levels, up to `below`; asks `go_on` before each block that is read. What is here after it
    /// failed is of no use.
    pub fn extend(
        &mut self,
        below: u32,
        open: impl Fn(u32) -> Result<SortedSet<I>>,
        go_on: impl Fn() -> Result<()>,
    ) -> Result<()> {
        while self.levels < below {
            let set = open(self.levels)?;
            match self.room.checked_sub(set.totals().count) {
                Some(room) => {
                    self.room = room;
                    self.unite(&set, &go_on)?;
                }
                None => self.files.push(set),
            }
            self.levels += 1;
        }
        Ok(())
    }

    fn unite(&mut self, set: &SortedSet<I>, go_on: &dyn Fn() -> Result<()>) -> Result<()> {
        let mut count = set.totals().count;
        let mut merged = self.united.len();
        while let Some(last) = merged.checked_sub(1)
            && self.united[last].totals().count <= 2 * count
        {
            count += self.united[last].totals().count;
            merged = last;
        }
        let mut indices = memory::try_with_capacity(count as usize)?;
        let parts = self.united.split_off(merged);
        for part in parts.iter().chain([set]) {
            for block in 0..part.blocks() {
                go_on()?;
                part.block(block, &mut indices)?;
            }
        }
        // The stable sort finds the ascending stretches and merges them.
        indices.sort();
        self.united.push(SortedSet::in_memory(&indices));
        Ok(())
    }

    /// The sets, which have all classes of all levels together.
    pub fn sets(&self) -> impl Iterator<Item = &SortedSet<I>> {
        self.united.iter().rev().chain(self.files.iter().rev())
    }
}

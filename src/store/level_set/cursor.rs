//! Looking for many indices, in ascending order.

use super::source::BlockReader;
use super::{BLOCK, SortedSet};
use crate::error::Result;
use crate::space::Index;

/// Finds indices that are asked for in ascending order. Only blocks in whose range something was
/// asked for are read: one at a time, or several with one read where they follow each other.
pub struct Cursor<'a, I> {
    set: &'a SortedSet<I>,
    reader: BlockReader<'a>,
    /// The block in hand, and the position in it.
    block: Vec<I>,
    at: usize,
    /// Blocks from here on begin behind everything that was asked for,
    next: usize,
    /// the first of them with this index.
    border: Option<I>,
}

impl<I: Index> SortedSet<I> {
    /// Looks for many indices, in ascending order.
    pub fn cursor(&self) -> Cursor<'_, I> {
        let (reader, border) = (self.source.reader(), self.index.first());
        Cursor { set: self, reader, block: Vec::new(), at: 0, next: 0, border }
    }

    /// Removes from an ascending list what is in the set.
    pub fn subtract_from(&self, list: &mut Vec<I>) -> Result<()> {
        let mut cursor = self.cursor();
        let mut kept = 0;
        for i in 0..list.len() {
            if cursor.find(list[i])?.is_none() {
                list[kept] = list[i];
                kept += 1;
            }
        }
        list.truncate(kept);
        Ok(())
    }
}

impl<I: Index> Cursor<'_, I> {
    /// The position of `index` in the set, if it is there; not below what was asked for before.
    #[inline]
    pub fn find(&mut self, index: I) -> Result<Option<u64>> {
        if self.border.is_some_and(|border| border <= index) {
            self.go_to(index)?;
        }
        while self.block.get(self.at).is_some_and(|&known| known < index) {
            self.at += 1;
        }
        Ok(match self.block.get(self.at) {
            Some(&known) if known == index => Some((self.next - 1) as u64 * BLOCK as u64 + self.at as u64),
            _ => None,
        })
    }

    /// Reads the block in whose range `index` is.
    #[inline(never)]
    fn go_to(&mut self, index: I) -> Result<()> {
        let SortedSet { index: blocks, source, .. } = self.set;
        self.block.clear();
        self.at = 0;
        let next = blocks.partition_point(source, |first| first <= index)?;
        let place = blocks.place(next - 1, source)?;
        // A caller that wanted the block before probably wants more of them.
        let end = match next == self.next + 1 {
            true => source.length(),
            false => place.end,
        };
        self.set.read_block(&mut self.reader, &place, end, &mut self.block)?;
        (self.next, self.border) = (next, place.next);
        Ok(())
    }
}

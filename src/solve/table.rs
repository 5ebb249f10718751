//! Bytes that are looked up at random.

use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

use crate::error::{Error, Result};

/// A table in memory, on large pages where the system has them: with small ones, most look-ups would
/// first have to look up where their page is.
pub struct Table {
    map: MmapMut,
    length: usize,
}

impl Table {
    /// A table of zeros.
    pub fn zeroed(length: usize) -> Result<Self> {
        let map = MmapMut::map_anon(length.max(1));
        let map = map.map_err(|e| Error::Limit(format!("no memory for a table: {e}")))?;
        // Only advice: without large pages everything works, more slowly.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Table { map, length })
    }

    /// A table with this content.
    pub fn of(content: &[u8]) -> Result<Self> {
        let mut table = Table::zeroed(content.len())?;
        table.copy_from_slice(content);
        Ok(table)
    }
}

impl Deref for Table {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.map[..self.length]
    }
}

impl DerefMut for Table {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.map[..self.length]
    }
}

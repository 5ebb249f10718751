//! Opening a set: whether a file is complete, and what it was opened as.

use std::path::Path;
use std::sync::Arc;

use xxhash_rust::xxh3::Xxh3;

use super::index::{BlockIndex, per_page};
use super::source::SetFile;
use super::{BLOCK, END, ENTRY, SetHeader, SetTotals, SortedSet, TRAILER};
use crate::error::Result;
use crate::space::Index;
use crate::store::files::{self, Files, System};

impl<I: Index> SortedSet<I> {
    /// Opens a file and checks that it is what `about` says.
    pub fn open(path: &Path, about: &SetHeader) -> Result<Self> {
        SortedSet::open_with(&files::system(), path, about, || Ok(()))
    }

    /// The same, with something else than the system to read files; asks `go_on` before each page of the
    /// block index.
    pub fn open_with(
        files: &Arc<dyn Files>,
        path: &Path,
        about: &SetHeader,
        go_on: impl Fn() -> Result<()>,
    ) -> Result<Self> {
        let damaged = |what: &str| super::damaged(path, what, about.level);
        let cut = || damaged("the file is truncated");
        let Ends { file, start, length, trailer, bytes } = Ends::read(&**files, path, about, I::BITS)?;

        // A page at a time: the checksum covers all of them and the trailer. Order counts only if it
        // is right.
        let mut checksum = Xxh3::new();
        let per_page = per_page(trailer.blocks);
        let mut index = BlockIndex::new(per_page, trailer.blocks.div_ceil(per_page as u64) as usize);
        let (mut last, mut in_order) = (None, true);
        let (mut at, mut bytes_left) = (start + length, trailer.blocks * ENTRY as u64);
        let mut page = Vec::new();
        while bytes_left > 0 {
            go_on()?;
            page.resize(bytes_left.min((per_page * ENTRY) as u64) as usize, 0);
            file.read(&mut page, at, cut)?;
            checksum.update(&page);
            in_order = in_order && index.add(&page, &mut last).is_some();
            (at, bytes_left) = (at + page.len() as u64, bytes_left - page.len() as u64);
        }
        checksum.update(&bytes[..TRAILER - 16]);
        if checksum.digest() != trailer.checksum {
            return Err(damaged("the block index does not match its checksum"));
        }
        if !in_order {
            return Err(damaged("the block index is not in order"));
        }
        Ok(SortedSet {
            universe: about.universe,
            index,
            file_length: file.length,
            source: file.into_source(files, about, start, length),
            totals: trailer.totals,
        })
    }
}

/// What a file's beginning and end say that the set amounts to, if both fit each other and `about`. What
/// stands between them is not read.
pub fn claimed_totals(path: &Path, about: &SetHeader) -> Result<SetTotals> {
    let ends = |width| Ends::read(&System, path, about, width);
    ends(u64::BITS).or_else(|_| ends(u128::BITS)).map(|ends| ends.trailer.totals)
}

/// The beginning and the end of a file.
struct Ends<'p> {
    file: SetFile<'p>,
    /// Where the blocks start and how long they are together.
    start: u64,
    length: u64,
    trailer: Trailer,
    bytes: [u8; TRAILER],
}

impl<'p> Ends<'p> {
    fn read(files: &dyn Files, path: &'p Path, about: &SetHeader, width: u32) -> Result<Self> {
        let damaged = |what: &str| super::damaged(path, what, about.level);
        let cut = || damaged("the file is truncated");
        let file = SetFile::open(files, path, || damaged("the file is missing"))?;
        let start = file.beginning(about.length() as usize, cut)?;
        let start = about.check(&start, width).map_err(|what| damaged(&what))?;
        let trailer_start = file.length.checked_sub(TRAILER as u64).filter(|&at| at >= start);
        let trailer_start = trailer_start.ok_or_else(cut)?;
        let mut bytes = [0; TRAILER];
        file.read(&mut bytes, trailer_start, cut)?;
        let trailer =
            Trailer::parse(&bytes).ok_or_else(|| damaged("the end of the file is missing or damaged"))?;
        let length = trailer
            .blocks
            .checked_mul(ENTRY as u64)
            .and_then(|index| (trailer_start - start).checked_sub(index))
            .filter(|_| u128::from(trailer.blocks) == trailer.totals.count.div_ceil(BLOCK as u128))
            .ok_or_else(|| damaged("the block index does not fit the file"))?;
        Ok(Ends { file, start, length, trailer, bytes })
    }
}

/// The end of a file.
struct Trailer {
    blocks: u64,
    totals: SetTotals,
    checksum: u64,
}

impl Trailer {
    fn parse(bytes: &[u8; TRAILER]) -> Option<Trailer> {
        let number = |at: usize, length: usize| {
            let mut field = [0; 16];
            field[..length].copy_from_slice(&bytes[at..at + length]);
            u128::from_le_bytes(field)
        };
        (&bytes[TRAILER - END.len()..] == END).then(|| Trailer {
            blocks: number(0, 8) as u64,
            totals: SetTotals {
                count: number(8, 16),
                states: number(24, 16),
                blocks_digest: number(40, 8) as u64,
            },
            checksum: number(48, 8) as u64,
        })
    }
}

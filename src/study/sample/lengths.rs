//! The lengths of a sample for a picture: read at a glance, while it grows or when it is done.
//!
//! Rows are not replayed here, as [`check`](super::check) does; but those in a sample's own directory are
//! checked against their checksum.

use std::collections::BTreeMap;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::journal::each_row;
use super::{HEADING, ROWS, SampleHeader, refuse_orphans};
use crate::error::{Error, IoAction, Repair, Result};
use crate::store::disk::{self, exists};
use crate::text::bytes;

/// No larger file is read.
const LARGEST: u64 = 1 << 28;

/// How often each length came out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    /// How many solutions have each length.
    pub times: BTreeMap<u32, u64>,
    /// How many instances have no solution.
    pub unsolved: u64,
}

impl Lengths {
    /// Reads the table of a sample; a failure says which line does not fit.
    pub fn parse(text: &[u8]) -> std::result::Result<Lengths, String> {
        let mut lengths = Lengths::default();
        each_row(text, |number, row| {
            if row.len() != HEADING.len() || row[0] != *number.to_string() {
                return Err("it is not the next row".into());
            }
            match &row[2] {
                "" => lengths.unsolved += 1,
                length => {
                    let length = length.parse().map_err(|_| "`length` is not a number")?;
                    *lengths.times.entry(length).or_insert(0) += 1;
                }
            }
            Ok(())
        })?;
        Ok(lengths)
    }
}

/// The content of a table for a picture, if it is not far too large for one.
pub(crate) fn read_whole(path: &Path) -> Result<Vec<u8>> {
    let content = disk::read(path, LARGEST).map_err(|e| Error::io(IoAction::Read, path, e))?;
    content.ok_or_else(|| {
        Error::limit(format!(
            "{} is larger than the {} that are read for a picture",
            path.display(),
            bytes(LARGEST)
        ))
    })
}

/// A sample as it is now.
#[derive(Clone, Debug)]
pub struct Glance {
    /// The text of the puzzle whose instances are solved.
    pub puzzle: String,
    /// The solver, with its strength.
    pub solver: String,
    /// What chooses the instances.
    pub seed: u64,
    /// The lengths so far.
    pub lengths: Lengths,
}

/// Reads the sample in `dir`, also while it is worked on; `None` if it does not exist.
pub fn glance(dir: &Path) -> Result<Option<Glance>> {
    refuse_orphans(dir)?;
    let Some(about) = SampleHeader::read(dir)? else {
        return Ok(None);
    };
    let rows = dir.join(ROWS);
    let damaged = |what: String| Error::damaged(&rows, what, Repair::Restore);
    let found = if exists(&rows)? { read_whole(&rows)? } else { Vec::new() };
    let text = match &about.journal {
        // A process that works on the sample may have added rows since; they are ignored.
        Some(seal) => {
            let safe = found.get(..seal.bytes as usize);
            let safe = safe.filter(|safe| xxh3_64(safe) == seal.checksum);
            let safe =
                safe.ok_or_else(|| damaged("its rows do not match the checksum in sample.json".into()))?;
            [safe, seal.tail.as_bytes()].concat()
        }
        None => {
            let end = found.iter().rposition(|&byte| byte == b'\n');
            found[..end.map_or(0, |at| at + 1)].to_vec()
        }
    };
    Ok(Some(Glance {
        puzzle: about.puzzle,
        solver: about.solver,
        seed: about.seed,
        lengths: Lengths::parse(&text).map_err(damaged)?,
    }))
}

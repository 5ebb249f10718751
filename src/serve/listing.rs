//! Names in a directory, in order, as many as are shown, and how many others there are.

use std::collections::BTreeSet;
use std::fs::DirEntry;
use std::path::Path;

use crate::error::{Error, IoAction, Result};

/// Names that are looked at.
const LOOKED_AT: usize = 4096;
/// Those of them behind which something is found that are listed.
pub const LISTED: usize = 1000;

/// The first names in a directory.
#[derive(Default)]
pub struct Names {
    /// In order.
    pub first: Vec<String>,
    others: usize,
}

impl Names {
    /// The names of entries that are `likely` something, which must be quick to say; none if there is
    /// no directory. However many there are, few are kept.
    pub fn of(dir: &Path, likely: impl Fn(&DirEntry) -> bool) -> Result<Names> {
        let entries = match std::fs::read_dir(dir) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Names::default()),
            other => other.map_err(|e| Error::io(IoAction::List, dir, e))?,
        };
        let entries = entries.flatten().filter(likely);
        let (mut first, mut others) = (BTreeSet::new(), 0);
        for name in entries.filter_map(|entry| entry.file_name().into_string().ok()) {
            first.insert(name);
            if first.len() > LOOKED_AT {
                first.pop_last();
                others += 1;
            }
        }
        Ok(Names { first: first.into_iter().collect(), others })
    }

    /// What is found behind the names, as much as is listed, and how many names were not looked
    /// at because that was enough.
    pub fn list<T>(&self, find: impl FnMut(&String) -> Option<T>) -> (Vec<T>, usize) {
        let mut unseen = self.first.len() + self.others;
        let names = self.first.iter().inspect(|_| unseen -= 1);
        let found = names.filter_map(find).take(LISTED).collect();
        (found, unseen)
    }
}

#[cfg(test)]
mod tests;

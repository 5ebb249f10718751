//! Names in a directory, in order, as many as are shown, and how many others there are.

use std::collections::BTreeSet;
use std::fs::DirEntry;
use std::path::Path;

use crate::error::{Error, Result};

/// Names that are looked at.
const LOOKED_AT: usize = 4096;
/// Those of them behind which something is found that are listed.
pub const LISTED: usize = 1000;

/// The first names in a directory.
#[derive(Default)]
pub struct Names {
    /// In order.
    pub first: Vec<String>,
    /// How many others there are.
    others: usize,
}

impl Names {
    /// The names of entries that are `likely` something, which must be quick to say; none if there is
    /// no directory. However many there are, few are kept.
    pub fn of(dir: &Path, likely: impl Fn(&DirEntry) -> bool) -> Result<Names> {
        let entries = match std::fs::read_dir(dir) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Names::default()),
            other => other.map_err(|e| Error::io("look into", dir, e))?,
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
        Ok(Names {
            first: first.into_iter().collect(),
            others,
        })
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
mod tests {
    use super::*;

    #[test]
    fn the_first_names_are_listed_and_the_others_counted() {
        let dir = tempfile::tempdir().unwrap();
        for number in (0..5000).rev() {
            let ending = ["a", "b"][number % 2];
            std::fs::write(dir.path().join(format!("{number:05}.{ending}")), "").unwrap();
        }
        let all = Names::of(dir.path(), |_| true).unwrap();
        assert_eq!((all.first.len(), all.others), (LOOKED_AT, 5000 - LOOKED_AT));
        assert_eq!(all.first[1], "00001.b");
        let (found, unseen) = all.list(|name| name.strip_suffix(".a").map(str::to_owned));
        assert_eq!((found.len(), unseen), (LISTED, 5000 - (2 * LISTED - 1)));
        assert_eq!(found[LISTED - 1], "01998");
        let (found, unseen) = all.list(|name| name.strip_prefix('x').map(str::to_owned));
        assert_eq!((found.len(), unseen), (0, 5000 - LOOKED_AT));
        let few = Names::of(dir.path(), |entry| entry.file_name() < *"00005");
        let (found, unseen) = few.unwrap().list(|name| Some(name.clone()));
        assert_eq!((found.len(), unseen), (5, 0));
        let none = Names::of(&dir.path().join("none"), |_| true).unwrap();
        assert_eq!(none.list(|_| Some(())), (vec![], 0));
    }
}

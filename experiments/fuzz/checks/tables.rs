//! Tables of solvers in the cache, and tables of levels that `bounds` reads. The first byte says which.

use godnum::puzzles::registry;
use godnum::solve::Workbench;
use godnum::solve::cache::TableName;
use godnum::study::bounds::{EvidenceLibrary, bounds};
use xxhash_rust::xxh3::xxh3_64;

/// The length of the solver's table.
const LENGTH: usize = 16;

/// Reads a table.
pub fn check(data: &[u8]) {
    match data.split_first() {
        Some((b'l', table)) => levels(table),
        Some((b's', file)) => solver(file),
        Some((b'S', start)) => {
            let mut file = start.to_vec();
            file.extend_from_slice(&xxh3_64(start).to_le_bytes());
            solver(&file);
        }
        _ => {}
    }
}

/// A table of levels beside the puzzle that it is of.
fn levels(table: &[u8]) {
    let path = super::file("results/wrapslide-4x4-2.csv", table);
    let library = EvidenceLibrary::open(&[path.parent().unwrap().to_owned()]).unwrap();
    let puzzle = registry::parse("wrapslide:4x4:2").unwrap();
    if let Ok(bounds) = bounds(&*puzzle, &library) {
        let most = bounds.most.map(|most| most.bound);
        assert!(most.is_none_or(|most| bounds.least.bound <= most));
    }
}

/// A file in the cache is taken only if it is the table, and otherwise built again.
fn solver(file: &[u8]) {
    let cache = super::directory().join("cache");
    super::file("cache/squares.table", file);
    let name = TableName { name: "squares", version: 3, length: LENGTH, to_build: 64 };
    let bench = Workbench::new(cache, 1 << 20, 1, super::patient());
    let mut built = false;
    let build = || {
        built = true;
        Ok(vec![7; LENGTH])
    };
    let table = bench.table(&name, build).unwrap();
    assert_eq!(table.len(), LENGTH);
    match built {
        true => assert_eq!(table[..], [7; LENGTH]),
        false => assert_eq!(table[..], file[file.len() - 8 - LENGTH..file.len() - 8]),
    }
}

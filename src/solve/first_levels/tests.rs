//! Tests of the module above.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::engine::{Control, Silent};
use crate::puzzles::registry;

#[test]
fn they_are_the_levels_of_the_job() {
    let dir = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, observer: &Silent };
    let puzzle = registry::parse("wrapslide:4x4:3").unwrap();
    // Shorter, longer, and longer than there are levels: the job continues.
    for last in [2, 5, 15] {
        let bench = Workbench::new(dir.path().to_owned(), 64 << 20, 1, control);
        let first = FirstLevels::prepare(&*puzzle, last, &bench).unwrap();
        let mut found = [0; 11];
        let universe = puzzle.space().unwrap().universe() as u64;
        for index in 0..universe {
            if let Some(level) = first.get(index) {
                found[level as usize] += 1;
            }
        }
        let published = [1, 3, 7, 28, 107, 445, 1684, 5160, 6260, 825, 3];
        let known = &published[..published.len().min(last as usize + 1)];
        assert_eq!(&found[..known.len()], known);
        assert!(found[known.len()..].iter().all(|&classes| classes == 0));
    }
}

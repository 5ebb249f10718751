use std::sync::atomic::AtomicBool;

use super::*;
use crate::engine::{Control, Silent};
use crate::puzzles::registry;

#[test]
fn exchanges_of_symmetric_cells_take_as_many_moves() {
    let (dir, stop) = (tempfile::tempdir().unwrap(), AtomicBool::new(false));
    let control = Control { stop: &stop, observer: &Silent };
    let bench = Workbench::new(dir.path().to_owned(), 64 << 20, 1, control);
    let puzzle = registry::parse("wrapslide:4x4:2").unwrap();
    let rows = swaps(&*puzzle, None, &bench).unwrap();
    // Four cells of one colour, twelve of the other.
    assert_eq!(rows.len(), 48);
    let mut by_class = BTreeMap::new();
    for row in &rows {
        assert!(row.optimal && row.moves > 0);
        assert_eq!(*by_class.entry(row.index).or_insert(row.moves), row.moves);
        let state = puzzle.parse_state(&row.state).unwrap();
        let differing = state.0.iter().zip(puzzle.root().unwrap().0).filter(|(a, b)| **a != *b).count();
        assert_eq!(differing, 2);
    }
    let counts: usize = summary(&rows).rows.iter().map(|row| row[1].parse::<usize>().unwrap()).sum();
    assert_eq!((counts, table(&rows).rows.len()), (48, 48));
    let tiles = registry::parse("tiles:3x3").unwrap();
    assert!(swaps(&*tiles, None, &bench).is_err());
}

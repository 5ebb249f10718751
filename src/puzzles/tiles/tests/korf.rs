//! The hundred instances of the fifteen puzzle that R. E. Korf published with IDA* ("Depth-first
//! iterative-deepening: an optimal admissible tree search", Artificial Intelligence 27, 1985). In his
//! goal the blank comes first; here the boards are turned by 180 degrees and the tiles renamed, so that
//! it comes last. The lengths are those that `optimal` found; their mean is the published one, 53.05.

use std::sync::atomic::AtomicBool;

use crate::engine::{Control, Silent};
use crate::puzzles::registry;
use crate::solve::{Effort, Workbench, solve};

const INSTANCES: &str = include_str!("korf.csv");

fn instances() -> Vec<(&'static str, u32)> {
    let rows = INSTANCES.lines().skip(1).map(|line| {
        let mut fields = line.split(',').skip(1);
        (fields.next().unwrap(), fields.next().unwrap().parse().unwrap())
    });
    rows.collect()
}

/// Solves some instances, with tables that fit in this memory.
fn check(memory: u64, instances: &[(&str, u32)]) {
    let dir = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, observer: &Silent };
    let bench = Workbench::new(dir.path().to_owned(), memory, 2, control);
    let puzzle = registry::parse("tiles:4x4").unwrap();
    let solvers = puzzle.solvers();
    assert_eq!(solvers[0].name(), "optimal");
    let optimal = solvers[0].prepare(&bench, None).unwrap();
    let effort = Effort::unbounded(0, &stop);
    for &(board, length) in instances {
        let state = puzzle.parse_state(board).unwrap();
        let solved = solve(&*puzzle, &*optimal, &state, &effort).unwrap();
        assert_eq!((solved.length(), solved.is_optimal()), (Some(length), true));
    }
}

#[test]
fn the_lengths_have_the_published_mean() {
    let instances = instances();
    assert_eq!(instances.len(), 100);
    assert_eq!(instances.iter().map(|(_, length)| length).sum::<u32>(), 5305);
    assert_eq!(instances.iter().map(|&(_, length)| length).min(), Some(41));
    assert_eq!(instances.iter().map(|&(_, length)| length).max(), Some(66));
}

/// Those with the shortest solutions, with small tables.
#[test]
fn easy_ones_are_solved() {
    let mut instances = instances();
    instances.sort_by_key(|&(_, length)| length);
    check(1 << 24, &instances[..6]);
}

/// A matter of seconds with an idle machine: `cargo test --release korf -- --ignored`.
#[test]
#[ignore = "builds the tables of the fifteen puzzle and solves a hundred boards"]
fn all_are_solved() {
    check(1 << 30, &instances());
}

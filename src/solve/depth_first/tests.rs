//! Tests of the module above.

use std::sync::atomic::{AtomicBool, AtomicU64};

use super::*;
use crate::solve::astar;
use crate::solve::tests::Maze;

#[test]
fn ways_through_mazes_are_found_and_every_place_is_visited_once() {
    let stop = AtomicBool::new(false);
    let (mut found, mut closed) = (0, 0);
    for seed in 0..60 {
        let maze = Maze::new(seed, 0);
        let visited = AtomicU64::new(0);
        let effort = Effort { visited: Some(&visited), ..Effort::unbounded(1 << 24, &stop) };
        let attempt = search(&maze, (0, 0), &effort);
        assert!(!attempt.cut_short && visited.into_inner() <= 144);
        assert_eq!(attempt.moves.is_some(), maze.distance().is_some(), "maze {seed}");
        let blind = astar::breadth_first(&maze, (0, 0), &Effort::unbounded(1 << 24, &stop));
        assert_eq!(blind.moves.as_ref().map(|moves| moves.len() as u32), maze.distance());
        match attempt.moves {
            Some(moves) => {
                found += 1;
                maze.check(&moves);
            }
            None => closed += 1,
        }
    }
    assert!(found > 5 && closed > 5, "{found} {closed}");
}

#[test]
fn without_memory_or_time_it_is_cut_short() {
    let open = (0..).map(|seed| Maze::new(seed, 0));
    let mut open = open.filter(|maze| maze.distance().is_some_and(|far| far > 3));
    let maze = open.next().unwrap();
    let stopped = AtomicBool::new(true);
    assert!(search(&maze, (0, 0), &Effort::unbounded(u64::MAX, &stopped)).cut_short);
    assert!(search(&maze, (0, 0), &Effort::unbounded(0, &AtomicBool::new(false))).cut_short);
}

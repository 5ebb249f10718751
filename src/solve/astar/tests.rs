//! Tests of the module above.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::solve::Search;
use crate::solve::tests::Maze;

#[test]
fn ways_through_mazes_are_shortest_ones() {
    let stop = AtomicBool::new(false);
    let effort = Effort::unbounded(1 << 24, &stop);
    let (mut found, mut closed) = (0, 0);
    for seed in 0..60 {
        for sight in [0, 1, 3, u32::MAX] {
            let maze = Maze::new(seed, sight);
            let attempt = search(&maze, (0, 0), &effort);
            assert!(!attempt.cut_short);
            let length = attempt.moves.as_ref().map(|moves| moves.len() as u32);
            assert_eq!(length, maze.distance(), "maze {seed}");
            let Some(moves) = attempt.moves else {
                closed += 1;
                continue;
            };
            found += 1;
            assert_eq!(attempt.bound, moves.len() as u32);
            maze.check(&moves);
        }
    }
    assert!(found > 20 && closed > 20, "{found} {closed}");
}

#[test]
fn without_memory_or_time_the_bound_is_what_was_proven() {
    let open = (0..).map(|seed| Maze::new(seed, u32::MAX));
    let mut open = open.filter(|maze| maze.distance().is_some_and(|far| far > 12));
    let maze = open.next().unwrap();
    let stop = AtomicBool::new(true);
    for effort in [Effort::unbounded(u64::MAX, &stop), Effort::unbounded(0, &AtomicBool::new(false))] {
        let attempt = search(&maze, (0, 0), &effort);
        assert!(attempt.cut_short && attempt.moves.is_none());
        assert_eq!(attempt.bound, maze.bound(&(0, 0)));
    }
}

//! Tests of the module above.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::solve::tests::Maze;

#[test]
fn ways_from_both_ends_are_shortest_ones() {
    let stop = AtomicBool::new(false);
    let (mut open, mut closed) = (0, 0);
    for seed in 0..100 {
        let maze = Maze::new(seed, 0);
        // A goal inside a wall cannot be left either.
        let far = maze.distance();
        let effort = Effort::unbounded(1 << 24, &stop);
        let attempt = search(&maze, (0, 0), [maze.goal], &effort);
        let length = attempt.moves.as_ref().map(|moves| moves.len() as u32);
        if far.is_none() {
            assert!(!attempt.cut_short);
            closed += 1;
            continue;
        }
        assert_eq!(length, far, "maze {seed}");
        maze.check(&attempt.moves.unwrap());
        // Without memory, or with a stop, the bound is what was proven.
        let stopped = AtomicBool::new(true);
        for effort in [Effort::unbounded(0, &stop), Effort::unbounded(1 << 24, &stopped)] {
            let attempt = search(&maze, (0, 0), [maze.goal], &effort);
            assert!(Some(attempt.bound) <= far && attempt.cut_short == (far > Some(0)));
        }
        open += 1;
    }
    assert!(open > 20 && closed > 20, "{open} {closed}");
}

//! Tests of the module above.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::solve::tests::Maze;

fn found(maze: &Maze, width: usize, memory: u64) -> Result<Attempt> {
    let limits = BeamLimits { width, levels: 200, fanout: 4 };
    let stop = AtomicBool::new(false);
    search(maze, (0, 0), limits, &Effort::unbounded(memory, &stop))
}

/// A beam that keeps everything is a breadth-first search; a narrow one finds ways that are legal,
/// and no shorter.
#[test]
fn wide_beams_find_shortest_ways() {
    let (mut ways, mut lost) = (0, 0);
    for seed in 0..100 {
        let maze = Maze::new(seed, u32::MAX);
        let wide = found(&maze, 1000, 1 << 24).unwrap();
        let length = wide.moves.as_ref().map(|moves| moves.len() as u32);
        assert_eq!(length, maze.distance());
        for width in [1, 3] {
            match found(&maze, width, 1 << 24).unwrap().moves {
                Some(moves) => {
                    maze.check(&moves);
                    assert!(Some(moves.len() as u32) >= length);
                    ways += 1;
                }
                None => lost += 1,
            }
        }
    }
    assert!(ways > 20 && lost > 0, "{ways} {lost}");
}

#[test]
fn memory_is_a_budget() {
    let refused = found(&Maze::new(1, 9), 1000, 1 << 12);
    assert!(matches!(refused, Err(Error::Limit(_))));
}

#[test]
fn children_are_taken_by_rank_and_then_by_number() {
    assert_eq!(by_rank(&[7, 3, 7, 0, 3, 2000]), [3, 1, 4, 0, 2, 5]);
}

//! Tests of the module above.

use super::*;
use crate::solve::tests::Maze;

/// Mazes that are not too hard for a search that remembers nothing, with their distances.
fn mazes() -> impl Iterator<Item = (Maze, u32)> {
    let mazes = (0..300).map(|seed| Maze::new(seed, u32::MAX));
    mazes.filter_map(|maze| {
        let far = maze.distance()?;
        (far <= 16 && far <= maze.bound(&(0, 0)) + 4).then_some((maze, far))
    })
}

#[test]
fn ways_are_shortest_ones_whatever_the_threads() {
    let stop = AtomicBool::new(false);
    let effort = Effort::unbounded(0, &stop);
    let mut tried = 0;
    for (maze, far) in mazes() {
        let alone = search(&maze, (0, 0), &effort);
        let moves = alone.moves.as_ref().unwrap();
        assert_eq!((moves.len() as u32, alone.bound), (far, far));
        maze.check(moves);
        for threads in [2, 5] {
            let effort = Effort { threads, ..effort };
            assert_eq!(search(&maze, (0, 0), &effort), alone);
        }
        // What is known is the answer if it is as short, and not if it is longer.
        for (longer, answer) in [(0, None), (2, Some(moves))] {
            let known = vec![Move(9); moves.len() + longer];
            let found = improve(&maze, (0, 0), Some(known.clone()), &effort);
            assert_eq!(found.moves.as_ref(), answer.or(Some(&known)));
            assert_eq!((found.bound, found.cut_short), (far, false));
        }
        tried += 1;
    }
    assert!(tried > 50, "{tried}");
}

#[test]
fn what_is_known_is_kept_when_time_ends() {
    // Without a way the search would continue up to what is known, and that takes for ever.
    let mut mazes = (0..).map(|seed| Maze::new(seed, u32::MAX));
    let maze = mazes.find(|maze| maze.distance().is_none()).unwrap();
    let stop = AtomicBool::new(true);
    let known = vec![Move(0); 40];
    let found = improve(&maze, (0, 0), Some(known), &Effort::unbounded(0, &stop));
    assert!(found.cut_short && found.bound < 40);
    assert_eq!(found.moves.map(|moves| moves.len()), Some(40));
}

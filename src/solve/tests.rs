//! Mazes, on which the tests of all searches are run.

use std::collections::HashMap;

use super::beam::Ranked;
use super::{Keyed, Search};
use crate::puzzle::Move;

/// Points of a square with walls; the bound is the distance without them, but never more than
/// can be seen.
pub struct Maze {
    size: i32,
    walls: Vec<bool>,
    pub goal: (i32, i32),
    sight: u32,
}

const WAYS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

impl Maze {
    /// The maze of a seed, in which one sees so far.
    pub fn new(seed: u64, sight: u32) -> Self {
        let (size, mut random) = (12, crate::random::Random::new(seed));
        let mut walls: Vec<bool> = (0..size * size).map(|_| random.place(10) < 3).collect();
        walls[0] = false;
        let goal = (random.place(12) as i32, random.place(12) as i32);
        Maze { size, walls, goal, sight }
    }

    fn is_free(&self, (x, y): (i32, i32)) -> bool {
        let inside = 0..self.size;
        let free = |place: usize| self.walls.get(place) == Some(&false);
        inside.contains(&x) && inside.contains(&y) && free((y * self.size + x) as usize)
    }

    /// How far the goal is, by going round and round until nothing changes.
    pub fn distance(&self) -> Option<u32> {
        let mut known = HashMap::from([((0, 0), 0u32)]);
        loop {
            let before = known.clone();
            for (&(x, y), &far) in &before {
                for (dx, dy) in WAYS {
                    let next = (x + dx, y + dy);
                    if self.is_free(next) {
                        let entry = known.entry(next).or_insert(u32::MAX);
                        *entry = far.saturating_add(1).min(*entry);
                    }
                }
            }
            if known == before {
                return known.get(&self.goal).copied();
            }
        }
    }
}

impl Maze {
    /// Holds moves to the rules, and their end to the goal.
    pub fn check(&self, moves: &[Move]) {
        let mut at = (0, 0);
        for mv in moves {
            let (dx, dy) = WAYS[mv.0 as usize];
            at = (at.0 + dx, at.1 + dy);
            assert!(self.is_free(at));
        }
        assert_eq!(at, self.goal);
    }
}

impl Search for Maze {
    type Node = (i32, i32);

    fn expand(&self, node: &(i32, i32), _: Option<Move>, mut visit: impl FnMut(Move, (i32, i32))) {
        for (number, (dx, dy)) in (0..).zip(WAYS) {
            let after = (node.0 + dx, node.1 + dy);
            if self.is_free(after) {
                visit(Move(number), after);
            }
        }
    }

    fn bound(&self, node: &(i32, i32)) -> u32 {
        let far = node.0.abs_diff(self.goal.0) + node.1.abs_diff(self.goal.1);
        far.min(self.sight)
    }

    fn is_solved(&self, node: &(i32, i32)) -> bool {
        *node == self.goal
    }
}

impl Keyed for Maze {
    type Key = (i32, i32);
    fn key(&self, node: &(i32, i32)) -> (i32, i32) {
        *node
    }
}

impl Ranked for Maze {
    fn rank(&self, nodes: &[(i32, i32)], ranks: &mut Vec<u16>) {
        ranks.extend(nodes.iter().map(|node| self.bound(node) as u16));
    }

    fn after(&self, node: &(i32, i32), mv: Move) -> (i32, i32) {
        let (dx, dy) = WAYS[mv.0 as usize];
        (node.0 + dx, node.1 + dy)
    }

    fn fingerprint(&self, node: &(i32, i32)) -> u64 {
        (node.0 * self.size + node.1) as u64
    }

    /// The goal and its neighbours.
    fn known(&self, node: &(i32, i32), _: u16) -> Option<u32> {
        let far = node.0.abs_diff(self.goal.0) + node.1.abs_diff(self.goal.1);
        (far <= 1).then_some(far)
    }
}

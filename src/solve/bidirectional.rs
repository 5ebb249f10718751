//! From both ends at once: breadth first from a position and from the goals, always on the side that
//! has fewer positions to expand, until the two meet.
//!
//! Moves must be reversible, and [`expand`](super::Search::expand) without a last move must visit
//! all of them: the way is put together by looking, step by step, for a neighbour that was seen one
//! level earlier. Where two positions share a key, they must be equally far from everything.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rustc_hash::FxBuildHasher;

use super::{Attempt, Effort, Keyed, Search};
use crate::puzzle::Move;

/// The clock is looked at once in this many positions.
const LOOK_EVERY: usize = 1 << 12;

/// Searches for a shortest way from `start` to the nearest of `goals`.
///
/// Without a way, `moves` is `None` and nothing was cut short. If time or memory end first, what is
/// returned was cut short and has the bound that was proven.
pub fn search<S: Keyed>(
    search: &S,
    start: S::Node,
    goals: impl IntoIterator<Item = S::Node>,
    effort: &Effort<'_>,
) -> Attempt {
    search_up_to(search, start, goals, u32::MAX, effort)
}

/// The same for a way of at most so many moves: if there is none, `moves` is `None`, and the bound is
/// larger than that.
pub fn search_up_to<S: Keyed>(
    search: &S,
    start: S::Node,
    goals: impl IntoIterator<Item = S::Node>,
    most: u32,
    effort: &Effort<'_>,
) -> Attempt {
    let mut near = Side::new(search, [start]);
    let mut far = Side::new(search, goals);
    let mut bound = 0;
    let cut_short = loop {
        let key = search.key(&start);
        if bound == 0 && far.seen.contains_key(&key) {
            return Attempt {
                moves: Some(Vec::new()),
                ..Attempt::default()
            };
        }
        bound = near.depth + far.depth + 1;
        if bound > most || near.frontier.is_empty() || far.frontier.is_empty() {
            break false;
        }
        let (grown, other) = match near.frontier.len() <= far.frontier.len() {
            true => (&mut near, &far),
            false => (&mut far, &near),
        };
        let room = effort.memory.saturating_sub(other.memory());
        match grown.grow(search, other, room, effort) {
            Growth::Met(node) => {
                let mut moves = near.way_back(search, node);
                moves.reverse();
                // Seen from the start, the way back from the meeting point is walked forwards.
                let moves = moves.into_iter().map(|(_, there)| there);
                let rest = far.way_back(search, node).into_iter().map(|(here, _)| here);
                return Attempt {
                    moves: moves.chain(rest).collect::<Option<Vec<_>>>(),
                    bound,
                    cut_short: false,
                };
            }
            Growth::Done => {}
            Growth::Spent => break true,
        }
    };
    Attempt {
        moves: None,
        bound,
        cut_short,
    }
}

/// One end of the search.
struct Side<S: Search + Keyed> {
    /// In which level each position was seen first.
    seen: HashMap<S::Key, u32, FxBuildHasher>,
    /// The positions of the last level.
    frontier: Vec<S::Node>,
    depth: u32,
}

enum Growth<N> {
    /// The other side has seen this one.
    Met(N),
    Done,
    /// Time or memory ended.
    Spent,
}

impl<S: Keyed> Side<S> {
    fn new(search: &S, nodes: impl IntoIterator<Item = S::Node>) -> Self {
        let mut side = Side {
            seen: HashMap::default(),
            frontier: Vec::new(),
            depth: 0,
        };
        for node in nodes {
            if side.seen.insert(search.key(&node), 0).is_none() {
                side.frontier.push(node);
            }
        }
        side
    }

    /// Bytes that it takes.
    fn memory(&self) -> u64 {
        let entry = size_of::<(S::Key, u32)>() + 1;
        (self.seen.capacity() * entry * 8 / 7 + self.frontier.capacity() * size_of::<S::Node>())
            as u64
    }

    /// Expands the last level.
    fn grow(
        &mut self,
        search: &S,
        other: &Side<S>,
        room: u64,
        effort: &Effort<'_>,
    ) -> Growth<S::Node> {
        let level = self.depth + 1;
        let frontier = std::mem::take(&mut self.frontier);
        let mut met = None;
        for (number, node) in frontier.iter().enumerate() {
            // A table that is full doubles, with the old one still there.
            if number % LOOK_EVERY == 0 && (effort.is_spent() || 3 * self.memory() > room) {
                return Growth::Spent;
            }
            search.expand(node, None, |_, after| {
                let key = search.key(&after);
                if let Entry::Vacant(unseen) = self.seen.entry(key) {
                    unseen.insert(level);
                    self.frontier.push(after);
                    if met.is_none() && other.seen.contains_key(&key) {
                        met = Some(after);
                    }
                }
            });
            if let Some(node) = met {
                return Growth::Met(node);
            }
        }
        self.depth = level;
        Growth::Done
    }

    /// From a position that was seen here back to the root: for every step the move towards the root
    /// and the one that leads back again.
    fn way_back(&self, search: &S, node: S::Node) -> Vec<(Option<Move>, Option<Move>)> {
        let mut way = Vec::new();
        let (mut node, mut level) = (
            node,
            self.seen.get(&search.key(&node)).copied().unwrap_or(0),
        );
        while level > 0 {
            let mut step = None;
            search.expand(&node, None, |mv, before| {
                let key = search.key(&before);
                if step.is_none() && self.seen.get(&key) == Some(&(level - 1)) {
                    step = Some((mv, before));
                }
            });
            // A level that was seen has one before it.
            let Some((mv, before)) = step else { break };
            let key = search.key(&node);
            let mut there = None;
            search.expand(&before, None, |mv, after| {
                if there.is_none() && search.key(&after) == key {
                    there = Some(mv);
                }
            });
            way.push((Some(mv), there));
            (node, level) = (before, level - 1);
        }
        way
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::solve::testing::Maze;

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
            for effort in [
                Effort::unbounded(0, &stop),
                Effort::unbounded(1 << 24, &stopped),
            ] {
                let attempt = search(&maze, (0, 0), [maze.goal], &effort);
                assert!(Some(attempt.bound) <= far && attempt.cut_short == (far > Some(0)));
            }
            open += 1;
        }
        assert!(open > 20 && closed > 20, "{open} {closed}");
    }
}

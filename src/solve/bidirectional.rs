//! From both ends at once: breadth first from a position and from the goals, always on the side that
//! has fewer positions to expand, until the two meet.
//!
//! Moves must be reversible, and [`expand`](super::Search::expand) without a last move must visit
//! all of them: the way is put together by looking, step by step, for a neighbour that was seen one
//! level earlier. Where two positions share a key, they must be equally far from everything.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rustc_hash::FxBuildHasher;

use super::search::neighbour;
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

/// The same for a way of at most that many moves: if there is none, `moves` is `None`, and the bound is
/// larger than that.
pub fn search_up_to<S: Keyed>(
    search: &S,
    start: S::Node,
    goals: impl IntoIterator<Item = S::Node>,
    most: u32,
    effort: &Effort<'_>,
) -> Attempt {
    let mut near = SearchSide::new(search, [start]);
    let mut far = SearchSide::new(search, goals);
    let mut bound = 0;
    let cut_short = loop {
        let key = search.key(&start);
        if bound == 0 && far.seen.contains_key(&key) {
            return Attempt { moves: Some(Vec::new()), ..Attempt::default() };
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
            Expansion::Met(node) => {
                let ways = near.way_back(search, node).zip(far.way_back(search, node));
                let moves = ways.map(|(near, far)| {
                    // Seen from the start, the way back from the meeting point is walked forwards.
                    let near = near.iter().rev().map(|step| step.1);
                    near.chain(far.iter().map(|step| step.0)).collect()
                });
                return Attempt { moves, bound, cut_short: false };
            }
            Expansion::Done => {}
            Expansion::Spent => break true,
        }
    };
    Attempt { moves: None, bound, cut_short }
}

/// One end of the search.
struct SearchSide<S: Search + Keyed> {
    /// In which level each position was seen first.
    seen: HashMap<S::Key, u32, FxBuildHasher>,
    /// The positions of the last level.
    frontier: Vec<S::Node>,
    depth: u32,
}

enum Expansion<N> {
    /// The other side has seen this one.
    Met(N),
    Done,
    /// Time or memory ended.
    Spent,
}

impl<S: Keyed> SearchSide<S> {
    fn new(search: &S, nodes: impl IntoIterator<Item = S::Node>) -> Self {
        let mut side = SearchSide { seen: HashMap::default(), frontier: Vec::new(), depth: 0 };
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
        (self.seen.capacity() * entry * 8 / 7 + self.frontier.capacity() * size_of::<S::Node>()) as u64
    }

    /// Expands the last level.
    fn grow(
        &mut self,
        search: &S,
        other: &SearchSide<S>,
        room: u64,
        effort: &Effort<'_>,
    ) -> Expansion<S::Node> {
        let level = self.depth + 1;
        let frontier = std::mem::take(&mut self.frontier);
        let mut met = None;
        for (number, node) in frontier.iter().enumerate() {
            // A table that is full doubles, with the old one still there.
            if number % LOOK_EVERY == 0 && (effort.is_spent() || 3 * self.memory() > room) {
                return Expansion::Spent;
            }
            effort.visit(1);
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
                return Expansion::Met(node);
            }
        }
        self.depth = level;
        Expansion::Done
    }

    /// From a position that was seen here back to the root: for every step the move towards the root
    /// and the one that leads back again.
    fn way_back(&self, search: &S, mut node: S::Node) -> Option<Vec<(Move, Move)>> {
        let mut way = Vec::new();
        let level = *self.seen.get(&search.key(&node))?;
        for level in (0..level).rev() {
            let (there, before, back) = neighbour(search, &node, |key| self.seen.get(key) == Some(&level))?;
            way.push((there, back));
            node = before;
        }
        Some(way)
    }
}

#[cfg(test)]
mod tests;

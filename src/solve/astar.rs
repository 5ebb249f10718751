//! A*: breadth first, but positions that a lower bound shows to be off the way come later.
//!
//! Positions wait in piles, by the length that a solution through them has at least: the moves made so
//! far plus the lower bound on what is left. The pile with the least length is worked off first,
//! so when a solution of that length turns up, there is no shorter one; until then that length is a
//! proven bound. Where the bound says nothing (1 for whatever is not solved), this is plain
//! breadth-first search; where it says much, as for one block on a wide and empty board, only a
//! small part of the positions is looked at.
//!
//! # What must hold
//! - No move lowers the bound by more than 1. Then a position that is taken off a pile has
//!   been reached in as few moves as possible, and is never expanded again.
//! - Moves are reversible, and [`expand`](super::Search::expand) without a last move visits all
//!   of them: of every position only its key and its number of moves are remembered, and the way is
//!   put together from the end, by looking for a neighbour that was reached one move earlier.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::search::neighbour;
use super::{Attempt, Effort, Keyed, Search};
use crate::puzzle::Move;

/// The clock is looked at once in this many positions.
const LOOK_EVERY: u64 = 1 << 12;

/// Searches for a shortest solution.
///
/// Without any, `moves` is `None` and nothing was cut short: everything that can be reached was
/// looked at. If time or memory end first, what is returned was cut short and has the bound that
/// was proven.
pub fn search<S: Keyed>(search: &S, start: S::Node, effort: &Effort<'_>) -> Attempt {
    if search.is_solved(&start) {
        return Attempt { moves: Some(Vec::new()), ..Attempt::default() };
    }
    let mut reached = ReachedStates::default();
    reached.moves.insert(search.key(&start), 0);
    let mut piles = Piles::default();
    piles.push(search.bound(&start), (start, 0));
    let mut looked = 0;
    while let Some((length, (node, depth))) = piles.pop() {
        // It was reached in fewer moves since it was put there.
        if reached.depth(search, &node) != Some(depth) {
            continue;
        }
        // A table that is full doubles, with the old one still there.
        let is_time = looked % LOOK_EVERY == 0;
        if is_time && (effort.is_spent() || 3 * reached.memory() + piles.memory() > effort.memory) {
            return Attempt { moves: None, bound: length, cut_short: true };
        }
        looked += 1;
        effort.visit(1);
        if search.is_solved(&node) {
            return reached.attempt(search, node, length);
        }
        let mut solved = None;
        search.expand(&node, None, |_, after| {
            let known = reached.moves.entry(search.key(&after)).or_insert(u32::MAX);
            if *known <= depth + 1 {
                return;
            }
            *known = depth + 1;
            let needed = depth + 1 + search.bound(&after);
            // Nothing on this pile or a later one is shorter: it need not wait for its turn.
            if needed <= length && search.is_solved(&after) {
                solved = Some(after);
            }
            piles.push(needed, (after, depth + 1));
        });
        if let Some(node) = solved {
            return reached.attempt(search, node, length);
        }
    }
    Attempt::default()
}

/// Positions of which nothing is known but whether they are solved, so that the search is breadth first.
struct WithoutBound<'a, S>(&'a S);

impl<S: Search> Search for WithoutBound<'_, S> {
    type Node = S::Node;

    fn expand(&self, node: &S::Node, last: Option<Move>, visit: impl FnMut(Move, S::Node)) {
        self.0.expand(node, last, visit);
    }

    fn bound(&self, node: &S::Node) -> u32 {
        u32::from(!self.0.is_solved(node))
    }

    fn is_solved(&self, node: &S::Node) -> bool {
        self.0.is_solved(node)
    }
}

impl<S: Keyed> Keyed for WithoutBound<'_, S> {
    type Key = S::Key;

    fn key(&self, node: &S::Node) -> S::Key {
        self.0.key(node)
    }
}

/// The same without a lower bound: plain breadth-first search, to compare with.
pub fn breadth_first<S: Keyed>(positions: &S, start: S::Node, effort: &Effort<'_>) -> Attempt {
    search(&WithoutBound(positions), start, effort)
}

/// In how many moves each position was reached.
struct ReachedStates<S: Keyed> {
    moves: HashMap<S::Key, u32, FxBuildHasher>,
}

impl<S: Keyed> Default for ReachedStates<S> {
    fn default() -> Self {
        ReachedStates { moves: HashMap::default() }
    }
}

impl<S: Keyed> ReachedStates<S> {
    fn depth(&self, search: &S, node: &S::Node) -> Option<u32> {
        self.moves.get(&search.key(node)).copied()
    }

    /// Bytes that it takes.
    fn memory(&self) -> u64 {
        let entry = size_of::<(S::Key, u32)>() + 1;
        (self.moves.capacity() * entry * 8 / 7) as u64
    }

    /// What was found out when a solved position turned up.
    fn attempt(&self, search: &S, solved: S::Node, bound: u32) -> Attempt {
        Attempt { moves: self.way_to(search, solved), bound, cut_short: false }
    }

    /// The moves from the start to a position that was reached.
    fn way_to(&self, search: &S, mut node: S::Node) -> Option<Vec<Move>> {
        let mut way = Vec::new();
        for depth in (0..self.depth(search, &node)?).rev() {
            let (_, before, step) = neighbour(search, &node, |key| self.moves.get(key) == Some(&depth))?;
            way.push(step);
            node = before;
        }
        way.reverse();
        Some(way)
    }
}

/// Positions with their numbers of moves, by the length that a solution through them has at least.
struct Piles<T> {
    piles: Vec<Vec<T>>,
    /// All piles before this one are empty, and stay so.
    first: usize,
    /// The capacity of all piles.
    room: usize,
}

impl<T> Default for Piles<T> {
    fn default() -> Self {
        Piles { piles: Vec::new(), first: 0, room: 0 }
    }
}

impl<T> Piles<T> {
    fn push(&mut self, length: u32, item: T) {
        // Nothing that is found from a pile on belongs before it.
        let place = (length as usize).max(self.first);
        if self.piles.len() <= place {
            self.piles.resize_with(place + 1, Vec::new);
        }
        if let Some(pile) = self.piles.get_mut(place) {
            self.room -= pile.capacity();
            pile.push(item);
            self.room += pile.capacity();
        }
    }

    /// The last one on the first pile, with the pile's length.
    fn pop(&mut self) -> Option<(u32, T)> {
        while let Some(pile) = self.piles.get_mut(self.first) {
            if let Some(item) = pile.pop() {
                return Some((self.first as u32, item));
            }
            self.room -= pile.capacity();
            *pile = Vec::new();
            self.first += 1;
        }
        None
    }

    /// Bytes that they take.
    fn memory(&self) -> u64 {
        (self.room * size_of::<T>()) as u64
    }
}

#[cfg(test)]
mod tests;

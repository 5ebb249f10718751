//! IDA*: depth-first searches with a growing limit on the length, cut by a lower bound.
//!
//! Every round looks for a solution of at most that many moves. Positions whose lower bound exceeds
//! what is left are not entered, and the least length by which any of them exceeded the limit is the
//! next limit: nothing shorter can exist. The first solution found is therefore a shortest one.
//!
//! With several threads the positions after the first two moves are shared among them, in each round
//! anew.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{Attempt, Effort, Search};
use crate::puzzle::Move;

/// The clock is looked at once in this many positions.
const LOOK_EVERY: u64 = 1 << 14;

/// With several threads, the positions after that many moves are shared among them.
const SHARED_DEPTH: u32 = 2;

/// Searches for a shortest solution; gives up with the bound it proved when the effort is spent.
pub fn search<S: Search>(search: &S, start: S::Node, effort: &Effort<'_>) -> Attempt {
    improve(search, start, None, effort)
}

/// The same where a solution is known: it is the answer if nothing shorter exists, and if the effort
/// is spent.
pub fn improve<S: Search>(
    search: &S,
    start: S::Node,
    known: Option<Vec<Move>>,
    effort: &Effort<'_>,
) -> Attempt {
    let most = known.as_ref().map_or(u32::MAX, |moves| moves.len() as u32);
    let rounds = Rounds::new(search, start, effort);
    let mut limit = search.bound(&start);
    while limit < most {
        let round = rounds.run(limit);
        if round.found.is_some() || round.spent {
            return Attempt { cut_short: round.found.is_none(), moves: round.found.or(known), bound: limit };
        }
        limit = round.next;
    }
    // Either nothing shorter than what is known exists, or there is no solution at all.
    Attempt { bound: if known.is_some() { most } else { 0 }, moves: known, cut_short: false }
}

/// A position, with the moves that led to it.
type IdaPosition<S> = (Vec<Move>, <S as Search>::Node);

/// What all rounds share.
struct Rounds<'a, S: Search> {
    search: &'a S,
    start: S::Node,
    effort: &'a Effort<'a>,
    /// With several threads: the positions that they share, and the threads.
    shared: Option<(Vec<IdaPosition<S>>, ThreadPool)>,
}

/// What a round came to.
struct RoundResult {
    found: Option<Vec<Move>>,
    /// The least length that it did not look at.
    next: u32,
    spent: bool,
}

impl<'a, S: Search> Rounds<'a, S> {
    fn new(search: &'a S, start: S::Node, effort: &'a Effort<'a>) -> Self {
        let threads = effort.threads;
        let pool = || ThreadPoolBuilder::new().num_threads(threads).build().ok();
        // Without threads to spare, one does all.
        let pool = (threads > 1).then(pool).flatten();
        let shared = pool.map(|pool| (first_moves(search, start), pool));
        Rounds { search, start, effort, shared }
    }

    /// Looks for a solution of at most `limit` moves. Of several it is always the same one, whatever
    /// the number of threads.
    fn run(&self, limit: u32) -> RoundResult {
        let alone = [(Vec::new(), self.start)];
        let next = AtomicU32::new(u32::MAX);
        let spent = AtomicBool::new(false);
        let first = AtomicUsize::new(usize::MAX);
        let look = |(number, (path, node)): (usize, &IdaPosition<S>)| {
            let mut round = Round {
                search: self.search,
                effort: self.effort,
                number,
                first: &first,
                path: path.clone(),
                next: u32::MAX,
                visited: 0,
                // Few positions may lie behind each of the shared ones.
                spent: spent.load(Relaxed) || self.effort.is_spent(),
                idle: false,
            };
            let needed = path.len() as u32 + self.search.bound(node);
            let found = match needed > limit {
                true => {
                    round.next = needed;
                    false
                }
                false => round.visit(node, path.last().copied(), limit - path.len() as u32),
            };
            self.effort.visit(round.visited);
            next.fetch_min(round.next, Relaxed);
            spent.fetch_or(round.spent, Relaxed);
            if found {
                first.fetch_min(number, Relaxed);
            }
            found.then_some(round.path)
        };
        let found = match &self.shared {
            // All solutions of fewer moves were looked for in the rounds before.
            Some((positions, pool)) if limit >= SHARED_DEPTH => {
                pool.install(|| positions.par_iter().enumerate().find_map_first(look))
            }
            _ => alone.iter().enumerate().find_map(look),
        };
        RoundResult { found, next: next.into_inner(), spent: spent.into_inner() }
    }
}

/// The positions after the first moves, in the order in which one thread would come to them.
fn first_moves<S: Search>(search: &S, start: S::Node) -> Vec<IdaPosition<S>> {
    let mut positions = vec![(Vec::new(), start)];
    for _ in 0..SHARED_DEPTH {
        let mut after = Vec::new();
        for (path, node) in &positions {
            search.expand(node, path.last().copied(), |mv, next| {
                after.push(([path.as_slice(), &[mv]].concat(), next));
            });
        }
        positions = after;
    }
    positions
}

/// A depth-first search up to a limit.
struct Round<'a, S> {
    search: &'a S,
    effort: &'a Effort<'a>,
    /// Which of the shared positions this is, and the first one from which a solution was found.
    number: usize,
    first: &'a AtomicUsize,
    path: Vec<Move>,
    /// The least length that this round did not look at.
    next: u32,
    visited: u64,
    spent: bool,
    /// Whether there is nothing to find any more: a solution from an earlier position is known.
    idle: bool,
}

impl<S: Search> Round<'_, S> {
    /// Whether a solution of at most `left` moves from here was found; the path is then complete.
    fn visit(&mut self, node: &S::Node, last: Option<Move>, left: u32) -> bool {
        self.visited += 1;
        if self.visited.is_multiple_of(LOOK_EVERY) {
            self.spent |= self.effort.is_spent();
            self.idle |= self.first.load(Relaxed) < self.number;
        }
        if self.spent || self.idle {
            return false;
        }
        if self.search.is_solved(node) {
            return true;
        }
        let depth = self.path.len() as u32;
        let limit = depth + left;
        let mut found = false;
        let search = self.search;
        search.expand(node, last, |mv, after| {
            if found || self.spent || self.idle {
                return;
            }
            let needed = depth + 1 + search.bound(&after);
            if needed > limit {
                self.next = self.next.min(needed);
                return;
            }
            self.path.push(mv);
            found = self.visit(&after, Some(mv), left - 1);
            if !found {
                self.path.pop();
            }
        });
        found
    }
}

#[cfg(test)]
mod tests;

//! IDA*: depth-first searches with a growing limit on the length, cut by a lower bound.
//!
//! Every round looks for a solution of at most so many moves. Positions whose lower bound exceeds
//! what is left are not entered, and the least length by which any of them exceeded the limit is the
//! next limit: nothing shorter can exist. The first solution found is therefore a shortest one.

use super::{Attempt, Effort, Search};
use crate::puzzle::Move;

/// The clock is looked at once in this many positions.
const LOOK_EVERY: u64 = 1 << 14;

/// Searches for a shortest solution; gives up with the bound it proved when the effort is spent.
pub fn search<S: Search>(search: &S, start: S::Node, effort: &Effort<'_>) -> Attempt {
    let mut round = Round {
        search,
        effort,
        path: Vec::new(),
        next: search.bound(&start),
        visited: 0,
        spent: false,
    };
    loop {
        let limit = std::mem::replace(&mut round.next, u32::MAX);
        let found = round.visit(&start, None, limit);
        if found || round.spent || round.next == u32::MAX {
            return Attempt {
                moves: found.then_some(round.path),
                bound: limit,
                cut_short: round.spent && !found,
            };
        }
    }
}

/// A depth-first search up to a limit.
struct Round<'a, S> {
    search: &'a S,
    effort: &'a Effort<'a>,
    path: Vec<Move>,
    /// The least length that this round did not look at.
    next: u32,
    visited: u64,
    spent: bool,
}

impl<S: Search> Round<'_, S> {
    /// Whether a solution of at most `left` moves from here was found; the path is then complete.
    fn visit(&mut self, node: &S::Node, last: Option<Move>, left: u32) -> bool {
        self.visited += 1;
        if self.visited.is_multiple_of(LOOK_EVERY) && self.effort.is_spent() {
            self.spent = true;
        }
        if self.spent {
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
            if found || self.spent {
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

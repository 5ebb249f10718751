//! Depth-first search that visits every position at most once: some solution, usually a long one.
//!
//! It is there to compare with. From each position the first neighbour that was not visited is entered at once;
//! without one, the search goes back. The solution is the path to the first solved position that is entered.

use std::collections::HashSet;

use rustc_hash::FxBuildHasher;

use super::{Attempt, Effort, Keyed};
use crate::puzzle::Move;

/// The clock is looked at once in this many positions.
const LOOK_EVERY: u64 = 1 << 12;

/// A position on the path.
struct Entered<N> {
    /// The move that led here; none for the start.
    by: Option<Move>,
    /// Its neighbours that are left, the next one last.
    left: Vec<(Move, N)>,
}

/// Searches for a solution.
///
/// Without any, `moves` is `None` and nothing was cut short: everything that can be reached was visited.
pub fn search<S: Keyed>(search: &S, start: S::Node, effort: &Effort<'_>) -> Attempt {
    let mut seen: HashSet<S::Key, FxBuildHasher> = HashSet::default();
    let mut path: Vec<Entered<S::Node>> = Vec::new();
    let mut next = Some((None, start));
    let (mut visited, mut waiting) = (0, 0);
    loop {
        while let Some((by, node)) = next.take() {
            if !seen.insert(search.key(&node)) {
                break;
            }
            if search.is_solved(&node) {
                let moves = path.iter().filter_map(|entered| entered.by).chain(by).collect();
                return Attempt { moves: Some(moves), ..Attempt::default() };
            }
            // A set that is full doubles, with the old one still there.
            let memory = 3 * seen.capacity() * (size_of::<S::Key>() + 1)
                + waiting * size_of::<(Move, S::Node)>()
                + path.capacity() * size_of::<Entered<S::Node>>();
            if visited % LOOK_EVERY == 0 && (effort.is_spent() || memory as u64 > effort.memory) {
                return Attempt { cut_short: true, ..Attempt::default() };
            }
            visited += 1;
            effort.visit(1);
            let mut left = Vec::new();
            search.expand(&node, None, |mv, after| left.push((mv, after)));
            left.reverse();
            waiting += left.len();
            path.push(Entered { by, left });
        }
        loop {
            let Some(last) = path.last_mut() else {
                return Attempt::default();
            };
            if let Some((mv, after)) = last.left.pop() {
                waiting -= 1;
                next = Some((Some(mv), after));
                break;
            }
            path.pop();
        }
    }
}

#[cfg(test)]
mod tests;

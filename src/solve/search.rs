//! What the searches walk.

use std::hash::Hash;

use crate::puzzle::Move;

/// Positions in a form that is quick to copy, to move and to estimate.
pub trait Search: Sync {
    /// One position.
    type Node: Copy + Send + Sync;

    /// Calls `visit` with every move that is worth a try and the position after it.
    ///
    /// `last` is the move that led here. Moves may be left out if everything they lead to is reached
    /// in no more moves another way that is not left out: those that undo `last`, or one of two
    /// orders of moves that do not touch each other.
    fn expand(&self, node: &Self::Node, last: Option<Move>, visit: impl FnMut(Move, Self::Node));

    /// A number of moves that every solution of the position needs at least.
    fn bound(&self, node: &Self::Node) -> u32;

    /// Whether the position is solved.
    fn is_solved(&self, node: &Self::Node) -> bool;
}

/// Positions that can be distinguished quickly, for searches that remember them.
pub trait Keyed: Search {
    /// What tells one position from another; symmetric positions may share a key only where the
    /// search says so.
    type Key: Copy + Eq + Hash + Send + Sync;

    /// The key of a position.
    fn key(&self, node: &Self::Node) -> Self::Key;
}

/// A neighbour of a position whose key is accepted: the move to it, the neighbour, and the move back.
/// Moves must be reversible.
pub(super) fn neighbour<S: Keyed>(
    search: &S,
    node: &S::Node,
    accept: impl Fn(&S::Key) -> bool,
) -> Option<(Move, S::Node, Move)> {
    let mut found = None;
    search.expand(node, None, |mv, other| {
        if found.is_none() && accept(&search.key(&other)) {
            found = Some((mv, other));
        }
    });
    let ((mv, other), key) = (found?, search.key(node));
    let mut back = None;
    search.expand(&other, None, |mv, after| {
        if back.is_none() && search.key(&after) == key {
            back = Some(mv);
        }
    });
    Some((mv, other, back?))
}

//! Trees of states: an enumeration as a tree, one state for each class, or all that moves lead to from a state.

use std::collections::HashSet;

use crate::error::{Error, Result};
use crate::puzzle::{Move, Rules, State};
use crate::space::{AnySpace, Space};
use crate::text::pluralise;

/// No tree has more nodes.
pub const MOST_NODES: usize = 20_000;

/// A node of a tree.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// The state.
    pub state: State,
    /// How many moves it is from the root.
    pub level: u32,
    /// The node before it, by its number; `None` for a root.
    pub parent: Option<usize>,
    /// The move that leads here.
    pub by: Option<Move>,
}

/// The first levels of an enumeration: a node for each class, below the first class of the level before that has
/// it as a neighbour. A node's state is the one that the moves on its way make of the root.
pub fn of_classes(puzzle: &dyn Rules, levels: u32) -> Result<Vec<TreeNode>> {
    let alike = puzzle.capabilities().index.is_some_and(|index| index.has_alike_members());
    let roots = match puzzle.space().filter(|_| alike) {
        Some(AnySpace::Narrow(space)) => space.roots().into_iter().map(u128::from).collect(),
        Some(AnySpace::Wide(space)) => Space::roots(space),
        None => {
            return Err(Error::Usage(format!(
                "{} has no tree of classes: it has no index, or the states of a class have different neighbours; \
                 name a state for the tree of its moves",
                puzzle.text()
            )));
        }
    };
    let roots = roots.into_iter().filter_map(|index| puzzle.state_of(index));
    grow(puzzle, roots.collect(), levels, |state| puzzle.index_of(state))
}

/// All states that are at most that many moves from a state, each below the first one that leads to it.
pub fn of_moves(puzzle: &dyn Rules, state: &State, levels: u32) -> Result<Vec<TreeNode>> {
    grow(puzzle, vec![state.clone()], levels, |state| Some(state.clone()))
}

/// Grows a tree; states with the same key are one node, and those without one are none.
fn grow<K: Eq + std::hash::Hash>(
    puzzle: &dyn Rules,
    roots: Vec<State>,
    levels: u32,
    key: impl Fn(&State) -> Option<K>,
) -> Result<Vec<TreeNode>> {
    let too_large = |level: u32| {
        Error::limit(format!(
            "the tree of {} has more than {} in its levels up to {level}: choose fewer --levels",
            puzzle.text(),
            pluralise(MOST_NODES, "node")
        ))
    };
    let mut seen: HashSet<K> = roots.iter().filter_map(&key).collect();
    let node = |state| TreeNode { state, level: 0, parent: None, by: None };
    let mut nodes: Vec<TreeNode> = roots.into_iter().map(node).collect();
    if nodes.len() > MOST_NODES {
        return Err(too_large(0));
    }
    let mut next = 0;
    while let Some(TreeNode { state, level, .. }) = nodes.get(next).filter(|node| node.level < levels) {
        let (state, level) = (state.clone(), level + 1);
        for mv in puzzle.moves(&state) {
            let after = puzzle.apply(&state, mv);
            if key(&after).is_some_and(|key| seen.insert(key)) {
                if nodes.len() == MOST_NODES {
                    return Err(too_large(level));
                }
                nodes.push(TreeNode { state: after, level, parent: Some(next), by: Some(mv) });
            }
        }
        next += 1;
    }
    Ok(nodes)
}

#[cfg(test)]
mod tests;

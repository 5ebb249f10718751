//! Tests of the kind, and the plain search that everything else is checked against.

mod agreement;
mod files;
mod known;
pub(crate) mod oracle;
mod places;
pub(crate) mod random;

use std::collections::HashSet;

use super::definition::Definition;
use super::{PermutationOptions, PermutationPuzzle};
use crate::puzzle::{Indexed, Rules};
use crate::space::{AnySpace, Index, Space};

/// The puzzle of a definition.
pub(super) fn puzzle(definition: &Definition, options: &PermutationOptions) -> PermutationPuzzle {
    PermutationPuzzle::new("perm:test".into(), "test".into(), definition.clone(), options).unwrap()
}

/// The number of classes and of states at each distance, by a search in memory that subtracts all.
pub(super) fn levels(puzzle: &PermutationPuzzle) -> Vec<(usize, u128)> {
    match Indexed::space(puzzle).unwrap() {
        AnySpace::Narrow(space) => levels_of(space),
        AnySpace::Wide(space) => levels_of(space),
    }
}

pub(super) fn levels_of<I: Index>(space: &dyn Space<I>) -> Vec<(usize, u128)> {
    let mut level = space.roots();
    let mut seen: HashSet<I> = level.iter().copied().collect();
    let mut levels = Vec::new();
    while !level.is_empty() {
        levels.push((level.len(), space.states(&level)));
        let mut candidates = Vec::new();
        space.expand(&level, &mut candidates);
        assert!(candidates.len() <= level.len() * space.fanout());
        candidates.sort_unstable();
        candidates.dedup();
        candidates.retain(|&index| seen.insert(index));
        level = candidates;
    }
    levels
}

/// The states at each distance.
pub(super) fn states(puzzle: &PermutationPuzzle) -> Vec<u128> {
    levels(puzzle).into_iter().map(|(_, states)| states).collect()
}

/// The order of the group, as it is printed.
pub(super) fn order(puzzle: &PermutationPuzzle) -> u64 {
    (puzzle as &dyn Rules).group_order()
}

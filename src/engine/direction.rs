//! Checks, before a job begins, what a space declares about the direction of its moves.
//!
//! A declaration decides which levels are subtracted ([`Direction`]). A space that breaks it could be
//! walked for a long time before its totals show that, so a few walks away from the roots are tried
//! first:
//! - in a reversible space each step must lead back;
//! - in a layered space every candidate must be as many steps from the roots as its class, and one more,
//!   whichever way it was reached;
//! - a directed space declares nothing that could be wrong.

use std::collections::HashMap;
use std::hash::Hasher;

use xxhash_rust::xxh3::Xxh3;

use crate::error::{Error, Result};
use crate::space::{Direction, Index, Space};

/// Walks that are tried, and steps of each.
const WALKS: u64 = 16;
const STEPS: u64 = 12;
/// Nothing has to be undone in a layered space, and a walk can be longer.
const LAYERS: u64 = 64;

/// The roots of a space; fails if a few walks from them contradict the declaration.
pub(super) fn checked_roots<I: Index>(space: &dyn Space<I>, text: &str) -> Result<Vec<I>> {
    let roots = space.roots();
    match space.direction() {
        Direction::Reversible => check_reversible(space, &roots, text)?,
        Direction::Layered => check_layered(space, &roots, text)?,
        Direction::Directed => {}
    }
    Ok(roots)
}

/// Fails if a step of a few walks from the roots cannot be undone.
fn check_reversible<I: Index>(space: &dyn Space<I>, roots: &[I], text: &str) -> Result<()> {
    let (mut forward, mut back) = (Vec::new(), Vec::new());
    for walk in 0..WALKS {
        let Some(mut class) = pick(roots, walk, 0) else {
            return Ok(());
        };
        for step in 0..STEPS {
            forward.clear();
            space.expand(&[class], &mut forward);
            let Some(next) = pick(&forward, walk, step + 1) else {
                break;
            };
            back.clear();
            space.expand(&[next], &mut back);
            if !back.contains(&class) {
                return Err(Error::verification(format!(
                    "a move of {text} cannot be undone: class {next} is a neighbour of class {class}, but \
                     class {class} is not a neighbour of class {next}. The engine subtracts only the last \
                     two levels, which is correct only for reversible moves; add the inverse of every move, \
                     declare the space layered if every move leads to the next level, or directed if not"
                )));
            }
            class = next;
        }
    }
    Ok(())
}

/// Fails if a few walks from the roots come to a class after different numbers of steps.
fn check_layered<I: Index>(space: &dyn Space<I>, roots: &[I], text: &str) -> Result<()> {
    let mut layers: HashMap<I, u64> = HashMap::new();
    let mut forward = Vec::new();
    for walk in 0..WALKS {
        let Some(mut class) = pick(roots, walk, 0) else {
            return Ok(());
        };
        for step in 0..LAYERS {
            forward.clear();
            space.expand(&[class], &mut forward);
            for &next in &forward {
                let before = match roots.binary_search(&next) {
                    Ok(_) => 0,
                    Err(_) => *layers.entry(next).or_insert(step + 1),
                };
                if before != step + 1 {
                    return Err(Error::verification(format!(
                        "{text} is declared layered, but its moves do not always lead to the next level: class \
                         {next} is reached in {before} moves and, from class {class}, in {}. The engine \
                         subtracts nothing from a level of a layered space; declare it reversible if every \
                         move can be undone, or directed if not",
                        step + 1
                    )));
                }
            }
            let Some(next) = pick(&forward, walk, step + 1) else {
                break;
            };
            class = next;
        }
    }
    Ok(())
}

/// One of the indices, the same in every run.
fn pick<I: Index>(indices: &[I], walk: u64, step: u64) -> Option<I> {
    let mut hasher = Xxh3::new();
    hasher.write_u64(walk);
    hasher.write_u64(step);
    let at = hasher.finish() % (indices.len() as u64).max(1);
    indices.get(at as usize).copied()
}

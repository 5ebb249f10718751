//! Checks, before a job begins, that moves can be undone.
//!
//! The walk subtracts only the last two levels, which is right only if a neighbour's neighbours
//! include the class itself. A space that breaks this promise could be walked for a long time before
//! its totals show it, so a few walks away from the roots are tried first: each step must lead back.

use std::hash::Hasher;

use xxhash_rust::xxh3::Xxh3;

use crate::error::{Error, Result};
use crate::space::{Index, Space};

/// Walks that are tried, and steps of each.
const WALKS: u64 = 16;
const STEPS: u64 = 12;

/// Fails if a step of a few walks from the roots cannot be undone.
pub(super) fn check<I: Index>(space: &dyn Space<I>, text: &str) -> Result<()> {
    if space.layered() {
        return Ok(());
    }
    let roots = space.roots();
    let (mut forward, mut back) = (Vec::new(), Vec::new());
    for walk in 0..WALKS {
        let Some(mut class) = pick(&roots, walk, 0) else {
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
                return Err(Error::Verification(format!(
                    "a move of {text} cannot be undone: class {next} is a neighbour of class {class}, but \
                     class {class} is not a neighbour of class {next}. The engine subtracts only the last \
                     two levels, which is correct only for reversible moves; add the inverse of every move, \
                     or declare the space layered if every move leads to the next level"
                )));
            }
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

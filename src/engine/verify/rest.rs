//! What was never reached, where the universe holds more than one component.
//!
//! The engine stops when a level comes out empty, so nothing unreached can have a reached
//! neighbour unless something went wrong. This looks from the other side: at every index of the
//! universe that is in no level.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::Verifier;
use crate::error::Result;
use crate::space::{Direction, Index};
use crate::text::{bytes, count};

/// Indices that one thread looks at in one go.
const CHUNK: u64 = 1 << 14;

/// The unreached part of a space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unreached {
    /// Its classes.
    pub classes: u128,
    /// The states they stand for.
    pub states: u128,
}

impl<I: Index> Verifier<'_, I> {
    /// Counts the classes that are in no level and checks, if moves can be undone, that none of them has
    /// a neighbour in one. `None`, with a sentence, if there is not enough memory for a bitmap.
    fn rest(&mut self) -> Result<Option<Unreached>> {
        let universe = self.space.universe().wide();
        let words = usize::try_from(universe.div_ceil(64)).unwrap_or(usize::MAX);
        if universe.div_ceil(8) > u128::from(self.memory / 2) {
            self.findings.left_out.push(format!(
                "what was not reached: that takes a bitmap of {}, more than half of the memory allowed",
                bytes(u64::try_from(universe.div_ceil(8)).unwrap_or(u64::MAX))
            ));
            return Ok(None);
        }
        let reached: Vec<AtomicU64> = (0..words).map(|_| AtomicU64::new(0)).collect();
        let is_reached =
            |index: I| reached[(index.low() / 64) as usize].load(Relaxed) >> (index.low() % 64) & 1;
        for record in &self.manifest.levels {
            let set = self.open(record.level)?;
            let mut indices = Vec::new();
            for block in 0..set.blocks() {
                self.go_on()?;
                indices.clear();
                set.block(block, &mut indices)?;
                for index in &indices {
                    let bit = 1 << (index.low() % 64);
                    reached[(index.low() / 64) as usize].fetch_or(bit, Relaxed);
                }
            }
        }
        self.observer.note("checking what was not reached");
        let this = &*self;
        let chunks = (universe as u64).div_ceil(CHUNK);
        let rest = (0..chunks)
            .into_par_iter()
            .map(|chunk| {
                this.go_on()?;
                let end = ((chunk + 1) * CHUNK).min(universe as u64);
                let mut classes: Vec<I> = (chunk * CHUNK..end).map(I::of).collect();
                classes.retain(|&index| is_reached(index) == 0 && this.space.canonical(index) == Some(index));
                let mut neighbours = Vec::new();
                // Where moves cannot be undone, one may lead from outside to what was reached.
                let undone = this.space.direction() == Direction::Reversible;
                for class in classes.iter().filter(|_| undone) {
                    neighbours.clear();
                    this.space.expand(std::slice::from_ref(class), &mut neighbours);
                    if let Some(to) = neighbours.iter().find(|&&to| is_reached(to) == 1) {
                        let what = format!("class {class} is in no level, but its neighbour {to} is in one");
                        return Err(this.wrong(this.manifest.levels.len() as u32, what));
                    }
                }
                Ok(Unreached { classes: classes.len() as u128, states: this.space.states(&classes) })
            })
            .try_reduce(Unreached::default, |a, b| {
                Ok(Unreached { classes: a.classes + b.classes, states: a.states + b.states })
            })?;
        Ok(Some(rest))
    }

    /// Holds reached and unreached states together to the number of those that exist.
    pub(super) fn check_rest(&mut self, existing: u128) -> Result<()> {
        let Some(rest) = self.rest()? else {
            return Ok(());
        };
        let found = self.manifest.states() + rest.states;
        if found != existing {
            let what = format!(
                "{} states were reached and {} were not, but {} exist",
                count(self.manifest.states()),
                count(rest.states),
                count(existing)
            );
            return Err(self.wrong((self.manifest.levels.len() as u32).saturating_sub(1), what));
        }
        self.findings.rest = Some(rest);
        Ok(())
    }
}

#[cfg(test)]
mod tests;

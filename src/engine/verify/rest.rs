//! What was never reached, where the universe holds more than one component.
//!
//! The engine stops when a level comes out empty, so nothing unreached can have a reached
//! neighbour unless something went wrong. This looks from the other side: at every index of the
//! universe that is in no level.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::Verifier;
use crate::error::Result;
use crate::space::Index;
use crate::text::{bytes, count};

/// Indices that one thread looks at in one go.
const CHUNK: u64 = 1 << 14;

/// The unreached part of a space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rest {
    /// Its classes.
    pub classes: u128,
    /// The states they stand for.
    pub states: u128,
}

impl<I: Index> Verifier<'_, I> {
    /// Counts the classes that are in no level and checks that none of them has a neighbour in
    /// one. `None`, with a sentence, if there is not enough memory for a bitmap.
    fn rest(&mut self) -> Result<Option<Rest>> {
        let universe = self.space.universe().wide();
        let words = usize::try_from(universe.div_ceil(64)).unwrap_or(usize::MAX);
        if universe.div_ceil(8) > u128::from(self.memory / 2) {
            self.findings.left_out.push(format!(
                "what was not reached: that takes a bitmap of {}, more than half of --memory",
                bytes(u64::try_from(universe.div_ceil(8)).unwrap_or(u64::MAX))
            ));
            return Ok(None);
        }
        let reached: Vec<AtomicU64> = (0..words).map(|_| AtomicU64::new(0)).collect();
        let is_reached =
            |index: I| reached[(index.low() / 64) as usize].load(Relaxed) >> (index.low() % 64) & 1;
        for level in 0..self.manifest.levels.len() as u32 {
            self.go_on()?;
            let set = self.job.open_level::<I>(level)?;
            let mut indices = Vec::new();
            for block in 0..set.blocks() {
                indices.clear();
                set.block(block, &mut indices)?;
                for index in &indices {
                    let bit = 1 << (index.low() % 64);
                    reached[(index.low() / 64) as usize].fetch_or(bit, Relaxed);
                }
            }
        }
        self.observer.note("looking at what was not reached");
        let this = &*self;
        let chunks = (universe as u64).div_ceil(CHUNK);
        let rest = (0..chunks)
            .into_par_iter()
            .map(|chunk| {
                this.go_on()?;
                let end = ((chunk + 1) * CHUNK).min(universe as u64);
                let mut classes: Vec<I> = (chunk * CHUNK..end).map(I::of).collect();
                classes.retain(|&index| {
                    is_reached(index) == 0 && this.space.canonical(index) == Some(index)
                });
                let mut neighbours = Vec::new();
                for class in &classes {
                    neighbours.clear();
                    this.space
                        .expand(std::slice::from_ref(class), &mut neighbours);
                    if let Some(to) = neighbours.iter().find(|&&to| is_reached(to) == 1) {
                        let what = format!(
                            "class {class} is in no level, but its neighbour {to} is in one"
                        );
                        return Err(this.wrong(this.manifest.levels.len() as u32, what));
                    }
                }
                Ok(Rest {
                    classes: classes.len() as u128,
                    states: this.space.states(&classes),
                })
            })
            .try_reduce(Rest::default, |a, b| {
                Ok(Rest {
                    classes: a.classes + b.classes,
                    states: a.states + b.states,
                })
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
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::engine::{self, Control, Job, Manifest, Options, Silent};
    use crate::error::Error;
    use crate::puzzle::subject;
    use crate::puzzles::registry;
    use crate::space::AnySpace;

    /// What the unreached part of `klotski:all-2` comes to if so many states existed, and the levels
    /// were those that `spoil` leaves of the true ones.
    fn checked(existing: u128, spoil: impl Fn(&mut Manifest)) -> Result<Option<Rest>> {
        let dir = tempfile::tempdir().unwrap();
        let puzzle = registry::parse("klotski:all-2").unwrap();
        let stop = AtomicBool::new(false);
        let control = Control {
            stop: &stop,
            observer: &Silent,
        };
        let options = Options::default();
        let outcome =
            engine::enumerate(&subject(&*puzzle).unwrap(), dir.path(), &options, control).unwrap();
        let mut manifest = outcome.manifest;
        spoil(&mut manifest);
        let job = Job::open(dir.path()).unwrap();
        let Some(AnySpace::Narrow(space)) = puzzle.space() else {
            panic!("klotski has narrow indices")
        };
        let mut verifier = Verifier::new(space, &job, &manifest, 64 << 20, &stop, &Silent)?;
        verifier.check_rest(existing)?;
        Ok(verifier.findings.rest)
    }

    #[test]
    fn reached_and_unreached_states_are_all_there_are() {
        let all = 1_299_392 + 289_522;
        let rest = checked(all, |_| {}).unwrap().unwrap();
        assert_eq!(rest.states, 289_522);
        let wrong = |result: Result<Option<Rest>>| match result {
            Err(Error::Verification(words)) => words,
            other => panic!("{other:?}"),
        };
        let words = wrong(checked(all + 1, |_| {}));
        assert!(words.contains("but 1,588,915 exist"), "{words}");
        let words = wrong(checked(all, |manifest| {
            manifest.levels.pop();
        }));
        assert!(
            words.contains("is in no level, but its neighbour"),
            "{words}"
        );
    }
}

//! Picks states out of a stored level.

use std::collections::BTreeSet;

use super::{Puzzle, State};
use crate::engine::Job;
use crate::error::{Error, Result};
use crate::random::Random;
use crate::space::{AnySpace, Index};
use crate::text::quoted;

/// Some states of a level, one of each class.
pub struct Picked {
    /// The states, in ascending order of their indices.
    pub states: Vec<State>,
    /// Classes in the whole level.
    pub classes: u128,
}

/// The first `count` classes of a level, or as many at random with a seed.
pub fn pick(
    job: &Job,
    puzzle: &dyn Puzzle,
    level: u32,
    count: u64,
    seed: Option<u64>,
) -> Result<Picked> {
    let manifest = job.manifest()?;
    let kept = manifest.kept_from..manifest.levels.len() as u32;
    if !kept.contains(&level) {
        return Err(Error::Usage(format!(
            "the job in {} has no level set for level {level}: {}",
            job.dir().display(),
            match kept.clone().last() {
                Some(last) => format!("it has those of levels {} to {last}", kept.start),
                None => "it has none yet".into(),
            }
        )));
    }
    match puzzle.space() {
        Some(AnySpace::Narrow(_)) => from_set::<u64>(job, puzzle, level, count, seed),
        Some(AnySpace::Wide(_)) => from_set::<u128>(job, puzzle, level, count, seed),
        None => Err(Error::Usage(
            "a puzzle without an index has no levels".into(),
        )),
    }
}

fn from_set<I: Index>(
    job: &Job,
    puzzle: &dyn Puzzle,
    level: u32,
    count: u64,
    seed: Option<u64>,
) -> Result<Picked> {
    let set = job.open_level::<I>(level)?;
    let classes = set.totals().count;
    let mut states = Vec::new();
    for position in positions(classes, count, seed) {
        let state = match set.nth(position)? {
            Some(index) => puzzle.state_of(index.wide()),
            None => None,
        };
        states.push(state.ok_or_else(|| {
            Error::damaged(
                &job.level_path(level),
                "it holds an index that stands for no state",
                format!(
                    "check the job with `godnum verify {} --full`",
                    quoted(job.dir())
                ),
            )
        })?);
    }
    Ok(Picked { states, classes })
}

/// `count` different positions below `classes`, ascending: the first ones, or random ones.
fn positions(classes: u128, count: u64, seed: Option<u64>) -> Vec<u128> {
    let count = u128::from(count).min(classes);
    let Some(seed) = seed else {
        return (0..count).collect();
    };
    // Floyd's method: every set of `count` positions is equally likely.
    let mut random = Random::new(seed);
    let mut chosen = BTreeSet::new();
    for bound in classes - count..classes {
        let at = random.below(bound + 1);
        if !chosen.insert(at) {
            chosen.insert(bound);
        }
    }
    chosen.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_distinct_and_in_range() {
        assert_eq!(positions(5, 3, None), [0, 1, 2]);
        assert_eq!(positions(2, 10, None), [0, 1]);
        assert_eq!(positions(7, 7, Some(1)), [0, 1, 2, 3, 4, 5, 6]);
        let some = positions(1_000_000, 50, Some(9));
        assert_eq!(some.len(), 50);
        assert!(some.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(some[49] < 1_000_000);
        assert_eq!(some, positions(1_000_000, 50, Some(9)));
        assert_ne!(some, positions(1_000_000, 50, Some(10)));
    }

    /// What a seed means is frozen.
    #[test]
    fn a_seed_always_gives_the_same_positions() {
        assert_eq!(positions(1000, 4, Some(2016)), FROZEN);
    }

    const FROZEN: [u128; 4] = [121, 430, 602, 770];
}

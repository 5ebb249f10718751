//! Picks states out of a stored level.

use std::collections::BTreeSet;

use super::{Rules, State};
use crate::engine::{Job, LevelRecord};
use crate::error::{Error, Repair, Result};
use crate::random::Random;
use crate::space::{AnySpace, Index};

/// Some states of a level, one of each class.
pub struct Picked {
    /// The states, in ascending order of their indices.
    pub states: Vec<State>,
    /// Classes in the whole level.
    pub classes: u128,
}

/// The first `count` classes of a level, or as many at random with a seed.
pub fn pick(job: &Job, puzzle: &dyn Rules, level: u32, count: u64, seed: Option<u64>) -> Result<Picked> {
    let manifest = job.manifest()?;
    let kept = manifest.kept_from..manifest.levels.len() as u32;
    let record = manifest.levels.get(level as usize).filter(|record| kept.contains(&record.level));
    let Some(record) = record else {
        return Err(Error::Usage(format!(
            "the job in {} has no level set for level {level}: {}",
            job.dir().display(),
            match kept.clone().last() {
                Some(last) => format!("it has those of levels {} to {last}", kept.start),
                None => "it has none yet".into(),
            }
        )));
    };
    match puzzle.space() {
        Some(AnySpace::Narrow(_)) => from_set::<u64>(job, puzzle, record, count, seed),
        Some(AnySpace::Wide(_)) => from_set::<u128>(job, puzzle, record, count, seed),
        None => Err(Error::Usage("a puzzle without an index has no levels".into())),
    }
}

fn from_set<I: Index>(
    job: &Job,
    puzzle: &dyn Rules,
    record: &LevelRecord,
    count: u64,
    seed: Option<u64>,
) -> Result<Picked> {
    let set = job.open_level::<I>(record)?;
    let classes = set.totals().count;
    let mut states = Vec::new();
    for position in positions(classes, count, seed) {
        let state = match set.nth(position)? {
            Some(index) => puzzle.state_of(index.wide()),
            None => None,
        };
        states.push(state.ok_or_else(|| {
            Error::damaged(
                &job.level_path(record.level),
                "it holds an index that stands for no state",
                Repair::Verify(job.dir().to_owned()),
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
mod tests;

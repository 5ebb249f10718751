//! What a proof would take: a few classes of each level, covered and timed.

use std::time::Duration;

use super::cover::{CodeLists, Covered};
use super::record::ClassBlock;
use super::{ProofPlan, Stages};
use crate::engine::Control;
use crate::error::{Error, Result};
use crate::random::Random;
use crate::study::StudyOptions;

/// What one level of the base would take.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelEstimate {
    /// The level.
    pub level: u32,
    /// Classes in it.
    pub classes: u128,
    /// How many of them were covered.
    pub sampled: u64,
    /// How many of these words alone do not close.
    pub left: u64,
    /// How many states words leave of these together.
    pub states_left: usize,
    /// Processor time for the whole level, without solving states one by one.
    pub time: Duration,
}

/// Time that this thread has spent on a processor, so that other programs do not count.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// Covers about `sample` classes of each level that needs a proof, those that a seed names.
pub fn estimate(
    plan: &ProofPlan<'_>,
    sample: u64,
    seed: u64,
    options: &StudyOptions,
    control: Control<'_>,
) -> Result<Vec<LevelEstimate>> {
    let stages = Stages::new(plan, options, control)?;
    let (cover, mut lists) = (stages.cover(), CodeLists::default());
    let mut random = Random::new(seed);
    let mut levels = Vec::new();
    for level in (stages.fresh.first_level()..=stages.fresh.base.last()).rev() {
        let classes = stages.fresh.base.levels[level as usize].classes;
        let sampled = classes.min(sample.into()) as u64;
        let mut estimate =
            LevelEstimate { level, classes, sampled, left: 0, states_left: 0, time: Duration::ZERO };
        for number in 0..sampled {
            control.observer.counted(&format!("covering some classes at distance {level}"), number, sampled);
            let start = match classes <= sample.into() {
                true => number.into(),
                false => random.below(classes),
            };
            let states = stages.states(ClassBlock { level, start, classes: 1 })?;
            let began = processor_time();
            for state in states {
                match cover.class(&state, level, &mut lists, control)? {
                    Covered::By(_) => {}
                    Covered::Except(states) => {
                        estimate.left += 1;
                        estimate.states_left += states.len();
                    }
                    Covered::Stopped => return Err(Error::interrupted("stopped while estimating")),
                }
            }
            estimate.time += processor_time().saturating_sub(began);
        }
        estimate.time = estimate.time.mul_f64(classes as f64 / sampled.max(1) as f64);
        levels.push(estimate);
    }
    Ok(levels)
}

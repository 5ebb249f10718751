//! What the benchmarks share: how they are measured, and what they are fed. Everything comes from
//! fixed seeds, so that two runs measure the same work.
#![allow(dead_code)]

use std::time::Duration;

use criterion::Criterion;
use godnum::random::Random;
use godnum::space::{Index, Space};

/// The measurement: short, for there are many; options of the command line come on top.
pub fn criterion() -> Criterion {
    Criterion::default()
        .without_plots()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args()
}

/// So many numbers below `universe`, in any order, with repeats.
pub fn numbers<I: Index>(count: usize, universe: I) -> Vec<I> {
    let mut random = Random::new(1);
    let below = universe.wide();
    (0..count).map(|_| I::narrow(random.below(below))).collect()
}

/// About so many numbers below `universe`, ascending, without repeats.
pub fn ascending<I: Index>(count: usize, universe: I) -> Vec<I> {
    let mut numbers = numbers(count, universe);
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Canonical indices as a level holds them: the classes of about so many random states.
pub fn classes<I: Index>(space: &dyn Space<I>, count: usize) -> Vec<I> {
    let numbers = numbers(count, space.universe());
    let mut classes: Vec<I> = numbers.into_iter().filter_map(|number| space.canonical(number)).collect();
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// The engine expands this many classes by one call.
pub const BATCH: usize = 256;

/// The candidates of classes, in the order in which the engine meets them.
pub fn candidates<I: Index>(space: &dyn Space<I>, classes: &[I]) -> Vec<I> {
    let mut candidates = Vec::new();
    for batch in classes.chunks(BATCH) {
        space.expand(batch, &mut candidates);
    }
    candidates
}

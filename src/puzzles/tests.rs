//! What the tests of several puzzles need.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::error::{Error, Result};
use crate::puzzle::Rules;
use crate::space::AnySpace;

/// The words in which something was refused as a user's mistake.
pub fn reason<T>(result: Result<T>) -> String {
    match result {
        Err(Error::Usage(why)) => why,
        Err(other) => panic!("not a usage error: {other}"),
        Ok(_) => panic!("accepted"),
    }
}

/// Holds that many random cases to a check; `name` is for the failure.
pub fn check<S: Strategy>(
    name: &str,
    cases: u32,
    strategy: &S,
    check: impl Fn(S::Value) -> std::result::Result<(), TestCaseError>,
) {
    let mut runner =
        TestRunner::new(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) });
    if let Err(failure) = runner.run(strategy, check) {
        panic!("{name}: {failure}");
    }
}

/// Classes and states of every level, by the plainest walk of the space.
pub fn walk_plainly(puzzle: &dyn Rules) -> Vec<(usize, u128)> {
    let Some(AnySpace::Narrow(space)) = puzzle.space() else { panic!("{} is not small", puzzle.text()) };
    let mut levels = Vec::new();
    let mut previous = BTreeSet::new();
    let mut current: BTreeSet<u64> = space.roots().into_iter().collect();
    while !current.is_empty() {
        assert!(levels.len() < 300, "moves are not reversible");
        let batch: Vec<_> = current.iter().copied().collect();
        levels.push((batch.len(), space.states(&batch)));
        let mut candidates = Vec::new();
        space.expand(&batch, &mut candidates);
        candidates.retain(|index| !current.contains(index) && !previous.contains(index));
        previous = std::mem::replace(&mut current, candidates.into_iter().collect());
    }
    levels
}

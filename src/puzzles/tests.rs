//! What the tests of several puzzles need.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::error::{Error, Result};
use crate::puzzle::Rules;
use crate::space::{AnySpace, RowStep, Rows, Space};

/// The words in which something was refused as a user's mistake.
pub fn reason<T>(result: Result<T>) -> String {
    match result {
        Err(Error::Usage(why)) => why,
        // Something that is spelled nearly alike is suggested.
        Err(error @ Error::Misdirected { .. }) => crate::cli::explain(&error),
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

/// Whether a step carries a column of a row with these parts.
fn carries(parts: &[u8], step: &RowStep, column: u32) -> bool {
    let part = parts.get(column as usize).copied().unwrap_or(0);
    (step.parts.0..=step.parts.1).contains(&part)
}

/// Where steps take a number.
fn images(rows: &dyn Rows, number: u64, steps: &[RowStep]) -> Vec<u64> {
    let columns = u64::from(rows.columns());
    let parts = rows.parts(number / columns);
    let mut all = Vec::new();
    for step in steps {
        if !carries(parts, step, (number % columns) as u32) {
            continue;
        }
        let mut images = Vec::new();
        rows.carry(number / columns, step, &[(number % columns) as u32], &mut images);
        assert!(images.len() == 1 && images[0] < rows.columns());
        all.push(step.row * columns + u64::from(images[0]));
    }
    all
}

/// Holds rows to what they promise, at some numbers, against the space itself.
pub fn check_rows(space: &dyn Space<u64>, rows: &dyn Rows, numbers: impl Iterator<Item = u64>) {
    let columns = u64::from(rows.columns());
    assert_eq!(space.universe() % columns, 0);
    let steps_from = |number: u64| {
        let mut steps = Vec::new();
        rows.steps(number / columns, &mut steps);
        images(rows, number, &steps)
    };
    let twins_of = |number: u64| {
        let mut steps = Vec::new();
        rows.twins(number / columns, &mut steps);
        let mut twins = images(rows, number, &steps);
        twins.push(number);
        twins
    };
    for number in numbers {
        let class = space.canonical(number).unwrap();
        assert!(twins_of(number).iter().all(|&twin| space.canonical(twin) == Some(class)));
        // Steps lead to the neighbours, and back.
        let mut neighbours = Vec::new();
        space.expand(&[class], &mut neighbours);
        let to = steps_from(number);
        let expected: BTreeSet<u64> = neighbours.into_iter().collect();
        let found: BTreeSet<u64> = to.iter().filter_map(|&to| space.canonical(to)).collect();
        assert_eq!(found, expected, "number {number}");
        for to in to {
            let back: Vec<u64> = steps_from(to).into_iter().flat_map(twins_of).collect();
            assert!(back.contains(&number), "{number} to {to}");
        }
        // The class knows its numbers.
        let mut all = Vec::new();
        rows.numbers(class, &mut all);
        assert!(all.iter().all(|&other| space.canonical(other) == Some(class)));
        assert!(all.into_iter().flat_map(twins_of).any(|other| other == number), "{number} of {class}");
        // Canonical numbers are told from others.
        let column = (number % columns) as usize;
        let mut bits = vec![0; columns.div_ceil(64) as usize];
        bits[column / 64] = 1 << (column % 64);
        rows.retain_canonical(number / columns, &mut bits);
        assert_eq!(bits.iter().any(|&word| word != 0), class == number, "{number} of {class}");
    }
}

/// Holds whole rows to what their numbers are one by one.
pub fn check_whole_rows(space: &dyn Space<u64>, rows: &dyn Rows, chosen: impl Iterator<Item = u64>) {
    for row in chosen {
        let all: Vec<u32> = (0..rows.columns()).collect();
        let number = |column: &u32| row * u64::from(rows.columns()) + u64::from(*column);
        let (mut steps, mut together) = (Vec::new(), Vec::new());
        rows.steps(row, &mut steps);
        let parts = rows.parts(row);
        assert!(parts.is_empty() || parts.len() == all.len());
        let mut carried = 0;
        for step in &steps {
            let those: Vec<u32> =
                all.iter().copied().filter(|&column| carries(parts, step, column)).collect();
            carried += those.len();
            together.clear();
            rows.carry(row, step, &those, &mut together);
            let mut distinct = together.clone();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), those.len(), "a step takes no two columns to one");
            let base = step.row * u64::from(rows.columns());
            let alone =
                those.iter().step_by(97).map(|column| images(rows, number(column), &[*step])[0] - base);
            assert!(alone.eq(together.iter().step_by(97).map(|&image| u64::from(image))));
        }
        if parts.is_empty() {
            assert_eq!(carried, all.len() * space.fanout());
        }
        let mut bits = vec![0u64; all.len().div_ceil(64)];
        for column in &all {
            bits[*column as usize / 64] |= 1 << (column % 64);
        }
        rows.retain_canonical(row, &mut bits);
        for column in &all {
            let kept = bits[*column as usize / 64] >> (column % 64) & 1 == 1;
            assert_eq!(kept, space.canonical(number(column)) == Some(number(column)), "{}", number(column));
        }
    }
}

//! Solutions and bounds against a plain search over patterns.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;

use crate::engine::{Control, Silent};
use crate::puzzle::{Effort, Rules, State, Workbench};
use crate::puzzles::perm::definition::{Definition, Pattern};
use crate::puzzles::perm::tests::oracle::{OracleMetric, walk};
use crate::puzzles::perm::tests::random::{Spice, definition};
use crate::puzzles::perm::{PermutationOptions, PermutationPuzzle, notation};
use crate::puzzles::registry;

/// Solves states with the tables in a directory of their own.
fn attempts(puzzle: &dyn Rules, states: &[State]) -> Vec<Result<(Option<usize>, u32), String>> {
    let dir = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let bench = Workbench::new(dir.path().to_owned(), 1 << 30, 1, Control { stop: &stop, observer: &Silent });
    let solvers = puzzle.solvers();
    let ready = solvers[0].prepare(&bench, None).unwrap();
    let attempt = |state: &State| {
        let effort = Effort::unbounded(1 << 26, &stop);
        let solved = crate::solve::solve(puzzle, &*ready, state, &effort).map_err(|e| e.to_string())?;
        Ok((solved.attempt.moves.map(|moves| moves.len()), solved.attempt.bound))
    };
    states.iter().map(attempt).collect()
}

/// The distance of every state to the solved ones, along the moves.
fn distances(definition: &Definition) -> Option<HashMap<Pattern, usize>> {
    let mut back = definition.clone();
    for mv in &mut back.moves {
        *mv = mv.inverse(&definition.orbits);
    }
    let mut levels = Vec::new();
    // From level to level: a definition may have any number of states.
    for depth in 1..=9 {
        levels = walk(&back, OracleMetric::AnyPower, depth);
        if levels.iter().map(Vec::len).sum::<usize>() >= 20_000 {
            return None;
        }
    }
    let number = (0..).zip(levels).flat_map(|(number, level)| level.into_iter().map(move |p| (p, number)));
    Some(number.collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn solutions_are_shortest(seed: u64, forbidden: bool, blocks: bool, goals: bool) {
        let spice = Spice { forbidden: forbidden && seed % 2 == 0, blocks: blocks && seed % 3 == 0, goals };
        let definition = definition(seed, spice);
        let puzzle = PermutationPuzzle::new(
            "perm:t".into(), "t".into(), definition.clone(), &PermutationOptions::default()
        );
        let (Ok(puzzle), Some(known)) = (puzzle, distances(&definition)) else {
            return Err(TestCaseError::reject("too large"));
        };
        let mut patterns: Vec<(&Pattern, &usize)> = known.iter().collect();
        patterns.sort_by_key(|(pattern, _)| notation::state(pattern));
        let step = patterns.len().div_ceil(25);
        let some: Vec<_> = patterns.into_iter().step_by(step).collect();
        let states: Vec<State> = some.iter().map(|(pattern, _)| notation::state(pattern)).collect();
        for (found, (pattern, distance)) in attempts(&puzzle, &states).into_iter().zip(some) {
            let expected = (Some(*distance), *distance as u32);
            let found = found.map_err(TestCaseError::fail)?;
            prop_assert_eq!((found.0, found.1.min(*distance as u32)), (expected.0, expected.1.min(found.1)));
            prop_assert!(*distance == 0 || found.1 == *distance as u32, "{}", notation::print(pattern));
        }
    }
}

#[test]
fn states_without_solutions_are_told_so() {
    for (text, state) in [
        // One corner is twisted; two edges are swapped.
        ("perm:2x2x2", "1+1 2 3 4 5 6 7"),
        ("perm:pyraminx", "1 2 3 4/2 1 3 4 5 6"),
    ] {
        let puzzle = registry::parse(text).unwrap();
        let Ok(state) = puzzle.parse_state(state) else {
            panic!("{}", puzzle.print_state(&puzzle.root().unwrap()));
        };
        let found = attempts(&*puzzle, &[state]).remove(0);
        assert!(found.unwrap_err().contains("can never be solved"), "{text}");
    }
}

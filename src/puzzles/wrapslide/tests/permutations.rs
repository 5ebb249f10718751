//! The board as a permutation puzzle has the same states, level by level.

use std::collections::HashSet;

use super::*;
use crate::puzzle::Permutations;
use crate::puzzles::perm::format::{Format, read, read_patterns, write, write_goals};
use crate::puzzles::perm::tests::oracle::{OracleMetric, levels};

/// How many states there are at each distance, by the rules.
fn levels_by_rules(puzzle: &Wrapslide) -> Vec<usize> {
    let mut level: Vec<State> = puzzle.variant.solved().into_iter().map(State).collect();
    let mut seen: HashSet<State> = level.iter().cloned().collect();
    let mut counts = Vec::new();
    while !level.is_empty() {
        counts.push(level.len());
        let moves = level.iter().flat_map(|state| puzzle.moves(state).into_iter().map(move |mv| (state, mv)));
        let all = moves.map(|(state, mv)| puzzle.apply(state, mv));
        level = all.filter(|state| seen.insert(state.clone())).collect();
    }
    counts
}

#[test]
fn exported_boards_have_the_same_levels() {
    for text in ["4x4:2", "4x4:2:unit", "4x4:3:fixed", "4x4:4:fixed:unit"] {
        let puzzle = puzzle(text);
        let expected = levels_by_rules(&puzzle);
        let definition = puzzle.definition();
        assert_eq!(read(&write(&definition, Format::Kpuzzle)).as_ref(), Ok(&definition), "{text}");
        assert_eq!(levels(&definition, OracleMetric::AnyPower), expected, "{text}");

        let mut copy = read(&write(&definition, Format::Tws)).unwrap();
        let goals = write_goals(&definition).unwrap();
        copy.solved.extend(read_patterns(&goals, &copy).unwrap());
        assert_eq!(copy.solved, definition.solved, "{text}");
        let metric = match puzzle.variant.unit {
            true => OracleMetric::Quarter,
            false => OracleMetric::AnyPower,
        };
        assert_eq!(levels(&copy, metric), expected, "{text}");
    }
}

#[test]
fn every_variant_can_be_exported() {
    for text in variants() {
        let definition = puzzle(&text).definition();
        assert_eq!(definition.name, format!("wrapslide:{text}"));
        assert_eq!(read(&write(&definition, Format::Kpuzzle)), Ok(definition));
    }
}

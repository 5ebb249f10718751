//! What is read, what is refused, and that what is written is read back.

mod edits;
mod random;
mod refusals;
mod sections;

use super::{Format, read, read_patterns, write, write_goals};
use crate::puzzles::perm::definition::{Definition, NamedMove, Transformation};
use crate::puzzles::perm::definitions::{DEFINITIONS, named};
use crate::puzzles::perm::tests::oracle::{OracleMetric, levels, walk};
use proptest::prelude::*;

/// A definition that comes with the program.
fn built_in(name: &str) -> Definition {
    read(named(name).unwrap().text).unwrap()
}

/// The move with a name, which may be a rotation.
fn transformation<'a>(definition: &'a Definition, name: &str) -> &'a Transformation {
    let mut all = definition.moves.iter().chain(&definition.rotations);
    &all.find(|mv| mv.name == name).unwrap().transformation
}

#[test]
fn definitions_of_the_program_are_the_puzzles_that_they_are_called() {
    use OracleMetric::{AnyPower, Quarter};
    // Complete tables: OEIS A079764 for the pyramorphix; the others were counted by a second program.
    for (name, expected) in [
        ("floppy", &[1, 4, 10, 24, 53, 64, 31, 4, 1][..]),
        ("ivy", &[1, 8, 48, 288, 1640, 7582, 15262, 4221, 110]),
        ("pyramorphix", &[1, 9, 54, 321, 1835, 9716, 39536, 68424, 16120, 64]),
    ] {
        assert_eq!(levels(&built_in(name), AnyPower), expected, "{name}");
    }
    // First levels: OEIS A079761, A079762, A079744, A079820, and well-known tables of the 3x3x3 cube.
    for (name, metric, expected) in [
        ("2x2x2", AnyPower, &[1, 9, 54, 321, 1847, 9992][..]),
        ("2x2x2", Quarter, &[1, 6, 27, 120, 534, 2256, 8969]),
        ("pyraminx", AnyPower, &[1, 8, 48, 288, 1728, 9896]),
        ("skewb", AnyPower, &[1, 8, 48, 288, 1728, 10248]),
        ("skewb-diamond", AnyPower, &[1, 8, 48, 288, 1680, 9360]),
        ("ufo", Quarter, &[1, 5, 20, 79, 306, 1185, 4550, 17240]),
        ("squares", AnyPower, &[1, 6, 27, 120, 519, 1932, 6484]),
        ("two-faces", AnyPower, &[1, 6, 18, 54, 162, 486, 1457, 4360]),
        ("dino", AnyPower, &[1, 16, 160, 1408]),
        ("domino", AnyPower, &[1, 10, 67, 420, 2335]),
        ("phase1", AnyPower, &[1, 4, 50, 592, 7156]),
        ("3x3x3", AnyPower, &[1, 18, 243, 3240]),
    ] {
        let walked = walk(&built_in(name), metric, expected.len());
        assert_eq!(walked.iter().map(Vec::len).collect::<Vec<_>>(), expected, "{name}");
    }
}

#[test]
fn a_held_corner_is_as_far_as_any_orientation() {
    // Every state up to rotation: 24 times as many, level by level.
    let mut all = built_in("2x2x2-rotations");
    let mut next = 0;
    while next < all.solved.len() {
        for rotation in &all.rotations {
            let rotated = all.solved[next].after(&rotation.transformation);
            if !all.solved.contains(&rotated) {
                all.solved.push(rotated);
            }
        }
        next += 1;
    }
    let found: Vec<usize> = walk(&all, OracleMetric::AnyPower, 4).iter().map(Vec::len).collect();
    assert_eq!(found, [24, 24 * 9, 24 * 54, 24 * 321]);
}

#[test]
fn every_format_gives_the_same_definition_back() {
    for named in DEFINITIONS {
        let definition = read(named.text).unwrap();
        assert_eq!(definition.name, named.name);
        for format in [Format::Tws, Format::Kpuzzle] {
            let written = write(&definition, format);
            assert_eq!(read(&written).as_ref(), Ok(&definition), "{}\n{written}", named.name);
        }
        assert_eq!(write_goals(&definition), None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_kpuzzle_says_everything(seed: u64) {
        let definition = random::definition(seed, random::RandomReach::All);
        let written = write(&definition, Format::Kpuzzle);
        prop_assert!(read(&written).as_ref() == Ok(&definition), "{}", written);
        let goals: Vec<_> = definition.solved[1..].to_vec();
        if let Some(written) = write_goals(&definition)
            && random::is_all_or_nothing(&definition)
        {
            prop_assert_eq!(read_patterns(&written, &definition), Ok(goals), "{}", written);
        }
    }

    #[test]
    fn a_tws_says_what_twsearch_knows(seed: u64) {
        let definition = random::definition(seed, random::RandomReach::Tws);
        let written = write(&definition, Format::Tws);
        prop_assert!(!written.contains('#'), "{}", written);
        prop_assert!(read(&written).as_ref() == Ok(&definition), "{}", written);
    }

    #[test]
    fn a_tws_says_what_it_lacks(seed: u64) {
        let definition = random::definition(seed, random::RandomReach::All);
        let written = write(&definition, Format::Tws);
        // Powers of moves of order 2 are no further moves.
        let order = |mv: &NamedMove| mv.transformation.order(&definition.orbits);
        let powers = definition.powers || definition.moves.iter().all(|mv| order(mv) <= Some(2));
        let definition = Definition { powers, ..definition.clone() };
        let again = read(&written);
        prop_assert!(again.as_ref() == Ok(&definition) || written.starts_with('#'), "{}", written);
        let gap = write(&definition, Format::Gap);
        prop_assert!(gap.contains("generators := [\n"));
    }
}

#[test]
fn gap_generators_are_permutations_of_slots_and_orientations() {
    let text = "Name tiny\nSet C 2 3\nSet E 2 2\nSolved\nC\n1 2\n0 1\nE\n1 1\n0 ?\nEnd\n";
    assert!(read(&format!("{text}Move a\nEnd\n")).is_err(), "identical pieces contradict each other");
    let text = text.replace("0 ?", "? ?");
    let definition = read(&format!("{text}Move a\nC\n2 1\n1 0\nEnd\n")).unwrap();
    let gap = write(&definition, Format::Gap);
    // The piece in slot 1 is turned by one and goes to slot 2; that in slot 2 goes to slot 1 as it is.
    assert!(gap.contains("  # a\n  (1,5,2,6,3,4)\n];;"), "{gap}");
    assert!(
        gap.contains("solved := [\n  [1],\n  [2],\n  [3],\n  [5],\n  [6],\n  [4],\n  [7,8,9,10]\n];;"),
        "{gap}"
    );
}

#[test]
fn a_file_of_the_program_names_no_move_twice() {
    for named in DEFINITIONS {
        let definition = read(named.text).unwrap();
        let names: std::collections::HashSet<&str> =
            definition.moves.iter().map(|NamedMove { name, .. }| name.as_str()).collect();
        assert_eq!(names.len(), definition.moves.len());
        assert!(named.text.starts_with("# ") && named.about.contains("states") || named.name == "phase1");
    }
}

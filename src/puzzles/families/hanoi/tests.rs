//! Tests of the module above: the space against a search over plain states by the rules.

use std::collections::{BTreeSet, HashMap};

use super::*;
use crate::puzzle::FileSource;
use crate::puzzles::tests::reason;

const SMALL: [&str; 10] = [
    "hanoi:3:1",
    "hanoi:3:5",
    "hanoi:4:1",
    "hanoi:4:5",
    "hanoi:5:4",
    "hanoi:8:3",
    "hanoi:3:5:linear",
    "hanoi:4:4:star",
    "hanoi:3:5:cyclic",
    "hanoi:4:4:cyclic",
];

fn hanoi(text: &str) -> Hanoi {
    let (_, rest) = text.split_once(':').unwrap();
    Hanoi::parse(&PuzzleSpec::split(rest, KIND.options)).unwrap()
}

/// Distances to the goal by plain search: the states that lead to the level before, by the rules.
fn plain_distances(puzzle: &Hanoi) -> HashMap<Vec<u8>, usize> {
    let HanoiRules { pegs, discs, .. } = puzzle.rules;
    let state = |number: usize| -> Vec<u8> {
        (0..discs).map(|disc| (number / pegs.pow(disc as u32) % pegs) as u8).collect()
    };
    let all: Vec<Vec<u8>> = (0..pegs.pow(discs as u32)).map(state).collect();
    let mut distances = HashMap::from([(puzzle.rules.goal(), 0)]);
    for distance in 1.. {
        let reaches = |state: &&Vec<u8>| {
            let after = puzzle.rules.moves(state).into_iter().map(|mv| puzzle.rules.apply(state, mv));
            !distances.contains_key(*state)
                && after.into_iter().any(|s| distances.get(&s) == Some(&(distance - 1)))
        };
        let level: Vec<_> = all.iter().filter(reaches).cloned().collect();
        if level.is_empty() {
            break;
        }
        distances.extend(level.into_iter().map(|state| (state, distance)));
    }
    distances
}

#[test]
fn levels_are_those_of_a_plain_search() {
    for text in SMALL {
        let puzzle = hanoi(text);
        let distances = plain_distances(&puzzle);
        assert_eq!(Some(distances.len() as u128), puzzle.rules.states(), "{text}");
        assert_eq!(Some(u128::from(puzzle.space.universe())), puzzle.rules.classes(), "{text}");
        let (mut current, mut known) = (BTreeSet::from([puzzle.space.roots()[0]]), BTreeSet::new());
        for level in 0.. {
            let expected = distances.values().filter(|&&distance| distance == level).count();
            let batch: Vec<u64> = current.iter().copied().collect();
            assert_eq!(puzzle.space.states(&batch), expected as u128, "{text} level {level}");
            if batch.is_empty() {
                break;
            }
            let mut candidates = Vec::new();
            puzzle.space.expand(&batch, &mut candidates);
            assert!(candidates.len() <= batch.len() * puzzle.space.fanout());
            known.append(&mut current);
            current = candidates.into_iter().filter(|index| !known.contains(index)).collect();
        }
        assert_eq!(known.len() as u64, puzzle.space.universe());
    }
}

#[test]
fn classes_are_numbered_without_gaps() {
    for text in SMALL {
        let puzzle = hanoi(text);
        let mut sizes = HashMap::new();
        for (state, distance) in plain_distances(&puzzle) {
            let index = puzzle.space.index_of(&state);
            let (members, common) = sizes.entry(index).or_insert((0, distance));
            *members += 1;
            assert_eq!(*common, distance, "{text}: a class with two distances");
        }
        for index in 0..puzzle.space.universe() {
            assert_eq!(puzzle.space.index_of(&puzzle.space.state_of(index)), index, "{text}");
            assert_eq!(puzzle.space.states(&[index]), sizes[&index].0, "{text}");
        }
    }
}

#[test]
fn texts_and_states_are_read_back() {
    for text in SMALL {
        let puzzle = hanoi(text);
        assert_eq!(puzzle.text(), text);
        for index in 0..puzzle.space.universe() {
            let state = puzzle.state_of(index.into()).unwrap();
            assert_eq!(puzzle.parse_state(&puzzle.print_state(&state)).unwrap(), state);
            for mv in puzzle.moves(&state) {
                assert_eq!(puzzle.parse_move(&state, &puzzle.move_name(&state, mv)).unwrap(), mv);
            }
        }
    }
    let puzzle = hanoi("hanoi:4:4");
    let state = puzzle.parse_state("4 3/./2/1").unwrap();
    assert_eq!(puzzle.print_state(&state), "4 3/./2/1");
    assert_eq!(
        puzzle.draw(&state, false),
        " =====      |        |        |\n=======     |       ===       =\n   A        B        C        D"
    );
    for (text, words) in [
        ("4 3/2/1", "does not list 4 pegs"),
        ("4 3/./2/x", "not a disc from 1 to 4"),
        ("3 4/./2/1", "cannot lie on the smaller disc 3"),
        ("4 3/3/2/1", "is there twice"),
        ("4 3/./2/.", "disc 1 is missing"),
    ] {
        let why = reason(puzzle.parse_state(text));
        assert!(why.contains(words), "{text}: {why}");
    }
    for text in [
        "hanoi",
        "hanoi:4",
        "hanoi:2:3",
        "hanoi:9:3",
        "hanoi:4:0",
        "hanoi:4:41",
        "hanoi:8:40",
        "hanoi:4:3:ring",
    ] {
        reason(KIND.parse(text, FileSource::Read));
    }
}

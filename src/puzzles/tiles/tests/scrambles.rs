//! Random states: each equally likely, and the same for ever.

use std::collections::BTreeMap;

use super::*;
use crate::puzzle::{Instance, Scramble};
use crate::random::Random;

fn scrambled(puzzle: &Tiles, random: &mut Random) -> State {
    let Ok(Instance::State(state)) = puzzle.scramble(random) else { panic!("not a state") };
    state
}

#[test]
fn all_states_of_small_boards_come_up_equally_often() {
    for (text, states) in [("2x2", 12), ("2x3", 360), ("3x2:push", 360)] {
        let puzzle = puzzle(text);
        let mut random = Random::new(3);
        let mut times: BTreeMap<State, f64> = BTreeMap::new();
        let each = 300.0;
        for _ in 0..states * 300 {
            *times.entry(scrambled(&puzzle, &mut random)).or_default() += 1.0;
        }
        assert_eq!(times.len(), states);
        // The sum of squares has the mean `states - 1` and the deviation `sqrt(2 (states - 1))`.
        let squares: f64 = times.values().map(|n| (n - each) * (n - each) / each).sum();
        let freedom = states as f64 - 1.0;
        let off = (squares - freedom) / (2.0 * freedom).sqrt();
        assert!(off.abs() < 4.0, "{text}: {off}");
    }
}

#[test]
fn all_boards_are_scrambled_to_states() {
    for text in variants() {
        let puzzle = puzzle(&text);
        for number in 0..20 {
            let state = scrambled(&puzzle, &mut Random::instance(1, number));
            let printed = puzzle.print_state(&state);
            assert_eq!(puzzle.parse_state(&printed).unwrap(), state);
        }
    }
}

/// What a seed means is frozen.
#[test]
fn a_seed_always_gives_the_same_state() {
    for (text, seed, number, expected) in FROZEN {
        let puzzle = puzzle(text);
        let state = scrambled(&puzzle, &mut Random::instance(seed, number));
        assert_eq!(puzzle.print_state(&state), expected, "{text} {seed} {number}");
    }
}

const FROZEN: [(&str, u64, u64, &str); 5] = [
    ("2x2", 1, 0, "3 1/2 0"),
    ("3x3", 1, 0, "3 6 8/1 5 0/2 7 4"),
    ("3x3", 1, 1, "3 4 0/5 2 7/1 8 6"),
    ("4x4", 2, 7, "4 8 3 5/12 14 2 0/6 10 1 15/11 13 9 7"),
    ("4x5:push", 3, 0, "5 1 13 8 11/9 19 6 0 10/7 15 2 16 4/14 12 17 18 3"),
];

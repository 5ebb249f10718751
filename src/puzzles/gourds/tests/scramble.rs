//! Random states: uniform, and frozen.

use std::collections::HashMap;

use super::*;
use crate::puzzle::{Indexed, Instance, Scramble};
use crate::random::Random;

fn scrambled(puzzle: &Gourds, random: &mut Random) -> State {
    match puzzle.scramble(random) {
        Ok(Instance::State(state)) => state,
        _ => panic!("no state"),
    }
}

/// Draws that many states for each there is, and compares with what chance allows.
fn is_uniform(text: &str, states: usize) {
    let puzzle = puzzle(text);
    assert_eq!(puzzle.totals().states.unwrap_or(states as u128), states as u128);
    let mut random = Random::new(11);
    let mut seen: HashMap<State, f64> = HashMap::new();
    for _ in 0..100 * states {
        let state = scrambled(&puzzle, &mut random);
        assert_eq!(puzzle.parse_state(&puzzle.print_state(&state)).unwrap(), state);
        *seen.entry(state).or_default() += 1.0;
    }
    assert_eq!(seen.len(), states, "{text}");
    // The sum of squares is that of a chi-square distribution with this many degrees of freedom.
    let square: f64 = seen.values().map(|times| (times - 100.0).powi(2) / 100.0).sum();
    let (mean, deviation) = (states as f64, (2.0 * states as f64).sqrt());
    assert!((square - mean).abs() < 5.0 * deviation, "{text}: {square}");
}

#[test]
fn states_are_uniform() {
    is_uniform("rows-2-3", 56);
    is_uniform("flower7", 960);
    is_uniform("seed1", 480);
    is_uniform("alike", 20);
    is_uniform("middle", 120);
    is_uniform("mirror", 180);
    // Boards that are not proper: only what can be solved.
    for text in ["bowtie5", "ring7"] {
        let levels = common::walk_plainly(&puzzle(text));
        is_uniform(text, levels.iter().map(|level| level.1 as usize).sum());
    }
}

#[test]
fn the_star_gives_states_that_can_be_solved() {
    let puzzle = puzzle("star13");
    let levels = common::walk_plainly(&puzzle);
    assert_eq!(levels.iter().map(|level| level.1).sum::<u128>(), 1216);
    let mut random = Random::new(1);
    let first = scrambled(&puzzle, &mut random);
    assert_ne!(scrambled(&puzzle, &mut random), first);
}

#[test]
fn the_largest_boards_have_random_states() {
    for seed in 0..8 {
        let puzzle = puzzle(&format!("random:63:{seed}"));
        let state = scrambled(&puzzle, &mut Random::new(seed));
        assert_eq!(puzzle.parse_state(&puzzle.print_state(&state)).unwrap(), state);
    }
    let refused = puzzle("rows-63").scramble(&mut Random::new(1));
    let Err(Error::Limit(why)) = refused else {
        panic!("accepted");
    };
    assert!(why.to_string().contains("the board is not proper"), "{why}");
}

/// What a seed gives is frozen.
#[test]
fn a_seed_always_gives_the_same_states() {
    let states = FROZEN.map(|(text, _)| {
        let puzzle = puzzle(text);
        let state = scrambled(&puzzle, &mut Random::instance(2026, 3));
        puzzle.print_state(&state)
    });
    assert_eq!(states, FROZEN.map(|(_, state)| state));
}

const FROZEN: [(&str, &str); 5] = [
    ("rows-2-3", "1-0,3-2"),
    ("seed1", "6-5,0-2,1-3"),
    ("hex19", "17-16,1-4,3-0,18-14,12-13,15-11,9-10,5-6,8-7"),
    ("star13", "2-1,8-5,6-3,4-7,12-9,10-11"),
    (
        "hex37",
        "10-11,32-27,3-8,25-26,24-17,35-30,16-15,7-12,31-36,34-33,21-20,1-0,23-22,19-18,13-14,29-28,6-5,9-4",
    ),
];

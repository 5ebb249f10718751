//! Random states: uniform, and frozen.

use std::collections::HashMap;

use super::puzzle;
use crate::puzzle::{Instance, Rules};
use crate::random::Random;

fn scramble(puzzle: &dyn Rules, seed: u64, number: u64) -> String {
    match puzzle.scramble(&mut Random::instance(seed, number)) {
        Ok(Instance::State(state)) => puzzle.print_state(&state),
        _ => panic!("not a state"),
    }
}

/// What a seed means must never change.
#[test]
fn a_seed_always_gives_the_same_states() {
    for (text, expected) in FROZEN {
        assert_eq!(scramble(&puzzle(text), 2016, 1), expected, "{text}");
    }
}

const FROZEN: [(&str, &str); 5] = [
    ("4x4:2", "2222/1222/2112/2221"),
    ("4x4:3:any", "3332/1233/3112/3231"),
    ("4x4:4:fixed", "1142/1124/2343/3243"),
    ("6x6:3:fixed", "111333/111223/111233/232333/332323/233233"),
    ("6x6:4", "231441/233213/243221/143432/341121/214434"),
];

#[test]
fn every_variant_gives_states_that_can_be_read_back() {
    for text in super::variants() {
        let puzzle = puzzle(&text);
        for number in 1..20 {
            let state = scramble(&puzzle, 5, number);
            let read = puzzle.parse_state(&state).unwrap();
            assert_eq!(puzzle.print_state(&read), state);
        }
    }
}

/// All 1820 states of the smallest board come up about equally often: the sum of squared deviations is
/// what chance makes of it (1819 degrees of freedom, standard deviation 60).
#[test]
fn every_state_is_equally_likely() {
    let puzzle = puzzle("4x4:2");
    let mut times = HashMap::new();
    let (states, draws) = (1820.0, 36_400);
    for number in 1..=draws {
        *times.entry(scramble(&puzzle, 1, number)).or_insert(0.0) += 1.0;
    }
    assert_eq!(times.len(), 1820);
    let expected = draws as f64 / states;
    let squares = times.values().map(|&seen: &f64| (seen - expected).powi(2) / expected);
    let sum: f64 = squares.sum();
    assert!((1819.0 - 300.0..1819.0 + 300.0).contains(&sum), "{sum}");
}

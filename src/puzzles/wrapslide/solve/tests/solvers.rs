//! Solvers against table descent.

use super::with_bench;
use crate::puzzle::{Indexed, Instance, Rules, Scramble, Solving, State};
use crate::puzzles::wrapslide::tests::puzzle;
use crate::random::Random;
use crate::solve::{Effort, Solved, choose, solve};

/// What solvers say about states: an entry for each state, with one for each solver.
fn solved(text: &str, solvers: &[&str], states: &[State]) -> Vec<Vec<Solved>> {
    let puzzle = puzzle(text);
    with_bench(|bench| {
        let choices = solvers.iter().map(|name| choose(&puzzle, Some(name)).unwrap());
        let choices: Vec<_> = choices.collect();
        let ready: Vec<_> = choices.iter().map(|c| c.prepare(bench).unwrap()).collect();
        let effort = Effort::unbounded(1 << 28, bench.control.stop);
        let each = |state: &State| {
            let each = ready.iter();
            let each = each.map(|solver| solve(&puzzle, &**solver, state, &effort).unwrap());
            each.collect()
        };
        states.iter().map(each).collect()
    })
}

fn random_states(text: &str, count: u64) -> Vec<State> {
    let puzzle = puzzle(text);
    let state = |number| match puzzle.scramble(&mut Random::instance(4, number)) {
        Ok(Instance::State(state)) => state,
        _ => panic!("no state"),
    };
    (0..count).map(state).collect()
}

fn agree(text: &str, states: &[State]) {
    let names = ["table", "optimal", "beam=50", "beam=2"];
    for (state, answers) in states.iter().zip(solved(text, &names, states)) {
        let lengths: Vec<_> = answers.iter().map(|answer| answer.length()).collect();
        assert!(answers[0].is_optimal() && answers[1].is_optimal(), "{text} {state:?}");
        assert_eq!(lengths[0], lengths[1], "{text} {state:?}");
        for (answer, length) in answers[2..].iter().zip(&lengths[2..]) {
            assert!(length >= &lengths[0], "{text} {state:?}");
            assert!(Some(answer.attempt.bound) <= lengths[0], "{text} {state:?}");
        }
    }
}

#[test]
fn optimal_agrees_with_the_table_on_every_state() {
    let puzzle = puzzle("4x4:2");
    let all = (0..1u32 << 16).filter(|set| set.count_ones() == 4);
    let board = |set: u32| State((0..16).map(|cell| 2 - (set >> cell & 1) as u8).collect());
    let states: Vec<State> = all.map(board).collect();
    assert_eq!(states.len() as u128, puzzle.totals().states.unwrap());
    agree("4x4:2", &states);
}

#[test]
fn optimal_agrees_with_the_table_on_random_states() {
    for text in [
        "4x4:3",
        "4x4:3:any",
        "4x4:4",
        "4x4:2:unit",
        "4x4:4:unit",
        "4x4:3:any:unit",
        "4x4:3:fixed",
        "4x4:4:fixed",
    ] {
        agree(text, &random_states(text, 60));
    }
}

/// What is one or two moves away is solved in that many, whatever the first levels hold.
#[test]
fn a_short_way_is_found() {
    let start = puzzle("4x4:4");
    let state = start.parse_state("1122/1122/3344/3344").unwrap();
    let mut states = vec![state.clone()];
    for mv in start.moves(&state) {
        states.push(start.apply(&state, mv));
    }
    agree("4x4:4", &states);
}

#[test]
fn the_thesis_solves_small_boards() {
    for (text, most) in [("4x4:2", 20), ("4x4:3:any", 30), ("4x4:3", 30), ("4x4:4", 40)] {
        let states = random_states(text, 40);
        for (state, answers) in states.iter().zip(solved(text, &["thesis", "table"], &states)) {
            let [thesis, table] = [answers[0].length(), answers[1].length()];
            assert!(thesis >= table && thesis <= Some(most), "{text} {state:?} {thesis:?}");
        }
    }
}

/// Boards of 8x8 have no tables of distances: the beam has values of windows, and the thesis' heuristic may fail.
#[test]
fn large_boards_have_no_tables() {
    for text in ["8x8:2", "8x8:3", "8x8:4", "8x8:3:any"] {
        let names: Vec<_> = puzzle(text).solvers().iter().map(|s| s.name()).collect();
        assert_eq!(names, ["beam", "thesis"], "{text}");
    }
    let text = "8x8:3";
    let start = puzzle(text);
    let mut state = (&start as &dyn Rules).root().unwrap();
    for mv in ["T3", "L2", "B5"] {
        state = start.apply(&state, start.parse_move(&state, mv).unwrap());
    }
    assert!(solved(text, &["thesis"], &[state])[0][0].length() <= Some(9));
}

#[test]
fn boards_of_8x8_are_solved_by_a_beam() {
    let text = "8x8:3";
    for answers in solved(text, &["beam=200"], &random_states(text, 2)) {
        let length = answers[0].length().unwrap();
        assert!((8..60).contains(&length), "{length}");
    }
}

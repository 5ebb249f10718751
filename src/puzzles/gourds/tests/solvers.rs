//! Every solver, replayed by the rules and checked against plain searches.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::super::board::HexBoard;
use super::super::generate;
use super::*;
use crate::engine::{Control, Silent};
use crate::puzzle::{Indexed, Instance, Scramble, Setup, Solving};
use crate::random::Random;
use crate::solve::{Effort, ReadySolver, Solved, Workbench, solve};

/// Calls `work` with a solver of a puzzle that is ready.
fn with_solver<T>(puzzle: &Gourds, name: &str, work: impl FnOnce(&dyn ReadySolver) -> T) -> Result<T, Error> {
    with_strength(puzzle, name, None, work)
}

/// The same with a strength.
fn with_strength<T>(
    puzzle: &Gourds,
    name: &str,
    strength: Option<u64>,
    work: impl FnOnce(&dyn ReadySolver) -> T,
) -> Result<T, Error> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, observer: &Silent };
    let bench = Workbench::new(PathBuf::from("unused"), 1 << 30, 1, control);
    let solvers = puzzle.solvers();
    let solver = solvers.iter().find(|solver| solver.name() == name).unwrap();
    let prepared = solver.prepare(&bench, strength)?;
    Ok(work(&*prepared))
}

fn solved(puzzle: &Gourds, solver: &dyn ReadySolver, state: &State) -> Solved {
    let stop = AtomicBool::new(false);
    let effort = Effort::unbounded(1 << 28, &stop);
    solve(puzzle, solver, state, &effort).unwrap()
}

fn scrambled(puzzle: &Gourds, seed: u64, number: u64) -> State {
    match puzzle.scramble(&mut Random::instance(seed, number)) {
        Ok(Instance::State(state)) => state,
        _ => panic!("no state"),
    }
}

const CONSTRUCTIVE: [&str; 4] = ["divide", "phases", "insertion", "bubble"];

/// How far every state that can be solved is from being solved.
fn distances(puzzle: &Gourds) -> HashMap<State, u32> {
    // All states that can be reached from a solved one, then those of them that are solved.
    let mut seen = vec![puzzle.root().unwrap()];
    let mut known: HashMap<State, u32> = HashMap::from([(seen[0].clone(), 0)]);
    let mut next = 0;
    while next < seen.len() {
        for mv in puzzle.moves(&seen[next]) {
            let after = puzzle.apply(&seen[next], mv);
            if known.insert(after.clone(), 0).is_none() {
                seen.push(after);
            }
        }
        next += 1;
    }
    let mut queue: Vec<State> = seen.into_iter().filter(|s| puzzle.is_solved(s)).collect();
    let mut far: HashMap<State, u32> = queue.iter().map(|s| (s.clone(), 0)).collect();
    let mut next = 0;
    while next < queue.len() {
        let distance = far[&queue[next]] + 1;
        for mv in puzzle.moves(&queue[next]) {
            let after = puzzle.apply(&queue[next], mv);
            if !far.contains_key(&after) {
                far.insert(after.clone(), distance);
                queue.push(after);
            }
        }
        next += 1;
    }
    far
}

#[test]
fn optimal_is_what_a_plain_search_finds() {
    for (text, states, gods_number) in [
        ("rows-2-3", 56, None),
        ("flower7:goal=0-1,2-5,4-6", 960, Some(12)),
        ("flower7:goal=1-3,2-5,4-6", 960, Some(13)),
        ("rows-3-4:goal=0-3,2-6,4-5", 720, Some(16)),
        ("seed1", 480, Some(9)),
        ("seed3", 960, Some(12)),
        ("seed8", 960, None),
        ("middle", 120, None),
        ("mirror", 180, None),
    ] {
        let puzzle = puzzle(text);
        let far = distances(&puzzle);
        assert_eq!(far.len(), states, "{text}");
        if let Some(number) = gods_number {
            assert_eq!(far.values().max(), Some(&number), "{text}");
        }
        with_solver(&puzzle, "optimal", |solver| {
            for (state, &distance) in &far {
                let found = solved(&puzzle, solver, state);
                assert_eq!(found.length(), Some(distance), "{text}");
                assert!(found.is_optimal());
            }
            // Without memory it is IDA* that finds it.
            let stop = AtomicBool::new(false);
            let effort = Effort::unbounded(0, &stop);
            for (state, &distance) in far.iter().filter(|(_, far)| **far < 11).take(200) {
                let found = solve(&puzzle, solver, state, &effort).unwrap();
                assert_eq!(found.length(), Some(distance), "{text}");
                assert!(found.is_optimal());
            }
        })
        .unwrap();
        for name in CONSTRUCTIVE {
            let made = with_solver(&puzzle, name, |solver| {
                for (state, &distance) in far.iter().step_by(7) {
                    let found = solved(&puzzle, solver, state);
                    assert!(found.length() >= Some(distance), "{text} {name}");
                    assert!(found.attempt.bound <= distance, "{text} {name}");
                }
            });
            works_or_has_no_leaf(name, made);
        }
    }
}

/// Some boards have no leaf of one of the types.
fn works_or_has_no_leaf<T>(name: &str, made: Result<T, Error>) {
    match made {
        Ok(_) => {}
        Err(Error::Limit(why)) if ["insertion", "bubble"].contains(&name) => {
            assert!(why.to_string().contains("no cycle through all cells with"), "{why}");
        }
        Err(other) => panic!("{name}: {other}"),
    }
}

/// The starts of two boards have known distances.
#[test]
fn starts_are_as_far_as_is_known() {
    for (text, distance) in [("seed1", 8), ("seed3", 11)] {
        let puzzle = puzzle(text);
        let start = puzzle.start().unwrap();
        with_solver(&puzzle, "optimal", |solver| {
            assert_eq!(solved(&puzzle, solver, &start).length(), Some(distance));
        })
        .unwrap();
    }
}

/// The puzzle of a board without labels.
fn on_board(board: &HexBoard) -> Gourds {
    let content = format!("board x\ntype shape\nrows {}\n", board.picture());
    own(&content, "").unwrap()
}

#[test]
fn every_solver_works_on_every_small_proper_board() {
    for cells in [3, 5, 7, 9] {
        for board in generate::all(cells).unwrap() {
            let puzzle = on_board(&board);
            for name in CONSTRUCTIVE {
                let made = with_solver(&puzzle, name, |solver| {
                    for number in 0..4 {
                        let found = solved(&puzzle, solver, &scrambled(&puzzle, 1, number));
                        assert!(found.length().is_some() && !found.attempt.cut_short);
                    }
                });
                works_or_has_no_leaf(name, made);
            }
        }
    }
}

fn solves(name: &str, texts: &[&str], times: usize) {
    for text in texts {
        let puzzle = puzzle(text);
        let made = with_solver(&puzzle, name, |solver| {
            let state = scrambled(&puzzle, 7, 0);
            let found = solved(&puzzle, solver, &state);
            assert!(found.length().is_some(), "{text}");
            for _ in 1..times {
                let again = solved(&puzzle, solver, &state);
                assert_eq!(again.attempt, found.attempt, "{text} {name}");
            }
        });
        made.unwrap();
    }
}

#[test]
fn divide_solves_named_and_large_boards() {
    let texts = ["strip9", "seed5", "seed7", "seed9", "tri15", "snake25"];
    solves("divide", &texts, 1);
    solves("divide", &["hex37", "random:37:2", "alike", "reversed"], 1);
}

#[test]
fn phases_solve_named_and_large_boards() {
    solves("phases", &["strip9", "seed7", "hex19", "random:25:1"], 1);
}

/// The length of the solution that a solver finds with a strength, if it works on the board.
fn length(puzzle: &Gourds, name: &str, strength: u64, state: &State) -> Option<u32> {
    let found =
        with_strength(puzzle, name, Some(strength), |solver| solved(puzzle, solver, state).length().unwrap());
    found.ok()
}

/// No solution is longer where more cycles are tried.
#[test]
fn more_strength_is_never_worse() {
    for (text, seed, strengths) in [
        ("hex19", 4, &[1, 2, 3, 5, 16, 64][..]),
        ("seed4", 2, &[1, 2, 4, 16]),
        ("random:25:1", 1, &[1, 4, 8]),
    ] {
        let puzzle = puzzle(text);
        let state = scrambled(&puzzle, seed, 0);
        let lengths = strengths.iter().map(|&strength| length(&puzzle, "divide", strength, &state));
        let lengths: Vec<u32> = lengths.map(Option::unwrap).collect();
        assert!(lengths.is_sorted_by(|a, b| a >= b), "{text}: {lengths:?}");
    }
}

#[test]
fn phases_are_the_better_of_both_sorts() {
    for (text, seeds) in [("hex19", 4..6), ("strip9", 0..2), ("seed7", 0..2)] {
        let puzzle = puzzle(text);
        for seed in seeds {
            let state = scrambled(&puzzle, seed, 0);
            let [both, insertion, bubble] =
                ["phases", "insertion", "bubble"].map(|name| length(&puzzle, name, 4, &state));
            // One of them may not work on a board.
            let shortest = [insertion, bubble].into_iter().flatten().min();
            assert!(shortest.is_some());
            assert_eq!(both, shortest, "{text} {seed}");
        }
    }
}

#[test]
fn strengths_without_meaning_are_refused() {
    let puzzle = puzzle("seed4");
    for name in CONSTRUCTIVE {
        for strength in [0, 1025, u64::MAX] {
            let said = reason(with_strength(&puzzle, name, Some(strength), |_| ()));
            assert!(said.contains("from 1 to 1024, not"), "{said}");
        }
    }
}

#[test]
fn solutions_are_always_the_same() {
    solves("divide", &["seed4", "seed10"], 2);
    solves("phases", &["strip9"], 2);
    solves("bubble", &["seed4"], 2);
    solves("optimal", &["seed1", "rows11"], 2);
}

#[test]
fn solved_states_need_no_moves_and_starts_are_solved() {
    for text in ["seed1", "seed4", "seed7", "seed10", "hex19", "rows-1-2"] {
        let puzzle = puzzle(text);
        with_solver(&puzzle, "divide", |solver| {
            let root = puzzle.root().unwrap();
            assert_eq!(solved(&puzzle, solver, &root).length(), Some(0));
            if let Some(start) = puzzle.start() {
                assert!(solved(&puzzle, solver, &start).length().is_some());
            }
        })
        .unwrap();
    }
}

#[test]
fn boards_that_are_not_proper() {
    for text in ["bowtie5", "ring7", "star13"] {
        let puzzle = puzzle(text);
        assert_eq!(puzzle.solvers()[0].name(), "optimal");
        for name in CONSTRUCTIVE {
            let said = reason(with_solver(&puzzle, name, |_| ()));
            assert!(said.contains("the board is not proper"), "{said}");
        }
        let far = distances(&puzzle);
        assert!((far.len() as u128) < puzzle.totals().existing.unwrap());
        with_solver(&puzzle, "optimal", |solver| {
            for (state, &distance) in far.iter().step_by(1 + far.len() / 100) {
                assert_eq!(solved(&puzzle, solver, state).length(), Some(distance));
            }
            // Exchanging two gourds leads out of what can be solved, on these boards.
            let root = puzzle.root().unwrap();
            let mut other = root.clone();
            for i in 0..2 {
                other.0.swap(i, i + 2);
            }
            if !far.contains_key(&other) {
                let stop = AtomicBool::new(false);
                let effort = Effort::unbounded(1 << 28, &stop);
                let said = reason(solve(&puzzle, solver, &other, &effort));
                assert!(said.contains("can never be solved"), "{said}");
            }
        })
        .unwrap();
    }
}

#[test]
fn time_is_bounded() {
    let puzzle = puzzle("hex37");
    let state = scrambled(&puzzle, 3, 3);
    let stop = AtomicBool::new(false);
    let began = Instant::now();
    for (name, bound) in [("optimal", 19), ("divide", 1)] {
        with_solver(&puzzle, name, |solver| {
            let effort = Effort {
                deadline: Some(Instant::now() + Duration::from_millis(20)),
                ..Effort::unbounded(1 << 24, &stop)
            };
            let found = solve(&puzzle, solver, &state, &effort).unwrap();
            assert!(found.attempt.cut_short, "{name}");
            assert!(found.length().is_some(), "{name}");
            assert!(found.attempt.bound >= bound, "{name}");
        })
        .unwrap();
    }
    assert!(began.elapsed() < Duration::from_secs(5));
}

/// Prints lengths and times of solvers on some boards, or on those of the variable `BOARDS`. Run it with
/// `--ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn lengths() {
    println!("board        solver     states  mean length  least  most  mean bound  mean ms  most ms");
    let boards = std::env::var("BOARDS").unwrap_or(
        "flower7 strip9 rows11 seed4 seed7 seed9 seed10 rows13 tri15 hex19 snake25 hex37 random:37:1 \
         random:63:1"
            .into(),
    );
    for text in boards.split_whitespace() {
        let puzzle = puzzle(text);
        for name in ["optimal", "divide", "phases", "insertion", "bubble"] {
            if name == "optimal" && puzzle.positions().is_none_or(|p| p > 1 << 27) {
                continue;
            }
            let states = if puzzle.board().size() > 20 { 4 } else { 20 };
            let mut all = Vec::new();
            let made = with_solver(&puzzle, name, |solver| {
                let stop = AtomicBool::new(false);
                let effort = Effort::unbounded(1 << 30, &stop);
                for number in 0..states {
                    let state = scrambled(&puzzle, 1, number);
                    if let Ok(found) = solve(&puzzle, solver, &state, &effort) {
                        let length = found.length().unwrap();
                        all.push((length, found.attempt.bound, found.time.as_secs_f64()));
                    }
                }
            });
            if made.is_err() || all.is_empty() {
                println!("{text:12} {name:10} none");
                continue;
            }
            let mean =
                |f: &dyn Fn(&(u32, u32, f64)) -> f64| all.iter().map(f).sum::<f64>() / all.len() as f64;
            println!(
                "{text:12} {name:10} {:6} {:12.1} {:6} {:5} {:11.1} {:8.1} {:8.1}",
                all.len(),
                mean(&|x| x.0.into()),
                all.iter().map(|x| x.0).min().unwrap(),
                all.iter().map(|x| x.0).max().unwrap(),
                mean(&|x| x.1.into()),
                1000.0 * mean(&|x| x.2),
                1000.0 * all.iter().map(|x| x.2).fold(0.0, f64::max),
            );
        }
    }
}

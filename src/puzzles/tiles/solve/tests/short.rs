//! Short solutions, and what they may cost.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::super::beam::LineBeam;
use super::super::board::{TileBoard, distance, lower_bound};
use super::super::lines::TargetLine;
use super::super::place::place_line;
use super::*;
use crate::solve::Attempt;

/// What `fast` finds with a width; the solution is replayed by the rules.
fn fast(variant: TilesVariant, width: u64, state: &State, effort: &Effort<'_>) -> Attempt {
    with_bench(1 << 24, |bench| {
        let fast = TilesFast(variant);
        let fast = fast.prepare(bench, Some(width)).unwrap();
        let solved = solve(&*puzzle(&variant), &*fast, state, effort).unwrap();
        solved.attempt
    })
}

/// All sizes, each in one of the metrics, with narrow beams, which are stuck often.
#[test]
fn fast_solves_every_board() {
    let sizes = (2..=10).flat_map(|rows| (2..=10).map(move |columns| (rows, columns)));
    let sizes: Vec<(usize, usize)> = sizes.collect();
    sizes.into_par_iter().for_each(|(rows, columns)| {
        let push = (rows + columns) % 2 == 1;
        let width = if push { 1 } else { 7 };
        let variant = variant(rows, columns, push);
        with_bench(1 << 24, |bench| {
            let fast = TilesFast(variant);
            let ready = fast.prepare(bench, Some(width)).unwrap();
            for number in 0..80 / variant.cells() as u64 + 1 {
                length(&variant, &*ready, &random_board(&variant, number));
            }
        });
    });
}

#[test]
fn fast_is_the_same_every_time() {
    let variant = variant(5, 6, false);
    with_bench(1 << 24, |bench| {
        let fast = TilesFast(variant);
        let attempts = [(); 2].map(|()| {
            let ready = fast.prepare(bench, None).unwrap();
            let stop = AtomicBool::new(false);
            let effort = Effort::unbounded(1 << 24, &stop);
            let states = (0..3).map(|number| random_board(&variant, number));
            let attempts = states.map(|state| ready.attempt(&state, &effort).unwrap());
            attempts.collect::<Vec<_>>()
        });
        assert_eq!(attempts[0], attempts[1]);
    });
}

#[test]
fn lines_are_solved_tile_by_tile() {
    for (rows, columns) in [(2, 4), (4, 2), (3, 4), (2, 10), (10, 2), (4, 4), (7, 6)] {
        let variant = variant(rows, columns, false);
        for number in 0..10 {
            let state = random_board(&variant, number);
            let mut board = TileBoard::new(&state.0);
            let mut replayed = board;
            let lines = TargetLine::all(&variant);
            for (solved, line) in lines.iter().enumerate() {
                for from in place_line(&variant, line, &mut board).unwrap() {
                    let blank = replayed.blank();
                    let way = distance(columns, blank, from.into());
                    assert_eq!(way, 1);
                    replayed.slide(from.into());
                }
                for line in &lines[..=solved] {
                    assert!(line.cells.iter().all(|&cell| board.place(cell + 1) == cell));
                    assert_eq!(line.trouble(&board), None);
                }
            }
            assert_eq!(board.tiles, replayed.tiles);
        }
    }
}

/// Solutions of large boards are about twice as long as the lower bound.
#[test]
fn fast_is_short() {
    for (size, most) in [(4, 1.7), (6, 2.0), (10, 2.2)] {
        let variant = variant(size, size, false);
        with_bench(1 << 24, |bench| {
            let fast = TilesFast(variant);
            let fast = fast.prepare(bench, None).unwrap();
            let ratios: Vec<f64> = (0..10)
                .map(|number| {
                    let state = random_board(&variant, number);
                    let found = length(&variant, &*fast, &state);
                    f64::from(found) / f64::from(lower_bound(&variant, &state.0))
                })
                .collect();
            let mean = ratios.iter().sum::<f64>() / 10.0;
            assert!(mean < most, "{size}: {mean}");
        });
    }
}

/// The wide beam alone would take minutes.
#[test]
fn a_stop_is_answered_soon() {
    let variant = variant(9, 9, false);
    let state = random_board(&variant, 1);
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(200));
            stop.store(true, Relaxed);
        });
        let began = Instant::now();
        let attempt = fast(variant, 200_000, &state, &Effort::unbounded(u64::MAX, &stop));
        assert!(attempt.cut_short && attempt.moves.is_none());
        assert!(began.elapsed() < Duration::from_secs(4));
    });
}

#[test]
fn a_deadline_is_kept_with_the_best_solution_so_far() {
    let variant = variant(9, 9, false);
    let state = random_board(&variant, 1);
    let stop = AtomicBool::new(false);
    let unbounded = Effort::unbounded(u64::MAX, &stop);
    let in_time = |width, time| {
        let deadline = Some(Instant::now() + Duration::from_millis(time));
        fast(variant, width, &state, &Effort { deadline, ..unbounded })
    };
    let [first, default] = [16, 128].map(|width| fast(variant, width, &state, &unbounded));
    // No time at all: the narrow beam, which is all if no wider one is wanted.
    let at_once = in_time(16, 0);
    assert_eq!(at_once, first);
    let at_once = in_time(128, 0);
    assert_eq!(at_once.moves, first.moves);
    assert!(at_once.cut_short);
    // Enough for the default width, and not for more.
    let began = Instant::now();
    let later = in_time(200_000, 3000);
    assert!(began.elapsed() < Duration::from_secs(7));
    assert!(later.cut_short);
    let length = |attempt: &Attempt| attempt.moves.as_ref().unwrap().len();
    assert_eq!(length(&later), length(&default).min(length(&first)));
    // Enough for everything.
    let whole = in_time(128, 100_000);
    assert!(!whole.cut_short);
    assert_eq!(length(&whole), length(&default).min(length(&first)));
}

/// The memory that is asked for is a little more than what is used.
#[test]
fn the_need_of_memory_is_known() {
    let cases =
        [(4, 4, 2000), (5, 5, 2000), (6, 6, 1000), (10, 10, 128), (2, 10, 1000), (10, 2, 1000), (3, 8, 1000)];
    cases.into_par_iter().for_each(|(rows, columns, width)| {
        let variant = variant(rows, columns, false);
        let beam = LineBeam::new(variant);
        let needed = beam.needed(width);
        for number in 0..2 {
            let state = random_board(&variant, number);
            let found = beam.solve(&state.0, width, |_| 0, |_| false).unwrap();
            let used = found.bytes;
            assert!(used <= needed, "{rows}x{columns}: {used} {needed}");
            assert!(needed < 4 * used, "{rows}x{columns}: {used} {needed}");
        }
    });
}

#[test]
fn memory_is_a_budget() {
    let variant = variant(5, 5, false);
    let state = random_board(&variant, 0);
    let stop = AtomicBool::new(false);
    with_bench(1 << 24, |bench| {
        let fast = TilesFast(variant);
        let wide = fast.prepare(bench, Some(100_000)).unwrap();
        let refused = wide.attempt(&state, &Effort::unbounded(200 << 20, &stop));
        let refused = refused.unwrap_err();
        assert!(matches!(refused, Error::Limit(_)), "{refused}");
        let said = refused.to_string();
        assert!(said.contains("width 100000"), "{said}");
    });
    let refused = with_bench(1000, |bench| TilesFast(variant).prepare(bench, None).err().unwrap());
    assert!(matches!(refused, Error::Limit(_)), "{refused}");
}

/// The default width is for every board, with what a bench of 16 MiB has left.
#[test]
fn a_little_memory_is_enough_for_the_default() {
    for (rows, columns) in [(2, 10), (10, 2), (4, 4), (10, 10)] {
        let variant = variant(rows, columns, false);
        with_bench(1 << 24, |bench| {
            let fast = TilesFast(variant);
            let fast = fast.prepare(bench, None).unwrap();
            let stop = AtomicBool::new(false);
            let effort = Effort::unbounded(bench.free(), &stop);
            let attempt = fast.attempt(&random_board(&variant, 0), &effort).unwrap();
            assert!(attempt.moves.is_some());
        });
    }
}

//! The methods by themselves, on every small board, and how their solutions grow.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::super::board::{HexBoard, centred_rows};
use super::super::generate;
use super::super::rules::Pairs;
use super::super::shapes::Shapes;
use super::cleanup::{Cleanup, WindowBudget};
use super::homes::{CellDistances, Homes};
use super::packer::PositionPacker;
use super::position::EndMap;
use super::*;
use crate::random::Random;
use crate::solve::Effort;

/// A random placement of gourds that are all different.
fn some_pairs(board: &HexBoard, shapes: &Shapes, random: &mut Random) -> Pairs {
    let shape = shapes.unrank(random.below(shapes.count().into()) as u64);
    let mut pairs: Pairs = shape.pairs().collect();
    assert_eq!(pairs.len(), board.gourds());
    random.shuffle(&mut pairs);
    for pair in &mut pairs {
        if random.place(2) == 1 {
            pair.reverse();
        }
    }
    pairs
}

fn some_position(board: &HexBoard, shapes: &Shapes, random: &mut Random) -> EndMap {
    EndMap::distinct(board, &some_pairs(board, shapes, random))
}

/// Where clicks lead; each must be beside the hole.
fn after(board: &HexBoard, start: &EndMap, way: &[u8]) -> EndMap {
    let mut at = *start;
    for &cell in way {
        assert!(board.adjacent(at.hole.into(), cell.into()));
        at.click(board, cell);
    }
    at
}

fn rows(widths: &[usize]) -> HexBoard {
    HexBoard::new(centred_rows(widths).unwrap()).unwrap()
}

#[test]
fn clicks_follow_the_rules() {
    let mut random = Random::new(1);
    for board in generate::all(9).unwrap() {
        let shapes = Shapes::new(&board).unwrap();
        let mut pairs = some_pairs(&board, &shapes, &mut random);
        let mut at = EndMap::distinct(&board, &pairs);
        let packer = PositionPacker::new(&board, &at);
        for _ in 0..50 {
            let clicks: Vec<usize> = super::super::rules::clicks(&board, &pairs).collect();
            let cell = clicks[random.place(clicks.len())];
            pairs = super::super::rules::click(&board, &pairs, cell).unwrap();
            let before = at;
            let undo = at.click(&board, cell as u8);
            assert_eq!(at, EndMap::distinct(&board, &pairs));
            assert_eq!(packer.unpack(&packer.pack::<8>(&at)), at);
            let mut back = at;
            back.click(&board, undo);
            assert_eq!(back, before);
        }
    }
}

#[test]
fn rotations_bring_the_hole_and_a_gourd_anywhere() {
    let mut random = Random::new(2);
    for board in generate::all(9).unwrap() {
        let shapes = Shapes::new(&board).unwrap();
        let ring = cycle::find(&board, 0).unwrap();
        let start = some_position(&board, &shapes, &mut random);
        let mut path = ring.align(&board, &start).unwrap();
        let n = board.gourds();
        assert!(path.len() <= n * (n + 1));
        assert!(ring.is_aligned(&path.at));
        let mut list = ring.list(&path.at);
        for _ in 0..20 {
            let hole = random.place(board.size()) as u8;
            let first = random.place(n);
            let mut fork = path.fork();
            let from = ring.place(fork.at.hole);
            let steps = ring.steps_to(&board, from, ring.place(hole), Some(first));
            ring.turn_to(&mut fork, hole, Some(first));
            assert_eq!(fork.len(), ring.cost(&board, from, steps));
            // The other way round is no shorter.
            let period = (n * ring.len()) as isize;
            let other = steps - steps.signum() * period;
            assert!(ring.cost(&board, from, steps) <= ring.cost(&board, from, other));
            path.append(fork);
            list.rotate_left(first);
            assert!(ring.is_aligned(&path.at));
            assert_eq!(path.at.hole, hole);
            assert_eq!(ring.list(&path.at), list);
        }
    }
}

#[test]
fn every_cycle_has_a_leaf_and_some_only_of_the_second_type() {
    let mut only_second = 0;
    for cells in [5, 7, 9, 11] {
        for board in generate::all(cells).unwrap() {
            for ring in cycle::several(&board, 8) {
                let first = sorting::leaves(Sort::Insertion, &board, &ring);
                let second = sorting::leaves(Sort::Bubble, &board, &ring);
                assert!(!first.is_empty() || !second.is_empty());
                only_second += usize::from(first.is_empty());
            }
        }
    }
    assert!(only_second > 0);
}

/// All methods on all proper boards with up to eleven cells, at several cycles.
#[test]
fn every_method_ends_in_the_target() {
    let mut random = Random::new(3);
    let mut sorted = [0; 2];
    for cells in [3, 5, 7, 9, 11] {
        for board in generate::all(cells).unwrap() {
            let shapes = Shapes::new(&board).unwrap();
            for ring in cycle::several(&board, 3) {
                let [start, target] = [0; 2].map(|_| some_position(&board, &shapes, &mut random));
                for base in [3, 5, 7] {
                    let way = divide::solve(&board, &ring, &start, &target, base).unwrap();
                    assert_eq!(after(&board, &start, &way), target, "{}", board.picture());
                }
                for (number, sort) in [Sort::Insertion, Sort::Bubble].into_iter().enumerate() {
                    let Some(phases) = phases::solve(&board, &ring, &start, &target, sort) else {
                        continue;
                    };
                    sorted[number] += 1;
                    assert_eq!(after(&board, &start, &phases.all()), target);
                    // The parts are what they are called.
                    let mut at = after(&board, &start, &phases.align);
                    assert!(ring.is_aligned(&at));
                    at = after(&board, &at, &phases.sort);
                    assert!(ring.is_aligned(&at));
                    assert_eq!(after(&board, &at, &phases.unalign), target);
                }
            }
        }
    }
    assert!(sorted.iter().all(|&number| number > 30), "{sorted:?}");
}

#[test]
fn clean_up_keeps_both_ends() {
    let mut random = Random::new(4);
    let never = AtomicBool::new(false);
    let effort = Effort::unbounded(1 << 30, &never);
    for board in generate::all(9).unwrap() {
        let shapes = Shapes::new(&board).unwrap();
        let distances = CellDistances::new(&board);
        let ring = cycle::find(&board, 0).unwrap();
        let [start, target] = [0; 2].map(|_| some_position(&board, &shapes, &mut random));
        let way = divide::solve(&board, &ring, &start, &target, region::MOST).unwrap();
        let without = cleanup::without_loops(&board, &start, &way);
        assert_eq!(after(&board, &start, &without), target);
        let mut budget = WindowBudget { expansions: u64::MAX, memory: 1 << 24 };
        let (short, whole) =
            Cleanup::new(&board, &distances, &start).shorten(&way, &[12], &mut budget, &effort);
        assert!(whole);
        assert_eq!(after(&board, &start, &short), target);
        assert!(short.len() <= without.len() && without.len() <= way.len());
        let homes = Homes::of(&distances, board.gourds(), &target);
        assert!(homes.bound(&start) as usize <= short.len());
    }
}

/// Prints how solutions grow. Run it with `--ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn growth() {
    let never = AtomicBool::new(false);
    let effort = Effort::unbounded(1 << 30, &never);
    let boards = [
        ("strip", rows(&[5, 6])),
        ("strip", rows(&[10, 11])),
        ("strip", rows(&[15, 16])),
        ("strip", rows(&[20, 21])),
        ("strip", rows(&[31, 32])),
        ("hexagon", rows(&[2, 3, 2])),
        ("hexagon", rows(&[3, 4, 5, 4, 3])),
        ("hexagon", rows(&[4, 5, 6, 7, 6, 5, 4])),
        ("hexagon", rows(&[5, 6, 7, 8, 9, 8, 7, 6, 5])),
    ];
    println!("board    N  n method    raw   /n^2  /n^3 ms | clean  /n^2  ms");
    for (name, board) in boards {
        let (turned, _) = super::super::shapes::turned(&board).unwrap();
        let board = turned;
        let shapes = Shapes::new(&board).unwrap();
        let n = board.gourds();
        let ring = cycle::find(&board, 0).unwrap();
        let distances = CellDistances::new(&board);
        for method in ["divide", "insertion", "bubble"] {
            let (mut raw, mut clean, mut times) = (0, 0, [0.0; 2]);
            let mut random = Random::new(5);
            let cases = if n > 20 { 3 } else { 10 };
            let mut made = 0;
            for _ in 0..cases {
                let [start, target] = [0; 2].map(|_| some_position(&board, &shapes, &mut random));
                let began = Instant::now();
                let by = |sort| phases::solve(&board, &ring, &start, &target, sort);
                let way = match method {
                    "divide" => divide::solve(&board, &ring, &start, &target, region::MOST),
                    "insertion" => by(Sort::Insertion).map(|phases| phases.all()),
                    _ => by(Sort::Bubble).map(|phases| phases.all()),
                };
                let Some(way) = way else { continue };
                assert_eq!(after(&board, &start, &way), target);
                made += 1;
                times[0] += began.elapsed().as_secs_f64();
                let began = Instant::now();
                let mut budget = WindowBudget { expansions: 600_000, memory: 2 << 20 };
                let cleanup = Cleanup::new(&board, &distances, &start);
                let sizes = [12, 14, 16, 18, 20];
                let (short, _) = cleanup.shorten(&way, &sizes, &mut budget, &effort);
                times[1] += began.elapsed().as_secs_f64();
                raw += way.len();
                clean += short.len();
            }
            if made == 0 {
                continue;
            }
            let mean = |sum: usize| sum as f64 / made as f64;
            let square = (n * n) as f64;
            println!(
                "{name:8}{:2} {n:2} {method:9} {:7.1} {:5.2} {:5.2} {:6.2} | {:7.1} {:5.2} {:7.1}",
                board.size(),
                mean(raw),
                mean(raw) / square,
                mean(raw) / square / n as f64,
                1000.0 * times[0] / made as f64,
                mean(clean),
                mean(clean) / square,
                1000.0 * times[1] / made as f64,
            );
        }
    }
}

/// Prints what windows gain and cost. Run it with `--ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn windows() {
    let never = AtomicBool::new(false);
    let effort = Effort::unbounded(1 << 30, &never);
    let boards = [
        ("strip21", rows(&[10, 11])),
        ("hex19", rows(&[3, 4, 5, 4, 3])),
        ("hex37", rows(&[4, 5, 6, 7, 6, 5, 4])),
        ("random37", generate::random(37, 1).unwrap()),
    ];
    for (name, board) in boards {
        let (board, _) = super::super::shapes::turned(&board).unwrap();
        let shapes = Shapes::new(&board).unwrap();
        let ring = cycle::find(&board, 0).unwrap();
        let distances = CellDistances::new(&board);
        for memory in [1 << 19, 1 << 21] {
            for sizes in [&[12][..], &[12, 16], &[12, 20], &[12, 16, 20], &[12, 14, 16, 18, 20]] {
                let (mut sum, mut used) = ([0; 2], 0);
                let mut random = Random::new(6);
                let began = Instant::now();
                for _ in 0..3 {
                    let [start, target] = [0; 2].map(|_| some_position(&board, &shapes, &mut random));
                    let way = divide::solve(&board, &ring, &start, &target, region::MOST).unwrap();
                    let expansions = 2_000_000;
                    let mut budget = WindowBudget { expansions, memory };
                    let cleanup = Cleanup::new(&board, &distances, &start);
                    let (short, _) = cleanup.shorten(&way, sizes, &mut budget, &effort);
                    sum[0] += way.len();
                    sum[1] += short.len();
                    used += expansions - budget.expansions;
                }
                println!(
                    "{name:9} {memory:8} {sizes:?} {} -> {} expansions {} ms {:.0}",
                    sum[0] / 3,
                    sum[1] / 3,
                    used / 3,
                    1000.0 * began.elapsed().as_secs_f64() / 3.0
                );
            }
        }
    }
}

//! The survey against the space, and against what is known.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::puzzles::gourds::survey::{Surveyed, survey};

fn run(cells: usize) -> Vec<Surveyed> {
    survey(cells, &AtomicBool::new(false), &|_, _| {}).unwrap()
}

#[test]
fn numbers_of_boards() {
    for (cells, boards) in [(3, 1), (5, 1), (7, 4), (9, 16)] {
        let surveyed = run(cells);
        assert_eq!(surveyed.len(), boards);
        for board in &surveyed {
            assert!(board.smallest.gods_number <= board.largest.gods_number);
            assert!(board.shape_classes as u64 <= board.shapes);
            assert!(board.shape_classes * board.symmetries >= board.shapes as usize);
            let gourds = (cells / 2) as u32;
            let of_a_shape = (1..=u64::from(gourds)).product::<u64>() << gourds;
            assert_eq!(board.states, board.shapes * of_a_shape);
        }
    }
}

#[test]
fn known_boards() {
    assert_eq!(run(3)[0].largest.gods_number, 3);
    let trapezoid = &run(5)[0];
    assert_eq!(trapezoid.rows, ".o.o./o.o.o");
    assert_eq!((trapezoid.shapes, trapezoid.largest.gods_number), (7, 9));
    let seven = run(7);
    let flower = seven.iter().find(|board| board.symmetries == 12).unwrap();
    assert_eq!(flower.rows, ".o.o./o.o.o/.o.o.");
    assert_eq!((flower.shapes, flower.states), (20, 960));
    assert_eq!(flower.smallest.gods_number, 12);
    assert_eq!(flower.largest.gods_number, 13);
}

/// Every goal of every board with up to seven cells, by walking its space.
#[test]
fn extremes_are_those_of_all_goals() {
    for cells in [3, 5, 7] {
        for board in run(cells) {
            let file = format!("board x\ntype shape\nrows {}\n", board.rows);
            let shapes = own(&file, "").unwrap().space.unwrap().shapes.clone();
            assert_eq!(shapes.count(), board.shapes);
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("x");
            std::fs::write(&path, file).unwrap();
            let depth = |goal: &str| {
                let text = format!("@{}:goal={goal}", path.display());
                let puzzle = Gourds::parse(&PuzzleSpec::split(&text, &["goal="])).unwrap();
                common::walk_plainly(&puzzle).len() as u32 - 1
            };
            let depths = (0..shapes.count()).map(|rank| {
                let pairs: Vec<[u8; 2]> = shapes.unrank(rank).pairs().collect();
                depth(&crate::puzzles::gourds::notation::print_pairs(&pairs))
            });
            let depths: Vec<u32> = depths.collect();
            assert_eq!(Some(&board.smallest.gods_number), depths.iter().min());
            assert_eq!(Some(&board.largest.gods_number), depths.iter().max());
            assert_eq!(depth(&board.smallest.goal), board.smallest.gods_number);
            assert_eq!(depth(&board.largest.goal), board.largest.gods_number);
        }
    }
}

#[test]
fn progress_and_stopping() {
    let seen = Mutex::new(Vec::new());
    let boards = survey(7, &AtomicBool::new(false), &|done, of| {
        seen.lock().unwrap().push((done, of));
    });
    let walks: usize = boards.unwrap().iter().map(|board| board.shape_classes).sum();
    let mut seen = seen.into_inner().unwrap();
    seen.sort_unstable();
    assert_eq!(seen, (1..=walks).map(|done| (done, walks)).collect::<Vec<_>>());
    let stopped = survey(7, &AtomicBool::new(true), &|_, _| {});
    assert!(matches!(stopped, Err(Error::Interrupted(_))));
    for cells in [0, 1, 4, 15] {
        let why = reason(survey(cells, &AtomicBool::new(false), &|_, _| {}));
        assert!(why.contains("must be odd and from 3 to 11"), "{why}");
    }
}

#[test]
fn eleven_cells() {
    let surveyed = run(11);
    assert_eq!(surveyed.len(), 69);
    let find = |rows: &str| {
        let board = surveyed.iter().find(|board| board.rows == rows).unwrap();
        (board.smallest.gods_number, board.largest.gods_number)
    };
    assert_eq!(find(".o.o.o.o.o./o.o.o.o.o.o"), (38, 38));
    assert_eq!(find("..o...o../.o.o.o.o./o.o.o.o.o"), (37, 40));
    assert_eq!(find("....o../.o.o.o./o.o.o.o/.o.o.o."), (24, 25));
    let smallest = surveyed.iter().map(|board| board.smallest.gods_number);
    let largest = surveyed.iter().map(|board| board.largest.gods_number);
    assert_eq!((smallest.min(), largest.max()), (Some(24), Some(40)));
}

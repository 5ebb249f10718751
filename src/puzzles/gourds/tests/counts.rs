//! Sizes and levels that are known from elsewhere, or from plain searches.

use crate::puzzle::{Indexed, Setup};
use std::collections::{BTreeSet, HashSet};

use super::*;
use crate::puzzles::gourds::board::{HexBoard, cells_of};
use crate::puzzles::gourds::rules;
use crate::space::Space;

/// States of every level from some placements on, by a search over states alone.
fn search<T: Clone + Eq + std::hash::Hash>(roots: Vec<T>, neighbours: impl Fn(&T) -> Vec<T>) -> Vec<u128> {
    let mut seen: HashSet<T> = roots.iter().cloned().collect();
    let mut level = roots;
    let mut levels = Vec::new();
    while !level.is_empty() {
        levels.push(level.len() as u128);
        let next = level.iter().flat_map(&neighbours);
        level = next.filter(|state| seen.insert(state.clone())).collect();
    }
    levels
}

/// States of every level of a puzzle, from all its solved states on.
fn slow_levels(puzzle: &Gourds) -> Vec<u128> {
    let solved = match (&puzzle.goal, puzzle.labels()) {
        (Some(goal), _) => vec![goal.clone()],
        (None, labels) => {
            let shapes = &puzzle.space.as_ref().unwrap().shapes;
            let shapes = (0..shapes.count()).map(|rank| shapes.unrank(rank));
            shapes
                .filter_map(|shape| labels.unwrap().placed(&shape))
                .map(|pairs| puzzle.kinds.normal(&pairs))
                .collect()
        }
    };
    let solved: Vec<State> = solved.iter().map(|pairs| state_of(pairs)).collect();
    assert!(solved.iter().all(|state| puzzle.is_solved(state)));
    search(solved, |state| {
        let moves = puzzle.moves(state).into_iter();
        moves.map(|mv| puzzle.apply(state, mv)).collect()
    })
}

#[test]
fn levels_are_those_of_a_search_over_states() {
    for text in SMALL {
        let puzzle = puzzle(text);
        let fast = common::walk_plainly(&puzzle);
        let states: Vec<u128> = fast.iter().map(|&(_, states)| states).collect();
        assert_eq!(states, slow_levels(&puzzle), "{text}");
        let classes = fast.iter().map(|&(classes, _)| classes as u128).sum();
        if puzzle.proper {
            assert_eq!(puzzle.totals().states, Some(states.iter().sum()), "{text}");
            assert_eq!(puzzle.totals().classes, Some(classes), "{text}");
        }
    }
}

#[test]
fn known_levels() {
    let states = |text: &str| {
        let levels = common::walk_plainly(&puzzle(text)).into_iter();
        levels.map(|(_, states)| states).collect::<Vec<_>>()
    };
    assert_eq!(states("flower7:goal=0-1,2-5,4-6"), [1, 6, 12, 21, 48, 86, 114, 168, 179, 136, 116, 63, 10]);
    assert_eq!(
        states("rows-3-4:goal=0-3,2-6,4-5"),
        [1, 4, 8, 17, 28, 42, 62, 74, 82, 87, 85, 86, 73, 45, 20, 5, 1]
    );
    // The goal's shape matters.
    assert_eq!(states("flower7:goal=1-3,2-5,4-6").len(), 14);
    // On the Star of David most placements cannot be reached.
    assert_eq!(states("star13").iter().sum::<u128>(), 1216);
    assert_eq!(puzzle("star13").totals().existing, Some(1440 * 1216));
    // Several goals.
    let seed = states("seed1");
    assert_eq!((seed[0], seed.iter().sum(), seed.len()), (4, 480, 10));
    assert_eq!(states("seed3").len(), 13);
}

/// How far the position in which a puzzle is given is from being solved.
fn distance_of_start(puzzle: &Gourds) -> usize {
    let start = puzzle.start().unwrap();
    let mut level = vec![start];
    let mut seen: HashSet<State> = level.iter().cloned().collect();
    let mut distance = 0;
    while !level.iter().any(|state| puzzle.is_solved(state)) {
        distance += 1;
        let mut next = Vec::new();
        for state in &level {
            for mv in puzzle.moves(state) {
                let after = puzzle.apply(state, mv);
                if seen.insert(after.clone()) {
                    next.push(after);
                }
            }
        }
        level = next;
    }
    distance
}

#[test]
fn known_distances_of_starts() {
    for (text, distance) in
        [("seed1", 8), ("seed3", 11), ("seed2", 0), ("seed4", 0), ("seed5", 0), ("seed6", 0)]
    {
        assert_eq!(distance_of_start(&puzzle(text)), distance, "{text}");
    }
    assert_eq!(puzzle("flower7").start(), None);
}

/// Which gourds may go round a sharp corner.
#[derive(Clone, Copy, PartialEq)]
enum Sharp {
    /// Those that pivot by the rules.
    Instead,
    /// All, as an alternative to a pivot.
    Also,
}

/// Moves by another rule that is easily mistaken for the right one.
fn wrong_moves(board: &HexBoard, pairs: &Pairs, sharp: Sharp) -> Vec<Pairs> {
    let hole = rules::hole(board, pairs);
    let mut moves = Vec::new();
    for cell in cells_of(board.neighbours(hole)) {
        let right = rules::click(board, pairs, cell).unwrap();
        let pivot = rules::hole(board, &right) == cell;
        if !pivot || sharp == Sharp::Also {
            moves.push(right);
        }
        if pivot {
            let mut followed = pairs.clone();
            let gourd = followed.iter_mut().find(|gourd| gourd.contains(&(cell as u8)));
            let gourd = gourd.unwrap();
            let end = usize::from(gourd[1] == cell as u8);
            gourd[end] = hole as u8;
            gourd[1 - end] = cell as u8;
            moves.push(followed);
        }
    }
    moves
}

#[test]
fn the_moves_are_not_those_of_another_rule() {
    for (text, right, instead, both) in [
        ("rows-2-3:goal=1-4,2-3", (56, 9), (14, 5), (56, 7)),
        ("flower7:goal=0-1,2-5,4-6", (960, 12), (480, 13), (960, 12)),
        ("rows-3-4:goal=1-2,3-4,5-6", (720, 17), (90, 12), (720, 14)),
    ] {
        let puzzle = puzzle(text);
        let summary = |levels: Vec<u128>| (levels.iter().sum::<u128>(), levels.len() - 1);
        assert_eq!(summary(slow_levels(&puzzle)), right, "{text}");
        let goal = vec![puzzle.goal.clone().unwrap()];
        for (sharp, expected) in [(Sharp::Instead, instead), (Sharp::Also, both)] {
            let found = search(goal.clone(), |pairs| wrong_moves(puzzle.board(), pairs, sharp));
            if text.starts_with("flower7") && sharp == Sharp::Also {
                assert_eq!(found[..3], [1, 12, 15]);
            }
            assert_eq!(summary(found), expected, "{text}");
        }
    }
}

#[test]
fn totals() {
    for (text, states) in [
        ("rows-2-3", 56),
        ("seed1", 480),
        ("rows11", 80 * 120 * 32),
        ("rows13", 207 * 720 * 64),
        ("hex19", 2288 * 362_880 * 512),
        ("seed7", 365 * 70),
        ("hex37", 5_435_437_407_772_852_988_411_904_000),
    ] {
        let puzzle = puzzle(text);
        assert_eq!(puzzle.totals().states, Some(states), "{text}");
        assert_eq!(puzzle.space().is_some(), text != "hex37", "{text}");
    }
}

#[test]
fn solved_placements_are_found_by_searching_cell_by_cell() {
    use crate::puzzles::gourds::placements::search;
    for text in all_texts().filter(|&text| puzzle(text).goal.is_none()) {
        let puzzle = puzzle(text);
        let labels = puzzle.labels().unwrap();
        let mut found = BTreeSet::new();
        let mut repeats = 0;
        search(puzzle.board(), labels, 1 << 20, |pairs| {
            let mut pairs: Vec<[u8; 2]> = pairs.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
            pairs.sort_unstable();
            repeats += usize::from(!found.insert(pairs));
            true
        })
        .unwrap();
        assert_eq!(repeats, 0, "{text}");
        let shapes = &puzzle.space.as_ref().unwrap().shapes;
        let shapes = (0..shapes.count()).map(|rank| shapes.unrank(rank));
        let expected: BTreeSet<Vec<[u8; 2]>> = shapes
            .filter(|shape| labels.placed(shape).is_some())
            .map(|shape| shape.pairs().collect())
            .collect();
        assert_eq!(found, expected, "{text}");
        let walk = puzzle.space.as_ref().unwrap();
        assert_eq!(walk.states(&walk.roots()), found.len() as u128, "{text}");
        assert_eq!(search(puzzle.board(), labels, 2, |_| true), None);
        // The seeds take hardly any effort.
        let first = search(puzzle.board(), labels, 100, |_| false);
        assert_eq!(first, Some(()), "{text}");
    }
}

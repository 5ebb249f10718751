//! Sizes and levels: against a plain search on grids of letters, and as published.

use std::collections::BTreeMap;

use super::super::component::Component;
use super::super::rules::Metric;
use super::oracle::{grid, is_solved, levels, search};
use super::*;
use crate::puzzle::{FileFormat, Indexed, Question, Setup};
use crate::space::Space;

/// Classes, states and the number of the first class that is solved, level by level.
pub(super) struct Walked {
    classes: Vec<u128>,
    states: Vec<u128>,
    pub nearest_goal: Option<usize>,
}

pub(super) fn walk(puzzle: &Klotski) -> Walked {
    let space = &puzzle.space;
    let mut walked = Walked { classes: Vec::new(), states: Vec::new(), nearest_goal: None };
    let mut seen = vec![false; space.universe() as usize];
    let mut level = space.roots();
    level.iter().for_each(|&index| seen[index as usize] = true);
    while !level.is_empty() {
        let solved = |&index: &u64| puzzle.is_solved(&puzzle.state_of(index.into()).unwrap());
        if walked.nearest_goal.is_none() && level.iter().any(solved) {
            walked.nearest_goal = Some(walked.classes.len());
        }
        walked.classes.push(level.len() as u128);
        walked.states.push(space.states(&level));
        let mut candidates = Vec::new();
        space.expand(&level, &mut candidates);
        candidates.retain(|&index| !std::mem::replace(&mut seen[index as usize], true));
        level = candidates;
    }
    let totals = (puzzle.totals().states, puzzle.totals().classes);
    if totals.0.is_some() {
        assert_eq!(totals.0, Some(walked.states.iter().sum()));
        assert_eq!(totals.1, Some(walked.classes.iter().sum()));
    }
    walked
}

/// Walks a puzzle and holds every level to the plain search.
fn check_levels(puzzle: &Klotski) {
    let metric = puzzle.metric();
    let text = puzzle.print_state(&puzzle.start().unwrap());
    let columns = puzzle.board.columns;
    let goal = (puzzle.board.goal / columns, puzzle.board.goal % columns);
    let mut reached = search(&[grid(&text)], metric);
    if puzzle.question() == Question::GodsNumber {
        let grids = reached.values().map(|(_, grid)| grid.clone());
        let goals: Vec<_> = grids.filter(|grid| is_solved(grid, goal)).collect();
        reached = search(&goals, metric);
    }
    let nearest = reached.values().filter(|(_, grid)| is_solved(grid, goal));
    let nearest = nearest.map(|(distance, _)| *distance).min();
    let (states, classes) = levels(&reached);
    let walked = walk(puzzle);
    let name = format!("{} {:?}", puzzle.text(), puzzle.file());
    assert_eq!(walked.states, states, "{name}");
    let classes = match puzzle.group_order() {
        2 => classes,
        _ => states,
    };
    assert_eq!(walked.classes, classes, "{name}");
    assert_eq!(walked.nearest_goal, nearest, "{name}");
}

#[test]
fn levels_of_our_own_boards_are_those_of_a_plain_search() {
    let mut walked = 0;
    for metric in METRICS {
        for content in BOARDS {
            check_levels(&board(content, &format!(":{metric}")));
            walked += 1;
            let goals = solvable(content, &format!(":{metric}:from-goals"));
            goals.iter().for_each(check_levels);
            walked += goals.iter().count();
        }
    }
    // Most of them can be solved.
    assert!(walked > 4 * BOARDS.len(), "{walked}");
}

#[test]
fn levels_of_known_layouts_are_those_of_a_plain_search() {
    for text in ["classic", "classic:move:from-goals", "yushengxili:slide", "fenghuiluzhuan:move:from-goals"]
    {
        check_levels(&puzzle(text));
    }
}

#[test]
fn published_values_of_the_classic_start() {
    let step = puzzle("classic");
    assert_eq!(step.totals().states, Some(25_955));
    assert_eq!(walk(&step).nearest_goal, Some(116));
    assert_eq!(walk(&puzzle("classic:move")).nearest_goal, Some(81));
}

/// The second component is the classic one upside down.
#[test]
fn the_classic_pieces_have_two_large_components() {
    let puzzle = puzzle("classic");
    let numbering = &puzzle.space.numbering;
    let mut sizes = BTreeMap::new();
    let mut members: Vec<Component> = Vec::new();
    for number in 0..numbering.count() {
        if members.iter().any(|known| known.contains(number)) {
            continue;
        }
        let component = Component::of(numbering, number);
        *sizes.entry(component.states).or_insert(0) += 1;
        members.push(component);
        // The rest is small, and there is a lot of it.
        members.retain(|component| component.states > 1000);
        if sizes.get(&25_955) == Some(&2) {
            break;
        }
    }
    assert_eq!(sizes.get(&25_955), Some(&2));
    let reversed = "I..J/DGHF/DEEF/BAAC/BAAC";
    let why = puzzle.parse_state(reversed).unwrap_err().to_string();
    assert!(why.contains("cannot be reached from the start"), "{why}");
    let other = board(reversed, "");
    assert_eq!(other.totals().states, Some(25_955));
    assert!(members.iter().any(|known| {
        known.states == 25_955 && known.contains(other.number(&other.start().unwrap().0).unwrap())
    }));
}

#[test]
fn numbers_of_all_layouts() {
    for (text, layouts) in [("all", 29_334_498), ("all-2", 1_588_914)] {
        let puzzle = puzzle(text);
        assert_eq!(puzzle.totals().existing, Some(layouts));
        assert_eq!(puzzle.space.universe() as u128, layouts);
        assert_eq!((puzzle.totals().states, puzzle.totals().classes), (None, None));
        assert_eq!(puzzle.question(), Question::GodsNumber);
        assert!(puzzle.start().is_none() && puzzle.file().is_none());
    }
}

/// All layouts with two empty cells: what was not reached has no neighbour that was, and what
/// was reached are the components that have a goal.
#[test]
fn all_layouts_with_two_empty_cells() {
    let puzzle = puzzle("all-2");
    let numbering = &puzzle.space.numbering;
    let walked = walk(&puzzle);
    let mut goal_components: u128 = 0;
    let mut seen = vec![false; numbering.count() as usize];
    for start in 0..numbering.count() {
        if seen[start as usize] {
            continue;
        }
        // A flood of our own, since there are many components in this universe.
        seen[start as usize] = true;
        let mut open = vec![start];
        let (mut size, mut solved) = (0, false);
        while let Some(number) = open.pop() {
            let blocks = numbering.blocks(number);
            size += 1;
            solved |= puzzle.board.is_solved(&numbering.frame.cells(&blocks));
            let mut side = super::super::numbering::RankedLayout::default();
            numbering.prepare(&blocks, &mut side);
            numbering.frame.moves(Metric::Move, &blocks, |kind, from, to| {
                let next = numbering.neighbour(&side, kind, from, to);
                if !std::mem::replace(&mut seen[next as usize], true) {
                    open.push(next);
                }
            });
        }
        goal_components += if solved { size } else { 0 };
    }
    assert_eq!(walked.states.iter().sum::<u128>(), goal_components);
    assert_eq!(walked.nearest_goal, Some(0));
    assert_eq!(walked.classes.len(), LAST_LEVEL_OF_ALL_TWO + 1);
}

/// Found by this program, and held here so that it does not change unseen.
const LAST_LEVEL_OF_ALL_TWO: usize = 179;

#[test]
fn all_named_layouts_can_be_solved() {
    for (name, _) in super::super::grid::named() {
        for metric in METRICS {
            let from_start = puzzle(&format!("{name}:{metric}"));
            let from_goals = puzzle(&format!("{name}:{metric}:from-goals"));
            let goal = walk(&from_start).nearest_goal.unwrap();
            assert!(walk(&from_goals).states.len() > goal, "{name}");
            assert_eq!(from_start.totals().states, from_goals.totals().states);
            assert_eq!(from_start.question(), Question::Eccentricity);
        }
    }
}

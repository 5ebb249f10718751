//! Shortest solutions against plain searches and published values; random layouts.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::AtomicBool;

use super::super::grid::named;
use super::super::optimal::KlotskiOptimal;
use super::super::rules::Metric;
use super::super::scramble::reaches_goal;
use super::counts::walk;
use super::oracle;
use super::*;
use crate::error::Result;
use crate::puzzle::{Indexed, Instance, Scramble, Setup, Solving, Tablebase};
use crate::puzzles::registry;
use crate::random::Random;
use crate::solve::{Effort, ReadySolver, Solved, solve};
use crate::space::Space;

static GO_ON: AtomicBool = AtomicBool::new(false);

fn effort() -> Effort<'static> {
    Effort::unbounded(1 << 30, &GO_ON)
}

fn solved(puzzle: &Klotski, state: &State) -> Result<Solved> {
    solve(puzzle, &KlotskiOptimal(puzzle), state, &effort())
}

/// The length of a solution that is proven to be a shortest one.
fn length(puzzle: &Klotski, state: &State) -> Option<usize> {
    match solved(puzzle, state) {
        Ok(solved) => {
            assert!(solved.is_optimal());
            solved.length().map(|length| length as usize)
        }
        Err(why) => {
            assert!(why.to_string().contains("can never be solved"), "{why}");
            None
        }
    }
}

fn scrambled(puzzle: &Klotski, random: &mut Random) -> State {
    match puzzle.scramble(random) {
        Ok(Instance::State(state)) => state,
        Ok(_) => panic!("no state"),
        Err(why) => panic!("{why}"),
    }
}

/// How far the nearest goal is, breadth first by the rules alone.
fn plainly(board: &BlockBoard, state: &State, metric: Metric) -> Option<usize> {
    let mut seen = HashSet::from([state.0.clone()]);
    let (mut level, mut distance) = (vec![state.0.clone()], 0);
    while !level.is_empty() {
        if level.iter().any(|state| board.is_solved(state)) {
            return Some(distance);
        }
        let mut next = Vec::new();
        for state in &level {
            for shift in board.moves(state, metric) {
                let after = board.moved(state, shift);
                if seen.insert(after.clone()) {
                    next.push(after);
                }
            }
        }
        (level, distance) = (next, distance + 1);
    }
    None
}

#[test]
fn the_classic_start_as_published() {
    for (text, published) in [("classic", 116), ("classic:move", 81)] {
        let puzzle = puzzle(text);
        let start = puzzle.start().unwrap();
        assert_eq!(length(&puzzle, &start), Some(published));
        // The same layout among all of them.
        let all = super::puzzle(&text.replace("classic", "all"));
        let same = all.parse_state(&puzzle.print_state(&start)).unwrap();
        assert_eq!(length(&all, &same), Some(published));
    }
}

#[test]
fn named_layouts_need_what_their_levels_say() {
    for (name, _) in named() {
        for metric in METRICS {
            let puzzle = puzzle(&format!("{name}:{metric}"));
            let start = puzzle.start().unwrap();
            let goal = walk(&puzzle).nearest_goal;
            assert!(goal.is_some());
            assert_eq!(length(&puzzle, &start), goal, "{name} {metric}");
        }
    }
}

/// Every layout of our own boards, where they are few; some of the others.
#[test]
fn layouts_of_our_own_boards_need_what_a_plain_search_says() {
    let (mut possible, mut impossible) = (0, 0);
    for metric in METRICS {
        for content in BOARDS {
            let puzzle = board(content, &format!(":{metric}"));
            let columns = puzzle.board.columns;
            let goal = (puzzle.board.goal / columns, puzzle.board.goal % columns);
            let start = puzzle.print_state(&puzzle.start().unwrap());
            let reached = oracle::search(&[oracle::grid(&start)], puzzle.metric());
            let grids = reached.values().map(|(_, grid)| grid.clone());
            let goals: Vec<_> = grids.filter(|grid| oracle::is_solved(grid, goal)).collect();
            let distances = oracle::search(&goals, puzzle.metric());
            let mut layouts: Vec<_> = reached.iter().collect();
            layouts.sort_by_key(|(shapes, _)| *shapes);
            for (shapes, (_, grid)) in layouts.iter().step_by(layouts.len().div_ceil(25)) {
                let text: Vec<String> = grid.iter().map(|row| row.iter().collect()).collect();
                let state = puzzle.parse_state(&text.join("/")).unwrap();
                let far = distances.get(*shapes).map(|(distance, _)| *distance);
                assert_eq!(length(&puzzle, &state), far, "{content} {metric} {text:?}");
                match far {
                    Some(_) => possible += 1,
                    None => impossible += 1,
                }
            }
        }
    }
    assert!(possible > 200 && impossible > 0, "{possible} {impossible}");
}

#[test]
fn random_layouts_need_what_the_rules_say() {
    let (mut random, mut impossible) = (Random::new(7), 0);
    for metric in Metric::ALL {
        let puzzle = puzzle(&format!("all-2:{}", metric.name()));
        let numbering = &puzzle.space.numbering;
        for _ in 0..6 {
            let number = random.below(numbering.count().into()) as u64;
            let state = State(numbering.frame.cells(&numbering.blocks(number)));
            let far = plainly(&puzzle.board, &state, metric);
            assert_eq!(length(&puzzle, &state), far);
            assert_eq!(reaches_goal(&puzzle, number), far.is_some());
            impossible += usize::from(far.is_none());
        }
    }
    assert!(impossible > 0);
}

#[test]
fn a_search_that_is_cut_short_says_what_it_proved() {
    let puzzle = puzzle("classic");
    let start = puzzle.start().unwrap();
    let small = Effort::unbounded(200_000, &GO_ON);
    let attempt = KlotskiOptimal(&puzzle).attempt(&start, &small).unwrap();
    assert!(attempt.cut_short && attempt.moves.is_none());
    assert!((4..116).contains(&attempt.bound), "{}", attempt.bound);
    let stop = AtomicBool::new(true);
    let attempt = KlotskiOptimal(&puzzle).attempt(&start, &Effort::unbounded(u64::MAX, &stop));
    assert_eq!((attempt.as_ref().unwrap().cut_short, attempt.unwrap().bound), (true, 3));
}

/// On a board that is too large for a table the lower bound leads the way.
#[test]
fn wide_boards_are_solved_without_a_table() {
    let wide = "AA....../AA....../..BCD.../..B...../...EE.../......../F......./.......G\ngoal 6,6";
    let little = Effort::unbounded(1 << 20, &GO_ON);
    for (metric, expected) in METRICS.into_iter().zip([14, 3, 2]) {
        let puzzle = board(wide, &format!(":{metric}"));
        let start = puzzle.start().unwrap();
        let solved = solve(&puzzle, &KlotskiOptimal(&puzzle), &start, &little).unwrap();
        // 12 steps, 2 slides or 1 move, and the single block in the corner has to make way: by two
        // cells.
        assert_eq!(solved.length(), Some(expected), "{metric}");
        assert!(solved.is_optimal());
        let refused = puzzle.scramble(&mut Random::new(1)).err().unwrap();
        assert!(matches!(refused, Error::Limit(_)), "{refused}");
    }
}

#[test]
fn tables_are_those_of_the_goals() {
    for (text, table) in [
        ("classic", "klotski:classic:from-goals"),
        ("classic:move", "klotski:classic:move:from-goals"),
        ("classic:slide:from-goals", "klotski:classic:slide:from-goals"),
        ("all", "klotski:all"),
        ("all-2:move", "klotski:all-2:move"),
    ] {
        let puzzle = puzzle(text);
        let found = match puzzle.other_tablebase() {
            Some(Tablebase::Other { text, .. }) => text,
            _ => puzzle.text(),
        };
        assert_eq!(found, table);
    }
    let stuck = "AAB/AAB\ngoal 0,1";
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("stuck");
    std::fs::write(&path, stuck).unwrap();
    let stuck = registry::parse(&format!("klotski:@{}", path.display())).unwrap();
    let Some(Tablebase::Other { text, make }) = stuck.tablebase() else {
        panic!("distances from a start do not solve")
    };
    assert!(text.ends_with("stuck:from-goals"), "{text}");
    let why = make().err().unwrap().to_string();
    assert!(why.contains("can never be solved"), "{why}");
    let why = stuck.scramble(&mut Random::new(1)).err().unwrap().to_string();
    assert!(why.contains("can never be solved"), "{why}");
}

/// What a seed means is frozen.
#[test]
fn scrambles_are_the_same_for_ever() {
    let mut lines = String::new();
    for text in ["classic", "classic:move:from-goals", "all-2", "all:move"] {
        let puzzle = puzzle(text);
        for number in 0..3 {
            let state = scrambled(&puzzle, &mut Random::instance(4, number));
            let printed = puzzle.print_state(&state);
            assert!(length(&puzzle, &state).is_some());
            assert_eq!(puzzle.parse_state(&printed).unwrap(), state);
            lines += &format!("{text} {printed}\n");
        }
    }
    assert_eq!(lines, SCRAMBLES, "{lines}");
}

const SCRAMBLES: &str = "\
classic AA.B/AACD/EFCD/GF.H/GIJJ
classic BCDE/BCAA/..AA/FGHH/FGIJ
classic AA../AABC/DEBC/DEFF/GHIJ
classic:move:from-goals AA.B/AACD/EFCD/GF.H/GIJJ
classic:move:from-goals BCDE/BCAA/..AA/FGHH/FGIJ
classic:move:from-goals AA../AABC/DEBC/DEFF/GHIJ
all-2 BCAA/BDAA/EFGG/.FHI/JJ.I
all-2 .BCD/.EED/FGAA/HGAA/HIJK
all-2 BBCD/EFGG/HFI./AAJ./AAKL
all:move AA../AABC/.D.C/ED../FFGH
all:move BCDD/BE.F/.AA./GAAH/IJJ.
all:move BCAA/DDAA/EFFG/HH.G/.IIJ
";

/// Every layout that can be reached comes up, about equally often.
#[test]
fn scrambles_are_uniform() {
    let puzzle = board(".AA./.AA./B..D/B..D\ngoal 2,1", "");
    let members = puzzle.totals().states.unwrap() as usize;
    let mut random = Random::new(3);
    let mut drawn: HashMap<State, usize> = HashMap::new();
    let draws = 60 * members;
    for _ in 0..draws {
        *drawn.entry(scrambled(&puzzle, &mut random)).or_default() += 1;
    }
    assert_eq!(drawn.len(), members);
    // The sum of squares is that of chance: its mean is the number of members less 1, and its
    // variance twice that.
    let expected = draws as f64 / members as f64;
    let squares = drawn.values().map(|&times| (times as f64 - expected).powi(2) / expected);
    let (chi, free) = (squares.sum::<f64>(), (members - 1) as f64);
    assert!((chi - free).abs() < 4.0 * (2.0 * free).sqrt(), "{chi} of {free}");
}

/// Without a start, what can be solved comes up in the proportions that it exists in.
#[test]
fn scrambles_of_all_layouts_are_uniform() {
    let puzzle = puzzle("all-2");
    let mut random = Random::new(11);
    let mut solved_already = 0;
    let mut corners = BTreeMap::new();
    for _ in 0..1000 {
        let state = scrambled(&puzzle, &mut random);
        solved_already += u32::from(puzzle.is_solved(&state));
        *corners.entry(state.0[0]).or_insert(0) += 1;
    }
    // Solved are that many of those that can be solved; the tolerance is four deviations.
    let goals = puzzle.space.states(&puzzle.space.roots()) as f64;
    let share = goals / SOLVABLE_OF_ALL_TWO as f64;
    let (expected, deviation) = (1000.0 * share, (1000.0 * share * (1.0 - share)).sqrt());
    let difference = f64::from(solved_already) - expected;
    assert!(difference.abs() < 4.0 * deviation, "{solved_already} {expected}");
    assert_eq!(corners.len(), 5);
}

/// The layouts with two empty cells from which a goal can be reached, as an enumeration counts them.
const SOLVABLE_OF_ALL_TWO: u32 = 1_299_392;

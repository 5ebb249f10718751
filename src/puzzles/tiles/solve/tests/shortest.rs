//! Tables, bounds, and shortest solutions.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::super::board::lower_bound;
use super::super::patterns::{TilePattern, UNREACHED, rank};
use super::*;
use crate::puzzles::tiles::rules::TileSlide;
use crate::solve::Search;

/// As `length`, of a solution that is claimed to be a shortest one.
fn shortest(variant: &TilesVariant, solver: &dyn ReadySolver, state: &State) -> u32 {
    let stop = AtomicBool::new(false);
    let attempt = solver.attempt(state, &Effort::unbounded(1 << 24, &stop)).unwrap();
    let length = length(variant, solver, state);
    assert_eq!((attempt.bound, attempt.cut_short), (length, false));
    length
}

/// How far every board is, by the rules alone.
fn distances(variant: &TilesVariant) -> HashMap<Vec<u8>, u32> {
    let mut found = HashMap::from([(variant.solved(), 0)]);
    let mut queue = VecDeque::from([variant.solved()]);
    while let Some(board) = queue.pop_front() {
        let distance = found[&board];
        for slide in variant.slides(&board) {
            let after = variant.slide(&board, slide).unwrap();
            if let Entry::Vacant(entry) = found.entry(after.clone()) {
                entry.insert(distance + 1);
                queue.push_back(after);
            }
        }
    }
    found
}

/// How often tiles of a group must move, on boards where the other tiles are all alike; or how many
/// pushes there must be.
fn counts(variant: &TilesVariant, tiles: &[u8]) -> HashMap<Vec<u8>, u32> {
    let other = 200;
    let alike = |tile: u8| {
        if tile == 0 || tiles.contains(&tile) { tile } else { other }
    };
    let start: Vec<u8> = variant.solved().into_iter().map(alike).collect();
    let mut found = HashMap::from([(start.clone(), 0)]);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some((board, count)) = queue.pop_front() {
        if found[&board] < count {
            continue;
        }
        for slide in variant.slides(&board) {
            let after = variant.slide(&board, slide).unwrap();
            let blank = variant.blank(&after).unwrap();
            let costs = variant.push || board[blank] != other;
            let count = count + u32::from(costs);
            if found.get(&after).is_none_or(|&known| count < known) {
                found.insert(after.clone(), count);
                if costs { queue.push_back((after, count)) } else { queue.push_front((after, count)) }
            }
        }
    }
    found
}

fn placement(board: &[u8], items: &[u8]) -> u64 {
    let cell = |item: &u8| board.iter().position(|tile| tile == item).unwrap() as u64;
    let cells = items.iter().enumerate();
    cells.fold(0, |all, (place, item)| all | cell(item) << (4 * place))
}

#[test]
fn tables_have_the_least_counts() {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, observer: &Silent };
    let groups: [(usize, usize, &[u8]); 6] = [
        (2, 3, &[1, 2, 3]),
        (2, 3, &[1, 2, 3, 4, 5]),
        (3, 3, &[1, 5, 8]),
        (3, 3, &[3, 4, 6, 7]),
        (2, 5, &[2, 6, 9]),
        (4, 3, &[1, 10, 11]),
    ];
    for (rows, columns, tiles) in groups {
        let variant = variant(rows, columns, false);
        let mut expected: HashMap<usize, u32> = HashMap::new();
        for (board, count) in counts(&variant, tiles) {
            let number = rank(placement(&board, tiles), tiles.len(), variant.cells());
            let least = expected.entry(number).or_insert(count);
            *least = count.min(*least);
        }
        let table = TilePattern::new(variant, tiles).build(&control).unwrap();
        for (number, &count) in table.iter().enumerate() {
            match expected.get(&number) {
                Some(&expected) => assert_eq!(u32::from(count), expected),
                None => assert_eq!(count, UNREACHED),
            }
        }
        let pushing = TilesVariant { push: true, ..variant };
        let items = [&[0], tiles].concat();
        let table = TilePattern::new(pushing, tiles).build(&control).unwrap();
        let expected = counts(&pushing, tiles);
        for (board, &count) in &expected {
            let number = rank(placement(board, &items), items.len(), variant.cells());
            assert_eq!(u32::from(table[number]), count);
        }
        let reached = table.iter().filter(|&&count| count != UNREACHED);
        assert_eq!(reached.count(), expected.len());
    }
}

#[test]
fn a_table_is_given_up_when_told() {
    let stop = AtomicBool::new(true);
    let control = Control { stop: &stop, observer: &Silent };
    let variant = variant(3, 3, false);
    let single = TilePattern::new(variant, &[1, 2]).build(&control);
    assert!(matches!(single, Err(Error::Interrupted(_))));
    let push = TilePattern::new(TilesVariant { push: true, ..variant }, &[1, 2]).build(&control);
    assert!(matches!(push, Err(Error::Interrupted(_))));
}

/// Every board of the small puzzles: `optimal`, with the tables it chooses and with smaller ones,
/// and what `fast` and the lower bound promise.
#[test]
fn every_small_board_is_solved_in_the_fewest_moves() {
    for (rows, columns) in [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3)] {
        for push in [false, true] {
            let variant = variant(rows, columns, push);
            let distances = distances(&variant);
            assert_eq!(distances.len() as u128, variant.states().unwrap());
            with_bench(1 << 26, |bench| {
                let optimal = TilesOptimal(variant);
                let fast = TilesFast(variant);
                let whole = optimal.prepare(bench, None).unwrap();
                let fast = fast.prepare(bench, None).unwrap();
                let groups = optimal.groups(4);
                let parts: Box<dyn ReadySolver> = match push {
                    false => Box::new(optimal.single(&groups, bench).unwrap()),
                    true => Box::new(optimal.push(&groups, bench).unwrap()),
                };
                let boards: Vec<_> = distances.iter().collect();
                boards.par_iter().enumerate().for_each(|(at, &(board, &distance))| {
                    let state = State(board.clone());
                    assert_eq!(optimal_length(&*whole, &state), distance);
                    assert!(lower_bound(&variant, board) <= distance);
                    if at % 50 == 0 {
                        assert_eq!(shortest(&variant, &*whole, &state), distance);
                        assert_eq!(shortest(&variant, &*parts, &state), distance);
                        let found = length(&variant, &*fast, &state);
                        assert!(found >= distance);
                        if !push && (rows, columns) != (2, 4) {
                            assert_eq!(found, distance);
                        }
                    }
                });
            });
        }
    }
}

/// Without replaying.
fn optimal_length(solver: &dyn ReadySolver, state: &State) -> u32 {
    let stop = AtomicBool::new(false);
    let attempt = solver.attempt(state, &Effort::unbounded(0, &stop)).unwrap();
    attempt.moves.unwrap().len() as u32
}

#[test]
fn random_boards_of_ten_cells_are_solved_in_the_fewest_moves() {
    let variant = variant(2, 5, false);
    let distances = distances(&variant);
    with_bench(1 << 28, |bench| {
        let optimal = TilesOptimal(variant);
        let optimal = optimal.prepare(bench, None).unwrap();
        for number in 0..100 {
            let state = random_board(&variant, number);
            let length = shortest(&variant, &*optimal, &state);
            assert_eq!(length, distances[&state.0]);
        }
    });
}

/// Rows become columns, and the tiles are renamed accordingly.
fn transposed(variant: &TilesVariant, board: &[u8]) -> Vec<u8> {
    let TilesVariant { rows, columns, .. } = *variant;
    let cell = |cell: usize| cell % rows * columns + cell / rows;
    let image = |home: usize| home % columns * rows + home / columns;
    let tile = |tile: u8| match tile {
        0 => 0,
        _ => image(usize::from(tile) - 1) as u8 + 1,
    };
    (0..board.len()).map(|at| tile(board[cell(at)])).collect()
}

/// On a larger board: other groups of tiles, and the groups of the transposed puzzle, come to the
/// same lengths.
#[test]
fn different_tables_agree() {
    for push in [false, true] {
        let (wide, high) = (variant(3, 4, push), variant(4, 3, push));
        with_bench(1 << 28, |bench| {
            let solvers = [TilesOptimal(wide), TilesOptimal(high)];
            let wide_one = solvers[0].prepare(bench, None).unwrap();
            // Less memory, smaller groups.
            let groups = solvers[1].groups(5);
            let high_one: Box<dyn ReadySolver> = match push {
                false => Box::new(solvers[1].single(&groups, bench).unwrap()),
                true => Box::new(solvers[1].push(&groups, bench).unwrap()),
            };
            for number in 0..8 {
                let state = random_board(&wide, number);
                let twin = State(transposed(&wide, &state.0));
                assert!(high.is_reachable(&twin.0));
                let length = shortest(&wide, &*wide_one, &state);
                assert_eq!(shortest(&high, &*high_one, &twin), length);
                assert!(lower_bound(&wide, &state.0) <= length);
            }
        });
    }
}

/// Called with a board, a slide and the board after it.
type FollowTile<'a> = &'a dyn Fn(&[u8], TileSlide, &[u8]);

/// Bounds carried along a way are those of the boards on it.
#[test]
fn bounds_are_carried_along() {
    with_bench(1 << 28, |bench| {
        for (rows, columns) in [(4, 4), (3, 5), (2, 8), (8, 2)] {
            for push in [false, true] {
                let variant = variant(rows, columns, push);
                let optimal = TilesOptimal(variant);
                let groups = optimal.groups(4);
                let mut random = Random::new(4);
                let mut board = random_board(&variant, 1).0;
                let mut walk = |follow: FollowTile<'_>| {
                    for _ in 0..200 {
                        let slides: Vec<TileSlide> = variant.slides(&board).collect();
                        let slide = slides[random.place(slides.len())];
                        let after = variant.slide(&board, slide).unwrap();
                        follow(&board, slide, &after);
                        board = after;
                    }
                };
                fn check<S: Search>(search: &S, node: S::Node, slide: TileSlide, after: &S::Node) {
                    let mut visited = 0;
                    search.expand(&node, None, |mv, carried| {
                        if mv == slide.into() {
                            visited += 1;
                            assert_eq!(search.bound(&carried), search.bound(after));
                        }
                    });
                    assert_eq!(visited, 1);
                }
                if push {
                    let search = optimal.push(&groups, bench).unwrap();
                    walk(&|board, slide, after| {
                        check(&search, search.node(board), slide, &search.node(after));
                    });
                } else {
                    let search = optimal.single(&groups, bench).unwrap();
                    walk(&|board, slide, after| {
                        check(&search, search.node(board), slide, &search.node(after));
                    });
                }
            }
        }
    });
}

#[test]
fn little_memory_means_small_tables_or_none() {
    let optimal = TilesOptimal(variant(4, 4, false));
    let sizes = |memory| {
        with_bench(memory, |bench| {
            let groups = optimal.choose(bench);
            groups.iter().map(Vec::len).collect::<Vec<usize>>()
        })
    };
    assert_eq!(sizes(1 << 28), [6, 6, 3]);
    assert_eq!(sizes(1 << 24), [5, 5, 5]);
    assert_eq!(sizes(3 << 20), [4, 4, 4, 3]);
    assert_eq!(sizes(0), [4, 4, 4, 3]);
    let refused = with_bench(1000, |bench| optimal.prepare(bench, None).err().unwrap());
    assert!(matches!(refused, Error::Limit(_)), "{refused}");
}

#[test]
fn a_deadline_is_kept_and_the_bound_reported() {
    with_bench(1 << 24, |bench| {
        let variant = variant(4, 4, true);
        let optimal = TilesOptimal(variant);
        let optimal = optimal.prepare(bench, None).unwrap();
        let stop = AtomicBool::new(false);
        let effort = Effort {
            deadline: Some(Instant::now() + Duration::from_millis(100)),
            ..Effort::unbounded(0, &stop)
        };
        let attempt = optimal.attempt(&random_board(&variant, 3), &effort).unwrap();
        assert!(attempt.cut_short && attempt.moves.is_none());
        assert!(attempt.bound > 10);
    });
}

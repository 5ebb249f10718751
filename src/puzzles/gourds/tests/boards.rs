//! Boards: pictures, symmetries, what is proper, growing.

use crate::puzzle::{Indexed, Setup};
use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::puzzles::gourds::board::{HexBoard, Point, centred_rows, read_picture};
use crate::puzzles::gourds::generate::{self, standing};
use crate::puzzles::gourds::validity::improper;

fn board(rows: &str) -> HexBoard {
    HexBoard::new(read_picture(rows).unwrap()).unwrap()
}

#[test]
fn pictures_read_back() {
    for rows in [
        ".o.o./o.o.o/.o.o.",
        "..o..../.o.o.o./o.o.o.o/.o.o.o.",
        "o.o/.o.",
        ".o.o.o/o...o./.o.o..",
        "....o.o...../...o.o....../....o.o.o.o./.o.o.o.o.o.o/..o.o.....o./...o.o....../o.o.o.o...../.o.o........",
    ] {
        assert_eq!(board(rows).picture(), rows);
    }
    // Empty rows and columns around a board say nothing.
    assert_eq!(board("......//..o.o../...o").picture(), "o.o/.o.");
    assert_eq!(board(".o.o/..o").picture(), "o.o/.o.");
}

#[test]
fn neighbours_are_those_of_the_picture() {
    let flower = board(".o.o./o.o.o/.o.o.");
    let around = |cell| super::super::board::cells_of(flower.neighbours(cell)).collect::<Vec<_>>();
    assert_eq!(around(3), [0, 1, 2, 4, 5, 6]);
    assert_eq!(around(0), [1, 2, 3]);
    assert_eq!(around(4), [1, 3, 6]);
    assert_eq!(flower.partners(3), [Some(4), Some(5), Some(6)]);
    assert_eq!(flower.partners(1), [None, Some(3), Some(4)]);
    for cell in 0..7 {
        let later = flower.neighbours(cell) >> (cell + 1) << (cell + 1);
        let partners = flower.partners(cell).into_iter().flatten();
        assert!(partners.clone().is_sorted());
        assert_eq!(partners.fold(0, |set, cell| set | 1 << cell), later);
    }
}

#[test]
fn symmetries_keep_neighbours() {
    for (rows, order) in [
        (".o.o./o.o.o/.o.o.", 12),
        (".o.o.o./o.o.o.o", 2),
        ("....o..../...o.o.../..o.o.o../.o.o.o.o./o.o.o.o.o", 6),
        (".o.o.o../o.o.o.o./.o.o.o.o", 1),
        ("...o.../o.o.o.o/.o.o.o./o.o.o.o/...o...", 12),
        ("o.o.o", 2),
        ("o.o./.o.o/..o.", 2),
    ] {
        let board = board(rows);
        let symmetries = board.symmetries();
        assert_eq!(symmetries.len(), order, "{rows}");
        assert!(symmetries[0].is_sorted(), "the identity comes first");
        for cells in &symmetries {
            for a in 0..board.size() {
                for b in 0..board.size() {
                    let images = [a, b].map(|cell| usize::from(cells[cell]));
                    assert_eq!(board.adjacent(a, b), board.adjacent(images[0], images[1]));
                }
            }
            // Products of symmetries are symmetries.
            for other in &symmetries {
                let product: Vec<u8> = cells.iter().map(|&c| other[usize::from(c)]).collect();
                assert!(symmetries.contains(&product));
            }
        }
    }
}

#[test]
fn boards_with_names_are_what_the_file_says() {
    for (name, flaw) in [
        ("star13", Some("it is the Star of David")),
        ("bowtie5", Some("it falls apart without cell 2")),
        ("ring7", Some("it goes round a place that has no cell")),
        ("flower7", None),
        ("strip9", None),
        ("hex37", None),
        ("snake25", None),
        ("seed5", None),
        ("rows-2-3", None),
        ("rows-3", Some("it falls apart without cell 1")),
    ] {
        let puzzle = puzzle(name);
        assert_eq!(improper(puzzle.board()).as_deref(), flaw, "{name}");
        assert_eq!(puzzle.warning().is_some(), flaw.is_some(), "{name}");
        assert_eq!(puzzle.totals().states.is_none(), flaw.is_some(), "{name}");
        assert_eq!(puzzle.totals().existing.is_some(), flaw.is_some(), "{name}");
    }
    for seed in 1..=10 {
        assert_eq!(puzzle(&format!("seed{seed}")).warning(), None);
    }
    for (name, why) in [
        ("rhombus4", "the board has 4 cells; it must be an odd number"),
        ("parity_error", "row 1, column 2: cells of a hexagonal grid"),
    ] {
        let said = refusal(&format!("gourds:{name}"));
        assert!(said.contains(why), "{said}");
    }
    let said = puzzle("bowtie5").warning().unwrap();
    assert!(said.contains("it falls apart without cell 2"), "{said}");
}

#[test]
fn sets_of_cells_that_are_no_boards() {
    for (rows, why) in [
        ("oo.o/.o.o", "row 1, column 2"),
        ("o.o.", "2 cells; it must be an odd number"),
        ("", "0 cells; it must be an odd number"),
        ("o", "a single cell"),
        ("o...o.o", "not connected: there is no way from cell 0 to cell 1"),
        ("o.o/x", "row 2, column 1: `x` is neither a cell"),
        ("o.o /.o.", "row 1, column 4: ` ` is neither"),
    ] {
        let result = read_picture(rows).and_then(HexBoard::new);
        let said = result.unwrap_err();
        assert!(said.contains(why), "{rows}: {said}");
    }
    let row = "o.".repeat(65);
    let said = read_picture(&row).and_then(HexBoard::new).unwrap_err();
    assert!(said.contains("more than 63 cells"), "{said}");
    let longest = HexBoard::new(read_picture(&"o.".repeat(63)).unwrap()).unwrap();
    assert_eq!((longest.size(), longest.all()), (63, u64::MAX >> 1));
}

#[test]
fn rows_are_centred() {
    for (widths, rows) in [
        (&[2, 3, 2][..], ".o.o./o.o.o/.o.o."),
        (&[3, 4], ".o.o.o./o.o.o.o"),
        (&[2, 1], "o.o/.o."),
        (&[1, 2, 3, 2, 3], "..o../.o.o./o.o.o/.o.o./o.o.o"),
    ] {
        let board = HexBoard::new(centred_rows(widths).unwrap()).unwrap();
        assert_eq!(board.picture(), rows);
    }
    for widths in [&[2, 2][..], &[1, 3], &[2, 0]] {
        assert!(centred_rows(widths).unwrap_err().contains("differ by exactly one"));
    }
    assert!(centred_rows(&[1, 0]).unwrap_err().contains("at least one cell"));
}

/// What a seed means is frozen.
#[test]
fn a_seed_always_grows_the_same_board() {
    for (cells, seed, rows) in FROZEN {
        let board = generate::random(cells, seed).unwrap();
        assert_eq!(board.picture(), rows, "{cells}:{seed}");
    }
}

const FROZEN: [(usize, u64, &str); 7] = [
    (3, 0, "o.o/.o."),
    (7, 1, "o.o.o./.o.o.o/..o..."),
    (9, 4, ".o.../o.o.o/.o.o./..o.o/...o."),
    (13, 1, "o.o.o../.o.o.o./..o.o.o/.o.o.o./....o.."),
    (13, 2, "......o./...o.o.o/..o.o.o./.o.o.o.o/o.o....."),
    (21, 7, "o.o...o.o.../.o.o.o.o..../o.o.o.o.o.o./...o.o.o.o.o/....o.....o."),
    (
        63,
        2026,
        "...o.o.......o.o../..o.o.o.o.o.o.o.../...o.o.o.o.o.o.o../..o.o.o.o.o.o.o.../\
         .o.o.o.o.o.o.o.o.o/o.o.o.o.o.o.o.o.o./.o.o.o.o.o.o.o..../o.o.o.o.o.o......./\
         .o.o...o.o.o....../..o.o.............",
    ),
];

#[test]
fn grown_boards_are_proper() {
    for seed in 0..60 {
        let cells = 3 + 2 * (seed as usize % 31);
        let board = generate::random(cells, seed).unwrap();
        assert_eq!(board.size(), cells);
        assert_eq!(improper(&board), None, "{cells}:{seed}");
    }
    // Small boards take many forms.
    let forms: BTreeSet<String> = (0..200)
        .map(|seed| {
            let board = generate::random(7, seed).unwrap();
            HexBoard::new(standing(board.points()).1).unwrap().picture()
        })
        .collect();
    assert_eq!(forms.len(), 4);
}

/// All connected sets of that many cells, up to symmetries of the lattice, and those that a test
/// picks out of them.
fn free_boards(cells: usize) -> Vec<Vec<Point>> {
    let mut boards = BTreeSet::from([vec![Point { q: 0, r: 0 }]]);
    for _ in 1..cells {
        let grow = |points: &Vec<Point>| {
            let around = points.iter().flat_map(|point| point.neighbours());
            let places: BTreeSet<Point> = around.filter(|p| !points.contains(p)).collect();
            let grown = places.into_iter().map(|place| {
                let points: Vec<Point> = points.iter().copied().chain([place]).collect();
                standing(&points).1
            });
            grown.collect::<Vec<_>>()
        };
        boards = boards.iter().flat_map(grow).collect();
    }
    boards.into_iter().collect()
}

#[test]
fn growing_reaches_every_proper_board() {
    for (cells, free, proper) in [(3, 3, 1), (5, 22, 1), (7, 333, 4), (9, 6572, 16)] {
        let all = free_boards(cells);
        assert_eq!(all.len(), free);
        let boards = all.into_iter().map(|points| HexBoard::new(points).unwrap());
        let expected: BTreeSet<String> =
            boards.filter(|board| improper(board).is_none()).map(|board| board.picture()).collect();
        assert_eq!(expected.len(), proper);
        let grown = generate::all(cells).unwrap();
        assert_eq!(grown.len(), proper);
        let grown: BTreeSet<String> = grown.iter().map(HexBoard::picture).collect();
        assert_eq!(grown, expected);
    }
    assert_eq!(generate::all(11).unwrap().len(), 69);
    // All but the Star of David.
    assert_eq!(generate::all(13).unwrap().len(), 326);
}

#[test]
fn without_holes_all_is_reachable_exactly_on_proper_boards() {
    let mut seen = BTreeMap::new();
    for points in free_boards(5).into_iter().chain(free_boards(7)) {
        let board = HexBoard::new(points).unwrap();
        let flaw = improper(&board);
        if flaw.as_deref() == Some("it goes round a place that has no cell") {
            continue;
        }
        let Ok(puzzle) = own(&format!("board x\ntype shape\nrows {}\n", board.picture()), "") else {
            continue;
        };
        let reached: u128 = common::walk_plainly(&puzzle).iter().map(|level| level.1).sum();
        let all = Some(reached) == puzzle.positions();
        assert_eq!(all, flaw.is_none(), "{}", board.picture());
        *seen.entry(flaw.is_none()).or_insert(0) += 1;
    }
    assert_eq!(seen[&true], 5);
    assert!(seen[&false] > 100);
}

#[test]
fn what_a_picture_needs_is_said() {
    let board = |text: &str| registry::parse(&format!("gourds:{text}")).unwrap().board();
    let small = board("rows-2-3");
    assert_eq!(small["cells"], serde_json::json!([[1, 0], [3, 0], [0, 1], [2, 1], [4, 1]]));
    assert_eq!(small["goal"], "0-1,2-3");
    assert_eq!((small["proper"].as_bool(), small["coloured"].as_bool()), (Some(true), Some(false)));
    assert!(small["labels"].is_null() && small["gourds"].is_null());
    let star = board("star13");
    assert_eq!(star["proper"], false);
    assert!(star["cycle"].is_null());
    // Along the cycle every cell comes once, each beside the one before it.
    for text in ["rows-1-2", "flower7", "hex37", "random:63:5"] {
        let board = board(text);
        let number = |value: &serde_json::Value| value.as_i64().unwrap();
        let cycle: Vec<usize> =
            board["cycle"].as_array().unwrap().iter().map(|cell| number(cell) as usize).collect();
        let mut sorted = cycle.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..board["cells"].as_array().unwrap().len()).collect::<Vec<_>>());
        let place = |cell: usize| [0, 1].map(|i| number(&board["cells"][cell][i]));
        for (i, &cell) in cycle.iter().enumerate() {
            let [[x, y], [u, v]] = [cell, cycle[(i + 1) % cycle.len()]].map(place);
            assert!(matches!(((x - u).abs(), (y - v).abs()), (2, 0) | (1, 1)), "{text}");
        }
    }
    // Labels, and no goal where colours leave several.
    let named = |coloured: bool| {
        let texts = super::super::KIND.examples.iter().map(|text| registry::parse(text).unwrap().board());
        texts.into_iter().find(|board| board["coloured"] == coloured && !board["labels"].is_null())
    };
    let coloured = named(true).unwrap();
    assert!(coloured["goal"].is_null() && coloured["gourds"][0].as_array().unwrap().len() == 2);
    assert!(named(false).unwrap()["goal"].is_string());
}

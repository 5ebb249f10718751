//! Texts, states and moves: what is read, what is written, what is refused and in which words.

use super::*;
use crate::puzzles::registry;
use crate::puzzles::tests::reason;

#[test]
fn the_registry_reads_back_every_text() {
    for text in variants() {
        let text = format!("tiles:{text}");
        assert_eq!(registry::parse(&text).unwrap().text(), text);
    }
    for example in super::super::KIND.examples {
        assert_eq!(registry::parse(example).unwrap().text(), *example);
    }
    for (given, canonical) in
        [("3x4:single", "tiles:3x4"), ("10x2", "tiles:10x2"), ("3x3:push", "tiles:3x3:push")]
    {
        assert_eq!(puzzle(given).text(), canonical);
    }
}

#[test]
fn impossible_texts_are_refused_with_the_reason() {
    for (text, why) in [
        ("tiles", "the size is missing"),
        ("tiles:", "the size is missing"),
        ("tiles:4", "the size `4` is not"),
        ("tiles:1x4", "the size `1x4` is not"),
        ("tiles:4x11", "the size `4x11` is not"),
        ("tiles:03x4", "the size `03x4` is not"),
        ("tiles:+3x4", "the size `+3x4` is not"),
        ("tiles:3x4x5", "the size `3x4x5` is not"),
        ("tiles:3X4", "the size `3X4` is not"),
        ("tiles:x", "2 to 10 each, such as 3x4"),
        ("tiles:push", "the size `push` is not"),
        ("tiles:@file", "the size `@file` is not"),
        ("tiles:3x4:fast", "`fast` is not an option"),
        ("tiles:3x4:", "`` is not an option"),
        ("tiles:3x4:push:push", "the option `push` is given twice"),
        ("tiles:3x4:push:single", "two metrics"),
    ] {
        let said = reason(registry::parse(text));
        assert!(said.contains(why), "{said}");
        assert!(said.contains("Accepted: tiles:MxN[:push]") || said.contains("did you mean `"), "{said}");
    }
}

#[test]
fn titles_and_metrics() {
    assert_eq!(puzzle("3x4").title(), "Sliding tiles 3x4");
    assert_eq!(puzzle("4x4:push").title(), "Sliding tiles 4x4, pushes");
    assert_eq!(puzzle("3x4").metric(), "single");
    assert_eq!(puzzle("3x4:push").metric(), "push");
}

#[test]
fn states_read_back() {
    on(&variants(), 10, some_state, |puzzle, state| {
        let text = puzzle.print_state(&state);
        prop_assert_eq!(puzzle.parse_state(&text).unwrap(), state);
        Ok(())
    });
    let eight = puzzle("3x3");
    let known = "8 6 7/2 5 4/3 0 1";
    assert_eq!(eight.print_state(&eight.parse_state(known).unwrap()), known);
    let loose = eight.parse_state("  8  6 7 / 2 5 4/\t3 00 01 ").unwrap();
    assert_eq!(eight.print_state(&loose), known);
}

#[test]
fn wrong_states_are_refused_with_what_and_where() {
    for (text, state, why) in [
        ("3x3", "", "the state is empty"),
        ("3x3", " \n", "the state is empty"),
        ("3x3", "1 2 3/4 5 6", "the board has 2 rows, but this puzzle has 3"),
        ("3x3", "1 2 3 4 5 6 7 8 0", "the board has 1 row, but this puzzle has 3"),
        ("3x3", "1 2 3/4 5 6/7 8 0/", "the board has 4 rows"),
        ("3x3", "1 2 3/4 5/6 7 8 0", "row 2 has 2 columns, but this puzzle has 3"),
        ("3x3", "1 2 3//4 5 6", "row 2 has 0 columns"),
        ("3x3", "123/456/780", "row 1 has 1 column, but"),
        ("3x3", "1 2 x/4 5 6/7 8 0", "row 1, column 3: `x` is not a number"),
        ("3x3", "1 2 3/4 -5 6/7 8 0", "row 2, column 2: `-5` is not a number"),
        ("3x3", "1 2 3/4 é 6/7 8 0", "row 2, column 2: `é` is not a number"),
        ("3x3", "1 2 3/4 5 9/7 8 0", "row 2, column 3: there is no tile 9; the tiles are 1 to 8"),
        ("3x3", "1 2 3/4 5 300/7 8 0", "there is no tile 300"),
        ("3x3", "1 2 3/4 5 99999999999999999999/7 8 0", "there is no tile 9999"),
        ("3x3", "1 2 3/4 5 3/7 8 0", "row 2, column 3: tile 3 is already in row 1, column 3"),
        ("3x3", "0 2 3/4 5 1/7 8 0", "row 3, column 3: the blank is already in row 1, column 1"),
        ("3x3", "1 2 3/4 5 6/8 7 0", "cannot be solved: half of all arrangements"),
        ("4x4", "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0", "cannot be solved"),
        ("2x2", "1 2/0 3", "ok"),
        ("2x2", "2 1/3 0", "cannot be solved"),
        // With an even number of columns the blank's row counts, with an odd one it does not.
        ("2x4", "1 2 3 0/5 6 7 4", "ok"),
        ("2x4", "1 2 3 0/4 5 6 7", "cannot be solved"),
        ("4x3", "1 2 0/3 4 5/6 7 8/9 10 11", "ok"),
    ] {
        let result = puzzle(text).parse_state(state);
        if why == "ok" {
            assert!(result.is_ok(), "{text} {state}");
            continue;
        }
        let said = reason(result);
        assert!(said.contains(why), "{text} {state}: {said}");
        assert!(!said.ends_with('.'));
    }
}

#[test]
fn tiles_travel_in_the_direction_of_the_move() {
    let after = |text: &str, state: &str, name: &str| {
        let puzzle = puzzle(text);
        let state = puzzle.parse_state(state).unwrap();
        let mv = puzzle.parse_move(&state, name).unwrap();
        puzzle.print_state(&puzzle.apply(&state, mv))
    };
    let middle = "1 2 3/4 0 5/7 8 6";
    assert_eq!(after("3x3", middle, "L"), "1 2 3/4 5 0/7 8 6");
    assert_eq!(after("3x3", middle, "R"), "1 2 3/0 4 5/7 8 6");
    assert_eq!(after("3x3", middle, "U"), "1 2 3/4 8 5/7 0 6");
    assert_eq!(after("3x3", middle, "D"), "1 0 3/4 2 5/7 8 6");
    let solved = "1 2 3/4 5 6/7 8 0";
    assert_eq!(after("3x3:push", solved, "R2"), "1 2 3/4 5 6/0 7 8");
    assert_eq!(after("3x3:push", solved, "D2"), "1 2 0/4 5 3/7 8 6");
    assert_eq!(after("3x3:push", solved, "D1"), "1 2 3/4 5 0/7 8 6");
}

#[test]
fn moves_read_back_and_cancel() {
    on(&variants(), 5, some_state, |puzzle, state| {
        for mv in puzzle.moves(&state) {
            let name = puzzle.move_name(&state, mv);
            prop_assert_eq!(puzzle.parse_move(&state, &name).unwrap(), mv);
            let there = puzzle.apply(&state, mv);
            prop_assert!(puzzle.variant.is_reachable(&there.0));
            let back = match name.split_at(1) {
                ("L", count) => format!("R{count}"),
                ("R", count) => format!("L{count}"),
                ("U", count) => format!("D{count}"),
                (_, count) => format!("U{count}"),
            };
            let back = puzzle.parse_move(&there, &back).unwrap();
            prop_assert_eq!(&puzzle.apply(&there, back), &state);
        }
        Ok(())
    });
}

#[test]
fn legal_moves_and_no_others() {
    let names = |text: &str, state: &str| {
        let puzzle = puzzle(text);
        let state = puzzle.parse_state(state).unwrap();
        let moves = puzzle.moves(&state);
        let names: Vec<String> = moves.into_iter().map(|mv| puzzle.move_name(&state, mv)).collect();
        names.join(" ")
    };
    assert_eq!(names("3x3", "1 2 3/4 5 6/7 8 0"), "R D");
    assert_eq!(names("3x3", "1 2 3/4 0 5/7 8 6"), "L R U D");
    assert_eq!(names("2x4:push", "1 0 3 4/5 2 6 7"), "L L2 R U");
    for (text, mv, why) in [
        ("3x3", "L", "`L` is not possible here: no tile can slide in that direction (possible now: R D)"),
        ("3x3", "R2", "`R2` is 2 moves here: a move slides one tile, `R`"),
        ("3x3", "X", "`X` is not a move: a move is the direction in which a tile slides (possible now: R D)"),
        ("3x3", "", "`` is not a move"),
        ("3x3", "r", "`r` is not a move"),
        ("3x3", "R0", "`R0` is not a move"),
        ("3x3", "R 1", "`R 1` is not a move"),
        (
            "3x3:push",
            "R3",
            "`R3` is not possible here: only 2 tiles can slide in that direction (possible now: R R2 D D2)",
        ),
        ("3x3:push", "U2", "no tile can slide"),
        (
            "3x3:push",
            "R99999999999",
            "is not a move: a move is the direction in which tiles slide and how many of them",
        ),
    ] {
        let puzzle = puzzle(text);
        let solved = State(puzzle.variant.solved());
        let said = reason(puzzle.parse_move(&solved, mv));
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn foreign_moves_change_nothing() {
    let puzzle = puzzle("3x3");
    let solved = State(puzzle.variant.solved());
    for number in [0, 1, 17, 18, 49, 50, 1000, u32::MAX] {
        let mv = crate::puzzle::Move(number);
        let after = puzzle.apply(&solved, mv);
        assert!(after == solved || puzzle.moves(&solved).contains(&mv), "{number}");
        assert!(!puzzle.move_name(&solved, mv).is_empty());
    }
}

#[test]
fn drawings() {
    let eight = puzzle("3x3");
    let state = eight.parse_state("1 2 3/4 0 5/7 8 6").unwrap();
    assert_eq!(eight.draw(&state, false), "1 2 3\n4 . 5\n7 8 6");
    let coloured = eight.draw(&state, true);
    assert!(coloured.starts_with("\x1b[30;42m 1 \x1b[0m\x1b[30;42m 2 \x1b[0m"));
    assert!(coloured.contains("\x1b[0m   \x1b[0m\x1b[30;47m 5 \x1b[0m\n"));
    assert_eq!(coloured.lines().count(), 3);
    let fifteen = puzzle("4x4");
    let state = State(fifteen.variant.solved());
    assert_eq!(fifteen.draw(&state, false), " 1  2  3  4\n 5  6  7  8\n 9 10 11 12\n13 14 15  .");
}

#[test]
fn what_a_picture_needs_is_said() {
    let board = crate::puzzles::registry::parse("tiles:3x4:push").unwrap().board();
    let expected = serde_json::json!({"rows": 3, "columns": 4, "push": true});
    assert_eq!(board, expected);
}

//! Texts, states, moves and drawings.

use proptest::prelude::*;

use super::*;
use crate::puzzles::registry;
use crate::puzzles::tests::reason;

#[test]
fn the_registry_reads_back_every_text() {
    for example in KIND.examples {
        let puzzle = registry::parse(example).unwrap();
        assert_eq!(puzzle.text(), *example);
        assert_eq!(puzzle.question(), Question::Solutions);
        assert!(puzzle.capabilities().counting.is_some() && puzzle.space().is_some());
    }
    assert_eq!(puzzle("random:0017").text(), "triangles:random:17");
    assert_eq!(puzzle("random:17").title(), "Triangles, random game 17");
    assert_eq!(puzzle("sample").title(), "Triangles, the sample");
    assert_eq!(puzzle("tri9").title(), "Triangles, tri9: 9 cells of the sample");
}

#[test]
fn impossible_texts_are_refused_with_the_reason() {
    for (text, why) in [
        ("triangles", "does not say which game"),
        ("triangles:", "does not say which game"),
        ("triangles:hexagon", "`hexagon` is not a game"),
        ("triangles:sample:2", "`2` is not an option"),
        ("triangles:tri4:any", "`any` is not an option"),
        ("triangles:random", "the seed of the random game is missing"),
        ("triangles:random:", "the seed of the random game is missing"),
        ("triangles:random:x", "the seed `x` is not a number"),
        ("triangles:random:+1", "the seed `+1` is not a number"),
        ("triangles:random:-1", "the seed `-1` is not a number"),
        ("triangles:random:18446744073709551616", "below 2^64"),
        ("triangles:random:1:2", "`2` is not an option"),
        ("triangles:@", "the file name after the `@` is missing"),
    ] {
        let said = reason(registry::parse(text));
        assert!(said.contains(why), "{said}");
        assert!(said.contains("Accepted: triangles:sample") || said.contains("did you mean `"), "{said}");
    }
}

#[test]
fn states_read_back() {
    for text in ["sample", "random:3", "tri4", "band14"] {
        let puzzle = puzzle(text);
        for seed in 0..200 {
            let state = random_filling(&puzzle, seed, 24);
            let printed = puzzle.print_state(&state);
            assert_eq!(puzzle.parse_state(&printed).unwrap(), state, "{printed}");
        }
    }
    let sample = puzzle("sample");
    let known = "DCa1 AAA4 aBd1 CBD4 cdc1/dAB1 Dcb4";
    let state = sample.parse_state(known).unwrap();
    assert_eq!(state.0.len(), 7);
    assert_eq!(sample.print_state(&state), known);
    let spelled = " CaD5  AAA2 aBd1 CBD4 cdc1 / dAB1 bDc6 ";
    assert_eq!(sample.parse_state(spelled).unwrap(), state);
    assert_eq!(sample.print_state(&State(Vec::new())), "-");
    assert_eq!(sample.parse_state(" - ").unwrap(), State(Vec::new()));
}

#[test]
fn malformed_states_are_refused_with_what_and_where() {
    let row = "DCa1 AAA4 aBd1 CBD4 cdc1";
    for (state, why) in [
        ("", "the state is empty"),
        ("DCa1 AXA4", "row 1, piece 2: `AXA4` is not a piece"),
        ("DCa1 AAA", "row 1, piece 2: `AAA` is not a piece"),
        ("DCa1 AAA0", "row 1, piece 2: `AAA0` is not a piece"),
        ("DCa1 AAA412", "`AAA412` has a row and a column"),
        ("DCa1 é", "`é` is not a piece"),
        ("- DCa1", "row 1, piece 1: `-` is not a piece"),
        ("DCa1 BBB4", "row 1, piece 2: the puzzle has no piece BBB"),
        ("DCa1 CDa4", "row 1, piece 2: the puzzle has no piece CDa"),
        ("DCa1 aDC4", "row 1, piece 2: the piece aDC is used already, in row 1, piece 1"),
        ("DCa4", "row 1, piece 1: `DCa4` does not suit a cell that points up, so the position"),
        ("DCa1 AAA1", "`AAA1` does not suit a cell that points down, so the position must be 2, 4"),
        ("DCa1 ddd4", "row 1, piece 2: `ddd4` does not match row 1, piece 1"),
        ("DCa1/dAB1", "row 1 has 1 piece for 5 cells"),
        ("DCa1 AAA4 aBd1 CBD4 cdc1 dAB1", "row 1 has 6 pieces, but the board has only 5 cells"),
        ("/DCa1", "row 1 is empty"),
        ("DCa1/", "row 1 has 1 piece for 5 cells"),
    ] {
        let said = reason(puzzle("sample").parse_state(state));
        assert!(said.contains(why), "{said}");
    }
    let sample = puzzle("sample");
    let said = reason(sample.parse_state(&format!("{row}/dAB1 cAD2")));
    assert!(said.contains("row 2, piece 2: `cAD2` does not match row 2, piece 1"), "{said}");
    // Matches on the left, but not above.
    let said = reason(sample.parse_state(&format!("{row}/dAB1 DBb6")));
    assert!(said.contains("row 2, piece 2: `DBb6` does not match row 1, piece 1"), "{said}");
    let said = reason(sample.parse_state(&format!("{row}/")));
    assert!(said.contains("row 2 is empty; rows without pieces are left out"), "{said}");
    let said = reason(puzzle("tri4").parse_state("aBd1/dcA1 aba4 AdB1/CaA4"));
    assert!(said.contains("there are 3 rows, but the board has 2"), "{said}");
}

#[test]
fn moves_put_a_piece_into_the_next_cell() {
    let sample = puzzle("sample");
    let mut state = State(Vec::new());
    let solution = sample.print_state(&State(sample.setting.solution.clone().unwrap()));
    for word in solution.split([' ', '/']) {
        assert!(!sample.is_solved(&state));
        let mv = sample.parse_move(&state, word).unwrap();
        assert!(sample.moves(&state).contains(&mv));
        assert_eq!(sample.move_name(&state, mv), word);
        state = sample.apply(&state, mv);
    }
    assert!(sample.is_solved(&state) && sample.moves(&state).is_empty());
    assert_eq!(sample.print_state(&state), solution);
    // A piece can be spelled from any letter on, and three equal letters have one name.
    let begin = sample.parse_state("DCa1").unwrap();
    let mv = sample.parse_move(&begin, "AAA6").unwrap();
    assert_eq!(sample.move_name(&begin, mv), "AAA4");
    let names: Vec<_> = sample.moves(&begin).iter().map(|&mv| sample.move_name(&begin, mv)).collect();
    assert_eq!(names.iter().filter(|name| name.starts_with("AAA")).count(), 1);
    assert_eq!(sample.move_name(&begin, Move(u32::MAX)), "?");
}

#[test]
fn impossible_moves_are_refused_with_those_there_are() {
    let sample = puzzle("sample");
    let begin = sample.parse_state("DCa1").unwrap();
    for (state, mv, why) in [
        (&begin, "x", "`x` is not a piece"),
        (&begin, "DCa4", "the piece DCa is used already"),
        (&begin, "AAA1", "does not suit a cell that points down"),
        (&begin, "ddd4", "`ddd4` does not match row 1, piece 1; what fits into the next cell: "),
        (&State(Vec::new()), "BBB1", "what fits into the next cell: AAA1, "),
        (&State(sample.setting.solution.clone().unwrap()), "AAA1", "no moves on a full board"),
    ] {
        let said = reason(sample.parse_move(state, mv));
        assert!(said.contains(why), "{said}");
    }
}

proptest! {
    #[test]
    fn no_state_makes_us_panic(text in "([ABCDabcd]{3}[1-6][ /]|.){0,30}") {
        for puzzle in [puzzle("sample"), puzzle("tri4")] {
            let _ = puzzle.parse_state(&text);
            let _ = puzzle.parse_move(&State(Vec::new()), &text);
        }
    }
}

#[test]
fn drawings() {
    let half = puzzle("half12");
    let state = half.parse_state("DCa1 AAA4 aBd1 CBD4 cdc1/dAB1 Dcb4").unwrap();
    let plain = half.draw(&state, false);
    assert_eq!(plain, HALF);
    let coloured = half.draw(&state, true);
    assert!(coloured.contains("\x1b[30;44mD\x1b[0m") && coloured.contains("\x1b[30;44md\x1b[0m"));
    let colours = (1..5).map(|n| format!("\x1b[30;4{n}m"));
    let stripped = colours.fold(coloured, |text, colour| text.replace(&colour, ""));
    assert_eq!(stripped.replace("\x1b[0m", ""), plain);
    let tri4 = puzzle("tri4");
    let full = State(tri4.setting.solution.clone().unwrap());
    assert_eq!(tri4.draw(&full, false), TRI4);
}

const HALF: &str = r"         ______  ______
       /\  A   /\  B   /\
      /  \A  A/  \D  C/  \
     /D  a\  /a  d\  /c  c\
    /__C___\/__B___\/__d___\
   /\  c   /\      /\      /\
  /  \b  D/  \    /  \    /  \
 /d  B\  /    \  /    \  /    \
/__A___\/______\/______\/______\";

const TRI4: &str = r"       /\
      /  \
     /a  d\
    /__B___\
   /\  b   /\
  /  \a  a/  \
 /d  A\  /A  B\
/__c___\/__d___\";

#[test]
fn what_a_picture_needs_is_said() {
    let board = crate::puzzles::registry::parse("triangles:tri4").unwrap().board();
    let cell = |row: u8, column: u8, x: u8, up: bool| serde_json::json!({"row": row, "column": column, "x": x, "up": up});
    let cells = [cell(1, 3, 4, true), cell(2, 3, 3, true), cell(2, 4, 4, false), cell(2, 5, 5, true)];
    assert_eq!(board, serde_json::json!({ "cells": cells }));
}

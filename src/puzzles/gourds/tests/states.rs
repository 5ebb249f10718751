//! States, moves and drawings: what is read, what is written, what is refused and in which words.

use super::*;
use crate::puzzle::{Move, Setup};
use crate::puzzles::gourds::rules::pairs_of;

#[test]
fn states_read_back() {
    on_states(40, |puzzle, state| {
        let text = puzzle.print_state(state);
        prop_assert_eq!(&puzzle.parse_state(&text).unwrap(), state);
        Ok(())
    });
}

#[test]
fn gourds_that_look_alike_are_written_in_order() {
    for text in ["seed1", "seed7", "alike", "middle", "mirror", "reversed"] {
        let puzzle = puzzle(text);
        let labels = puzzle.labels().unwrap();
        on_cases(text, 100, some_pairs(&puzzle), |pairs| {
            let colours = |pairs: &[[u8; 2]]| {
                let mut colours = vec![None; puzzle.board().size()];
                for (pair, ends) in pairs.iter().zip(&labels.gourds) {
                    for (&cell, &label) in pair.iter().zip(ends) {
                        colours[usize::from(cell)] = Some(label);
                    }
                }
                colours
            };
            let normal = puzzle.kinds.normal(pairs);
            prop_assert_eq!(colours(&normal), colours(pairs));
            prop_assert_eq!(&puzzle.kinds.normal(&normal), &normal);
            let text = crate::puzzles::gourds::notation::print_pairs(pairs);
            prop_assert_eq!(pairs_of(&puzzle.parse_state(&text).unwrap()), normal);
            Ok(())
        });
    }
    let puzzle = puzzle("seed7");
    let state = puzzle.parse_state("10-1,9-0,2-11,3-12,4-13,5-14,6-15,7-16").unwrap();
    assert_eq!(puzzle.print_state(&state), "0-9,1-10,2-11,3-12,4-13,5-14,6-15,7-16");
}

#[test]
fn malformed_states_are_refused_with_what_and_where() {
    for (state, why) in [
        ("", "the state is empty"),
        ("0-1,2-5,4", "in the state, `4` is not a pair of cells"),
        ("0-1,2-5,4-6,", "in the state, `` is not a pair of cells"),
        ("0-1 2-5 4-6", "in the state, `0-1 2-5 4-6` is not a pair"),
        ("0-1,2-5,4-+6", "`4-+6` is not a pair of cells"),
        ("0-1,2-5,4-99999999999999999999", "is not a pair of cells"),
        ("0-1,2-5,4-7", "there is no cell 7: the board has the cells 0 to 6"),
        ("0-1,2-5,3-3", "the cells 3 and 3 are not neighbours"),
        ("0-4,2-5,3-6", "the cells 0 and 4 are not neighbours"),
        ("0-1,2-5,5-6", "cell 5 is covered twice"),
        ("0-1,2-5", "the number of covered pairs is 2, but on 7 cells 3 must be"),
    ] {
        let said = reason(puzzle("flower7").parse_state(state));
        assert!(said.contains(why), "{state}: {said}");
        assert!(!said.ends_with('.'));
    }
    assert!(puzzle("flower7").parse_state(" 0-1,2-5,4-6 ").is_ok());
}

#[test]
fn moves_are_clicks_beside_the_hole() {
    let puzzle = puzzle("flower7");
    let state = puzzle.parse_state("0-1,2-5,4-6").unwrap();
    let names = |state: &State| {
        let moves = puzzle.moves(state).into_iter();
        moves.map(|mv| puzzle.move_name(state, mv)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(&state), "0 1 2 4 5 6");
    let after = |state: &State, name: &str| puzzle.apply(state, puzzle.parse_move(state, name).unwrap());
    // Both ends touch the hole in the middle: a pivot about the other end.
    let pivoted = after(&state, "0");
    assert_eq!(puzzle.print_state(&pivoted), "3-1,2-5,4-6");
    assert_eq!(after(&pivoted, "3"), state);
    assert_eq!(puzzle.print_state(&after(&state, "1")), "0-3,2-5,4-6");
    // The mate of cell 2 does not touch the hole 0: it follows.
    let turned = after(&pivoted, "2");
    assert_eq!(puzzle.print_state(&turned), "3-1,0-2,4-6");
    assert_eq!(names(&turned), "2 3 6");
    assert_eq!(after(&turned, "2"), pivoted);
    for (name, why) in [
        (
            "3",
            "`3` is not a move here: a move is the number of a cell beside the free cell 3, that is, one of 0, 1, 2, 4, 5, 6",
        ),
        ("7", "`7` is not a move here"),
        ("x", "`x` is not a move here"),
        ("", "`` is not a move here"),
        ("-1", "`-1` is not a move here"),
    ] {
        let said = reason(puzzle.parse_move(&state, name));
        assert!(said.contains(why), "{said}");
    }
    // A move that no state has changes nothing.
    assert_eq!(puzzle.apply(&state, Move(3)), state);
    assert_eq!(puzzle.apply(&state, Move(u32::MAX)), state);
}

#[test]
fn drawings() {
    let draw = |text: &str, state: &str| {
        let puzzle = puzzle(text);
        puzzle.draw(&puzzle.parse_state(state).unwrap(), false)
    };
    assert_eq!(draw("flower7", "1-0,2-5,4-6"), "  a---A\n\nB   .   C\n \\     /\n  b   c");
    assert_eq!(draw("rows-3-4", "0-1,5-2,3-4"), "  A---a   b\n         /\nC---c   B   .");
    assert_eq!(
        draw("seed1", "0-1,2-5,3-6"),
        "gourds       cells\n\n  6---2        4   4\n\n2   4   .    2   2   2\n \\   \\\n  4   2        6   6"
    );
    assert_eq!(
        draw("seed4", "0-1,4-8,5-9,2-6,3-7").lines().nth(4),
        Some("    2     3     4           2     3     4")
    );
    for text in all_texts().chain(["hex37", "random:63:1"]) {
        let puzzle = puzzle(text);
        let state = match (&puzzle.goal, puzzle.start()) {
            (Some(goal), None) => state_of(goal),
            (_, start) => start.unwrap(),
        };
        let plain = puzzle.draw(&state, false);
        assert!(!plain.contains('\x1b') && !plain.ends_with('\n'), "{plain}");
        assert!(plain.lines().all(|line| line == line.trim_end()), "{plain}");
        let coloured = puzzle.draw(&state, true);
        // With numbers only what is at home is painted.
        let painted = puzzle.labels().is_none_or(|labels| labels.coloured);
        assert!(!painted || coloured.contains("\x1b[30;48;5;"), "{coloured}");
        let mut stripped = String::new();
        for (number, part) in coloured.split('\x1b').enumerate() {
            let text = if number == 0 { part } else { part.split_once('m').unwrap().1 };
            stripped += text;
        }
        assert_eq!(stripped, plain);
        // As many ends as halves of gourds, and one hole.
        if puzzle.labels().is_none() {
            let ends = plain.chars().filter(|c| c.is_alphabetic()).count();
            assert_eq!(ends, 2 * puzzle.board().gourds(), "{plain}");
            assert_eq!(plain.matches('.').count(), 1, "{plain}");
        }
    }
}

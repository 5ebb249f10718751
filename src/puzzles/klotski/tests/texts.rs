//! Texts, states and moves: what is read, what is written, what is refused and in which
//! words.

use super::super::grid::{BlockLayout, named};
use super::*;
use crate::puzzle::{FileFormat, Setup};
use crate::puzzles::registry;

#[test]
fn the_registry_reads_back_every_text() {
    for example in super::super::KIND.examples {
        assert_eq!(registry::parse(example).unwrap().text(), *example);
    }
    assert_eq!(named().count(), 12);
    for (name, layout) in named() {
        let puzzle = puzzle(name);
        assert_eq!(puzzle.text(), format!("klotski:{name}"));
        let start = puzzle.start().unwrap();
        assert_eq!(puzzle.parse_state(layout).unwrap(), start);
        assert_eq!(puzzle.content(), None);
    }
}

#[test]
fn options_come_in_any_order_and_defaults_are_left_out() {
    for (given, canonical) in [
        ("classic:step", "klotski:classic"),
        ("classic:from-start", "klotski:classic"),
        ("classic:from-start:step", "klotski:classic"),
        ("classic:from-goals:move", "klotski:classic:move:from-goals"),
        ("classic:slide:from-goals", "klotski:classic:slide:from-goals"),
        ("all:from-goals", "klotski:all"),
        ("all-2:from-goals:slide", "klotski:all-2:slide"),
    ] {
        assert_eq!(puzzle(given).text(), canonical);
    }
}

#[test]
fn impossible_texts_are_refused_with_the_reason() {
    for (text, why) in [
        ("klotski", "the layout is missing"),
        ("klotski:", "the layout is missing"),
        ("klotski:clasic", "there is no layout `clasic`; there are classic,"),
        ("klotski:classic:push", "`push` is not an option"),
        ("klotski:classic:step:move", "two metrics"),
        ("klotski:classic:move:move", "the option `move` is given twice"),
        ("klotski:classic:from-start:from-goals", "two kinds of roots"),
        ("klotski:all:from-start", "`from-start` does not apply to `all`"),
        ("klotski:all-2:from-start", "`from-start` does not apply to `all-2`"),
        ("klotski:@", "the file name after the `@` is missing"),
        ("klotski:@a#b", "there is no `#b` in it"),
    ] {
        let said = reason(registry::parse(text));
        assert!(said.contains(why), "{said}");
        assert!(said.contains("Accepted: klotski:NAME") || said.contains("did you mean `"), "{said}");
    }
    let missing = registry::parse("klotski:@/nonexistent/layout");
    assert!(matches!(missing, Err(Error::Io { .. })));
}

#[test]
fn titles() {
    assert_eq!(puzzle("classic").title(), "Klotski classic, distances from the start");
    assert_eq!(puzzle("all-2:move").title(), "Klotski, all layouts with two empty cells");
    let own = board(BOARDS[0], ":from-goals").title();
    assert!(own.ends_with("layout (4 rows, 4 columns), distances to the nearest goal"), "{own}");
}

#[test]
fn states_read_back() {
    on_states_of_all_puzzles(20, |puzzle, state| {
        let text = puzzle.print_state(state);
        let lines = text.replace('/', "\n");
        let (board, uses) = (&puzzle.board, &puzzle.uses);
        let read = |text: &str| super::super::notation::parse_state(board, uses, text);
        prop_assert_eq!(&read(&text).unwrap(), &state.0);
        prop_assert_eq!(&read(&lines).unwrap(), &state.0);
        Ok(())
    });
    let classic = puzzle("classic");
    let state = classic.parse_state("xQQz/xQQz/abbc/adec/g..h").unwrap();
    assert_eq!(classic.print_state(&state), "BAAC/BAAC/DEEF/DGHF/I..J");
}

#[test]
fn letters_go_on_after_z() {
    let many = "AABCDEFG/AAHIJKLM/NOPQRSTU/VWXYZabc/.......d\ngoal 0,0";
    let puzzle = board(many, "");
    let expected = many.split('\n').next().unwrap();
    assert_eq!(puzzle.print_state(&puzzle.start().unwrap()), expected);
}

#[test]
fn malformed_states_are_refused_with_what_and_where() {
    for (text, state, why) in [
        ("classic", "", "there is no layout"),
        (
            "classic",
            "BAAC/BAAC",
            "the board has 2 rows and 4 columns, but this puzzle has 5 rows and 4 columns",
        ),
        ("classic", "BAAC/BAAC/DEEF/DGHF/I..J/", "row 6 has 0 cells, but row 1 has 4"),
        ("classic", "BAAC/BAAC/DEEF/DG1F/I..J", "row 4, column 3: `1` is neither a letter"),
        ("classic", "BAAC/BAAC/DEEF/DGéF/I..J", "row 4, column 3: `é` is neither a letter"),
        ("classic", "BAAC/BAAC/DEEF/DGHF/...J", "the number of empty cells is 3, but in this puzzle it is 2"),
        ("classic", "BAAC/BAAC/DEEF/DGGF/I..J", "the number of 1x1 blocks is 2, but in this puzzle it is 4"),
        ("classic", "I..J/DGHF/DEEF/BAAC/BAAC", "cannot be reached from the start of klotski:classic"),
        (
            "all",
            "BAAC/BAAC/DEEF/DGHF/IKLJ",
            "the number of empty cells is 0, but in this puzzle it is at least 2",
        ),
        ("all-2", "BAAC/BAAC/DEEF/DGHF/I...", "the number of empty cells is 3, but in this puzzle it is 2"),
        ("all", "B..C/B..C/DEEF/DGHF/I..J", "there is no 2x2 block"),
    ] {
        let said = reason(puzzle(text).parse_state(state));
        assert!(said.contains(why), "{text} {state}: {said}");
        assert!(!said.ends_with('.'));
    }
}

#[test]
fn moves_read_back() {
    on_states_of_all_puzzles(10, |puzzle, state| {
        for mv in puzzle.moves(state) {
            let name = puzzle.move_name(state, mv);
            prop_assert_eq!(puzzle.parse_move(state, &name).unwrap(), mv, "{}", name);
        }
        Ok(())
    });
    let names = |puzzle: &Klotski| {
        let state = puzzle.start().unwrap();
        let moves = puzzle.moves(&state).into_iter();
        moves.map(|mv| puzzle.move_name(&state, mv)).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(names(&puzzle("classic")), "G D1, H D1, I R1, J L1");
    assert_eq!(names(&puzzle("classic:slide")), "G D1, H D1, I R1, I R2, J L1, J L2");
    assert_eq!(names(&puzzle("classic:move")), "G D1, G D1R1, H D1L1, H D1, I R1, I R2, J L2, J L1");
    // The shortest way has six cells, whichever bends it takes; the one with fewest is shown.
    let bent = board("AAB./AAB./CC../D...\ngoal 2,2", ":move");
    let state = bent.start().unwrap();
    let mv = bent.parse_move(&state, "D R2U1R1U2").unwrap();
    assert_eq!(bent.move_name(&state, mv), "D R3U3");
}

#[test]
fn what_is_no_move_is_refused() {
    for (text, mv, why) in [
        ("classic", "", "a block's letter, a space, a direction"),
        ("classic", "I", "a block's letter, a space, a direction"),
        ("classic", "IR1", "a block's letter, a space, a direction"),
        ("classic", "I R", "a block's letter, a space, a direction"),
        ("classic", "I X1", "a block's letter, a space, a direction"),
        ("classic", "I R0", "a block's letter, a space, a direction"),
        ("classic", "Q R1", "there is no block `Q`; the moves here are G D1, H D1, I R1, J L1"),
        ("classic", ". R1", "there is no block `.`"),
        ("classic", "I R2", "in the step metric a move is one step of one cell"),
        ("classic", "I L1", "something is in the way of `I`"),
        ("classic", "B D9", "in the step metric"),
        ("classic:slide", "I R1R1", "in the slide metric a move goes straight"),
        ("classic:slide", "I R3", "something is in the way of `I`"),
        ("classic:move", "I R1L1", "it takes `I` back to where it is"),
        ("classic:move", "I R9", "something is in the way of `I`"),
    ] {
        let puzzle = puzzle(text);
        let state = puzzle.start().unwrap();
        let said = reason(puzzle.parse_move(&state, mv));
        assert!(said.contains(why), "{text} {mv}: {said}");
    }
    let stuck = board("AAB/AAB\ngoal 0,0", "");
    let said = reason(stuck.parse_move(&stuck.start().unwrap(), "B L1"));
    assert!(said.ends_with("there are no moves here"), "{said}");
    // Numbers that no puzzle gives out do nothing.
    let state = stuck.start().unwrap();
    for number in [0, 2, 3, 65, 70, 4095, u32::MAX] {
        let mv = crate::puzzle::Move(number);
        assert_eq!(stuck.apply(&state, mv), state);
        stuck.move_name(&state, mv);
    }
}

#[test]
fn drawings() {
    let puzzle = puzzle("classic");
    let start = puzzle.start().unwrap();
    let expected = "\
+---+-------+---+
| B | A     | C |
|   |       |   |
|   |       |   |
+---+-------+---+
| D | E     | F |
|   +---+---+   |
|   | G | H |   |
+---+---+---+---+
| I |       | J |
+---+-------+---+";
    assert_eq!(puzzle.draw(&start, false), expected);
    let coloured = puzzle.draw(&start, true);
    assert_eq!(coloured.lines().count(), 11);
    let second = "|\x1b[30;44m B \x1b[0m|\x1b[30;41m A     \x1b[0m|\x1b[30;44m C \x1b[0m|";
    assert_eq!(coloured.lines().nth(1), Some(second));
    let mut plain = coloured;
    for code in ["\x1b[0m", "\x1b[30;41m", "\x1b[30;42m", "\x1b[30;43m", "\x1b[30;44m"] {
        plain = plain.replace(code, "");
    }
    assert_eq!(plain, expected);
}

#[test]
fn named_layouts_are_on_the_usual_board() {
    for (name, _) in named() {
        let layout = BlockLayout::of_name(name).unwrap();
        assert_eq!(layout.cells.len(), 20, "{name}");
    }
}

#[test]
fn what_a_picture_needs_is_said() {
    for (text, metric) in [("classic", "step"), ("all-2:move", "move")] {
        let expected = serde_json::json!({"rows": 5, "columns": 4, "goal": [3, 1], "metric": metric});
        assert_eq!(crate::puzzle::Picture::board(&puzzle(text)), expected);
    }
}

//! Texts, states and moves: what is read, what is written, what is refused and in which words.

use super::*;
use crate::puzzles::registry;
use crate::puzzles::tests::reason;

#[test]
fn the_registry_reads_back_every_text() {
    for text in variants() {
        let text = format!("wrapslide:{text}");
        assert_eq!(registry::parse(&text).unwrap().text(), text);
    }
    for example in super::super::KIND.examples {
        assert_eq!(registry::parse(example).unwrap().text(), *example);
    }
}

#[test]
fn options_come_in_any_order_and_defaults_are_left_out() {
    for (given, canonical) in [
        ("4x4:3:unit:any", "wrapslide:4x4:3:any:unit"),
        ("4x4:4:unit:fixed", "wrapslide:4x4:4:fixed:unit"),
        ("6x6:2:slide", "wrapslide:6x6:2"),
        ("6x6:3:slide:any", "wrapslide:6x6:3:any"),
    ] {
        assert_eq!(puzzle(given).text(), canonical);
    }
}

#[test]
fn impossible_texts_are_refused_with_the_reason() {
    for (text, why) in [
        ("wrapslide", "the size is missing"),
        ("wrapslide:5x5:2", "the size `5x5` is not 4x4, 6x6 or 8x8"),
        ("wrapslide:4x6:2", "the size `4x6` is not"),
        ("wrapslide:6x6", "the number of colours is missing"),
        ("wrapslide:6x6:5", "the number of colours `5` is not 2, 3 or 4"),
        ("wrapslide:6x6:any", "the number of colours is missing"),
        ("wrapslide:6x6:2:fast", "`fast` is not an option"),
        ("wrapslide:6x6:2:", "`` is not an option"),
        ("wrapslide:6x6:2:unit:unit", "the option `unit` is given twice"),
        ("wrapslide:6x6:2:slide:slide", "the option `slide` is given twice"),
        ("wrapslide:6x6:2:unit:slide", "two metrics"),
        ("wrapslide:6x6:2:any", "`any` applies to three colours only"),
        ("wrapslide:6x6:4:any", "`any` applies to three colours only"),
        ("wrapslide:6x6:2:fixed", "`fixed` needs three or four colours"),
        ("wrapslide:6x6:3:fixed:any", "`any` does not apply to `fixed`"),
    ] {
        let said = reason(registry::parse(text));
        assert!(said.contains(why), "{said}");
        assert!(said.contains("Accepted: wrapslide:NxN:C") || said.contains("did you mean `"), "{said}");
    }
}

#[test]
fn titles_and_metrics() {
    assert_eq!(puzzle("6x6:2").title(), "Wrapslide 6x6, 2 colours");
    assert_eq!(
        puzzle("4x4:4:fixed:unit").title(),
        "Wrapslide 4x4, 4 colours, top-left quadrant fixed, unit slides"
    );
    assert_eq!(puzzle("6x6:2").metric(), "slide");
    assert_eq!(puzzle("6x6:2:unit").metric(), "unit");
}

#[test]
fn states_read_back() {
    on_states_of_all_variants(40, |puzzle, state| {
        let text = puzzle.print_state(state);
        prop_assert_eq!(&puzzle.parse_state(&text).unwrap(), state);
        Ok(())
    });
    let four = puzzle("6x6:4");
    let known = "111414/343423/121414/323222/314434/323212";
    assert_eq!(four.print_state(&four.parse_state(known).unwrap()), known);
}

#[test]
fn malformed_states_are_refused_with_what_and_where() {
    for (text, state, why) in [
        ("4x4:4", "", "the state is empty"),
        ("4x4:4", "1122", "row 1 has 4 cells, but there is 1 row"),
        ("4x4:4", "1122/1122/3344", "not square: row 1 has 4 cells, but there are 3 rows"),
        ("4x4:4", "1122/112/3344/3344", "not square: row 2 has 3 cells, but there are 4 rows"),
        ("4x4:4", "1122/1122/3344/3344/", "not square: row 1 has 4 cells, but there are 5 rows"),
        ("4x4:4", "111/222/333", "the board is 3x3, and an odd size"),
        ("4x4:4", "12/34", "the board is 2x2, but this puzzle is 4x4"),
        ("4x4:4", "11x2/1122/3344/3344", "row 1, column 3: `x` is not a colour"),
        ("4x4:4", "1122/1022/3344/3344", "row 2, column 2: `0` is not a colour"),
        ("4x4:4", "1122/1 22/3344/3344", "row 2, column 2: ` ` is not a colour"),
        ("4x4:4", "1122/11é2/3344/3344", "row 2, column 3: `é` is not a colour"),
        ("4x4:4", "1133/1133/4444/4444", "colour 4 is used but colour 2 is not"),
        ("4x4:3", "1122/1122/3344/3344", "row 3, column 3: colour 4, but this puzzle has colours 1 to 3"),
        ("4x4:4", "1112/1122/3344/3344", "colour 1 fills 5 cells, but must fill 4"),
        ("4x4:3", "1122/1122/1122/1122", "colour 1 fills 8 cells, but must fill 4"),
        ("4x4:2", "1222/2222/2222/2222", "colour 1 fills 1 cell, but must fill 4"),
        ("4x4:4:fixed", "1122/1212/3344/3344", "row 2, column 2: colour 2, but in a `fixed` puzzle"),
    ] {
        let said = reason(puzzle(text).parse_state(state));
        assert!(said.contains(why), "{text} {state}: {said}");
        assert!(!said.ends_with('.'));
    }
}

#[test]
fn moves_read_back_and_others_are_refused() {
    for text in variants() {
        let puzzle = puzzle(&text);
        let state = State(puzzle.variant.solved()[0].clone());
        let moves = puzzle.moves(&state);
        let halves = if puzzle.variant.fixed { 2 } else { 4 };
        let distances = if puzzle.variant.unit { 2 } else { puzzle.variant.size - 1 };
        assert_eq!(moves.len(), halves * distances, "{text}");
        for mv in moves {
            let name = puzzle.move_name(&state, mv);
            assert_eq!(puzzle.parse_move(&state, &name).unwrap(), mv);
        }
    }
    let names = |text| {
        let puzzle = puzzle(text);
        let state = State(vec![]);
        let moves = puzzle.moves(&state).into_iter();
        moves.map(|mv| puzzle.move_name(&state, mv)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names("4x4:2"), "T1 T2 T3 B1 B2 B3 L1 L2 L3 R1 R2 R3");
    assert_eq!(names("6x6:4:fixed:unit"), "B1 B5 R1 R5");
    for (text, mv, why) in [
        ("4x4:2", "T4", "a half (T, B, L or R) and a number of cells (1 to 3)"),
        ("4x4:2", "X1", "`X1` is not a move"),
        ("4x4:2", "T0", "`T0` is not a move"),
        ("4x4:2", "T", "`T` is not a move"),
        ("4x4:2:unit", "T2", "(1 or 3)"),
        ("4x4:3:fixed", "T1", "a half (B or R)"),
        ("4x4:3:fixed", "L1", "would disturb the fixed quadrant"),
    ] {
        let said = reason(puzzle(text).parse_move(&State(vec![]), mv));
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn a_move_and_its_reverse_cancel() {
    on_states_of_all_variants(10, |puzzle, state| {
        let size = puzzle.variant.size;
        for slide in puzzle.variant.slides() {
            let there = puzzle.variant.slide(&state.0, slide);
            let back = super::super::rules::HalfSlide { cells: size - slide.cells, ..slide };
            prop_assert_eq!(&puzzle.variant.slide(&there, back), &state.0);
        }
        Ok(())
    });
}

#[test]
fn drawings() {
    let puzzle = puzzle("4x4:4");
    let state = puzzle.parse_state("1122/1212/3344/3344").unwrap();
    assert_eq!(puzzle.draw(&state, false), "1 1  2 2\n1 2  1 2\n\n3 3  4 4\n3 3  4 4");
    let coloured = puzzle.draw(&state, true);
    let first = "\x1b[30;41m 1 \x1b[0m\x1b[30;41m 1 \x1b[0m \x1b[30;42m 2 \x1b[0m\x1b[30;42m 2 \x1b[0m\n";
    assert!(coloured.starts_with(first));
    assert_eq!(coloured.lines().count(), 5);
}

#[test]
fn what_a_picture_needs_is_said() {
    let board = registry::parse("wrapslide:6x6:3:any:unit").unwrap().board();
    let expected = r#"{"size":6,"colours":3,"counts":[9,9,18],"fixed":false,"unit":true,"any":true}"#;
    assert_eq!(board, serde_json::from_str::<serde_json::Value>(expected).unwrap());
}

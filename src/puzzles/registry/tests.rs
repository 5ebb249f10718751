//! Tests of the module above.

use super::*;
use crate::text::file_name;

#[test]
fn names_of_files_lead_back_to_puzzles() {
    for text in [
        "wrapslide:4x4:4:fixed",
        "tiles:3x4:push",
        "klotski:all-2:move",
        "klotski:fenghuiluzhuan:slide:from-goals",
        "gourds:rows-1-2-3-2-1",
        "triangles:half12",
    ] {
        let found = named(&file_name(text)).map(|puzzle| puzzle.text());
        assert_eq!(found.as_deref(), Some(text));
    }
    for name in ["", "wrapslide", "x-y", "wrapslide-4x4-9", "klotski-", "-"] {
        assert!(named(name).is_none(), "{name}");
    }
    assert!(named(&format!("klotski{}", "-x".repeat(1000))).is_none());
}

#[test]
fn given_files_are_puzzles_and_no_path_is_opened() {
    let boards = "board one\ntype shape\nrows .o.o./o.o.o\n\nboard two\ntype shape\nrows .o./o.o\n";
    let puzzle = parse_given("gourds:@/etc/passwd#two", Some(boards)).unwrap();
    assert_eq!(puzzle.text(), "gourds:@/etc/passwd#two");
    assert!(puzzle.content().is_some());
    let layout = "BAAC/BAAC/DEEF/DGHF/I..J";
    let puzzle = parse_given("klotski:@mine:move", Some(layout)).unwrap();
    assert_eq!(puzzle.file(), parse("klotski:classic").unwrap().file());
    let sample = parse("triangles:sample").unwrap().file();
    let puzzle = parse_given("triangles:@mine", sample.as_deref()).unwrap();
    assert_eq!(puzzle.file(), sample);
    // Texts without files are what they always are.
    assert_eq!(parse_given("tiles:3x3", None).unwrap().text(), "tiles:3x3");
    let refusal = |text: &str, file| match parse_given(text, file) {
        Ok(puzzle) => panic!("accepted: {}", puzzle.text()),
        Err(error) => error.to_string(),
    };
    for kind in ["gourds", "klotski", "triangles"] {
        // There is something to read at the first two, and the third would never end.
        for path in ["Cargo.toml", "/etc/passwd", "/dev/zero", "/nonexistent"] {
            let text = format!("{kind}:@{path}");
            let why = refusal(&text, None);
            assert!(why.contains("is missing: files are not read here"), "{why}");
            // What is wrong is wrong with what was given.
            let why = refusal(&text, Some("\n#\n?"));
            assert!(why.contains(", line 3: "), "{why}");
        }
    }
    assert!(refusal("gourds:@x", Some(boards)).contains("there are 2 boards"));
    assert!(refusal("gourds:@x#three", Some(boards)).contains("only one, two"));
    assert!(refusal("gourds:@x", Some("board a\ntype shape\nrows o..o")).contains("x, line 3"));
    assert!(refusal("tiles:@x", Some("1 2")).contains("names no puzzle"));
}

#[test]
fn long_texts_have_short_names() {
    let text = format!("klotski:@/{}/x", "é".repeat(200));
    let name = file_name(&text);
    assert!(name.len() < 150 && name.starts_with("klotski---"), "{name}");
    assert_ne!(name, file_name(&format!("{text}y")));
    assert_eq!(file_name("gourds:@a/b#c:goal=0-1,2-3"), "gourds--a-b-c-goal-0-1-2-3");
}

//! Tests of the module above.

use super::*;
use crate::puzzles::registry;

fn refusal(puzzle: &dyn Rules, word: &str) -> String {
    match choose(puzzle, Some(word)) {
        Ok(_) => panic!("accepted: {word}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_small_space_is_solved_by_its_table() {
    let names = |text| {
        let puzzle = registry::parse(text).unwrap();
        let solvers = solvers(&*puzzle);
        solvers.iter().map(|solver| solver.name()).collect::<Vec<_>>()
    };
    for text in ["wrapslide:4x4:4", "wrapslide:6x6:2", "klotski:all:move", "tiles:2x5"] {
        assert_eq!(names(text).first(), Some(&"table"), "{text}");
    }
    // A table that cannot be made on the way is the last resort.
    for text in ["wrapslide:6x6:4", "tiles:4x4"] {
        assert_eq!(names(text).last(), Some(&"table"), "{text}");
    }
    assert!(!names("triangles:sample").contains(&"table"));
    assert!(!names("tiles:5x5").contains(&"table"));
}

#[test]
fn names_and_strengths_are_checked() {
    let puzzle = registry::parse("wrapslide:4x4:2").unwrap();
    let choice = choose(&*puzzle, None).unwrap();
    assert_eq!((choice.name().as_str(), choice.strength), ("table", None));
    assert_eq!(choose(&*puzzle, Some("table")).unwrap().full_name(), "table");
    assert!(refusal(&*puzzle, "magic").contains("its solvers are table"));
    assert!(refusal(&*puzzle, "table=5").contains("no strength"));
}

use super::*;
use crate::puzzles::registry;

#[test]
fn texts_are_read_as_they_are_written() {
    for text in ["uniform", "walk:1", "walk:1000000"] {
        assert_eq!(text.parse::<Scrambling>().unwrap().to_string(), text);
    }
    for text in ["", "walk", "walk:", "walk:0", "walk:1000001", "walk:-1", "Uniform", "uniform:3"] {
        assert!(text.parse::<Scrambling>().is_err(), "{text}");
    }
}

#[test]
fn walks_are_frozen_and_end_within_their_length() {
    let puzzle = registry::parse("wrapslide:4x4:2").unwrap();
    let walk = |length, number| {
        let instance = Scrambling::Walk(length).instance(&*puzzle, &mut Random::instance(1, number)).unwrap();
        let Instance::State(state) = instance else { panic!("not a state") };
        puzzle.print_state(&state)
    };
    // One move from the solved board: the other boards that twelve moves make of it, and itself.
    let after_one: std::collections::BTreeSet<String> = (1..200).map(|number| walk(1, number)).collect();
    assert_eq!(after_one.len(), 7, "{after_one:?}");
    assert_eq!(walk(10, 1), "1222/2221/1222/2122");
    assert_eq!(walk(10, 2), "2112/2112/2222/2222");
}

#[test]
fn a_walk_ends_where_no_move_is_left() {
    let puzzle = registry::parse("triangles:tri4").unwrap();
    let instance = Scrambling::Walk(9).instance(&*puzzle, &mut Random::new(3)).unwrap();
    let Instance::State(state) = instance else { panic!("not a state") };
    assert!(puzzle.moves(&state).is_empty());
}

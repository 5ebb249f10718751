//! States and moves of puzzles of every kind. The first byte says of which puzzle; a line with a state
//! follows, then one with each move.

use std::sync::OnceLock;

use godnum::puzzle::{Rules, State, join_names, split_names};
use godnum::puzzles::registry;

/// The puzzles that the letters from `a` on stand for.
pub const PUZZLES: &[&str] = &[
    "wrapslide:4x4:2",
    "wrapslide:6x6:4",
    "wrapslide:8x8:3",
    "wrapslide:4x4:4:fixed",
    "wrapslide:4x4:3:any:unit",
    "tiles:2x3",
    "tiles:3x3",
    "tiles:4x4:push",
    "tiles:10x2",
    "klotski:classic",
    "klotski:classic:move",
    "klotski:all-2:slide",
    "gourds:flower7",
    "gourds:seed1",
    "gourds:hex19",
    "gourds:hex37",
    "triangles:tri4",
    "triangles:sample",
];

fn puzzles() -> &'static [Box<dyn Rules>] {
    static PARSED: OnceLock<Vec<Box<dyn Rules>>> = OnceLock::new();
    PARSED.get_or_init(|| PUZZLES.iter().map(|text| registry::parse(text).unwrap()).collect())
}

/// Reads a state and makes moves from it.
pub fn check(data: &[u8]) {
    let Some((&letter, text)) = data.split_first() else {
        return;
    };
    let Some(puzzle) = puzzles().get(usize::from(letter.wrapping_sub(b'a'))) else {
        return;
    };
    let Ok(text) = str::from_utf8(text) else {
        return;
    };
    let mut lines = text.lines();
    let given = lines.next().unwrap_or_default();
    let Ok(first) = puzzle.parse_state(given) else {
        return;
    };
    hold(&**puzzle, &first);
    let names: Vec<&str> = lines.collect();
    let Ok(moves) = puzzle.read_moves(given, &first, &names) else {
        return;
    };
    let frames = puzzle.film(given, &first, &moves, false);
    assert_eq!(frames.len(), moves.len() + 1);
    let names = puzzle.name_moves(given, &first, &moves);
    let line = join_names(&names);
    let split = split_names(&line, names.len());
    assert_eq!(puzzle.read_moves(given, &first, &split).ok(), Some(moves));
    let _ = puzzle.print_moves(&names);
}

/// Shows a state, reads that back, and makes every move.
pub fn hold(puzzle: &dyn Rules, state: &State) {
    let line = puzzle.print_state(state);
    assert_eq!(puzzle.parse_state(&line).ok().as_ref(), Some(state), "{line}");
    assert!(!puzzle.draw(state, false).is_empty() && !puzzle.draw(state, true).is_empty());
    puzzle.is_solved(state);
    if let Some(index) = puzzle.index_of(state) {
        let canonical = puzzle.state_of(index).expect("an index stands for a state");
        assert_eq!(puzzle.index_of(&canonical), Some(index), "{line}");
    }
    for mv in puzzle.moves(state) {
        let name = puzzle.move_name(state, mv);
        assert_eq!(puzzle.parse_move(state, &name).ok(), Some(mv), "{line}: {name}");
        let after = puzzle.apply(state, mv);
        assert_eq!(puzzle.parse_state(&puzzle.print_state(&after)).ok(), Some(after));
    }
}

//! Files of klotski layouts. The first byte chooses metric and roots.

use godnum::puzzles::registry;

/// Goals are looked for where there are no more layouts than this: a larger flood takes too long to be
/// repeated thousands of times.
const FLOODED: u128 = 1 << 18;

/// Reads a file with a layout.
pub fn check(data: &[u8]) {
    let Some((&choice, layout)) = data.split_first() else {
        return;
    };
    let metric = [":step", ":slide", ":move"][usize::from(choice) % 3];
    if choice < b'a' {
        return super::puzzles::ask_file("klotski", "layout", layout, metric);
    }
    let path = super::file("layout", layout);
    let puzzle = registry::parse(&format!("klotski:@{}", path.display()));
    let universe = puzzle.ok().and_then(|puzzle| Some(puzzle.space()?.universe()));
    if universe.is_some_and(|universe| universe <= FLOODED) {
        let options = format!("{metric}:from-goals");
        super::puzzles::ask_file("klotski", "layout", layout, &options);
    }
}

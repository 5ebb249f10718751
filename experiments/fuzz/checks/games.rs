//! Game files of triangle puzzles.

use godnum::puzzles::registry;

/// Reads a game file; takes a hint for it.
pub fn check(data: &[u8]) {
    super::puzzles::ask_file("triangles", "game", data, "");
    let path = super::file("game", data);
    let text = format!("triangles:@{}", path.display());
    let Ok(puzzle) = registry::parse(&text) else {
        return;
    };
    if let Some(Ok(hinted)) = puzzle.capabilities().listing.and_then(|listing| listing.hinted_file()) {
        let path = super::file("hinted", hinted.as_bytes());
        let hinted = registry::parse(&format!("triangles:@{}", path.display()));
        assert_eq!(hinted.unwrap().totals().states, puzzle.totals().states);
    }
}

//! Files of gourds boards.

/// Reads a file of boards.
pub fn check(data: &[u8]) {
    super::puzzles::ask_file("gourds", "board", data, "");
}

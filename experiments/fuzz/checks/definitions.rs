//! Definitions of permutation puzzles in any format, and patterns.

use godnum::puzzles::perm::format::{Format, read, read_patterns, write, write_goals};

/// Reads a definition; one that is accepted is written in every format, and read back.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let definition = match read(&text) {
        Ok(definition) => definition,
        Err(error) => {
            assert!(!error.reason.is_empty() && error.line <= 1 + text.lines().count());
            assert!(!error.to_string().contains(char::is_control));
            return;
        }
    };
    assert_eq!(read(&write(&definition, Format::Kpuzzle)).as_ref(), Ok(&definition));
    let _ = (write(&definition, Format::Tws), write(&definition, Format::Gap), write_goals(&definition));
    // The blocks of a definition may be patterns of it.
    let _ = read_patterns(&text, &definition);
    if let Some(block) = text.find("Solved").or_else(|| text.find("Scramble"))
        && let Some(end) = text[block..].find("End")
    {
        let _ = read_patterns(&text[block..block + end + 3], &definition);
    }
}

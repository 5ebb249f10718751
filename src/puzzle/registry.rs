//! From a short text to a puzzle: `kind:subject[:option...]`.

use xxhash_rust::xxh3::xxh3_64;

use super::{Puzzle, Words, gourds, klotski, tiles, triangles, wrapslide};
use crate::bfs::Control;
use crate::error::{Error, Result};
use crate::report::Table;

/// A family of puzzles that can be named.
pub struct Kind {
    /// The first word of the text.
    pub name: &'static str,
    /// The texts it accepts, for error messages and `godnum puzzles`.
    pub grammar: &'static str,
    /// One sentence about the family.
    pub about: &'static str,
    /// Texts worth showing, small ones first.
    pub examples: &'static [&'static str],
    /// The options it knows; one that takes a value ends in `=`.
    pub options: &'static [&'static str],
    /// Reads what follows the kind.
    pub parse: Parse,
    /// A table over many puzzles of the kind, if there is one.
    pub survey: Option<Survey>,
}

/// Makes a table over all puzzles of a kind up to a size.
#[derive(Clone, Copy)]
pub struct Survey {
    /// What the table holds, and what the size means.
    pub about: &'static str,
    /// Makes it; gives up when asked to stop.
    pub run: fn(size: usize, control: Control<'_>) -> Result<Table>,
}

/// Makes a puzzle out of the words after its kind.
pub type Parse = fn(&Words<'_>) -> Result<Box<dyn Puzzle>>;

/// Every kind there is.
pub const KINDS: &[Kind] = &[
    wrapslide::KIND,
    tiles::KIND,
    klotski::KIND,
    gourds::KIND,
    triangles::KIND,
];

/// The kind of this name.
pub fn kind(name: &str) -> Result<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| {
        let names: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
        Error::Usage(format!(
            "`{name}` is not a kind of puzzle we know; known: {}",
            names.join(", ")
        ))
    })
}

/// Turns a text into a puzzle. The error says what would be accepted.
pub fn parse(text: &str) -> Result<Box<dyn Puzzle>> {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let Some(kind) = KINDS.iter().find(|kind| kind.name == name) else {
        let names: Vec<_> = KINDS.iter().map(|kind| kind.grammar).collect();
        return Err(Error::Usage(format!(
            "`{text}` names no puzzle: `{name}` is not a kind we know. Known: {} \
             (`godnum puzzles` lists them)",
            names.join("; ")
        )));
    };
    (kind.parse)(&Words::split(rest, kind.options)).map_err(|error| match error {
        Error::Usage(why) => Error::Usage(format!(
            "`{text}` names no puzzle: {why}. Accepted: {}",
            kind.grammar
        )),
        other => other,
    })
}

/// The longest file name that is made out of a text; file systems allow 255 bytes.
const LONGEST_NAME: usize = 120;

/// The name that a puzzle's job directory and result files have. A text that names a file is told
/// from the same text for another content.
pub fn job_name(puzzle: &dyn Puzzle) -> String {
    let name = file_name(&puzzle.text());
    match puzzle.content() {
        Some(content) => format!("{name}-{:08x}", content >> 32),
        None => name,
    }
}

/// A text as a file name.
pub fn file_name(canonical_text: &str) -> String {
    let mut name = canonical_text.replace([':', '@', '#', '/', ',', '='], "-");
    if name.len() > LONGEST_NAME {
        let cut = (0..=LONGEST_NAME)
            .rev()
            .find(|&at| name.is_char_boundary(at));
        name.truncate(cut.unwrap_or_default());
        name += &format!("-{:016x}", xxh3_64(canonical_text.as_bytes()));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_have_short_names() {
        let text = format!("klotski:@/{}/x", "é".repeat(200));
        let name = file_name(&text);
        assert!(name.len() < 150 && name.starts_with("klotski---"), "{name}");
        assert_ne!(name, file_name(&format!("{text}y")));
        assert_eq!(
            file_name("gourds:@a/b#c:goal=0-1,2-3"),
            "gourds--a-b-c-goal-0-1-2-3"
        );
    }
}

//! From a short text to a puzzle: `kind:subject[:option...]`.

use super::{Puzzle, wrapslide};
use crate::error::{Error, Result};

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
    /// Reads subject and options.
    pub parse: Parse,
}

/// Makes a puzzle out of the subject and the options of its text.
pub type Parse = fn(subject: &str, options: &[&str]) -> Result<Box<dyn Puzzle>>;

/// Every kind there is.
pub const KINDS: &[Kind] = &[wrapslide::KIND];

/// Turns a text into a puzzle. The error says what would be accepted.
pub fn parse(text: &str) -> Result<Box<dyn Puzzle>> {
    let mut words = text.split(':');
    let name = words.next().unwrap_or_default();
    let Some(kind) = KINDS.iter().find(|kind| kind.name == name) else {
        let names: Vec<_> = KINDS.iter().map(|kind| kind.grammar).collect();
        return Err(Error::Usage(format!(
            "`{text}` names no puzzle: `{name}` is not a kind we know. Known: {} \
             (`godnum puzzles` lists them)",
            names.join("; ")
        )));
    };
    let subject = words.next().unwrap_or_default();
    let options: Vec<_> = words.collect();
    (kind.parse)(subject, &options).map_err(|error| match error {
        Error::Usage(why) => Error::Usage(format!(
            "`{text}` names no puzzle: {why}. Accepted: {}",
            kind.grammar
        )),
        other => other,
    })
}

/// The name that a puzzle's job directory and result files have.
pub fn file_name(canonical_text: &str) -> String {
    canonical_text.replace([':', '@', '#', '/', ',', '='], "-")
}

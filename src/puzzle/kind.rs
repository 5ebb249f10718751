//! Kinds: families of puzzles that texts such as `wrapslide:6x6:2` name.

use std::ops::RangeInclusive;

use super::{FileSource, PuzzleSpec, Rules};
use crate::engine::Control;
use crate::error::{Error, Result};
use crate::text::TextTable;

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
    /// Names that a text can have instead of a size: boards that come with the program.
    pub boards: fn() -> Vec<&'static str>,
    /// The options it knows; one that takes a value ends in `=`.
    pub options: &'static [&'static str],
    /// Reads what follows the kind.
    pub parse: Parse,
    /// A table over many puzzles of the kind, if there is one.
    pub survey: Option<Survey>,
    /// What is played if the kind alone is named.
    pub play: Play,
}

/// A puzzle of a kind to play, if none is named.
pub enum Play {
    /// The puzzle with this text, from the position that it is given in.
    Given(&'static str),
    /// The puzzle with this text, from a random position, or a random one like it.
    Random(&'static str),
    /// The player is asked for a size.
    Sized {
        /// The sizes to choose from.
        sizes: RangeInclusive<usize>,
        /// The text of the puzzle of a size.
        text: fn(usize) -> String,
    },
}

/// Makes a table over all puzzles of a kind up to a size.
#[derive(Clone, Copy)]
pub struct Survey {
    /// What the table holds, and what the size means.
    pub about: &'static str,
    /// Makes it; gives up when asked to stop.
    pub run: fn(size: usize, control: Control<'_>) -> Result<TextTable>,
}

/// Makes a puzzle out of the words after its kind.
pub type Parse = fn(&PuzzleSpec<'_>) -> Result<Box<dyn Rules>>;

impl Kind {
    /// A kind without options, named boards, survey; the first example is played if the kind alone is
    /// named. Other fields can be set afterwards: `Kind { options: &["x"], ..Kind::new(...) }`.
    pub const fn new(
        name: &'static str,
        grammar: &'static str,
        about: &'static str,
        examples: &'static [&'static str],
        parse: Parse,
    ) -> Self {
        Kind {
            name,
            grammar,
            about,
            examples,
            boards: Vec::new,
            options: &[],
            parse,
            survey: None,
            play: Play::Random(examples[0]),
        }
    }

    /// The puzzle of this kind that `text` names; the error says what is accepted.
    pub fn parse(&self, text: &str, files: FileSource<'_>) -> Result<Box<dyn Rules>> {
        self.parse_plainly(text, files).map_err(|error| match error {
            Error::Usage(why) => Error::Usage(format!("{why}. Accepted: {}", self.grammar)),
            other => other,
        })
    }

    /// The same, with an error that says only what is wrong.
    pub fn parse_plainly(&self, text: &str, files: FileSource<'_>) -> Result<Box<dyn Rules>> {
        let (_, rest) = text.split_once(':').unwrap_or((text, ""));
        (self.parse)(&PuzzleSpec::with_files(rest, self.options, files)).map_err(|error| match error {
            Error::Usage(why) => Error::Usage(format!("`{text}` names no puzzle: {why}")),
            other => other,
        })
    }
}

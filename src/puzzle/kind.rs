//! Kinds: families of puzzles that texts such as `wrapslide:6x6:2` name.

use std::ops::RangeInclusive;

use super::{Files, Puzzle, Words};
use crate::engine::Control;
use crate::error::{Error, Result};
use crate::text::Table;

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
    /// What is played if somebody names the kind alone.
    pub play: Play,
}

/// A puzzle of a kind to play, if nobody says which.
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
    pub run: fn(size: usize, control: Control<'_>) -> Result<Table>,
}

/// Makes a puzzle out of the words after its kind.
pub type Parse = fn(&Words<'_>) -> Result<Box<dyn Puzzle>>;

impl Kind {
    /// The puzzle of this kind that `text` names; the error says what is accepted.
    pub fn parse(&self, text: &str, files: Files<'_>) -> Result<Box<dyn Puzzle>> {
        let (_, rest) = text.split_once(':').unwrap_or((text, ""));
        (self.parse)(&Words::with_files(rest, self.options, files)).map_err(|error| match error {
            Error::Usage(why) => Error::Usage(format!(
                "`{text}` names no puzzle: {why}. Accepted: {}",
                self.grammar
            )),
            other => other,
        })
    }
}

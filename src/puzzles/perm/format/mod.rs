//! Definitions of permutation puzzles as text: three formats that are read, three that are written.
//!
//! | format | read | written | where it comes from |
//! |---|---|---|---|
//! | tws | `tws` | `write` | twsearch |
//! | def | `ksolve` | - | ksolve+; much the same as tws, with sections of its own |
//! | KPuzzle | `kpuzzle` | `write` | cubing.js; JSON |
//! | GAP | - | `write` | generators, for a computer algebra system |
//!
//! [`read`] tells them apart by content: JSON begins with a brace; a def is what has a section that only
//! ksolve+ knows. What all of them must obey (limits, permutations that are permutations, orientations that
//! fit) is checked in `draft`; names that stand for several moves are worked out in `derived`, in the
//! notation of `algorithm`.
//!
//! # Never
//! A text can be hostile: it is at most 1 MiB, and what is made of it is bounded by the limits in `draft`.
//! Whatever is wrong ends in one sentence with the line it is in.

mod algorithm;
mod derived;
mod draft;
mod kpuzzle;
mod ksolve;
mod lines;
mod tws;
mod write;

#[cfg(test)]
mod tests;

use std::fmt;

use crate::puzzle::permutations::{Definition, Pattern};
pub use write::{Format, write, write_goals};

/// What is wrong with a definition, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError {
    /// The line, counted from 1; 0 if it is about the complete text.
    pub line: usize,
    /// The reason, a sentence without a full stop.
    pub reason: String,
}

impl FormatError {
    fn at(line: usize, reason: impl Into<String>) -> Self {
        FormatError { line, reason: reason.into() }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.reason),
            line => write!(f, "line {line}: {}", self.reason),
        }
    }
}

impl std::error::Error for FormatError {}

type Outcome<T> = std::result::Result<T, FormatError>;

/// Reads a definition in any of the formats.
pub fn read(text: &str) -> Result<Definition, FormatError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if is_json(text) {
        kpuzzle::read(text)
    } else if ksolve::is_ksolve(text) {
        ksolve::read(text)
    } else {
        tws::read(text)
    }
}

/// Reads patterns of a puzzle: further goals. In the notation of tws, blocks `Solved`, `StartState`,
/// `Scramble NAME` (as in a definition; a set that is missing lies as in the solved pattern) or
/// `ScrambleAlg NAME` (moves from the solved pattern), each up to its `End`. In JSON, one pattern of a
/// KPuzzle, or a list of them.
///
/// Labels are those of the definition's own file: both are numbered in ascending order.
pub fn read_patterns(text: &str, definition: &Definition) -> Result<Vec<Pattern>, FormatError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let patterns = match is_json(text) {
        true => kpuzzle::read_patterns(text, definition)?,
        false => tws::read_patterns(text, definition)?,
    };
    match patterns.is_empty() {
        true => Err(FormatError::at(0, "there is no pattern in it: no block Solved, and no JSON")),
        false => Ok(patterns),
    }
}

fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// A word of a file as an error shows it.
fn quoted(word: &str) -> String {
    let shown: String = word.chars().take(40).collect();
    let more = if shown.len() < word.len() { "..." } else { "" };
    format!("`{}{more}`", shown.escape_debug())
}

//! Texts of puzzles as arguments: any text is accepted here, and those that people use are completed by shells.

use std::ffi::OsStr;
use std::sync::OnceLock;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};

use crate::puzzles::registry;

/// Reads the text of a puzzle, which is parsed later, with better errors.
#[derive(Clone, Copy)]
pub struct PuzzleText;

impl TypedValueParser for PuzzleText {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    /// For completion: the examples and the boards of every kind.
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(texts().iter().map(|text| PossibleValue::new(text.as_str()))))
    }
}

/// All of them, in order.
fn texts() -> &'static [String] {
    static TEXTS: OnceLock<Vec<String>> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let texts = registry::kinds().flat_map(|kind| {
            let boards = (kind.boards)().into_iter().map(|board| format!("{}:{board}", kind.name));
            kind.examples.iter().map(|example| (*example).to_owned()).chain(boards)
        });
        let mut texts: Vec<String> = texts.collect();
        texts.sort_unstable();
        texts.dedup();
        texts
    })
}

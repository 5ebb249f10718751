//! The puzzles that were asked about last.
//!
//! A person plays one puzzle for a while, and every click asks about it again. To make a puzzle can
//! take a second (large boards find out what can be reached), so the last few are kept. That changes no
//! answer: a puzzle depends on its text and the content of its file alone, and both are compared.

use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Result;
use crate::puzzle::Rules;
use crate::puzzles::registry;

/// How many are kept. A puzzle has some ten megabytes of tables at the worst.
const KEPT: usize = 4;

struct CachedPuzzle {
    text: String,
    file: Option<String>,
    puzzle: Arc<dyn Rules>,
}

/// The last one first.
static CACHE: Mutex<Vec<CachedPuzzle>> = Mutex::new(Vec::new());

/// The puzzle of a text, with the content of the file that it may name.
pub(super) fn puzzle(text: &str, file: Option<&str>) -> Result<Arc<dyn Rules>> {
    let matches = |kept: &CachedPuzzle| kept.text == text && kept.file.as_deref() == file;
    // It is made without holding the cache: others may be quicker.
    let found = {
        let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        let place = cache.iter().position(matches);
        place.map(|place| cache.remove(place))
    };
    let kept = match found {
        Some(kept) => kept,
        None => CachedPuzzle {
            puzzle: registry::parse_given(text, file)?.into(),
            text: text.to_owned(),
            file: file.map(str::to_owned),
        },
    };
    let puzzle = kept.puzzle.clone();
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    cache.retain(|other| !matches(other));
    cache.insert(0, kept);
    cache.truncate(KEPT);
    Ok(puzzle)
}

#[cfg(test)]
mod tests;

//! What a text that names no puzzle may have meant.

use std::collections::BTreeSet;

use super::registry::{kinds, parse_given};
use crate::puzzle::Kind;
use crate::text::{edits, is_near, nearest};

/// No more texts than this are tried: making a puzzle may take a moment.
const MOST_TRIED: usize = 6;

/// The text nearest to this one that names a puzzle, if one is near. No file is read.
pub(super) fn suggestion(text: &str) -> Option<String> {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let mut texts = BTreeSet::new();
    match kinds().find(|kind| kind.name == name) {
        Some(kind) => of_kind(kind, rest, &mut texts),
        None => {
            if let Some(kind) =
                kinds().filter(|kind| is_near(name, kind.name)).min_by_key(|k| edits(name, k.name))
            {
                texts.insert(format!("{}:{rest}", kind.name));
                of_kind(kind, rest, &mut texts);
            }
            // A board alone.
            for kind in kinds() {
                let boards = (kind.boards)();
                if let Some(board) = boards.iter().find(|board| edits(text, board) == 0) {
                    texts.insert(format!("{}:{board}", kind.name));
                }
            }
        }
    }
    let mut texts: Vec<String> = texts.into_iter().filter(|other| other != text).collect();
    texts.sort_by_key(|other| edits(text, other));
    texts.truncate(MOST_TRIED);
    texts.into_iter().find(|other| is_file(other) || parse_given(other, None).is_ok())
}

fn is_file(text: &str) -> bool {
    text.split_once(':').is_some_and(|(_, rest)| rest.starts_with('@'))
}

/// Texts of a kind that are like this one.
fn of_kind(kind: &Kind, rest: &str, texts: &mut BTreeSet<String>) {
    let boards = (kind.boards)();
    let examples = kind.examples.iter().filter_map(|example| Some(example.split_once(':')?.1));
    let examples: Vec<&str> = examples.collect();
    let full = |rest: &str| format!("{}:{rest}", kind.name);
    let whole = examples.iter().chain(&boards);
    // The beginning of one of them.
    let begun = |other: &&&str| !rest.is_empty() && other.starts_with(&format!("{rest}:"));
    texts.extend(whole.clone().find(begun).map(|other| full(other)));
    let file = rest.starts_with('@');
    texts.extend(
        whole.filter(|other| !file && !rest.is_empty() && is_near(rest, other)).map(|other| full(other)),
    );
    // Word by word.
    let known: Vec<&str> = boards
        .iter()
        .copied()
        .chain(kind.options.iter().copied().filter(|option| !option.ends_with('=')))
        .chain(examples.iter().flat_map(|example| example.split(':')))
        .collect();
    let word = |word: &str| match word.starts_with('@') || known.contains(&word) {
        true => word.to_owned(),
        false => nearest(word, known.iter().copied()).unwrap_or(word).to_owned(),
    };
    let words: Vec<String> = rest.split(':').map(word).collect();
    let corrected = full(&words.join(":"));
    if !rest.is_empty() {
        texts.insert(corrected);
    }
}

#[cfg(test)]
mod tests;

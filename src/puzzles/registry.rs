//! From a short text to a puzzle: `kind:subject[:option...]`.

use std::sync::OnceLock;

use super::suggest::suggestion;
use super::{families, gourds, klotski, perm, tiles, triangles, wrapslide};
use crate::engine::Job;
use crate::error::{Error, Instead, Result, usage};
use crate::puzzle::{FileSource, Kind, Rules, job_name, subject};

/// The kinds that come with this crate.
pub const BUILT_IN: &[Kind] = &[
    wrapslide::KIND,
    tiles::KIND,
    klotski::KIND,
    gourds::KIND,
    triangles::KIND,
    families::pancakes::PANCAKE,
    families::pancakes::BURNT,
    families::rearrange::KIND,
    families::rings::TOPSPIN,
    families::rings::LRX,
    families::loopover::KIND,
    families::hanoi::KIND,
    families::peg::KIND,
    perm::KIND,
];

/// Kinds of other crates.
static ADDED: OnceLock<Vec<Kind>> = OnceLock::new();

/// Adds kinds of another crate to those that texts can name, once in a process and before any text
/// is parsed. A kind that comes with this crate gives way to an added one of the same name, so that a
/// new kind here never breaks a program that already has one. An error if two added kinds have the same
/// name, or if kinds were added before.
pub fn add(kinds: Vec<Kind>) -> Result<()> {
    for (at, kind) in kinds.iter().enumerate() {
        if kinds[..at].iter().any(|other| other.name == kind.name) {
            return usage(format!("there are two kinds of puzzles called `{}`", kind.name));
        }
    }
    let again = |_| Error::Usage("kinds of puzzles can be added only once".into());
    ADDED.set(kinds).map_err(again)
}

/// Every kind, also those that were added.
pub fn kinds() -> impl Iterator<Item = &'static Kind> + Clone {
    let added = ADDED.get().map_or(&[][..], Vec::as_slice);
    let stays = |kind: &&Kind| added.iter().all(|other| other.name != kind.name);
    BUILT_IN.iter().filter(stays).chain(added)
}

/// The kind of this name; the error lists all of them.
pub fn kind(name: &str) -> Result<&'static Kind> {
    kinds().find(|kind| kind.name == name).ok_or_else(|| {
        let names: Vec<_> = kinds().map(|kind| kind.name).collect();
        Error::Usage(format!("`{name}` is not a known kind of puzzle; known: {}", names.join(", ")))
    })
}

/// Turns a text into a puzzle; a file that it names is read. The error says what would be accepted.
pub fn parse(text: &str) -> Result<Box<dyn Rules>> {
    parse_with(text, FileSource::Read)
}

/// The same for a text from a user who may not read files here: what it calls a file has the content
/// that is given along with it, and no path is opened.
///
/// The text of such a puzzle means nothing to [`parse`]. So no job can be made for it, and of the ways to
/// solve it, those that need one are not among `Rules::solvers`.
pub fn parse_given(text: &str, file: Option<&str>) -> Result<Box<dyn Rules>> {
    parse_with(text, FileSource::Given(file))
}

fn parse_with(text: &str, files: FileSource<'_>) -> Result<Box<dyn Rules>> {
    let (name, _) = text.split_once(':').unwrap_or((text, ""));
    // A server has no time to look for what was meant.
    let meant = || (files == FileSource::Read).then(|| suggestion(text)).flatten();
    let Some(kind) = kinds().find(|kind| kind.name == name) else {
        let fact = format!("`{text}` names no puzzle: `{name}` is not a known kind");
        let names: Vec<_> = kinds().map(|kind| kind.name).collect();
        return Err(match meant() {
            Some(meant) => Error::Misdirected { fact, instead: Instead::Meant(meant) },
            None => Error::Misdirected {
                fact: format!("{fact}. Known: {}", names.join(", ")),
                instead: Instead::Kinds,
            },
        });
    };
    match kind.parse_plainly(text, files) {
        Err(Error::Usage(fact)) => Err(match meant() {
            Some(meant) => Error::Misdirected { fact, instead: Instead::Meant(meant) },
            None => Error::Usage(format!("{fact}. Accepted: {}", kind.grammar)),
        }),
        made => made,
    }
}

/// The puzzle that a job enumerates. Refused if it is not what it was when the job began.
pub fn of_job(job: &Job) -> Result<Box<dyn Rules>> {
    let puzzle = parse(&job.description.puzzle)?;
    job.check_subject(&subject(&*puzzle)?)?;
    Ok(puzzle)
}

/// In longer names nothing is looked for: each part more doubles the texts that it may come from.
const MOST_PARTS: u32 = 9;

/// The puzzle whose job and result files have this name, as far as it can be estimated: texts that name files
/// or goals cannot be found again. No file is read.
pub fn named(file_name: &str) -> Option<Box<dyn Rules>> {
    let (kind, rest) = file_name.split_once('-')?;
    let parts: Vec<&str> = rest.split('-').collect();
    let gaps = parts.len() as u32 - 1;
    if gaps >= MOST_PARTS || self::kind(kind).is_err() {
        return None;
    }
    // Which of the dashes were colons?
    let texts = (0..1u32 << gaps).map(|colons| {
        let mut text = format!("{kind}:{}", parts[0]);
        for (gap, part) in parts[1..].iter().enumerate() {
            text.push(if colons >> gap & 1 == 1 { ':' } else { '-' });
            text.push_str(part);
        }
        text
    });
    let mut puzzles = texts.filter_map(|text| parse_given(&text, None).ok());
    puzzles.find(|puzzle| job_name(&**puzzle) == file_name)
}

#[cfg(test)]
mod tests;

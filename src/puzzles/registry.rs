//! From a short text to a puzzle: `kind:subject[:option...]`.

use std::sync::OnceLock;

use super::{gourds, klotski, tiles, triangles, wrapslide};
use crate::engine::Job;
use crate::error::{Error, Result, usage};
use crate::puzzle::{Files, Kind, Puzzle, job_name, subject};

/// The kinds that come with this crate.
pub const BUILT_IN: &[Kind] = &[
    wrapslide::KIND,
    tiles::KIND,
    klotski::KIND,
    gourds::KIND,
    triangles::KIND,
];

/// Kinds of other crates.
static ADDED: OnceLock<Vec<Kind>> = OnceLock::new();

/// Adds kinds of another crate to those that texts can name, once in a process and before any text
/// is parsed. An error if a name is taken, or if kinds were added before.
pub fn add(kinds: Vec<Kind>) -> Result<()> {
    for (at, kind) in kinds.iter().enumerate() {
        let earlier = BUILT_IN.iter().chain(&kinds[..at]);
        if earlier.into_iter().any(|other| other.name == kind.name) {
            return usage(format!(
                "there are two kinds of puzzles called `{}`",
                kind.name
            ));
        }
    }
    let again = |_| Error::Usage("kinds of puzzles can be added only once".into());
    ADDED.set(kinds).map_err(again)
}

/// Every kind there is.
pub fn kinds() -> impl Iterator<Item = &'static Kind> + Clone {
    BUILT_IN.iter().chain(ADDED.get().into_iter().flatten())
}

/// The kind of this name.
pub fn kind(name: &str) -> Result<&'static Kind> {
    kinds().find(|kind| kind.name == name).ok_or_else(|| {
        let names: Vec<_> = kinds().map(|kind| kind.name).collect();
        Error::Usage(format!(
            "`{name}` is not a kind of puzzle we know; known: {}",
            names.join(", ")
        ))
    })
}

/// Turns a text into a puzzle; a file that it names is read. The error says what would be accepted.
pub fn parse(text: &str) -> Result<Box<dyn Puzzle>> {
    parse_with(text, Files::Read)
}

/// The same for a text from somebody who may not read files here: what it calls a file has the content
/// that is given along with it, and no path is opened.
///
/// The text of such a puzzle means nothing to [`parse`]. So no job can be made for it, and of the ways to
/// solve it, those that need one are not among [`Puzzle::solvers`].
pub fn parse_given(text: &str, file: Option<&str>) -> Result<Box<dyn Puzzle>> {
    parse_with(text, Files::Given(file))
}

fn parse_with(text: &str, files: Files<'_>) -> Result<Box<dyn Puzzle>> {
    let (name, _) = text.split_once(':').unwrap_or((text, ""));
    let Some(kind) = kinds().find(|kind| kind.name == name) else {
        let names: Vec<_> = kinds().map(|kind| kind.grammar).collect();
        return Err(Error::Usage(format!(
            "`{text}` names no puzzle: `{name}` is not a kind we know. Known: {} \
             (`godnum puzzles` lists them)",
            names.join("; ")
        )));
    };
    kind.parse(text, files)
}

/// The puzzle that a job enumerates. Refused if it is not what it was when the job began.
pub fn of_job(job: &Job) -> Result<Box<dyn Puzzle>> {
    let puzzle = parse(&job.description.puzzle)?;
    job.check_subject(&subject(&*puzzle)?)?;
    Ok(puzzle)
}

/// In longer names nothing is looked for: each part more doubles the texts that it may come from.
const MOST_PARTS: u32 = 9;

/// The puzzle whose job and result files have this name, as far as it can be told: texts that name files
/// or goals cannot be found again. No file is read.
pub fn named(file_name: &str) -> Option<Box<dyn Puzzle>> {
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
mod tests {
    use super::*;
    use crate::text::file_name;

    #[test]
    fn names_of_files_lead_back_to_puzzles() {
        for text in [
            "wrapslide:4x4:4:fixed",
            "tiles:3x4:push",
            "klotski:all-2:move",
            "klotski:fenghuiluzhuan:slide:from-goals",
            "gourds:rows-1-2-3-2-1",
            "triangles:half12",
        ] {
            let found = named(&file_name(text)).map(|puzzle| puzzle.text());
            assert_eq!(found.as_deref(), Some(text));
        }
        for name in ["", "wrapslide", "x-y", "wrapslide-4x4-9", "klotski-", "-"] {
            assert!(named(name).is_none(), "{name}");
        }
        assert!(named(&format!("klotski{}", "-x".repeat(1000))).is_none());
    }

    #[test]
    fn given_files_are_puzzles_and_no_path_is_opened() {
        let boards =
            "board one\ntype shape\nrows .o.o./o.o.o\n\nboard two\ntype shape\nrows .o./o.o\n";
        let puzzle = parse_given("gourds:@/etc/passwd#two", Some(boards)).unwrap();
        assert_eq!(puzzle.text(), "gourds:@/etc/passwd#two");
        assert!(puzzle.content().is_some());
        let layout = "BAAC/BAAC/DEEF/DGHF/I..J";
        let puzzle = parse_given("klotski:@mine:move", Some(layout)).unwrap();
        assert_eq!(puzzle.file(), parse("klotski:classic").unwrap().file());
        let sample = parse("triangles:sample").unwrap().file();
        let puzzle = parse_given("triangles:@mine", sample.as_deref()).unwrap();
        assert_eq!(puzzle.file(), sample);
        // Texts without files are what they always are.
        assert_eq!(parse_given("tiles:3x3", None).unwrap().text(), "tiles:3x3");
        let refusal = |text: &str, file| match parse_given(text, file) {
            Ok(puzzle) => panic!("accepted: {}", puzzle.text()),
            Err(error) => error.to_string(),
        };
        for kind in ["gourds", "klotski", "triangles"] {
            // There is something to read at the first two, and the third would never end.
            for path in ["Cargo.toml", "/etc/passwd", "/dev/zero", "/nonexistent"] {
                let text = format!("{kind}:@{path}");
                let why = refusal(&text, None);
                assert!(why.contains("is missing: no file is read here"), "{why}");
                // What is wrong is wrong with what was given.
                let why = refusal(&text, Some("\n#\n?"));
                assert!(why.contains(", line 3: "), "{why}");
            }
        }
        assert!(refusal("gourds:@x", Some(boards)).contains("there are 2 boards"));
        assert!(refusal("gourds:@x#three", Some(boards)).contains("only one, two"));
        assert!(refusal("gourds:@x", Some("board a\ntype shape\nrows o..o")).contains("x, line 3"));
        assert!(refusal("tiles:@x", Some("1 2")).contains("names no puzzle"));
    }

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

//! From a short text to a puzzle: `kind:subject[:option...]`.

use std::ops::RangeInclusive;

use xxhash_rust::xxh3::xxh3_64;

use super::{gourds, klotski, tiles, triangles, wrapslide};
use crate::engine::Control;
use crate::error::{Error, Result};
use crate::puzzle::{Files, Puzzle, Words};
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
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let Some(kind) = KINDS.iter().find(|kind| kind.name == name) else {
        let names: Vec<_> = KINDS.iter().map(|kind| kind.grammar).collect();
        return Err(Error::Usage(format!(
            "`{text}` names no puzzle: `{name}` is not a kind we know. Known: {} \
             (`godnum puzzles` lists them)",
            names.join("; ")
        )));
    };
    (kind.parse)(&Words::with_files(rest, kind.options, files)).map_err(|error| match error {
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

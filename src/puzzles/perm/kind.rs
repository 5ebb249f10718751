//! The kind `perm`: texts, and the definitions that they name.

use super::definition::Definition;
use super::definitions::{DEFINITIONS, named};
use super::format;
use super::numbered::Equivalence;
use super::{Goals, PermutationOptions, PermutationPuzzle};
use crate::error::{Result, usage};
use crate::puzzle::{FileName, FileSource, Kind, Play, PuzzleSpec, Rules};

/// The family, for the registry.
pub const KIND: Kind = Kind {
    name: "perm",
    grammar: "perm:NAME or perm:@FILE, with the options :quarter, :moves=U,F,..., :goals=rotations or \
              :goals=@FILE, :ignore=SET,..., :inverse and :nosym",
    about: "Any permutation puzzle: pieces in slots, and moves that permute and turn them. Definitions are \
            read from files in the formats of twsearch, ksolve+ and cubing.js.\n  quarter: of the powers of \
            a move, only the first and its inverse count as one move\n  moves=...: only these moves\n  \
            goals=rotations: solved in any orientation; goals=@FILE: further solved states\n  ignore=...: \
            the pieces of these sets do not matter\n  inverse: a state and its inverse are one class (by \
            default only in spaces of 2^36 states and more); nosym: without symmetry",
    examples: &[
        "perm:floppy",
        "perm:ivy",
        "perm:pyraminx",
        "perm:pyraminx:quarter",
        "perm:skewb",
        "perm:2x2x2",
        "perm:2x2x2:quarter",
        "perm:3x3x3",
    ],
    boards: || DEFINITIONS.iter().map(|definition| definition.name).collect(),
    options: &["quarter", "moves=", "goals=", "ignore=", "inverse", "nosym"],
    parse: |words| Ok(Box::new(parse(words)?) as Box<dyn Rules>),
    survey: None,
    play: Play::Random("perm:pyraminx"),
};

fn parse(words: &PuzzleSpec<'_>) -> Result<PermutationPuzzle> {
    words.allow(0)?;
    let (definition, mut content) = match (words.subject, words.file()) {
        ("", _) => return usage("the definition is missing"),
        (_, Some(file)) => {
            file.only()?;
            let found = words.read_lossy(&file)?;
            (read(&file, &found.text)?, Some(found.hash))
        }
        (name, None) => (of_name(name)?, None),
    };
    let list = |name: &str| -> Option<Vec<String>> {
        words.value(name).map(|value| value.split(',').map(str::to_owned).collect())
    };
    let goals = match words.value("goals") {
        None => Goals::Solved,
        Some("rotations") => Goals::Rotations,
        Some(value) => {
            let Some(path) = value.strip_prefix('@') else {
                return usage(format!("`goals={value}` is neither `goals=rotations` nor `goals=@FILE`"));
            };
            if words.files != FileSource::Read {
                return usage("further goals are read from a file, and no file is read here");
            }
            let file = FileName { path, board: None };
            let found = words.read_lossy(&file)?;
            content = Some(content.unwrap_or(0).rotate_left(17) ^ found.hash);
            let patterns = format::read_patterns(&found.text, &definition);
            Goals::Further(patterns.map_err(|error| file.error(error.line, error.reason))?)
        }
    };
    let options = PermutationOptions {
        quarter: words.has_option("quarter"),
        moves: list("moves"),
        goals,
        ignore: list("ignore").unwrap_or_default(),
        equivalence: match (words.has_option("nosym"), words.has_option("inverse")) {
            (true, true) => return usage("`nosym` and `inverse` contradict each other"),
            (true, false) => Equivalence::Equality,
            (false, true) => Equivalence::Inverse,
            (false, false) => Equivalence::Best,
        },
    };
    let mut text = format!("perm:{}", words.subject);
    for option in KIND.options {
        let given = match option.strip_suffix('=') {
            Some(name) => words.value(name).map(|value| format!(":{name}={value}")),
            None => words.has_option(option).then(|| format!(":{option}")),
        };
        text += &given.unwrap_or_default();
    }
    let title = match (named(words.subject), definition.name.as_str()) {
        (Some(found), _) => found.about.to_owned(),
        (None, "") => text.clone(),
        (None, name) => format!("permutation puzzle {name}"),
    };
    let puzzle = PermutationPuzzle::new(text, title, definition, &options)?;
    Ok(match content {
        Some(content) => puzzle.with_content(content),
        None => puzzle,
    })
}

fn read(file: &FileName<'_>, text: &str) -> Result<Definition> {
    format::read(text).map_err(|error| file.error(error.line, error.reason))
}

fn of_name(name: &str) -> Result<Definition> {
    let Some(found) = named(name) else {
        let names: Vec<&str> = DEFINITIONS.iter().map(|definition| definition.name).collect();
        return usage(format!(
            "`{}` is not a known definition (known: {}); a file is written `@{}`",
            name.escape_debug(),
            names.join(", "),
            name.escape_debug()
        ));
    };
    match format::read(found.text) {
        Ok(definition) => Ok(definition),
        Err(error) => usage(format!("the definition of {name} is wrong: {error}")),
    }
}

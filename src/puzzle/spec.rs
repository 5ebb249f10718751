//! The words of a puzzle's text, `kind:subject[:word...][:option...]`, and the file it may name.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use crate::error::{Error, IoAction, Result, usage};
use crate::store::disk;

/// No puzzle file is larger than this.
const LARGEST_FILE: u64 = 1 << 20;

/// Where the content of a file comes from that a text names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileSource<'a> {
    /// From the file system: what follows the `@` is a path.
    Read,
    /// From the caller, if one was given. What follows the `@` is only a name, and no file is
    /// opened.
    Given(Option<&'a str>),
}

/// What follows the kind in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleSpec<'a> {
    /// What is meant: `6x6`, `classic`, `random`, or `@` and a path.
    pub subject: &'a str,
    /// Further words that are not options: a number of colours, a seed.
    pub more: Vec<&'a str>,
    /// The options, in the order in which they were given.
    pub options: Vec<&'a str>,
    /// Where the content of the file comes from, if the subject names one.
    pub files: FileSource<'a>,
}

impl<'a> PuzzleSpec<'a> {
    /// The words of a text whose file is [read](FileSource::Read).
    pub fn split(text: &'a str, known: &[&str]) -> Self {
        PuzzleSpec::with_files(text, known, FileSource::Read)
    }

    /// Splits a text. The words at its end that match `known` are options; an entry of `known`
    /// that ends in `=` is one with a value. The path after an `@` is everything before them.
    pub fn with_files(text: &'a str, known: &[&str], files: FileSource<'a>) -> Self {
        let is_option = |word: &str| {
            let matches = |&&option: &&&str| match option.strip_suffix('=') {
                Some(name) => word.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')),
                None => option == word,
            };
            known.iter().any(|option| matches(&option))
        };
        let mut rest = text;
        let mut options = Vec::new();
        while let Some((before, word)) = rest.rsplit_once(':')
            && is_option(word)
        {
            rest = before;
            options.push(word);
        }
        options.reverse();
        if rest.starts_with('@') {
            return PuzzleSpec { subject: rest, more: Vec::new(), options, files };
        }
        let mut words = rest.split(':');
        PuzzleSpec { subject: words.next().unwrap_or_default(), more: words.collect(), options, files }
    }

    /// Refuses more than `most` words beside the options, and an option that is given twice.
    pub fn allow(&self, most: usize) -> Result<()> {
        if let Some(word) = self.more.get(most) {
            return Err(Error::Usage(format!("`{word}` is not an option")));
        }
        for (i, option) in self.options.iter().enumerate() {
            let name = option.split('=').next();
            let same = |other: &&str| other.split('=').next() == name;
            if self.options[..i].iter().any(same) {
                return Err(Error::Usage(format!(
                    "the option `{}` is given twice",
                    name.unwrap_or_default()
                )));
            }
        }
        Ok(())
    }

    /// Whether an option is given.
    pub fn has_option(&self, option: &str) -> bool {
        self.options.contains(&option)
    }

    /// The value of an option such as `goal=...`.
    pub fn value(&self, name: &str) -> Option<&'a str> {
        let value = |option: &&'a str| option.strip_prefix(name)?.strip_prefix('=');
        self.options.iter().find_map(value)
    }

    /// The number of the option that is given out of several of which only one can be; the first
    /// is the default. `what` they are, in the plural, is for the refusal.
    pub fn one_of(&self, options: &[&str], what: &str) -> Result<usize> {
        let given: Vec<usize> = (0..options.len()).filter(|&i| self.has_option(options[i])).collect();
        match given[..] {
            [] => Ok(0),
            [only] => Ok(only),
            [a, b, ..] => Err(Error::Usage(format!(
                "`{}` and `{}` are two {what}, and only one can be used",
                options[a], options[b]
            ))),
        }
    }

    /// The file that the subject names, if it starts with `@`.
    pub fn file(&self) -> Option<FileName<'a>> {
        let whole = self.subject.strip_prefix('@')?;
        Some(match whole.rsplit_once('#') {
            Some((path, board)) => FileName { path, board: Some(board) },
            None => FileName { path: whole, board: None },
        })
    }

    /// The content of that file.
    pub fn read(&self, file: &FileName<'_>) -> Result<Content> {
        self.content(file, false)
    }

    /// The same for formats that are older than UTF-8, where other bytes occur in comments: they become the
    /// replacement character.
    pub fn read_lossy(&self, file: &FileName<'_>) -> Result<Content> {
        self.content(file, true)
    }

    fn content(&self, file: &FileName<'_>, lossy: bool) -> Result<Content> {
        if file.path.is_empty() {
            return usage("the file name after the `@` is missing");
        }
        match self.files {
            FileSource::Read => file.read(lossy),
            FileSource::Given(Some(text)) if text.len() as u64 > LARGEST_FILE => Err(file.too_large()),
            FileSource::Given(Some(text)) => {
                Ok(Content { text: text.to_owned(), hash: xxh3_64(text.as_bytes()) })
            }
            FileSource::Given(None) => usage(format!(
                "the content of `{}` is missing: files are not read here, so it must be given with the text",
                file.path.escape_debug()
            )),
        }
    }
}

/// A file that a text names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileName<'a> {
    /// Where it is.
    pub path: &'a str,
    /// Which of the boards in it is meant: what follows the last `#`.
    pub board: Option<&'a str>,
}

/// The content of a file.
#[derive(Clone, Debug)]
pub struct Content {
    /// All of it.
    pub text: String,
    /// What tells it from any other content.
    pub hash: u64,
}

impl FileName<'_> {
    /// Reads the file from the file system.
    fn read(&self, lossy: bool) -> Result<Content> {
        let path = Path::new(self.path);
        let bytes = disk::read(path, LARGEST_FILE).map_err(|e| Error::io(IoAction::Read, path, e))?;
        let bytes = bytes.ok_or_else(|| self.too_large())?;
        let hash = xxh3_64(&bytes);
        if lossy {
            return Ok(Content { text: String::from_utf8_lossy(&bytes).into_owned(), hash });
        }
        let text = String::from_utf8(bytes).map_err(|e| {
            let line = e.as_bytes()[..e.utf8_error().valid_up_to()].iter().filter(|&&byte| byte == b'\n');
            self.error(line.count() + 1, "this is not text (UTF-8)")
        })?;
        Ok(Content { text, hash })
    }

    fn too_large(&self) -> Error {
        self.error(0, "the file is larger than any puzzle: 1 MiB at most")
    }

    /// An error in the file, in a line that is counted from 1; 0 means the whole of it.
    pub fn error(&self, line: usize, why: impl std::fmt::Display) -> Error {
        Error::Usage(match line {
            0 => format!("{}: {why}", self.path),
            _ => format!("{}, line {line}: {why}", self.path),
        })
    }

    /// Refuses a board name: for files that hold one puzzle.
    pub fn only(&self) -> Result<()> {
        match self.board {
            None => Ok(()),
            Some(board) => Err(Error::Usage(format!(
                "such a file holds one puzzle, so there is no `#{board}` in it (a `#` in a file's \
                 own name is not possible)"
            ))),
        }
    }
}

#[cfg(test)]
mod tests;

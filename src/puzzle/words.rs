//! The words of a puzzle's text, `kind:subject[:word...][:option...]`, and the file it may name.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use crate::error::{Error, Result, usage};
use crate::store::disk;

/// No puzzle file is larger than this.
const LARGEST_FILE: u64 = 1 << 20;

/// Where the content of a file comes from that a text names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Files<'a> {
    /// From the file system: what follows the `@` is a path.
    Read,
    /// From whoever gave the text, if they gave one. What follows the `@` is but a name, and no file is
    /// opened.
    Given(Option<&'a str>),
}

/// What follows the kind in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words<'a> {
    /// What is meant: `6x6`, `classic`, `random`, or `@` and a path.
    pub subject: &'a str,
    /// Further words that are not options: a number of colours, a seed.
    pub more: Vec<&'a str>,
    /// The options, in the order in which they were given.
    pub options: Vec<&'a str>,
    /// Where the content of the file comes from, if the subject names one.
    pub files: Files<'a>,
}

impl<'a> Words<'a> {
    /// The words of a text whose file is [read](Files::Read).
    pub fn split(text: &'a str, known: &[&str]) -> Self {
        Words::with_files(text, known, Files::Read)
    }

    /// Splits a text. The words at its end that match `known` are options; an entry of `known`
    /// that ends in `=` is one with a value. The path after an `@` is everything before them.
    pub fn with_files(text: &'a str, known: &[&str], files: Files<'a>) -> Self {
        let is_option = |word: &str| {
            let matches = |&&option: &&&str| match option.strip_suffix('=') {
                Some(name) => word
                    .strip_prefix(name)
                    .is_some_and(|rest| rest.starts_with('=')),
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
            return Words {
                subject: rest,
                more: Vec::new(),
                options,
                files,
            };
        }
        let mut words = rest.split(':');
        Words {
            subject: words.next().unwrap_or_default(),
            more: words.collect(),
            options,
            files,
        }
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
    pub fn given(&self, option: &str) -> bool {
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
        let given: Vec<usize> = (0..options.len())
            .filter(|&i| self.given(options[i]))
            .collect();
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
            Some((path, board)) => FileName {
                path,
                board: Some(board),
            },
            None => FileName {
                path: whole,
                board: None,
            },
        })
    }

    /// The content of that file.
    pub fn read(&self, file: &FileName<'_>) -> Result<Content> {
        if file.path.is_empty() {
            return usage("there is no file name after the `@`");
        }
        match self.files {
            Files::Read => file.read(),
            Files::Given(Some(text)) if text.len() as u64 > LARGEST_FILE => Err(file.too_large()),
            Files::Given(Some(text)) => Ok(Content {
                text: text.to_owned(),
                hash: xxh3_64(text.as_bytes()),
            }),
            Files::Given(None) => usage(format!(
                "the content of `{}` is missing: no file is read here, so it has to be given along \
                 with the text",
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
    fn read(&self) -> Result<Content> {
        let path = Path::new(self.path);
        let bytes = disk::read(path, LARGEST_FILE).map_err(|e| Error::io("read", path, e))?;
        let bytes = bytes.ok_or_else(|| self.too_large())?;
        let hash = xxh3_64(&bytes);
        let text = String::from_utf8(bytes).map_err(|e| {
            let line = e.as_bytes()[..e.utf8_error().valid_up_to()]
                .iter()
                .filter(|&&byte| byte == b'\n');
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
mod tests {
    use super::*;

    const KNOWN: &[&str] = &["push", "goal="];

    #[test]
    fn options_are_taken_from_the_end() {
        let words = Words::split("6x6:2:push:goal=0-1,2-3", KNOWN);
        assert_eq!((words.subject, &words.more[..]), ("6x6", &["2"][..]));
        assert_eq!(words.options, ["push", "goal=0-1,2-3"]);
        assert_eq!(words.value("goal"), Some("0-1,2-3"));
        assert!(words.given("push") && words.allow(1).is_ok() && words.allow(0).is_err());
        let words = Words::split("6x6:push:2", KNOWN);
        assert_eq!((words.more.len(), words.options.len()), (2, 0));
        assert!(Words::split("a:push:push", KNOWN).allow(0).is_err());
        assert!(Words::split("a:goal=1:goal=2", KNOWN).allow(0).is_err());
        assert_eq!(Words::split("", KNOWN).subject, "");
        // The subject itself is never an option.
        assert_eq!(Words::split("push", KNOWN).subject, "push");
    }

    #[test]
    fn a_path_goes_on_to_the_last_options() {
        let words = Words::split("@C:/a:b#1#two:push", KNOWN);
        let file = words.file().unwrap();
        assert_eq!((file.path, file.board), ("C:/a:b#1", Some("two")));
        assert_eq!(words.options, ["push"]);
        assert_eq!(Words::split("@x:push:y", KNOWN).subject, "@x:push:y");
        assert_eq!(Words::split("6x6", KNOWN).file(), None);
    }

    #[test]
    fn given_content_is_taken_and_no_file_is_read() {
        let read = |text, content| {
            let words = Words::with_files(text, KNOWN, Files::Given(content));
            words.read(&words.file().unwrap())
        };
        let content = read("@/etc/passwd#two:push", Some("one\n")).unwrap();
        assert_eq!(content.text, "one\n");
        let missing = read("@/etc/passwd", None).unwrap_err().to_string();
        assert!(missing.contains("is missing"), "{missing}");
        assert!(read("@", Some("one")).is_err());
        let large = "x".repeat((1 << 20) + 1);
        assert!(read("@x", Some(&large[1..])).is_ok());
        assert!(read("@x", Some(&large)).is_err());
        // The hash is that of a file with this content.
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("same");
        std::fs::write(&path, "one\n").unwrap();
        let text = format!("@{}", path.display());
        let words = Words::split(&text, KNOWN);
        assert_eq!(
            words.read(&words.file().unwrap()).unwrap().hash,
            content.hash
        );
    }

    #[test]
    fn files_that_cannot_be_read_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("binary");
        std::fs::write(&path, b"one\n\xff").unwrap();
        let name = |path| FileName { path, board: None };
        let why = name(path.to_str().unwrap()).read().unwrap_err().to_string();
        assert!(why.contains("line 2") && why.contains("binary"), "{why}");
        assert!(matches!(name("/nonexistent").read(), Err(Error::Io { .. })));
        assert!(name("/dev/zero").read().is_err());
        let nameless = Words::split("@", KNOWN);
        assert!(nameless.read(&nameless.file().unwrap()).is_err());
    }
}

//! Reading and writing: the puzzle's own text, states and moves.

use super::board::{Board, MOST_CELLS, centred_rows};
use super::file::{self, Entry, Flaw, read_number, read_pair};
use super::generate;
use super::layout::Layout;
use super::rules::{self, Pairs};
use crate::error::{Error, Result, usage};
use crate::puzzle::{FileName, Words};

/// Where a board comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// It has a name of its own.
    Named(String),
    /// A file, and the board's name in it.
    File { path: String, name: String },
    /// Centred rows of these widths.
    Rows(Vec<usize>),
    /// Grown from a seed.
    Random { cells: usize, seed: u64 },
}

/// A board as it was read.
pub(super) struct Given {
    pub source: Source,
    pub layout: Layout,
    /// The hash of the file it was read from.
    pub content: Option<u64>,
    /// The line of that file that says where the gourds go.
    pub line: usize,
}

/// Reads which board is meant, and the board.
pub(super) fn parse(words: &Words<'_>) -> Result<Given> {
    words.allow(if words.subject == "random" { 2 } else { 0 })?;
    if let Some(file) = words.file() {
        return from_file(words, &file);
    }
    let shape = |source, board| Given {
        source,
        layout: Layout {
            board,
            labels: None,
        },
        content: None,
        line: 0,
    };
    if words.subject == "random" {
        let (cells, seed) = parse_random(words)?;
        let board = generate::random(cells, seed).or_else(usage)?;
        return Ok(shape(Source::Random { cells, seed }, board));
    }
    if let Some(widths) = words.subject.strip_prefix("rows-") {
        let widths = parse_widths(widths)?;
        let board = centred_rows(&widths).and_then(Board::new).or_else(usage)?;
        return Ok(shape(Source::Rows(widths), board));
    }
    named(words.subject)
}

fn parse_random(words: &Words<'_>) -> Result<(usize, u64)> {
    let Some(&cells) = words.more.first() else {
        return usage("the number of cells is missing");
    };
    let Some(&seed) = words.more.get(1) else {
        return usage("the seed is missing");
    };
    let size = read_number(cells).filter(|&size| size % 2 == 1 && (3..=MOST_CELLS).contains(&size));
    let Some(size) = size else {
        return usage(format!(
            "the number of cells `{cells}` is not an odd number from 3 to {MOST_CELLS}"
        ));
    };
    match read_number(seed) {
        Some(seed) => Ok((size, seed as u64)),
        None => usage(format!(
            "the seed `{seed}` is not a whole number below 2^64"
        )),
    }
}

fn parse_widths(text: &str) -> Result<Vec<usize>> {
    let widths = text.split('-').map(read_number).collect::<Option<Vec<_>>>();
    match widths {
        Some(widths) => Ok(widths),
        None => usage(format!(
            "`rows-{text}` is not a list of row widths such as rows-2-3-2"
        )),
    }
}

fn named(name: &str) -> Result<Given> {
    if name.is_empty() {
        return usage("the board is missing");
    }
    let wrong = |flaw: Flaw| Error::Usage(flaw.why);
    let entries = file::entries(file::NAMED).map_err(wrong)?;
    let Some(entry) = entries.iter().find(|entry| entry.name == name) else {
        return usage(format!(
            "there is no board `{name}`; boards with names are {}",
            names(&entries)
        ));
    };
    let at_board = |flaw: Flaw| Error::Usage(format!("the board {name} is not one: {}", flaw.why));
    Ok(Given {
        source: Source::Named(name.to_owned()),
        layout: entry.layout().map_err(at_board)?,
        content: None,
        line: 0,
    })
}

fn from_file(words: &Words<'_>, file: &FileName<'_>) -> Result<Given> {
    let content = words.read(file)?;
    let wrong = |flaw: Flaw| file.error(flaw.line, flaw.why);
    let entries = file::entries(&content.text).map_err(wrong)?;
    let entry = match (file.board, &entries[..]) {
        (_, []) => return Err(file.error(0, "there is no board in this file")),
        (None, [only]) => only,
        (None, several) => {
            return Err(file.error(
                0,
                format!(
                    "there are {} boards in this file; say which one is meant with `#NAME`: {}",
                    several.len(),
                    names(several)
                ),
            ));
        }
        (Some(name), entries) => match entries.iter().find(|entry| entry.name == name) {
            Some(entry) => entry,
            None => {
                return Err(file.error(
                    0,
                    format!(
                        "there is no board `{name}` in this file, only {}",
                        names(entries)
                    ),
                ));
            }
        },
    };
    Ok(Given {
        source: Source::File {
            path: file.path.to_owned(),
            name: entry.name.to_owned(),
        },
        layout: entry.layout().map_err(wrong)?,
        content: Some(content.hash),
        line: entry.gourds_line(),
    })
}

/// So many boards are named in an error.
const NAMED: usize = 40;

fn names(entries: &[Entry<'_>]) -> String {
    let names: Vec<_> = entries.iter().take(NAMED).map(|entry| entry.name).collect();
    let mut names = names.join(", ");
    if entries.len() > NAMED {
        names += &format!(" and {} others", entries.len() - NAMED);
    }
    names
}

impl Source {
    /// The text without its options.
    pub fn text(&self) -> String {
        match self {
            Source::Named(name) => format!("gourds:{name}"),
            Source::File { path, name } => format!("gourds:@{path}#{name}"),
            Source::Rows(widths) => format!("gourds:rows-{}", dashed(widths)),
            Source::Random { cells, seed } => format!("gourds:random:{cells}:{seed}"),
        }
    }

    /// The board in words.
    pub fn title(&self) -> String {
        match self {
            Source::Named(name) | Source::File { name, .. } => format!("Gourds on {name}"),
            Source::Rows(widths) => format!("Gourds on rows of {}", dashed(widths)),
            Source::Random { seed, .. } => format!("Gourds on random board {seed}"),
        }
    }

    /// A name for the board in a file.
    pub fn name(&self) -> String {
        match self {
            Source::Named(name) | Source::File { name, .. } => name.clone(),
            Source::Rows(widths) => format!("rows-{}", dashed(widths)),
            Source::Random { cells, seed } => format!("random-{cells}-{seed}"),
        }
    }
}

fn dashed(numbers: &[usize]) -> String {
    let numbers: Vec<_> = numbers.iter().map(usize::to_string).collect();
    numbers.join("-")
}

/// Reads pairs of cells that cover a board but for one cell: `0-1,2-5,4-6`.
pub(super) fn parse_pairs(board: &Board, text: &str, what: &str) -> Result<Pairs> {
    if text.trim().is_empty() {
        return usage(format!(
            "the {what} is empty; it is written as pairs of cells, such as 0-1,2-5,4-6"
        ));
    }
    let mut pairs = Vec::new();
    for word in text.trim().split(',') {
        match read_pair(word) {
            Some(pair) => pairs.push(pair),
            None => {
                return usage(format!(
                    "in the {what}, `{}` is not a pair of cells such as 0-1",
                    word.escape_debug()
                ));
            }
        }
    }
    rules::check(board, &pairs).or_else(|why| usage(format!("in the {what}, {why}")))
}

/// Writes pairs of cells.
pub(super) fn print_pairs(pairs: &[[u8; 2]]) -> String {
    let pairs: Vec<_> = pairs.iter().map(|[a, b]| format!("{a}-{b}")).collect();
    pairs.join(",")
}

/// Reads a move: the number of a cell beside the hole.
pub(super) fn parse_click(board: &Board, pairs: &[[u8; 2]], text: &str) -> Result<usize> {
    let cell = read_number(text.trim());
    let clicks: Vec<usize> = rules::clicks(board, pairs).collect();
    match cell.filter(|cell| clicks.contains(cell)) {
        Some(cell) => Ok(cell),
        None => {
            let names: Vec<_> = clicks.iter().map(usize::to_string).collect();
            usage(format!(
                "`{}` is not a move here: a move is the number of a cell beside the free cell {}, \
                 that is, one of {}",
                text.escape_debug(),
                rules::hole(board, pairs),
                names.join(", ")
            ))
        }
    }
}

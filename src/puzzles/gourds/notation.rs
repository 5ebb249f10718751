//! Reading and writing: the puzzle's own text, states and moves.

use super::board::{HexBoard, MOST_CELLS, centred_rows};
use super::file::{self, BoardEntry, Flaw, read_number, read_pair};
use super::generate;
use super::layout::LabelledBoard;
use super::rules::{self, Pairs};
use crate::error::{Error, Result, usage};
use crate::puzzle::{FileName, PuzzleSpec};
use crate::text::nearest;

/// How a board is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BoardNames {
    /// In the puzzle's text, without options.
    pub text: String,
    /// In the puzzle's title.
    pub title: String,
    /// In a file.
    pub name: String,
}

/// A board as it was read.
pub(super) struct GivenBoard {
    pub names: BoardNames,
    pub layout: LabelledBoard,
    /// The hash of the file it was read from.
    pub content: Option<u64>,
    /// The line of that file that says where the gourds go.
    pub line: usize,
}

impl GivenBoard {
    /// A board without labels.
    fn shape(text: String, title: String, board: HexBoard) -> GivenBoard {
        let names = BoardNames { name: text.replace(':', "-"), text, title };
        GivenBoard { names, layout: LabelledBoard { board, labels: None }, content: None, line: 0 }
    }
}

/// Reads which board is meant, and the board.
pub(super) fn parse(spec: &PuzzleSpec<'_>) -> Result<GivenBoard> {
    spec.allow(if spec.subject == "random" { 2 } else { 0 })?;
    if let Some(file) = spec.file() {
        return from_file(spec, &file);
    }
    if spec.subject == "random" {
        return random(spec);
    }
    if let Some(option) = spec.options.iter().find(|option| !option.starts_with("goal=")) {
        return usage(format!("`{option}` applies to random boards only: others say what is on them"));
    }
    if let Some(widths) = spec.subject.strip_prefix("rows-") {
        let Some(numbers) = widths.split('-').map(read_number).collect::<Option<Vec<_>>>() else {
            return usage(format!("`rows-{widths}` is not a list of row widths such as rows-2-3-2"));
        };
        let board = centred_rows(&numbers).and_then(HexBoard::new).or_else(usage)?;
        let widths = numbers.iter().map(usize::to_string).collect::<Vec<_>>().join("-");
        return Ok(GivenBoard::shape(format!("rows-{widths}"), format!("rows of {widths}"), board));
    }
    named(spec.subject)
}

/// A random board, with labels if they are wanted.
fn random(spec: &PuzzleSpec<'_>) -> Result<GivenBoard> {
    let (cells, seed) = parse_random(spec)?;
    let board = generate::random(cells, seed).or_else(usage)?;
    let title = format!("random board {seed}");
    let mut given = GivenBoard::shape(format!("random:{cells}:{seed}"), title, board);
    let colours = match (spec.value("coloured"), spec.has_option("numbered")) {
        (None, false) => return Ok(given),
        (None, true) => None,
        (Some(_), true) => return usage("a board is either `coloured` or `numbered`"),
        (Some(number), false) => match read_number(number).filter(|number| (1..=cells).contains(number)) {
            Some(number) => Some(number),
            None => {
                return usage(format!(
                    "`coloured={}` is not a number of colours from 1 to {cells}, the number of cells",
                    number.escape_debug()
                ));
            }
        },
    };
    let labels = generate::labels(&given.layout.board, colours, seed);
    let labels = labels.ok_or_else(|| Error::Usage("the gourds cannot be placed on this board".into()))?;
    given.layout.labels = Some(labels);
    let option = match colours {
        Some(number) => format!("coloured={number}"),
        None => "numbered".into(),
    };
    given.names.text += &format!(":{option}");
    given.names.name += &format!("-{}", option.replace('=', "-"));
    Ok(given)
}

fn parse_random(spec: &PuzzleSpec<'_>) -> Result<(usize, u64)> {
    let (cells, seed) = match spec.more[..] {
        [] => return usage("the number of cells is missing"),
        [_] => return usage("the seed is missing"),
        [cells, seed, ..] => (cells, seed),
    };
    let size = read_number(cells).filter(|&size| size % 2 == 1 && (3..=MOST_CELLS).contains(&size));
    let Some(size) = size else {
        return usage(format!("the number of cells `{cells}` is not an odd number from 3 to {MOST_CELLS}"));
    };
    match read_number(seed) {
        Some(seed) => Ok((size, seed as u64)),
        None => usage(format!("the seed `{seed}` is not a whole number below 2^64")),
    }
}

fn named(name: &str) -> Result<GivenBoard> {
    if name.is_empty() {
        return usage("the board is missing");
    }
    let entries = file::entries(file::NAMED).or_else(|(_, why)| usage(why))?;
    let Some(entry) = entries.iter().find(|entry| entry.name == name) else {
        let names = names(&entries);
        return usage(format!("there is no board `{name}`; boards with names are {names}"));
    };
    let layout = entry.layout();
    Ok(GivenBoard {
        names: BoardNames { text: name.to_owned(), title: name.to_owned(), name: name.to_owned() },
        layout: layout.or_else(|(_, why)| usage(format!("the board {name} is invalid: {why}")))?,
        content: None,
        line: 0,
    })
}

fn from_file(spec: &PuzzleSpec<'_>, file: &FileName<'_>) -> Result<GivenBoard> {
    let content = spec.read(file)?;
    let wrong = |(line, why): Flaw| file.error(line, why);
    let entries = file::entries(&content.text).map_err(wrong)?;
    let near = |name: &str| match nearest(name, entries.iter().map(|entry| entry.name)) {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None => format!(", only {}", names(&entries)),
    };
    let found = match (file.board, &entries[..]) {
        (_, []) => Err("there is no board in this file".to_owned()),
        (None, [only]) => Ok(only),
        (None, several) => Err(format!(
            "there are {} boards in this file; say which one is meant with `#NAME`: {}",
            several.len(),
            names(several)
        )),
        (Some(name), entries) => entries
            .iter()
            .find(|entry| entry.name == name)
            .ok_or_else(|| format!("there is no board `{name}` in this file{}", near(name))),
    };
    let entry = found.map_err(|why| file.error(0, why))?;
    let name = entry.name.to_owned();
    Ok(GivenBoard {
        names: BoardNames { text: format!("@{}#{name}", file.path), title: name.clone(), name },
        layout: entry.layout().map_err(wrong)?,
        content: Some(content.hash),
        line: entry.gourds_line(),
    })
}

/// The most boards that are named in an error.
const NAMED: usize = 40;

fn names(entries: &[BoardEntry<'_>]) -> String {
    let names: Vec<_> = entries.iter().take(NAMED).map(|entry| entry.name).collect();
    let mut names = names.join(", ");
    if entries.len() > NAMED {
        names += &format!(" and {} others", entries.len() - NAMED);
    }
    names
}

/// Reads pairs of cells that cover a board but for one cell: `0-1,2-5,4-6`.
pub(super) fn parse_pairs(board: &HexBoard, text: &str, what: &str) -> Result<Pairs> {
    if text.trim().is_empty() {
        return usage(format!("the {what} is empty; it is written as pairs of cells, such as 0-1,2-5,4-6"));
    }
    let pair = |word: &str| match read_pair(word) {
        Some(pair) => Ok(pair),
        None => usage(format!("in the {what}, `{}` is not a pair of cells such as 0-1", word.escape_debug())),
    };
    let pairs = text.trim().split(',').map(pair).collect::<Result<Vec<_>>>()?;
    rules::check(board, &pairs).or_else(|why| usage(format!("in the {what}, {why}")))
}

pub(super) fn print_pairs(pairs: &[[u8; 2]]) -> String {
    let pairs: Vec<_> = pairs.iter().map(|[a, b]| format!("{a}-{b}")).collect();
    pairs.join(",")
}

/// Reads a move: the number of a cell beside the hole.
pub(super) fn parse_click(board: &HexBoard, pairs: &[[u8; 2]], text: &str) -> Result<usize> {
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

//! The file format: one block of lines for each board, which `boards.txt` explains and uses.

use std::collections::HashMap;

use super::board::{HexBoard, read_picture};
use super::layout::{LARGEST_LABEL, LabelledBoard, Labels};
use super::rules::{self, Pairs};
use crate::text::nearest;

/// The boards that have names of their own.
pub(super) const NAMED: &str = include_str!("boards.txt");

/// The names of those that can be played: some are there to be refused.
pub(super) fn named() -> Vec<&'static str> {
    let entries = entries(NAMED).unwrap_or_default().into_iter();
    let valid = entries.filter(|entry| entry.layout().is_ok());
    valid.map(|entry| entry.name).collect()
}

/// Something wrong in a file: in which line, counted from 1, and why.
pub(super) type Flaw = (usize, String);

fn flaw<T>(line: usize, why: impl Into<String>) -> Result<T, Flaw> {
    Err((line, why.into()))
}

/// A line's number and what follows its keyword.
type Line<'a> = (usize, &'a str);

/// The lines of one board, not looked into yet.
#[derive(Clone, Debug)]
pub(super) struct BoardEntry<'a> {
    pub name: &'a str,
    line: usize,
    /// What follows each of [`KEYWORDS`].
    lines: [Option<Line<'a>>; 5],
}

const KEYWORDS: [&str; 5] = ["type", "rows", "cells", "gourds", "colours"];
const TYPE: usize = 0;
const ROWS: usize = 1;
const CELLS: usize = 2;
const GOURDS: usize = 3;
const COLOURS: usize = 4;

/// The boards in a file.
pub(super) fn entries(text: &str) -> Result<Vec<BoardEntry<'_>>, Flaw> {
    let mut entries: Vec<BoardEntry<'_>> = Vec::new();
    let mut names = HashMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (keyword, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if keyword == "board" {
            check_name(rest).or_else(|why| flaw(number, why))?;
            if let Some(other) = names.insert(rest, number) {
                return flaw(number, format!("there is another board `{rest}` in line {other}"));
            }
            entries.push(BoardEntry { name: rest, line: number, lines: [None; 5] });
            continue;
        }
        let Some(key) = KEYWORDS.iter().position(|&key| key == keyword) else {
            let why = format!(
                "`{}` is not a keyword: a line begins with board, type, rows, cells, gourds or colours, \
                 or with `#` if it is a comment",
                keyword.escape_debug()
            );
            return flaw(number, why);
        };
        let Some(entry) = entries.last_mut() else {
            return flaw(number, "a board begins with a line `board NAME`");
        };
        if let Some((other, _)) = entry.lines[key].replace((number, rest)) {
            return flaw(number, format!("this board has another line `{keyword}`, line {other}"));
        }
    }
    Ok(entries)
}

/// No colour has a longer name.
const LONGEST_NAME: usize = 16;

/// Names can be part of a puzzle's text.
fn check_name(name: &str) -> Result<(), String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    match name {
        "" => Err("the board has no name".into()),
        _ if name.chars().all(fits) => Ok(()),
        _ => Err(format!(
            "`{}` is not a name for a board: letters, digits, `-`, `_` and `.` can be used",
            name.escape_debug()
        )),
    }
}

impl<'a> BoardEntry<'a> {
    fn get(&self, key: usize) -> Result<Line<'a>, Flaw> {
        let missing = || format!("the board `{}` has no line `{}`", self.name, KEYWORDS[key]);
        self.lines[key].ok_or_else(|| (self.line, missing()))
    }

    /// The board, checked from its picture to its labels.
    pub fn layout(&self) -> Result<LabelledBoard, Flaw> {
        let (type_line, kind) = self.get(TYPE)?;
        let coloured = match kind {
            "shape" => None,
            "coloured" => Some(true),
            "numbered" => Some(false),
            _ => {
                let kind = kind.escape_debug();
                let why = format!("`{kind}` is not a type of board: shape, coloured or numbered");
                return flaw(type_line, why);
            }
        };
        let (line, rows) = self.get(ROWS)?;
        let board = read_picture(rows).and_then(HexBoard::new).or_else(|why| flaw(line, why))?;
        let labels = match coloured {
            Some(coloured) => Some(self.labels(&board, coloured)?),
            None => None,
        };
        if labels.is_none()
            && let Some((line, _)) = self.lines[CELLS].or(self.lines[GOURDS]).or(self.lines[COLOURS])
        {
            return flaw(line, "a board of type shape has neither labels on its cells nor gourds");
        }
        Ok(LabelledBoard { board, labels })
    }

    fn labels(&self, board: &HexBoard, coloured: bool) -> Result<Labels, Flaw> {
        let (cells_line, cells) = self.get(CELLS)?;
        let (gourds_line, gourds) = self.get(GOURDS)?;
        let names = match self.lines[COLOURS] {
            Some((line, _)) if !coloured => {
                return flaw(line, "only a board of type coloured has names of colours");
            }
            Some((line, names)) => read_names(names).or_else(|why| flaw(line, why))?,
            None => Vec::new(),
        };
        let gourds = gourds.split_whitespace().map(|word| read_gourd(word, &names));
        let gourds = gourds.collect::<Result<Vec<_>, _>>();
        let gourds = gourds.or_else(|why| flaw(gourds_line, why))?;
        let (pairs, gourds): (Vec<_>, _) = gourds.into_iter().unzip();
        let start: Pairs = rules::check(board, &pairs).or_else(|why| flaw(gourds_line, why))?;
        let cells = cells.split_whitespace().map(|word| read_label(word, &names)).collect::<Result<_, _>>();
        let cells = cells.or_else(|why| flaw(cells_line, why))?;
        let labels = Labels { coloured, cells, gourds, start, names };
        labels.check_cells(board).or_else(|why| flaw(cells_line, why))?;
        labels.check_gourds(board).or_else(|why| flaw(gourds_line, why))?;
        Ok(labels)
    }

    /// The line that is to blame if the gourds cannot be placed: theirs, or that of the picture.
    pub fn gourds_line(&self) -> usize {
        let line = self.lines[GOURDS].or(self.lines[ROWS]);
        line.map_or(self.line, |(line, _)| line)
    }
}

/// Names of colours, by their labels.
type ColourNames = [(u16, String)];

/// Reads `1=red 2=blue`.
fn read_names(text: &str) -> Result<Vec<(u16, String)>, String> {
    let mut names: Vec<(u16, String)> = Vec::new();
    for word in text.split_whitespace() {
        let fits = |name: &str| {
            name.len() <= LONGEST_NAME
                && name.starts_with(|first: char| first.is_ascii_alphabetic())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
        };
        let (label, name) = word.split_once('=').filter(|(_, name)| fits(name)).ok_or_else(|| {
            format!(
                "`{}` does not name a colour: that is a label, `=` and a name of letters and digits that \
                 begins with a letter, at most {LONGEST_NAME} in all, such as 1=red",
                word.escape_debug()
            )
        })?;
        let label = read_label(label, &[])?;
        if let Some((other, before)) = names.iter().find(|(other, before)| *other == label || before == name)
        {
            return Err(format!("`{word}`: the colour {other} is called {before} already"));
        }
        names.push((label, name.to_owned()));
    }
    Ok(names)
}

fn read_label(text: &str, names: &ColourNames) -> Result<u16, String> {
    if let Some((label, _)) = names.iter().find(|(_, name)| name == text) {
        return Ok(*label);
    }
    let label = read_number(text).filter(|&label| label <= LARGEST_LABEL.into());
    label.map(|label| label as u16).ok_or_else(|| {
        let or = match nearest(text, names.iter().map(|(_, name)| name.as_str())) {
            Some(meant) => format!("; did you mean `{meant}`?"),
            None if names.is_empty() => String::new(),
            None => " or names of the line `colours`".into(),
        };
        format!("`{}` is not a label: labels are numbers from 0 to {LARGEST_LABEL}{or}", text.escape_debug())
    })
}

/// Reads a number that is written in digits alone.
pub(super) fn read_number(text: &str) -> Option<usize> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// Reads a pair of cells, `a-b`.
pub(super) fn read_pair(text: &str) -> Option<[usize; 2]> {
    let (a, b) = text.split_once('-')?;
    Some([read_number(a)?, read_number(b)?])
}

/// Reads a gourd, `a-b:la,lb`.
fn read_gourd(text: &str, names: &ColourNames) -> Result<([usize; 2], [u16; 2]), String> {
    let parts = text.split_once(':').and_then(|(pair, labels)| {
        let (a, b) = labels.split_once(',')?;
        Some((read_pair(pair)?, a, b))
    });
    let Some((pair, a, b)) = parts else {
        return Err(format!(
            "`{}` is not a gourd: it is written as two cells and two labels, such as 0-1:4,2",
            text.escape_debug()
        ));
    };
    Ok((pair, [read_label(a, names)?, read_label(b, names)?]))
}

/// A board in the file format.
pub(super) fn write(name: &str, layout: &LabelledBoard, remark: &str) -> String {
    let mut text = format!("board {name}\n");
    let kind = match &layout.labels {
        None => "shape",
        Some(labels) if labels.coloured => "coloured",
        Some(_) => "numbered",
    };
    text += &format!("type {kind}\nrows {}\n", layout.board.picture());
    if let Some(labels) = &layout.labels {
        let names = labels.names.iter().map(|(label, name)| format!("{label}={name}"));
        let names: Vec<_> = names.collect();
        if !names.is_empty() {
            text += &format!("colours {}\n", names.join(" "));
        }
        let written = |label: &u16| labels.written(*label);
        let cells: Vec<_> = labels.cells.iter().map(written).collect();
        text += &format!("cells {}\n", cells.join(" "));
        let gourds = labels.start.iter().zip(&labels.gourds);
        let gourds = gourds.map(|([a, b], [la, lb])| format!("{a}-{b}:{},{}", written(la), written(lb)));
        text += &format!("gourds {}\n", gourds.collect::<Vec<_>>().join(" "));
    }
    if !remark.is_empty() {
        text += &format!("# {remark}\n");
    }
    text
}

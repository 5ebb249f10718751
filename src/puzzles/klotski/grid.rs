//! Layouts as grids of letters: reading them, in a text or in a file, and writing them.

use super::rules::{BIG, BlockBoard, COVERED, EMPTY, SIZES};
use crate::error::{Result, usage};
use crate::puzzle::{Content, FileName};
use crate::text::pluralise;

/// No board has more rows or columns than this.
const MOST: usize = 8;

/// The starting layouts that have names.
const NAMED: &str = include_str!("layouts.txt");

/// A position of blocks on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BlockLayout {
    pub board: BlockBoard,
    /// In the form of [`rules`](super::rules).
    pub cells: Vec<u8>,
}

/// What is wrong with a grid, and in which of its rows (from 0) that is seen.
type Fault = (usize, String);

/// The names and grids of the starting layouts.
pub(super) fn named() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = NAMED.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let (name, grid) = line.split_once(' ')?;
        Some((name, grid.trim()))
    })
}

impl BlockLayout {
    pub fn of_name(name: &str) -> Result<BlockLayout> {
        let Some((_, text)) = named().find(|(known, _)| *known == name) else {
            let names: Vec<_> = named().map(|(known, _)| known).collect();
            return usage(format!(
                "there is no layout `{name}`; there are {}, all, all-2, and @FILE for a custom one",
                names.join(", ")
            ));
        };
        read(text.split('/')).or_else(|(_, why)| usage(why))
    }

    /// The layout in a file: rows of letters, and perhaps a line with the goal.
    pub fn of_file(name: &FileName<'_>, content: &Content) -> Result<BlockLayout> {
        let mut goal = None;
        let mut rows = Vec::new();
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(content.text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            // A row of four blocks can be called `goal`, too.
            match line.split_once(char::is_whitespace) {
                Some(("goal", place)) => {
                    if goal.is_some() {
                        return Err(name.error(number, "the goal is given twice"));
                    }
                    goal = Some((number, place.trim()));
                }
                _ => {
                    for row in line.split('/') {
                        rows.push(row.trim());
                        lines.push(number);
                    }
                }
            }
        }
        let mut layout = read(rows.into_iter())
            .map_err(|(row, why)| name.error(lines.get(row).copied().unwrap_or(0), why))?;
        let board = &mut layout.board;
        let BlockBoard { rows, columns, .. } = *board;
        board.goal = match goal {
            Some((line, place)) => read_goal(board, place).map_err(|why| name.error(line, why))?,
            None if *board == BlockBoard::USUAL => board.goal,
            None => {
                return Err(name.error(
                    0,
                    format!(
                        "a board of {rows} rows and {columns} columns must name its goal, in a \
                         line such as `goal 3,1`: row and column of the 2x2 block's upper left \
                         cell, counted from 0"
                    ),
                ));
            }
        };
        Ok(layout)
    }

    /// The layout in the form of a file.
    pub fn to_file(&self) -> String {
        let columns = self.board.columns;
        let (row, column) = (self.board.goal / columns, self.board.goal % columns);
        let rows = line(&self.board, &letters(&self.board, &self.cells)).replace('/', "\n");
        format!("{rows}\ngoal {row},{column}\n")
    }
}

/// Reads the place after the word `goal`.
fn read_goal(board: &BlockBoard, place: &str) -> std::result::Result<usize, String> {
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let numbers = place.split_once(',').and_then(|(row, column)| Some((number(row)?, number(column)?)));
    let Some((row, column)) = numbers else {
        return Err(format!(
            "`{}` is not a place for the goal: it is written as a row and a column, such as 3,1, both \
             counted from 0",
            place.escape_debug()
        ));
    };
    if row >= board.rows - 1 || column >= board.columns - 1 {
        return Err(format!(
            "a 2x2 block at row {row}, column {column} (counted from 0) is not on the board, which \
             has {} rows and {} columns",
            board.rows, board.columns
        ));
    }
    Ok(row * board.columns + column)
}

/// Reads rows of letters. The goal is that of the usual board.
pub(super) fn read<'a>(rows: impl Iterator<Item = &'a str>) -> std::result::Result<BlockLayout, Fault> {
    let mut letters = Vec::new();
    let mut columns = 0;
    let mut count = 0;
    for (row, text) in rows.enumerate() {
        let fault = |why| Err((row, why));
        let before = letters.len();
        for (column, letter) in (1..).zip(text.chars()) {
            if !letter.is_ascii_alphabetic() && letter != '.' {
                return fault(format!(
                    "row {}, column {column}: `{}` is neither a letter nor `.` (an empty cell)",
                    row + 1,
                    letter.escape_debug()
                ));
            }
            letters.push(letter);
        }
        let width = letters.len() - before;
        if row == 0 {
            columns = width;
        }
        if width != columns {
            return fault(format!(
                "row {} has {}, but row 1 has {columns}",
                row + 1,
                pluralise(width, "cell")
            ));
        }
        if columns > MOST || row >= MOST {
            let (many, what) = match columns > MOST {
                true => (columns.to_string(), "columns"),
                false => (format!("more than {MOST}"), "rows"),
            };
            return fault(format!("the board has {many} {what}, but at most {MOST} are possible"));
        }
        count = row + 1;
    }
    if letters.is_empty() {
        let why = "there is no layout; it is written as rows of letters, one letter for each block \
                   and `.` for an empty cell, such as BAAC/BAAC/DEEF/DGHF/I..J";
        return Err((0, why.to_owned()));
    }
    let board = BlockBoard { rows: count, columns, ..BlockBoard::USUAL };
    Ok(BlockLayout { board, cells: blocks(&letters, columns)? })
}

/// Turns letters into pieces: every letter must be one block.
fn blocks(letters: &[char], columns: usize) -> std::result::Result<Vec<u8>, Fault> {
    let mut cells = vec![EMPTY; letters.len()];
    let mut big: Option<char> = None;
    for (first, &letter) in letters.iter().enumerate() {
        if letter == '.' || letters[..first].contains(&letter) {
            continue;
        }
        let row = first / columns;
        let fault = |why| Err((row, why));
        let own = || (0..letters.len()).filter(|&cell| letters[cell] == letter);
        let bottom = own().map(|cell| cell / columns).max().unwrap_or(row);
        let left = own().map(|cell| cell % columns).min().unwrap_or(0);
        let right = own().map(|cell| cell % columns).max().unwrap_or(0);
        let (height, width) = (bottom + 1 - row, right + 1 - left);
        let inside = (row..=bottom).flat_map(|r| (left..=right).map(move |c| (r, c)));
        let mut gaps = inside.filter(|&(r, c)| letters[r * columns + c] != letter);
        if let Some((r, c)) = gaps.next() {
            return fault(format!(
                "the cells of `{letter}` are not a rectangle: row {}, column {} between them is not \
                 one of them",
                r + 1,
                c + 1
            ));
        }
        let Some(kind) = (1..COVERED).find(|&k| SIZES[usize::from(k)] == (height, width)) else {
            return fault(format!(
                "`{letter}` is a block of {} and {}, but blocks are 1x1, 1x2, 2x1 or 2x2",
                pluralise(height, "row"),
                pluralise(width, "column")
            ));
        };
        if kind == BIG
            && let Some(other) = big.replace(letter)
        {
            return fault(format!(
                "`{other}` and `{letter}` are both 2x2 blocks, but there must be exactly one"
            ));
        }
        own().for_each(|cell| cells[cell] = COVERED);
        cells[first] = kind;
    }
    match big {
        Some(_) => Ok(cells),
        None => Err((0, "there is no 2x2 block, but there must be exactly one".to_owned())),
    }
}

/// The letter that each cell shows: the 2x2 block is `A`, the others are `B`, `C`, ... in the order
/// of their first cells; after `Z` come the small letters, which is as many as a layout can have.
pub(super) fn letters(board: &BlockBoard, cells: &[u8]) -> Vec<char> {
    let mut names = ('B'..='Z').chain('a'..='z');
    let mut letters = vec!['.'; cells.len()];
    for (cell, &kind) in cells.iter().enumerate() {
        if matches!(kind, EMPTY | COVERED) {
            continue;
        }
        let name = match kind {
            BIG => 'A',
            _ => names.next().unwrap_or('?'),
        };
        for own in board.cover(kind, cell) {
            letters[own] = name;
        }
    }
    letters
}

/// Writes letters on one line, with `/` between rows.
pub(super) fn line(board: &BlockBoard, letters: &[char]) -> String {
    let rows = letters.chunks(board.columns).map(String::from_iter);
    rows.collect::<Vec<String>>().join("/")
}

//! Game files: what is read, what is refused, what is written.
//!
//! ```text
//! #GAME
//! #PART         the name of a part of the board, if it is not the whole:  tri4
//! #BOARD        pieces on the board, each with its row and column:  DCa111 AdB313
//! #PILE         pieces in hand:                                     aBd2
//! #SOLUTION     a complete board, written like #BOARD
//! ```
//! `#GAME` comes first, and `#PART` before any pieces. Any other section may be missing or empty; `#FILE`
//! is another name for `#PILE`; sections with other names are skipped. The pieces are those of the board
//! and the pile, or those of the solution if both are empty.

use std::fmt::Write;

use super::board::{BoardRows, HEXAGON, PARTS, TriangleBoard};
use super::pieces::{CASE, EdgeLetters, PlacedPiece, least};
use crate::error::Result;
use crate::puzzle::FileName;

/// What a game file says, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameFile {
    /// The board: the hexagon, or a part of it.
    pub rows: BoardRows,
    /// All pieces, in the order of the file, as they are spelled and turned there.
    pub pile: Vec<PlacedPiece>,
    /// Which of them lie on the board, by cell in reading order.
    pub board: BoardPieces,
    /// The letters that every cell shows in the solution, in reading order.
    pub solution: Option<Vec<EdgeLetters>>,
}

/// What lies in each cell of a board, as it is spelled.
pub(super) type BoardPieces = Vec<Option<PlacedPiece>>;

struct FilePiece {
    line: usize,
    placed: PlacedPiece,
    /// The cell it lies on.
    cell: Option<usize>,
}

#[derive(Clone, Copy, PartialEq)]
enum Section {
    /// Before the first header.
    None,
    Game,
    Part,
    Board,
    Pile,
    Solution,
    Unknown,
}

/// Reads a game. `name` is for the errors.
pub(super) fn read(name: &FileName<'_>, text: &str) -> Result<GameFile> {
    Reader {
        name,
        rows: HEXAGON,
        cells: TriangleBoard::new(HEXAGON),
        lines: text.lines().count(),
        board: Vec::new(),
        pile: Vec::new(),
        solution: Vec::new(),
        unknown: None,
    }
    .read(text)
}

struct Reader<'a> {
    name: &'a FileName<'a>,
    rows: BoardRows,
    cells: TriangleBoard,
    lines: usize,
    board: Vec<FilePiece>,
    pile: Vec<FilePiece>,
    solution: Vec<FilePiece>,
    /// The first section that was skipped.
    unknown: Option<String>,
}

impl Reader<'_> {
    fn read(mut self, text: &str) -> Result<GameFile> {
        let mut section = Section::None;
        let mut seen = Vec::new();
        for (line, words) in (1..).zip(text.lines()) {
            let words = words.trim();
            if words.starts_with('#') {
                section = self.header(line, words, &seen)?;
                seen.push((section, line));
            } else if !words.is_empty() {
                self.line(line, words, section)?;
            }
        }
        if !seen.iter().any(|s| s.0 == Section::Game) {
            return Err(self
                .name
                .error(self.lines.max(1), "the file ends without a line `#GAME`, so this is not a game"));
        }
        let pile = self.pieces()?;
        let solution = self.solution(&pile)?;
        let mut board = vec![None; self.cells.cells.len()];
        for entry in &self.board {
            if let Some(place) = entry.cell.and_then(|cell| board.get_mut(cell)) {
                *place = Some(entry.placed);
            }
        }
        Ok(GameFile { rows: self.rows, pile, board, solution })
    }

    fn header(&mut self, line: usize, header: &str, seen: &[(Section, usize)]) -> Result<Section> {
        let section = match header {
            "#GAME" => Section::Game,
            "#PART" => Section::Part,
            "#BOARD" => Section::Board,
            "#PILE" | "#FILE" => Section::Pile,
            "#SOLUTION" => Section::Solution,
            _ => {
                self.unknown.get_or_insert_with(|| header.to_owned());
                return Ok(Section::Unknown);
            }
        };
        let place = |wanted| seen.iter().find(|s| s.0 == wanted).map(|s| s.1);
        if let Some(before) = place(section) {
            let why = format!("`{header}`: there is such a section already, in line {before}");
            return Err(self.name.error(line, why));
        }
        if section != Section::Game && place(Section::Game).is_none() {
            let why = format!("`{header}` comes before `#GAME`, with which a game starts");
            return Err(self.name.error(line, why));
        }
        let pieces = [&self.board, &self.pile, &self.solution];
        if section == Section::Part && pieces.iter().any(|list| !list.is_empty()) {
            let why = format!("`{header}` comes after pieces, but says which board they are for");
            return Err(self.name.error(line, why));
        }
        Ok(section)
    }

    fn line(&mut self, line: usize, words: &str, section: Section) -> Result<()> {
        for word in words.split_whitespace() {
            let name = self.name;
            let error = |why| name.error(line, why);
            match section {
                Section::Unknown => {}
                Section::None | Section::Game => {
                    let word = word.escape_debug();
                    return Err(error(format!(
                        "`{word}` is in no section: pieces come after `#BOARD`, `#PILE` or \
                         `#SOLUTION`"
                    )));
                }
                Section::Part => {
                    let Some((_, rows)) = PARTS.iter().find(|part| part.0 == word) else {
                        let names: Vec<_> = PARTS.iter().map(|part| part.0).collect();
                        return Err(error(format!(
                            "`{}` is not the name of a part of the board; the names are {}",
                            word.escape_debug(),
                            names.join(", ")
                        )));
                    };
                    (self.rows, self.cells) = (rows, TriangleBoard::new(rows));
                }
                Section::Pile => {
                    let placed = PlacedPiece::parse(word).map_err(error)?;
                    self.pile.push(FilePiece { line, placed, cell: None });
                }
                Section::Board | Section::Solution => {
                    let is_board = section == Section::Board;
                    let list = if is_board { &mut self.board } else { &mut self.solution };
                    let piece = placed(&self.cells, list, line, word);
                    list.push(piece.map_err(error)?);
                }
            }
        }
        Ok(())
    }

    /// The pieces of the puzzle.
    fn pieces(&self) -> Result<Vec<PlacedPiece>> {
        let wanted = self.cells.cells.len();
        let in_play = || self.board.iter().chain(&self.pile);
        let entries: Vec<&FilePiece> = match in_play().next() {
            Some(_) => in_play().collect(),
            None => self.solution.iter().collect(),
        };
        for (i, entry) in entries.iter().enumerate() {
            if let Some(before) = entries[..i].iter().find(|other| same(other, entry)) {
                let why = format!(
                    "`{}` is the same piece as `{}` in line {}: the {wanted} pieces must differ \
                     by more than a turn",
                    entry.placed, before.placed, before.line
                );
                return Err(self.name.error(entry.line, why));
            }
        }
        if let Some(entry) = entries.get(wanted) {
            let why = format!("`{}` is one piece too many: there are {wanted}", entry.placed);
            return Err(self.name.error(entry.line, why));
        }
        if entries.len() < wanted {
            let skipped = match &self.unknown {
                Some(header) => {
                    format!("; the section `{}` was skipped, as it has no meaning", header.escape_debug())
                }
                None => String::new(),
            };
            let why = format!("the game ends with {} of its {wanted} pieces{skipped}", entries.len());
            return Err(self.name.error(self.lines.max(1), why));
        }
        Ok(entries.iter().map(|entry| entry.placed).collect())
    }

    /// The solution, checked against the rules and the pieces.
    fn solution(&self, pile: &[PlacedPiece]) -> Result<Option<Vec<EdgeLetters>>> {
        let Some(last) = self.solution.last() else {
            return Ok(None);
        };
        let wanted = self.cells.cells.len();
        if self.solution.len() < wanted {
            let why = format!("the solution ends with {} of {wanted} pieces", self.solution.len());
            return Err(self.name.error(last.line, why));
        }
        let mut shown = vec![[0; 3]; wanted];
        let mut lines = vec![0; wanted];
        for (i, entry) in self.solution.iter().enumerate() {
            let error = |why| Err(self.name.error(entry.line, why));
            let placed = entry.placed;
            if let Some(before) = self.solution[..i].iter().find(|other| same(other, entry)) {
                return error(format!(
                    "the solution has the piece `{placed}` twice, first in line {}",
                    before.line
                ));
            }
            if !pile.iter().any(|other| least(other.letters) == least(placed.letters)) {
                return error(format!(
                    "the solution has the piece `{placed}`, which is neither on the board nor in \
                     the pile"
                ));
            }
            if let Some(cell) = entry.cell {
                (shown[cell], lines[cell]) = (placed.shown(), entry.line);
            }
        }
        for edge in &self.cells.edges {
            let (first, second) = (edge.first, edge.second);
            if shown[first][edge.slot] != shown[second][edge.slot] ^ CASE {
                let place = |cell: usize| {
                    let cell = self.cells.cells[cell];
                    format!("row {}, column {}", cell.row, cell.column)
                };
                let why =
                    format!("the solution does not match between {} and {}", place(first), place(second));
                return Err(self.name.error(lines[first].max(lines[second]), why));
            }
        }
        Ok(Some(shown))
    }
}

/// Whether two pieces are the same up to a turn.
fn same(one: &FilePiece, other: &FilePiece) -> bool {
    least(one.placed.letters) == least(other.placed.letters)
}

/// Reads a piece on a board.
fn placed(
    board: &TriangleBoard,
    before: &[FilePiece],
    line: usize,
    word: &str,
) -> std::result::Result<FilePiece, String> {
    let (placed, row, column) = PlacedPiece::parse_placed(word)?;
    let Some(cell) = board.at(row, column) else {
        let cells: Vec<_> = board.rows.iter().map(|row| row.len().to_string()).collect();
        return Err(format!(
            "`{word}`: there is no cell in row {row}, column {column}; the rows have {} cells",
            listed(&cells)
        ));
    };
    let up = board.cells[cell].up;
    if placed.up() != up {
        return Err(format!("`{word}`: the cell in row {row}, column {column} points {}", suitable(up)));
    }
    if let Some(other) = before.iter().find(|other| other.cell == Some(cell)) {
        return Err(format!(
            "`{word}`: the cell in row {row}, column {column} has a piece already, in line {}",
            other.line
        ));
    }
    Ok(FilePiece { line, placed, cell: Some(cell) })
}

/// Which positions suit a cell, for errors: "up, so the position must be 1, 3 or 5".
pub(super) fn suitable(up: bool) -> &'static str {
    if up { "up, so the position must be 1, 3 or 5" } else { "down, so the position must be 2, 4 or 6" }
}

/// "5, 7, 7 and 5".
fn listed(words: &[String]) -> String {
    match words {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => words.concat(),
    }
}

/// Writes a game: what lies on the board, and the other pieces in the pile. The solution is given by
/// how its pieces lie, in reading order.
pub(super) fn write(
    rows: BoardRows,
    pieces: &[PlacedPiece],
    board: &BoardPieces,
    solution: Option<&[PlacedPiece]>,
) -> String {
    let mut text = "#GAME\n".to_owned();
    if let Some((name, _)) = PARTS.iter().find(|part| part.1 == rows) {
        text += &format!("#PART\n{name}\n");
    }
    text += "#BOARD\n";
    let cells = TriangleBoard::new(rows);
    text += &lines(&cells, board);
    text += "#PILE\n";
    let kind = |placed: &PlacedPiece| least(placed.letters);
    let on_board: Vec<_> = board.iter().flatten().map(kind).collect();
    // Writing to a string cannot fail.
    for placed in pieces.iter().filter(|placed| !on_board.contains(&kind(placed))) {
        let _ = writeln!(text, "{placed}");
    }
    if let Some(solution) = solution {
        text += "#SOLUTION\n";
        text += &lines(&cells, &solution.iter().copied().map(Some).collect());
    }
    text
}

/// The rows of a board, one on each line; those without pieces are left out.
fn lines(cells: &TriangleBoard, board: &BoardPieces) -> String {
    let mut text = String::new();
    for row in &cells.rows {
        let places = cells.cells[row.clone()].iter();
        let words = places
            .zip(board.get(row.clone()).unwrap_or_default())
            .filter_map(|(cell, placed)| Some(format!("{}{}{}", (*placed)?, cell.row, cell.column)));
        let words: Vec<_> = words.collect();
        if !words.is_empty() {
            text += &words.join(" ");
            text.push('\n');
        }
    }
    text
}

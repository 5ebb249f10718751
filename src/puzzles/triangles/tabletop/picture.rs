//! A table in a terminal: the board, the pile beside it, and where a player's hands are.

use super::super::draw::{self, CellLook};
use super::super::pieces::{PlacedPiece, least};
use super::Tabletop;
use crate::puzzle::Arrow;
use crate::text::{self, pluralise};

/// Pieces of the pile on one line.
const ON_A_LINE: usize = 4;

impl Tabletop {
    /// The piece with these letters, from whichever of them on it is spelled.
    pub fn piece(&self, letters: &str) -> Option<usize> {
        // Any position will do.
        let placed = PlacedPiece::parse(&format!("{letters}1")).ok()?;
        let pieces = &self.game.rules.pieces;
        (0..pieces.len()).find(|&piece| least(pieces.letters(piece as u8)) == least(placed.letters))
    }

    /// The cell in a row and a column of the hexagon, both from 1.
    pub fn cell(&self, row: u8, column: u8) -> Option<usize> {
        self.game.rules.board.at(row, column)
    }

    /// The row and the column of a cell.
    pub fn row_and_column(&self, cell: usize) -> Option<(u8, u8)> {
        let cell = self.game.rules.board.cells.get(cell)?;
        Some((cell.row, cell.column))
    }

    /// The pieces of the pile, by their numbers.
    pub fn pile(&self) -> Vec<usize> {
        let numbers = self.game.pile.iter().map(|placed| usize::from(self.number(placed)));
        numbers.collect()
    }

    /// The piece in a cell.
    pub fn piece_at(&self, cell: usize) -> Option<usize> {
        let placed = (*self.game.board.get(cell)?)?;
        Some(usize::from(self.number(&placed)))
    }

    /// The cell that is reached from another one with an arrow; the same at the rim.
    pub fn beside(&self, cell: usize, arrow: Arrow) -> usize {
        let board = &self.game.rules.board;
        let Some(here) = board.cells.get(cell) else {
            return 0;
        };
        let (row, place) = board.place(cell);
        let next_row = match arrow {
            Arrow::Left => return if place > 0 { cell - 1 } else { cell },
            Arrow::Right => {
                let is_last = place + 1 == board.rows[row].len();
                return if is_last { cell } else { cell + 1 };
            }
            Arrow::Up => row.checked_sub(1),
            Arrow::Down => Some(row + 1),
        };
        let cells = next_row.and_then(|row| board.rows.get(row)).cloned();
        let nearest = cells
            .and_then(|mut cells| cells.by_ref().min_by_key(|&other| board.cells[other].x.abs_diff(here.x)));
        nearest.unwrap_or(cell)
    }

    /// Whether any touching edges do not match.
    pub fn has_conflicts(&self) -> bool {
        !self.game.rules.agree(&self.turned())
    }

    /// The way from this table to another one of the same game: what has to be taken off or turned
    /// first, then one piece after the other; each with the name of the piece.
    pub fn steps_to(&self, end: &Tabletop) -> Vec<(String, Tabletop)> {
        let mut steps = vec![(String::new(), self.clone())];
        let (here, there) = (self.turned(), end.turned());
        let is_wrong = |cell: usize| here[cell].is_some() && here[cell] != there[cell];
        let wrong: Vec<usize> = (0..self.game.board.len()).filter(|&cell| is_wrong(cell)).collect();
        let mut table = self.clone();
        if !wrong.is_empty() {
            for &cell in &wrong {
                let taken = table.game.board[cell].take();
                table.game.pile.extend(taken);
            }
            steps.push(("take off what is wrong".into(), table.clone()));
        }
        for cell in 0..end.game.board.len().min(table.game.board.len()) {
            let Some(placed) = end.game.board[cell].filter(|_| table.game.board[cell].is_none()) else {
                continue;
            };
            table.game.board[cell] = Some(placed);
            table.remove_from_pile();
            steps.push((format!("{placed} in {}", self.place_of(cell)), table.clone()));
        }
        steps
    }

    /// The board with the pile beside it. `cursor` is the cell that is pointed at, `lifted` one whose
    /// piece is about to be moved, `held` the place in the pile of the piece in hand.
    pub fn picture(
        &self,
        cursor: Option<usize>,
        lifted: Option<usize>,
        held: Option<usize>,
        colour: bool,
    ) -> String {
        let turned = self.turned();
        let looks = turned.iter().enumerate().map(|(cell, placed)| CellLook {
            letters: placed.map(|placed| self.game.rules.pieces.shown(placed)),
            mark: match (cursor == Some(cell), lifted == Some(cell)) {
                (true, true) => Some(['{', '}']),
                (true, false) => Some(['[', ']']),
                (false, true) => Some(['*', '*']),
                _ => None,
            },
            conflict: placed.is_some_and(|placed| self.game.rules.conflicts(&turned, cell, placed)),
        });
        let looks: Vec<CellLook> = looks.collect();
        let board = draw::draw_cells(&self.game.rules.board, &looks, colour);
        beside(&board, &self.pile_picture(held, colour), self.width())
    }

    /// Columns of the board's picture.
    fn width(&self) -> usize {
        let plain = draw::draw_cells(&self.game.rules.board, &[], false);
        let widths = plain.lines().map(|line| line.chars().count());
        widths.max().unwrap_or_default()
    }

    /// The piece in hand, and the names of all in the pile.
    fn pile_picture(&self, held: Option<usize>, colour: bool) -> Vec<String> {
        let mut lines = vec![match self.game.pile.len() {
            0 => "the pile is empty".to_owned(),
            pieces => format!("{} in the pile", pluralise(pieces, "piece")),
        }];
        let names = self.game.pile.iter().enumerate().map(|(place, placed)| match held {
            Some(held) if held == place => format!("[{placed}]"),
            _ => format!(" {placed} "),
        });
        let names: Vec<String> = names.collect();
        lines.extend(names.chunks(ON_A_LINE).map(|row| row.concat()));
        if let Some(placed) = held.and_then(|held| self.game.pile.get(held)) {
            lines.push(String::new());
            let piece = draw::draw_piece(placed.up(), placed.shown(), colour);
            lines.extend(piece.lines().map(|line| format!("   {line}")));
        }
        lines
    }
}

/// Puts lines beside a picture of this width, whose lines may hold colours.
fn beside(picture: &str, right: &[String], width: usize) -> String {
    let left: Vec<&str> = picture.lines().collect();
    let rows = left.len().max(right.len());
    let line = |row: usize| {
        let left = left.get(row).copied().unwrap_or_default();
        let shown = text::width(left);
        let gap = width.saturating_sub(shown) + 4;
        match right.get(row).map_or("", |line| line.trim_end()) {
            "" => left.to_owned(),
            right => format!("{left}{}{right}", " ".repeat(gap)),
        }
    };
    (0..rows).map(line).collect::<Vec<_>>().join("\n")
}

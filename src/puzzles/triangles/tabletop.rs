//! The table on which a person plays: a pile of pieces, a board, and hands that lay, turn and take.
//!
//! Pieces are placed into any empty cell, in any order. A piece that is placed or moved is turned so that
//! it matches what lies around it, and is refused, in a sentence, where no turn of it does. So a board
//! that was made here has no edges that clash. One that was read from a game file may have: its pieces
//! lie where the file says, and those that do not match each other are marked as *conflicts*.
//!
//! # What is promised
//! - The game file ([`Tabletop::file`]) is the whole state: reading it gives the same table again, with
//!   the order of the pile, how its pieces are turned, and the solution that is known.
//! - Pieces have numbers, from 0, in an order that depends on their letters alone; cells are numbered
//!   in reading order. Both stay the same whatever is done.
//! - What cannot be done is an error and changes nothing. No input makes a table panic.
//! - [`Tabletop::hint`] and [`Tabletop::finish`] search, which takes seconds at the worst; they end early,
//!   without a change, when their effort is spent.
//!
//! A piece that is taken off the board comes last in the pile.

mod actions;
mod picture;

pub use actions::TabletopAction;
use serde::Serialize;

use super::complete::Given;
use super::pieces::{PlacedPiece, spelled};
use super::setting::Setting;
use super::{KIND, Triangles, game};
use crate::error::{Error, Result, usage};
use crate::puzzle::{FileName, FileSource, PuzzleSpec, Rules};

/// A game as it lies on a table.
#[derive(Clone, Debug)]
pub struct Tabletop {
    /// The text of the puzzle.
    puzzle: String,
    /// Its pile has only the pieces that are not on the board.
    game: Setting,
    /// What the last action has to tell.
    message: Option<String>,
}

/// A table as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TabletopView {
    /// The game file: the whole state.
    pub file: String,
    /// The text of the puzzle.
    pub puzzle: String,
    /// The cells in reading order.
    pub cells: Vec<CellView>,
    /// The pile in its order.
    pub pile: Vec<PieceView>,
    /// How many pieces lie on the board.
    pub placed: usize,
    /// Whether the board is full and all its edges match.
    pub solved: bool,
    /// What the last action has to tell.
    pub message: Option<String>,
}

/// A cell as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CellView {
    /// Its row on the hexagon, from 1.
    pub row: u8,
    /// Its column on the hexagon, from 1.
    pub column: u8,
    /// Whether it points up.
    pub up: bool,
    pub piece: Option<usize>,
    /// The letters as they lie: left, bottom, right of a cell that points up; right, top, left of one
    /// that points down.
    pub letters: Option<String>,
    /// Whether an edge does not match the piece beyond it.
    pub conflict: bool,
}

/// A piece of the pile as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PieceView {
    /// Its number.
    pub piece: usize,
    /// Its letters as they are spelled.
    pub letters: String,
    /// How it is turned: 1 to 6.
    pub position: u8,
}

impl Triangles {
    /// The puzzle as a table, with the pieces on the board that lie there in its file.
    pub fn table(&self) -> Tabletop {
        Tabletop::of(self.text(), self.setting.clone())
    }
}

impl Tabletop {
    /// A table for a puzzle's text; one that names a file is refused: see [`read`](Tabletop::read).
    pub fn named(text: &str) -> Result<Self> {
        let refuse = |why: &str| usage(format!("`{text}` names no table: {why}. Accepted: {}", KIND.grammar));
        let Some(rest) = text.strip_prefix("triangles:").map(str::trim) else {
            return refuse("it is not a triangle puzzle");
        };
        let spec = PuzzleSpec::with_files(rest, KIND.options, FileSource::Given(None));
        match Triangles::parse(&spec) {
            Ok(puzzle) => Ok(puzzle.table()),
            Err(Error::Usage(why)) => refuse(&why),
            Err(other) => Err(other),
        }
    }

    /// The table of a game file with this content. `name` is the file's, for errors and for the text
    /// of the puzzle; no file is opened.
    pub fn read(name: &str, content: &str) -> Result<Self> {
        let file = FileName { path: name, board: None };
        let game = game::read(&file, content)?;
        Ok(Tabletop::of(format!("triangles:@{name}"), Setting::new(game.rows, &game)?))
    }

    fn of(puzzle: String, game: Setting) -> Self {
        let mut table = Tabletop { puzzle, game, message: None };
        table.remove_from_pile();
        table
    }

    /// Removes the pieces that lie on the board from the pile.
    fn remove_from_pile(&mut self) {
        let on_board = self.turned();
        let mut pile = std::mem::take(&mut self.game.pile);
        pile.retain(|piece| {
            let number = self.number(piece);
            !on_board.iter().flatten().any(|there| there.piece == number)
        });
        self.game.pile = pile;
    }

    /// Lays everything as it lies in a game file with the same pieces and board.
    pub fn restore(&mut self, content: &str) -> Result<()> {
        let other = Tabletop::read("the game", content)?;
        let (own, other) = (&mut self.game, other.game);
        if other.rows != own.rows || other.rules.pieces != own.rules.pieces {
            return usage("this is the file of another game");
        }
        (own.pile, own.board, own.solution) = (other.pile, other.board, other.solution);
        self.message = None;
        Ok(())
    }

    /// The text of the puzzle.
    pub fn puzzle(&self) -> &str {
        &self.puzzle
    }

    /// How many cells the board has.
    pub fn cells(&self) -> usize {
        self.game.board.len()
    }

    /// How many pieces lie on the board.
    pub fn placed(&self) -> usize {
        self.game.board.iter().flatten().count()
    }

    /// What the last action has to tell, in a sentence.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// Whether the board is full and all its edges match.
    pub fn is_solved(&self) -> bool {
        self.game.board.iter().all(Option::is_some) && self.game.rules.agree(&self.turned())
    }

    /// The game file, which [`read`](Tabletop::read) reads back.
    pub fn file(&self) -> String {
        self.game.file()
    }

    /// All that is to be seen.
    pub fn view(&self) -> TabletopView {
        let turned = self.turned();
        let cells = self.game.rules.board.cells.iter().zip(&turned).enumerate();
        TabletopView {
            file: self.file(),
            puzzle: self.puzzle.clone(),
            cells: cells
                .map(|(number, (cell, placed))| CellView {
                    row: cell.row,
                    column: cell.column,
                    up: cell.up,
                    piece: placed.map(|placed| usize::from(placed.piece)),
                    letters: placed.map(|placed| spelled(self.game.rules.pieces.shown(placed))),
                    conflict: placed.is_some_and(|placed| self.game.rules.conflicts(&turned, number, placed)),
                })
                .collect(),
            pile: self
                .game
                .pile
                .iter()
                .map(|placed| PieceView {
                    piece: usize::from(self.number(placed)),
                    letters: spelled(placed.letters),
                    position: placed.position,
                })
                .collect(),
            placed: self.placed(),
            solved: self.is_solved(),
            message: self.message.clone(),
        }
    }
    /// What lies in each cell, by the numbers of the pieces.
    fn turned(&self) -> Given {
        self.game.rules.turned(&self.game.board)
    }

    fn number(&self, placed: &PlacedPiece) -> u8 {
        let found = self.game.rules.pieces.find(placed.shown());
        // Every piece of a table is one of its rules.
        found.map_or(u8::MAX, |turned| turned.piece)
    }
}

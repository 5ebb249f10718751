//! The table on which a person plays: a pile of pieces, a board, and hands that lay, turn and take.
//!
//! Pieces are laid into any empty cell, in any order. A piece that is laid or moved is turned so that
//! it matches what lies around it, and is refused, in a sentence, where no turn of it does. So a board
//! that was made here has no edges that clash. One that was read from a game file may have: its pieces
//! lie where the file says, and those that do not match each other are marked as *conflicts*.
//!
//! # What is promised
//! - The game file ([`Table::file`]) is the whole state: reading it gives the same table again, with
//!   the order of the pile, how its pieces are turned, and the solution that is known.
//! - Pieces have numbers, from 0, in an order that depends on their letters alone; cells are numbered
//!   in reading order. Both stay the same whatever is done.
//! - What cannot be done is an error and changes nothing. No input makes a table panic.
//! - [`Table::hint`] and [`Table::finish`] search, which takes seconds at the worst; they end early,
//!   without a change, when their effort is spent.
//!
//! A piece that is taken off the board comes last in the pile.

mod actions;
mod picture;

use std::sync::OnceLock;

pub use actions::Action;
use serde::Serialize;

use super::board::Rows;
use super::complete::{Completer, Given};
use super::game::{self, Game, Laying};
use super::hint;
use super::pieces::{Laid, spelled};
use super::rules::Rules;
use super::setting::Setting;
use super::{KIND, Triangles};
use crate::error::{Error, Result, usage};
use crate::puzzle::{FileName, Files, Puzzle, Words};

/// A game as it lies on a table.
#[derive(Clone, Debug)]
pub struct Table {
    /// The text of the puzzle.
    puzzle: String,
    rows: Rows,
    rules: Rules,
    /// In the order of the pile.
    pile: Vec<Laid>,
    board: Laying,
    /// A solution that is known, as a filling.
    solution: Option<Vec<u8>>,
    /// What the last action has to tell.
    message: Option<String>,
    completer: OnceLock<Completer>,
}

/// A table as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// The game file: the whole state.
    pub file: String,
    /// The text of the puzzle.
    pub puzzle: String,
    /// The cells in reading order.
    pub cells: Vec<CellView>,
    /// The pile in its order.
    pub pile: Vec<PieceView>,
    /// How many pieces lie on the board.
    pub laid: usize,
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
    /// The piece in it.
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
    pub fn table(&self) -> Table {
        let setting = Setting {
            rules: self.rules.clone(),
            pile: self.pile.clone(),
            board: self.board.clone(),
            solution: self.solution.clone(),
        };
        Table::of(self.text(), self.rows, setting)
    }
}

impl Table {
    /// A table for a puzzle's text; one that names a file is refused: see [`read`](Table::read).
    pub fn named(text: &str) -> Result<Self> {
        let rest = text.strip_prefix("triangles:").map(str::trim);
        let refuse = |why: &str| {
            usage(format!(
                "`{text}` names no table: {why}. Accepted: {}",
                KIND.grammar
            ))
        };
        match rest {
            None => refuse("it is not a triangle puzzle"),
            Some(rest) => {
                let words = Words::with_files(rest, KIND.options, Files::Given(None));
                match Triangles::parse(&words) {
                    Ok(puzzle) => Ok(puzzle.table()),
                    Err(Error::Usage(why)) => refuse(&why),
                    Err(other) => Err(other),
                }
            }
        }
    }

    /// The table of a game file with this content. `name` is the file's, for errors and for the text
    /// of the puzzle; no file is opened.
    pub fn read(name: &str, content: &str) -> Result<Self> {
        let file = FileName {
            path: name,
            board: None,
        };
        let game: Game = game::read(&file, content)?;
        let setting = Setting::new(game.rows, &game)?;
        Ok(Table::of(format!("triangles:@{name}"), game.rows, setting))
    }

    fn of(puzzle: String, rows: Rows, setting: Setting) -> Self {
        let mut table = Table {
            puzzle,
            rows,
            rules: setting.rules,
            pile: Vec::new(),
            board: setting.board,
            solution: setting.solution,
            message: None,
            completer: OnceLock::new(),
        };
        let on_board = table.turned();
        let in_pile = |laid: &Laid| {
            let piece = table.number(laid);
            !on_board.iter().flatten().any(|there| there.piece == piece)
        };
        table.pile = setting.pile.into_iter().filter(in_pile).collect();
        table
    }

    /// Lays everything as it lies in a game file with the same pieces and board.
    pub fn restore(&mut self, content: &str) -> Result<()> {
        let other = Table::read("the game", content)?;
        if other.rows != self.rows || other.rules.pieces != self.rules.pieces {
            return usage("this is the file of another game");
        }
        *self = Table {
            puzzle: std::mem::take(&mut self.puzzle),
            completer: std::mem::take(&mut self.completer),
            ..other
        };
        Ok(())
    }

    /// The text of the puzzle.
    pub fn puzzle(&self) -> &str {
        &self.puzzle
    }

    /// How many cells the board has.
    pub fn cells(&self) -> usize {
        self.board.len()
    }

    /// How many pieces lie on the board.
    pub fn laid(&self) -> usize {
        self.board.iter().flatten().count()
    }

    /// What the last action has to tell, in a sentence.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// Whether the board is full and all its edges match.
    pub fn is_solved(&self) -> bool {
        self.board.iter().all(Option::is_some) && self.rules.agree(&self.turned())
    }

    /// The game file, which [`read`](Table::read) reads back.
    pub fn file(&self) -> String {
        let filling = self.solution.as_deref();
        let solution = filling.map(|filling| hint::laid(&self.rules, filling));
        game::write(self.rows, &self.pile, &self.board, solution.as_deref())
    }

    /// All that is to be seen.
    pub fn view(&self) -> View {
        let turned = self.turned();
        let cells = self.rules.board.cells.iter().zip(&turned).enumerate();
        View {
            file: self.file(),
            puzzle: self.puzzle.clone(),
            cells: cells
                .map(|(number, (cell, laid))| CellView {
                    row: cell.row,
                    column: cell.column,
                    up: cell.up,
                    piece: laid.map(|laid| usize::from(laid.piece)),
                    letters: laid.map(|laid| spelled(self.rules.pieces.shown(laid))),
                    conflict: laid.is_some_and(|laid| {
                        self.rules.clashes(&turned, number, laid).next().is_some()
                    }),
                })
                .collect(),
            pile: self
                .pile
                .iter()
                .map(|laid| PieceView {
                    piece: usize::from(self.number(laid)),
                    letters: spelled(laid.letters),
                    position: laid.position,
                })
                .collect(),
            laid: self.laid(),
            solved: self.is_solved(),
            message: self.message.clone(),
        }
    }
    /// What lies in each cell, by the numbers of the pieces.
    fn turned(&self) -> Given {
        hint::turned(&self.rules, &self.board)
    }

    /// The number of a piece.
    fn number(&self, laid: &Laid) -> u8 {
        let found = self.rules.pieces.find(laid.shown());
        // Every piece of a table is one of its rules.
        found.map_or(u8::MAX, |turned| turned.piece)
    }

    /// What completes boards; made when it is needed.
    fn completer(&self) -> &Completer {
        self.completer.get_or_init(|| Completer::new(&self.rules))
    }
}

//! What hands do on a table, and what the computer does for them.

use serde::{Deserialize, Serialize};

use super::super::complete::{Completion, Given};
use super::super::game::BoardPieces;
use super::super::hint;
use super::super::pieces::{PlacedPiece, Turned, spelled, turns};
use super::Tabletop;
use crate::error::{Error, Result, usage};
use crate::solve::Effort;

/// Positions that may be visited to complete a board with all that lies on it: some seconds.
const MOST_TO_FINISH: u64 = 1 << 23;

/// What a hand does. In JSON `{"do":"place","piece":3,"cell":0}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum TabletopAction {
    /// Nothing.
    Look {},
    /// Lays a piece of the pile into an empty cell.
    Place { piece: usize, cell: usize },
    /// Lays a piece of the board into another cell, which is empty.
    Move {
        /// The cell it lies in.
        from: usize,
        /// The cell it shall lie in.
        cell: usize,
    },
    /// Turns a piece: on the board to the next turn that fits, in the pile by a sixth.
    Turn {
        /// The cell, if the piece lies on the board.
        #[serde(default)]
        cell: Option<usize>,
        /// The piece, if it lies in the pile.
        #[serde(default)]
        piece: Option<usize>,
    },
    /// Takes a piece off the board.
    Take { cell: usize },
    /// Takes all pieces off the board.
    Clear {},
}

impl Tabletop {
    /// Does what a hand does.
    pub fn act(&mut self, action: &TabletopAction) -> Result<()> {
        match *action {
            TabletopAction::Look {} => {
                self.message = None;
                Ok(())
            }
            TabletopAction::Place { piece, cell } => self.place(piece, cell),
            TabletopAction::Move { from, cell } => self.move_piece(from, cell),
            TabletopAction::Turn { cell: Some(cell), piece: None } => self.turn(cell),
            TabletopAction::Turn { cell: None, piece: Some(piece) } => self.turn_in_pile(piece),
            TabletopAction::Turn { .. } => {
                usage("to turn a piece, name either its cell on the board or the piece in the pile")
            }
            TabletopAction::Take { cell } => self.take(cell),
            TabletopAction::Clear {} => {
                self.clear();
                Ok(())
            }
        }
    }

    /// Lays a piece of the pile into an empty cell, turned so that it fits.
    pub fn place(&mut self, piece: usize, cell: usize) -> Result<()> {
        let place = self.in_pile(piece)?;
        self.empty(cell)?;
        let placed = self.game.pile[place];
        self.game.board[cell] = Some(self.fitting(&self.turned(), placed, cell)?);
        self.game.pile.remove(place);
        self.say_if_solved();
        Ok(())
    }

    /// Lays a piece of the board into another cell, which is empty, turned so that it fits there.
    pub fn move_piece(&mut self, from: usize, cell: usize) -> Result<()> {
        let placed = self.lying(from)?;
        self.empty(cell)?;
        let mut others = self.turned();
        others[from] = None;
        self.game.board[cell] = Some(self.fitting(&others, placed, cell)?);
        self.game.board[from] = None;
        self.say_if_solved();
        Ok(())
    }

    /// Turns a piece on the board to the next turn that fits.
    pub fn turn(&mut self, cell: usize) -> Result<()> {
        let placed = self.lying(cell)?;
        if turns(placed.letters) == 1 {
            return usage(format!("{} looks the same however it is turned", spelled(placed.letters)));
        }
        let turned = self.turned();
        let next = [1, 2].map(|by| self.turned_by(placed, by, cell));
        let fits = |next: &PlacedPiece| self.fits(&turned, *next, cell);
        match next.into_iter().find(fits) {
            Some(next) => self.game.board[cell] = Some(next),
            None => {
                return usage(format!(
                    "{} fits {} in no other turn",
                    spelled(placed.letters),
                    self.place_of(cell)
                ));
            }
        }
        self.say_if_solved();
        Ok(())
    }

    /// Turns a piece in the pile by a sixth, clockwise.
    pub fn turn_in_pile(&mut self, piece: usize) -> Result<()> {
        let place = self.in_pile(piece)?;
        // Positions are numbered clockwise.
        self.game.pile[place].position = self.game.pile[place].position % 6 + 1;
        self.message = None;
        Ok(())
    }

    /// Takes a piece off the board: it comes last in the pile.
    pub fn take(&mut self, cell: usize) -> Result<()> {
        let placed = self.lying(cell)?;
        self.game.board[cell] = None;
        self.game.pile.push(placed);
        self.message = None;
        Ok(())
    }

    /// Takes all pieces off the board.
    pub fn clear(&mut self) {
        let taken: Vec<PlacedPiece> = self.game.board.iter_mut().filter_map(Option::take).collect();
        self.game.pile.extend(taken);
        self.message = None;
    }

    /// Brings the board nearer to a solution: takes wrong pieces off, turns right ones right, and lays
    /// three more, or one if fewer than three are left.
    pub fn hint(&mut self, effort: &Effort<'_>) -> Result<()> {
        let before = self.turned();
        let (board, solution) = hint::hinted(&self.game, effort)?;
        self.put_on_board(board);
        self.game.solution = Some(solution);
        let done = self.changes(&before);
        self.message = Some(format!("A hint: {done}."));
        Ok(())
    }

    /// Completes the board: with all that lies there if that is found to be possible, otherwise with
    /// as much of it as it can, and then the message says so.
    pub fn finish(&mut self, effort: &Effort<'_>) -> Result<()> {
        if self.is_solved() {
            return usage("the board is solved already");
        }
        let before = self.turned();
        let (solution, beginning) = self.completed(&before, effort)?;
        let filling = hint::bytes(&solution);
        let wanted = self.game.rules.placed(&filling);
        let mut board = self.game.board.clone();
        for (cell, placed) in wanted.into_iter().enumerate() {
            // As it is spelled, where nothing changes.
            if before[cell] != Some(solution[cell]) {
                board[cell] = Some(placed);
            }
        }
        let differs =
            |(before, right): &(&Option<Turned>, &Turned)| before.is_some_and(|before| before != **right);
        let off = before.iter().zip(&solution).filter(differs);
        let off: Vec<String> = off.filter_map(|(before, _)| Some(self.letters((*before)?.piece))).collect();
        self.put_on_board(board);
        self.game.solution.get_or_insert(filling);
        self.message = Some(match off.is_empty() {
            true => "The board is complete, and every piece that lay there has stayed.".into(),
            false => format!("{beginning}: {} had to move.", off.join(", ")),
        });
        Ok(())
    }

    /// A complete board, and what is to be said if it does not have all that lies there.
    fn completed(&self, placed: &Given, effort: &Effort<'_>) -> Result<(Vec<Turned>, &'static str)> {
        let known = self.game.solution.as_deref().map(|filling| {
            let turned = filling.iter().map(|&byte| Turned::from_byte(byte));
            turned.collect::<Vec<Turned>>()
        });
        let agrees = |solution: &Vec<Turned>| {
            let mut cells = placed.iter().zip(solution);
            cells.all(|(placed, right)| placed.is_none_or(|placed| placed == *right))
        };
        if let Some(solution) = known.clone().filter(agrees) {
            return Ok((solution, ""));
        }
        let beginning = match self.game.completer().complete(placed, effort, Some(MOST_TO_FINISH)) {
            Completion::Found(solution) => return Ok((solution, "")),
            Completion::Impossible => "No solution has all pieces that lay on the board",
            Completion::Spent if effort.is_spent() => {
                return Err(Error::interrupted("stopped before a solution was found"));
            }
            Completion::Spent => "No solution with all pieces that lay on the board was found quickly",
        };
        match (hint::agreeing(self.game.completer(), placed, effort), known) {
            (Err(Error::Limit(_)), Some(known)) => Ok((known, beginning)),
            (solution, _) => Ok((solution?, beginning)),
        }
    }

    /// Puts pieces on the board; those that are not on it any more come last in the pile.
    fn put_on_board(&mut self, board: BoardPieces) {
        let before = std::mem::replace(&mut self.game.board, board);
        self.game.pile.extend(before.into_iter().flatten());
        self.remove_from_pile();
    }

    /// A piece as it lies in a cell after a turn.
    fn turned_by(&self, placed: PlacedPiece, by: u8, cell: usize) -> PlacedPiece {
        let up = self.game.rules.board.cells[cell].up;
        PlacedPiece::new(placed.letters, up, (placed.turn() + by) % 3)
    }

    /// A piece, turned so that it fits a cell, as little as possible.
    fn fitting(&self, others: &Given, placed: PlacedPiece, cell: usize) -> Result<PlacedPiece> {
        let turns = [0, 1, 2].map(|by| self.turned_by(placed, by, cell));
        let fits = |placed: &PlacedPiece| self.fits(others, *placed, cell);
        turns.into_iter().find(fits).ok_or_else(|| {
            Error::Usage(format!(
                "{} does not fit {} in any turn",
                spelled(placed.letters),
                self.place_of(cell)
            ))
        })
    }

    fn fits(&self, others: &Given, placed: PlacedPiece, cell: usize) -> bool {
        let turned = self.game.rules.pieces.find(placed.shown());
        turned.is_some_and(|turned| !self.game.rules.conflicts(others, cell, turned))
    }

    /// Where in the pile a piece is.
    fn in_pile(&self, piece: usize) -> Result<usize> {
        let is_it = |placed: &PlacedPiece| usize::from(self.number(placed)) == piece;
        match self.game.pile.iter().position(is_it) {
            Some(place) => Ok(place),
            None if piece < self.game.board.len() => usage(format!(
                "{} lies on the board{}, not in the pile",
                self.letters(piece as u8),
                match (0..self.game.board.len()).find(|&cell| self.piece_at(cell) == Some(piece)) {
                    Some(cell) => format!(", in {}", self.place_of(cell)),
                    None => String::new(),
                }
            )),
            None => usage(format!(
                "there is no piece number {piece}: they are numbered from 0 to {}",
                self.game.board.len() - 1
            )),
        }
    }

    fn lying(&self, cell: usize) -> Result<PlacedPiece> {
        self.known(cell)?;
        match self.game.board[cell] {
            Some(placed) => Ok(placed),
            None => usage(format!("there is no piece in {}", self.place_of(cell))),
        }
    }

    /// Refuses a cell that has a piece.
    fn empty(&self, cell: usize) -> Result<()> {
        self.known(cell)?;
        match self.game.board[cell] {
            None => Ok(()),
            Some(placed) => usage(format!(
                "there is a piece in {} already: {}",
                self.place_of(cell),
                spelled(placed.letters)
            )),
        }
    }

    /// Refuses a number that no cell has.
    fn known(&self, cell: usize) -> Result<()> {
        match cell < self.game.board.len() {
            true => Ok(()),
            false => usage(format!(
                "there is no cell {cell}: they are numbered from 0 to {}",
                self.game.board.len() - 1
            )),
        }
    }

    pub(super) fn place_of(&self, cell: usize) -> String {
        let cell = &self.game.rules.board.cells[cell];
        format!("row {}, column {}", cell.row, cell.column)
    }

    /// The letters of a piece.
    fn letters(&self, piece: u8) -> String {
        spelled(self.game.rules.pieces.letters(piece))
    }

    /// What became of the pieces of a board: "ADa taken off, DCa placed in row 1, column 1".
    fn changes(&self, before: &Given) -> String {
        let (mut off, mut turned, mut placed) = (Vec::new(), Vec::new(), Vec::new());
        for (cell, (before, after)) in before.iter().zip(&self.turned()).enumerate() {
            let pieces = [before, after].map(|place| place.map(|turned| turned.piece));
            if pieces[0] == pieces[1] {
                turned.extend(pieces[0].filter(|_| before != after).map(|piece| self.letters(piece)));
                continue;
            }
            off.extend(pieces[0].map(|piece| self.letters(piece)));
            placed.extend(
                pieces[1].map(|piece| format!("{} placed in {}", self.letters(piece), self.place_of(cell))),
            );
        }
        let done = [(off, " taken off"), (turned, " turned"), (placed, "")];
        let done = done.into_iter().filter(|(pieces, _)| !pieces.is_empty());
        let done = done.map(|(pieces, what)| format!("{}{what}", pieces.join(", ")));
        done.collect::<Vec<_>>().join("; ")
    }

    /// Puts pieces that are written with their positions, as solvers print them, into the first empty cells
    /// in reading order; `None` if these are no such words. All of them are placed, or none is.
    pub fn place_in_order(&mut self, words: &[&str]) -> Option<Result<()>> {
        let pieces: Vec<PlacedPiece> =
            words.iter().map(|word| PlacedPiece::parse(word).ok()).collect::<Option<_>>()?;
        let before = (self.game.pile.clone(), self.game.board.clone());
        let done = pieces.into_iter().try_for_each(|placed| self.place_next(placed));
        if done.is_err() {
            (self.game.pile, self.game.board) = before;
        }
        Some(done)
    }

    fn place_next(&mut self, placed: PlacedPiece) -> Result<()> {
        let Some(cell) = self.game.board.iter().position(Option::is_none) else {
            return usage("the board is full");
        };
        let letters = spelled(placed.letters);
        let Some(piece) = self.piece(&letters) else {
            return usage(format!("there is no piece `{letters}`"));
        };
        let place = self.in_pile(piece)?;
        if placed.up() != self.game.rules.board.cells[cell].up {
            return usage(format!("{placed} cannot lie in {}: it points the other way", self.place_of(cell)));
        }
        if !self.fits(&self.turned(), placed, cell) {
            return usage(format!("{placed} does not fit {}", self.place_of(cell)));
        }
        self.game.board[cell] = Some(placed);
        self.game.pile.remove(place);
        self.say_if_solved();
        Ok(())
    }

    fn say_if_solved(&mut self) {
        let solved = self.is_solved();
        self.message = solved.then(|| "Solved: every edge matches.".to_owned());
    }
}

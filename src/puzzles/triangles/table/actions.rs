//! What hands do on a table, and what the computer does for them.

use serde::{Deserialize, Serialize};

use super::super::complete::{Given, Outcome};
use super::super::hint;
use super::super::pieces::{Laid, Turned, spelled, turns};
use super::Table;
use crate::error::{Error, Result, usage};
use crate::solve::Effort;
use crate::text::things;

/// Positions that may be visited to complete a board with all that lies on it: some seconds.
const MOST_TO_FINISH: u64 = 1 << 23;

/// What a hand does. In JSON `{"do":"place","piece":3,"cell":0}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum Action {
    /// Nothing.
    Look {},
    /// Lays a piece of the pile into an empty cell.
    Place {
        /// The piece.
        piece: usize,
        /// The cell.
        cell: usize,
    },
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
    Take {
        /// The cell.
        cell: usize,
    },
    /// Takes all pieces off the board.
    Clear {},
}

impl Table {
    /// Does what a hand does.
    pub fn act(&mut self, action: &Action) -> Result<()> {
        match *action {
            Action::Look {} => {
                self.message = None;
                Ok(())
            }
            Action::Place { piece, cell } => self.place(piece, cell),
            Action::Move { from, cell } => self.move_piece(from, cell),
            Action::Turn {
                cell: Some(cell),
                piece: None,
            } => self.turn(cell),
            Action::Turn {
                cell: None,
                piece: Some(piece),
            } => self.turn_in_pile(piece),
            Action::Turn { .. } => {
                usage("to turn a piece, name either its cell on the board or the piece in the pile")
            }
            Action::Take { cell } => self.take(cell),
            Action::Clear {} => {
                self.clear();
                Ok(())
            }
        }
    }

    /// Lays a piece of the pile into an empty cell, turned so that it fits.
    pub fn place(&mut self, piece: usize, cell: usize) -> Result<()> {
        let place = self.in_pile(piece)?;
        self.empty(cell)?;
        let laid = self.pile[place];
        self.board[cell] = Some(self.fitting(&self.turned(), laid, cell)?);
        self.pile.remove(place);
        self.say_if_solved();
        Ok(())
    }

    /// Lays a piece of the board into another cell, which is empty, turned so that it fits there.
    pub fn move_piece(&mut self, from: usize, cell: usize) -> Result<()> {
        let laid = self.lying(from)?;
        self.empty(cell)?;
        let mut others = self.turned();
        others[from] = None;
        self.board[cell] = Some(self.fitting(&others, laid, cell)?);
        self.board[from] = None;
        self.say_if_solved();
        Ok(())
    }

    /// Turns a piece on the board to the next turn that fits.
    pub fn turn(&mut self, cell: usize) -> Result<()> {
        let laid = self.lying(cell)?;
        if turns(laid.letters) == 1 {
            return usage(format!(
                "{} looks the same however it is turned",
                spelled(laid.letters)
            ));
        }
        let turned = self.turned();
        let next = [1, 2].map(|by| self.turned_by(laid, by, cell));
        let fits = |next: &Laid| self.fits(&turned, *next, cell);
        match next.into_iter().find(fits) {
            Some(next) => self.board[cell] = Some(next),
            None => {
                return usage(format!(
                    "{} fits {} in no other turn",
                    spelled(laid.letters),
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
        self.pile[place].position = self.pile[place].position % 6 + 1;
        self.message = None;
        Ok(())
    }

    /// Takes a piece off the board: it comes last in the pile.
    pub fn take(&mut self, cell: usize) -> Result<()> {
        let laid = self.lying(cell)?;
        self.board[cell] = None;
        self.pile.push(laid);
        self.message = None;
        Ok(())
    }

    /// Takes all pieces off the board.
    pub fn clear(&mut self) {
        let taken: Vec<Laid> = self.board.iter_mut().filter_map(Option::take).collect();
        self.pile.extend(taken);
        self.message = None;
    }

    /// Brings the board nearer to a solution: takes wrong pieces off, turns right ones right, and lays
    /// three more, or one if fewer than three are left.
    pub fn hint(&mut self, effort: &Effort<'_>) -> Result<()> {
        let before = self.turned();
        let known = self.solution.as_deref();
        let hinted = hint::hinted(&self.rules, self.completer(), &self.board, known, effort)?;
        self.lay_out(hinted.board);
        self.solution = Some(hinted.solution);
        let done = changes(&before, &self.turned());
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
        let filling: Vec<u8> = solution.iter().map(|turned| turned.byte()).collect();
        let wanted = hint::laid(&self.rules, &filling);
        let mut board = self.board.clone();
        for (cell, laid) in wanted.into_iter().enumerate() {
            // As it is spelled, where nothing changes.
            if before[cell] != Some(solution[cell]) {
                board[cell] = Some(laid);
            }
        }
        let differs = |(before, right): &(&Option<Turned>, &Turned)| {
            before.is_some_and(|before| before != **right)
        };
        let off = before.iter().zip(&solution).filter(differs).count();
        self.lay_out(board);
        self.solution.get_or_insert(filling);
        self.message = Some(match off {
            0 => "The board is complete, and every piece that lay there has stayed.".into(),
            _ => format!("{beginning}: {} had to move.", things(off, "piece")),
        });
        Ok(())
    }

    /// A complete board, and what is to be said if it does not have all that lies there.
    fn completed(&self, laid: &Given, effort: &Effort<'_>) -> Result<(Vec<Turned>, &'static str)> {
        let known = self.solution.as_deref().map(|filling| {
            let turned = filling.iter().map(|&byte| Turned::from_byte(byte));
            turned.collect::<Vec<Turned>>()
        });
        let agrees = |solution: &Vec<Turned>| {
            let mut cells = laid.iter().zip(solution);
            cells.all(|(laid, right)| laid.is_none_or(|laid| laid == *right))
        };
        if let Some(solution) = known.clone().filter(agrees) {
            return Ok((solution, ""));
        }
        let beginning = match self
            .completer()
            .complete(laid, effort, Some(MOST_TO_FINISH))
        {
            Outcome::Found(solution) => return Ok((solution, "")),
            Outcome::Impossible => "No solution has all pieces that lay on the board",
            Outcome::Spent if effort.is_spent() => {
                return Err(Error::Interrupted(
                    "stopped before a solution was found".into(),
                ));
            }
            Outcome::Spent => "No solution with all pieces that lay on the board was found quickly",
        };
        match (hint::agreeing(self.completer(), laid, effort), known) {
            (Err(Error::Limit(_)), Some(known)) => Ok((known, beginning)),
            (solution, _) => Ok((solution?, beginning)),
        }
    }

    /// Puts pieces on the board; those that are not on it any more come last in the pile.
    fn lay_out(&mut self, board: Vec<Option<Laid>>) {
        let before = std::mem::replace(&mut self.board, board);
        let on_board: Vec<u8> = self.turned().iter().flatten().map(|t| t.piece).collect();
        let all: Vec<Laid> = self
            .pile
            .drain(..)
            .chain(before.into_iter().flatten())
            .collect();
        self.pile = all
            .into_iter()
            .filter(|laid| !on_board.contains(&self.number(laid)))
            .collect();
    }

    /// A piece as it lies in a cell after a turn.
    fn turned_by(&self, laid: Laid, by: u8, cell: usize) -> Laid {
        let up = self.rules.board.cells[cell].up;
        Laid::new(laid.letters, up, (laid.turn() + by) % 3)
    }

    /// A piece, turned so that it fits a cell, as little as possible.
    fn fitting(&self, others: &Given, laid: Laid, cell: usize) -> Result<Laid> {
        let turns = [0, 1, 2].map(|by| self.turned_by(laid, by, cell));
        let fits = |laid: &Laid| self.fits(others, *laid, cell);
        turns.into_iter().find(fits).ok_or_else(|| {
            Error::Usage(format!(
                "{} does not fit {} in any turn",
                spelled(laid.letters),
                self.place_of(cell)
            ))
        })
    }

    fn fits(&self, others: &Given, laid: Laid, cell: usize) -> bool {
        let turned = self.rules.pieces.find(laid.shown());
        turned.is_some_and(|turned| self.rules.clashes(others, cell, turned).next().is_none())
    }

    /// Where in the pile a piece is.
    fn in_pile(&self, piece: usize) -> Result<usize> {
        let is_it = |laid: &Laid| usize::from(self.number(laid)) == piece;
        match self.pile.iter().position(is_it) {
            Some(place) => Ok(place),
            None if piece < self.board.len() => {
                usage(format!("piece {piece} lies on the board, not in the pile"))
            }
            None => usage(format!(
                "there is no piece {piece}: they are numbered from 0 to {}",
                self.board.len() - 1
            )),
        }
    }

    /// The piece in a cell.
    fn lying(&self, cell: usize) -> Result<Laid> {
        self.known(cell)?;
        match self.board[cell] {
            Some(laid) => Ok(laid),
            None => usage(format!("there is no piece in {}", self.place_of(cell))),
        }
    }

    /// Refuses a cell that has a piece.
    fn empty(&self, cell: usize) -> Result<()> {
        self.known(cell)?;
        match self.board[cell] {
            None => Ok(()),
            Some(laid) => usage(format!(
                "there is a piece in {} already: {}",
                self.place_of(cell),
                spelled(laid.letters)
            )),
        }
    }

    /// Refuses a number that no cell has.
    fn known(&self, cell: usize) -> Result<()> {
        match cell < self.board.len() {
            true => Ok(()),
            false => usage(format!(
                "there is no cell {cell}: they are numbered from 0 to {}",
                self.board.len() - 1
            )),
        }
    }

    fn place_of(&self, cell: usize) -> String {
        let cell = &self.rules.board.cells[cell];
        format!("row {}, column {}", cell.row, cell.column)
    }

    fn say_if_solved(&mut self) {
        let solved = self.is_solved();
        self.message = solved.then(|| "Solved: every edge matches.".to_owned());
    }
}

/// What became of the pieces of a board: "1 piece taken off, 3 pieces laid".
fn changes(before: &Given, after: &Given) -> String {
    let (mut off, mut turned, mut laid) = (0, 0, 0);
    for (before, after) in before.iter().zip(after) {
        let pieces = [before, after].map(|cell| cell.map(|turned| turned.piece));
        match pieces[0] == pieces[1] {
            true => turned += usize::from(before != after),
            false => {
                off += usize::from(before.is_some());
                laid += usize::from(after.is_some());
            }
        }
    }
    let done = [(off, "taken off"), (turned, "turned"), (laid, "laid")];
    let done = done.iter().filter(|(pieces, _)| *pieces > 0);
    let done = done.map(|&(pieces, what)| format!("{} {what}", things(pieces, "piece")));
    done.collect::<Vec<_>>().join(", ")
}

//! Hints: the board is brought nearer to a solution.
//!
//! A hint takes the wrong pieces off the board, turns right those that lie in the right cells, and
//! puts three pieces of the solution on the first empty cells in reading order, or only one if fewer
//! than three are then left in the pile. Hint after hint, a board gets complete.
//!
//! The solution is the one that the game's file gives. Without one, we look for a solution that
//! agrees with the board: with all of it if we can; otherwise the pieces on it are kept one by
//! one, in reading order, as long as a completion of those that are kept is found. The game that is
//! written has the solution in it, so that the next hint follows the same one.

use std::sync::atomic::AtomicBool;

use super::Triangles;
use super::complete::{Completer, Given, Outcome};
use super::game::{self, Laying};
use super::pieces::{Laid, Turned};
use super::rules::Rules;
use crate::error::{Error, Result, usage};
use crate::solve::{Effort, unsolvable};

/// So many pieces are put on the board, if as many are left.
const PIECES: usize = 3;
/// Positions that may be visited to find any solution: some seconds.
const MOST_AT_ALL: u64 = 1 << 26;
/// Positions that may be visited to find one that agrees with certain pieces on the board.
const MOST_TO_AGREE: u64 = 1 << 17;

/// A board after a hint.
#[derive(Debug)]
pub(super) struct Hinted {
    pub board: Laying,
    /// The solution that it follows, as a filling.
    pub solution: Vec<u8>,
}

/// The file of a whole game after a hint.
pub(super) fn file(puzzle: &Triangles) -> Result<String> {
    let known = puzzle.solution.as_deref();
    let stop = AtomicBool::new(false);
    let effort = Effort::unbounded(0, &stop);
    let (rules, completer) = (&puzzle.rules, puzzle.completer());
    let hinted = hinted(rules, completer, &puzzle.board, known, &effort)?;
    let solution = laid(rules, &hinted.solution);
    let text = game::write(puzzle.rows, &puzzle.pile, &hinted.board, Some(&solution));
    Ok(text)
}

/// Carries out a hint on a board.
pub(super) fn hinted(
    rules: &Rules,
    completer: &Completer,
    board: &Laying,
    solution: Option<&[u8]>,
    effort: &Effort<'_>,
) -> Result<Hinted> {
    let on_board = turned(rules, board);
    let is_full = on_board.iter().all(Option::is_some);
    if is_full && rules.agree(&on_board) {
        return usage("the board is solved already, so there is nothing to give a hint about");
    }
    let solution = match solution {
        Some(filling) => filling
            .iter()
            .map(|&byte| Turned::from_byte(byte))
            .collect(),
        None => agreeing(completer, &on_board, effort)?,
    };
    let mut board = board.clone();
    let cells = rules.board.cells.iter().zip(&solution);
    let wanted: Vec<_> = cells
        .map(|(cell, &turned)| rules.pieces.laid(turned, cell.up))
        .collect();
    for ((place, on_board), (right, laid)) in board
        .iter_mut()
        .zip(on_board)
        .zip(solution.iter().zip(&wanted))
    {
        *place = match on_board {
            // As it is spelled, so that nothing changes unless it has to be turned.
            Some(other) if other == *right => *place,
            Some(other) if other.piece == right.piece => Some(*laid),
            _ => None,
        };
    }
    let in_pile = board.iter().filter(|place| place.is_none()).count();
    let pieces = if in_pile < PIECES { 1 } else { PIECES };
    let empty = board
        .iter_mut()
        .zip(wanted)
        .filter(|(place, _)| place.is_none());
    for (place, laid) in empty.take(pieces) {
        *place = Some(laid);
    }
    Ok(Hinted {
        board,
        solution: solution.iter().map(|turned| turned.byte()).collect(),
    })
}

/// How the pieces of a filling lie.
pub(super) fn laid(rules: &Rules, filling: &[u8]) -> Vec<Laid> {
    let cells = rules.board.cells.iter().zip(filling);
    let laid = |byte, up| rules.pieces.laid(Turned::from_byte(byte), up);
    cells.map(|(cell, &byte)| laid(byte, cell.up)).collect()
}

/// The pieces on the board by their numbers.
pub(super) fn turned(rules: &Rules, board: &Laying) -> Given {
    let find = |laid: &Laid| rules.pieces.find(laid.shown());
    board
        .iter()
        .map(|laid| laid.as_ref().and_then(find))
        .collect()
}

/// A solution that has as much as possible of what lies on the board.
pub(super) fn agreeing(
    completer: &Completer,
    on_board: &Given,
    effort: &Effort<'_>,
) -> Result<Vec<Turned>> {
    let search = |laid: &Given, most| completer.complete(laid, effort, Some(most));
    if let Outcome::Found(solution) = search(on_board, MOST_TO_AGREE) {
        return Ok(solution);
    }
    let mut kept = vec![None; on_board.len()];
    let mut solution = match search(&kept, MOST_AT_ALL) {
        Outcome::Found(solution) => solution,
        Outcome::Impossible => {
            return unsolvable("the pieces cannot fill the board in any way");
        }
        Outcome::Spent if effort.is_spent() => {
            return Err(Error::Interrupted(
                "stopped before a solution was found".into(),
            ));
        }
        Outcome::Spent => {
            return Err(Error::Limit(
                "no solution was found quickly enough for a hint; the solver `search` can look for \
                 one as long as it takes, and a file with a #SOLUTION needs no search"
                    .into(),
            ));
        }
    };
    for (cell, &laid) in on_board.iter().enumerate() {
        if laid.is_none() {
            continue;
        }
        kept[cell] = laid;
        if solution.get(cell).copied() == laid {
            continue;
        }
        match search(&kept, MOST_TO_AGREE) {
            Outcome::Found(better) => solution = better,
            _ => kept[cell] = None,
        }
    }
    Ok(solution)
}

//! Hints: the board is brought nearer to a solution.
//!
//! A hint takes the wrong pieces off the board, turns right those that lie in the right cells, and
//! puts three pieces of the solution on empty cells, or only one if fewer than three are then left in the
//! pile. Hint after hint, a board gets complete. The cells are random, but the same for the same board, so
//! that a hint can be repeated.
//!
//! The solution is the one that the game's file gives. Without one, we look for a solution that
//! agrees with the board: with all of it if we can; otherwise the pieces on it are kept one by
//! one, in reading order, as long as a completion of those that are kept is found. The game that is
//! written has the solution in it, so that the next hint follows the same one.

use std::sync::atomic::AtomicBool;

use xxhash_rust::xxh3::xxh3_64;

use super::complete::{Completer, Completion, Given};
use super::game::BoardPieces;
use super::pieces::Turned;
use super::setting::Setting;
use crate::error::{Error, Result, usage};
use crate::random::Random;
use crate::solve::{Effort, unsolvable};

/// This many pieces are put on the board, if as many are left.
const PIECES: usize = 3;
/// Positions that may be visited to find any solution: some seconds.
const MOST_AT_ALL: u64 = 1 << 26;
/// Positions that may be visited to find one that agrees with certain pieces on the board.
const MOST_TO_AGREE: u64 = 1 << 17;

/// The file of a game after a hint.
pub(super) fn file(game: &Setting) -> Result<String> {
    let stop = AtomicBool::new(false);
    let (board, solution) = hinted(game, &Effort::unbounded(0, &stop))?;
    let mut game = game.clone();
    (game.board, game.solution) = (board, Some(solution));
    Ok(game.file())
}

/// The board of a game after a hint, and the solution that it follows, as a filling.
pub(super) fn hinted(game: &Setting, effort: &Effort<'_>) -> Result<(BoardPieces, Vec<u8>)> {
    let rules = &game.rules;
    let on_board = rules.turned(&game.board);
    let is_full = on_board.iter().all(Option::is_some);
    if is_full && rules.agree(&on_board) {
        return usage("the board is solved already, so there is nothing to give a hint about");
    }
    let solution = match &game.solution {
        Some(filling) => filling.clone(),
        None => bytes(&agreeing(game.completer(), &on_board, effort)?),
    };
    let wanted = rules.placed(&solution);
    let right = solution.iter().map(|&byte| Turned::from_byte(byte));
    let mut board = game.board.clone();
    for ((place, on_board), (right, &piece)) in board.iter_mut().zip(on_board).zip(right.zip(&wanted)) {
        *place = match on_board {
            // As it is spelled, so that nothing changes unless it has to be turned.
            Some(other) if other == right => *place,
            Some(other) if other.piece == right.piece => Some(piece),
            _ => None,
        };
    }
    let in_pile = board.iter().filter(|place| place.is_none()).count();
    let pieces = if in_pile < PIECES { 1 } else { PIECES };
    let mut empty: Vec<usize> = (0..board.len()).filter(|&cell| board[cell].is_none()).collect();
    Random::new(seed(&solution, &board)).shuffle(&mut empty);
    for cell in empty.into_iter().take(pieces) {
        board[cell] = Some(wanted[cell]);
    }
    Ok((board, solution))
}

/// What chooses the cells of a hint: the solution, and which cells are filled.
fn seed(solution: &[u8], board: &BoardPieces) -> u64 {
    let filled: Vec<u8> = board.iter().map(|place| u8::from(place.is_some())).collect();
    xxh3_64(&[solution, &filled].concat())
}

/// A full board as a filling.
pub(super) fn bytes(board: &[Turned]) -> Vec<u8> {
    board.iter().map(|turned| turned.byte()).collect()
}

/// A solution that has as much as possible of what lies on the board.
pub(super) fn agreeing(completer: &Completer, on_board: &Given, effort: &Effort<'_>) -> Result<Vec<Turned>> {
    let search = |placed: &Given, most| completer.complete(placed, effort, Some(most));
    if let Completion::Found(solution) = search(on_board, MOST_TO_AGREE) {
        return Ok(solution);
    }
    let mut kept = vec![None; on_board.len()];
    let mut solution = match search(&kept, MOST_AT_ALL) {
        Completion::Found(solution) => solution,
        Completion::Impossible => {
            return unsolvable("the pieces cannot fill the board in any way");
        }
        Completion::Spent if effort.is_spent() => {
            return Err(Error::interrupted("stopped before a solution was found"));
        }
        Completion::Spent => {
            return Err(Error::limit(
                "no solution was found quickly enough for a hint; the solver `search` can look for \
                 one as long as it takes, and a file with a #SOLUTION needs no search",
            ));
        }
    };
    for (cell, &placed) in on_board.iter().enumerate() {
        if placed.is_none() {
            continue;
        }
        kept[cell] = placed;
        if solution.get(cell).copied() == placed {
            continue;
        }
        match search(&kept, MOST_TO_AGREE) {
            Completion::Found(better) => solution = better,
            _ => kept[cell] = None,
        }
    }
    Ok(solution)
}

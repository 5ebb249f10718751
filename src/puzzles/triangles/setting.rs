//! A game on its board, or on a part of it: what a puzzle and a table have in common.

use super::board::{Board, Rows};
use super::game::{Game, Laying};
use super::pieces::{Laid, Pieces, Turned, least};
use super::rules::Rules;
use crate::error::{Result, usage};

/// The pieces of a game for certain cells.
pub(super) struct Setting {
    pub rules: Rules,
    /// All pieces as they were given.
    pub pile: Vec<Laid>,
    /// Which of them lie on the board.
    pub board: Laying,
    /// A solution that is known, as a filling.
    pub solution: Option<Vec<u8>>,
}

impl Setting {
    /// A game on the board it is for, or on a part of that: then with the pieces that lie there in
    /// the game's solution.
    pub fn new(rows: Rows, game: &Game) -> Result<Self> {
        let (whole, board) = (Board::new(game.rows), Board::new(rows));
        let cells = board.cells.iter();
        let places = cells.map(|cell| whole.at(cell.row, cell.column));
        let places: Vec<Option<usize>> = places.collect();
        let shown = |cell: &Option<usize>| game.solution.as_ref()?.get((*cell)?).copied();
        let solution: Option<Vec<_>> = places.iter().map(shown).collect();
        let lies_there = |laid: &&Laid| match &solution {
            Some(solution) => {
                let mut kinds = solution.iter().map(|&letters| least(letters));
                kinds.any(|kind| kind == least(laid.letters))
            }
            None => true,
        };
        let pile: Vec<Laid> = game.pile.iter().filter(lies_there).copied().collect();
        if pile.len() != board.cells.len() {
            // Only a part of a game without a solution, and there is none.
            return usage("the game has no solution to cut from");
        }
        let rules = Rules {
            board,
            pieces: Pieces::new(pile.iter().map(|laid| laid.letters)),
        };
        let filling = |solution: Vec<_>| {
            let turned = solution.iter().map(|&letters| rules.pieces.find(letters));
            turned.map(|turned| turned.map(Turned::byte)).collect()
        };
        let laid = |cell: &Option<usize>| *game.board.get((*cell)?)?;
        Ok(Setting {
            pile,
            board: places.iter().map(laid).collect(),
            solution: solution.and_then(filling),
            rules,
        })
    }
}

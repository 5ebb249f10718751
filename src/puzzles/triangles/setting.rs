//! A game on its board, or on a part of it: what a puzzle and a table have in common.

use std::sync::OnceLock;

use super::board::{BoardRows, TriangleBoard};
use super::complete::Completer;
use super::game::{self, BoardPieces, GameFile};
use super::pieces::{PieceSet, PlacedPiece, Turned, least};
use super::rules::TriangleRules;
use crate::error::{Result, usage};

/// The pieces of a game for certain cells.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub rows: BoardRows,
    pub rules: TriangleRules,
    /// All pieces as they were given.
    pub pile: Vec<PlacedPiece>,
    /// Which of them lie on the board.
    pub board: BoardPieces,
    /// A solution that is known, as a filling.
    pub solution: Option<Vec<u8>>,
    completer: OnceLock<Completer>,
}

impl Setting {
    /// A game on the board it is for, or on a part of that: then with the pieces that lie there in
    /// the game's solution.
    pub fn new(rows: BoardRows, game: &GameFile) -> Result<Self> {
        let (whole, board) = (TriangleBoard::new(game.rows), TriangleBoard::new(rows));
        let cells = board.cells.iter();
        let places = cells.map(|cell| whole.at(cell.row, cell.column));
        let places: Vec<Option<usize>> = places.collect();
        let shown = |cell: &Option<usize>| game.solution.as_ref()?.get((*cell)?).copied();
        let solution: Option<Vec<_>> = places.iter().map(shown).collect();
        let lies_there = |placed: &&PlacedPiece| match &solution {
            Some(solution) => {
                let mut kinds = solution.iter().map(|&letters| least(letters));
                kinds.any(|kind| kind == least(placed.letters))
            }
            None => true,
        };
        let pile: Vec<PlacedPiece> = game.pile.iter().filter(lies_there).copied().collect();
        if pile.len() != board.cells.len() {
            // Only a part of a game without a solution, and there is none.
            return usage("the game has no solution to cut from");
        }
        let rules = TriangleRules { board, pieces: PieceSet::new(pile.iter().map(|placed| placed.letters)) };
        let filling = |solution: Vec<_>| {
            let turned = solution.iter().map(|&letters| rules.pieces.find(letters));
            turned.map(|turned| turned.map(Turned::byte)).collect()
        };
        let placed = |cell: &Option<usize>| *game.board.get((*cell)?)?;
        Ok(Setting {
            rows,
            pile,
            board: places.iter().map(placed).collect(),
            solution: solution.and_then(filling),
            rules,
            completer: OnceLock::new(),
        })
    }

    /// What completes boards; made when it is needed.
    pub fn completer(&self) -> &Completer {
        self.completer.get_or_init(|| Completer::new(&self.rules))
    }

    /// The game as a file.
    pub fn file(&self) -> String {
        let solution = self.solution.as_ref().map(|filling| self.rules.placed(filling));
        game::write(self.rows, &self.pile, &self.board, solution.as_deref())
    }
}

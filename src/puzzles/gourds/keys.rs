//! What keys do in a game of Gourds: a marker goes round the free cell, and the marked cell is clicked.

use super::rules::{self, pairs_of};
use super::{Gourds, draw};
use crate::error::{Result, usage};
use crate::puzzle::{Arrow, BoardView, KeyControls, KeyEffect, Move, State};

/// Where a neighbour is, clockwise from the right.
const SIDES: [&str; 6] = ["right", "lower right", "lower left", "left", "upper left", "upper right"];

impl Gourds {
    /// The cells around the hole, clockwise, each with the number of its side.
    fn around(&self, state: &State) -> Vec<(usize, usize)> {
        let board = self.board();
        let pairs = pairs_of(state);
        let points = board.points();
        let hole = points[rules::hole(board, &pairs)];
        let sides = hole.neighbours();
        let side = |cell: usize| sides.iter().position(|point| *point == points[cell]);
        let clicks = rules::clicks(board, &pairs);
        let mut around: Vec<_> = clicks.filter_map(|cell| Some((side(cell)?, cell))).collect();
        around.sort_unstable();
        around
    }
}

impl KeyControls for Gourds {
    fn about(&self) -> &'static str {
        "arrows move a marker round the free cell, Enter moves the end that is marked; the number of a \
         cell does both"
    }

    fn choices(&self, view: BoardView<'_>) -> Vec<String> {
        let around = self.around(view.state);
        around.iter().map(|(_, cell)| cell.to_string()).collect()
    }

    fn arrow(&self, view: BoardView<'_>, arrow: Arrow) -> Result<KeyEffect> {
        let cells = self.choices(view);
        if cells.is_empty() {
            return usage("no cell lies beside the free one");
        }
        let at = cells.iter().position(|cell| view.is_chosen(cell));
        let next = match (at, arrow) {
            (None, _) => 0,
            (Some(at), Arrow::Right | Arrow::Down) => (at + 1) % cells.len(),
            (Some(at), Arrow::Left | Arrow::Up) => (at + cells.len() - 1) % cells.len(),
        };
        Ok(KeyEffect::Choose(cells[next].clone()))
    }

    fn enter(&self, view: BoardView<'_>) -> Option<Move> {
        let mut around = self.around(view.state).into_iter();
        around.find(|(_, cell)| view.is_chosen(cell)).map(|(_, cell)| Move(cell as u32))
    }

    fn offer(&self, state: &State, mv: Move, name: String) -> String {
        let mut around = self.around(state).into_iter();
        match around.find(|(_, cell)| *cell as u32 == mv.0) {
            Some((side, _)) => format!("{name} ({})", SIDES[side % 6]),
            None => name,
        }
    }

    fn draw(&self, view: BoardView<'_>, colour: bool) -> String {
        let marked = view.chosen.and_then(|cell| cell.parse().ok());
        let goal = self.goal.as_deref();
        draw::draw(&self.layout, &pairs_of(view.state), marked, goal, colour)
    }
}

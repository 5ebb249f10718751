//! What keys do in a game of Klotski: a block is chosen by its letter, arrows move it by one cell.
//!
//! In the `slide` and `move` metrics the cells that a block goes one after the other are one move, as
//! far as a single move could have gone them.

use super::rules::{BlockDirection, BlockMove, Metric};
use super::{Klotski, drawing, notation};
use crate::error::{Result, usage};
use crate::puzzle::{Arrow, BoardView, KeyControls, KeyEffect, Move};

impl KeyControls for Klotski {
    fn about(&self) -> &'static str {
        "a letter chooses a block, arrows move it by one cell"
    }

    fn choices(&self, view: BoardView<'_>) -> Vec<String> {
        let replay = self.lettered(view.state, view.given);
        let blocks = self.board.blocks(&view.state.0);
        let mut names: Vec<String> = blocks.map(|cell| replay.letter(cell).to_string()).collect();
        names.sort_unstable();
        names
    }

    fn arrow(&self, view: BoardView<'_>, arrow: Arrow) -> Result<KeyEffect> {
        let replay = self.lettered(view.state, view.given);
        let Some(from) = replay.find(|letter| view.is_chosen(letter)) else {
            return usage("choose a block first, by its letter");
        };
        let direction = match arrow {
            Arrow::Left => BlockDirection::Left,
            Arrow::Right => BlockDirection::Right,
            Arrow::Up => BlockDirection::Up,
            Arrow::Down => BlockDirection::Down,
        };
        match self.board.follow(&view.state.0, from, &vec![(direction, 1)]) {
            Some(to) => Ok(KeyEffect::Move(BlockMove { from, to }.into())),
            None => {
                usage(format!("{} cannot go {}: something is in its way", replay.letter(from), arrow.word()))
            }
        }
    }

    fn is_one(&self, first: Move, second: Move) -> bool {
        self.variant.metric != Metric::Step && BlockMove::from(first).to == BlockMove::from(second).from
    }

    fn split(&self, view: BoardView<'_>, name: &str) -> Option<Vec<Move>> {
        let mut replay = self.lettered(view.state, view.given);
        replay.metric = Metric::Move;
        let whole = notation::parse_move(&replay, name).ok()?;
        let path = self.board.path(&view.state.0, whole)?;
        let legs = path.into_iter().flat_map(|(direction, cells)| match self.variant.metric {
            Metric::Step => vec![(direction, 1); cells],
            Metric::Slide | Metric::Move => vec![(direction, cells)],
        });
        let (mut moves, mut way, mut from) = (Vec::new(), Vec::new(), whole.from);
        for leg in legs {
            way.push(leg);
            let to = self.board.follow(&view.state.0, whole.from, &way)?;
            moves.push(BlockMove { from, to }.into());
            from = to;
        }
        Some(moves)
    }

    fn draw(&self, view: BoardView<'_>, colour: bool) -> String {
        let chosen = view.chosen.and_then(|name| name.chars().next());
        drawing::draw(&self.lettered(view.state, view.given), chosen, colour)
    }
}

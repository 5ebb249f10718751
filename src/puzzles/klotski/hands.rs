//! Klotski in a player's hands: a block is chosen by its letter, arrows move it by one cell.
//!
//! In the `slide` and `move` metrics the cells that a block goes one after the other are one move, as
//! far as a single move could have gone them.

use super::rules::{Direction, Metric, Shift};
use super::{Klotski, drawing, notation};
use crate::error::{Result, usage};
use crate::puzzle::{Arrow, Hands, Move, Reach, Sight};

impl Hands for Klotski {
    fn about(&self) -> &'static str {
        "a letter chooses a block, arrows move it by one cell"
    }

    fn choices(&self, sight: Sight<'_>) -> Vec<String> {
        let Sight { state, given, .. } = sight;
        let letters = self.letters(state, given);
        let blocks = (0..state.0.len()).filter(|&cell| self.board.has_block(&state.0, cell));
        let mut names: Vec<String> = blocks
            .map(|cell| letters.letter(cell).to_string())
            .collect();
        names.sort_unstable();
        names
    }

    fn arrow(&self, sight: Sight<'_>, arrow: Arrow) -> Result<Reach> {
        let Sight { state, given, .. } = sight;
        let letters = self.letters(state, given);
        let mut blocks = (0..state.0.len()).filter(|&cell| self.board.has_block(&state.0, cell));
        let Some(from) = blocks.find(|&cell| sight.is_chosen(letters.letter(cell))) else {
            return usage("choose a block first, by its letter");
        };
        let direction = match arrow {
            Arrow::Left => Direction::Left,
            Arrow::Right => Direction::Right,
            Arrow::Up => Direction::Up,
            Arrow::Down => Direction::Down,
        };
        match self.board.follow(&state.0, from, &vec![(direction, 1)]) {
            Some(to) => Ok(Reach::Move(Shift { from, to }.into())),
            None => usage(format!(
                "{} cannot go {}: something is in its way",
                letters.letter(from),
                arrow.word()
            )),
        }
    }

    fn is_one(&self, first: Move, second: Move) -> bool {
        let (first, second) = (Shift::from(first), Shift::from(second));
        self.variant.metric != Metric::Step && first.to == second.from
    }

    fn split(&self, sight: Sight<'_>, name: &str) -> Option<Vec<Move>> {
        let Sight { state, given, .. } = sight;
        let letters = self.letters(state, given);
        let read = notation::parse_move(&self.board, &state.0, &letters, Metric::Move, name);
        let whole = read.ok()?;
        let path = self.board.path(&state.0, whole)?;
        let legs = path
            .into_iter()
            .flat_map(|(direction, cells)| match self.variant.metric {
                Metric::Step => vec![(direction, 1); cells],
                Metric::Slide | Metric::Move => vec![(direction, cells)],
            });
        let (mut moves, mut way, mut from) = (Vec::new(), Vec::new(), whole.from);
        for leg in legs {
            way.push(leg);
            let to = self.board.follow(&state.0, whole.from, &way)?;
            moves.push(Shift { from, to }.into());
            from = to;
        }
        Some(moves)
    }

    fn draw(&self, sight: Sight<'_>, colour: bool) -> String {
        let letters = self.letters(sight.state, sight.given);
        let chosen = sight.chosen.and_then(|name| name.chars().next());
        drawing::draw_chosen(&self.board, &sight.state.0, &letters, chosen, colour)
    }
}

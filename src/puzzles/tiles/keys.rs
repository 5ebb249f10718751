//! Tiles in a player's hands: an arrow moves the tile that can travel in its direction.

use super::rules::TileSlide;
use super::{Tiles, notation};
use crate::error::{Result, usage};
use crate::puzzle::{Arrow, BoardView, KeyControls, KeyEffect, Move};

impl KeyControls for Tiles {
    fn about(&self) -> &'static str {
        "an arrow moves a tile in its direction, into the blank"
    }

    fn arrow(&self, sight: BoardView<'_>, arrow: Arrow) -> Result<KeyEffect> {
        let slide = TileSlide { direction: arrow, tiles: 1 };
        match self.variant.slides(&sight.state.0).any(|legal| legal == slide) {
            true => Ok(KeyEffect::Move(slide.into())),
            false => {
                usage(format!("no tile can move {}: the blank is at that edge of the board", arrow.word()))
            }
        }
    }

    fn is_one(&self, first: Move, second: Move) -> bool {
        let axis = |mv| {
            let slide = TileSlide::from_move(mv)?;
            Some(matches!(slide.direction, Arrow::Left | Arrow::Right))
        };
        self.variant.push && axis(first) == axis(second)
    }

    fn draw(&self, sight: BoardView<'_>, colour: bool) -> String {
        notation::draw(&self.variant, &sight.state.0, colour)
    }
}

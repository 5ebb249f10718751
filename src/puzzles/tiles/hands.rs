//! Tiles in a player's hands: an arrow moves the tile that can travel in its direction.

use super::rules::{Direction, Slide};
use super::{Tiles, notation};
use crate::error::{Result, usage};
use crate::puzzle::{Arrow, Hands, Move, Reach, Sight};

impl Hands for Tiles {
    fn about(&self) -> &'static str {
        "an arrow moves a tile in its direction, into the blank"
    }

    fn arrow(&self, sight: Sight<'_>, arrow: Arrow) -> Result<Reach> {
        let direction = match arrow {
            Arrow::Left => Direction::Left,
            Arrow::Right => Direction::Right,
            Arrow::Up => Direction::Up,
            Arrow::Down => Direction::Down,
        };
        let slide = Slide {
            direction,
            tiles: 1,
        };
        match self
            .variant
            .slides(&sight.state.0)
            .any(|legal| legal == slide)
        {
            true => Ok(Reach::Move(slide.into())),
            false => usage(format!(
                "no tile can move {}: the blank is at that edge of the board",
                match arrow {
                    Arrow::Left => "to the left",
                    Arrow::Right => "to the right",
                    Arrow::Up => "up",
                    Arrow::Down => "down",
                }
            )),
        }
    }

    fn is_one(&self, first: Move, second: Move) -> bool {
        let axis = |mv| {
            let slide = Slide::from_move(mv)?;
            Some(matches!(
                slide.direction,
                Direction::Left | Direction::Right
            ))
        };
        self.variant.push && axis(first) == axis(second)
    }

    fn draw(&self, sight: Sight<'_>, colour: bool) -> String {
        notation::draw(&self.variant, &sight.state.0, colour)
    }
}

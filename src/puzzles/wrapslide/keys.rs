//! Wrapslide in a player's hands: a half is chosen, arrows slide it by one cell.
//!
//! Slides of one half, one after the other, are one move, as any distance is; under `:unit` each counts.

use super::rules::{Half, HalfSlide};
use super::{Wrapslide, notation};
use crate::error::{Result, usage};
use crate::puzzle::{Arrow, BoardView, KeyControls, KeyEffect, Move};

impl Wrapslide {
    /// The halves that may slide.
    fn halves(&self) -> impl Iterator<Item = Half> + use<> {
        let variant = self.variant;
        let slides = move |half: &Half| variant.slides().any(|slide| slide.half == *half);
        Half::ALL.into_iter().filter(slides)
    }

    fn chosen(&self, sight: BoardView<'_>) -> Option<Half> {
        self.halves().find(|&half| sight.is_chosen(notation::letter(half)))
    }
}

impl KeyControls for Wrapslide {
    fn about(&self) -> &'static str {
        match self.variant.fixed {
            true => "B and R choose the bottom or right half, arrows slide it by one cell",
            false => "T, B, L, R choose a half, arrows slide it by one cell",
        }
    }

    fn choices(&self, _: BoardView<'_>) -> Vec<String> {
        let letters = self.halves().map(|half| notation::letter(half).to_string());
        letters.collect()
    }

    fn arrow(&self, sight: BoardView<'_>, arrow: Arrow) -> Result<KeyEffect> {
        let Some(half) = self.chosen(sight) else {
            return usage("choose a half first");
        };
        let back = self.variant.size - 1;
        let cells = match (half, arrow) {
            (Half::Top | Half::Bottom, Arrow::Left) | (Half::Left | Half::Right, Arrow::Up) => 1,
            (Half::Top | Half::Bottom, Arrow::Right) | (Half::Left | Half::Right, Arrow::Down) => back,
            (Half::Top | Half::Bottom, _) => {
                return usage("this half slides to the left and to the right only");
            }
            _ => return usage("this half slides up and down only"),
        };
        Ok(KeyEffect::Move(HalfSlide { half, cells }.into()))
    }

    fn is_one(&self, first: Move, second: Move) -> bool {
        let half = |mv| HalfSlide::from_move(mv).map(|slide| slide.half);
        !self.variant.unit && half(first) == half(second)
    }

    fn draw(&self, sight: BoardView<'_>, colour: bool) -> String {
        let (n, half) = (self.variant.size, self.variant.half());
        let chosen = self.chosen(sight);
        // Where each column's digit is: coloured cells are three wide, digits alone two apart.
        let place = |column: usize| match colour {
            true => 3 * column + 1 + usize::from(column >= half),
            false => 2 * column + usize::from(column >= half),
        };
        let pointers = |arrow: char| {
            let columns = match chosen {
                Some(Half::Left) => 0..half,
                Some(Half::Right) => half..n,
                _ => 0..0,
            };
            let mut line = vec![' '; place(n - 1) + 3];
            columns.for_each(|column| line[place(column) + 2] = arrow);
            line.into_iter().collect::<String>().trim_end().to_owned()
        };
        let board = notation::draw(&self.variant, &sight.state.0, colour);
        let mut lines = vec![pointers('v')];
        for (number, line) in board.lines().enumerate() {
            // The gap between the halves is a line, too.
            let is_chosen = match chosen {
                Some(Half::Top) => number < half,
                Some(Half::Bottom) => number > half,
                _ => false,
            };
            lines.push(match is_chosen {
                true => format!("> {line} <"),
                false => format!("  {line}").trim_end().to_owned(),
            });
        }
        lines.push(pointers('^'));
        lines.join("\n")
    }
}

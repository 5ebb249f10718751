//! Moves as they are written: offered, typed, and in saved games.

use super::{GamePosition, MoveGame};
use crate::error::Result;
use crate::puzzle::Move;

impl MoveGame {
    /// The legal moves, as they are offered.
    pub(super) fn offers(&self) -> Vec<String> {
        let GamePosition { state, line } = self.here();
        let moves = self.puzzle.moves(state).into_iter();
        let offer = |mv| {
            let name = self.puzzle.name_moves(line, state, &[mv]).concat();
            match self.controls() {
                Some(controls) => controls.offer(state, mv, name),
                None => name,
            }
        };
        moves.map(offer).collect()
    }

    /// Reads one move or several; all of them, or none is made.
    pub(super) fn read(&self, line: &str) -> Result<Vec<Move>> {
        let GamePosition { state, line: given } = self.here();
        let read = |names: &[&str]| self.puzzle.read_moves(given, state, names);
        let whole = match line.contains(',') {
            true => read(&line.split(',').map(str::trim).collect::<Vec<_>>()),
            false => read(&[line]),
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        match (whole, words.len()) {
            (Err(why), 2..) => read(&words).map_err(|_| why),
            (moves, _) => moves,
        }
    }

    /// Makes a move as it was written, perhaps in another metric of the puzzle.
    pub(in crate::play) fn replay(&mut self, name: &str) -> Result<()> {
        let GamePosition { state, line } = self.here();
        let moves = match self.puzzle.read_moves(line, state, &[name]) {
            Ok(moves) => moves,
            Err(why) => {
                let split = self.controls().and_then(|controls| controls.split(self.sight(), name));
                split.ok_or(why)?
            }
        };
        moves.into_iter().for_each(|mv| self.push(mv));
        Ok(())
    }

    /// The line that is typed from a key on: a number, or the rest of a move as it is shown, after the
    /// letter of what is chosen.
    pub(super) fn line_from(&self, character: char) -> Option<String> {
        let letter = self.letter();
        match character {
            ' ' if self.has_spaces() => letter.map(|letter| format!("{letter} ")),
            '0'..='9' => Some(match letter.filter(|_| !self.has_spaces()) {
                Some(letter) => format!("{letter}{character}"),
                None => character.to_string(),
            }),
            _ => None,
        }
    }

    /// How one types a move after a letter, for those who do not use arrows.
    pub(super) fn typing(&self) -> &'static str {
        match (self.letter(), self.has_spaces()) {
            (Some(_), true) => "; a space after the letter begins a move as it is shown",
            (Some(_), false) => "; a number after the letter slides it that far",
            _ => "",
        }
    }

    /// What is chosen, if that is a letter: then moves begin with it.
    fn letter(&self) -> Option<&str> {
        let chosen = self.chosen.as_deref()?;
        chosen.chars().all(char::is_alphabetic).then_some(chosen)
    }

    /// Whether there is a space in moves, after what is moved.
    fn has_spaces(&self) -> bool {
        let GamePosition { state, line } = self.here();
        let first = self.puzzle.moves(state).into_iter().next();
        first.is_some_and(|mv| {
            let names = self.puzzle.name_moves(line, state, &[mv]);
            names.iter().any(|name| name.contains(' '))
        })
    }
}

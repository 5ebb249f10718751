//! A permutation puzzle with a picture and a metric of its family.

use crate::error::Result;
use crate::puzzle::{Capabilities, Move, Rules, State};
use crate::puzzles::perm::PermutationPuzzle;

/// A permutation puzzle of a family: its rules, drawn as the family draws them.
pub(super) struct DrawnPermutation {
    pub puzzle: PermutationPuzzle,
    /// What counts as one move.
    pub metric: &'static str,
    pub draw: Drawing,
}

/// Draws a state, given what lies in its slots: numbers from 1, with `+1` if turned.
pub(super) type Drawing = Box<dyn Fn(&[&str]) -> String + Send + Sync>;

impl Rules for DrawnPermutation {
    fn text(&self) -> String {
        self.puzzle.text()
    }

    fn title(&self) -> String {
        self.puzzle.title()
    }

    fn metric(&self) -> &'static str {
        self.metric
    }

    fn parse_state(&self, text: &str) -> Result<State> {
        self.puzzle.parse_state(text)
    }

    fn print_state(&self, state: &State) -> String {
        self.puzzle.print_state(state)
    }

    fn draw(&self, state: &State, _colour: bool) -> String {
        let line = self.puzzle.print_state(state);
        (self.draw)(&line.split_whitespace().collect::<Vec<_>>())
    }

    fn moves(&self, state: &State) -> Vec<Move> {
        self.puzzle.moves(state)
    }

    fn move_name(&self, state: &State, mv: Move) -> String {
        self.puzzle.move_name(state, mv)
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<Move> {
        self.puzzle.parse_move(state, text)
    }

    fn apply(&self, state: &State, mv: Move) -> State {
        self.puzzle.apply(state, mv)
    }

    fn is_solved(&self, state: &State) -> bool {
        self.puzzle.is_solved(state)
    }

    fn capabilities(&self) -> Capabilities<'_> {
        self.puzzle.capabilities()
    }
}

/// Pieces in rows of so many, with spaces between them.
pub(super) fn grid(words: &[&str], columns: usize) -> String {
    let width = words.iter().map(|word| word.len()).max().unwrap_or(0);
    let row = |row: &[&str]| row.iter().map(|word| format!("{word:>width$}")).collect::<Vec<_>>().join(" ");
    words.chunks(columns).map(row).collect::<Vec<_>>().join("\n")
}

//! What a hand does on a board that a person plays on: what can be chosen, what arrow keys mean.
//!
//! Games know no puzzle by name; what differs from one to the other is here.

use super::{Move, State};
use crate::error::Result;

/// A direction on a board, and the key for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arrow {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Up.
    Up,
    /// Down.
    Down,
}

impl Arrow {
    /// All of them.
    pub const ALL: [Arrow; 4] = [Arrow::Left, Arrow::Right, Arrow::Up, Arrow::Down];

    /// As a word.
    pub fn word(self) -> &'static str {
        match self {
            Arrow::Left => "left",
            Arrow::Right => "right",
            Arrow::Up => "up",
            Arrow::Down => "down",
        }
    }

    /// The way back.
    pub fn opposite(self) -> Arrow {
        match self {
            Arrow::Left => Arrow::Right,
            Arrow::Right => Arrow::Left,
            Arrow::Up => Arrow::Down,
            Arrow::Down => Arrow::Up,
        }
    }

    /// The direction on a board whose rows and columns are exchanged.
    pub fn transposed(self) -> Arrow {
        match self {
            Arrow::Left => Arrow::Up,
            Arrow::Right => Arrow::Down,
            Arrow::Up => Arrow::Left,
            Arrow::Down => Arrow::Right,
        }
    }
}

/// What an arrow comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyEffect {
    /// A legal move.
    Move(Move),
    /// Something else is chosen.
    Choose(String),
}

/// What a player has before the eyes.
#[derive(Clone, Copy, Debug)]
pub struct BoardView<'a> {
    /// The state.
    pub state: &'a State,
    /// The state on one line as the player sees it: pieces with letters have those that they have had
    /// since the game began.
    pub given: &'a str,
    /// What is chosen.
    pub chosen: Option<&'a str>,
}

impl BoardView<'_> {
    /// Whether something is chosen, by its name.
    pub fn is_chosen(&self, name: impl ToString) -> bool {
        self.chosen.is_some_and(|chosen| chosen == name.to_string())
    }
}

/// A puzzle in a player's hands.
pub trait KeyControls {
    /// What arrows and choices do, in one sentence without a full stop.
    fn about(&self) -> &'static str;

    /// What can be chosen in a state, each by its name; the first is chosen when a game begins.
    fn choices(&self, _sight: BoardView<'_>) -> Vec<String> {
        Vec::new()
    }

    /// What an arrow does. A failure says why it does nothing.
    fn arrow(&self, sight: BoardView<'_>, arrow: Arrow) -> Result<KeyEffect>;

    /// The legal move that is made with what is chosen, if that alone is one.
    fn enter(&self, _sight: BoardView<'_>) -> Option<Move> {
        None
    }

    /// How a legal move is offered: its name, and what makes it easier to find on the board.
    fn offer(&self, _state: &State, _mv: Move, name: String) -> String {
        name
    }

    /// Whether two moves, one after the other, move the same thing and count as one move wherever a
    /// single move does the same; if they cancel out, they count as none.
    fn is_one(&self, _first: Move, _second: Move) -> bool {
        false
    }

    /// The legal moves that a move of another metric of the puzzle is made of, in that metric's notation.
    fn split(&self, _sight: BoardView<'_>, _name: &str) -> Option<Vec<Move>> {
        None
    }

    /// Draws the board with what is chosen marked.
    fn draw(&self, sight: BoardView<'_>, colour: bool) -> String;
}

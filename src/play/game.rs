//! What a session asks of a game.

use std::sync::Arc;

use super::{Keys, MoveGame, PlacementGame};
use crate::engine::Control;
use crate::error::{Error, Result};
use crate::puzzle::{Arrow, Frame, Instance, Move, Rules};
use crate::puzzles::triangles::{Tabletop, Triangles};
use crate::random::Random;
use crate::solve::SolvedPhases;

/// What a player can have looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchRequest {
    /// A good next move.
    Hint,
    /// All the way to the end.
    Solution,
    /// The same in phases, by the puzzle's sort of this number.
    Phases(usize),
}

/// A way to a solved state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundPath {
    /// The moves, replayed by the rules.
    pub moves: Vec<Move>,
    /// Whether it is proven to be a shortest one.
    pub optimal: bool,
}

/// What was found.
#[derive(Clone, Debug)]
pub enum GameReply {
    /// For a game of moves.
    Path(FoundPath),
    /// The same in phases.
    Phases(Box<SolvedPhases>),
    /// For a game on a table: as it lies afterwards.
    Tabletop(Box<Tabletop>),
}

/// A search that can be run elsewhere.
pub type SearchTask = Box<dyn FnOnce(Control<'_>) -> Result<GameReply> + Send>;

/// One picture of a film.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilmFrame {
    /// The move that led here; nothing for the first.
    pub name: String,
    /// The board.
    pub picture: String,
}

impl FilmFrame {
    /// The frames of a film with the names of its moves: one frame more than moves.
    pub fn list(names: Vec<String>, frames: Vec<Frame>) -> Vec<FilmFrame> {
        let names = [String::new()].into_iter().chain(names);
        let frame = |(name, frame): (String, Frame)| FilmFrame { name, picture: frame.picture };
        names.zip(frames).map(frame).collect()
    }
}

/// A puzzle under way.
///
/// What cannot be done is an error that says why, and changes nothing. A sentence that comes back is
/// something to tell the player.
pub trait ActiveGame {
    /// The puzzle, on one line.
    fn title(&self) -> String;
    /// The board, with what is chosen marked.
    fn board(&self, colour: bool) -> String;
    /// What is to be said below the board: the counter, what can be done now.
    fn status(&self, keys: Option<&Keys>) -> Vec<String>;
    /// The keys of this game, on one line.
    fn keys(&self) -> String;
    /// What can be typed in this game, besides what every game knows: words and what they do.
    fn words(&self) -> Vec<[String; 2]>;
    fn is_solved(&self) -> bool;
    /// Whether anything was done that would be lost.
    fn is_begun(&self) -> bool;
    /// What was done so far: "12 moves".
    fn count(&self) -> String;

    /// An arrow key.
    fn arrow(&mut self, arrow: Arrow) -> Result<Option<String>>;
    /// The Enter key.
    fn enter(&mut self) -> Result<Option<String>>;
    /// A key with a character; `None` if it means nothing here.
    fn character(&mut self, character: char) -> Option<Result<Option<String>>>;
    /// The line that is typed from a key on that means nothing by itself.
    fn begins(&self, _character: char) -> Option<String> {
        None
    }
    fn say(&mut self, line: &str) -> Result<Option<String>>;

    /// Takes the last thing back.
    fn undo(&mut self) -> Result<()>;
    /// Does again what was taken back last.
    fn redo(&mut self) -> Result<()>;
    /// Goes back to the beginning.
    fn restart(&mut self);
    /// Another game of the puzzle, which the seed chooses.
    fn another(&self, seed: u64) -> Result<Box<dyn ActiveGame>>;
    /// The game as a file.
    fn save(&self) -> String;

    /// What a line asks to be looked for, in words that only this game knows.
    fn request(&self, _line: &str) -> Result<Option<SearchRequest>> {
        Ok(None)
    }
    /// What is known without a search.
    fn known(&self, request: SearchRequest) -> Option<GameReply>;
    /// The search for what is wished.
    fn search_task(&self, request: SearchRequest) -> SearchTask;
    /// Takes a hint; the sentence tells it.
    fn hint(&mut self, answer: GameReply) -> Result<String>;
    /// Every board on the way of a solution, the present one first, and a sentence about it.
    fn film(&mut self, answer: GameReply, colour: bool) -> Result<(Vec<FilmFrame>, String)>;
}

/// What Ctrl-C ends a game with: as the signal does that it stands for elsewhere.
pub(super) fn broken() -> Error {
    Error::interrupted("the game was stopped by Ctrl-C")
}

/// The table to place pieces on, where that is how the puzzle is played.
pub(super) fn table(puzzle: &dyn Rules) -> Option<Tabletop> {
    let triangles = (puzzle as &dyn std::any::Any).downcast_ref::<Triangles>()?;
    Some(triangles.table())
}

/// A game of a puzzle: from the position that the puzzle is given in, or from one that a seed chooses.
pub fn begin(puzzle: Arc<dyn Rules>, seed: Option<u64>) -> Result<Box<dyn ActiveGame>> {
    let Some(seed) = seed else {
        return match table(&*puzzle) {
            Some(table) => Ok(Box::new(PlacementGame::new(table))),
            None => Ok(Box::new(MoveGame::new(puzzle, None)?)),
        };
    };
    match puzzle.scramble(&mut Random::instance(seed, 1))? {
        Instance::State(state) => Ok(Box::new(MoveGame::new(puzzle, Some(state))?)),
        Instance::Puzzle(other) => begin(other.into(), None),
    }
}

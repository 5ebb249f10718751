//! Games: puzzles that a person plays, in a terminal or line by line through a pipe.
//!
//! # The pieces
//! An [`ActiveGame`] is a puzzle under way: its board, what the player may do, undo and redo, how it is saved.
//! There are two sorts: a [`MoveGame`] goes from state to state by legal moves of any puzzle, with its
//! [`KeyControls`](crate::puzzle::KeyControls) for arrow keys; a [`PlacementGame`] is a
//! [`Tabletop`](crate::puzzles::triangles::Tabletop) of the triangle puzzle on which pieces are placed freely. A [`Session`] brings a game
//! and a [`Screen`] together: it turns lines and keys into [`PlayCommand`]s, lets searches run in the background,
//! and shows what there is to see as a [`Scene`]. A screen is either a terminal, where the board is drawn in
//! place and keys are read one by one ([`Terminal`]), or lines in and lines out, where every line is answered
//! by the whole scene.
//!
//! # What is promised
//! - Wrong input is explained, in a sentence, and changes nothing.
//! - Whatever is searched for can be stopped; the screen never waits for a search.
//! - A saved game is replayed by the rules when it is loaded; nothing in it is believed.
//! - The end of the input, signals and a panic leave the terminal as it was, and a terminal that goes away ends
//!   the game.
//!
//! # How moves are counted
//! Every legal move counts, in the puzzle's own metric. Where a metric lets a piece go any distance in one
//! move, moves of the same piece one after the other are one, as far as a single move does the same: three
//! times the left arrow on a half of Wrapslide is `T3`, one move, and is undone as one.
//!
//! | module | idea |
//! |---|---|
//! | `game` | what a session asks of a game |
//! | `move_game` | a game of moves |
//! | `placement_game` | a game on a table |
//! | `saved` | games in files |
//! | `command` | what players say, in lines and keys |
//! | `help` | what is shown about words and keys |
//! | `session` | the loop |
//! | `new_game_prompt` | what is asked before a game begins |
//! | `film` | stepping through a solution |
//! | `advice` | solvers, asked one after the other |
//! | `background` | searches in the background |
//! | `screen` | scenes, and how they are placed out in a window |
//! | `terminal` | a terminal, taken and given back |
//! | `keyboard` | keys, out of the bytes of a terminal |
//! | `tty` | what the system knows about the terminal |

mod advice;
mod background;
mod command;
mod film;
mod game;
mod help;
mod keyboard;
mod move_game;
mod new_game_prompt;
mod placement_game;
mod saved;
mod screen;
mod session;
mod terminal;
#[cfg(test)]
mod tests;
mod tty;

pub use command::Keys;
pub use film::{Film, FilmExit, show_film};
pub use game::{ActiveGame, FilmFrame};
pub use move_game::MoveGame;
pub use new_game_prompt::{NewGame, choose};
pub use placement_game::PlacementGame;
pub use saved::load;
pub use screen::{Event, Scene, Screen};
pub use session::{Session, SessionEnd};
pub use terminal::Terminal;
pub use tty::give_back_at_once;

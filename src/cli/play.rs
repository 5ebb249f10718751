//! `godnum play`: a game in the terminal, or line by line.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::input::TypedLines;
use super::puzzle_text::PuzzleText;
use super::{listen_for_signals, output};
use crate::engine::{Control, Silent};
use crate::error::Result;
use crate::play::{self, ActiveGame, Event, NewGame, Scene, Screen, Session, SessionEnd, Terminal};

/// Play a puzzle: moves, undo, hints, solutions, saved games.
///
/// On a terminal the board is drawn in place and keys are read one by one; `?` shows them. Without one,
/// every line of standard input is a command that is answered with the board: `help` lists them.
#[derive(clap::Args)]
pub struct PlayArgs {
    /// The puzzle, for example klotski:classic, or a kind alone, such as tiles [default: asked for]
    #[arg(value_parser = PuzzleText, hide_possible_values = true)]
    puzzle: Option<String>,
    /// Start from the random position of this seed [default: the given position, or a random seed]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Continue a saved game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "puzzle"])]
    load: Option<PathBuf>,
}

pub fn main(arguments: PlayArgs) -> Result<()> {
    let stop = listen_for_signals();
    let load = |path| play::load(path, &stop);
    let loaded = arguments.load.as_deref().map(load).transpose()?;
    // The terminal is given back before anything more is printed.
    let closing = if Terminal::is_there() {
        let mut terminal = Terminal::take(output::colour(), &stop)?;
        play_on(&mut terminal, &arguments, loaded, &stop)?
    } else {
        play_on(&mut LineScreen { input: TypedLines::default(), stop: &stop }, &arguments, loaded, &stop)?
    };
    output::print(&closing)
}

/// Plays; returns the closing line.
fn play_on(
    screen: &mut dyn Screen,
    arguments: &PlayArgs,
    loaded: Option<Box<dyn ActiveGame>>,
    stop: &AtomicBool,
) -> Result<String> {
    let chosen = match loaded {
        Some(game) => Some(NewGame::of(game)),
        None => play::choose(screen, arguments.puzzle.as_deref(), arguments.seed)?,
    };
    let Some(new) = chosen else {
        return Ok("No game was chosen.\n".into());
    };
    let mut session = Session::new(screen, new, stop);
    let ending = session.play()?;
    let game = session.game();
    Ok(format!(
        "{}{}, {}{}.\n",
        match ending {
            SessionEnd::Left => "",
            SessionEnd::InputEnded => "The input has ended: ",
        },
        game.title(),
        game.count(),
        if game.is_solved() { ", solved" } else { ", not solved" }
    ))
}

/// Lines in, lines out.
struct LineScreen<'a> {
    input: TypedLines,
    stop: &'a AtomicBool,
}

impl Screen for LineScreen<'_> {
    fn show(&mut self, scene: &Scene) -> Result<()> {
        output::print(&format!("{}\n", scene.text()))
    }

    /// Waits for a line, however long that takes.
    fn event(&mut self, _: Duration) -> Result<Event> {
        let control = Control { stop: self.stop, observer: &Silent };
        let Some(line) = self.input.next(control)? else {
            return Ok(Event::End);
        };
        Ok(Event::Line(String::from_utf8_lossy(&line).into_owned()))
    }

    fn is_live(&self) -> bool {
        false
    }

    fn colour(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests;

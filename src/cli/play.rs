//! `godnum play`: a game in the terminal, or line by line.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::input::Input;
use super::{listen_for_signals, output};
use crate::engine::{Control, Silent};
use crate::error::Result;
use crate::play::{self, Ending, Event, Game, Scene, Screen, Session, Terminal};

/// Play a puzzle: moves, undo, hints, solutions, saved games.
///
/// On a terminal the board is drawn in place and keys are read one by one; `?` shows them. Without one,
/// every line of standard input is a command that is answered with the board: `help` lists them.
#[derive(clap::Args)]
pub struct Arguments {
    /// The puzzle, for example klotski:classic, or a kind alone, such as tiles [default: it is asked]
    puzzle: Option<String>,
    /// Begin from the random position of this seed [default: the given position, or a random seed]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Go on with a saved game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "puzzle"])]
    load: Option<PathBuf>,
}

pub fn main(arguments: Arguments) -> Result<()> {
    let stop = listen_for_signals();
    let load = |path| play::load(path, &stop);
    let loaded = arguments.load.as_deref().map(load).transpose()?;
    // The terminal is given back before anything more is printed.
    let told = if Terminal::is_there() {
        let mut terminal = Terminal::take(output::colour(), &stop)?;
        play_on(&mut terminal, &arguments, loaded, &stop)?
    } else {
        play_on(&mut Lines::new(&stop), &arguments, loaded, &stop)?
    };
    output::print(&told)
}

/// Plays; returns what is to be said at the end.
fn play_on(
    screen: &mut dyn Screen,
    arguments: &Arguments,
    loaded: Option<Box<dyn Game>>,
    stop: &AtomicBool,
) -> Result<String> {
    let chosen = match loaded {
        Some(game) => Some((game, None, None)),
        None => play::choose(screen, arguments.puzzle.as_deref(), arguments.seed)?,
    };
    let Some((game, keys, said)) = chosen else {
        return Ok("No game was chosen.\n".into());
    };
    let mut session = Session::new(screen, game, keys, said, stop);
    let ending = session.play()?;
    let game = session.game();
    Ok(format!(
        "{}{}, {}{}.\n",
        match ending {
            Ending::Left => "",
            Ending::InputEnded => "The input has ended: ",
        },
        game.title(),
        game.count(),
        match game.is_solved() {
            true => ", solved",
            false => ", not solved",
        }
    ))
}

/// Lines in, lines out.
struct Lines<'a> {
    input: Input,
    stop: &'a AtomicBool,
}

impl<'a> Lines<'a> {
    fn new(stop: &'a AtomicBool) -> Self {
        Lines {
            input: Input::default(),
            stop,
        }
    }
}

impl Screen for Lines<'_> {
    fn show(&mut self, scene: &Scene) -> Result<()> {
        output::print(&format!("{}\n", scene.text()))
    }

    /// Waits for a line, however long that takes.
    fn event(&mut self, _: Duration) -> Result<Event> {
        let control = Control {
            stop: self.stop,
            observer: &Silent,
        };
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
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[derive(clap::Parser)]
    struct Alone {
        #[command(flatten)]
        _arguments: Arguments,
    }

    #[test]
    fn the_arguments_make_sense() {
        Alone::command().debug_assert();
    }
}

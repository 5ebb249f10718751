//! Stepping through a solution: forwards and back, by hand or by itself.

use std::time::{Duration, Instant};

use super::game::FilmFrame;
use super::screen::{Event, GameKey, Scene, Screen};
use crate::error::Result;
use crate::puzzle::Arrow;

/// Time for one picture of a film that runs by itself.
const PICTURE: Duration = Duration::from_millis(400);

/// This many moves are named in advance.
const NEXT: usize = 5;

/// How a film was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilmExit {
    /// By the player.
    Closed,
    /// By Ctrl-C.
    Interrupted,
    /// Nothing will come any more.
    InputEnded,
}

/// A film and where it stands.
pub struct Film {
    /// Which puzzle.
    pub title: String,
    /// The pictures; there is always one.
    frames: Vec<FilmFrame>,
    /// What the film shows, in a sentence, and on further lines what does not fit on every screen.
    pub about: String,
    at: usize,
    playing: bool,
}

impl Film {
    /// A film at its beginning; `None` without a picture.
    pub fn new(title: String, frames: Vec<FilmFrame>, about: String) -> Option<Self> {
        (!frames.is_empty()).then_some(Film { title, frames, about, at: 0, playing: false })
    }

    fn last(&self) -> usize {
        self.frames.len() - 1
    }

    fn go(&mut self, to: usize) {
        self.at = to.min(self.last());
        self.playing &= self.at < self.last();
    }

    fn scene(&self, message: Option<String>) -> Scene {
        let frame = &self.frames[self.at];
        let step = match frame.name.as_str() {
            "" => format!("{} of {}", self.at, self.last()),
            name => format!("{} of {}: {name}", self.at, self.last()),
        };
        let next = self.frames.iter().skip(self.at + 1).take(NEXT);
        let next: Vec<&str> = next.map(|frame| frame.name.as_str()).collect();
        let mut status = vec![step];
        if !next.is_empty() {
            status.push(format!("next: {}", next.join(", ")));
        }
        Scene {
            title: self.title.clone(),
            board: frame.picture.clone(),
            status,
            message,
            keys: format!(
                "{}\nspace or right: forwards; left: back; Home, End; p: {}; q: leave the film",
                self.about.lines().next().unwrap_or_default(),
                if self.playing { "pause" } else { "play" }
            ),
            prompt: None,
        }
    }

    /// Does what a key says, which may be to leave.
    fn key(&mut self, key: GameKey) -> Option<FilmExit> {
        match key {
            GameKey::Arrow(Arrow::Right | Arrow::Down) | GameKey::Enter | GameKey::Character(' ' | 'n') => {
                self.playing = false;
                self.go(self.at + 1);
            }
            GameKey::Arrow(Arrow::Left | Arrow::Up) | GameKey::Backspace | GameKey::Character('b') => {
                self.playing = false;
                self.go(self.at.saturating_sub(1));
            }
            GameKey::Home => self.go(0),
            GameKey::End => self.go(self.last()),
            GameKey::Character('p') => {
                // At the end it begins again.
                self.at = if self.at == self.last() { 0 } else { self.at };
                self.playing = !self.playing && self.last() > 0;
            }
            GameKey::Character('q') | GameKey::Escape | GameKey::Close => {
                return Some(FilmExit::Closed);
            }
            GameKey::Break => return Some(FilmExit::Interrupted),
            _ => {}
        }
        None
    }

    /// Does what a line says; `None` if that is to leave.
    fn line(&mut self, line: &str) -> Option<Option<String>> {
        match line.trim() {
            "" | "next" | "n" => self.go(self.at + 1),
            "back" | "b" => self.go(self.at.saturating_sub(1)),
            "first" => self.go(0),
            "last" => self.go(self.last()),
            "quit" | "q" => return None,
            other => {
                return Some(Some(format!(
                    "`{}` is not a command of a film: next (or an empty line), back, first, last, quit",
                    other.escape_debug()
                )));
            }
        }
        Some(None)
    }
}

/// Shows a film until the player leaves it.
pub fn show_film(screen: &mut dyn Screen, mut film: Film) -> Result<FilmExit> {
    let mut message = match screen.is_live() {
        true => None,
        false => Some(format!("{}\nnext (or an empty line), back, first, last, quit (the film)", film.about)),
    };
    let mut shown = Instant::now();
    loop {
        screen.show(&film.scene(message.take()))?;
        match screen.event(if film.playing { PICTURE / 4 } else { PICTURE })? {
            Event::GameKey(key) => {
                if let Some(left) = film.key(key) {
                    return Ok(left);
                }
                shown = Instant::now();
            }
            Event::Line(line) => match film.line(&line) {
                Some(said) => message = said,
                None => return Ok(FilmExit::Closed),
            },
            Event::Nothing if film.playing && shown.elapsed() >= PICTURE => {
                film.go(film.at + 1);
                shown = Instant::now();
            }
            Event::Nothing => {}
            Event::End => return Ok(FilmExit::InputEnded),
        }
    }
}

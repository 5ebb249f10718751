//! Stepping through a solution: forwards and back, by hand or by itself.

use std::time::{Duration, Instant};

use super::game::Still;
use super::screen::{Event, Key, Scene, Screen};
use crate::error::Result;
use crate::puzzle::Arrow;

/// Time for one picture of a film that runs by itself.
const PICTURE: Duration = Duration::from_millis(400);

/// So many moves are told in advance.
const NEXT: usize = 5;

/// How a film was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// By the player.
    Gladly,
    /// By Ctrl-C.
    Broken,
    /// Nothing will come any more.
    InputEnded,
}

/// A film and where it stands.
pub struct Film {
    /// Which puzzle.
    pub title: String,
    /// The pictures; there is always one.
    stills: Vec<Still>,
    /// What the film shows, in a sentence, and on further lines what does not fit on every screen.
    pub about: String,
    at: usize,
    playing: bool,
}

impl Film {
    /// A film at its beginning; `None` without a picture.
    pub fn new(title: String, stills: Vec<Still>, about: String) -> Option<Self> {
        (!stills.is_empty()).then_some(Film {
            title,
            stills,
            about,
            at: 0,
            playing: false,
        })
    }

    fn last(&self) -> usize {
        self.stills.len() - 1
    }

    fn go(&mut self, to: usize) {
        self.at = to.min(self.last());
        self.playing &= self.at < self.last();
    }

    fn scene(&self, message: Option<String>) -> Scene {
        let still = &self.stills[self.at];
        let step = match still.name.as_str() {
            "" => format!("{} of {}", self.at, self.last()),
            name => format!("{} of {}: {name}", self.at, self.last()),
        };
        let next = self.stills.iter().skip(self.at + 1).take(NEXT);
        let next: Vec<&str> = next.map(|still| still.name.as_str()).collect();
        let mut status = vec![step];
        if !next.is_empty() {
            status.push(format!("next: {}", next.join(", ")));
        }
        Scene {
            title: self.title.clone(),
            board: still.picture.clone(),
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
    fn key(&mut self, key: Key) -> Option<Left> {
        match key {
            Key::Arrow(Arrow::Right | Arrow::Down) | Key::Enter | Key::Character(' ' | 'n') => {
                self.playing = false;
                self.go(self.at + 1);
            }
            Key::Arrow(Arrow::Left | Arrow::Up) | Key::Backspace | Key::Character('b') => {
                self.playing = false;
                self.go(self.at.saturating_sub(1));
            }
            Key::Home => self.go(0),
            Key::End => self.go(self.last()),
            Key::Character('p') => {
                // At the end it begins again.
                self.at = if self.at == self.last() { 0 } else { self.at };
                self.playing = !self.playing && self.last() > 0;
            }
            Key::Character('q') | Key::Escape | Key::Close => return Some(Left::Gladly),
            Key::Break => return Some(Left::Broken),
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
                    "`{}` means nothing in a film: next (or an empty line), back, first, last, quit",
                    other.escape_debug()
                )));
            }
        }
        Some(None)
    }
}

/// Shows a film until the player leaves it.
pub fn show_film(screen: &mut dyn Screen, mut film: Film) -> Result<Left> {
    let mut message = match screen.is_live() {
        true => None,
        false => Some(format!(
            "{}\nnext (or an empty line), back, first, last, quit (the film)",
            film.about
        )),
    };
    let mut shown = Instant::now();
    loop {
        screen.show(&film.scene(message.take()))?;
        match screen.event(if film.playing { PICTURE / 4 } else { PICTURE })? {
            Event::Key(key) => {
                if let Some(left) = film.key(key) {
                    return Ok(left);
                }
                shown = Instant::now();
            }
            Event::Line(line) => match film.line(&line) {
                Some(said) => message = said,
                None => return Ok(Left::Gladly),
            },
            Event::Nothing if film.playing && shown.elapsed() >= PICTURE => {
                film.go(film.at + 1);
                shown = Instant::now();
            }
            Event::Nothing => {}
            Event::End => return Ok(Left::InputEnded),
        }
    }
}

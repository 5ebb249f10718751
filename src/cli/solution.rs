//! Solutions as text and as JSON.

use std::fmt::Write;
use std::sync::atomic::AtomicBool;

use super::output;
use crate::error::{Error, Result, usage};
#[cfg(feature = "play")]
use crate::play::{Film, FilmExit, FilmFrame, Terminal, show_film};
use crate::puzzle::{Frame, Move, Rules, State};
use crate::solve::{Effort, Solved};
use crate::text::{duration, pluralise};

/// Text is handed out in pieces of about this size.
const PIECE: usize = 1 << 16;

/// A state that was tried, to be shown.
pub struct Shown<'a> {
    pub puzzle: &'a dyn Rules,
    pub state: &'a State,
    /// The text that the state was read from; nothing if it was not given.
    pub given: &'a str,
    pub solver: String,
    pub solved: &'a Solved,
    /// Whether to show every position.
    pub film: bool,
}

impl Shown<'_> {
    fn moves(&self) -> &[Move] {
        self.solved.attempt.moves.as_deref().unwrap_or_default()
    }

    fn names(&self) -> Vec<String> {
        self.puzzle.name_moves(self.given, self.state, self.moves())
    }

    /// The state on one line.
    fn line(&self) -> String {
        let frames = self.puzzle.film(self.given, self.state, &[], false);
        frames.into_iter().map(|frame| frame.line).collect()
    }

    fn frames(&self, colour: bool) -> Vec<Frame> {
        self.puzzle.film(self.given, self.state, self.moves(), colour)
    }

    /// Leaves a film to be printed: there are no films on a terminal in this build.
    #[cfg(not(feature = "play"))]
    pub fn on_screen(self, _: &AtomicBool) -> Result<Self> {
        Ok(self)
    }

    /// Shows a film on the terminal, if there is one and a film is wanted, and then needs it no more.
    #[cfg(feature = "play")]
    pub fn on_screen(self, stop: &AtomicBool) -> Result<Self> {
        if !self.film || !Terminal::is_there() {
            return Ok(self);
        }
        let frames = FilmFrame::list(self.names(), self.frames(output::colour()));
        let moves = pluralise(self.moves().len(), "move");
        let about = format!("{moves}, solved by {}", self.solver);
        let film = Film::new(self.puzzle.text(), frames, about);
        if let Some(film) = film {
            let mut terminal = Terminal::take(output::colour(), stop)?;
            if show_film(&mut terminal, film)? == FilmExit::Interrupted {
                return Err(Error::interrupted("the film was stopped by Ctrl-C"));
            }
        }
        Ok(Shown { film: false, ..self })
    }

    /// The moves, and a line about them.
    pub fn text(&self) -> String {
        let names = self.names();
        let mut text = String::new();
        if self.film {
            for (number, frame) in self.frames(output::colour()).iter().enumerate() {
                if let Some(name) = number.checked_sub(1).and_then(|before| names.get(before)) {
                    let _ = writeln!(text, "{number}. {name}");
                }
                let _ = writeln!(text, "{}\n", frame.picture);
            }
        }
        let bound = self.solved.attempt.bound;
        let proof = match (self.solved.is_optimal(), self.solved.attempt.cut_short) {
            (true, _) => "proven optimal".into(),
            (false, true) => {
                format!("not proven optimal ({} when the limit was reached)", at_least(bound))
            }
            (false, false) => format!("not proven optimal ({})", at_least(bound)),
        };
        let _ = writeln!(
            text,
            "{}\n{}, {proof}; {}, {}",
            if names.is_empty() { "solved already".into() } else { self.puzzle.print_moves(&names) },
            pluralise(names.len(), "move"),
            self.solver,
            duration(self.solved.time)
        );
        text
    }

    /// The message if there is no solution to show.
    pub fn lack(&self) -> String {
        format!(
            "no solution of {} was found{}: {}; {}, {}",
            self.line(),
            if self.solved.attempt.cut_short { " within the time and memory allowed" } else { "" },
            at_least(self.solved.attempt.bound),
            self.solver,
            duration(self.solved.time)
        )
    }

    /// One object on a line.
    pub fn json(&self) -> String {
        let length = self.solved.length();
        let mut value = serde_json::json!({
            "puzzle": self.puzzle.text(),
            "state": self.line(),
            "solver": self.solver,
            "moves": length.map(|_| self.names()),
            "length": length,
            "optimal": self.solved.is_optimal(),
            "lower_bound": self.solved.attempt.bound,
            "cut_short": self.solved.attempt.cut_short,
            "visited": self.solved.visited,
            "seconds": self.solved.time.as_secs_f64(),
        });
        if self.film {
            let lines = self.frames(false).into_iter().map(|frame| frame.line);
            value["states"] = lines.collect::<Vec<_>>().into();
        }
        output::json_line("solution", value)
    }
}

fn at_least(bound: u32) -> String {
    match bound {
        0 | 1 => "no lower bound is proven".into(),
        _ => format!("at least {bound} moves are proven to be needed"),
    }
}

/// Prints all solutions of a state, at most `limit`; returns the exit code.
pub fn print_all(
    puzzle: &dyn Rules,
    state: &State,
    effort: &Effort<'_>,
    limit: Option<u64>,
    json: bool,
) -> Result<u8> {
    let Some(listing) = puzzle.capabilities().listing else {
        return usage(format!(
            "--all is for puzzles in which every solution counts, and {0} is not one of them: \
             `godnum solve {0} STATE` finds a short solution",
            puzzle.text()
        ));
    };
    let mut found = 0u64;
    let mut more = false;
    let mut text = String::new();
    let mut printed = Ok(());
    listing.all_solutions(state, effort, &mut |moves| {
        if limit.is_some_and(|limit| found >= limit) {
            more = true;
            return false;
        }
        found += 1;
        let names = puzzle.name_moves("", state, moves);
        text += &match json {
            true => output::json_line("one-solution", serde_json::json!({ "moves": names })),
            false => puzzle.print_moves(&names) + "\n",
        };
        if text.len() >= PIECE {
            printed = output::print(&text);
            text.clear();
        }
        printed.is_ok()
    });
    printed?;
    let spent = !more && effort.is_spent();
    if json {
        let value = serde_json::json!({
            "puzzle": puzzle.text(),
            "state": puzzle.print_state(state),
            "solutions": found.to_string(),
            "complete": !more && !spent,
        });
        text += &output::json_line("all-solutions", value);
    } else {
        let solutions = pluralise(found, "solution");
        let _ = match (more, spent) {
            (true, _) => writeln!(text, "{solutions}, and there are more"),
            (_, true) => writeln!(text, "{solutions} so far, and there may be more"),
            _ => writeln!(text, "{solutions} in all"),
        };
    }
    output::print(&text)?;
    if effort.stop.load(std::sync::atomic::Ordering::Relaxed) {
        return Err(Error::interrupted("stopped before all solutions were listed"));
    }
    Ok(if spent && found == 0 { 3 } else { 0 })
}

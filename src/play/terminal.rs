//! A terminal, taken for a game and given back whatever happens.
//!
//! Keys are read one by one and scenes are drawn on a screen of their own. When the terminal is given
//! back, by the end of the game, by an error, a signal or a panic, lines are read as before and what was
//! on the screen is there again. Ctrl-Z suspends the game as it suspends any program.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Once};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGCONT, SIGTSTP};

use super::keyboard::{Keyboard, Press};
use super::screen::{Event, Scene, Screen};
use super::tty::{self, ReadOutcome};
use crate::error::{Error, IoAction, Result};

/// Signals and the size of the window are looked at this often.
const GLANCE: Duration = Duration::from_millis(50);

/// The bytes of one key come together; so long after the last one, no more will come.
const KEY: Duration = Duration::from_millis(50);

/// Bytes that are read at once.
const CHUNK: usize = 4096;

/// The terminal of the process.
pub struct Terminal<'a> {
    stop: &'a AtomicBool,
    colour: bool,
    /// Set when the process continues after it was suspended.
    resumed: Arc<AtomicBool>,
    keyboard: Keyboard,
    /// When bytes came last, and whether it was found since that no more come with them.
    heard: Instant,
    is_quiet: bool,
    /// A key that was read while it was looked whether more wait.
    pressed: Option<Press>,
    /// What is on the screen, and how large that was.
    shown: Vec<String>,
    size: (usize, usize),
}

impl<'a> Terminal<'a> {
    /// Whether a person sits at a terminal.
    pub fn is_there() -> bool {
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        std::io::stdin().is_terminal() && std::io::stdout().is_terminal() && !is_dumb
    }

    /// Takes the terminal. `stop` is set by signals.
    pub fn take(colour: bool, stop: &'a AtomicBool) -> Result<Self> {
        give_back_on_panic();
        let resumed = Arc::new(AtomicBool::new(false));
        // Without it the screen is stale after a pause from outside until a key is pressed.
        let _ = signal_hook::flag::register(SIGCONT, resumed.clone());
        take()?;
        Ok(Terminal {
            stop,
            colour,
            resumed,
            keyboard: Keyboard::default(),
            heard: Instant::now(),
            is_quiet: false,
            pressed: None,
            shown: Vec::new(),
            size: tty::size(),
        })
    }

    fn obey(&mut self, press: Press) -> Result<Event> {
        match press {
            Press::GameKey(key) => return Ok(Event::GameKey(key)),
            Press::Suspend => self.suspend()?,
            Press::Redraw => self.shown.clear(),
        }
        Ok(Event::Nothing)
    }

    /// The next key, if it is there already.
    fn next(&mut self) -> Option<Press> {
        let pressed = self.pressed.take();
        pressed.or_else(|| self.keyboard.next(self.is_quiet))
    }

    /// Gives the terminal to the shell until the process is continued.
    fn suspend(&mut self) -> Result<()> {
        tty::give_back();
        // If it cannot be suspended, the game just continues.
        let _ = signal_hook::low_level::emulate_default_handler(SIGTSTP);
        self.shown.clear();
        take()
    }
}

impl Screen for Terminal<'_> {
    fn show(&mut self, scene: &Scene) -> Result<()> {
        if self.resumed.swap(false, Relaxed) {
            self.shown.clear();
            // A shell may have set the terminal to lines meanwhile, which who never gave it back does not see.
            tty::give_back();
            take()?;
        }
        // Of a long paste only the end is drawn.
        self.pressed = self.next();
        if self.pressed.is_some() {
            return Ok(());
        }
        let size = tty::size();
        let lines = scene.lines(size.0, size.1);
        if lines == self.shown && size == self.size {
            return Ok(());
        }
        draw(&lines, size.1).map_err(written)?;
        (self.shown, self.size) = (lines, size);
        Ok(())
    }

    fn event(&mut self, wait: Duration) -> Result<Event> {
        let end = Instant::now() + wait;
        loop {
            if self.stop.load(Relaxed) {
                return Err(Error::interrupted("stopped by a signal"));
            }
            if let Some(press) = self.next() {
                return self.obey(press);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() || tty::size() != self.size {
                return Ok(Event::Nothing);
            }
            let mut bytes = [0; CHUNK];
            match tty::read(&mut bytes, left.min(GLANCE)) {
                ReadOutcome::Read(length) => {
                    self.keyboard.put(&bytes[..length]);
                    self.heard = Instant::now();
                    self.is_quiet = false;
                }
                ReadOutcome::None => self.is_quiet = self.heard.elapsed() >= KEY,
                ReadOutcome::Gone => return Ok(Event::End),
            }
        }
    }

    fn is_live(&self) -> bool {
        true
    }

    fn colour(&self) -> bool {
        self.colour
    }
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        tty::give_back();
    }
}

fn written(source: std::io::Error) -> Error {
    Error::io(IoAction::WriteTo, Path::new("the terminal"), source)
}

fn take() -> Result<()> {
    // Half of it may have been done.
    tty::take().inspect_err(|_| tty::give_back()).map_err(written)
}

/// Draws lines over what is on a screen of that many rows.
fn draw(lines: &[String], rows: usize) -> std::io::Result<()> {
    let mut picture = String::new();
    for (row, line) in (1..).zip(lines) {
        let _ = write!(picture, "\x1b[{row};1H\x1b[K{line}");
    }
    if lines.len() < rows {
        let _ = write!(picture, "\x1b[{};1H\x1b[J", lines.len() + 1);
    }
    let mut out = std::io::stdout().lock();
    out.write_all(picture.as_bytes())?;
    out.flush()
}

/// A panic of the thread that plays is shown on the screen that was there before.
fn give_back_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let player: ThreadId = std::thread::current().id();
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if std::thread::current().id() == player {
                tty::give_back();
                before(panic);
            } else if !tty::is_taken() {
                before(panic);
            }
        }));
    });
}

//! A terminal, taken for a game and given back whatever happens.
//!
//! Keys are read one by one and scenes are drawn on a screen of their own. When the terminal is given
//! back, by the end of the game, by an error, a signal or a panic, lines are read as before and what was
//! on the screen is there again. Ctrl-Z suspends the game as it suspends any program.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Once};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use crossterm::event::{self, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute, queue, style, terminal};
use signal_hook::consts::{SIGCONT, SIGTSTP};

use super::screen::{Event, Key, Scene, Screen};
use crate::error::{Error, Result};
use crate::puzzle::Arrow;

/// Signals are looked at this often.
const GLANCE: Duration = Duration::from_millis(50);

/// Whether a terminal is taken now, so that it has to be given back.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal of the process.
pub struct Terminal<'a> {
    stop: &'a AtomicBool,
    colour: bool,
    /// Set when the process goes on after it was suspended.
    resumed: Arc<AtomicBool>,
    /// What is on the screen.
    shown: Vec<String>,
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
            shown: Vec::new(),
        })
    }

    fn key(&mut self, key: event::KeyEvent) -> Result<Event> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let pressed = match key.code {
            _ if key.kind == KeyEventKind::Release => return Ok(Event::Nothing),
            KeyCode::Char('c' | 'd') if control => Key::Break,
            KeyCode::Char('z') if control => {
                self.suspend()?;
                return Ok(Event::Nothing);
            }
            KeyCode::Char('l') if control => {
                self.shown.clear();
                return Ok(Event::Nothing);
            }
            KeyCode::Char(_) if control => return Ok(Event::Nothing),
            KeyCode::Char(character) => Key::Character(character),
            KeyCode::Left => Key::Arrow(Arrow::Left),
            KeyCode::Right => Key::Arrow(Arrow::Right),
            KeyCode::Up => Key::Arrow(Arrow::Up),
            KeyCode::Down => Key::Arrow(Arrow::Down),
            KeyCode::Enter => Key::Enter,
            KeyCode::Esc => Key::Escape,
            KeyCode::Backspace | KeyCode::Delete => Key::Backspace,
            KeyCode::Tab => Key::Tab,
            KeyCode::BackTab => Key::BackTab,
            KeyCode::Home => Key::Home,
            KeyCode::End => Key::End,
            _ => return Ok(Event::Nothing),
        };
        Ok(Event::Key(pressed))
    }

    /// Gives the terminal to the shell until the process is told to go on.
    fn suspend(&mut self) -> Result<()> {
        give_back();
        // If it cannot be suspended, the game just goes on.
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
            give_back();
            take()?;
        }
        let (columns, rows) = terminal::size().unwrap_or((80, 24));
        let lines = scene.lines(columns.into(), rows.into());
        if lines == self.shown {
            return Ok(());
        }
        draw(&lines).map_err(written)?;
        self.shown = lines;
        Ok(())
    }

    fn event(&mut self, wait: Duration) -> Result<Event> {
        let end = Instant::now() + wait;
        loop {
            if self.stop.load(Relaxed) {
                return Err(Error::Interrupted("the game was stopped".into()));
            }
            let left = end.saturating_duration_since(Instant::now());
            match event::poll(left.min(GLANCE)).and_then(|some| some.then(event::read).transpose())
            {
                Ok(Some(event::Event::Key(key))) => return self.key(key),
                Ok(Some(event::Event::Resize(..))) => {
                    self.shown.clear();
                    return Ok(Event::Nothing);
                }
                Ok(Some(_)) => return Ok(Event::Nothing),
                Ok(None) if left.is_zero() => return Ok(Event::Nothing),
                Ok(None) => {}
                // The terminal is gone.
                Err(_) => return Ok(Event::End),
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
        give_back();
    }
}

fn written(source: std::io::Error) -> Error {
    Error::io("write to", Path::new("the terminal"), source)
}

/// Draws lines over what is on the screen.
fn draw(lines: &[String]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for (row, line) in (0..).zip(lines) {
        queue!(
            out,
            cursor::MoveTo(0, row),
            terminal::Clear(terminal::ClearType::UntilNewLine),
            style::Print(line)
        )?;
    }
    let (_, rows) = terminal::size().unwrap_or((80, 24));
    if lines.len() < usize::from(rows) {
        queue!(
            out,
            cursor::MoveTo(0, lines.len() as u16),
            terminal::Clear(terminal::ClearType::FromCursorDown)
        )?;
    }
    out.flush()
}

fn take() -> Result<()> {
    TAKEN.store(true, Relaxed);
    let taken = enable_raw_mode()
        .and_then(|()| execute!(std::io::stdout(), EnterAlternateScreen, cursor::Hide));
    // Half of it may have been done.
    taken.inspect_err(|_| give_back()).map_err(written)
}

fn give_back() {
    if TAKEN.swap(false, Relaxed) {
        // Nobody is left to be told if this fails.
        let _ = execute!(std::io::stdout(), cursor::Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

/// A panic of the thread that plays is told on the screen that was there before.
fn give_back_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let player: ThreadId = std::thread::current().id();
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if std::thread::current().id() == player {
                give_back();
                before(panic);
            } else if !TAKEN.load(Relaxed) {
                before(panic);
            }
        }));
    });
}

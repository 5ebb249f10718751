//! Progress for people: a bar on a terminal, a plain line now and then elsewhere.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output::remark;
use crate::bfs::{LevelRecord, Observer, Pulse};
use crate::report::{count, duration};

/// Time between two lines where there is no terminal.
const PLAIN_EVERY: Duration = Duration::from_secs(30);

/// Shows a walk's progress on standard error.
pub struct Display {
    bar: Option<ProgressBar>,
    quiet: bool,
    state: Mutex<State>,
}

struct State {
    container: String,
    phase: (u32, String),
    last_line: Instant,
}

impl Display {
    /// A display that fits standard error; a quiet one shows nothing.
    pub fn new(quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal() && !quiet;
        let bar = terminal.then(|| {
            let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(8));
            let style = "{msg} [{wide_bar}] {percent:>3} %  {per_sec}, {eta} left";
            if let Ok(style) = ProgressStyle::with_template(style) {
                bar.set_style(style.progress_chars("=> "));
            }
            bar
        });
        Display {
            bar,
            quiet,
            state: Mutex::new(State {
                container: String::new(),
                phase: (0, String::new()),
                last_line: Instant::now(),
            }),
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| remark(text)),
            None => remark(text),
        }
    }
}

impl Observer for Display {
    fn begun(&self, _level: u32, container: &str, _candidates: u128) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.container = container.to_owned();
    }

    fn computed(&self, record: &LevelRecord) {
        // Without a terminal, levels that take no time are not worth a line each.
        if self.quiet || (self.bar.is_none() && record.millis < 1000) {
            return;
        }
        let container = {
            let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            match state.container.as_str() {
                "" => String::new(),
                name => format!(" ({name})"),
            }
        };
        self.line(&format!(
            "level {}: {} classes, {} states, {}{container}",
            record.level,
            count(record.classes),
            count(record.states),
            duration(Duration::from_millis(record.millis)),
        ));
    }

    fn note(&self, sentence: &str) {
        match &self.bar {
            Some(bar) => bar.set_message(sentence.to_owned()),
            None => {
                let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                if !self.quiet && state.last_line.elapsed() >= PLAIN_EVERY {
                    state.last_line = Instant::now();
                    remark(sentence);
                }
            }
        }
    }

    fn tick(&self, pulse: &Pulse) {
        if self.quiet {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bar) = &self.bar {
            let phase = (pulse.level, pulse.phase.clone());
            if state.phase != phase {
                bar.reset();
                bar.set_message(format!("level {} {}", pulse.level, pulse.phase));
                state.phase = phase;
            }
            bar.set_length(pulse.total);
            bar.set_position(pulse.done);
        } else if state.last_line.elapsed() >= PLAIN_EVERY {
            state.last_line = Instant::now();
            remark(&pulse_line(pulse));
        }
    }
}

/// A pulse as a sentence, with an estimate of the time left in the phase.
pub fn pulse_line(pulse: &Pulse) -> String {
    let share = match pulse.total {
        0 => String::new(),
        total => format!(", {:.0} % done", 100.0 * pulse.done as f64 / total as f64),
    };
    let left = match pulse.done {
        0 => String::new(),
        done if pulse.phase == "expand" => {
            let rest = pulse.total.saturating_sub(done) as f64 / done as f64;
            let left = Duration::from_secs_f64(pulse.seconds as f64 * rest);
            format!(", about {} left in this step", duration(left))
        }
        _ => String::new(),
    };
    format!(
        "level {}: {}{share}, {} so far{left}",
        pulse.level,
        pulse.phase,
        duration(Duration::from_secs(pulse.seconds)),
    )
}

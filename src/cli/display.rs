//! Progress: a bar on a terminal, a plain line now and then elsewhere.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use rustix::termios::tcgetwinsize;

use super::output::remark;
use crate::engine::{LevelRecord, Observer};
use crate::store::Pulse;
use crate::text::{count, duration, timestamp};

/// Time between two lines where there is no terminal, unless the user says otherwise.
pub const PLAIN_EVERY: Duration = Duration::from_secs(30);
/// On narrower terminals there is no bar.
const NARROW: usize = 72;

/// Shows a walk's progress on standard error.
pub struct Display {
    bar: Option<ProgressBar>,
    quiet: bool,
    /// Time between two lines where there is no terminal.
    every: Duration,
    state: Mutex<DisplayState>,
}

struct DisplayState {
    container: String,
    phase: (u32, String),
    last_line: Instant,
}

impl Display {
    /// A display that fits standard error; a quiet one shows nothing.
    pub fn new(quiet: bool, every: Duration) -> Self {
        let terminal = std::io::stderr().is_terminal() && !quiet;
        let bar = terminal.then(|| {
            let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(8));
            bar.set_style(style(if is_narrow() { "{wide_msg}" } else { "{msg} [{wide_bar}]" }));
            bar
        });
        Display {
            bar,
            quiet,
            every,
            state: Mutex::new(DisplayState {
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

    /// A line above the bar.
    fn above(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| remark(text)),
            None => remark(text),
        }
    }

    /// A line of progress: with the time, where it stays in a file.
    fn line(&self, text: &str) {
        match &self.bar {
            Some(_) => self.above(text),
            None => self.above(&format!("{} {text}", timestamp(SystemTime::now()))),
        }
    }
}

/// The columns of the terminal.
fn columns() -> usize {
    let size = tcgetwinsize(std::io::stderr()).ok();
    size.map(|size| usize::from(size.ws_col)).filter(|&columns| columns > 0).unwrap_or(80)
}

fn is_narrow() -> bool {
    columns() < NARROW
}

/// As much of a line as the terminal has columns for.
fn cut(line: &str) -> String {
    line.chars().take(columns().saturating_sub(1)).collect()
}

impl Observer for Display {
    fn begun(&self, level: u32, container: &str, candidates: u128) {
        {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.container = container.to_owned();
        }
        // A level that will take a while is announced.
        if !self.quiet && candidates >= 100_000_000 {
            self.line(&format!("level {level}: up to {} candidates ({container})", count(candidates)));
        }
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
                if !self.quiet && state.last_line.elapsed() >= self.every {
                    state.last_line = Instant::now();
                    self.line(sentence);
                }
            }
        }
    }

    fn announce(&self, sentence: &str) {
        if !self.quiet {
            self.above(sentence);
        }
    }

    fn stopping(&self, stored: Duration) {
        // Also to a user who wants to see nothing else, but waits for the end.
        self.above(&format!(
            "stopping: what is computed is being saved first. A second signal stops at once; the job then \
             continues from what was stored {} ago",
            duration(stored)
        ));
    }

    fn counted(&self, what: &str, done: u64, total: u64) {
        let Some(bar) = &self.bar else {
            return self.note(&format!("{what}: {done} of {total}"));
        };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.phase.1 != what {
            state.phase = (0, what.to_owned());
            bar.reset();
            bar.set_style(style(match is_narrow() {
                true => "{wide_msg} {pos}/{len}",
                false => "{msg} [{wide_bar}] {pos} of {len}, {eta} left",
            }));
            bar.set_message(what.to_owned());
        }
        bar.set_length(total);
        bar.set_position(done);
    }

    fn tick(&self, pulse: &Pulse) {
        if self.quiet {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bar) = &self.bar {
            let phase = (pulse.level, pulse.phase.clone());
            let fresh = state.phase != phase;
            if fresh {
                bar.reset();
                bar.set_message(format!("level {} {} ({})", pulse.level, pulse.phase, state.container));
                bar.set_style(style(match (is_narrow(), pulse.phase.as_str()) {
                    (true, _) => "{prefix}{percent:>3} % {wide_msg}",
                    (false, "expand") => "{prefix}{msg} [{wide_bar}] {percent:>3} %  {rate}, {eta} left",
                    (false, _) => "{prefix}{msg} [{wide_bar}] {percent:>3} %  {eta} left",
                }));
                state.phase = phase;
            }
            // The whole job has a line of its own above the step.
            let job = pulse.of_job().map(|job| format!("{}\n", cut(&job)));
            bar.set_prefix(job.unwrap_or_default());
            bar.set_length(pulse.total);
            bar.set_position(pulse.done);
            if fresh {
                bar.reset_eta();
            }
        } else if state.last_line.elapsed() >= self.every {
            state.last_line = Instant::now();
            let job = pulse.of_job().map_or(String::new(), |job| format!("; whole job: {job}"));
            self.line(&format!("{pulse}{job}"));
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = write!(out, "{} classes/s", count(state.per_sec() as u128));
    };
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("rate", rate)
        .progress_chars("=> ")
}

//! What happens to a job, for other programs: lines in a file, and a command at the end.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::display::Display;
use super::{explain, output};
use crate::engine::provenance::Host;
use crate::engine::{LevelRecord, Observer};
use crate::error::{Error, IoAction, Result};
use crate::puzzle::{Enumeration, Rules};
use crate::store::Pulse;
use crate::text::{shell_quote, timestamp};

/// Who hears what happens to a job.
#[derive(clap::Args)]
pub struct ListenerArgs {
    /// Append a line of JSON to this file when the job starts, ends or stops, and for each level and checkpoint
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    /// Run this command in a shell when the job ends, stops or fails; it reads the last event on its standard input
    #[arg(long, value_name = "COMMAND")]
    notify: Option<String>,
}

/// Writes the events of one job.
pub struct Events<'a> {
    puzzle: &'a dyn Rules,
    dir: &'a Path,
    host: String,
    file: Option<Mutex<File>>,
    path: &'a Path,
    notify: Option<&'a str>,
}

/// What an event says beside which job it is about.
#[derive(Default)]
struct EventFacts {
    level: Option<u32>,
    classes: Option<u128>,
    states: Option<u128>,
    seconds: Option<f64>,
    message: Option<String>,
    exit_code: Option<u8>,
}

impl<'a> Events<'a> {
    /// Those of a job, for whom the user names; an error if the file cannot be written.
    pub fn new(arguments: &'a ListenerArgs, puzzle: &'a dyn Rules, dir: &'a Path) -> Result<Self> {
        let open = |path: &PathBuf| {
            let file = OpenOptions::new().create(true).append(true).open(path);
            file.map(Mutex::new).map_err(|e| Error::io(IoAction::Create, path, e))
        };
        Ok(Events {
            puzzle,
            dir,
            host: Host::this().name,
            file: arguments.events.as_ref().map(open).transpose()?,
            path: arguments.events.as_deref().unwrap_or(Path::new("")),
            notify: arguments.notify.as_deref(),
        })
    }

    fn event(&self, name: &str, facts: EventFacts) -> Value {
        let decimal = |number: Option<u128>| number.map(|number| number.to_string());
        json!({
            "event": name,
            "time": timestamp(SystemTime::now()),
            "pid": std::process::id(),
            "host": self.host,
            "puzzle": self.puzzle.text(),
            "dir": self.dir.display().to_string(),
            "level": facts.level,
            "classes": decimal(facts.classes),
            "states": decimal(facts.states),
            "total_states": decimal(self.puzzle.totals().states),
            "seconds": facts.seconds,
            "message": facts.message,
            "exit_code": facts.exit_code,
        })
    }

    fn write(&self, name: &str, facts: EventFacts) -> String {
        let line = output::json_line("event", self.event(name, facts));
        if let Some(file) = &self.file {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            // One write for a line, so that lines of several jobs can share a file. The job is worth more.
            if let Err(error) = file.write_all(line.as_bytes()) {
                output::warn(&format!(
                    "an event could not be written to {}: {error}",
                    shell_quote(self.path)
                ));
            }
        }
        line
    }

    /// The job starts.
    pub fn started(&self) {
        self.write("started", EventFacts::default());
    }

    /// It ended.
    pub fn ended(&self, end: &Result<Enumeration>) {
        let (name, facts) = match end {
            Ok(outcome) => {
                let manifest = &outcome.manifest;
                let facts = EventFacts {
                    level: manifest.levels.last().map(|last| last.level),
                    classes: Some(manifest.classes()),
                    states: Some(manifest.states()),
                    seconds: Some(manifest.millis() as f64 / 1000.0),
                    message: outcome.conclusion.as_ref().map(|answer| answer.sentence(self.puzzle, manifest)),
                    exit_code: Some(0),
                };
                (if manifest.finished { "finished" } else { "stopped" }, facts)
            }
            Err(error) => {
                let stopped = matches!(error, Error::Interrupted(_) | Error::Limit(_));
                let facts = EventFacts {
                    message: Some(explain(error)),
                    exit_code: Some(error.exit_code()),
                    ..EventFacts::default()
                };
                (if stopped { "stopped" } else { "failed" }, facts)
            }
        };
        let line = self.write(name, facts);
        if let Some(command) = self.notify
            && let Err(why) = run(command, &line)
        {
            output::warn(&format!("the command of --notify failed: {why}"));
        }
    }
}

/// Runs a command in a shell, with a line on its standard input.
fn run(command: &str, line: &str) -> std::result::Result<(), String> {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).stdin(Stdio::piped());
    let mut child = shell.spawn().map_err(|e| e.to_string())?;
    if let Some(mut input) = child.stdin.take() {
        // A command need not read it.
        let _ = input.write_all(line.as_bytes());
    }
    match child.wait().map_err(|e| e.to_string())? {
        status if status.success() => Ok(()),
        status => Err(status.to_string()),
    }
}

/// Shows progress, and writes events.
pub struct Listener<'a> {
    /// Shows.
    pub display: &'a Display,
    /// Writes.
    pub events: &'a Events<'a>,
}

impl Observer for Listener<'_> {
    fn begun(&self, level: u32, how: &str, candidates: u128) {
        self.display.begun(level, how, candidates);
    }

    fn computed(&self, record: &LevelRecord) {
        self.display.computed(record);
        self.events.write(
            "level",
            EventFacts {
                level: Some(record.level),
                classes: Some(record.classes),
                states: Some(record.states),
                seconds: Some(record.millis as f64 / 1000.0),
                ..EventFacts::default()
            },
        );
    }

    fn checkpoint(&self, level: u32) {
        self.events.write("checkpoint", EventFacts { level: Some(level), ..EventFacts::default() });
    }

    fn note(&self, sentence: &str) {
        self.display.note(sentence);
    }

    fn announce(&self, sentence: &str) {
        self.display.announce(sentence);
    }

    fn counted(&self, what: &str, done: u64, total: u64) {
        self.display.counted(what, done, total);
    }

    fn tick(&self, pulse: &Pulse) {
        self.display.tick(pulse);
    }

    fn stopping(&self, stored: Duration) {
        self.display.stopping(stored);
    }
}

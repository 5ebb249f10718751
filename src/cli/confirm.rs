//! Asks before something is deleted.

use std::fmt::Write as _;
use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;
use std::time::SystemTime;

use super::output;
use crate::error::{Error, Result};
use crate::study::work_dirs::{self, WorkDir};
use crate::text::{bytes, duration, shell_quote};

/// What is said of work before it is deleted: what it is, how large and how old.
pub fn describe(work: &WorkDir) -> String {
    let mut text = format!("the {} in {}", work.kind, shell_quote(&work.dir));
    if !work.puzzle.is_empty() {
        let _ = write!(text, " ({}", work.puzzle);
        if !work.progress.is_empty() {
            let _ = write!(text, "; {}", work.progress);
        }
        text.push(')');
    }
    let _ = write!(text, ", {}", bytes(work.bytes));
    if let Some(age) = age(work.modified) {
        let _ = write!(text, ", last changed {age} ago");
    }
    text
}

/// How long ago something was, in words.
pub fn age(then: Option<SystemTime>) -> Option<String> {
    let age = SystemTime::now().duration_since(then?).ok()?;
    Some(match age.as_secs() / 86_400 {
        0 => duration(age),
        1 => "1 day".into(),
        days => format!("{days} days"),
    })
}

/// Says what an option is about to delete in a directory, and asks if there is a user to answer. Returns without a
/// word where there is nothing to delete.
pub fn before_deleting(dir: &Path, option: &str, what: &str, yes: bool) -> Result<()> {
    match work_dirs::look(dir)? {
        None => Ok(()),
        Some(work) => ask(&format!("{option} deletes {what}{}", describe(&work)), yes),
    }
}

/// Prints a sentence, and on a terminal waits for a yes.
pub fn ask(sentence: &str, yes: bool) -> Result<()> {
    if yes || !is_answered() {
        output::remark(&format!("{sentence}."));
        return Ok(());
    }
    let mut out = std::io::stderr().lock();
    let sentence = crate::text::escape_controls(sentence);
    let _ = write!(out, "{sentence}. Delete it? [y/N] ").and_then(|()| out.flush());
    let mut answer = String::new();
    let _ = std::io::stdin().lock().read_line(&mut answer);
    match answer.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(Error::interrupted("nothing was deleted")),
    }
}

/// Whether there is a user to answer a question.
pub fn is_answered() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

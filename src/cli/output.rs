//! Printing: one place that knows about closed pipes and terminals.

use std::io::{IsTerminal, Write};
use std::path::Path;

use crate::error::{Error, Result};
use crate::text::harmless;

/// Prints to standard output. If nobody reads it any more, the process ends quietly.
pub fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        result => result.map_err(|e| Error::io("write to", Path::new("standard output"), e)),
    }
}

/// Prints a line to standard error; a closed one is not worth stopping for. What it repeats of a file or of
/// what was typed is made harmless.
pub fn remark(line: &str) {
    write_line(&harmless(line));
}

fn write_line(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Prints an error, in red on a terminal.
pub fn complain(error: &Error) {
    label("error:", 31, &error.to_string());
}

/// Prints an error that is about one line of standard input.
pub fn complain_at(line: usize, error: &Error) {
    label("error:", 31, &format!("line {line}: {error}"));
}

/// Prints a warning, in yellow on a terminal.
pub fn warn(sentence: &str) {
    label("warning:", 33, sentence);
}

/// Of a sentence that repeats what somebody typed or wrote, no more than this is shown.
const LONGEST: usize = 4096;

fn label(word: &str, colour: u8, sentence: &str) {
    let cut = sentence.char_indices().nth(LONGEST);
    let shown = cut.map(|(at, _)| format!("{} ...", &sentence[..at]));
    let sentence = harmless(shown.as_deref().unwrap_or(sentence));
    if std::io::stderr().is_terminal() {
        write_line(&format!("\x1b[{colour};1m{word}\x1b[0m {sentence}"));
    } else {
        write_line(&format!("{word} {sentence}"));
    }
}

/// Whether standard output is a terminal that may be coloured.
pub fn colour() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

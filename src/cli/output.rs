//! Printing: one place that knows about closed pipes and terminals.

use std::io::{IsTerminal, Write};
use std::path::Path;

use serde_json::{Value, json};

use crate::build_info;
use crate::error::{Error, IoAction, Result};
use crate::text::escape_controls;

use super::explain::explain;

/// Prints to standard output. If the reader has closed it, the process ends quietly.
pub fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        result => result.map_err(|e| Error::io(IoAction::WriteTo, Path::new("standard output"), e)),
    }
}

/// The version of all JSON documents: `godnum schema` describes them.
pub const SCHEMA: u32 = 1;

/// A JSON document, indented, with a line end. `document` is its name in the schema, and `value` an object; what
/// every document has in common is added.
pub fn json(document: &str, value: Value) -> String {
    format!("{:#}\n", in_envelope(document, value))
}

/// The same on one line, where there are many.
pub fn json_line(document: &str, value: Value) -> String {
    format!("{}\n", in_envelope(document, value))
}

fn in_envelope(document: &str, mut value: Value) -> Value {
    value["godnum"] = json!({ "document": document, "schema": SCHEMA, "version": build_info::VERSION });
    value
}

/// Prints a line to standard error; a closed one is not worth stopping for. What it repeats of a file or of
/// what was typed is escaped.
pub fn remark(line: &str) {
    write_line(&escape_controls(line));
}

fn write_line(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Prints an error, in red on a terminal.
pub fn complain(error: &Error) {
    label("error:", 31, &explain(error));
}

/// Prints an error that is about one line of standard input.
pub fn complain_at(line: usize, error: &Error) {
    label("error:", 31, &format!("line {line}: {}", explain(error)));
}

/// Prints a warning, in yellow on a terminal.
pub fn warn(sentence: &str) {
    label("warning:", 33, sentence);
}

/// A sentence may repeat user input; no more than this is shown.
const LONGEST: usize = 4096;

fn label(word: &str, colour: u8, sentence: &str) {
    let cut = sentence.char_indices().nth(LONGEST);
    let shown = cut.map(|(at, _)| format!("{} ...", &sentence[..at]));
    let sentence = escape_controls(shown.as_deref().unwrap_or(sentence));
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

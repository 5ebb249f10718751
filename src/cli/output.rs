//! Printing: one place that knows about closed pipes and terminals.

use std::io::{IsTerminal, Write};
use std::path::Path;

use crate::error::{Error, Result};

/// Prints to standard output. If nobody reads it any more, the process ends quietly.
pub fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        result => result.map_err(|e| Error::io("write to", Path::new("standard output"), e)),
    }
}

/// Prints a line to standard error; a closed one is not worth stopping for.
pub fn remark(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Prints an error, in red on a terminal.
pub fn complain(error: &Error) {
    if std::io::stderr().is_terminal() {
        remark(&format!("\x1b[31;1merror:\x1b[0m {error}"));
    } else {
        remark(&format!("error: {error}"));
    }
}

/// Whether standard output is a terminal that may be coloured.
pub fn colour() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

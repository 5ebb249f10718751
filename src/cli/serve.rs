//! `godnum serve`: the local page.

use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::means::Means;
use super::{listen_for_signals, output};
use crate::engine::JOBS;
use crate::error::Result;
use crate::serve::{Options, PORT, Server};
use crate::text::things;

/// Serve a page to play, solve, and watch jobs in a browser on this machine.
#[derive(clap::Args)]
pub struct Arguments {
    /// The port to listen on; 0 means any that is free
    #[arg(long, value_name = "P", default_value_t = PORT)]
    port: u16,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
    /// The directory that jobs are in
    #[arg(long, value_name = "DIR", default_value = JOBS)]
    dir: PathBuf,
    /// The directory that tables of results are in
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    #[command(flatten)]
    means: Means,
}

pub fn main(arguments: Arguments) -> Result<()> {
    let stop = listen_for_signals();
    let server = Server::bind(&Options {
        port: arguments.port,
        dir: arguments.dir,
        results: arguments.results,
        memory: arguments.means.memory,
        threads: arguments.means.threads(),
    })?;
    output::print(&format!("{}\n", server.address()))?;
    output::remark("(Ctrl-C ends it)");
    if arguments.open {
        open(server.address());
    }
    match server.run(&stop)? {
        0 => {}
        left => output::remark(&format!(
            "({} did not stop in time; jobs go on from their last checkpoint)",
            things(left, "task")
        )),
    }
    Ok(())
}

/// Shows an address in the user's browser, if there is one.
fn open(address: String) {
    let mut command = Command::new("xdg-open");
    command.arg(address).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl-C is for us alone.
    command.process_group(0);
    let say = |why: &str| output::remark(&format!("(no browser was opened: xdg-open: {why})"));
    match command.spawn() {
        // Somebody has to hear of its end.
        Ok(mut browser) => drop(std::thread::spawn(move || match browser.wait() {
            Ok(end) if !end.success() => say(&end.to_string()),
            _ => {}
        })),
        Err(error) => say(&error.to_string()),
    }
}

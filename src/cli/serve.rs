//! `godnum serve`: the local page.

use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::resource_args::ResourceArgs;
use super::{listen_for_signals, output};
use crate::engine::JOBS;
use crate::error::{Result, usage};
use crate::serve::{PORT, ServeOptions, Server};

/// Serve a page to play, solve, and watch jobs in a browser on this machine.
#[derive(clap::Args)]
pub struct ServeArgs {
    /// The port to listen on; 0 chooses a free one
    #[arg(long, value_name = "P", default_value_t = PORT)]
    port: u16,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
    /// The directory of jobs
    #[arg(long, value_name = "DIR", default_value = JOBS)]
    dir: PathBuf,
    /// The directory of level tables
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    #[command(flatten)]
    resources: ResourceArgs,
}

pub fn main(arguments: ServeArgs) -> Result<()> {
    let stop = listen_for_signals();
    for (option, path) in [("--dir", &arguments.dir), ("--results", &arguments.results)] {
        if path.exists() && !path.is_dir() {
            return usage(format!("{option}: {} is not a directory", path.display()));
        }
    }
    let server = Server::bind(&ServeOptions {
        port: arguments.port,
        dir: arguments.dir,
        results: arguments.results,
        memory: arguments.resources.memory,
        threads: arguments.resources.threads(),
    })?;
    output::print(&format!("{}\n", server.address()))?;
    output::remark("(Ctrl-C ends it)");
    if arguments.open {
        open(server.address());
    }
    server.run(&stop, &output::remark)
}

/// Shows an address in the user's browser, if there is one.
fn open(address: String) {
    let mut command = Command::new("xdg-open");
    command.arg(address).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl-C must not reach it.
    command.process_group(0);
    let say = |why: &str| output::remark(&format!("(no browser was opened: xdg-open: {why})"));
    match command.spawn() {
        // Its exit status has to be collected.
        Ok(mut browser) => drop(std::thread::spawn(move || match browser.wait() {
            Ok(end) if !end.success() => say(&end.to_string()),
            _ => {}
        })),
        Err(error) => say(&error.to_string()),
    }
}

//! The command line: one file per subcommand. Nothing is computed here.

mod antipodes;
mod completions;
mod display;
mod enumerate;
mod estimate;
mod find;
mod levels;
mod output;
mod puzzles;
mod resume;
mod run;
mod status;
mod verify;

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Parser, Subcommand};

use crate::error::Result;

/// God's numbers of puzzles: how many moves the hardest position needs.
///
/// Walks the whole state graph of a puzzle level by level, on disk, checkpointed and checked.
/// Start with `godnum puzzles`, then `godnum enumerate wrapslide:4x4:4`.
#[derive(Parser)]
#[command(name = "godnum", version, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 done, 1 input/output error or disk full, 2 usage, \
    3 stopped at a limit, 4 numbers do not add up,\n5 damaged or foreign file, 6 job is locked, \
    130 interrupted."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Enumerate(enumerate::Arguments),
    Resume(resume::Arguments),
    Status(status::Arguments),
    Levels(levels::Arguments),
    Antipodes(antipodes::Arguments),
    States(antipodes::StatesArguments),
    Estimate(estimate::Arguments),
    Verify(verify::Arguments),
    Puzzles(puzzles::Arguments),
    Run(run::Arguments),
    Completions(completions::Arguments),
}

/// Set by the first stop signal.
static STOP: AtomicBool = AtomicBool::new(false);

/// Reads the process's arguments, does what they say, and tells how that ended.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match dispatch(arguments.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&error);
            ExitCode::from(error.exit_code())
        }
    }
}

fn dispatch(command: Command) -> Result<()> {
    match command {
        Command::Enumerate(arguments) => enumerate::main(arguments),
        Command::Resume(arguments) => resume::main(arguments),
        Command::Status(arguments) => status::main(arguments),
        Command::Levels(arguments) => levels::main(arguments),
        Command::Antipodes(arguments) => antipodes::main(arguments),
        Command::States(arguments) => antipodes::states(arguments),
        Command::Estimate(arguments) => estimate::main(arguments),
        Command::Verify(arguments) => verify::main(arguments),
        Command::Puzzles(arguments) => puzzles::main(arguments),
        Command::Run(arguments) => run::main(arguments),
        Command::Completions(arguments) => completions::main(arguments),
    }
}

/// From now on SIGINT, SIGTERM and SIGHUP ask long work to stop; a second one ends the process
/// at once, which loses no more than a kill would.
fn listen_for_signals() -> &'static AtomicBool {
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    &STOP
}

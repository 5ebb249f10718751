//! The command line: one file per subcommand. Nothing is computed here.

mod antipodes;
mod bench;
mod bounds;
mod completions;
mod count;
mod display;
mod enumerate;
mod estimate;
mod find;
mod help;
mod hint;
mod input;
mod levels;
mod means;
mod output;
mod play;
mod plot;
mod puzzles;
mod resume;
mod run;
mod sample;
mod scramble;
mod serve;
mod show;
mod solution;
mod solve;
mod solvers;
mod solving;
mod status;
mod summary;
mod survey;
mod verify;

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};

use clap::{Parser, Subcommand};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::{flag, low_level};

use crate::error::Result;
use crate::play::give_back_at_once;

/// God's numbers of puzzles: how many moves the hardest position needs.
///
/// Walks the whole state graph of a puzzle level by level, on disk, checkpointed and checked.
/// Start with `godnum puzzles`, then `godnum enumerate wrapslide:4x4:4`, then `godnum solve`.
#[derive(Parser)]
#[command(
    name = "godnum",
    version,
    max_term_width = 100,
    disable_help_subcommand = true
)]
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
    Plot(plot::Arguments),
    Antipodes(antipodes::Arguments),
    States(antipodes::StatesArguments),
    Show(show::Arguments),
    Solve(solve::Arguments),
    Hint(hint::Arguments),
    Play(play::Arguments),
    Solvers(solvers::Arguments),
    Scramble(scramble::Arguments),
    Sample(sample::Arguments),
    Count(count::Arguments),
    Estimate(estimate::Arguments),
    Bounds(bounds::Arguments),
    Verify(verify::Arguments),
    Puzzles(puzzles::Arguments),
    Run(run::Arguments),
    Survey(survey::Arguments),
    Serve(serve::Arguments),
    Bench(bench::Arguments),
    Completions(completions::Arguments),
    Help(help::Arguments),
}

/// Reads the process's arguments, does what they say, and tells how that ended.
pub fn main() -> ExitCode {
    // A file that may not grow further is then an error like any other.
    let _ = flag::register(SIGXFSZ, Arc::default());
    let arguments = Arguments::parse();
    match dispatch(arguments.command) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            output::complain(&error);
            ExitCode::from(error.exit_code())
        }
    }
}

/// Carries a command out; returns the exit code if it has no error to tell.
fn dispatch(command: Command) -> Result<u8> {
    let done = match command {
        Command::Enumerate(arguments) => enumerate::main(arguments),
        Command::Resume(arguments) => resume::main(arguments),
        Command::Status(arguments) => status::main(arguments),
        Command::Levels(arguments) => levels::main(arguments),
        Command::Plot(arguments) => plot::main(arguments),
        Command::Antipodes(arguments) => antipodes::main(arguments),
        Command::States(arguments) => antipodes::states(arguments),
        Command::Show(arguments) => show::main(arguments),
        Command::Solve(arguments) => return solve::main(arguments),
        Command::Hint(arguments) => hint::main(arguments),
        Command::Play(arguments) => play::main(arguments),
        Command::Solvers(arguments) => solvers::main(arguments),
        Command::Scramble(arguments) => scramble::main(arguments),
        Command::Sample(arguments) => sample::main(arguments),
        Command::Count(arguments) => count::main(arguments),
        Command::Estimate(arguments) => estimate::main(arguments),
        Command::Bounds(arguments) => bounds::main(arguments),
        Command::Verify(arguments) => verify::main(arguments),
        Command::Puzzles(arguments) => puzzles::main(arguments),
        Command::Run(arguments) => run::main(arguments),
        Command::Survey(arguments) => survey::main(arguments),
        Command::Serve(arguments) => serve::main(arguments),
        Command::Bench(arguments) => bench::main(arguments),
        Command::Completions(arguments) => completions::main(arguments),
        Command::Help(arguments) => help::main(arguments),
    };
    done.map(|()| 0)
}

/// From now on SIGINT, SIGTERM and SIGHUP ask long work to stop, by setting what is returned; a
/// second one ends the process at once, which loses no more than a kill would, and leaves a terminal that a
/// game has taken as it was. A signal that the process was started to ignore (SIGHUP under `nohup`) stays
/// ignored.
fn listen_for_signals() -> Arc<AtomicBool> {
    static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    STOP.get_or_init(install_handlers).clone()
}

fn install_handlers() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        if !is_ignored(signal) {
            let stop = stop.clone();
            let answer = move || {
                if stop.swap(true, SeqCst) {
                    give_back_at_once();
                    low_level::exit(130);
                }
            };
            // SAFETY: a handler may only do what is safe in the middle of anything else. This one swaps an
            // atomic, and perhaps looks at two statics that are read without a lock and makes the system calls
            // `ioctl`, `poll`, `write` and `_exit`; it takes no lock, allocates nothing and cannot panic.
            // A handler that cannot be installed leaves the signal deadly, and jobs survive that.
            let _ = unsafe { low_level::register(signal, answer) };
        }
    }
    stop
}

/// Whether the process ignores a signal.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

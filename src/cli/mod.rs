//! The command line: one file per subcommand. Nothing is computed here.

mod antipodes;
mod bench;
mod bounds;
mod choices;
mod cite;
mod class;
mod cluster;
mod compare;
mod completions;
mod confirm;
mod count;
mod display;
mod enumerate;
mod estimate;
mod events;
mod examples;
mod explain;
mod export;
mod find;
mod gather;
mod help;
mod hint;
mod hunt;
mod input;
mod jobs;
mod levels;
mod man;
mod output;
mod phases;
#[cfg(feature = "play")]
mod play;
mod plot;
mod prove;
mod puzzle_text;
mod puzzles;
mod resource_args;
mod resume;
mod run;
mod sample;
mod schema;
mod scramble;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod solution;
mod solve;
mod solver_table;
mod solvers;
mod solving;
mod status;
mod summary;
mod survey;
mod swaps;
mod tree;
mod verify;
mod witness;

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::{flag, low_level};

use crate::build_info;
use crate::error::{Result, usage};
use crate::puzzle::Kind;
use crate::puzzles::registry;
use crate::store::memory::give_large_blocks_back;
pub use explain::explain;

/// God's numbers of puzzles: how many moves the hardest position needs.
///
/// Walks the whole state graph of a puzzle level by level, on disk, checkpointed and checked.
/// Start with `godnum puzzles`, then `godnum enumerate wrapslide:4x4:4`, then `godnum solve`.
#[derive(Parser)]
#[command(name = "godnum", version = build_info::version_line(), max_term_width = 100, disable_help_subcommand = true)]
#[command(after_help = "Exit codes: 0 done, 1 input/output error or disk full, 2 usage, \
    3 stopped at a limit, 4 numbers do not add up,\n5 damaged or foreign file, 6 job is locked, \
    7 another process of the job was lost, 130 interrupted.")]
struct CommandLine {
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Subcommand)]
enum Subcommands {
    Enumerate(enumerate::EnumerateArgs),
    Resume(resume::ResumeArgs),
    Gather(gather::GatherArgs),
    Status(status::StatusArgs),
    Levels(levels::LevelsArgs),
    Plot(plot::PlotArgs),
    Antipodes(antipodes::AntipodesArgs),
    States(antipodes::StatesArgs),
    Show(show::ShowArgs),
    Class(class::ClassArgs),
    Tree(tree::TreeArgs),
    Solve(solve::SolveArgs),
    Hint(hint::HintArgs),
    #[cfg(feature = "play")]
    Play(play::PlayArgs),
    Solvers(solvers::SolversArgs),
    Scramble(scramble::ScrambleArgs),
    Sample(sample::SampleArgs),
    Count(count::CountArgs),
    Estimate(estimate::EstimateArgs),
    Bounds(bounds::BoundsArgs),
    Prove(prove::ProveArgs),
    Witness(witness::WitnessArgs),
    Hunt(hunt::HuntArgs),
    Verify(verify::VerifyArgs),
    Cite(cite::CiteArgs),
    Compare(compare::CompareArgs),
    Jobs(jobs::JobsArgs),
    Clean(jobs::CleanArgs),
    Puzzles(puzzles::PuzzlesArgs),
    Export(export::ExportArgs),
    Run(run::RunArgs),
    Schema(schema::SchemaArgs),
    Survey(survey::SurveyArgs),
    Swaps(swaps::SwapsArgs),
    #[cfg(feature = "serve")]
    Serve(serve::ServeArgs),
    Bench(bench::BenchArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
    Help(help::HelpArgs),
}

/// The whole command line: reads the arguments of the process, carries the command out, and returns the
/// exit code. `kinds` are the kinds of puzzles of another crate; they get everything that built-in kinds
/// have. Call it once, from `main`.
pub fn main(kinds: Vec<Kind>) -> ExitCode {
    give_large_blocks_back();
    // A file that may not grow further is then an error like any other.
    let _ = flag::register(SIGXFSZ, Arc::default());
    let first = std::env::args_os().nth(1).unwrap_or_default();
    let done = is_built(&first.to_string_lossy())
        .and_then(|()| registry::add(kinds))
        .and_then(|()| dispatch(parse().command));
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            output::complain(&error);
            ExitCode::from(error.exit_code())
        }
    }
}

/// The arguments of the process; a mistake in them ends it.
fn parse() -> CommandLine {
    let matches = with_examples(CommandLine::command()).get_matches();
    CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// The command line with examples in its help.
fn with_examples(command: clap::Command) -> clap::Command {
    command.mut_subcommands(|command| {
        let before = command.get_after_help().map(|text| format!("{text}\n\n"));
        match examples::text(command.get_name()) {
            Some(text) => command.after_help(before.unwrap_or_default() + &text),
            None => command,
        }
    })
}

/// Refuses a command that this program was built without.
fn is_built(command: &str) -> Result<()> {
    match command {
        "play" if !cfg!(feature = "play") => lacks("play", "play games"),
        "serve" if !cfg!(feature = "serve") => lacks("serve", "serve the page"),
        _ => Ok(()),
    }
}

/// Refuses what needs a cargo feature.
fn lacks(feature: &str, what: &str) -> Result<()> {
    usage(format!(
        "this build of godnum cannot {what}: it lacks the cargo feature `{feature}`, which \
         `cargo build --release --features {feature}` adds"
    ))
}

/// Carries a command out; returns the exit code if there was no error.
fn dispatch(command: Subcommands) -> Result<u8> {
    let done = match command {
        Subcommands::Enumerate(arguments) => enumerate::main(arguments),
        Subcommands::Resume(arguments) => resume::main(arguments),
        Subcommands::Gather(arguments) => gather::main(arguments),
        Subcommands::Status(arguments) => status::main(arguments),
        Subcommands::Levels(arguments) => levels::main(arguments),
        Subcommands::Plot(arguments) => plot::main(arguments),
        Subcommands::Antipodes(arguments) => antipodes::main(arguments),
        Subcommands::States(arguments) => antipodes::states(arguments),
        Subcommands::Show(arguments) => show::main(arguments),
        Subcommands::Class(arguments) => class::main(arguments),
        Subcommands::Tree(arguments) => tree::main(arguments),
        Subcommands::Solve(arguments) => return solve::main(arguments),
        Subcommands::Hint(arguments) => hint::main(arguments),
        #[cfg(feature = "play")]
        Subcommands::Play(arguments) => play::main(arguments),
        Subcommands::Solvers(arguments) => solvers::main(arguments),
        Subcommands::Scramble(arguments) => scramble::main(arguments),
        Subcommands::Sample(arguments) => sample::main(arguments),
        Subcommands::Count(arguments) => count::main(arguments),
        Subcommands::Estimate(arguments) => estimate::main(arguments),
        Subcommands::Bounds(arguments) => bounds::main(arguments),
        Subcommands::Prove(arguments) => prove::main(arguments),
        Subcommands::Witness(arguments) => witness::main(arguments),
        Subcommands::Hunt(arguments) => hunt::main(arguments),
        Subcommands::Verify(arguments) => verify::main(arguments),
        Subcommands::Cite(arguments) => cite::main(arguments),
        Subcommands::Compare(arguments) => return compare::main(arguments),
        Subcommands::Jobs(arguments) => jobs::jobs(arguments),
        Subcommands::Clean(arguments) => jobs::clean(arguments),
        Subcommands::Puzzles(arguments) => puzzles::main(arguments),
        Subcommands::Export(arguments) => export::main(arguments),
        Subcommands::Run(arguments) => run::main(arguments),
        Subcommands::Schema(arguments) => schema::main(arguments),
        Subcommands::Survey(arguments) => survey::main(arguments),
        Subcommands::Swaps(arguments) => swaps::main(arguments),
        #[cfg(feature = "serve")]
        Subcommands::Serve(arguments) => serve::main(arguments),
        Subcommands::Bench(arguments) => bench::main(arguments),
        Subcommands::Completions(arguments) => completions::main(arguments),
        Subcommands::Man(arguments) => man::main(arguments),
        Subcommands::Help(arguments) => help::main(arguments),
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
                    #[cfg(feature = "play")]
                    crate::play::give_back_at_once();
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

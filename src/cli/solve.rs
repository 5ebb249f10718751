//! `godnum solve`: moves from a state to a solved one.

use std::io::IsTerminal;
use std::time::Duration;

use super::enumerate::observed;
use super::input::{LONGEST, TypedLines};
use super::phases::{self, PhasesPrint};
use super::puzzle_text::PuzzleText;
use super::solving::{SolverArgs, state_or_start};
use super::{output, solution, solver_table};
use crate::engine::Control;
use crate::error::{Error, Result, usage};
use crate::puzzle::{Rules, State};
use crate::puzzles::registry;
use crate::solve::{self, Choice, ReadySolver, Workbench, choose};

/// Solve a state: moves, length, whether that is proven optimal.
///
/// Every solution is replayed by the rules before it is shown.
#[derive(clap::Args)]
#[command(after_help = "Exit code 3: no solution was found within the time and memory allowed.")]
pub struct SolveArgs {
    /// The puzzle, for example wrapslide:4x4:4; `-` reads lines `PUZZLE` or `PUZZLE<TAB>STATE`
    #[arg(value_parser = PuzzleText, hide_possible_values = true)]
    puzzle: String,
    /// A state in the puzzle's notation, or `-` to read states from standard input, one per line
    /// [default: the given position]
    state: Option<String>,
    #[command(flatten)]
    solver: SolverArgs,
    /// Draw every position on the way
    #[arg(long)]
    film: bool,
    /// Solve in phases, with their boundaries and the cycle that they are about (gourds); SORT says how the
    /// second phase sorts: insertion, bubble or divide
    #[arg(
        long,
        value_name = "SORT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with_all = ["all", "solver"]
    )]
    phases: Option<String>,
    /// Let every solver of the puzzle try the state, and print what each found: moves, what is proven, visited
    /// states, time [default: --time 30s each]
    #[arg(long, conflicts_with_all = ["all", "solver", "film", "phases"])]
    compare: bool,
    /// List all solutions instead of one (triangles)
    #[arg(long, conflicts_with_all = ["film", "solver"])]
    all: bool,
    /// List at most N
    #[arg(long, value_name = "N", requires = "all")]
    limit: Option<u64>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

/// Solves the given states, and returns the exit code.
pub fn main(arguments: SolveArgs) -> Result<u8> {
    match (arguments.puzzle.as_str(), arguments.state.as_deref()) {
        ("-", None | Some("-")) => InputLines::default().solve(&arguments, None),
        ("-", Some(_)) => {
            usage("with `-` for the puzzle, states are read from standard input as well: omit the state")
        }
        (puzzle, Some("-")) => InputLines::default().solve(&arguments, Some(puzzle)),
        (puzzle, state) => observed(arguments.quiet, |control| {
            let puzzle = registry::parse(puzzle)?;
            if let Some(warning) = puzzle.warning() {
                output::warn(&warning);
            }
            let given = state;
            let state = state_or_start(&*puzzle, given)?;
            if arguments.compare {
                return compare_solvers(&arguments, &*puzzle, &state, control);
            }
            with_solver(&arguments, &*puzzle, control, |ready| ready.solve(&state, given))
        }),
    }
}

/// Each solver has this much time, unless the user says otherwise.
const TIME: Duration = Duration::from_secs(30);

/// Lets all solvers try a state.
fn compare_solvers(
    arguments: &SolveArgs,
    puzzle: &dyn Rules,
    state: &State,
    control: Control<'_>,
) -> Result<u8> {
    let time = arguments.solver.time.unwrap_or(TIME);
    let all = solve::compare::compare(puzzle, state, || arguments.solver.bench(control), time)?;
    solver_table::print(puzzle, &puzzle.print_state(state), &all, arguments.json).map(|()| 0)
}

/// A puzzle with its solver ready.
struct ReadyPuzzle<'a> {
    arguments: &'a SolveArgs,
    puzzle: &'a dyn Rules,
    bench: &'a Workbench<'a>,
    choice: &'a Choice<'a>,
    /// The solver, unless all solutions or phases are wanted.
    solver: Option<Box<dyn ReadySolver + 'a>>,
}

/// Makes a puzzle's solver ready for `work`.
fn with_solver<T>(
    arguments: &SolveArgs,
    puzzle: &dyn Rules,
    control: Control<'_>,
    work: impl FnOnce(&ReadyPuzzle<'_>) -> Result<T>,
) -> Result<T> {
    let bench = &arguments.solver.bench(control);
    let choice = &choose(puzzle, arguments.solver.solver.as_deref())?;
    let needed = !arguments.all && arguments.phases.is_none();
    let solver = if needed { Some(choice.prepare(bench)?) } else { None };
    work(&ReadyPuzzle { arguments, puzzle, bench, choice, solver })
}

impl ReadyPuzzle<'_> {
    /// Solves a state, which may have been given as a text, prints how, and returns the exit code.
    fn solve(&self, state: &State, given: Option<&str>) -> Result<u8> {
        let ReadyPuzzle { arguments, puzzle, bench, choice, solver } = self;
        let effort = arguments.solver.effort(bench);
        if let Some(sort) = &arguments.phases {
            let given = given.unwrap_or_default();
            let request = PhasesPrint { puzzle: *puzzle, state, given, sort, film: arguments.film };
            return phases::print(&request, &effort, arguments.json).map(|()| 0);
        }
        let Some(solver) = solver else {
            return solution::print_all(*puzzle, state, &effort, arguments.limit, arguments.json);
        };
        let solved = solve::solve(*puzzle, &**solver, state, &effort)?;
        if solved.attempt.cut_short && bench.control.stopped() {
            return Err(Error::interrupted("stopped before the state was solved"));
        }
        let shown = solution::Shown {
            puzzle: *puzzle,
            state,
            given: given.unwrap_or_default(),
            solver: choice.name(),
            solved: &solved,
            film: arguments.film,
        };
        match (arguments.json, solved.length()) {
            (true, found) => {
                output::print(&shown.json())?;
                Ok(if found.is_some() { 0 } else { NOT_FOUND })
            }
            (false, Some(_)) => {
                // Where states are read, the terminal is for them.
                let reads = [Some(&arguments.puzzle), arguments.state.as_ref()];
                let shown = match reads.contains(&Some(&"-".to_owned())) {
                    true => shown,
                    false => shown.on_screen(bench.control.stop)?,
                };
                output::print(&shown.text()).map(|()| 0)
            }
            (false, None) => Err(Error::limit(shown.lack())),
        }
    }
}

/// The exit code of a state for which no solution was found.
const NOT_FOUND: u8 = 3;

/// Lines of standard input, and the exit code of the first that failed.
#[derive(Default)]
struct InputLines {
    input: TypedLines,
    number: usize,
    failure: Option<u8>,
}

/// One line: its number, the puzzle and the state in it.
struct InputLine {
    number: usize,
    puzzle: String,
    state: Option<String>,
}

impl InputLines {
    /// Solves line after line. Neighbours with the same puzzle share a solver that is ready.
    fn solve(mut self, arguments: &SolveArgs, puzzle: Option<&str>) -> Result<u8> {
        if std::io::stdin().is_terminal() && !arguments.quiet {
            output::remark("(reading states from the terminal, one per line; Ctrl-D ends them)");
        }
        if let Some(puzzle) = puzzle {
            // A mistake in the command itself is not a matter of any line.
            choose(&*registry::parse(puzzle)?, arguments.solver.solver.as_deref())?;
        }
        observed(arguments.quiet, |control| {
            let mut line = self.read(puzzle, control)?;
            while let Some(first) = line.take() {
                line = self.same_puzzle(arguments, puzzle, first, control)?;
            }
            Ok(())
        })?;
        Ok(self.failure.unwrap_or(0))
    }

    /// Solves a line and those after it that are about the same puzzle; returns the next one.
    fn same_puzzle(
        &mut self,
        arguments: &SolveArgs,
        puzzle: Option<&str>,
        first: InputLine,
        control: Control<'_>,
    ) -> Result<Option<InputLine>> {
        let text = first.puzzle.clone();
        let (number, mut line) = (first.number, Some(first));
        let parsed = registry::parse(&text);
        let result = parsed.and_then(|parsed| {
            with_solver(arguments, &*parsed, control, |ready| {
                while let Some(same) = line.take_if(|line| line.puzzle == text) {
                    let solved = state_or_start(&*parsed, same.state.as_deref())
                        .and_then(|state| ready.solve(&state, same.state.as_deref()));
                    self.note(same.number, solved)?;
                    line = self.read(puzzle, control)?;
                }
                Ok(())
            })
        });
        match (result, line) {
            (Ok(()), line) => Ok(line),
            // The puzzle itself is wrong: its first line is still there.
            (Err(error), Some(line)) if line.number == number => {
                self.note(number, Err(error))?;
                match puzzle {
                    None => self.read(puzzle, control),
                    Some(_) => Ok(None),
                }
            }
            (Err(error), _) => Err(error),
        }
    }

    /// Keeps the exit code of the first failure. What makes all further lines pointless is passed on.
    fn note(&mut self, number: usize, result: Result<u8>) -> Result<()> {
        let code = match result {
            Ok(code) => code,
            Err(error @ Error::Interrupted(_)) => return Err(error),
            Err(error) => {
                output::complain_at(number, &error);
                error.exit_code()
            }
        };
        if code != 0 {
            self.failure.get_or_insert(code);
        }
        Ok(())
    }

    /// The next line that is not blank.
    fn read(&mut self, puzzle: Option<&str>, control: Control<'_>) -> Result<Option<InputLine>> {
        while let Some(bytes) = self.input.next(control)? {
            self.number += 1;
            if bytes.len() > LONGEST {
                let why = format!("the line is longer than {} KiB", LONGEST >> 10);
                self.note(self.number, usage(why))?;
                continue;
            }
            // What is not text is not a state, and is refused as such.
            let text = String::from_utf8_lossy(&bytes);
            let text = text.trim_end_matches(['\n', '\r']);
            if text.trim().is_empty() {
                continue;
            }
            let (puzzle, state) = match (puzzle, text.split_once('\t')) {
                (Some(puzzle), _) => (puzzle, Some(text)),
                (None, Some((puzzle, state))) => (puzzle.trim(), Some(state)),
                (None, None) => (text.trim(), None),
            };
            return Ok(Some(InputLine {
                number: self.number,
                puzzle: puzzle.into(),
                state: state.map(str::to_owned),
            }));
        }
        Ok(None)
    }
}

//! `godnum hint`: a good next move.

use super::enumerate::observed;
use super::output;
use super::solving::{SolverArguments, state_or_start};
use crate::error::{Error, Result};
use crate::puzzles::registry;
use crate::solve::{self, choose};
use crate::text::plural;

/// Tell a good next move; in a puzzle with a file, carry it out and print the file.
#[derive(clap::Args)]
pub struct Arguments {
    /// The puzzle, for example klotski:classic
    puzzle: String,
    /// A state in the puzzle's notation [default: the given position]
    state: Option<String>,
    #[command(flatten)]
    solver: SolverArguments,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

pub fn main(arguments: Arguments) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    if arguments.state.is_none()
        && let Some(file) = puzzle.hinted_file()
    {
        return output::print(&file?);
    }
    let state = state_or_start(&*puzzle, arguments.state.as_deref())?;
    let choice = choose(&*puzzle, arguments.solver.solver.as_deref())?;
    let solved = observed(arguments.quiet, |control| {
        let bench = arguments.solver.bench(control);
        let prepared = choice.prepare(&bench)?;
        let effort = arguments.solver.effort(&bench);
        let solved = solve::solve(&*puzzle, &*prepared, &state, &effort)?;
        match solved.attempt.cut_short && control.stopped() {
            true => Err(Error::Interrupted("stopped before a move was found".into())),
            false => Ok(solved),
        }
    })?;
    let Some(moves) = &solved.attempt.moves else {
        return Err(Error::Limit(format!(
            "no solution was found, so there is no hint; {} tried",
            choice.name()
        )));
    };
    let given = arguments.state.as_deref().unwrap_or_default();
    let left = plural(moves.len() as u128, "move", "moves");
    output::print(&match moves.first() {
        None => "solved\n".into(),
        Some(_) => format!(
            "{}\n{left} to go, this one included{}\n",
            puzzle.name_moves(given, &state, &moves[..1]).concat(),
            match solved.is_optimal() {
                true => "; there is no shorter way",
                false => "; there may be a shorter way",
            }
        ),
    })
}

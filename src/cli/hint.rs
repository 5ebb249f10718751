//! `godnum hint`: a good next move.

use super::enumerate::observed;
use super::output;
use super::puzzle_text::PuzzleText;
use super::solving::{SolverArgs, state_or_start};
use crate::error::{Error, Result};
use crate::puzzles::registry;
use crate::solve::{self, choose};
use crate::text::pluralise;

/// Print a good next move; for a puzzle with a file, apply it and print the file.
#[derive(clap::Args)]
pub struct HintArgs {
    /// The puzzle, for example klotski:classic
    #[arg(value_parser = PuzzleText, hide_possible_values = true)]
    puzzle: String,
    /// A state in the puzzle's notation [default: the given position]
    state: Option<String>,
    #[command(flatten)]
    solver: SolverArgs,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub fn main(arguments: HintArgs) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    if arguments.state.is_none()
        && let Some(listing) = puzzle.capabilities().listing
        && let Some(file) = listing.hinted_file()
    {
        let file = file?;
        let value = || serde_json::json!({ "puzzle": puzzle.text(), "file": file });
        return output::print(&if arguments.json { output::json("hinted-file", value()) } else { file });
    }
    let state = state_or_start(&*puzzle, arguments.state.as_deref())?;
    let choice = choose(&*puzzle, arguments.solver.solver.as_deref())?;
    let solved = observed(arguments.quiet, |control| {
        let bench = arguments.solver.bench(control);
        let prepared = choice.prepare(&bench)?;
        let effort = arguments.solver.effort(&bench);
        let solved = solve::solve(&*puzzle, &*prepared, &state, &effort)?;
        match solved.attempt.cut_short && control.stopped() {
            true => Err(Error::interrupted("stopped before a move was found")),
            false => Ok(solved),
        }
    })?;
    let Some(moves) = &solved.attempt.moves else {
        return Err(Error::limit(format!(
            "no solution was found, so there is no hint; {} tried",
            choice.name()
        )));
    };
    let given = arguments.state.as_deref().unwrap_or_default();
    if arguments.json {
        let value = serde_json::json!({
            "puzzle": puzzle.text(),
            "state": puzzle.print_state(&state),
            "move": moves.first().map(|_| puzzle.name_moves(given, &state, &moves[..1]).concat()),
            "moves_left": moves.len(),
            "optimal": solved.is_optimal(),
            "solver": choice.name(),
        });
        return output::print(&output::json("hint", value));
    }
    let left = pluralise(moves.len(), "move");
    output::print(&match moves.first() {
        None => "solved\n".into(),
        Some(_) => format!(
            "{}\n{left} to go, this one included{}\n",
            puzzle.name_moves(given, &state, &moves[..1]).concat(),
            if solved.is_optimal() { "; there is no shorter way" } else { "; there may be a shorter way" }
        ),
    })
}

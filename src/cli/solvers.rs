//! `godnum solvers`: how a puzzle can be solved.

use super::output;
use super::puzzle_text::PuzzleText;
use crate::error::{Result, usage};
use crate::puzzles::registry;
use crate::solve::{self, Solver};
use crate::text::TextTable;

/// List the solvers of a puzzle and what each promises.
#[derive(clap::Args)]
pub struct SolversArgs {
    /// The puzzle, for example wrapslide:6x6:4
    #[arg(value_parser = PuzzleText, hide_possible_values = true)]
    puzzle: String,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub fn main(arguments: SolversArgs) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    let solvers = solve::solvers(&*puzzle);
    if solvers.is_empty() {
        return usage(format!("there is no solver for {}", puzzle.text()));
    }
    if arguments.json {
        let solver = |place: usize, solver: &(dyn Solver + '_)| {
            serde_json::json!({
                "name": solver.name(),
                "default": place == 0,
                "strength": solver.strength().map(|number| number.to_string()),
                "promise": solver.promise(),
            })
        };
        let value = serde_json::json!({
            "puzzle": puzzle.text(),
            "solvers": solvers.iter().enumerate().map(|(place, one)| solver(place, &**one)).collect::<Vec<_>>(),
        });
        return output::print(&output::json("solvers", value));
    }
    let rows = solvers.iter().enumerate().map(|(place, solver)| {
        let default = if place == 0 { " (default)" } else { "" };
        vec![
            format!("{}{default}", solver.name()),
            solver.strength().map_or("-".into(), |number| number.to_string()),
            solver.promise(),
        ]
    });
    let table = TextTable { heading: &["solver", "strength", "promise"], rows: rows.collect() };
    output::print(&table.aligned_left(&[0, 2]))
}

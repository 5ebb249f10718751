//! `godnum solvers`: how a puzzle can be solved.

use super::output;
use crate::error::{Result, usage};
use crate::puzzles::registry;
use crate::solve;
use crate::text::TextTable;

/// List the solvers of a puzzle and what each promises.
#[derive(clap::Args)]
pub struct SolversArgs {
    /// The puzzle, for example wrapslide:6x6:4
    puzzle: String,
}

pub fn main(arguments: SolversArgs) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    let solvers = solve::solvers(&*puzzle);
    if solvers.is_empty() {
        return usage(format!("there is no solver for {}", puzzle.text()));
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

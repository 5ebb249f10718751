//! `godnum solvers`: how a puzzle can be solved.

use super::output;
use crate::error::{Result, usage};
use crate::puzzles::registry;
use crate::solve;

/// List the solvers of a puzzle and what each promises.
#[derive(clap::Args)]
pub struct Arguments {
    /// The puzzle, for example wrapslide:6x6:4
    puzzle: String,
}

pub fn main(arguments: Arguments) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    let solvers = solve::solvers(&*puzzle);
    if solvers.is_empty() {
        return usage(format!("there is no solver for {}", puzzle.text()));
    }
    let mut rows = vec![["solver", "strength", "promise"].map(str::to_owned)];
    for (place, solver) in solvers.iter().enumerate() {
        let default = if place == 0 { " (default)" } else { "" };
        rows.push([
            format!("{}{default}", solver.name()),
            solver
                .strength()
                .map_or("-".into(), |number| number.to_string()),
            solver.promise(),
        ]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    let lines = rows.iter().map(|[solver, strength, promise]| {
        format!("{solver:<first$}  {strength:>second$}  {promise}\n")
    });
    output::print(&lines.collect::<String>())
}

//! How many moves it takes to exchange two cells of a solved board.

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::puzzle::{Rules, join_names};
use crate::solve::{Effort, Workbench, choose, solve};
use crate::text::TextTable;

/// An exchange, and what it takes.
#[derive(Clone, Debug)]
pub struct SwapRow {
    /// The two cells, each by row and column from 1.
    pub cells: [[usize; 2]; 2],
    /// The board after the exchange.
    pub state: String,
    /// The index of its class.
    pub index: Option<u128>,
    /// How many moves solve it.
    pub moves: u32,
    /// Whether fewer are proven not to.
    pub optimal: bool,
    /// A solution. Backwards, it makes the exchange.
    pub solution: String,
}

/// Solves every board that differs from the solved one by an exchange of two cells. Boards of one class are
/// solved once each all the same, so that every row has its own solution.
pub fn swaps(puzzle: &dyn Rules, solver: Option<&str>, bench: &Workbench<'_>) -> Result<Vec<SwapRow>> {
    let none = || Error::Usage(format!("{} has no cells that could be exchanged", puzzle.text()));
    let boards = puzzle.capabilities().swaps.ok_or_else(none)?;
    let choice = choose(puzzle, solver)?;
    let ready = choice.prepare(bench)?;
    let mut rows = Vec::new();
    for (cells, state) in boards.swaps() {
        bench.control.go_on(|| Error::interrupted("stopped before all exchanges were solved"))?;
        let effort = Effort::unbounded(bench.free(), bench.control.stop);
        let solved = solve(puzzle, &*ready, &state, &effort)?;
        let Some(moves) = &solved.attempt.moves else {
            let state = puzzle.print_state(&state);
            return Err(Error::limit(format!("no solution of {state} was found by {}", choice.name())));
        };
        rows.push(SwapRow {
            cells,
            state: puzzle.print_state(&state),
            index: puzzle.index_of(&state),
            moves: moves.len() as u32,
            optimal: solved.is_optimal(),
            solution: join_names(&puzzle.name_moves("", &state, moves)),
        });
    }
    Ok(rows)
}

/// All exchanges as a table.
pub fn table(rows: &[SwapRow]) -> TextTable {
    let row = |row: &SwapRow| {
        let [[a, b], [c, d]] = row.cells;
        let mut cells: Vec<String> = [a, b, c, d].iter().map(usize::to_string).collect();
        cells.push(row.moves.to_string());
        cells.push(if row.optimal { "yes" } else { "no" }.into());
        cells.push(row.index.map_or(String::new(), |index| index.to_string()));
        cells.extend([row.state.clone(), row.solution.clone()]);
        cells
    };
    TextTable {
        heading: &[
            "row",
            "column",
            "other_row",
            "other_column",
            "moves",
            "optimal",
            "class",
            "state",
            "solution",
        ],
        rows: rows.iter().map(row).collect(),
    }
}

/// How many exchanges, and how many classes of boards, need how many moves.
pub fn summary(rows: &[SwapRow]) -> TextTable {
    let mut by_moves: BTreeMap<u32, (usize, std::collections::BTreeSet<Option<u128>>)> = BTreeMap::new();
    for row in rows {
        let entry = by_moves.entry(row.moves).or_default();
        entry.0 += 1;
        entry.1.insert(row.index);
    }
    let lines = by_moves.iter().map(|(moves, (swaps, classes))| {
        vec![moves.to_string(), swaps.to_string(), classes.len().to_string()]
    });
    TextTable { heading: &["moves", "exchanges", "classes"], rows: lines.collect() }
}

#[cfg(test)]
mod tests;

//! `optimal`: shortest solutions of permutation puzzles, by IDA*.
//!
//! # Lower bounds
//! A [*view*](views) of the puzzle shows only some of its pieces, or only their orientations. It is a
//! permutation puzzle itself, and its states are no farther from being solved than those of the puzzle that
//! look like them. A [table](table) holds the distances of all states of a view, by the same index and with
//! the same symmetries as an enumeration of it would; it is built once and kept in the user's cache. The
//! bound of a state is the largest distance that any view of it has; where a state and its inverse are equally
//! far from being solved, also that of its inverse.
//!
//! The [first levels](near) around the solved states are in memory: a state whose bound is small is either
//! among them, and its distance known, or farther than all of them.
//!
//! What is forbidden and glued together does not count in views: what may be done there is more than may be
//! done in the puzzle, so that the bound holds.
//!
//! # What is proven
//! Every round of [IDA*](crate::solve::ida) proves that there is no solution of its length. When time is
//! up, the last complete round is the lower bound that is reported.

mod near;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod views;

use super::definition::{Definition, NamedMove};
use super::notation;
use super::puzzle::PermutationPuzzle;
use crate::error::{Result, usage};
use crate::puzzle::{Rules, Solving, State};
use crate::solve::{Attempt, Effort, Prepared, ReadySolver, Solver, Workbench, ida, unsolvable};
use near::NearStates;
use search::OptimalSearch;

/// The solver.
struct PermutationOptimal<'p>(&'p PermutationPuzzle);

impl Solving for PermutationPuzzle {
    fn solvers(&self) -> Vec<Box<dyn Solver + '_>> {
        vec![Box::new(PermutationOptimal(self))]
    }
}

impl Solver for PermutationOptimal<'_> {
    fn name(&self) -> &'static str {
        "optimal"
    }

    fn promise(&self) -> String {
        "a shortest solution, by IDA* with tables of parts of the puzzle; if none is found in time, the lower \
         bound that it proved"
            .into()
    }

    fn prepare<'a>(&'a self, bench: &Workbench<'_>, _: Option<u64>) -> Prepared<'a> {
        let puzzle = self.0;
        let (definition, moves) = puzzle.given();
        let mut search = match OptimalSearch::new(definition, moves) {
            Ok(search) => search,
            Err(why) => return usage(format!("`optimal` cannot solve {}: {why}", puzzle.text())),
        };
        search.add_tables(definition, moves, bench)?;
        if let Ok(numbered) = puzzle.numbered() {
            search.near = Some(NearStates::new(numbered, bench)?);
        }
        Ok(Box::new(ReadyOptimal { puzzle, definition, search }))
    }
}

/// The solver with its tables.
struct ReadyOptimal<'p> {
    puzzle: &'p PermutationPuzzle,
    definition: &'p Definition,
    search: OptimalSearch<'p>,
}

impl ReadySolver for ReadyOptimal<'_> {
    fn attempt(&self, state: &State, effort: &Effort<'_>) -> Result<Attempt> {
        let pattern = notation::pattern(self.definition, state);
        let Some(cells) = self.search.frame.cells_of(&pattern) else {
            return unsolvable("a piece lies where no moves bring it");
        };
        if self.puzzle.can_reach(&cells) == Some(false) || self.search.is_unreachable(&cells) {
            return unsolvable("no moves lead from it to a solved state");
        }
        Ok(ida::search(&self.search, cells, effort))
    }
}

/// What the moves of a puzzle are, for names of tables.
fn digest(definition: &Definition, moves: &[NamedMove]) -> u64 {
    let mut hash = xxhash_rust::xxh3::Xxh3::new();
    for orbit in &definition.orbits {
        hash.update(&[orbit.slots as u8, orbit.orientations]);
    }
    for part in definition.solved.iter().flat_map(|solved| &solved.0) {
        hash.update(&part.pieces);
        hash.update(&part.orientation);
        hash.update(&part.modulus);
    }
    for part in moves.iter().flat_map(|mv| &mv.transformation.0) {
        hash.update(&part.from);
        hash.update(&part.turn);
    }
    hash.digest()
}

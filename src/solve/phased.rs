//! Solutions in phases, replayed by the rules.

use super::{Effort, replay};
use crate::error::{Error, Result};
use crate::puzzle::{Move, Phases, Rules, State};

/// A solution in phases.
#[derive(Clone, Debug)]
pub struct SolvedPhases {
    /// The way that the second phase takes, by its name.
    pub sort: String,
    /// The cycle that the phases are about.
    pub cycle: Vec<u8>,
    /// The phases, in their order.
    pub phases: Vec<SolvedPhase>,
}

/// One phase.
#[derive(Clone, Debug)]
pub struct SolvedPhase {
    /// What it is called.
    pub name: &'static str,
    /// Its moves.
    pub moves: Vec<Move>,
    /// The states that it leads through, the one that it begins with included.
    pub states: Vec<State>,
}

impl SolvedPhases {
    /// All moves.
    pub fn moves(&self) -> Vec<Move> {
        self.phases.iter().flat_map(|phase| phase.moves.iter().copied()).collect()
    }
}

/// The phases of a puzzle that has some.
pub fn phases_of(puzzle: &dyn Rules) -> Result<&dyn Phases> {
    let none = || Error::Usage(format!("{} is not solved in phases", puzzle.text()));
    puzzle.capabilities().phases.ok_or_else(none)
}

/// Solves a state in phases; without `sort`, in the first way that the puzzle has.
pub fn in_phases(
    puzzle: &dyn Rules,
    state: &State,
    sort: Option<&str>,
    effort: &Effort<'_>,
) -> Result<SolvedPhases> {
    let phases = phases_of(puzzle)?;
    let sort = sort.or(phases.sorts().first().copied()).unwrap_or_default();
    let phased = phases.phases(state, sort, effort)?;
    let mut state = state.clone();
    let mut solved = SolvedPhases { sort: sort.to_owned(), cycle: phased.cycle, phases: Vec::new() };
    for (name, moves) in phased.phases {
        let states = replay(puzzle, &state, &moves)?;
        if let Some(last) = states.last() {
            state = last.clone();
        }
        solved.phases.push(SolvedPhase { name, moves, states });
    }
    if !puzzle.is_solved(&state) {
        return Err(Error::verification(format!(
            "the phases of {} do not end solved; please report this",
            puzzle.text()
        )));
    }
    Ok(solved)
}

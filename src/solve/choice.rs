//! Which solvers a puzzle has, and which one is meant.

use super::descent::{self, Descent};
use super::{ReadySolver, Solver, Workbench};
use crate::error::{Error, Instead, Result, usage};
use crate::puzzle::Rules;
use crate::text::nearest;

/// All solvers of a puzzle, the default first: descending a table where it is small enough to be made
/// on the way, and otherwise what the puzzle recommends.
pub fn solvers(puzzle: &dyn Rules) -> Vec<Box<dyn Solver + '_>> {
    let mut solvers = puzzle.solvers();
    if let Some(table) = Descent::new(puzzle) {
        let place = if descent::is_small(puzzle) { 0 } else { solvers.len() };
        solvers.insert(place, Box::new(table));
    }
    solvers
}

/// A solver with the strength it is to be used with.
pub struct Choice<'p> {
    /// The solver.
    pub solver: Box<dyn Solver + 'p>,
    /// What the user chose, or the default, if there is one.
    pub strength: Option<u64>,
}

impl Choice<'_> {
    /// Makes the solver ready.
    pub fn prepare(&self, bench: &Workbench<'_>) -> Result<Box<dyn ReadySolver + '_>> {
        self.solver.prepare(bench, self.strength)
    }

    /// The name, with the strength if it is not the default.
    pub fn name(&self) -> String {
        match self.strength {
            Some(strength) if self.solver.strength() != Some(strength) => self.full_name(),
            _ => self.solver.name().into(),
        }
    }

    /// The name, always with the strength if there is one.
    pub fn full_name(&self) -> String {
        match self.strength {
            Some(strength) => format!("{}={strength}", self.solver.name()),
            None => self.solver.name().into(),
        }
    }
}

/// The solver that a word names, `name` or `name=strength`; without a word, the default.
pub fn choose<'p>(puzzle: &'p dyn Rules, word: Option<&str>) -> Result<Choice<'p>> {
    choose_among(puzzle, solvers(puzzle), word)
}

/// The same among some of a puzzle's solvers, the default first.
pub fn choose_among<'p>(
    puzzle: &'p dyn Rules,
    solvers: Vec<Box<dyn Solver + 'p>>,
    word: Option<&str>,
) -> Result<Choice<'p>> {
    let names: Vec<&str> = solvers.iter().map(|solver| solver.name()).collect();
    let names = names.join(", ");
    let (name, strength) = match word.map(|word| word.split_once('=').ok_or(word)) {
        None => (None, None),
        Some(Err(name)) => (Some(name), None),
        Some(Ok((name, strength))) => (Some(name), Some(strength)),
    };
    let mut solvers = solvers.into_iter();
    let Some(solver) = solvers.find(|solver| name.is_none_or(|name| solver.name() == name)) else {
        return match name {
            Some(name) if !names.is_empty() => Err(Error::Misdirected {
                fact: format!(
                    "{} has no solver `{}`; its solvers are {names}",
                    puzzle.text(),
                    name.escape_debug()
                ),
                instead: match nearest(name, names.split(", ")) {
                    Some(meant) => Instead::Meant(meant.to_owned()),
                    None => Instead::Solvers(puzzle.text()),
                },
            }),
            _ => usage(format!("there is no solver for {}", puzzle.text())),
        };
    };
    let default = solver.strength();
    let strength = match (strength, default) {
        (None, _) => default,
        (Some(text), Some(_)) => match text.parse::<u64>() {
            Ok(number) if number > 0 => Some(number),
            _ => {
                return usage(format!(
                    "`{}` is not a strength of `{}`: write a whole number from 1 on",
                    text.escape_debug(),
                    solver.name()
                ));
            }
        },
        (Some(_), None) => {
            return usage(format!("`{}` has no strength to choose: write its name alone", solver.name()));
        }
    };
    Ok(Choice { solver, strength })
}

#[cfg(test)]
mod tests;

//! Names that stand for several moves: sequences, aliases and derived moves.
//!
//! They may name each other in any order, but no name may lead back to itself.

use std::collections::HashMap;

use super::algorithm::Algorithm;
use super::draft::{Checked, Draft, InLine, MOST_MOVES};
use super::{FormatError, Outcome, quoted};
use crate::puzzles::perm::definition::Transformation;

/// The most moves and brackets in all of them together.
pub(super) const MOST_STEPS: usize = 5_000;

/// What becomes of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It is a move.
    Move,
    /// It is a rotation of the complete puzzle.
    Rotation,
    /// It is only another name, for use in others.
    Alias,
}

/// A name, and what it stands for.
#[derive(Clone, Debug)]
pub(super) struct Derived {
    pub name: String,
    pub role: Role,
    /// In the notation of algorithms.
    pub text: String,
    /// The line that defines it.
    pub line: usize,
}

/// All names of a puzzle, and what they do.
pub(super) struct MoveNames {
    numbers: HashMap<String, usize>,
    transformations: Vec<Option<Transformation>>,
}

impl MoveNames {
    /// The names of moves and rotations.
    pub fn of(draft: &Draft) -> MoveNames {
        let all = draft.moves.iter().chain(&draft.rotations);
        MoveNames {
            numbers: all.clone().map(|mv| mv.name.clone()).zip(0..).collect(),
            transformations: all.map(|mv| Some(mv.transformation.clone())).collect(),
        }
    }

    /// What an algorithm does. Its size is taken from a budget, which several may share.
    pub fn evaluate(&self, text: &str, draft: &Draft, budget: &mut usize) -> Checked<Transformation> {
        let algorithm = self.parse(text)?;
        let left = budget.checked_sub(algorithm.size());
        *budget = left.ok_or_else(|| format!("there are more than {MOST_STEPS} moves"))?;
        Ok(algorithm.transformation(&self.transformations, &draft.orbits))
    }

    /// Refuses what is not an algorithm of these moves.
    pub fn check(&self, text: &str) -> Checked<()> {
        self.parse(text).map(|_| ())
    }

    fn parse(&self, text: &str) -> Checked<Algorithm> {
        Algorithm::parse(text, &|name| self.numbers.get(name).copied())
    }
}

/// Works out derived names, and adds those that are moves or rotations. Returns all names.
pub(super) fn resolve(draft: &mut Draft, derived: &[Derived]) -> Outcome<MoveNames> {
    let mut names = MoveNames::of(draft);
    for new in derived {
        draft.check_new_name(&new.name).in_line(new.line)?;
        let number = names.transformations.len();
        if names.numbers.insert(new.name.clone(), number).is_some() {
            let twice = format!("there are two moves called {}", quoted(&new.name));
            return Err(FormatError::at(new.line, twice));
        }
        if number >= MOST_MOVES {
            return Err(FormatError::at(new.line, format!("there are more than {MOST_MOVES} moves")));
        }
        names.transformations.push(None);
    }
    let first = names.transformations.len() - derived.len();
    let mut steps = 0;
    let mut waiting = Vec::new();
    for (number, new) in (first..).zip(derived) {
        let algorithm = names.parse(&new.text).in_line(new.line)?;
        let uses = algorithm.uses();
        steps += algorithm.size();
        if steps > MOST_STEPS {
            let reason = format!("all sequences together have more than {MOST_STEPS} moves");
            return Err(FormatError::at(new.line, reason));
        }
        waiting.push((number, new, algorithm, uses));
    }
    while !waiting.is_empty() {
        let before = waiting.len();
        waiting.retain(|(number, _, algorithm, uses)| {
            let ready = uses.iter().all(|&used| names.transformations[used].is_some());
            if ready {
                let done = algorithm.transformation(&names.transformations, &draft.orbits);
                names.transformations[*number] = Some(done);
            }
            !ready
        });
        if waiting.len() == before {
            return Err(cycle(&waiting, &names));
        }
    }
    for (number, new) in (first..).zip(derived) {
        if let (Some(transformation), true) = (&names.transformations[number], new.role != Role::Alias) {
            let is_rotation = new.role == Role::Rotation;
            draft.add_move(&new.name, is_rotation, transformation.clone()).in_line(new.line)?;
        }
    }
    Ok(names)
}

/// The refusal of names that lead back to themselves.
fn cycle(waiting: &[(usize, &Derived, Algorithm, Vec<usize>)], names: &MoveNames) -> FormatError {
    let mut path: Vec<usize> = Vec::new();
    let mut at = 0;
    // Each of those that wait needs another one of them: following that, one comes again.
    while !path.contains(&at) {
        path.push(at);
        let missing = waiting[at].3.iter().find(|&&used| names.transformations[used].is_none());
        let next = waiting.iter().position(|(number, ..)| Some(number) == missing);
        at = next.unwrap_or(at);
    }
    let start = path.iter().position(|&other| other == at).unwrap_or(0);
    let shown = path[start..].iter().chain([&at]).take(8);
    let shown: Vec<String> = shown.map(|&other| quoted(&waiting[other].1.name)).collect();
    FormatError::at(
        waiting[at].1.line,
        format!("a move is defined by itself: {}", shown.join(", which needs ")),
    )
}

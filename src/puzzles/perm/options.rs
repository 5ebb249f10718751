//! What a text says besides the definition, and the definition that comes out of it.

use std::collections::HashSet;

use super::definition::{Definition, Pattern};
use super::numbered::Equivalence;
use crate::error::{Error, Result, usage};

/// The most solved patterns.
pub(super) const MOST_SOLVED: usize = 4096;

/// What is asked about a definition.
#[derive(Clone, Debug)]
pub(crate) struct PermutationOptions {
    /// Of the powers of a move, only the first and its inverse count as one move.
    pub quarter: bool,
    /// The listed moves to use; `None`: all.
    pub moves: Option<Vec<String>>,
    /// Which patterns are solved.
    pub goals: Goals,
    /// Orbits whose pieces do not matter.
    pub ignore: Vec<String>,
    /// Which states are one class.
    pub equivalence: Equivalence,
}

/// Which patterns are solved.
#[derive(Clone, Debug)]
pub(crate) enum Goals {
    /// Those of the definition.
    Solved,
    /// Those, rotated in every way.
    Rotations,
    /// Those, and further ones.
    Further(Vec<Pattern>),
}

impl Default for PermutationOptions {
    fn default() -> Self {
        PermutationOptions {
            quarter: false,
            moves: None,
            goals: Goals::Solved,
            ignore: Vec::new(),
            equivalence: Equivalence::Best,
        }
    }
}

impl PermutationOptions {
    /// The definition with these moves, these goals, and without what is ignored.
    pub fn apply(&self, mut definition: Definition) -> Result<Definition> {
        if let Some(names) = &self.moves {
            keep_moves(&mut definition, names)?;
        }
        if self.quarter && !definition.powers {
            return usage("`quarter` does not apply: the moves of this puzzle do not stand for their powers");
        }
        match &self.goals {
            Goals::Solved => {}
            Goals::Rotations => rotate(&mut definition)?,
            Goals::Further(patterns) => definition.solved.extend(patterns.iter().cloned()),
        }
        for name in &self.ignore {
            forget(&mut definition, name)?;
        }
        let mut seen = HashSet::new();
        definition.solved.retain(|pattern| seen.insert(pattern.clone()));
        if definition.solved.len() > MOST_SOLVED {
            return usage(format!("there are more than {MOST_SOLVED} solved patterns"));
        }
        Ok(definition)
    }
}

fn keep_moves(definition: &mut Definition, names: &[String]) -> Result<()> {
    let known: Vec<String> = definition.moves.iter().map(|mv| mv.name.clone()).collect();
    for (at, name) in names.iter().enumerate() {
        if !known.contains(name) {
            return usage(format!("`{name}` is not a move; the moves are {}", known.join(", ")));
        }
        if names[..at].contains(name) {
            return usage(format!("the move `{name}` is given twice"));
        }
    }
    definition.moves.retain(|mv| names.contains(&mv.name));
    Ok(())
}

/// Adds what rotations make of the solved patterns.
fn rotate(definition: &mut Definition) -> Result<()> {
    if definition.rotations.is_empty() {
        return usage("`goals=rotations` does not apply: the definition names no rotations of the puzzle");
    }
    let mut seen: HashSet<Pattern> = definition.solved.iter().cloned().collect();
    let mut at = 0;
    while let Some(pattern) = definition.solved.get(at).cloned() {
        for rotation in &definition.rotations {
            let rotated = pattern.after(&rotation.transformation);
            if seen.insert(rotated.clone()) {
                definition.solved.push(rotated);
            }
        }
        if definition.solved.len() > MOST_SOLVED {
            return usage(format!("the rotations give more than {MOST_SOLVED} solved patterns"));
        }
        at += 1;
    }
    Ok(())
}

/// Makes all pieces of an orbit identical.
fn forget(definition: &mut Definition, name: &str) -> Result<()> {
    let Some(orbit) = definition.orbits.iter().position(|orbit| orbit.name == name) else {
        let names: Vec<&str> = definition.orbits.iter().map(|orbit| orbit.name.as_str()).collect();
        return usage(format!("`{name}` is not a set of pieces; the sets are {}", names.join(", ")));
    };
    let needed = definition.forbidden.iter().map(|forbidden| forbidden.slot.orbit);
    let mut needed = needed.chain(definition.blocks.iter().flatten().map(|name| name.orbit));
    if needed.any(|needed| usize::from(needed) == orbit) {
        return Err(Error::Usage(format!("`{name}` cannot be ignored: what is legal depends on its pieces")));
    }
    for pattern in definition.solved.iter_mut().chain(&mut definition.start) {
        let part = &mut pattern.0[orbit];
        part.pieces.fill(0);
        part.orientation.fill(0);
        part.modulus = vec![1];
    }
    Ok(())
}

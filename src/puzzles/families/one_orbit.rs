//! Definitions with a single orbit: what all families of permutations have in common.

use super::drawn::DrawnPermutation;
use crate::error::{Result, usage};
use crate::puzzle::{PuzzleSpec, Rules};
use crate::puzzles::perm::definition::{
    Definition, NamedMove, Orbit, OrbitTransformation, Pattern, Transformation,
};
use crate::puzzles::perm::{Equivalence, PermutationOptions, PermutationPuzzle};

/// The option that switches symmetries off.
pub(super) const NO_SYMMETRY: &str = "nosym";

/// A puzzle whose pieces lie in one orbit; all of them distinct, and solved in order, unless changed.
pub(super) struct OneOrbit {
    pub text: String,
    pub title: String,
    pub metric: &'static str,
    pub definition: Definition,
}

impl OneOrbit {
    pub fn new(
        text: String,
        title: String,
        metric: &'static str,
        pieces: &str,
        slots: usize,
        turns: u8,
    ) -> Self {
        let orbits = vec![Orbit { name: pieces.to_owned(), slots, orientations: turns }];
        let definition = Definition {
            name: title.clone(),
            solved: vec![Pattern::distinct(&orbits)],
            orbits,
            moves: Vec::new(),
            rotations: Vec::new(),
            powers: false,
            start: None,
            forbidden: Vec::new(),
            blocks: Vec::new(),
        };
        OneOrbit { text, title, metric, definition }
    }

    /// Adds a move: slot `i` receives, turned by `turn(i)`, what was in slot `from(i)`.
    pub fn add(&mut self, name: String, from: impl Fn(usize) -> usize, turn: impl Fn(usize) -> u8) {
        let slots = self.definition.orbits[0].slots;
        let part = OrbitTransformation {
            from: (0..slots).map(|slot| from(slot) as u8).collect(),
            turn: (0..slots).map(turn).collect(),
        };
        self.definition.moves.push(NamedMove { name, transformation: Transformation(vec![part]) });
    }

    /// The puzzle.
    pub fn build(
        mut self,
        words: &PuzzleSpec<'_>,
        draw: impl Fn(&[&str]) -> String + Send + Sync + 'static,
    ) -> Result<Box<dyn Rules>> {
        let symmetry = !words.has_option(NO_SYMMETRY);
        if !symmetry {
            self.text += ":nosym";
        }
        let equivalence = if symmetry { Equivalence::Best } else { Equivalence::Equality };
        let options = PermutationOptions { equivalence, ..PermutationOptions::default() };
        let puzzle = PermutationPuzzle::new(self.text, self.title, self.definition, &options)?;
        Ok(Box::new(DrawnPermutation { puzzle, metric: self.metric, draw: Box::new(draw) }))
    }
}

/// Reads a number of a text.
pub(super) fn number(text: Option<&str>, what: &str, from: usize, to: usize) -> Result<usize> {
    let text = text.unwrap_or_default();
    match text.parse() {
        Ok(number) if (from..=to).contains(&number) => Ok(number),
        _ => usage(format!("`{text}` is not a number of {what} from {from} to {to}")),
    }
}

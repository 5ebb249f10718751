//! Whether a definition is one: every vector as long as its orbit, every move a permutation.
//!
//! All other modules rely on what is checked here.

use super::definition::{Definition, OrbitPattern, OrbitTransformation, Pattern, PieceName, SlotName};
use crate::error::{Result, usage};

/// The most slots of all orbits together.
const MOST_SLOTS: usize = 4096;
/// The most moves and rotations that are listed.
const MOST_MOVES: usize = 4096;

/// Refuses a definition that contradicts itself.
pub(super) fn check(definition: &Definition) -> Result<()> {
    let slots: usize = definition.orbits.iter().map(|orbit| orbit.slots).sum();
    if slots > MOST_SLOTS {
        return usage(format!("there are {slots} slots; at most {MOST_SLOTS} are possible"));
    }
    for orbit in &definition.orbits {
        if !(1..=255).contains(&orbit.slots) || !(1..=127).contains(&orbit.orientations) {
            return usage(format!(
                "the set `{}` has {} slots and {} orientations; possible are 1 to 255 slots and 1 to 127 \
                 orientations",
                orbit.name, orbit.slots, orbit.orientations
            ));
        }
    }
    if definition.moves.is_empty() {
        return usage("there are no moves");
    }
    let named = || definition.moves.iter().chain(&definition.rotations);
    if named().count() > MOST_MOVES {
        return usage(format!("there are more than {MOST_MOVES} moves"));
    }
    for mv in named() {
        let parts = mv.transformation.0.iter().zip(&definition.orbits);
        if mv.transformation.0.len() != definition.orbits.len()
            || !parts.into_iter().all(|(part, orbit)| is_permutation(part, orbit.slots, orbit.orientations))
        {
            return usage(format!("the move `{}` is not a permutation of the slots", mv.name));
        }
    }
    let Some(first) = definition.solved.first() else {
        return usage("there is no solved pattern");
    };
    for pattern in definition.solved.iter().chain(&definition.start) {
        check_pattern(definition, first, pattern)?;
    }
    let exists = |slot: &SlotName| {
        let orbit = definition.orbits.get(usize::from(slot.orbit));
        orbit.is_some_and(|orbit| usize::from(slot.slot) < orbit.slots)
    };
    let labelled = |at: SlotName, piece: u8| {
        let part = first.0.get(usize::from(at.orbit));
        part.is_some_and(|part| usize::from(piece) < part.modulus.len())
    };
    let forbidden = &definition.forbidden;
    if !forbidden.iter().all(|pair| exists(&pair.slot) && labelled(pair.slot, pair.piece)) {
        return usage("a piece is forbidden in a slot, and one of the two does not exist");
    }
    let is_piece = |name: &PieceName| {
        first.0.get(usize::from(name.orbit)).is_some_and(|part| usize::from(name.piece) < part.modulus.len())
    };
    if !definition.blocks.iter().flatten().all(is_piece) {
        return usage("a block has a piece that does not exist");
    }
    Ok(())
}

fn is_permutation(part: &OrbitTransformation, slots: usize, orientations: u8) -> bool {
    let mut seen = vec![false; slots];
    let is_new = |&from: &u8| {
        let seen = seen.get_mut(usize::from(from));
        seen.is_some_and(|seen| !std::mem::replace(seen, true))
    };
    part.from.len() == slots
        && part.turn.len() == slots
        && part.from.iter().all(is_new)
        && part.turn.iter().all(|&turn| turn < orientations)
}

/// Refuses a pattern that does not fit, or does not have the pieces of the first one.
fn check_pattern(definition: &Definition, first: &Pattern, pattern: &Pattern) -> Result<()> {
    if pattern.0.len() != definition.orbits.len() {
        return usage("a pattern does not have all sets of pieces");
    }
    for ((part, reference), orbit) in pattern.0.iter().zip(&first.0).zip(&definition.orbits) {
        let divides = |&modulus: &u8| modulus > 0 && orbit.orientations.is_multiple_of(modulus);
        let fits = part.pieces.len() == orbit.slots
            && part.orientation.len() == orbit.slots
            && part.modulus == reference.modulus
            && part.modulus.iter().all(divides)
            && lies(part);
        if !fits {
            return usage(format!("a pattern does not fit the set `{}`", orbit.name));
        }
        if counts(part) != counts(reference) {
            return usage(format!("two patterns do not have the same pieces of the set `{}`", orbit.name));
        }
    }
    Ok(())
}

/// Whether every piece has a modulus, and an orientation below it.
fn lies(part: &OrbitPattern) -> bool {
    let mut lying = part.pieces.iter().zip(&part.orientation);
    lying.all(|(&piece, orientation)| {
        part.modulus.get(usize::from(piece)).is_some_and(|modulus| orientation < modulus)
    })
}

/// How often each label occurs.
pub(super) fn counts(part: &OrbitPattern) -> Vec<usize> {
    let mut counts = vec![0; part.modulus.len()];
    for &piece in &part.pieces {
        counts[usize::from(piece)] += 1;
    }
    counts
}

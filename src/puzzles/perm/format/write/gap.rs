//! For GAP: moves as permutations of pairs of a slot and an orientation.

use super::{MoveCounting, row};
use crate::puzzles::perm::definition::{Definition, Orbit, Transformation};

/// Generators, the group's size, and the number of states that can be reached from the first solved one.
pub(super) fn write(definition: &Definition) -> String {
    let orbits = &definition.orbits;
    let mut text = String::new();
    if !definition.name.is_empty() {
        text += &format!("# {}\n", definition.name);
    }
    text += "# A point is a slot together with an orientation: what is at it, a move takes to its image.\n";
    let mut first = 1;
    for orbit in orbits {
        let Orbit { name, slots, orientations } = orbit;
        let last = first + slots * usize::from(*orientations) - 1;
        text +=
            &format!("# {name}: {slots} slots, {orientations} orientations each, points {first} to {last}\n");
        first = last + 1;
    }
    for note in notes(definition) {
        text += &format!("# {note}\n");
    }
    let moves = definition.moves.iter();
    let generators =
        moves.map(|mv| format!("  # {}\n  {}", mv.name, cycles(&images(&mv.transformation, orbits))));
    let generators: Vec<String> = generators.collect();
    text += &format!("\ngenerators := [\n{}\n", generators.join(",\n"));
    text += "];;\nG := Group(generators);;\nPrint(\"order of the group: \", Size(G), \"\\n\");\n\n";
    text += "# Points that look alike when the puzzle is solved.\n";
    text += &format!("solved := [\n{}\n];;\n", colours(definition).join(",\n"));
    text += "states := Size(G) / Size(Stabilizer(G, solved, OnTuplesSets));;\n";
    text += "Print(\"states: \", states, \"\\n\");\n";
    text
}

/// What the generators do not say.
fn notes(definition: &Definition) -> Vec<String> {
    let mut notes = Vec::new();
    if MoveCounting::of(definition) != MoveCounting::Powers {
        notes.push("Which powers of a generator count as one move, a group does not say.".to_owned());
    }
    if definition.solved.len() > 1 {
        notes.push(format!("The puzzle has {} solved states: below is the first.", definition.solved.len()));
    }
    if !definition.forbidden.is_empty() || !definition.blocks.is_empty() {
        notes
            .push("Not every move is available in every state, so there are fewer states than below.".into());
    }
    notes
}

/// Where every point goes, from 0.
fn images(transformation: &Transformation, orbits: &[Orbit]) -> Vec<usize> {
    let mut images = Vec::new();
    for (part, orbit) in transformation.0.iter().zip(orbits) {
        let (first, orientations) = (images.len(), usize::from(orbit.orientations));
        images.resize(first + orbit.slots * orientations, 0);
        for (to, (&from, &turn)) in part.from.iter().zip(&part.turn).enumerate() {
            for orientation in 0..orientations {
                let image = to * orientations + (orientation + usize::from(turn)) % orientations;
                images[first + usize::from(from) * orientations + orientation] = first + image;
            }
        }
    }
    images
}

/// A permutation in cycles, with points from 1.
fn cycles(images: &[usize]) -> String {
    let mut seen = vec![false; images.len()];
    let mut text = String::new();
    for start in 0..images.len() {
        let mut cycle = Vec::new();
        let mut at = start;
        while !std::mem::replace(&mut seen[at], true) {
            cycle.push(at + 1);
            at = images[at];
        }
        if cycle.len() > 1 {
            text += &format!("({})", row(cycle, ","));
        }
    }
    if text.is_empty() { "()".into() } else { text }
}

/// The points of the solved state, by what can be told apart: for every piece one set for each orientation
/// that is known of it.
fn colours(definition: &Definition) -> Vec<String> {
    let mut colours = Vec::new();
    let mut first = 1;
    let parts = definition.solved.first().into_iter().flat_map(|solved| &solved.0);
    for (part, orbit) in parts.zip(&definition.orbits) {
        let orientations = usize::from(orbit.orientations);
        for (label, &modulus) in part.modulus.iter().enumerate() {
            for colour in 0..usize::from(modulus) {
                let lying = part.pieces.iter().zip(&part.orientation).enumerate();
                let lying = lying.filter(|(_, (piece, _))| usize::from(**piece) == label);
                let mut points: Vec<usize> = lying
                    .flat_map(|(slot, (_, &turn))| {
                        let alike = (0..orientations).filter(move |place| {
                            (place + orientations - usize::from(turn)) % usize::from(modulus) == colour
                        });
                        alike.map(move |place| first + slot * orientations + place)
                    })
                    .collect();
                points.sort_unstable();
                colours.push(format!("  [{}]", row(points, ",")));
            }
        }
        first += orbit.slots * orientations;
    }
    colours
}

//! For twsearch.

use super::super::tws::is_rotation;
use super::{MoveCounting, row};
use crate::puzzles::perm::definition::{
    Definition, NamedMove, Orbit, OrbitPattern, OrbitTransformation, Pattern, Transformation,
};

/// A definition as twsearch reads it.
pub(super) fn write(definition: &Definition) -> String {
    let names = set_names(&definition.orbits);
    let mut text = String::new();
    for note in notes(definition) {
        text += &format!("# {note}\n");
    }
    if !definition.name.is_empty() {
        text += &format!("Name {}\n", definition.name.replace(char::is_whitespace, "_"));
    }
    text += "\n";
    for (orbit, name) in definition.orbits.iter().zip(&names) {
        text += &format!("Set {name} {} {}\n", orbit.slots, orbit.orientations);
    }
    if let Some(solved) = definition.solved.first() {
        text += &format!("\nSolved\n{}End\n", pattern(solved, definition, &names));
    }
    for mv in definition.rotations.iter().chain(&moves(definition)) {
        let parts = transformation(&mv.transformation, &definition.orbits, &names);
        text += &format!("\nMove {}\n{parts}End\n", mv.name);
    }
    if !definition.forbidden.is_empty() {
        text += "\n";
    }
    for forbidden in &definition.forbidden {
        let slot = forbidden.slot;
        let set = &names[usize::from(slot.orbit)];
        text += &format!("Illegal {set} {} {}\n", slot.slot + 1, forbidden.piece + 1);
    }
    text
}

/// The solved patterns beside the first.
pub(super) fn write_goals(definition: &Definition) -> Option<String> {
    let names = set_names(&definition.orbits);
    let (_, further) = definition.solved.split_first()?;
    let goals = further.iter().map(|goal| format!("Solved\n{}End\n", pattern(goal, definition, &names)));
    (!further.is_empty()).then(|| goals.collect::<Vec<_>>().join("\n"))
}

/// The moves that the format has to list, because it adds powers itself.
fn moves(definition: &Definition) -> Vec<NamedMove> {
    if MoveCounting::of(definition) != MoveCounting::Inverses {
        return definition.moves.clone();
    }
    let mut listed: Vec<NamedMove> = Vec::new();
    for mv in &definition.moves {
        let inverse = mv.transformation.inverse(&definition.orbits);
        if listed.iter().all(|other| ![&inverse, &mv.transformation].contains(&&other.transformation)) {
            listed.push(mv.clone());
        }
    }
    listed
}

/// What the format cannot say.
fn notes(definition: &Definition) -> Vec<String> {
    let mut notes: Vec<String> = MoveCounting::of(definition).note().into_iter().map(str::to_owned).collect();
    if definition.solved.len() > 1 {
        notes.push(format!(
            "The puzzle has {} solved states. This format knows one; the others fit into a file for godnum's \
             option `goals=@FILE`.",
            definition.solved.len()
        ));
    }
    let renamed = definition.orbits.iter().zip(set_names(&definition.orbits));
    for (orbit, name) in renamed.filter(|(orbit, name)| orbit.name != *name) {
        notes.push(format!("{} is called {name} here.", orbit.name));
    }
    for (number, orbit) in definition.orbits.iter().enumerate() {
        let modulus = definition.solved.iter().flat_map(|solved| &solved.0[number].modulus);
        if modulus.copied().any(|modulus| modulus != 1 && modulus != orbit.orientations) {
            notes.push(format!(
                "Some orientations of {} matter only modulo a divisor. This format cannot say that.",
                orbit.name
            ));
        }
    }
    if !definition.blocks.is_empty() {
        notes.push("Some pieces are joined (bandaged). This format cannot say that.".into());
    }
    for mv in definition.moves.iter().filter(|mv| is_rotation(&mv.name)) {
        notes.push(format!("{} is a move, although this format takes it for a rotation.", mv.name));
    }
    for mv in definition.rotations.iter().filter(|mv| !is_rotation(&mv.name)) {
        notes.push(format!("{} is a rotation, although this format takes it for a move.", mv.name));
    }
    notes
}

/// Names of sets that cannot be mistaken for anything else.
fn set_names(orbits: &[Orbit]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for orbit in orbits {
        let mut name = orbit.name.clone();
        let is_odd = name.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '?' | '-' | '#'));
        if is_odd || name == "End" {
            name.insert(0, '_');
        }
        while names.contains(&name) {
            name.push('_');
        }
        names.push(name);
    }
    names
}

fn pattern(pattern: &Pattern, definition: &Definition, names: &[String]) -> String {
    let parts = pattern.0.iter().zip(&definition.orbits).zip(names);
    let part = |((part, orbit), name): ((&OrbitPattern, &Orbit), &String)| {
        let labels = row(part.pieces.iter().map(|label| u16::from(*label) + 1), " ");
        let turn = |(piece, turn): (&u8, &u8)| match part.modulus[usize::from(*piece)] {
            1 if orbit.orientations > 1 => "?".to_owned(),
            _ => turn.to_string(),
        };
        match orbit.orientations {
            1 => format!("{name}\n{labels}\n"),
            _ => format!(
                "{name}\n{labels}\n{}\n",
                row(part.pieces.iter().zip(&part.orientation).map(turn), " ")
            ),
        }
    };
    parts.map(part).collect()
}

fn transformation(transformation: &Transformation, orbits: &[Orbit], names: &[String]) -> String {
    let mut text = String::new();
    for ((part, orbit), name) in transformation.0.iter().zip(orbits).zip(names) {
        let OrbitTransformation { from, turn } = part;
        let still =
            (0..=u8::MAX).zip(from).all(|(at, &from)| at == from) && turn.iter().all(|&turn| turn == 0);
        if still {
            continue;
        }
        text += &format!("{name}\n{}\n", row(from.iter().map(|at| u16::from(*at) + 1), " "));
        if orbit.orientations > 1 {
            // The format has them by the piece as listed.
            let mut listed = vec![0; turn.len()];
            for (&at, &turn) in from.iter().zip(turn) {
                listed[usize::from(at)] = turn;
            }
            text += &format!("{}\n", row(listed, " "));
        }
    }
    text
}

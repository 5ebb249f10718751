//! For cubing.js.

use serde_json::{Value, json};

use super::super::tws::is_rotation;
use super::{MoveCounting, row};
use crate::puzzles::perm::definition::{
    Definition, NamedMove, Orbit, OrbitPattern, Pattern, PieceName, Transformation,
};

/// A definition in JSON, with what the format cannot say in a member `godnum`.
pub(super) fn write(definition: &Definition) -> String {
    let orbits = &definition.orbits;
    let sizes = orbits.iter().map(|orbit| {
        json!({"orbitName": orbit.name, "numPieces": orbit.slots, "numOrientations": orbit.orientations})
    });
    let solved = definition.solved.first().map_or("{}".into(), |solved| pattern(solved, orbits, 4));
    let all = definition.moves.iter().chain(&definition.rotations);
    let moves = all.map(|mv| format!("{}: {}", json!(mv.name), transformation(&mv.transformation, orbits)));
    let mut members = vec![
        format!("\"name\": {}", json!(definition.name)),
        format!("\"orbits\": {}", list(sizes.map(|size| size.to_string()), 4, ['[', ']'])),
        format!("\"defaultPattern\": {solved}"),
        format!("\"moves\": {}", list(moves, 4, ['{', '}'])),
    ];
    let extra = extra(definition);
    if !extra.is_empty() {
        members.push(format!("\"godnum\": {}", list(extra, 4, ['{', '}'])));
    }
    list(members, 2, ['{', '}']) + "\n"
}

/// What the format cannot say.
fn extra(definition: &Definition) -> Vec<String> {
    let orbits = &definition.orbits;
    let mut members = Vec::new();
    if let Some(note) = MoveCounting::of(definition).note() {
        members.push(format!("\"notes\": {}", json!([note])));
    }
    if !definition.powers {
        members.push("\"powers\": false".into());
    }
    let unlike = |moves: &[NamedMove], rotation| moves.iter().any(|mv| is_rotation(&mv.name) != rotation);
    if unlike(&definition.moves, false) || unlike(&definition.rotations, true) {
        let names: Vec<&str> = definition.rotations.iter().map(|mv| &*mv.name).collect();
        members.push(format!("\"rotations\": {}", json!(names)));
    }
    if definition.solved.len() > 1 {
        let goals = definition.solved[1..].iter().map(|goal| pattern(goal, orbits, 8));
        members.push(format!("\"goals\": {}", list(goals, 6, ['[', ']'])));
    }
    let name = |orbit: u8| &*orbits[usize::from(orbit)].name;
    if !definition.forbidden.is_empty() {
        let all = definition.forbidden.iter();
        let all: Vec<Value> = all.map(|it| json!([name(it.slot.orbit), it.slot.slot, it.piece])).collect();
        members.push(format!("\"forbidden\": {}", json!(all)));
    }
    if !definition.blocks.is_empty() {
        let block = |block: &Vec<_>| -> Vec<Value> {
            let piece = |it: &PieceName| json!([name(it.orbit), it.piece]);
            block.iter().map(piece).collect()
        };
        let all: Vec<Vec<Value>> = definition.blocks.iter().map(block).collect();
        members.push(format!("\"blocks\": {}", json!(all)));
    }
    members
}

fn pattern(pattern: &Pattern, orbits: &[Orbit], indent: usize) -> String {
    let part = |(part, orbit): (&OrbitPattern, &Orbit)| {
        let modulus = part.pieces.iter().map(|&piece| match part.modulus[usize::from(piece)] {
            all if all == orbit.orientations => 0,
            divisor => divisor,
        });
        let modulus: Vec<u8> = modulus.collect();
        let mut data = format!(
            "\"pieces\": [{}], \"orientation\": [{}]",
            row(&part.pieces, ", "),
            row(&part.orientation, ", ")
        );
        if modulus.iter().any(|&modulus| modulus != 0) {
            data += &format!(", \"orientationMod\": [{}]", row(modulus, ", "));
        }
        format!("{}: {{ {data} }}", json!(orbit.name))
    };
    list(pattern.0.iter().zip(orbits).map(part), indent, ['{', '}'])
}

fn transformation(transformation: &Transformation, orbits: &[Orbit]) -> String {
    let parts = transformation.0.iter().zip(orbits).map(|(part, orbit)| {
        format!(
            "{}: {{ \"permutation\": [{}], \"orientationDelta\": [{}] }}",
            json!(orbit.name),
            row(&part.from, ", "),
            row(&part.turn, ", ")
        )
    });
    list(parts, 6, ['{', '}'])
}

/// Entries of a list or an object, one in a line.
fn list(entries: impl IntoIterator<Item = String>, indent: usize, [open, close]: [char; 2]) -> String {
    let entries: Vec<String> = entries.into_iter().map(|entry| format!("{:indent$}{entry}", "")).collect();
    match entries.is_empty() {
        true => format!("{open}{close}"),
        false => format!("{open}\n{}\n{:2$}{close}", entries.join(",\n"), "", indent - 2),
    }
}

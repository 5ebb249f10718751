//! The format of cubing.js, KPuzzle definitions in JSON.
//!
//! ```json
//! {
//!   "name": "example",
//!   "orbits": [{ "orbitName": "CORNERS", "numPieces": 4, "numOrientations": 3 }],
//!   "defaultPattern": { "CORNERS": { "pieces": [0, 1, 2, 3], "orientation": [0, 0, 0, 0] } },
//!   "moves": { "R": { "CORNERS": { "permutation": [1, 2, 0, 3], "orientationDelta": [1, 1, 1, 0] } } },
//!   "derivedMoves": { "RR": "[R: R]" }
//! }
//! ```
//!
//! Everything is counted from 0, and the orientations of a move are by slot. `orientationMod` beside
//! `orientation` says modulo what the orientation of each piece is known: 0 completely, 1 not at all. An orbit
//! that is missing from a move stays as it is; one that is missing from the pattern has distinct pieces.
//! Derived moves are moves as well, and names of rotations are those of [`tws`](super::tws). Older names of
//! members are understood: `startState`, `orientation` of a move, `experimentalDerivedMoves`.
//!
//! What the format cannot say is in a member `godnum`, which other programs pass over; see [`Extra`].

use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::derived::{Derived, Role, resolve};
use super::draft::{Checked, Draft, GivenPattern, MOST_PATTERNS, title};
use super::tws::is_rotation;
use super::{FormatError, Outcome, quoted};
use crate::puzzles::perm::definition::{Definition, Forbidden, Pattern, Transformation};

/// A definition as the file has it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KPuzzle {
    #[serde(default)]
    name: String,
    orbits: Vec<OrbitSize>,
    #[serde(alias = "startState")]
    default_pattern: InOrder<PatternData>,
    moves: InOrder<InOrder<MoveData>>,
    #[serde(alias = "experimentalDerivedMoves")]
    derived_moves: Option<InOrder<String>>,
    godnum: Option<Extra>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OrbitSize {
    orbit_name: String,
    num_pieces: u32,
    num_orientations: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PatternData {
    pieces: Vec<u32>,
    orientation: Option<Vec<u32>>,
    orientation_mod: Option<Vec<u32>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MoveData {
    permutation: Vec<u32>,
    #[serde(alias = "orientation")]
    orientation_delta: Option<Vec<u32>>,
}

/// What only this program says in such a file.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Extra {
    /// Whether the powers of a move are moves, too.
    powers: Option<bool>,
    /// Which moves are rotations, whatever they are called.
    rotations: Option<Vec<String>>,
    /// Further solved patterns.
    #[serde(default)]
    goals: Vec<InOrder<PatternData>>,
    /// Pieces that may not lie in a slot: set, slot, label.
    #[serde(default)]
    forbidden: Vec<(String, u32, u32)>,
    /// Joined pieces: set, label.
    #[serde(default)]
    blocks: Vec<Vec<(String, u32)>>,
    /// For readers.
    #[serde(default)]
    #[allow(dead_code)]
    notes: Vec<String>,
}

/// Reads a definition.
pub(super) fn read(text: &str) -> Outcome<Definition> {
    let file: KPuzzle = parse(text)?;
    let mut draft = Draft { name: title(&file.name), ..Draft::default() };
    for (number, orbit) in file.orbits.iter().enumerate() {
        let added = draft.add_orbit(&orbit.orbit_name, orbit.num_pieces, orbit.num_orientations);
        added.map_err(|reason| at(text, &["orbits", &number.to_string()], reason))?;
    }
    let given = given(&file.default_pattern, &draft);
    let set = given.and_then(|given| draft.set_solved(&given).map_err(Misplaced::here));
    let name = if text.contains("\"defaultPattern\"") { "defaultPattern" } else { "startState" };
    set.map_err(|error| error.below(text, &[name]))?;

    let extra = file.godnum.unwrap_or_default();
    let named: Option<HashSet<&str>> =
        extra.rotations.as_ref().map(|names| names.iter().map(String::as_str).collect());
    let turns_all = |name: &str| match &named {
        Some(names) => names.contains(name),
        None => is_rotation(name),
    };
    for (name, parts) in &file.moves.0 {
        let transformation = transformation(parts, &draft);
        let added = transformation.and_then(|transformation| {
            draft.add_move(name, turns_all(name), transformation).map_err(Misplaced::here)
        });
        added.map_err(|error| error.below(text, &["moves", name]))?;
    }
    let derived = file.derived_moves.unwrap_or_default().0;
    let derived: Vec<Derived> = (1..)
        .zip(derived)
        .map(|(line, (name, text))| {
            let role = if turns_all(&name) { Role::Rotation } else { Role::Move };
            Derived { name, role, text, line }
        })
        .collect();
    resolve(&mut draft, &derived).map_err(|error| {
        // Where the error is, is counted in derived moves so far.
        let name = error.line.checked_sub(1).and_then(|number| derived.get(number));
        let name = name.map_or("", |derived| &derived.name);
        let member =
            if text.contains("\"derivedMoves\"") { "derivedMoves" } else { "experimentalDerivedMoves" };
        at(text, &[member, name], error.reason)
    })?;
    add_extra(&extra, &mut draft).map_err(|error| error.below(text, &["godnum"]))?;
    let definition = draft.finish().map_err(|reason| FormatError::at(0, reason))?;
    Ok(Definition { powers: extra.powers.unwrap_or(true), ..definition })
}

/// Reads one pattern, or a list of them.
pub(super) fn read_patterns(text: &str, definition: &Definition) -> Outcome<Vec<Pattern>> {
    let is_list = text.trim_start().starts_with('[');
    let patterns: Vec<InOrder<PatternData>> = match is_list {
        true => parse(text)?,
        false => vec![parse(text)?],
    };
    check_number(&patterns).map_err(|reason| FormatError::at(0, reason))?;
    let draft = Draft::of(definition);
    let read = |(number, data): (usize, &InOrder<PatternData>)| {
        let pattern = given(data, &draft).and_then(|given| draft.pattern(&given).map_err(Misplaced::here));
        pattern.map_err(|error| match is_list {
            true => error.below(text, &[&number.to_string()]),
            false => error.below(text, &[]),
        })
    };
    patterns.iter().enumerate().map(read).collect()
}

fn check_number(patterns: &[InOrder<PatternData>]) -> Checked<()> {
    match patterns.len() > MOST_PATTERNS {
        true => Err(format!("there are more than {MOST_PATTERNS} patterns")),
        false => Ok(()),
    }
}

/// Adds what only this program says.
fn add_extra(extra: &Extra, draft: &mut Draft) -> Result<(), Misplaced> {
    check_number(&extra.goals).map_err(Misplaced::here)?;
    for goal in &extra.goals {
        let given = given(goal, draft)?;
        let goal = draft.pattern(&given).map_err(Misplaced::here)?;
        draft.solved.push(goal);
    }
    let add = |draft: &mut Draft| -> Checked<()> {
        for (set, slot, label) in &extra.forbidden {
            let orbit = draft.orbit(set)?;
            let slot = draft.slot(orbit, *slot)?;
            draft.forbidden.push(Forbidden { slot, piece: draft.piece(orbit, *label, 0)?.piece });
        }
        for block in &extra.blocks {
            let pieces = block.iter().map(|(set, label)| draft.piece(draft.orbit(set)?, *label, 0));
            let block = pieces.collect::<Checked<Vec<_>>>()?;
            draft.blocks.push(block);
        }
        Ok(())
    };
    add(draft).map_err(Misplaced::here)
}

/// What a pattern says of every orbit.
fn given(data: &InOrder<PatternData>, draft: &Draft) -> Result<Vec<Option<GivenPattern>>, Misplaced> {
    let mut all: Vec<Option<GivenPattern>> = vec![None; draft.orbits.len()];
    for (name, PatternData { pieces, orientation, orientation_mod }) in &data.0 {
        let in_orbit = |reason| Misplaced { member: Some(name.clone()), reason };
        let orbit = draft.orbit(name).map_err(in_orbit)?;
        check_length(pieces, "pieces", draft, orbit).map_err(in_orbit)?;
        for (row, what) in [(orientation, "orientation"), (orientation_mod, "orientationMod")] {
            if let Some(row) = row {
                check_length(row, what, draft, orbit).map_err(in_orbit)?;
            }
        }
        if let Some(label) = pieces.iter().find(|&&label| label > 255) {
            return Err(in_orbit(format!("{label} is too large: labels go up to 255")));
        }
        let known = |row: &Vec<u32>| row.iter().copied().map(Some).collect();
        all[orbit] = Some(GivenPattern {
            pieces: known(pieces),
            orientation: orientation.as_ref().map(known),
            modulus: orientation_mod.clone(),
        });
    }
    Ok(all)
}

/// What a move does.
fn transformation(parts: &InOrder<MoveData>, draft: &Draft) -> Result<Transformation, Misplaced> {
    let mut all = Transformation::identity(&draft.orbits);
    for (name, MoveData { permutation, orientation_delta }) in &parts.0 {
        let part = || -> Checked<_> {
            let orbit = draft.orbit(name)?;
            let still = vec![0; permutation.len()];
            let turn = orientation_delta.as_ref().unwrap_or(&still);
            check_length(permutation, "permutation", draft, orbit)?;
            check_length(turn, "orientationDelta", draft, orbit)?;
            Ok((orbit, draft.part(orbit, permutation, turn)?))
        };
        let (orbit, part) = part().map_err(|reason| Misplaced { member: Some(name.clone()), reason })?;
        all.0[orbit] = part;
    }
    Ok(all)
}

fn check_length(row: &[u32], what: &str, draft: &Draft, orbit: usize) -> Checked<()> {
    let slots = draft.orbits[orbit].slots;
    match row.len() == slots {
        true => Ok(()),
        false => Err(format!("`{what}` has {} numbers, not {slots}", row.len())),
    }
}

/// Something wrong in a member of an object, or in the object itself.
struct Misplaced {
    member: Option<String>,
    reason: String,
}

impl Misplaced {
    fn here(reason: String) -> Self {
        Misplaced { member: None, reason }
    }

    /// The error, with the line of what is wrong; the object is where a path of members leads.
    fn below(self, text: &str, path: &[&str]) -> FormatError {
        let path: Vec<&str> = path.iter().copied().chain(self.member.as_deref()).collect();
        at(text, &path, self.reason)
    }
}

/// Reads JSON.
fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Outcome<T> {
    serde_json::from_str(text).map_err(|error| {
        let reason = error.to_string();
        let end = reason.rfind(" at line ").unwrap_or(reason.len());
        FormatError::at(error.line(), format!("this is not a KPuzzle: {}", reason[..end].escape_debug()))
    })
}

/// An error in what a path of members leads to.
fn at(text: &str, path: &[&str], reason: impl Into<String>) -> FormatError {
    let mut reader = serde_json::Deserializer::from_str(text);
    let line = Find(path).deserialize(&mut reader).err().map_or(0, |error| error.line());
    let place: Vec<String> = path.iter().map(|name| quoted(name)).collect();
    let reason = reason.into();
    FormatError::at(
        line,
        match place.is_empty() {
            true => reason,
            false => format!("in {}: {reason}", place.join(", ")),
        },
    )
}

/// Walks down a path of members and fails at its end, which tells the line.
struct Find<'a>(&'a [&'a str]);

impl<'de> DeserializeSeed<'de> for Find<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.0.is_empty() {
            true => Err(D::Error::custom("")),
            false => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Find<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or a list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            match self.0.split_first() {
                Some((first, rest)) if **first == *name => map.next_value_seed(Find(rest))?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let (number, rest) = match self.0.split_first() {
            Some((first, rest)) => (first.parse().unwrap_or(0), rest),
            None => (0, self.0),
        };
        for _ in 0..number {
            list.next_element::<IgnoredAny>()?;
        }
        list.next_element_seed(Find(rest)).map(|_| ())
    }
}

/// The members of an object in the order of the file; one that comes twice is refused.
struct InOrder<T>(Vec<(String, T)>);

impl<T> Default for InOrder<T> {
    fn default() -> Self {
        InOrder(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for InOrder<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members(PhantomData))
    }
}

struct Members<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
    type Value = InOrder<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<InOrder<T>, A::Error> {
        let mut names = HashSet::new();
        let mut members = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            if !names.insert(name.clone()) {
                return Err(A::Error::custom(format!("{} is in it twice", quoted(&name))));
            }
            members.push((name, map.next_value()?));
        }
        Ok(InOrder(members))
    }
}

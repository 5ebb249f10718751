//! What every format must obey: a definition in the making, which checks whatever is added to it.

use std::collections::BTreeSet;

use super::{FormatError, Outcome, quoted};
use crate::puzzles::perm::definition::{
    Definition, Forbidden, NamedMove, Orbit, OrbitPattern, OrbitTransformation, Pattern, PieceName, SlotName,
    Transformation,
};

/// The most sets of a puzzle.
const MOST_SETS: usize = 255;
/// The most slots of a set.
pub(super) const MOST_SLOTS: u32 = 255;
/// The most slots of all sets.
const MOST_SLOTS_IN_ALL: usize = 4096;
/// The most orientations of a piece.
const MOST_ORIENTATIONS: u32 = 127;
/// The most moves, and names that stand for moves.
pub(super) const MOST_MOVES: usize = 1000;
/// The most patterns in a file.
pub(super) const MOST_PATTERNS: usize = 4096;
/// The longest name.
const LONGEST_NAME: usize = 100;

/// What goes wrong, before it is known in which line.
pub(super) type Checked<T> = std::result::Result<T, String>;

/// Adds the line to a reason.
pub(super) trait InLine<T> {
    /// The same, as an error in a line.
    fn in_line(self, line: usize) -> Outcome<T>;
}

impl<T> InLine<T> for Checked<T> {
    fn in_line(self, line: usize) -> Outcome<T> {
        self.map_err(|reason| FormatError::at(line, reason))
    }
}

/// A label or an orientation as a file gives it; `None` is a question mark.
pub(super) type GivenNumber = Option<u32>;

/// What a file says of the pieces in the slots of one set.
#[derive(Clone, Debug)]
pub(super) struct GivenPattern {
    /// The label in each slot, in the file's own numbering.
    pub pieces: Vec<GivenNumber>,
    /// The orientation in each slot; all 0 if the file does not say.
    pub orientation: Option<Vec<GivenNumber>>,
    /// The modulus in each slot; that of the set if the file does not say. 0 stands for it, too.
    pub modulus: Option<Vec<u32>>,
}

/// A definition in the making.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub name: String,
    pub orbits: Vec<Orbit>,
    pub moves: Vec<NamedMove>,
    pub rotations: Vec<NamedMove>,
    /// The labels of the file for each orbit, ascending, which get the numbers 0, 1, ...; a question mark
    /// comes last.
    pub labels: Vec<Vec<u32>>,
    pub solved: Vec<Pattern>,
    pub forbidden: Vec<Forbidden>,
    pub blocks: Vec<Vec<PieceName>>,
}

/// The number of a question mark among labels: larger than any.
const UNKNOWN: u32 = u32::MAX;

impl Draft {
    /// The draft that a finished definition came from, with labels from 0.
    pub fn of(definition: &Definition) -> Draft {
        let labels = |part: &OrbitPattern| (0..).take(part.modulus.len()).collect();
        let labels = definition.solved.first().map(|solved| solved.0.iter().map(labels).collect());
        Draft {
            orbits: definition.orbits.clone(),
            moves: definition.moves.clone(),
            rotations: definition.rotations.clone(),
            labels: labels.unwrap_or_default(),
            solved: definition.solved.clone(),
            ..Draft::default()
        }
    }

    /// Adds a set.
    pub fn add_orbit(&mut self, name: &str, slots: u32, orientations: u32) -> Checked<()> {
        check_name(name)?;
        if self.orbits.iter().any(|orbit| orbit.name == name) {
            return Err(format!("there are two sets called {}", quoted(name)));
        }
        if !(1..=MOST_SLOTS).contains(&slots) {
            return Err(format!("a set has 1 to {MOST_SLOTS} pieces, not {slots}"));
        }
        let Some(count) = u8::try_from(orientations).ok().filter(|_| orientations <= MOST_ORIENTATIONS)
        else {
            return Err(format!("a piece has at most {MOST_ORIENTATIONS} orientations, not {orientations}"));
        };
        if count == 0 {
            return Err("a piece has at least one orientation".into());
        }
        let slots = slots as usize;
        if self.orbits.len() == MOST_SETS {
            return Err(format!("there are more than {MOST_SETS} sets"));
        }
        if self.orbits.iter().map(|orbit| orbit.slots).sum::<usize>() + slots > MOST_SLOTS_IN_ALL {
            return Err(format!("all sets together have more than {MOST_SLOTS_IN_ALL} pieces"));
        }
        self.orbits.push(Orbit { name: name.into(), slots, orientations: count });
        Ok(())
    }

    /// The number of the set with this name.
    pub fn orbit(&self, name: &str) -> Checked<usize> {
        let found = self.orbits.iter().position(|orbit| orbit.name == name);
        found.ok_or_else(|| format!("there is no set called {}", quoted(name)))
    }

    /// What a move does to an orbit: slot `i` receives what was in slot `from[i]`, turned by `turn[i]`.
    pub fn part(&self, orbit: usize, from: &[u32], turn: &[u32]) -> Checked<OrbitTransformation> {
        let Orbit { name, slots, orientations } = &self.orbits[orbit];
        let mut seen = vec![false; *slots];
        for &at in from {
            match seen.get_mut(at as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err(format!("this is not a permutation of the {slots} pieces of {name}")),
            }
        }
        if let Some(&turn) = turn.iter().find(|&&turn| turn >= u32::from(*orientations)) {
            return Err(format!(
                "{turn} is not an orientation of {name}: they are counted from 0, and there are {orientations}"
            ));
        }
        let bytes = |row: &[u32]| row.iter().map(|&number| number as u8).collect();
        Ok(OrbitTransformation { from: bytes(from), turn: bytes(turn) })
    }

    /// Adds a move, or a rotation.
    pub fn add_move(&mut self, name: &str, is_rotation: bool, transformation: Transformation) -> Checked<()> {
        self.check_new_name(name)?;
        let named = NamedMove { name: name.into(), transformation };
        match is_rotation {
            true => self.rotations.push(named),
            false => self.moves.push(named),
        }
        Ok(())
    }

    /// Refuses a name that a move already has, or that none can have.
    pub fn check_new_name(&self, name: &str) -> Checked<()> {
        check_name(name)?;
        if self.moves.len() + self.rotations.len() >= MOST_MOVES {
            return Err(format!("there are more than {MOST_MOVES} moves"));
        }
        match self.moves.iter().chain(&self.rotations).any(|mv| mv.name == name) {
            true => Err(format!("there are two moves called {}", quoted(name))),
            false => Ok(()),
        }
    }

    /// The solved pattern, whose labels become those of the puzzle. What the file does not say of a set is
    /// that all pieces are distinct and unturned.
    pub fn set_solved(&mut self, given: &[Option<GivenPattern>]) -> Checked<()> {
        let mut parts = Vec::new();
        self.labels.clear();
        for (orbit, given) in self.orbits.iter().zip(given) {
            let (labels, part) = match given {
                Some(given) => labelled(orbit, given)?,
                None => {
                    let mut distinct = Pattern::distinct(std::slice::from_ref(orbit)).0;
                    ((0..).take(orbit.slots).collect(), distinct.remove(0))
                }
            };
            self.labels.push(labels);
            parts.push(part);
        }
        self.solved = vec![Pattern(parts)];
        Ok(())
    }

    /// A further pattern with the same pieces as the solved one, which also is what is not given.
    pub fn pattern(&self, given: &[Option<GivenPattern>]) -> Checked<Pattern> {
        let solved = self.solved.first().ok_or("there is no solved pattern")?;
        let parts = self.orbits.iter().zip(&solved.0).zip(given);
        let part = |((orbit, solved), given): ((&Orbit, &OrbitPattern), &Option<GivenPattern>)| match given {
            Some(given) => like(orbit, solved, given),
            None => Ok(solved.clone()),
        };
        parts.map(part).collect::<Checked<_>>().map(Pattern)
    }

    /// The number of a label, which is counted from 0 here, and in the file from `first`.
    pub fn piece(&self, orbit: usize, label: u32, first: u32) -> Checked<PieceName> {
        let labels = self.labels.get(orbit).map_or(&[][..], |labels| labels);
        match labels.binary_search(&label) {
            // Both fit: there are no more labels than slots, and no more sets than a byte can count.
            Ok(at) => Ok(PieceName { orbit: orbit as u8, piece: at as u8 }),
            Err(_) => Err(format!("there is no piece {} in {}", label + first, self.orbits[orbit].name)),
        }
    }

    /// A slot, counted from 0.
    pub fn slot(&self, orbit: usize, slot: u32) -> Checked<SlotName> {
        let Orbit { name, slots, .. } = &self.orbits[orbit];
        match (slot as usize) < *slots {
            true => Ok(SlotName { orbit: orbit as u8, slot: slot as u8 }),
            false => Err(format!("{name} has {slots} slots, no more")),
        }
    }

    /// The finished definition.
    pub fn finish(self) -> Checked<Definition> {
        if self.orbits.is_empty() {
            return Err("there is no set of pieces in it".into());
        }
        if self.solved.is_empty() {
            return Err("it does not say what solved is".into());
        }
        if self.moves.is_empty() {
            return Err("there is no move in it".into());
        }
        for Forbidden { slot, piece } in &self.forbidden {
            let (orbit, slot) = (usize::from(slot.orbit), usize::from(slot.slot));
            if self.solved.iter().any(|solved| solved.0[orbit].pieces[slot] == *piece) {
                return Err(format!(
                    "the solved state is illegal: a piece lies in slot {} of {}, where it may not",
                    slot + 1,
                    self.orbits[orbit].name
                ));
            }
        }
        Ok(Definition {
            name: self.name,
            orbits: self.orbits,
            moves: self.moves,
            rotations: self.rotations,
            powers: true,
            solved: self.solved,
            start: None,
            forbidden: self.forbidden,
            blocks: self.blocks,
        })
    }
}

/// Refuses what cannot be the name of a set or of a move.
fn check_name(name: &str) -> Checked<()> {
    let length = name.chars().count();
    if length == 0 || length > LONGEST_NAME {
        return Err(format!("a name has 1 to {LONGEST_NAME} characters, not {length}"));
    }
    match name.chars().any(|c| c.is_whitespace() || c.is_control()) {
        true => Err(format!("{} is not a name: a name is one word", quoted(name))),
        false => Ok(()),
    }
}

/// A name for the complete puzzle: one line, not too long.
pub(super) fn title(text: &str) -> String {
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    words.join(" ").chars().take(LONGEST_NAME).collect()
}

/// Numbers the labels of a pattern: the labels of the file, ascending, and the pattern with their ranks.
fn labelled(orbit: &Orbit, given: &GivenPattern) -> Checked<(Vec<u32>, OrbitPattern)> {
    let all: Vec<u32> = given.pieces.iter().map(|label| label.unwrap_or(UNKNOWN)).collect();
    let labels: Vec<u32> = all.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
    let rank = |label: &u32| labels.partition_point(|other| other < label) as u8;
    let pieces: Vec<u8> = all.iter().map(rank).collect();
    let mut modulus: Vec<Option<u8>> = vec![None; labels.len()];
    let mut orientation = Vec::with_capacity(pieces.len());
    for (slot, &piece) in pieces.iter().enumerate() {
        let (turn, known) = orientation_of(orbit, given, slot)?;
        let agreed = *modulus[usize::from(piece)].get_or_insert(known);
        if agreed != known {
            return Err(format!(
                "identical pieces of {} contradict each other: the orientation of one matters, that of \
                 another does not, or less (slot {})",
                orbit.name,
                slot + 1
            ));
        }
        orientation.push(turn);
    }
    let modulus = modulus.into_iter().map(|known| known.unwrap_or(orbit.orientations)).collect();
    Ok((labels, OrbitPattern { pieces, orientation, modulus }))
}

/// The orientation in a slot, and the modulus that it is known with.
fn orientation_of(orbit: &Orbit, given: &GivenPattern, slot: usize) -> Checked<(u8, u8)> {
    let name = &orbit.name;
    let all = u32::from(orbit.orientations);
    let known = match given.modulus.as_ref().map_or(0, |modulus| modulus[slot]) {
        0 => all,
        known if all.is_multiple_of(known) => known,
        other => {
            return Err(format!(
                "{other} does not divide the number of orientations of {name}, which is {all}"
            ));
        }
    };
    match given.orientation.as_ref().map_or(Some(0), |orientation| orientation[slot]) {
        None => Ok((0, 1)),
        // A divisor of at most 127.
        Some(turn) if turn < all => Ok(((turn % known) as u8, known as u8)),
        Some(turn) => Err(format!(
            "{turn} is not an orientation of {name}: they are counted from 0, and there are {all}"
        )),
    }
}

/// A pattern of an orbit with the same pieces as the solved one.
fn like(orbit: &Orbit, solved: &OrbitPattern, given: &GivenPattern) -> Checked<OrbitPattern> {
    let Orbit { name, .. } = orbit;
    let alone = GivenPattern { orientation: None, modulus: None, ..given.clone() };
    let (_, OrbitPattern { pieces, .. }) = labelled(orbit, &alone)?;
    let sorted = |pieces: &[u8]| {
        let mut sorted = pieces.to_vec();
        sorted.sort_unstable();
        sorted
    };
    if sorted(&pieces) != sorted(&solved.pieces) {
        return Err(format!("the pieces of {name} are not those of the solved state"));
    }
    let mut orientation = Vec::with_capacity(pieces.len());
    for (slot, &piece) in pieces.iter().enumerate() {
        let (turn, known) = orientation_of(orbit, given, slot)?;
        let modulus = solved.modulus[usize::from(piece)];
        if !known.is_multiple_of(modulus) {
            return Err(format!(
                "the orientation in slot {} of {name} is not given, although it matters in the solved state",
                slot + 1
            ));
        }
        orientation.push(turn % modulus);
    }
    Ok(OrbitPattern { pieces, orientation, modulus: solved.modulus.clone() })
}

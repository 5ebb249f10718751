//! A permutation puzzle as a definition gives it: orbits of slots, moves, solved pieces.
//!
//! This is all that file formats and families produce, and all that an index, symmetries, a notation and an
//! export read. A *pattern* says what lies in every slot; a *transformation* says what a move does to
//! any pattern. Every vector has one entry for each slot of its orbit.

/// A permutation puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// What it is called; empty if the definition does not say.
    pub name: String,
    /// The orbits; no move takes a piece out of its orbit.
    pub orbits: Vec<Orbit>,
    /// The moves as the definition lists them. Which of their powers are moves as well, the metric decides.
    pub moves: Vec<NamedMove>,
    /// Rotations of the complete puzzle: no moves, but `goals=rotations` means what they make of the solved
    /// pattern.
    pub rotations: Vec<NamedMove>,
    /// Whether a listed move stands for all of its powers (`tws`, `def`, KPuzzle), or for itself alone.
    pub powers: bool,
    /// The solved patterns: one, or several.
    pub solved: Vec<Pattern>,
    /// A pattern to start from, if the definition has one.
    pub start: Option<Pattern>,
    /// Pieces that may not lie in a slot. Where a move or a power would bring one there, it is not available;
    /// what a power passes on its way does not matter.
    pub forbidden: Vec<Forbidden>,
    /// Bandaged pieces. A move or a power is available only where it moves all pieces of a block or none. It
    /// [moves](Transformation::moves) what lies in the slots that it permutes or turns; of several identical
    /// pieces, one is enough.
    pub blocks: Vec<Vec<PieceName>>,
}

/// Slots among which moves permute pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orbit {
    /// What it is called.
    pub name: String,
    /// How many slots.
    pub slots: usize,
    /// In how many orientations a piece can lie in a slot: 1 to 127.
    pub orientations: u8,
}

/// What lies in the slots of all orbits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern(pub Vec<OrbitPattern>);

/// What lies in the slots of one orbit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OrbitPattern {
    /// Which piece lies in a slot: labels from 0 without gaps; equal labels are identical pieces.
    pub pieces: Vec<u8>,
    /// How it lies there; less than the modulus of the piece.
    pub orientation: Vec<u8>,
    /// By label: the orientation is known modulo this divisor of the orbit's orientations. 1: it does not
    /// matter.
    pub modulus: Vec<u8>,
}

/// A move and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedMove {
    /// Its name.
    pub name: String,
    /// What it does.
    pub transformation: Transformation,
}

/// What a move does to the slots of all orbits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Transformation(pub Vec<OrbitTransformation>);

/// What a move does to the slots of one orbit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OrbitTransformation {
    /// Slot `i` receives what was in slot `from[i]`.
    pub from: Vec<u8>,
    /// What arrives in slot `i` is turned by `turn[i]`.
    pub turn: Vec<u8>,
}

/// A piece that may not lie in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forbidden {
    /// The slot.
    pub slot: SlotName,
    /// The label.
    pub piece: u8,
}

/// A piece of an orbit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PieceName {
    /// The orbit, counted from 0.
    pub orbit: u8,
    /// The label.
    pub piece: u8,
}

/// A slot of an orbit, both counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SlotName {
    /// The orbit.
    pub orbit: u8,
    /// The slot in it.
    pub slot: u8,
}

impl NamedMove {
    /// The move that undoes this one, under the same name.
    pub fn inverse(&self, orbits: &[Orbit]) -> NamedMove {
        NamedMove { name: self.name.clone(), transformation: self.transformation.inverse(orbits) }
    }
}

impl Transformation {
    /// The transformation that changes nothing.
    pub fn identity(orbits: &[Orbit]) -> Transformation {
        let still = |orbit: &Orbit| OrbitTransformation {
            from: (0..=u8::MAX).take(orbit.slots).collect(),
            turn: vec![0; orbit.slots],
        };
        Transformation(orbits.iter().map(still).collect())
    }

    /// The transformation that does `self` first and `next` after it.
    pub fn then(&self, next: &Transformation, orbits: &[Orbit]) -> Transformation {
        let parts = self.0.iter().zip(&next.0).zip(orbits);
        let joined = parts.map(|((first, second), orbit)| {
            let sources = second.from.iter().zip(&second.turn);
            let turn = |(&at, &turn): (&u8, &u8)| {
                let sum = u16::from(first.turn[usize::from(at)]) + u16::from(turn);
                (sum % u16::from(orbit.orientations)) as u8
            };
            OrbitTransformation {
                from: second.from.iter().map(|&at| first.from[usize::from(at)]).collect(),
                turn: sources.map(turn).collect(),
            }
        });
        Transformation(joined.collect())
    }

    /// The transformation that undoes this one.
    pub fn inverse(&self, orbits: &[Orbit]) -> Transformation {
        let parts = self.0.iter().zip(orbits);
        let inverted = parts.map(|(part, orbit)| {
            let mut inverse = part.clone();
            for (to, (&from, &turn)) in (0..=u8::MAX).zip(part.from.iter().zip(&part.turn)) {
                inverse.from[usize::from(from)] = to;
                inverse.turn[usize::from(from)] = (orbit.orientations - turn) % orbit.orientations;
            }
            inverse
        });
        Transformation(inverted.collect())
    }

    /// How often it has to be done to change nothing; `None` if that is more than 64 bits can count.
    pub fn order(&self, orbits: &[Orbit]) -> Option<u64> {
        let mut order = 1u64;
        for (part, orbit) in self.0.iter().zip(orbits) {
            let mut seen = vec![false; orbit.slots];
            for start in 0..orbit.slots {
                let (mut length, mut turn) = (0u64, 0u64);
                let mut at = start;
                while !std::mem::replace(&mut seen[at], true) {
                    length += 1;
                    turn += u64::from(part.turn[at]);
                    at = usize::from(part.from[at]);
                }
                if length > 0 {
                    let orientations = u64::from(orbit.orientations);
                    let cycle = length * (orientations / common_divisor(orientations, turn % orientations));
                    order = (order / common_divisor(order, cycle)).checked_mul(cycle)?;
                }
            }
        }
        Some(order)
    }

    /// Whether it moves or turns what lies in a slot, even if no pattern can tell.
    pub fn moves(&self, at: SlotName) -> bool {
        let part = &self.0[usize::from(at.orbit)];
        let slot = usize::from(at.slot);
        part.from[slot] != at.slot || part.turn[slot] != 0
    }

    /// Whether it changes nothing.
    pub fn is_identity(&self) -> bool {
        self.0.iter().all(|part| {
            part.turn.iter().all(|&turn| turn == 0)
                && (0..=u8::MAX).zip(&part.from).all(|(at, &from)| at == from)
        })
    }
}

/// The greatest common divisor; that of a number and 0 is the number.
fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

impl Pattern {
    /// All pieces distinct and unturned.
    pub fn distinct(orbits: &[Orbit]) -> Pattern {
        let lying = |orbit: &Orbit| OrbitPattern {
            pieces: (0..=u8::MAX).take(orbit.slots).collect(),
            orientation: vec![0; orbit.slots],
            modulus: vec![orbit.orientations; orbit.slots],
        };
        Pattern(orbits.iter().map(lying).collect())
    }

    /// The pattern after a transformation.
    pub fn after(&self, transformation: &Transformation) -> Pattern {
        let parts = self.0.iter().zip(&transformation.0);
        let moved = parts.map(|(pattern, part)| {
            let pieces: Vec<u8> = part.from.iter().map(|&at| pattern.pieces[usize::from(at)]).collect();
            let sources = part.from.iter().zip(&part.turn).zip(&pieces);
            let turned = |((&at, &turn), &piece): ((&u8, &u8), &u8)| {
                let sum = u16::from(pattern.orientation[usize::from(at)]) + u16::from(turn);
                (sum % u16::from(pattern.modulus[usize::from(piece)])) as u8
            };
            let orientation = sources.map(turned).collect();
            OrbitPattern { pieces, orientation, modulus: pattern.modulus.clone() }
        });
        Pattern(moved.collect())
    }
}

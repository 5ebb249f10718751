//! Random small definitions, with everything that one can have.

use crate::puzzles::perm::definition::{
    Definition, Forbidden, NamedMove, Orbit, OrbitPattern, OrbitTransformation, Pattern, PieceName, SlotName,
    Transformation,
};
use crate::random::Random;

/// What a random definition may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spice {
    pub forbidden: bool,
    pub blocks: bool,
    pub goals: bool,
}

fn transformation(orbits: &[Orbit], random: &mut Random) -> Transformation {
    let part = |orbit: &Orbit, random: &mut Random| {
        let mut from: Vec<u8> = (0..orbit.slots as u8).collect();
        match random.below(4) {
            0 => {}
            1 => random.shuffle(&mut from),
            _ if orbit.slots > 1 => {
                let length = 2 + random.place(orbit.slots - 1);
                let at = random.place(orbit.slots - length + 1);
                from[at..at + length].rotate_left(1);
            }
            _ => {}
        }
        let turns = random.below(3) == 0;
        let mut turn = || if turns { random.below(orbit.orientations.into()) as u8 } else { 0 };
        OrbitTransformation { turn: from.iter().map(|_| turn()).collect(), from }
    };
    Transformation(orbits.iter().map(|orbit| part(orbit, random)).collect())
}

fn pattern(orbits: &[Orbit], random: &mut Random) -> Pattern {
    let part = |orbit: &Orbit, random: &mut Random| {
        let mut pieces: Vec<u8> = match random.below(3) {
            0 => (0..orbit.slots).map(|_| random.below(2) as u8).collect(),
            1 => (0..orbit.slots).map(|_| random.below(orbit.slots as u128) as u8).collect(),
            _ => (0..orbit.slots as u8).collect(),
        };
        let mut used = pieces.clone();
        used.sort_unstable();
        used.dedup();
        for piece in &mut pieces {
            *piece = used.binary_search(piece).unwrap() as u8;
        }
        let divisors: Vec<u8> =
            (1..=orbit.orientations).filter(|d| orbit.orientations.is_multiple_of(*d)).collect();
        let all = random.below(2) == 0;
        let modulus: Vec<u8> = used
            .iter()
            .map(|_| if all { orbit.orientations } else { divisors[random.place(divisors.len())] })
            .collect();
        let turned = random.below(2) == 0;
        let lie = |&piece: &u8| match turned {
            true => random.below(modulus[usize::from(piece)].into()) as u8,
            false => 0,
        };
        OrbitPattern { orientation: pieces.iter().map(lie).collect(), modulus: modulus.clone(), pieces }
    };
    Pattern(orbits.iter().map(|orbit| part(orbit, random)).collect())
}

/// The same pieces in other places.
fn shuffled(pattern: &Pattern, random: &mut Random) -> Pattern {
    let part = |part: &OrbitPattern, random: &mut Random| {
        let mut part = part.clone();
        random.shuffle(&mut part.pieces);
        for (&piece, turn) in part.pieces.iter().zip(&mut part.orientation) {
            *turn = random.below(part.modulus[usize::from(piece)].into()) as u8;
        }
        part
    };
    Pattern(pattern.0.iter().map(|old| part(old, random)).collect())
}

/// The definition that a seed names.
pub(crate) fn definition(seed: u64, spice: Spice) -> Definition {
    let random = &mut Random::new(seed);
    let orbits: Vec<Orbit> = (0..1 + random.place(3))
        .map(|number| Orbit {
            name: format!("SET{number}"),
            slots: 1 + random.place(5),
            orientations: [1, 1, 2, 3, 4, 6][random.place(6)],
        })
        .collect();
    let mut moves: Vec<Transformation> =
        (0..1 + random.place(3)).map(|_| transformation(&orbits, random)).collect();
    let powers = random.below(4) > 0;
    if !powers {
        let inverses: Vec<_> = moves.iter().map(|mv| mv.inverse(&orbits)).collect();
        moves.extend(inverses);
    }
    let solved = pattern(&orbits, random);
    let mut all = vec![solved.clone()];
    if spice.goals {
        for _ in 0..random.place(4) {
            let goal = match random.below(2) {
                0 => shuffled(&solved, random),
                _ => (0..4).fold(solved.clone(), |goal, _| goal.after(&moves[random.place(moves.len())])),
            };
            if !all.contains(&goal) {
                all.push(goal);
            }
        }
    }
    let mut definition = Definition {
        name: String::new(),
        moves: (0..)
            .zip(moves)
            .map(|(n, transformation)| NamedMove { name: format!("M{n}"), transformation })
            .collect(),
        rotations: Vec::new(),
        powers,
        solved: all,
        start: None,
        forbidden: Vec::new(),
        blocks: Vec::new(),
        orbits,
    };
    let slot = |definition: &Definition, random: &mut Random| {
        let orbit = random.place(definition.orbits.len());
        SlotName { orbit: orbit as u8, slot: random.place(definition.orbits[orbit].slots) as u8 }
    };
    let label = |definition: &Definition, orbit: u8, random: &mut Random| {
        random.place(definition.solved[0].0[usize::from(orbit)].modulus.len()) as u8
    };
    if spice.forbidden {
        for _ in 0..2 {
            let slot = slot(&definition, random);
            let piece = label(&definition, slot.orbit, random);
            let lies = |pattern: &Pattern| {
                pattern.0[usize::from(slot.orbit)].pieces[usize::from(slot.slot)] == piece
            };
            if !definition.solved.iter().any(lies) {
                definition.forbidden.push(Forbidden { slot, piece });
            }
        }
    }
    if spice.blocks {
        let block = (0..2).map(|_| {
            let orbit = slot(&definition, random).orbit;
            PieceName { orbit, piece: label(&definition, orbit, random) }
        });
        let block = block.collect();
        definition.blocks.push(block);
    }
    definition
}

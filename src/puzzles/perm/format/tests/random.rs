//! Random small definitions with everything that one can have.

use crate::puzzles::perm::definition::{
    Definition, Forbidden, NamedMove, Orbit, OrbitPattern, OrbitTransformation, Pattern, PieceName, SlotName,
    Transformation,
};
use crate::random::Random;

/// What the definition may need.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RandomReach {
    /// Anything.
    All,
    /// What the format of twsearch can say.
    Tws,
}

pub fn definition(seed: u64, reach: RandomReach) -> Definition {
    let random = &mut Random::new(seed);
    let orbits: Vec<Orbit> = (0..1 + random.place(3))
        .map(|number| Orbit {
            name: ["CORNER", "EDGE", "?odd", "x"][(number + random.place(2)) % 4].to_owned()
                + &"_".repeat(number),
            slots: 1 + random.place(6),
            orientations: [1, 1, 2, 3, 4, 6][random.place(6)],
        })
        .map(|orbit| match reach {
            RandomReach::All => orbit,
            RandomReach::Tws => Orbit { name: orbit.name.replace('?', ""), ..orbit },
        })
        .collect();
    let first = Pattern(orbits.iter().map(|orbit| solved(orbit, reach, random)).collect());
    let mut solved = vec![first];
    if reach == RandomReach::All {
        for _ in 0..random.place(3) {
            let goal = solved[0].after(&transformation(&orbits, random));
            solved.push(goal);
        }
    }
    let mut moves: Vec<NamedMove> = named(["R", "U", "L_", "2F", "D'"], 1 + random.place(4), &orbits, random);
    if reach == RandomReach::All && random.place(4) == 0 {
        moves[0].name = "y2".into();
    }
    let powers = reach == RandomReach::Tws || random.place(2) == 0;
    let rotations = match (reach, random.place(4)) {
        (RandomReach::All, 0) => named(["spin", "turn", "a", "b", "c"], 1, &orbits, random),
        _ => named(["x", "z'", "A_Bv", "Uv", "Lv"], random.place(4), &orbits, random),
    };
    let mut definition = Definition {
        name: ["", "a-name"][random.place(2)].into(),
        orbits,
        moves,
        rotations,
        powers,
        solved,
        start: None,
        forbidden: Vec::new(),
        blocks: Vec::new(),
    };
    for _ in 0..random.place(3) {
        let slot = slot(&definition.orbits, random);
        let labels = definition.solved[0].0[usize::from(slot.orbit)].modulus.len();
        let piece = random.place(labels) as u8;
        let lies =
            |solved: &Pattern| solved.0[usize::from(slot.orbit)].pieces[usize::from(slot.slot)] == piece;
        if !definition.solved.iter().any(lies) {
            definition.forbidden.push(Forbidden { slot, piece });
        }
    }
    if reach == RandomReach::All && random.place(3) == 0 {
        let block = (0..2).map(|_| slot(&definition.orbits, random));
        let piece = |slot: SlotName| PieceName {
            orbit: slot.orbit,
            piece: definition.solved[0].0[usize::from(slot.orbit)].pieces[usize::from(slot.slot)],
        };
        definition.blocks.push(block.map(piece).collect());
    }
    definition
}

/// Whether every orientation matters completely or not at all.
pub fn is_all_or_nothing(definition: &Definition) -> bool {
    let parts = definition.solved[0].0.iter().zip(&definition.orbits);
    let known = |(part, orbit): (&OrbitPattern, &Orbit)| {
        part.modulus.iter().all(|&modulus| modulus == 1 || modulus == orbit.orientations)
    };
    // Names that a tws writes differently cannot be read back into this definition either.
    parts.into_iter().all(known) && definition.orbits.iter().all(|orbit| !orbit.name.starts_with('?'))
}

fn slot(orbits: &[Orbit], random: &mut Random) -> SlotName {
    let orbit = random.place(orbits.len());
    SlotName { orbit: orbit as u8, slot: random.place(orbits[orbit].slots) as u8 }
}

fn solved(orbit: &Orbit, reach: RandomReach, random: &mut Random) -> OrbitPattern {
    let kinds = 1 + random.place(orbit.slots);
    let mut pieces: Vec<u8> = (0..orbit.slots).map(|slot| slot.min(kinds - 1) as u8).collect();
    random.shuffle(&mut pieces);
    let all = orbit.orientations;
    let divisors: Vec<u8> = (1..=all).filter(|divisor| all.is_multiple_of(*divisor)).collect();
    let modulus: Vec<u8> = (0..kinds)
        .map(|_| match reach {
            RandomReach::All => divisors[random.place(divisors.len())],
            RandomReach::Tws => [1, all][random.place(2)],
        })
        .collect();
    let orientation = pieces.iter().map(|&piece| random.place(modulus[usize::from(piece)].into()) as u8);
    let orientation = orientation.collect();
    OrbitPattern { pieces, orientation, modulus }
}

fn transformation(orbits: &[Orbit], random: &mut Random) -> Transformation {
    let part = |orbit: &Orbit| {
        let mut from: Vec<u8> = (0..orbit.slots as u8).collect();
        if random.place(3) > 0 {
            random.shuffle(&mut from);
        }
        let turn = from.iter().map(|_| random.place(orbit.orientations.into()) as u8).collect();
        OrbitTransformation { from, turn }
    };
    Transformation(orbits.iter().map(part).collect())
}

fn named(names: [&str; 5], count: usize, orbits: &[Orbit], random: &mut Random) -> Vec<NamedMove> {
    let names = names.into_iter().take(count);
    names
        .map(|name| NamedMove { name: name.into(), transformation: transformation(orbits, random) })
        .collect()
}

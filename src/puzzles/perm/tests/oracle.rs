//! Permutation puzzles the plain way: patterns in a set, every move tried in every pattern.

use rustc_hash::FxHashSet;

use crate::puzzles::perm::definition::{Definition, NamedMove, Pattern, PieceName, SlotName, Transformation};

/// What counts as one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OracleMetric {
    /// Any power of a listed move.
    AnyPower,
    /// A listed move or its inverse.
    Quarter,
}

/// Every move that counts as one, each transformation once. A definition whose moves stand for themselves
/// alone has these and no others.
pub(crate) fn moves(definition: &Definition, metric: OracleMetric) -> Vec<Transformation> {
    let mut moves: Vec<Transformation> = Vec::new();
    for NamedMove { transformation, .. } in &definition.moves {
        let inverse = transformation.inverse(&definition.orbits);
        let powers = match (definition.powers, metric) {
            (false, _) => vec![transformation.clone()],
            (true, OracleMetric::Quarter) => vec![transformation.clone(), inverse],
            (true, OracleMetric::AnyPower) => {
                let next = |power: &Transformation| Some(power.then(transformation, &definition.orbits));
                let powers = std::iter::successors(Some(transformation.clone()), next);
                powers.take_while(|power| !power.is_identity()).collect()
            }
        };
        for power in powers {
            if !power.is_identity() && !moves.contains(&power) {
                moves.push(power);
            }
        }
    }
    moves
}

/// Whether a move is available in a pattern: it moves blocks as a whole, and leads to no forbidden place.
pub(crate) fn is_available(definition: &Definition, pattern: &Pattern, mv: &Transformation) -> bool {
    let keeps = |block: &Vec<_>| {
        let moved = block.iter().filter(|name: &&PieceName| {
            let lying = &pattern.0[usize::from(name.orbit)].pieces;
            let mut slots = (0..=u8::MAX).zip(lying).filter(|(_, piece)| **piece == name.piece);
            slots.any(|(slot, _)| mv.moves(SlotName { orbit: name.orbit, slot }))
        });
        [0, block.len()].contains(&moved.count())
    };
    let after = pattern.after(mv);
    let allowed = definition.forbidden.iter().all(|forbidden| {
        let slot = forbidden.slot;
        after.0[usize::from(slot.orbit)].pieces[usize::from(slot.slot)] != forbidden.piece
    });
    allowed && definition.blocks.iter().all(keeps)
}

/// The patterns at each distance from the solved ones, as far as `levels` of them.
pub(crate) fn walk(definition: &Definition, metric: OracleMetric, levels: usize) -> Vec<Vec<Pattern>> {
    let moves = moves(definition, metric);
    let mut seen: FxHashSet<Pattern> = FxHashSet::default();
    let mut level: Vec<Pattern> = Vec::new();
    for solved in &definition.solved {
        if seen.insert(solved.clone()) {
            level.push(solved.clone());
        }
    }
    let mut all = Vec::new();
    while !level.is_empty() && all.len() < levels {
        if all.len() + 1 == levels {
            all.push(level);
            break;
        }
        let mut next = Vec::new();
        for pattern in &level {
            for mv in &moves {
                if is_available(definition, pattern, mv) {
                    let after = pattern.after(mv);
                    if seen.insert(after.clone()) {
                        next.push(after);
                    }
                }
            }
        }
        all.push(level);
        level = next;
    }
    all
}

/// How many patterns there are at each distance.
pub(crate) fn levels(definition: &Definition, metric: OracleMetric) -> Vec<usize> {
    walk(definition, metric, usize::MAX).iter().map(Vec::len).collect()
}

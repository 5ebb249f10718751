//! The moves of a metric: which powers of the listed moves count as one move, and what they are called.

use super::definition::{Definition, NamedMove, Transformation};
use crate::error::{Result, usage};

/// The most moves, powers included.
const MOST_TURNS: usize = 4096;

/// The moves. A transformation that has a name already, or changes nothing, gets no second one.
pub(super) fn turns(definition: &Definition, quarter: bool) -> Result<Vec<NamedMove>> {
    let mut turns: Vec<NamedMove> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for mv in &definition.moves {
        let powers = if definition.powers { powers(definition, mv, quarter)? } else { vec![mv.clone()] };
        for power in powers {
            if !power.transformation.is_identity() && seen.insert(power.transformation.clone()) {
                turns.push(power);
            }
        }
        if turns.len() > MOST_TURNS {
            return usage(format!("there are more than {MOST_TURNS} moves with their powers"));
        }
    }
    if turns.is_empty() {
        return usage("no move changes anything");
    }
    Ok(turns)
}

/// The powers of a move up to the last before the identity: `U`, `U2`, `U'`. From half of the order on
/// they are named as powers of the inverse.
fn powers(definition: &Definition, mv: &NamedMove, quarter: bool) -> Result<Vec<NamedMove>> {
    let orbits = &definition.orbits;
    let mut powers = Vec::new();
    let mut power = mv.transformation.clone();
    while !power.is_identity() {
        powers.push(power.clone());
        power = power.then(&mv.transformation, orbits);
        if !quarter && powers.len() > MOST_TURNS {
            return usage(format!("the move `{}` has more than {MOST_TURNS} powers", mv.name));
        }
        if quarter && powers.len() >= 2 {
            break;
        }
    }
    let named = |name: String, transformation: Transformation| NamedMove { name, transformation };
    if quarter {
        let inverse = named(format!("{}'", mv.name), mv.transformation.inverse(orbits));
        return Ok(vec![mv.clone(), inverse]);
    }
    let order = powers.len() + 1;
    let name = |power: usize| match (power, order - power) {
        (1, _) => mv.name.clone(),
        (_, 1) => format!("{}'", mv.name),
        (power, back) if back < power => format!("{}{back}'", mv.name),
        (power, _) => format!("{}{power}", mv.name),
    };
    Ok((1..).zip(powers).map(|(power, transformation)| named(name(power), transformation)).collect())
}

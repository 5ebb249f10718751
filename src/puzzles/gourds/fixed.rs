//! The number of classes, by counting for every symmetry the positions that it leaves unchanged
//! (Burnside).
//!
//! A symmetry that keeps a shape permutes its slots in cycles. A position over that shape is
//! unchanged if the kinds along each cycle of slots follow a cycle of kinds, and if going round it
//! once turns the gourds as often one way as the other. So for each cycle of slots one chooses a
//! cycle of kinds whose length divides it, where to start in it, and which way round the first
//! gourd lies, such that every kind is used as often as there are gourds of it.

use std::collections::HashMap;

use super::kinds::Kinds;
use super::shapes::{Shape, Shapes};
use super::symmetry::Element;

/// Cycles of slots: the length of each, and whether going round it turns a gourd. Sorted.
type Cycles = Vec<(usize, bool)>;

/// A cycle of kinds.
struct KindCycle {
    length: usize,
    /// Gourds of each kind in it.
    gourds: usize,
    /// Whether going round it turns a gourd; `None` if that cannot be seen, for equal ends.
    turns: Option<bool>,
}

/// The number of classes of positions under a group; `None` if it cannot be numbered.
pub(super) fn classes(shapes: &Shapes, kinds: &Kinds, group: &[Element]) -> Option<u128> {
    let mut fixed = 0u128;
    for element in group {
        let kind_cycles = kind_cycles(kinds, element);
        let mut known: HashMap<Cycles, u128> = HashMap::new();
        for rank in 0..shapes.count() {
            let shape = shapes.unrank(rank);
            if shape.image(&element.cells) != shape {
                continue;
            }
            let cycles = slot_cycles(&shape, element);
            let count = *known
                .entry(cycles)
                .or_insert_with_key(|cycles| arrangements(cycles, &kind_cycles));
            fixed = fixed.checked_add(count)?;
        }
    }
    Some(fixed / group.len() as u128)
}

/// The cycles in which a symmetry permutes kinds.
fn kind_cycles(kinds: &Kinds, element: &Element) -> Vec<KindCycle> {
    let mut cycles = Vec::new();
    let mut seen = vec![false; kinds.len()];
    for (start, gourds) in kinds.counts().into_iter().enumerate() {
        let (mut length, mut turns, mut kind) = (0, false, start);
        while !std::mem::replace(&mut seen[kind], true) {
            length += 1;
            turns ^= element.turns[kind];
            kind = usize::from(element.kinds[kind]);
        }
        if length > 0 {
            cycles.push(KindCycle {
                length,
                gourds,
                turns: (!kinds.equal_ends(start as u8)).then_some(turns),
            });
        }
    }
    cycles
}

/// The cycles in which a symmetry permutes the slots of a shape that it keeps.
fn slot_cycles(shape: &Shape, element: &Element) -> Cycles {
    let pairs: Vec<[u8; 2]> = shape.pairs().collect();
    let mut cycles = Vec::new();
    let mut seen = vec![false; pairs.len()];
    for start in 0..pairs.len() {
        let (mut length, mut turns, mut slot) = (0, false, start);
        while !std::mem::replace(&mut seen[slot], true) {
            length += 1;
            let (cells, descends) = element.pair(pairs[slot]);
            turns ^= descends;
            // The shape is kept, so the image is one of the pairs.
            slot = pairs.binary_search(&cells).unwrap_or(slot);
        }
        if length > 0 {
            cycles.push((length, turns));
        }
    }
    cycles.sort_unstable();
    cycles
}

/// How many positions with these cycles of slots are unchanged.
fn arrangements(cycles: &Cycles, kinds: &[KindCycle]) -> u128 {
    // From the gourds that are left of each cycle of kinds to the number of ways to get there.
    let all: Vec<usize> = kinds.iter().map(|cycle| cycle.gourds).collect();
    let mut ways = HashMap::from([(all, 1u128)]);
    for &(length, turns) in cycles {
        let mut next = HashMap::new();
        for (left, before) in ways {
            for (place, cycle) in kinds.iter().enumerate() {
                let rounds = length / cycle.length;
                if length % cycle.length != 0 || left[place] < rounds {
                    continue;
                }
                let directions = match cycle.turns {
                    None => 1,
                    Some(each) if (each && rounds % 2 == 1) == turns => 2,
                    Some(_) => continue,
                };
                let mut left = left.clone();
                left[place] -= rounds;
                *next.entry(left).or_insert(0) += before * cycle.length as u128 * directions;
            }
        }
        ways = next;
    }
    ways.values().sum()
}

//! Counting classes without visiting them: the average number of fixed labellings (Burnside).

use std::collections::{BTreeMap, HashMap};

use super::{Group, Symmetry};
use crate::encode::binomial::multinomial;

/// The cycles in which a symmetry permutes slots: how many there are of each length and of each
/// turn that a piece makes when it goes round once. This decides how many labellings are fixed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cycles(BTreeMap<(usize, usize), usize>);

/// A cycle in which a symmetry permutes pieces.
struct PieceCycle {
    length: usize,
    /// How often each of the pieces occurs.
    count: usize,
    orientations: usize,
    /// What going round once adds to the orientation.
    turn: usize,
}

impl Group {
    /// The number of classes of labellings in which piece `a` occurs `counts[a]` times; `None` if
    /// the sum over the elements exceeds 128 bits, if there are not that many slots or pieces, or
    /// if the group does not permute these labellings.
    pub fn classes(&self, counts: &[usize]) -> Option<u128> {
        let (slots, pieces) = (self.action().slots(), self.action().pieces());
        if slots.len() != counts.iter().sum::<usize>() || pieces.len() != counts.len() {
            return None;
        }
        let slots: Vec<usize> = (0..slots.len()).collect();
        self.average(|element| {
            let keeps = |piece: usize| counts[element.piece(piece).0] == counts[piece];
            let cycles = element.cycles(&slots)?;
            (0..counts.len()).all(keeps).then(|| element.fixed(&cycles, counts))?
        })
    }

    /// The average of what is counted for each element. This is the number of classes of a set if
    /// those members are counted that an element fixes. `None` if a count is `None`, if their sum
    /// exceeds 128 bits, or if the average is not a whole number, so that something was miscounted.
    pub fn average(&self, mut fixed: impl FnMut(&Symmetry) -> Option<u128>) -> Option<u128> {
        let mut sum = 0u128;
        for element in self.iter() {
            sum = sum.checked_add(fixed(element)?)?;
        }
        let order = u128::from(self.order());
        sum.is_multiple_of(order).then(|| sum / order)
    }
}

impl Symmetry {
    /// The cycles of some slots, given in ascending order; `None` if a slot is sent elsewhere.
    pub fn cycles(&self, slots: &[usize]) -> Option<Cycles> {
        let images: Option<Vec<(usize, usize)>> = slots
            .iter()
            .map(|&slot| {
                let (image, turn) = self.slot(slot);
                Some((slots.binary_search(&image).ok()?, turn))
            })
            .collect();
        let mut cycles = BTreeMap::new();
        for (start, length, turn) in cycles_of(&images?) {
            let turn = turn % self.action().slots().orientations(slots[start]);
            *cycles.entry((length, turn)).or_default() += 1;
        }
        Some(Cycles(cycles))
    }

    /// The number of labellings of slots with these cycles in which piece `a` occurs `counts[a]`
    /// times and which this symmetry leaves unchanged; `None` if it exceeds 128 bits.
    ///
    /// Along a cycle of slots the pieces must follow the relabelling: the slots take the pieces of
    /// one cycle of pieces in turn. So the length of the piece cycle divides that of the slot
    /// cycle; each of its pieces is used equally often; and going round, all turns must cancel out.
    /// Then any piece and any of its orientations can come first. Cycles of slots are dealt out to
    /// one cycle of pieces after the other.
    pub fn fixed(&self, cycles: &Cycles, counts: &[usize]) -> Option<u128> {
        // From the cycles that are left of each kind to the ways to get there. Where these exceed
        // 128 bits they are `None`, which does not matter if nothing comes of them.
        let all: Vec<usize> = cycles.0.values().copied().collect();
        let mut ways = HashMap::from([(all, Some(1u128))]);
        for pieces in self.piece_cycles(counts) {
            let start = ways.into_iter();
            let mut dealt: HashMap<(Vec<usize>, usize), Option<u128>> =
                start.map(|(left, ways)| ((left, pieces.count), ways)).collect();
            for (kind, &(length, turn)) in cycles.0.keys().enumerate() {
                let rounds = length / pieces.length;
                if !length.is_multiple_of(pieces.length)
                    || !(turn + rounds * pieces.turn).is_multiple_of(pieces.orientations)
                {
                    continue;
                }
                let choices = (pieces.length * pieces.orientations) as u128;
                let mut next = HashMap::new();
                for ((left, needed), ways) in dealt {
                    for share in 0..=left[kind].min(needed / rounds) {
                        let mut rest = left.clone();
                        rest[kind] -= share;
                        let chosen = multinomial(&[share, rest[kind]]);
                        let filled = choices.checked_pow(share as u32);
                        let more = product([ways, chosen, filled]);
                        let sum = next.entry((rest, needed - share * rounds)).or_insert(Some(0u128));
                        *sum = sum.zip(more).and_then(|(sum, more)| sum.checked_add(more));
                    }
                }
                dealt = next;
            }
            let complete = dealt.into_iter().filter(|((_, needed), _)| *needed == 0);
            ways = complete.map(|((left, _), ways)| (left, ways)).collect();
        }
        ways.remove(&vec![0; cycles.0.len()]).unwrap_or(Some(0))
    }

    fn piece_cycles(&self, counts: &[usize]) -> Vec<PieceCycle> {
        let images: Vec<_> = (0..counts.len()).map(|piece| self.piece(piece)).collect();
        let cycle = |(start, length, turn): (usize, usize, usize)| PieceCycle {
            length,
            count: counts[start],
            orientations: self.action().pieces().orientations(start),
            turn,
        };
        cycles_of(&images).into_iter().map(cycle).collect()
    }
}

/// The product; `None` if a factor is, or if it exceeds 128 bits.
fn product(factors: [Option<u128>; 3]) -> Option<u128> {
    let mut factors = factors.into_iter();
    factors.try_fold(1u128, |product, factor| product.checked_mul(factor?))
}

/// The cycles of points with images and turns: a point of each, its length, and the sum of its
/// turns.
fn cycles_of(images: &[(usize, usize)]) -> Vec<(usize, usize, usize)> {
    let mut seen = vec![false; images.len()];
    let mut cycles = Vec::new();
    for start in 0..images.len() {
        let (mut at, mut length, mut turns) = (start, 0, 0);
        while !std::mem::replace(&mut seen[at], true) {
            length += 1;
            turns += images[at].1;
            at = images[at].0;
        }
        if length > 0 {
            cycles.push((start, length, turns));
        }
    }
    cycles
}

#[cfg(test)]
mod tests;

//! Counting classes without visiting them: the average number of fixed labellings (Burnside).

use std::collections::{BTreeMap, HashMap};

use super::{Group, Symmetry};
use crate::encode::binomial::multinomial;

/// The number of classes of labellings in which colour `a` occurs `counts[a]` times, under a group
/// of symmetries of the cells and colours; `None` if an intermediate count exceeds 128 bits, if
/// the group's shape is another one, or if it does not permute these labellings.
pub fn classes(group: &Group, counts: &[usize]) -> Option<u128> {
    // Elements with the same cycle lengths and the same effect on colours fix equally many.
    let mut kinds: HashMap<(BTreeMap<usize, usize>, &[u8]), u128> = HashMap::new();
    for element in group.iter() {
        let renamed = element
            .colours()
            .iter()
            .map(|&colour| counts.get(usize::from(colour)));
        if element.cells().len() != counts.iter().sum::<usize>()
            || !renamed.eq(counts.iter().map(Some))
        {
            return None;
        }
        *kinds
            .entry((cycle_lengths(element), element.colours()))
            .or_default() += 1;
    }
    let mut sum = 0u128;
    for ((cycles, colours), elements) in kinds {
        sum = sum.checked_add(elements.checked_mul(fixed(&cycles, colours, counts)?)?)?;
    }
    let order = u128::from(group.order());
    (order > 0 && sum.is_multiple_of(order)).then(|| sum / order)
}

/// How many cycles of each length an element has on the cells.
fn cycle_lengths(element: &Symmetry) -> BTreeMap<usize, usize> {
    let cells = element.cells();
    let mut seen = vec![false; cells.len()];
    let mut lengths = BTreeMap::new();
    for start in 0..cells.len() {
        let mut length = 0;
        let mut at = start;
        while !std::mem::replace(&mut seen[at], true) {
            length += 1;
            at = usize::from(cells[at]);
        }
        if length > 0 {
            *lengths.entry(length).or_default() += 1;
        }
    }
    lengths
}

/// The number of labellings that an element with these cycles and colours leaves unchanged.
///
/// Along a cycle of cells the colours must follow the colour permutation: the cycle takes the
/// colours of one orbit in turn, starting anywhere. So the orbit's size divides the cycle's
/// length, there are as many ways as the orbit has colours, and each colour of the orbit is used
/// equally often. All cycles of one length are dealt out to the orbits at once.
fn fixed(cycles: &BTreeMap<usize, usize>, colours: &[u8], counts: &[usize]) -> Option<u128> {
    let orbits = orbits(colours);
    // The colours of an orbit occur equally often, so the first one's count stands for all.
    let left: Vec<usize> = orbits.iter().map(|orbit| counts[orbit[0]]).collect();
    let mut ways = HashMap::from([(left, 1u128)]);
    for (&length, &cycles) in cycles {
        let mut next = HashMap::new();
        for (left, ways) in ways {
            let mut deal = Deal {
                length,
                orbits: &orbits,
                ways,
                dealt: Vec::new(),
                next: &mut next,
            };
            deal.out(cycles, &left)?;
        }
        ways = next;
    }
    Some(ways.remove(&vec![0; orbits.len()]).unwrap_or(0))
}

fn orbits(colours: &[u8]) -> Vec<Vec<usize>> {
    let mut orbits: Vec<Vec<usize>> = Vec::new();
    for start in 0..colours.len() {
        if orbits.iter().any(|orbit| orbit.contains(&start)) {
            continue;
        }
        let mut orbit = vec![start];
        let mut at = usize::from(colours[start]);
        while at != start {
            orbit.push(at);
            at = usize::from(colours[at]);
        }
        orbits.push(orbit);
    }
    orbits
}

/// All ways to deal cycles of one length out to the colour orbits.
struct Deal<'a> {
    length: usize,
    orbits: &'a [Vec<usize>],
    /// The ways that led to the counts dealt from.
    ways: u128,
    /// How many cycles each of the first orbits got so far.
    dealt: Vec<usize>,
    /// Ways by what is then left of each orbit's count.
    next: &'a mut HashMap<Vec<usize>, u128>,
}

impl Deal<'_> {
    fn out(&mut self, cycles: usize, left: &[usize]) -> Option<()> {
        let Some(orbit) = self.orbits.get(self.dealt.len()) else {
            return if cycles == 0 {
                self.record(left)
            } else {
                Some(())
            };
        };
        let uses = self.length / orbit.len();
        let most = if self.length.is_multiple_of(orbit.len()) {
            cycles.min(left[self.dealt.len()] / uses)
        } else {
            0
        };
        for share in 0..=most {
            self.dealt.push(share);
            self.out(cycles - share, left)?;
            self.dealt.pop();
        }
        Some(())
    }

    fn record(&mut self, left: &[usize]) -> Option<()> {
        let mut ways = self.ways.checked_mul(multinomial(&self.dealt)?)?;
        let mut rest = left.to_vec();
        for ((rest, orbit), &share) in rest.iter_mut().zip(self.orbits).zip(&self.dealt) {
            ways = ways.checked_mul((orbit.len() as u128).checked_pow(share as u32)?)?;
            *rest -= share * (self.length / orbit.len());
        }
        let sum = self.next.entry(rest).or_default();
        *sum = sum.checked_add(ways)?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::group::tests::square;
    use super::super::{Group, Symmetry, canonical};
    use super::*;
    use crate::encode::Multiset;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn brute_force(group: &Group, counts: &[usize]) -> u128 {
        let labellings = Multiset::new(counts).unwrap();
        let least = |rank| {
            let labelling = labellings.unrank(rank).unwrap();
            group.iter().map(|g| g.image(&labelling)).min()
        };
        (0..labellings.count())
            .map(least)
            .collect::<HashSet<_>>()
            .len() as u128
    }

    #[test]
    fn agrees_with_brute_force_on_squares() {
        for (n, counts) in [
            (2, &[1, 1, 1, 1][..]),
            (2, &[2, 2]),
            (3, &[3, 3, 3]),
            (3, &[4, 4, 1]),
            (3, &[2, 2, 2, 3]),
            (3, &[9]),
        ] {
            let group = square(n, counts.len()).with_colours(counts);
            assert_eq!(
                classes(&group, counts),
                Some(brute_force(&group, counts)),
                "{n} {counts:?}"
            );
        }
    }

    #[test]
    fn agrees_with_the_canonical_form() {
        let board = square(3, 3);
        let labellings = Multiset::new(&[3, 3, 3]).unwrap();
        let all: HashSet<_> = (0..labellings.count())
            .map(|rank| canonical(&labellings.unrank(rank).unwrap(), &board, &[0, 0, 0]).0)
            .collect();
        let group = board.with_colours(&[3, 3, 3]);
        assert_eq!(classes(&group, &[3, 3, 3]), Some(all.len() as u128));
    }

    #[test]
    fn refuses_another_shape() {
        assert_eq!(classes(&square(2, 2), &[2, 3]), None);
        assert_eq!(classes(&square(2, 2), &[2, 1, 1]), None);
        let exchanged = square(2, 2).with_colours(&[2, 2]);
        assert_eq!(classes(&exchanged, &[1, 3]), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn agrees_with_brute_force_on_cyclic_groups(
            cells in Just((0..8).collect::<Vec<u16>>()).prop_shuffle(),
            colours in Just((0..4).collect::<Vec<u8>>()).prop_shuffle(),
        ) {
            let counts = [2; 4];
            let generator = Symmetry::new(&cells, &colours).unwrap();
            let group = Group::generate(8, 4, &[generator]).unwrap();
            prop_assert_eq!(classes(&group, &counts), Some(brute_force(&group, &counts)));
        }
    }
}

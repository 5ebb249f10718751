//! One colour: as many cells as one quadrant has, which must come together in one.
//!
//! The number of a set is made of its four quadrants: first how many cells each of them has (the
//! *profile*: sets with the same one are numbered together), then the rank of each quadrant among those
//! with as many cells. Only small tables are needed.

use super::lanes::LaneCells;
use super::projection::Projection;

/// The numbering.
pub(super) struct Single {
    /// Cells of a quadrant.
    cells: usize,
    /// By the bits of a quadrant: its rank among those with as many cells.
    ranks: Vec<u16>,
    /// By a number of cells: the quadrants with that many, in the order of their ranks.
    quadrants: Vec<Vec<u16>>,
    /// By a number of cells: how many quadrants have that many.
    counts: [u32; 16],
    /// By the numbers of cells in the first three quadrants: where their sets begin.
    starts: Vec<u32>,
    profiles: Vec<[usize; 4]>,
    entries: usize,
}

impl Single {
    /// For quadrants of 4 or 9 cells.
    pub fn new(cells: usize) -> Self {
        let mut ranks = vec![0; 1 << cells];
        let mut quadrants = vec![Vec::new(); cells + 1];
        for bits in 0..1u16 << cells {
            let list = &mut quadrants[bits.count_ones() as usize];
            ranks[usize::from(bits)] = list.len() as u16;
            list.push(bits);
        }
        let mut counts = [0; 16];
        for (count, list) in counts.iter_mut().zip(&quadrants) {
            *count = list.len() as u32;
        }
        let mut single = Single {
            cells,
            ranks,
            quadrants,
            counts,
            starts: vec![0; 16 * 16 * 16],
            profiles: Vec::new(),
            entries: 0,
        };
        for first in 0..=cells {
            for second in 0..=cells - first {
                for third in 0..=cells - first - second {
                    let profile = [first, second, third, cells - first - second - third];
                    single.starts[place(first, second, third)] = single.entries as u32;
                    single.profiles.push(profile);
                    let sets = profile.map(|count| single.quadrants[count].len());
                    single.entries += sets.iter().product::<usize>();
                }
            }
        }
        single
    }
}

#[inline(always)]
fn place(first: usize, second: usize, third: usize) -> usize {
    (first << 8 | second << 4 | third) & 0xfff
}

impl Projection for Single {
    fn entries(&self) -> usize {
        self.entries
    }

    #[inline(always)]
    fn number(&self, cells: LaneCells) -> usize {
        let counts = cells.map(|bits| bits.count_ones() as usize & 15);
        let ranks = cells.map(|bits| u32::from(self.ranks[usize::from(bits)]));
        let start = self.starts[place(counts[0], counts[1], counts[2])];
        let two = ranks[0] * self.counts[counts[1]] + ranks[1];
        let three = two * self.counts[counts[2]] + ranks[2];
        (start + three * self.counts[counts[3]] + ranks[3]) as usize
    }

    fn solved(&self) -> Vec<LaneCells> {
        let full = ((1u32 << self.cells) - 1) as u16;
        (0..4).map(|at| std::array::from_fn(|quadrant| if quadrant == at { full } else { 0 })).collect()
    }

    fn parts(&self) -> usize {
        self.profiles.len()
    }

    fn list(&self, part: usize, visit: &mut dyn FnMut(usize, LaneCells)) {
        let profile = self.profiles[part];
        let mut number = self.starts[place(profile[0], profile[1], profile[2])] as usize;
        let [first, second, third, fourth] = profile.map(|count| &self.quadrants[count]);
        for &a in first {
            for &b in second {
                for &c in third {
                    for &d in fourth {
                        visit(number, [a, b, c, d]);
                        number += 1;
                    }
                }
            }
        }
    }

    fn all_numbers(&self, cells: LaneCells, visit: &mut dyn FnMut(usize)) {
        visit(self.number(cells));
    }
}

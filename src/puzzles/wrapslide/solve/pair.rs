//! Two colours together: half of all cells, which must fill two quadrants.
//!
//! # The numbering
//! There are nine thousand million such sets on 6x6, but only 142 million up to symmetry: turning and
//! mirroring the board (8), translating it by half its size (4), and exchanging the set with the other
//! cells (2), since what is left fills two quadrants exactly when the set does. So one quadrant *leads*:
//! quadrants fall into classes under turns and exchange, the classes are put into an order, and the
//! quadrant of the first class is translated to the front and turned into its class's *model*. The
//! number is then made of the class and of the other three quadrants, which are turned likewise: all of
//! their classes come no earlier than the leader's. If the quadrants with the same number of cells are
//! ranked with later classes first, those that can stand beside a leader are the first that many of each
//! rank list, and what is left of the number is a profile and three ranks, as in
//! [`single`](super::single).
//!
//! Classes with the fewest symmetries come first. Nearly every set has a leader without any, so that
//! nearly every class of sets has one number: there are a tenth more numbers than classes. A set with
//! several possible leaders, or turns, has several; they are all given the same distance.

use super::super::quadrants::turns;
use super::lanes::LaneCells;
use super::projection::Projection;

/// Turns, and turns with exchange.
const SYMMETRIES: usize = 16;
/// The bit of a turn that exchanges rows and columns.
const TRANSPOSES: usize = 4;

/// The numbering.
pub(super) struct Pair {
    /// Cells of a quadrant.
    cells: usize,
    /// By symmetry and the bits of a quadrant: its image.
    images: Vec<u16>,
    /// By the bits of a quadrant: its class, and a symmetry that makes it the model.
    leads: Vec<Lead>,
    /// By the bits of a quadrant: its rank among those with as many cells.
    ranks: Vec<u16>,
    /// By a number of cells: the quadrants with that many, in the order of their ranks.
    quadrants: Vec<Vec<u16>>,
    /// By class: what can follow.
    classes: Vec<Class>,
    entries: usize,
}

#[derive(Clone, Copy, Default)]
struct Lead {
    class: u8,
    symmetry: u8,
}

/// What sets with a leader of one class have in common.
struct Class {
    /// The leader, turned.
    model: u16,
    /// By a number of cells: how many quadrants with that many can stand beside it.
    counts: [u32; 16],
    /// By the numbers of cells in the two quadrants beside it: where their sets begin.
    starts: [u32; 256],
}

impl Pair {
    /// For quadrants of `side` rows: 2 or 3.
    pub fn new(side: usize) -> Self {
        let cells = side * side;
        let all = 1usize << cells;
        let turns = turns(side);
        let images: Vec<u16> = (0..SYMMETRIES * all)
            .map(|place| {
                let exchanged = if place / all >= 8 { all - 1 } else { 0 };
                turns[place % (8 * all)] ^ exchanged as u16
            })
            .collect();
        let image = |symmetry: usize, bits: usize| usize::from(images[symmetry * all + bits]);
        let orbit = |bits: usize| (0..SYMMETRIES).map(move |symmetry| image(symmetry, bits));
        let model = |bits: usize| orbit(bits).min().unwrap_or(bits);
        let mut models: Vec<usize> = (0..all).filter(|&bits| model(bits) == bits).collect();
        models.sort_by_key(|&bits| (orbit(bits).filter(|&image| image == bits).count(), bits));
        let mut leads = vec![Lead::default(); all];
        for (bits, lead) in leads.iter_mut().enumerate() {
            let least = model(bits);
            let class = models.iter().position(|&model| model == least);
            let symmetry = orbit(bits).position(|image| image == least);
            *lead =
                Lead { class: class.unwrap_or_default() as u8, symmetry: symmetry.unwrap_or_default() as u8 };
        }
        let mut quadrants = vec![Vec::new(); cells + 1];
        for bits in 0..all {
            quadrants[bits.count_ones() as usize].push(bits as u16);
        }
        let mut ranks = vec![0; all];
        for list in &mut quadrants {
            list.sort_by_key(|&bits| (std::cmp::Reverse(leads[usize::from(bits)].class), bits));
            for (rank, &bits) in list.iter().enumerate() {
                ranks[usize::from(bits)] = rank as u16;
            }
        }
        let mut entries = 0;
        let mut classes = Vec::new();
        for (class, &model) in models.iter().enumerate() {
            let beside = |bits: &&u16| usize::from(leads[usize::from(**bits)].class) >= class;
            let mut counts = [0; 16];
            for (count, list) in counts.iter_mut().zip(&quadrants) {
                *count = list.iter().filter(beside).count() as u32;
            }
            let mut starts = [0; 256];
            for [first, second, third] in profiles(cells, model.count_ones() as usize) {
                starts[first << 4 | second] = entries as u32;
                entries +=
                    [first, second, third].map(|count| counts[count] as usize).iter().product::<usize>();
            }
            classes.push(Class { model: model as u16, counts, starts });
        }
        Pair { cells, images, leads, ranks, quadrants, classes, entries }
    }

    #[inline(always)]
    fn image(&self, symmetry: usize, bits: u16) -> u16 {
        self.images[symmetry << self.cells | usize::from(bits)]
    }

    /// The number of a set if this quadrant leads by this symmetry.
    #[inline(always)]
    fn number_by(&self, cells: &LaneCells, leader: usize, symmetry: usize, class: usize) -> usize {
        let (beside, below) = if symmetry & TRANSPOSES != 0 { (2, 1) } else { (1, 2) };
        let first = self.image(symmetry, cells[leader ^ beside]);
        let second = self.image(symmetry, cells[leader ^ below]);
        let third = self.image(symmetry, cells[leader ^ 3]);
        let count = |bits: u16| bits.count_ones() as usize & 15;
        let rank = |bits: u16| u32::from(self.ranks[usize::from(bits)]);
        let class = &self.classes[class];
        let start = class.starts[count(first) << 4 | count(second)];
        let two = rank(first) * class.counts[count(second)] + rank(second);
        (start + two * class.counts[count(third)] + rank(third)) as usize
    }
}

/// The numbers of cells that the other three quadrants can have beside a leader with `leading`.
fn profiles(cells: usize, leading: usize) -> impl Iterator<Item = [usize; 3]> {
    let left = 2 * cells - leading;
    let second = move |first: usize| (0..=cells).map(move |second| (first, second));
    let third = move |(first, second)| {
        let third = left.checked_sub(first + second)?;
        (third <= cells).then_some([first, second, third])
    };
    (0..=cells).flat_map(second).filter_map(third)
}

impl Projection for Pair {
    fn entries(&self) -> usize {
        self.entries
    }

    #[inline(always)]
    fn number(&self, cells: LaneCells) -> usize {
        // The class above the position, so that the least of them tells both.
        let lead = |position: usize| {
            let class = self.leads[usize::from(cells[position])].class;
            usize::from(class) << 2 | position
        };
        let least = lead(0).min(lead(1)).min(lead(2).min(lead(3)));
        let leader = least & 3;
        let symmetry = self.leads[usize::from(cells[leader])].symmetry;
        self.number_by(&cells, leader, usize::from(symmetry), least >> 2)
    }

    fn solved(&self) -> Vec<LaneCells> {
        let full = ((1u32 << self.cells) - 1) as u16;
        vec![[full, full, 0, 0], [full, 0, 0, full]]
    }

    fn parts(&self) -> usize {
        self.classes.len() * (self.cells + 1)
    }

    fn list(&self, part: usize, visit: &mut dyn FnMut(usize, LaneCells)) {
        let class = &self.classes[part / (self.cells + 1)];
        let beside = |count: usize| &self.quadrants[count][..class.counts[count] as usize];
        let leading = class.model.count_ones() as usize;
        let wanted = part % (self.cells + 1);
        for [first, second, third] in profiles(self.cells, leading).filter(|p| p[0] == wanted) {
            let mut number = class.starts[first << 4 | second] as usize;
            for &a in beside(first) {
                for &b in beside(second) {
                    for &c in beside(third) {
                        visit(number, [class.model, a, b, c]);
                        number += 1;
                    }
                }
            }
        }
    }

    fn all_numbers(&self, cells: LaneCells, visit: &mut dyn FnMut(usize)) {
        let class = |position: usize| self.leads[usize::from(cells[position])].class;
        let least = class(0).min(class(1)).min(class(2).min(class(3)));
        let model = self.classes[usize::from(least)].model;
        for leader in (0..4).filter(|&position| class(position) == least) {
            for symmetry in 0..SYMMETRIES {
                if self.image(symmetry, cells[leader]) == model {
                    visit(self.number_by(&cells, leader, symmetry, least.into()));
                }
            }
        }
    }
}

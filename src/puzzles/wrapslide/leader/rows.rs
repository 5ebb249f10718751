//! The index by leading colour as a table of rows: one for each class of leaders, one column for each choice.
//!
//! A state has three numbers here, one for each colour that is taken for the leader, whether it is the least or
//! not. Then a slide never changes who leads: it takes the leader of a row to another mask, whose class is the other
//! row, and the turn that makes the representative carries the free cells along. What this does to choices is
//! one permutation of the free cells: the images of their lower and upper half are looked up in two tables made
//! for the step, and a choice's number is a sum of two look-ups. All of these tables stay in the first cache.
//!
//! Which numbers are indices depends, nearly always, on what the three colours have in the leading quadrant, and
//! choices are in the order of their cells there: so whole stretches of a row are indices, or none of their
//! numbers is. Only where patterns tie the classes have to be looked up.

use std::ops::Range;

use super::{CLASS, Leader, Masks, SEVERAL, TRANSPOSE, TURN};
use crate::encode::binomial::choose;
use crate::encode::cpu::{self, Cpu, Kernel};
use crate::space::RowStep;

/// What is done to a leader: transposed or not, slid by so many cells, and turned.
#[derive(Clone, Copy)]
struct LeaderMotion {
    transposed: bool,
    cells: usize,
    turn: usize,
}

impl LeaderMotion {
    fn key(self) -> u32 {
        (self.cells as u32) << 4 | u32::from(self.transposed) << 3 | self.turn as u32
    }

    fn of(key: u32) -> Self {
        LeaderMotion { transposed: key & 8 != 0, cells: (key >> 4) as usize, turn: (key & TURN) as usize }
    }
}

impl<const CELLS: usize> Leader<CELLS> {
    /// Columns of a row.
    pub fn columns(&self) -> u32 {
        self.per_leader.number() as u32
    }

    fn representative(&self, row: u64) -> u32 {
        self.leaders[row as usize] & Self::ALL
    }

    #[inline(always)]
    fn moved(&self, mask: u32, motion: LeaderMotion) -> u32 {
        let mask = if motion.transposed { self.image(TRANSPOSE, mask) } else { mask };
        self.image(motion.turn, self.slid_mask(mask, motion.cells))
    }

    /// Where slides by these cells take the leader of a row.
    pub fn steps(&self, row: u64, slides: &[usize], steps: &mut Vec<RowStep>) {
        let leader = self.representative(row);
        for transposed in [false, true] {
            for &cells in slides {
                let slid = self.moved(leader, LeaderMotion { transposed, cells, turn: 0 });
                let entry = self.classes[self.place(slid)];
                let turn = (entry & TURN) as usize;
                let key = LeaderMotion { transposed, cells, turn }.key();
                steps.push(RowStep { row: u64::from(entry >> CLASS), parts: (0, 0), key });
            }
        }
    }

    /// The turns that keep the leader of a row, but for the identity.
    pub fn twins(&self, row: u64, steps: &mut Vec<RowStep>) {
        let leader = self.representative(row);
        if self.classes[self.place(leader)] & SEVERAL == 0 {
            return;
        }
        for turn in (1..8).filter(|&turn| self.image(turn, leader) == leader) {
            let key = LeaderMotion { transposed: false, cells: 0, turn }.key();
            steps.push(RowStep { row, parts: (0, 0), key });
        }
    }

    /// Appends where a step of a row takes columns.
    pub fn carry(&self, row: u64, step: &RowStep, columns: &[u32], images: &mut Vec<u32>) {
        cpu::run(CarryColumns { leader: self, row, step, columns, images });
    }

    /// Appends the numbers of a state, one for each colour.
    pub fn numbers(&self, index: u64, numbers: &mut Vec<u64>) {
        cpu::run(Numbers { leader: self, index, numbers });
    }

    /// Clears the bits of the columns of a row that are no indices.
    pub fn retain_canonical(&self, row: u64, bits: &mut [u64]) {
        cpu::run(RetainCanonical { leader: self, row, bits });
    }

    /// Whether a number is an index.
    #[inline(always)]
    fn is_index(&self, cpu: impl Cpu, row: u64, column: u64, is_kept: bool) -> bool {
        let masks = self.masks(cpu, row * self.per_leader.number() + column);
        let class = |mask: u32| u64::from(self.classes[self.place(mask)] >> CLASS);
        let least = class(masks[1]).min(class(masks[2]));
        match least.cmp(&row) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Greater if !is_kept => true,
            _ => u64::from(self.least_choice(cpu, masks).0) == column,
        }
    }
}

/// The arguments of [`Leader::carry`].
struct CarryColumns<'a, const CELLS: usize> {
    leader: &'a Leader<CELLS>,
    row: u64,
    step: &'a RowStep,
    columns: &'a [u32],
    images: &'a mut Vec<u32>,
}

/// Room for the images of half of the free cells of the largest quadrants.
const HALF: usize = 512;

impl<const CELLS: usize> Kernel for CarryColumns<'_, CELLS> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        let CarryColumns { leader, row, step, columns, images } = self;
        let full = Leader::<CELLS>::FULL as usize;
        let motion = LeaderMotion::of(step.key);
        let target = Leader::<CELLS>::ALL ^ leader.representative(step.row);
        // Bits of a choice are the free cells, from the last one on.
        let mut free = Leader::<CELLS>::ALL ^ leader.representative(row);
        let mut halves = [[0u32; HALF]; 2];
        for half in &mut halves {
            for bit in 0..CELLS {
                let cell = free & free.wrapping_neg();
                free ^= cell;
                let image = leader.moved(cell, motion);
                half[1 << bit & (HALF - 1)] = 1 << (target & (image - 1)).count_ones();
            }
            for bits in 1..=full {
                half[bits & (HALF - 1)] =
                    half[bits & (bits - 1) & (HALF - 1)] | half[bits & bits.wrapping_neg() & (HALF - 1)];
            }
        }
        let (mut numbers, mut behind) = ([0u16; HALF], [0u16; HALF]);
        numbers[..leader.high.len()].copy_from_slice(&leader.high);
        behind[..leader.third.len()].copy_from_slice(&leader.third);
        let choices = &leader.choices[..];
        let top = 1u32 << (2 * CELLS - 1);
        let start = images.len();
        images.resize(start + columns.len(), 0);
        for (image, &column) in images[start..].iter_mut().zip(columns) {
            let choice = choices[column as usize] | top;
            let low = halves[0][choice as usize & full & (HALF - 1)];
            let high = halves[1][(choice >> CELLS) as usize & full & (HALF - 1)];
            let moved = low | high;
            // As in `choice`: the second colour is the one with the first free cell.
            let second = moved ^ (moved >> (2 * CELLS - 1)).wrapping_sub(1);
            let number = numbers[(second >> CELLS) as usize & (full >> 1) & (HALF - 1)];
            *image = u32::from(number) + u32::from(behind[second as usize & full & (HALF - 1)]);
        }
    }
}

/// The arguments of [`Leader::numbers`].
struct Numbers<'a, const CELLS: usize> {
    leader: &'a Leader<CELLS>,
    index: u64,
    numbers: &'a mut Vec<u64>,
}

impl<const CELLS: usize> Kernel for Numbers<'_, CELLS> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Numbers { leader, index, numbers } = self;
        let masks: Masks = leader.masks(cpu, index);
        for colour in 0..3 {
            let entry = leader.classes[leader.place(masks[colour])];
            let turned = |mask| leader.image((entry & TURN) as usize, mask);
            let choice = leader.choice(cpu, turned(masks[colour]), turned(masks[(colour + 1) % 3]));
            numbers.push(u64::from(entry >> CLASS) * leader.per_leader.number() + u64::from(choice));
        }
    }
}

/// The arguments of [`Leader::retain_canonical`].
struct RetainCanonical<'a, const CELLS: usize> {
    leader: &'a Leader<CELLS>,
    row: u64,
    bits: &'a mut [u64],
}

impl<const CELLS: usize> Kernel for RetainCanonical<'_, CELLS> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let RetainCanonical { leader, row, bits } = self;
        let own = leader.representative(row);
        let is_kept = leader.classes[leader.place(own)] & SEVERAL != 0;
        let free = (Leader::<CELLS>::ALL ^ own) >> (2 * CELLS);
        let cells = free.count_ones();
        let pattern = |front: u32| leader.patterns[front as usize];
        let least = pattern(own >> (2 * CELLS));
        let mut begin = 0;
        // The second colour has the first free cell.
        for value in 1u32 << cells >> 1..1 << cells {
            let behind = 2 * CELLS - cells as usize;
            let count = match (cells, CELLS.checked_sub(value.count_ones() as usize)) {
                (0, _) => leader.per_leader.number(),
                (_, Some(left)) => choose(behind, left),
                (_, None) => 0,
            };
            let second = cpu.deposit(value.into(), free.into()) as u32;
            let other = pattern(second).min(pattern(free ^ second));
            let columns = begin..begin + count as usize;
            begin = columns.end;
            if other < least {
                words_of(bits, columns).for_each(|(_, word, inside)| *word &= !inside);
            } else if other == least || is_kept {
                retain(bits, columns, |column| leader.is_index(cpu, row, column as u64, is_kept));
            }
        }
    }
}

/// The words that hold a range of bits, with the number of the first bit of each, and those of its bits that are in
/// the range.
#[inline(always)]
fn words_of(bits: &mut [u64], range: Range<usize>) -> impl Iterator<Item = (usize, &mut u64, u64)> {
    let below = |bit: usize| if bit < 64 { (1u64 << bit) - 1 } else { !0 };
    let words = bits.iter_mut().enumerate().take(range.end.div_ceil(64)).skip(range.start / 64);
    words.map(move |(at, word)| {
        let first = at * 64;
        (first, word, below(range.end - first) & !below(range.start.saturating_sub(first)))
    })
}

/// Keeps those of a range of bits that the test is true for.
#[inline(always)]
fn retain(bits: &mut [u64], range: Range<usize>, test: impl Fn(usize) -> bool) {
    for (first, word, inside) in words_of(bits, range) {
        let mut left = *word & inside;
        while left != 0 {
            if !test(first + left.trailing_zeros() as usize) {
                *word &= !(left & left.wrapping_neg());
            }
            left &= left - 1;
        }
    }
}

//! The index as a table of rows: one for each order of the first tiles (the *head*), one column for each order of
//! the others (the *tail*) with each cell of the blank.
//!
//! In terms of [`Carry`](crate::encode::Carry), the head is the first digits of the rank, and the tail the others. A
//! horizontal move changes the blank alone. A vertical move carries one tile over some others:
//! - within the head, it takes the row to one other, and leaves tails alone;
//! - within the tail, it leaves the row alone, and takes each tail to another, which a table knows;
//! - across the border, it is two carries one after the other: one within the tail, to its first place or from
//!   there, and one within the head and that place. What the second does depends on the first digit of the tail
//!   alone: columns are in one part for each of its values, and each part has a step of its own.
//!
//! A tail's number leaves out its last digit but one, as ranks do, which follows from the parity of the others: those
//! of the tail, those of the head, and what the cell of the blank asks for. So there are two tables for each carry.
//!
//! The tables, a list of columns and two rows of bits stay in cache. Only boards that are not square have rows, because
//! each number is a class there.

use super::rules::TilesVariant;
use crate::encode::carry_digits;
use crate::encode::cpu::{self, Cpu, Kernel};
use crate::encode::permutation::Parity;
use crate::puzzle::Arrow;
use crate::space::{RowStep, Rows};

/// Tiles of the tail: a row of bits has up to 4.8 KB with seven.
const TAIL: usize = 7;
/// More tiles than boards with an index have.
const MOST_TILES: usize = 16;

/// A universe by rows.
pub(super) struct TileRows {
    variant: TilesVariant,
    head: usize,
    tail: usize,
    /// What the first digit of a tail counts for in its number.
    unit: u32,
    /// Tails of one parity.
    tails: u32,
    /// 2^32 by the number of cells, rounded up.
    reciprocal: u64,
    /// By the parity of the head: the part of each column.
    parts: [Box<[u8]>; 2],
    /// By cell of the blank: its first part and its last.
    parts_of: Vec<(u8, u8)>,
    /// By cell of the blank: the vertical moves.
    lifts: Vec<Vec<Lift>>,
    /// Where a carry takes the tails of one parity.
    tables: Vec<Box<[u16]>>,
}

/// A vertical move of the tile beside the blank.
#[derive(Clone, Copy)]
struct Lift {
    /// The blank's cell afterwards.
    to: usize,
    /// The first place of the order that changes, and the last.
    low: usize,
    high: usize,
    /// Whether the tile comes to the first of them.
    to_front: bool,
    /// The number of the table for even tails, which the one for odd tails follows, if the tail changes.
    table: usize,
}

/// What a step does to columns.
#[derive(Clone, Copy)]
struct Course {
    /// The table that tails go through; none if this is [`NO_TABLE`].
    table: usize,
    /// What is added to the tail's first digit before that, and afterwards.
    before: i32,
    after: i32,
    from: usize,
    to: usize,
}

const NO_TABLE: usize = 255;
/// Added to a difference of digits, so that it is no negative number.
const ZERO: i32 = 16;

impl Course {
    fn key(self) -> u32 {
        let fields = [self.table, (self.before + ZERO) as usize, (self.after + ZERO) as usize, self.from];
        fields.into_iter().zip([0, 8, 13, 18]).fold(0, |key, (field, at)| key | (field as u32) << at)
            | (self.to as u32) << 23
    }

    fn of(key: u32) -> Self {
        let field = |at: u32, bits: u32| (key >> at & ((1 << bits) - 1)) as usize;
        Course {
            table: field(0, 8),
            before: field(8, 5) as i32 - ZERO,
            after: field(13, 5) as i32 - ZERO,
            from: field(18, 5),
            to: field(23, 5),
        }
    }
}

/// Whether the sum of digits is odd.
fn is_odd(digits: &[u64]) -> bool {
    digits.iter().sum::<u64>() % 2 == 1
}

impl TileRows {
    /// The rows of a variant; `None` for metrics and boards that have none.
    pub fn new(variant: TilesVariant) -> Option<Self> {
        let tiles = variant.cells() - 1;
        if variant.push || variant.is_square() || !(5..MOST_TILES).contains(&tiles) {
            return None;
        }
        let head = tiles.saturating_sub(TAIL).max(1);
        let tail = tiles - head;
        let tails: u32 = (3..=tail as u32).product();
        let mut rows = TileRows {
            variant,
            head,
            tail,
            unit: tails / tail as u32,
            tails,
            reciprocal: (1u64 << 32).div_ceil(variant.cells() as u64),
            parts: [Box::default(), Box::default()],
            parts_of: Vec::new(),
            lifts: Vec::new(),
            tables: Vec::new(),
        };
        rows.lifts = (0..variant.cells()).map(|blank| rows.lifts_from(blank)).collect();
        rows.divide();
        Some(rows)
    }

    /// The vertical moves with the blank on a cell; makes their tables.
    fn lifts_from(&mut self, blank: usize) -> Vec<Lift> {
        let n = self.variant.columns;
        let mut lifts = Vec::new();
        for to_front in [true, false] {
            let direction = if to_front { Arrow::Up } else { Arrow::Down };
            let Some(to) = self.variant.blank_after(blank, direction) else {
                continue;
            };
            let low = blank.min(to);
            let lift = Lift { to, low, high: low + n - 1, to_front, table: self.tables.len() };
            lifts.push(lift);
            if lift.high >= self.head {
                let tables = [false, true].map(|odd| self.tabulate(&lift, odd));
                self.tables.extend(tables);
            }
        }
        lifts
    }

    /// Where the part of a carry that is within the tail takes the tails of one parity.
    fn tabulate(&self, lift: &Lift, odd: bool) -> Box<[u16]> {
        let places = lift.low.saturating_sub(self.head)..=lift.high - self.head;
        let image = |number| {
            let mut digits = self.tail_digits(number, odd);
            carry_digits(&mut digits[places.clone()], lift.to_front);
            let digits = (0..self.tail - 2).map(|place| digits[place] * self.weight(place));
            digits.sum::<u64>() as u16
        };
        (0..self.tails).map(image).collect()
    }

    /// What a digit of the tail counts for.
    fn weight(&self, place: usize) -> u64 {
        (3..(self.tail - place) as u64).product()
    }

    /// The digits of the tail of one parity with this number.
    fn tail_digits(&self, number: u32, odd: bool) -> [u64; MOST_TILES] {
        let mut digits = [0; MOST_TILES];
        for (place, digit) in digits.iter_mut().enumerate().take(self.tail - 2) {
            *digit = u64::from(number) / self.weight(place) % (self.tail - place) as u64;
        }
        digits[self.tail - 2] = u64::from(is_odd(&digits) != odd);
        digits
    }

    /// Divides columns into parts.
    fn divide(&mut self) {
        let mut next = 0;
        for lifts in &self.lifts {
            let across = lifts.iter().any(|lift| self.is_across(lift));
            let parts = if across { self.tail as u8 } else { 1 };
            self.parts_of.push((next, next + parts - 1));
            next += parts;
        }
        let part = |odd_head: bool, column: u32| {
            let (number, blank) = (column / self.cells(), (column % self.cells()) as usize);
            let across = self.lifts[blank].iter().find(|lift| self.is_across(lift));
            let first = match across {
                None => 0,
                Some(lift) if lift.to_front => {
                    let odd_tail = self.is_odd_at(blank) != odd_head;
                    u32::from(self.tables[lift.table + usize::from(odd_tail)][number as usize]) / self.unit
                }
                Some(_) => number / self.unit,
            };
            self.parts_of[blank].0 + first as u8
        };
        self.parts = [false, true].map(|odd| (0..self.columns()).map(|column| part(odd, column)).collect());
    }

    /// Whether a move takes a tile from the head to the tail, or back. Not two moves from one cell do.
    fn is_across(&self, lift: &Lift) -> bool {
        (lift.low + 1..=lift.high).contains(&self.head)
    }

    fn is_odd_at(&self, blank: usize) -> bool {
        self.variant.parity(blank) == Parity::Odd
    }

    fn cells(&self) -> u32 {
        self.variant.cells() as u32
    }

    /// What a digit of the head counts for.
    fn radix(&self, place: usize) -> u64 {
        (self.head + self.tail - place) as u64
    }

    fn head_digits(&self, mut row: u64) -> [u64; MOST_TILES] {
        let mut digits = [0; MOST_TILES];
        for place in (0..self.head).rev() {
            digits[place] = row % self.radix(place);
            row /= self.radix(place);
        }
        digits
    }

    fn row_of(&self, digits: &[u64]) -> u64 {
        digits.iter().enumerate().fold(0, |row, (place, digit)| row * self.radix(place) + digit)
    }

    /// Appends the steps that a vertical move is.
    fn lift(&self, digits: &[u64; MOST_TILES], blank: usize, lift: &Lift, steps: &mut Vec<RowStep>) {
        let head = self.head;
        let Lift { to, low, high, to_front, table } = *lift;
        let plain = Course { table: NO_TABLE, before: 0, after: 0, from: blank, to };
        let is_odd_tail = self.is_odd_at(blank) != is_odd(&digits[..head]);
        let parts = self.parts_of[blank];
        if high < head {
            let mut digits = *digits;
            carry_digits(&mut digits[low..=high], to_front);
            steps.push(RowStep { row: self.row_of(&digits[..head]), parts, key: plain.key() });
        } else if low >= head {
            let course = Course { table: table + usize::from(is_odd_tail), ..plain };
            steps.push(RowStep { row: self.row_of(&digits[..head]), parts, key: course.key() });
        } else {
            for first in 0..self.tail {
                let mut moved = *digits;
                moved[head] = first as u64;
                carry_digits(&mut moved[low..=head], to_front);
                let more = moved[head] as i32 - first as i32;
                let course = if to_front {
                    Course { table: table + usize::from(is_odd_tail), after: more, ..plain }
                } else {
                    // The tail between the two carries.
                    let is_odd_order = self.is_odd_at(blank) != ((head - low) % 2 == 1);
                    let is_odd_tail = is_odd_order != is_odd(&moved[..head]);
                    Course { table: table + usize::from(is_odd_tail), before: more, ..plain }
                };
                let part = parts.0 + first as u8;
                let row = self.row_of(&moved[..head]);
                steps.push(RowStep { row, parts: (part, part), key: course.key() });
            }
        }
    }
}

impl Rows for TileRows {
    fn columns(&self) -> u32 {
        self.tails * self.cells()
    }

    fn parts(&self, row: u64) -> &[u8] {
        &self.parts[usize::from(is_odd(&self.head_digits(row)))]
    }

    fn steps(&self, row: u64, steps: &mut Vec<RowStep>) {
        let digits = self.head_digits(row);
        for (blank, lifts) in self.lifts.iter().enumerate() {
            for direction in [Arrow::Left, Arrow::Right] {
                if let Some(to) = self.variant.blank_after(blank, direction) {
                    let course = Course { table: NO_TABLE, before: 0, after: 0, from: blank, to };
                    steps.push(RowStep { row, parts: self.parts_of[blank], key: course.key() });
                }
            }
            for lift in lifts {
                self.lift(&digits, blank, lift, steps);
            }
        }
    }

    fn twins(&self, _: u64, _: &mut Vec<RowStep>) {}

    fn carry(&self, _: u64, step: &RowStep, columns: &[u32], images: &mut Vec<u32>) {
        cpu::run(CarryTails { rows: self, course: Course::of(step.key), columns, images });
    }

    fn numbers(&self, class: u64, numbers: &mut Vec<u64>) {
        numbers.push(class);
    }

    fn retain_canonical(&self, _: u64, _: &mut [u64]) {}
}

/// The arguments of [`Rows::carry`].
struct CarryTails<'a> {
    rows: &'a TileRows,
    course: Course,
    columns: &'a [u32],
    images: &'a mut Vec<u32>,
}

impl Kernel for CarryTails<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        let CarryTails { rows, course, columns, images } = self;
        let Course { table, before, after, from, to } = course;
        let start = images.len();
        images.resize(start + columns.len(), 0);
        let images = &mut images[start..];
        if table == NO_TABLE {
            let more = (to as u32).wrapping_sub(from as u32);
            for (image, &column) in images.iter_mut().zip(columns) {
                *image = column.wrapping_add(more);
            }
            return;
        }
        let (table, cells) = (&rows.tables[table][..], rows.cells());
        let before = (before * rows.unit as i32) as u32;
        let more = ((after * rows.unit as i32) as u32).wrapping_mul(cells).wrapping_add(to as u32);
        for (image, &column) in images.iter_mut().zip(columns) {
            // Exact, because a column times the cells is below 2^32.
            let number = ((u64::from(column) * rows.reciprocal) >> 32) as u32;
            let tail = u32::from(table[number.wrapping_add(before) as usize]);
            *image = (tail * cells).wrapping_add(more);
        }
    }
}

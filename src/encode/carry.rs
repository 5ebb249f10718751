//! Carrying one item of a permutation to another place, on the rank alone.
//!
//! Take the item at one place of a permutation out and put it back at another place: the items in
//! between move up by one, all others stay. When the permutation is only known by its rank, the
//! plain way is to unrank it, to move the item and to rank the result. This file does it with a
//! look-up instead.
//!
//! # Only a window of digits changes
//! The lexicographic rank of a permutation of `k` items is a number in mixed radix. Its digit at
//! place `p` says how many later items are smaller than the item at `p`; it is below `k - p`, and
//! it counts for `(k - 1 - p)!`. An item that is carried between the places `i < j` changes what
//! is later than what only for places from `i` to `j`. So the digits before `i` and after `j` stay
//! as they are, and the digits of the *window* from `i` to `j` determine the new ones. Carried from
//! the end of the window to its front, an item of digit `r` meets the items before it one by one,
//! from the back:
//! - one whose digit is above `r` is greater (the carried item and the `r` smaller ones are among
//!   those that its digit counts); it has one smaller item less behind it from now on;
//! - any other is smaller, keeps its digit, and adds one to `r`.
//!
//! All of them move up by one place, and `r` becomes the first digit. The way back is the same
//! in reverse.
//!
//! The window is itself a number below `(k - i)! / (k - 1 - j)!`: rank divided by the *unit*
//! `(k - 1 - j)!`, modulo that bound. A table of changes, indexed by the window's number, makes a
//! carry: new rank = rank + change x unit.
//!
//! # Without half of the permutations
//! Among the permutations of one parity, [`rank_with_parity`](super::permutation::rank_with_parity)
//! halves the rank: it leaves out the digit at the last place but one, which is 0 or 1 (the digit
//! at the last place is always 0). Units of windows that end before those two places are just half
//! as large. A window that reaches them needs the missing digit. The parity of a permutation is the
//! parity of the sum of its digits, so the missing digit follows from the others: those within the
//! window are known to the table, and of those above it one bit is looked up ([`DigitSums`]). The
//! table then has two rows, one for each value of that bit.
//!
//! # Long ways
//! The tables of long windows would be large. But a carry from `j` to `i` is a carry from `j` to
//! any place in between, followed by one from there to `i`, so long ones are cut into *steps*,
//! each with a table that stays in cache. A step over an odd number of places changes the parity,
//! which the next step has to know.

use super::digit_sums::DigitSums;
use super::divisor::Divisor;
use super::permutation::Parity;

/// The longest permutations whose halved ranks can be divided by a [`Divisor`].
const MAX_LENGTH: usize = 20;

/// Tables have at most this many entries of four bytes. A carry takes 3 to 5 ns with them; smaller
/// ones make more steps, and larger ones leave the cache (measured for 11 to 15 items).
const MOST_ENTRIES: u64 = 1 << 16;

/// Carries the item at one fixed place to another, for permutations of one length and parity.
#[derive(Clone, Debug)]
pub struct Carry {
    steps: Box<[CarryStep]>,
}

impl Carry {
    /// Prepares the tables for carrying the item at place `from` to place `to` in permutations of
    /// `0..length` that have this parity. `None` unless both places exist and `length` is 2 to 20.
    pub fn new(length: usize, from: usize, to: usize, parity: Parity) -> Option<Self> {
        Self::with_tables(length, from, to, parity, MOST_ENTRIES)
    }

    fn with_tables(length: usize, from: usize, to: usize, mut parity: Parity, most: u64) -> Option<Self> {
        if !(2..=MAX_LENGTH).contains(&length) || from >= length || to >= length {
            return None;
        }
        let mut windows = Vec::new();
        let mut end = from.max(to);
        while end > from.min(to) {
            let fits = |&start: &usize| entries(length, start, end) <= most;
            let longer = (from.min(to)..end - 1).rev().take_while(fits).last();
            let start = longer.unwrap_or(end - 1);
            windows.push((start, end));
            end = start;
        }
        if from < to {
            windows.reverse();
        }
        let steps = windows.into_iter().map(|(start, end)| {
            let window = Window { length, start, end };
            let step = CarryStep::new(window, from > to, parity);
            if (end - start) % 2 == 1 {
                parity = other(parity);
            }
            step
        });
        Some(Carry { steps: steps.collect::<Option<_>>()? })
    }

    /// Turns the rank of each permutation among those of its parity into the rank of the carried
    /// one among those of that one's parity. Numbers that are no ranks give meaningless ones, or
    /// panic.
    #[inline(always)]
    pub fn apply(&self, ranks: &mut [u64]) {
        for step in &self.steps {
            step.apply(ranks);
        }
    }
}

fn other(parity: Parity) -> Parity {
    match parity {
        Parity::Even => Parity::Odd,
        Parity::Odd => Parity::Even,
    }
}

/// The places from `start` to `end`, both included.
#[derive(Clone, Copy)]
struct Window {
    length: usize,
    start: usize,
    end: usize,
}

/// Table entries for a window; at most 20!.
fn entries(length: usize, start: usize, end: usize) -> u64 {
    let window = Window { length, start, end };
    window.radices().map(|radix| radix as u64).product()
}

impl Window {
    /// Whether the window needs the digit that halving leaves out.
    fn reaches_the_end(&self) -> bool {
        self.end + 2 >= self.length
    }

    /// The radices of the digits that the table reads: those of the window, and, if it reaches one
    /// of the last two places, all to the end.
    fn radices(&self) -> std::ops::RangeInclusive<usize> {
        let last = if self.reaches_the_end() { self.length - 1 } else { self.end };
        self.length - last..=self.length - self.start
    }

    /// The number that these digits make.
    fn number(&self, digits: &[u64]) -> u64 {
        let radices = self.radices().rev().map(|radix| radix as u64);
        radices.zip(digits).fold(0, |number, (radix, digit)| number * radix + digit)
    }

    /// The digits that make a number.
    fn digits(&self, mut number: u64, digits: &mut [u64; MAX_LENGTH]) {
        let count = self.radices().count();
        for (radix, digit) in self.radices().zip(digits[..count].iter_mut().rev()) {
            *digit = number % radix as u64;
            number /= radix as u64;
        }
    }
}

/// A carry within one window.
#[derive(Clone, Debug)]
struct CarryStep {
    /// What the window's number counts for in the rank.
    unit: Divisor,
    /// The window's number is below this.
    bound: Divisor,
    /// By how much the window's number changes: one row, or two if the sum of the digits above
    /// the window is needed.
    changes: Box<[i32]>,
    above: Option<DigitSums>,
}

impl CarryStep {
    fn new(window: Window, to_front: bool, parity: Parity) -> Option<Self> {
        let Window { length, start, end } = window;
        let carried = end - start;
        let mut digits = [0; MAX_LENGTH];
        if !window.reaches_the_end() {
            let bound = entries(length, start, end);
            let change = |number| {
                window.digits(number, &mut digits);
                carry_digits(&mut digits[..=carried], to_front);
                i32::try_from(window.number(&digits) as i64 - number as i64).ok()
            };
            return Some(CarryStep {
                unit: Divisor::new((3..length as u64 - end as u64).product())?,
                bound: Divisor::new(bound)?,
                changes: (0..bound).map(change).collect::<Option<_>>()?,
                above: None,
            });
        }
        let bound = entries(length, start, end) / 2;
        let mut changes = Vec::new();
        for odd_above in [false, true] {
            for number in 0..bound {
                window.digits(2 * number, &mut digits);
                let odd = digits[..length - start].iter().sum::<u64>() % 2 == 1;
                let missing = odd ^ odd_above ^ (parity == Parity::Odd);
                digits[length - 2 - start] = u64::from(missing);
                carry_digits(&mut digits[..=carried], to_front);
                let change = (window.number(&digits) / 2) as i64 - number as i64;
                changes.push(i32::try_from(change).ok()?);
            }
        }
        Some(CarryStep {
            unit: Divisor::new(1)?,
            bound: Divisor::new(bound)?,
            changes: changes.into(),
            above: Some(DigitSums::new(length - start + 1..=length)?),
        })
    }

    #[inline(always)]
    fn apply(&self, ranks: &mut [u64]) {
        let CarryStep { unit, bound, changes, above } = self;
        match above {
            None => {
                for rank in ranks {
                    let (_, number) = bound.divide(unit.quotient(*rank));
                    let change = i64::from(changes[number as usize]);
                    *rank = rank.wrapping_add_signed(change * unit.number() as i64);
                }
            }
            Some(above) => {
                for rank in ranks {
                    let (rest, number) = bound.divide(*rank);
                    let row = above.parity(rest) * bound.number();
                    let change = i64::from(changes[(row + number) as usize]);
                    *rank = rank.wrapping_add_signed(change);
                }
            }
        }
    }
}

/// Carries an item from one end of the window with these digits to the other: the last one to the front, or the first
/// one to the end.
pub fn carry_digits(digits: &mut [u64], to_front: bool) {
    let last = digits.len() - 1;
    if to_front {
        let mut carried = digits[last];
        for place in (0..last).rev() {
            let greater = digits[place] > carried;
            digits[place + 1] = digits[place] - u64::from(greater);
            carried += u64::from(!greater);
        }
        digits[0] = carried;
    } else {
        let mut carried = digits[0];
        for place in 1..=last {
            let smaller = digits[place] < carried;
            digits[place - 1] = digits[place] + u64::from(!smaller);
            carried -= u64::from(smaller);
        }
        digits[last] = carried;
    }
}

#[cfg(test)]
mod tests;

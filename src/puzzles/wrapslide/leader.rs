//! The index of four colours with one fixed: one colour leads, and its class is looked up.
//!
//! # Representation
//! The three free colours share the cells of three quadrants equally. A colour is a mask over
//! those cells, cell 0 of [`layout`](super::layout) in the highest bit, so the leading quadrant is
//! the high third of a mask. The eight turns that keep the fixed quadrant in its place turn every
//! quadrant alike; those that exchange rows and columns also exchange the second quadrant and the
//! third. Two masks that a turn makes equal are in one *class of masks*.
//!
//! # Numbering
//! The colour whose mask has the least class leads, and is turned into the class's representative.
//! What is left is which of the other cells the second colour has: the one with the first of
//! them, so that half of the choices remain. An index is the number of the leader's class, times
//! the number of choices, plus the number of the choice: 589,759 x 24,310 for quadrants of nine
//! cells, of which a third occur, as a leader's class must not be above the others'. If several
//! colours are of the least class, or several turns make the representative, the least choice
//! counts. How many ways lead to it is the order of the state's stabiliser.
//!
//! # Speed
//! Classes are numbered by what the mask has in the leading quadrant first, with patterns of more
//! cells before those of fewer. So a small table on the leading quadrant nearly always knows the
//! leader, and only its class is looked up in the large table, which is asked for early and for
//! many states at a time. Against least images in [`quadrants`](super::quadrants) the universe is
//! 2.65 times smaller, and a position is found without searching tables.

mod rows;

use super::quadrants::{TRANSPOSE, turns};
use super::space::too_large;
use crate::encode::binomial::choose;
use crate::encode::cpu::Cpu;
use crate::encode::{Combination, Divisor};
use crate::error::Result;
use crate::store::memory::{HugeTable, prefetch};

/// Of an entry in the table of classes: the turn that makes the representative.
const TURN: u32 = 7;
/// Of an entry in the table of classes: more than one turn does.
const SEVERAL: u32 = 8;
/// Where the number of the class begins.
const CLASS: u32 = 4;

/// Of a representative: a turn keeps it, or makes it a mask that another colour may have. Only
/// with such a leader can a state be kept by a symmetry.
const DOUBTFUL: u32 = 1 << 31;

/// Of a place in the table of classes: several colours are of the least class.
const TIED: u32 = 1 << 31;

/// The masks of the three free colours.
pub(super) type Masks = [u32; 3];

/// A state on its way to its index: the leader, another colour, and the leader's place in the
/// table of classes.
#[derive(Clone, Copy, Default)]
pub(super) struct Pending {
    leader: u32,
    other: u32,
    place: u32,
}

/// Tables for quadrants of `CELLS` cells.
pub(super) struct Leader<const CELLS: usize> {
    /// `[turn][bits of a quadrant]`, flattened: the turned bits.
    turns: Box<[u16]>,
    /// By a mask's bits in the leading quadrant: the order of patterns up to turns.
    patterns: Box<[u8]>,
    /// The number of a mask among all is a sum of three look-ups, one for each quadrant.
    first: Box<[u32]>,
    /// `[ones in the first quadrant][bits of the second]`, flattened.
    second: Box<[u32]>,
    /// The number of a quadrant's bits among those with as many ones.
    third: Box<[u16]>,
    /// By the number of a mask: its class, and turns to the class's representative.
    classes: HugeTable<u32>,
    /// By class: the representative.
    leaders: HugeTable<u32>,
    /// By the high bits of a choice: how many choices have smaller ones.
    high: Box<[u16]>,
    /// By number: the bits of a choice.
    choices: Box<[u32]>,
    /// How many choices there are.
    per_leader: Divisor,
}

impl<const CELLS: usize> Leader<CELLS> {
    /// Bits of one quadrant.
    const FULL: u32 = (1 << CELLS) - 1;
    /// Bits of all quadrants.
    const ALL: u32 = (1 << (3 * CELLS)) - 1;

    /// Builds the tables for quadrants of `side` rows, 2 or 3.
    pub fn new(side: usize) -> Result<Self> {
        let turns = turns(side);
        let size = 1usize << CELLS;
        let ones = |bits: usize| bits.count_ones() as usize;
        // How many masks have smaller bits in one quadrant, if `free` cells with `left` ones
        // in all are left for it and those behind it.
        let smaller = |left: usize, behind: usize, bits: usize| -> u64 {
            let smaller = (0..bits).filter(|&bits| ones(bits) <= left);
            smaller.map(|bits| choose(behind, left - ones(bits))).sum()
        };
        let mut third = vec![0; size];
        let mut seen = [0; 17];
        for (bits, number) in third.iter_mut().enumerate() {
            *number = seen[ones(bits)];
            seen[ones(bits)] += 1;
        }
        let combination = Combination::new(2 * CELLS - 1, CELLS - 1).ok_or_else(too_large)?;
        let mut leader = Leader {
            patterns: patterns::<CELLS>(&turns),
            turns,
            first: (0..size).map(|bits| smaller(CELLS, 2 * CELLS, bits) as u32).collect(),
            second: (0..=CELLS)
                .flat_map(|before| (0..size).map(move |bits| (before, bits)))
                .map(|(before, bits)| smaller(CELLS - before, CELLS, bits) as u32)
                .collect(),
            third: third.into(),
            classes: HugeTable::zeroed(0)?,
            leaders: HugeTable::zeroed(0)?,
            high: (0..size / 2).map(|bits| smaller(CELLS - 1, CELLS, bits) as u16).collect(),
            choices: (0..combination.count()).map(|number| combination.unrank(number) as u32).collect(),
            per_leader: Divisor::new(combination.count()).ok_or_else(too_large)?,
        };
        leader.classify()?;
        Ok(leader)
    }

    /// Numbers the classes of masks.
    fn classify(&mut self) -> Result<()> {
        let mut classes = HugeTable::zeroed(choose(3 * CELLS, CELLS) as usize)?;
        classes.fill(u32::MAX);
        let mut leaders = Vec::new();
        // The turn that undoes a turn is the one that brings every single cell back.
        let undoes = |undo: usize, turn: usize| {
            (0..CELLS).all(|cell| self.turned(undo, self.turned(turn, 1 << cell)) == 1 << cell)
        };
        let undo: [u32; 8] =
            std::array::from_fn(|turn| (0..8).find(|&undo| undoes(undo, turn)).unwrap_or(turn) as u32);
        // One quadrant stands for all with its pattern: the one with the least bits.
        let mut fronts: Vec<u32> =
            (0..=Self::FULL).filter(|&bits| (0..8).all(|turn| self.turned(turn, bits) >= bits)).collect();
        fronts.sort_by_key(|&bits| self.patterns[bits as usize]);
        for front in fronts {
            let left = CELLS as u32 - front.count_ones();
            let mut rest = (1u32 << left) - 1;
            while rest >> (2 * CELLS) == 0 {
                let mask = front << (2 * CELLS) | rest;
                if classes[self.place(mask)] == u32::MAX {
                    let class = leaders.len() as u32;
                    let mut doubtful = 0;
                    for (turn, undo) in undo.iter().enumerate() {
                        let image = self.image(turn, mask);
                        let entry = &mut classes[self.place(image)];
                        if *entry == u32::MAX {
                            *entry = class << CLASS | undo;
                        } else {
                            *entry |= SEVERAL;
                            doubtful = DOUBTFUL;
                        }
                        // Disjoint: another colour may be just that.
                        if image & mask == 0 {
                            doubtful = DOUBTFUL;
                        }
                    }
                    leaders.push(mask | doubtful);
                }
                rest = match rest {
                    0 => break,
                    _ => next_combination(rest),
                };
            }
        }
        self.classes = classes;
        self.leaders = HugeTable::of(&leaders)?;
        Ok(())
    }

    /// How many indices there are.
    pub fn count(&self) -> u64 {
        self.leaders.len() as u64 * self.per_leader.number()
    }

    #[inline(always)]
    fn turned(&self, turn: usize, bits: u32) -> u32 {
        u32::from(self.turns[turn << CELLS | bits as usize])
    }

    /// The image of a mask under a turn.
    #[inline(always)]
    pub fn image(&self, turn: usize, mask: u32) -> u32 {
        let (mut beside, mut below) = (CELLS, 0);
        if turn & TRANSPOSE != 0 {
            (beside, below) = (below, beside);
        }
        self.turned(turn, mask >> (2 * CELLS)) << (2 * CELLS)
            | self.turned(turn, mask >> beside & Self::FULL) << CELLS
            | self.turned(turn, mask >> below & Self::FULL)
    }

    /// The number of a mask among all.
    #[inline(always)]
    fn place(&self, mask: u32) -> usize {
        let first = mask >> (2 * CELLS);
        let before = first.count_ones() as usize;
        let second = (mask >> CELLS & Self::FULL) as usize;
        let third = (mask & Self::FULL) as usize;
        self.first[first as usize] as usize
            + self.second[before << CELLS | second] as usize
            + usize::from(self.third[third])
    }

    /// The state with this index, which must be below [`count`](Leader::count).
    #[inline(always)]
    pub fn masks(&self, cpu: impl Cpu, index: u64) -> Masks {
        let (class, choice) = self.per_leader.divide(index);
        let leader = self.leaders[class as usize] & Self::ALL;
        let choice = self.choices[choice as usize] | 1 << (2 * CELLS - 1);
        let free = Self::ALL ^ leader;
        let second = cpu.deposit(choice.into(), free.into()) as u32;
        [leader, second, free ^ second]
    }

    /// Finds the leader, and asks for its entry in the table of classes.
    #[inline(always)]
    pub fn begin(&self, masks: &Masks) -> Pending {
        let key = |colour: usize| {
            let front = masks[colour] >> (2 * CELLS);
            u32::from(self.patterns[front as usize]) << 2 | colour as u32
        };
        let (a, b, c) = (key(0), key(1), key(2));
        let least = a.min(b).min(c);
        let tied = |key: u32| u32::from(key >> 2 == least >> 2);
        if tied(a) + tied(b) + tied(c) > 1 {
            return self.break_tie(masks);
        }
        // Chosen without a detour through memory.
        let [a, b, c] = *masks;
        let (leader, other) = match least & 3 {
            0 => (a, b),
            1 => (b, a),
            _ => (c, a),
        };
        let place = self.place(leader);
        prefetch(&self.classes, place);
        Pending { leader, other, place: place as u32 }
    }

    /// Finds the leader where the leading quadrant does not tell.
    #[inline(never)]
    fn break_tie(&self, masks: &Masks) -> Pending {
        let places = masks.map(|mask| self.place(mask));
        let classes = places.map(|place| self.classes[place] >> CLASS);
        let least = classes[0].min(classes[1]).min(classes[2]);
        let colour = classes.iter().position(|&class| class == least).unwrap_or(0);
        let several = classes.iter().filter(|&&class| class == least).count() > 1;
        Pending {
            leader: masks[colour],
            other: masks[usize::from(colour == 0)],
            place: places[colour] as u32 | if several { TIED } else { 0 },
        }
    }

    /// The index of a state.
    #[inline(always)]
    pub fn finish(&self, cpu: impl Cpu, pending: &Pending) -> u64 {
        let Pending { leader, other, place } = *pending;
        let entry = self.classes[(place & !TIED) as usize];
        let choice = if place & TIED != 0 || entry & SEVERAL != 0 {
            self.least_choice(cpu, [leader, other, Self::ALL ^ leader ^ other]).0
        } else {
            let turn = (entry & TURN) as usize;
            self.choice(cpu, self.image(turn, leader), self.image(turn, other))
        };
        u64::from(entry >> CLASS) * self.per_leader.number() + u64::from(choice)
    }

    /// The number of the choice, given the leader and either of the other colours.
    #[inline(always)]
    fn choice(&self, cpu: impl Cpu, leader: u32, other: u32) -> u32 {
        let bits = cpu.extract(other.into(), (Self::ALL ^ leader).into()) as u32;
        // The second colour is the one with the first free cell: if that is the other one, it has
        // just those cells that this one has not.
        let top = bits >> (2 * CELLS - 1);
        let second = bits ^ top.wrapping_sub(1);
        let high = second >> CELLS & (Self::FULL >> 1);
        u32::from(self.high[high as usize]) + u32::from(self.third[(second & Self::FULL) as usize])
    }

    /// The least choice over all leaders and turns that are possible, and how many ways lead to it.
    #[inline(never)]
    pub fn least_choice(&self, cpu: impl Cpu, masks: Masks) -> (u32, u64) {
        let class = |mask: u32| self.classes[self.place(mask)] >> CLASS;
        let classes = masks.map(class);
        let least = classes[0].min(classes[1]).min(classes[2]);
        let representative = self.leaders[least as usize] & Self::ALL;
        let (mut choice, mut ways) = (u32::MAX, 0);
        for colour in (0..3).filter(|&colour| classes[colour] == least) {
            for turn in 0..8 {
                if self.image(turn, masks[colour]) != representative {
                    continue;
                }
                let other = self.image(turn, masks[(colour + 1) % 3]);
                let found = self.choice(cpu, representative, other);
                if found < choice {
                    (choice, ways) = (found, 0);
                }
                ways += u64::from(found == choice);
            }
        }
        (choice, ways)
    }

    /// The order of the stabiliser of the state with a canonical index.
    #[inline(always)]
    pub fn stabiliser(&self, cpu: impl Cpu, index: u64) -> u64 {
        if self.leaders[self.per_leader.quotient(index) as usize] & DOUBTFUL == 0 {
            return 1;
        }
        self.least_choice(cpu, self.masks(cpu, index)).1
    }

    /// The state after the half of the first and third quadrant slid up by whole rows of that many
    /// cells. Read as one word, the two quadrants are the half's rows from top to bottom.
    #[inline(always)]
    pub fn slid(&self, masks: &Masks, cells: usize) -> Masks {
        // Loops, because `map` on arrays is not always inlined.
        let mut slid = *masks;
        for mask in &mut slid {
            *mask = self.slid_mask(*mask, cells);
        }
        slid
    }

    #[inline(always)]
    fn slid_mask(&self, mask: u32, cells: usize) -> u32 {
        let stays = mask & Self::FULL << CELLS;
        let half = mask >> (2 * CELLS) << CELLS | mask & Self::FULL;
        let turned = half << cells | half >> (2 * CELLS - cells);
        let (upper, lower) = (turned >> CELLS & Self::FULL, turned & Self::FULL);
        upper << (2 * CELLS) | stays | lower
    }

    /// The state mirrored at the diagonal.
    #[inline(always)]
    pub fn transposed(&self, masks: &Masks) -> Masks {
        let mut transposed = *masks;
        for mask in &mut transposed {
            *mask = self.image(TRANSPOSE, *mask);
        }
        transposed
    }
}

/// The order of the leading quadrant's patterns up to turns: more cells first.
fn patterns<const CELLS: usize>(turns: &[u16]) -> Box<[u8]> {
    let size = 1usize << CELLS;
    let least = |bits: usize| (0..8).map(|turn| turns[turn << CELLS | bits]).min().unwrap_or(0);
    let mut order: Vec<u16> = (0..size).map(least).collect();
    order.sort_unstable_by_key(|bits| (std::cmp::Reverse(bits.count_ones()), *bits));
    order.dedup();
    let number = |bits| order.iter().position(|&pattern| pattern == least(bits)).unwrap_or(0) as u8;
    (0..size).map(number).collect()
}

/// The next larger number with as many ones; `bits` must have one.
fn next_combination(bits: u32) -> u32 {
    let lowest = bits & bits.wrapping_neg();
    let carried = bits + lowest;
    carried | (bits ^ carried) >> 2 >> lowest.trailing_zeros()
}

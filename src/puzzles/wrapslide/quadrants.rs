//! The fast canonical form: least image with the leading quadrant first.
//!
//! # Representation
//! `K` interchangeable colours fill one quadrant's worth of cells each; all other cells have one
//! more colour, which is never named. A state is `K` disjoint masks over the cells in the order
//! of [`layout`](super::layout), where **cell 0 is the most significant bit**. So of two disjoint
//! masks the greater one appears first, and descending order is the order of first appearance. A
//! state's label sequence gives each cell the number of its mask in that order, or `K`.
//!
//! # Symmetries
//! A translation by half the board exchanges quadrants and leaves their insides alone. A turn (one
//! of the eight rotations and reflections) turns every quadrant alike and exchanges quadrants. So
//! a board symmetry is a pair: the quadrant `a` that comes to lead, and a turn `t`. Its image is
//! the quadrants `a, a^1, a^2, a^3`, each turned by `t`; if `t` exchanges rows and columns,
//! `a^1` and `a^2` change places. With a fixed quadrant only `a = 0` keeps it in its place.
//!
//! # The least image
//! The canonical state has the least label sequence. Its leading quadrant is the least that any
//! quadrant can be turned and relabelled into, and a table knows that for each quadrant, with the
//! turns that lead there (its *lead*). Only the pairs that reach the least lead of all four need a
//! full image: mostly one or two of 32. How many of them give the very least image is the order of
//! the state's stabiliser: for each the renaming of colours is determined, as every colour appears.

use std::cmp::Ordering;

use crate::encode::cpu::{Cpu, Portable};

/// The turn that exchanges rows and columns; turns with this bit set do so, too.
pub(super) const TRANSPOSE: usize = 4;

/// A state cut into quadrants: a word for each colour, with 16 bits for each position, position 0
/// in the highest. Words, not arrays, because positions are chosen at run time: a shift finds one
/// without a detour through memory.
pub(super) type QuadrantWords<const K: usize> = [u64; K];

/// The bits of a part in the left column of quadrants.
const LEFT: u64 = 0xffff_0000_ffff_0000;

/// The pairs of a position that comes to lead and a turn that reach the least lead so far: 8 bits for
/// each position. All of them are one set of 32 bits, because a single loop over it costs one
/// mispredicted branch, where a loop over turns within one over positions costs several.
#[derive(Clone, Copy)]
pub(super) struct Front {
    key: u64,
    pairs: u32,
}

impl Front {
    /// Of positions that cannot lead.
    const NONE: Front = Front { key: u64::MAX, pairs: 0 };

    /// The front-runners of two sets of positions.
    #[inline(always)]
    pub fn or(self, other: Front) -> Front {
        let key = self.key.min(other.key);
        let those = |front: Front| if front.key == key { front.pairs } else { 0 };
        Front { key, pairs: those(self) | those(other) }
    }
}

/// The quadrant at a position.
#[inline(always)]
fn quadrant(part: u64, position: usize) -> u16 {
    (part >> (16 * (3 - position))) as u16
}

/// A quadrant put at a position of an otherwise empty word.
#[inline(always)]
fn at(position: usize, quadrant: u16) -> u64 {
    u64::from(quadrant) << (16 * (3 - position))
}

/// Tables for boards with quadrants of `SIDE` rows (2, 3 or 4) and `K` interchangeable colours.
#[derive(Clone, Debug)]
pub(super) struct Quadrants<const K: usize, const SIDE: usize> {
    fixed: bool,
    /// `[turn][bits of a quadrant]`, flattened: the turned bits.
    turns: Box<[u16]>,
    /// The leads by [`code`](Quadrants::code); empty if the table would be too large.
    leads: Box<[u32]>,
}

impl<const K: usize, const SIDE: usize> Quadrants<K, SIDE> {
    /// Cells of a quadrant.
    const CELLS: usize = SIDE * SIDE;
    /// All cells of a quadrant.
    const FULL: u16 = u16::MAX >> (16 - Self::CELLS);

    /// Builds the tables, for boards with or without a fixed quadrant.
    pub fn new(fixed: bool) -> Self {
        let mut quadrants = Quadrants { fixed, turns: turns(SIDE), leads: Box::default() };
        quadrants.leads = quadrants.tabulate();
        quadrants
    }

    /// Cuts masks into quadrants. The fixed quadrant, absent from the masks, is empty.
    #[inline(always)]
    pub fn split(&self, cpu: impl Cpu, masks: &[u64; K]) -> QuadrantWords<K> {
        // Loops, because `map` on arrays is not always inlined.
        let mut parts = *masks;
        for part in &mut parts {
            *part = cpu.deposit(*part << self.absent(), self.everywhere());
        }
        parts
    }

    /// The state mirrored at the diagonal: its vertical slides are the horizontal ones of `parts`.
    #[inline(always)]
    pub fn transposed(&self, parts: &QuadrantWords<K>) -> QuadrantWords<K> {
        let mut transposed = *parts;
        for part in &mut transposed {
            let turned = |from| self.turned(TRANSPOSE, quadrant(*part, from));
            *part = at(0, turned(0)) | at(1, turned(2)) | at(2, turned(1)) | at(3, turned(3));
        }
        transposed
    }

    /// The half with the upper quadrant `UPPER` (0 left, 1 right) slid upwards by that many rows.
    #[inline(always)]
    pub fn slid<const UPPER: usize>(&self, parts: &QuadrantWords<K>, rows: usize) -> QuadrantWords<K> {
        let lower = UPPER + 2;
        let stays = !(at(UPPER, u16::MAX) | at(lower, u16::MAX));
        // Read as one word, the two quadrants of a half are its rows from top to bottom.
        let width = 2 * Self::CELLS;
        let by = rows * SIDE;
        let mut slid = *parts;
        for part in &mut slid {
            let upper = u64::from(quadrant(*part, UPPER));
            let half = upper << Self::CELLS | u64::from(quadrant(*part, lower));
            let turned = half << by | half >> (width - by);
            let upper = (turned >> Self::CELLS) as u16 & Self::FULL;
            let moved = at(UPPER, upper) | at(lower, turned as u16 & Self::FULL);
            *part = *part & stays | moved;
        }
        slid
    }

    /// The front-runners of a state.
    #[inline(always)]
    pub fn front(&self, parts: &QuadrantWords<K>) -> Front {
        let front = self.front_at(parts, 0);
        if self.fixed {
            return front;
        }
        let (beside, below) = (self.front_at(parts, 1), self.front_at(parts, 2));
        front.or(beside).or(below.or(self.front_at(parts, 3)))
    }

    /// The front-runners among the two positions of the half with the upper quadrant `UPPER`.
    #[inline(always)]
    pub fn front_of_half<const UPPER: usize>(&self, parts: &QuadrantWords<K>) -> Front {
        match (self.fixed, UPPER) {
            (true, 0) => self.front_at(parts, 0),
            (true, _) => Front::NONE,
            (false, _) => self.front_at(parts, UPPER).or(self.front_at(parts, UPPER + 2)),
        }
    }

    #[inline(always)]
    fn front_at(&self, parts: &QuadrantWords<K>, position: usize) -> Front {
        let lead = self.lead(parts, position);
        Front { key: lead >> 8, pairs: (lead as u32 & 0xff) << (8 * position) }
    }

    /// The order of the stabiliser. Mostly there is one front-runner, and nothing to compare.
    #[inline(always)]
    pub fn stabiliser(&self, parts: &QuadrantWords<K>) -> u64 {
        let front = self.front(parts);
        match front.pairs.count_ones() {
            1 => 1,
            _ => self.least(parts, front).1,
        }
    }

    /// The masks of the least image, in descending order, and the order of the stabiliser.
    #[inline(always)]
    pub fn least(&self, parts: &QuadrantWords<K>, front: Front) -> ([u64; K], u64) {
        let mut pairs = front.pairs;
        let next = |pairs: u32| {
            let pair = pairs.trailing_zeros() as usize;
            self.image(parts, pair / 8, pair % 8)
        };
        let mut least = next(pairs);
        let mut reached_by = 1;
        pairs &= pairs - 1;
        while pairs != 0 {
            let image = next(pairs);
            pairs &= pairs - 1;
            match compare(&image, &least) {
                Ordering::Less => (least, reached_by) = (image, 1),
                Ordering::Equal => reached_by += 1,
                Ordering::Greater => {}
            }
        }
        (least, reached_by)
    }

    /// The image in which `position` comes to lead, turned.
    #[inline(always)]
    fn image(&self, parts: &QuadrantWords<K>, position: usize, turn: usize) -> [u64; K] {
        // Positions are numbered so that the others follow as `position ^ 1, 2, 3`: exchanging
        // columns of quadrants is one bit, exchanging rows the other.
        let turns = &self.turns[turn << Self::CELLS..][..1 << Self::CELLS];
        let (beside, below) = if turn & TRANSPOSE != 0 {
            (Self::CELLS, 2 * Self::CELLS)
        } else {
            (2 * Self::CELLS, Self::CELLS)
        };
        let mut masks = [0; K];
        for (colour, part) in parts.iter().enumerate() {
            let rows = part.rotate_left((position as u32 & 2) * 16);
            let columns = (rows & LEFT) >> 16 | (rows & !LEFT) << 16;
            let part = if position & 1 == 0 { rows } else { columns };
            let turned = |place| u64::from(turns[usize::from(quadrant(part, place))]);
            let cells = turned(0) << (3 * Self::CELLS) | turned(1) << beside | turned(2) << below | turned(3);
            masks[colour] = cells >> self.absent();
        }
        descending(masks)
    }

    #[inline(always)]
    fn turned(&self, turn: usize, bits: u16) -> u16 {
        self.turns[turn << Self::CELLS | usize::from(bits)]
    }

    /// All cells of all quadrants of a [`QuadrantWords`] word.
    #[inline(always)]
    fn everywhere(&self) -> u64 {
        u64::from(Self::FULL) * 0x0001_0001_0001_0001
    }

    /// How many low bits a mask lacks because one quadrant is fixed.
    #[inline(always)]
    fn absent(&self) -> usize {
        if self.fixed { Self::CELLS } else { 0 }
    }

    /// The least key that a quadrant can be turned into, above eight bits for the turns that do.
    #[inline(always)]
    fn lead(&self, parts: &QuadrantWords<K>, position: usize) -> u64 {
        let mut bits = [0; K];
        for (colour, part) in parts.iter().enumerate() {
            bits[colour] = quadrant(*part, position);
        }
        match self.leads.get(self.code(&bits)) {
            Some(&lead) => lead.into(),
            None => self.compute_lead(&bits),
        }
    }

    /// The place of a quadrant in the table of leads: its bits, or two bits for each cell.
    #[inline(always)]
    fn code(&self, quadrant: &[u16; K]) -> usize {
        let (low, high) = match K {
            1 => (quadrant[0], 0),
            2 | 3 => (quadrant[0], quadrant[1]),
            _ => (quadrant[0] | quadrant[1], quadrant[0] | quadrant[2]),
        };
        usize::from(low) | usize::from(high) << Self::CELLS
    }

    /// The quadrant with this code; `None` if it would need a cell with two colours.
    fn decode(&self, code: usize) -> Option<[u16; K]> {
        let (low, high) = (code as u16 & Self::FULL, (code >> Self::CELLS) as u16);
        let rest = Self::FULL & !(low | high);
        if (K == 2 || K == 3) && low & high != 0 {
            return None;
        }
        let colours = match K {
            1 => [low, 0, 0, 0],
            2 | 3 => [low, high, rest, 0],
            _ => [low & high, low & !high, high & !low, rest],
        };
        Some(std::array::from_fn(|colour| colours[colour]))
    }

    fn tabulate(&self) -> Box<[u32]> {
        let bits = if K == 1 { Self::CELLS } else { 2 * Self::CELLS };
        // Keys and turns take up to 8 bits more than a code: they must fit in 32 bits, and a
        // table for 8x8 with two bits a cell would not fit in memory caches anyway.
        if bits > 18 {
            return Box::default();
        }
        let mut leads = vec![0; 1 << bits];
        // Most codes are renamings of others: compute the lead once for each set of those.
        let mut renamings = Vec::with_capacity(leads.len());
        for (code, lead) in leads.iter_mut().enumerate() {
            let Some(quadrant) = self.decode(code) else {
                continue;
            };
            let named = self.code(&descending(quadrant));
            if named == code {
                *lead = self.compute_lead(&quadrant) as u32;
            } else {
                renamings.push((code, named));
            }
        }
        for (code, named) in renamings {
            leads[code] = leads[named];
        }
        leads.into()
    }

    fn compute_lead(&self, quadrant: &[u16; K]) -> u64 {
        let mut least = u64::MAX;
        let mut turns = 0;
        for turn in 0..8 {
            let image = quadrant.map(|bits| self.turned(turn, bits));
            let key = self.key(&descending(image));
            if key < least {
                (least, turns) = (key, 0);
            }
            if key == least {
                turns |= 1 << turn;
            }
        }
        least << 8 | turns
    }

    /// The label sequence of a quadrant as a number, the first cell in its highest digit; labels
    /// are one bit for one colour, two bits for more.
    fn key(&self, quadrant: &[u16; K]) -> u64 {
        let named = quadrant.iter().fold(0, |named, bits| named | bits);
        let rest = Self::FULL & !named;
        if K == 1 {
            return rest.into();
        }
        let labels = quadrant.iter().copied().chain([rest]).enumerate();
        let (mut high, mut low) = (0, 0);
        for (label, bits) in labels {
            high |= if label & 2 != 0 { bits } else { 0 };
            low |= if label & 1 != 0 { bits } else { 0 };
        }
        Portable.deposit(high.into(), 0xaaaa_aaaa) | Portable.deposit(low.into(), 0x5555_5555)
    }
}

/// The turned bits of every quadrant with `side` rows, for each of the eight turns: transposed if
/// bit 2 of the turn is set, then columns reversed if bit 1 is, and rows if bit 0 is.
pub(super) fn turns(side: usize) -> Box<[u16]> {
    let cells = side * side;
    let mut turns = vec![0; 8 << cells];
    for (turn, table) in turns.chunks_exact_mut(1 << cells).enumerate() {
        for bits in 1..1usize << cells {
            let cell = cells - 1 - bits.trailing_zeros() as usize;
            let (mut row, mut column) = (cell / side, cell % side);
            if turn & TRANSPOSE != 0 {
                (row, column) = (column, row);
            }
            if turn & 2 != 0 {
                column = side - 1 - column;
            }
            if turn & 1 != 0 {
                row = side - 1 - row;
            }
            let image = cells - 1 - (row * side + column);
            table[bits] = table[bits & (bits - 1)] | 1 << image;
        }
    }
    turns.into()
}

/// Sorts a few masks without branches.
#[inline(always)]
pub(super) fn descending<T: Ord + Copy, const K: usize>(mut masks: [T; K]) -> [T; K] {
    for end in (1..K).rev() {
        for i in 0..end {
            let (a, b) = (masks[i], masks[i + 1]);
            masks[i] = a.max(b);
            masks[i + 1] = a.min(b);
        }
    }
    masks
}

/// Compares label sequences: at the first cell that differs, the smaller label comes first.
#[inline(always)]
fn compare<const K: usize>(a: &[u64; K], b: &[u64; K]) -> Ordering {
    let differing = (0..K).fold(0, |bits, colour| bits | (a[colour] ^ b[colour]));
    if differing == 0 {
        return Ordering::Equal;
    }
    let first = 1 << differing.ilog2();
    let label = |masks: &[u64; K]| masks.iter().position(|mask| mask & first != 0).unwrap_or(K);
    label(a).cmp(&label(b))
}

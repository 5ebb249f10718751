//! What can be reached in a small space, found by going there.

use super::frame::MOST_CELLS;
use super::space::CellSpace;
use crate::random::Random;

/// The largest space that is searched just to be counted.
const MOST_NUMBERS: u128 = 1 << 20;

/// The numbers of the states that can be reached.
pub(super) struct Flood {
    seen: Vec<u64>,
    /// How many there are.
    pub count: u128,
}

impl Flood {
    /// What can be reached from the roots; `None` in a large space.
    pub fn new(space: &CellSpace) -> Option<Flood> {
        let numbering = &space.numbering;
        if numbering.count > MOST_NUMBERS {
            return None;
        }
        let mut flood = Flood { seen: vec![0; numbering.count.div_ceil(64) as usize], count: 0 };
        let mut open: Vec<u32> = Vec::new();
        for root in &space.frame.roots {
            flood.add(numbering.rank(root), &mut open);
        }
        let (mut cells, mut moved) = ([0; MOST_CELLS], [0; MOST_CELLS]);
        while let Some(number) = open.pop() {
            numbering.unrank(number.into(), &mut cells);
            space.neighbours(&cells, &mut moved, |moved| flood.add(numbering.rank(moved), &mut open));
        }
        Some(flood)
    }

    fn add(&mut self, number: u128, open: &mut Vec<u32>) {
        let number = number as u32;
        let word = &mut self.seen[number as usize / 64];
        if *word >> (number % 64) & 1 == 0 {
            *word |= 1 << (number % 64);
            self.count += 1;
            open.push(number);
        }
    }

    /// Whether the state with a number can be reached.
    pub fn has(&self, number: u128) -> bool {
        let word = self.seen.get((number / 64) as usize);
        word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// The number of a state that can be reached; all are equally likely.
    pub fn random(&self, random: &mut Random) -> u128 {
        let mut left = random.below(self.count.max(1)) as u32;
        for (at, &word) in (0..).zip(&self.seen) {
            if word.count_ones() <= left {
                left -= word.count_ones();
                continue;
            }
            let bits = (0..64u128).filter(|bit| word >> bit & 1 == 1);
            return at * 64 + bits.take(left as usize + 1).last().unwrap_or(0);
        }
        0
    }
}

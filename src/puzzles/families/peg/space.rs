//! The space of pegs: the index of a class is its least set of pegs, as a number.
//!
//! Every jump removes a peg, so levels have different numbers of pegs, and the space is layered. The image of
//! a set under a symmetry is put together from those of its bytes.

use super::board::PegBoard;
use crate::space::{Direction, Space};

/// The classes of one board.
pub(super) struct PegSpace {
    holes: usize,
    root: u64,
    /// The holes of each step, and how they must be filled for it.
    steps: Vec<(u64, u64)>,
    /// For each symmetry and each byte of a set: where its pegs go.
    images: Vec<Vec<[u64; 256]>>,
}

impl PegSpace {
    /// Jumps from the start on, or taken back from the goal on.
    pub fn new(board: &PegBoard, from_start: bool) -> PegSpace {
        let step = |jump: &super::board::Jump| match from_start {
            true => (jump.holes(), jump.taken()),
            false => (jump.holes(), jump.holes() & !jump.taken()),
        };
        let bytes = |symmetry: &Vec<usize>| {
            let image = |byte: usize, bits: usize| {
                let pegs = (0..8).filter(|bit| bits >> bit & 1 == 1);
                pegs.filter_map(|bit| symmetry.get(8 * byte + bit)).map(|&hole| 1 << hole).sum()
            };
            let table = |byte| std::array::from_fn(|bits| image(byte, bits));
            (0..board.len().div_ceil(8)).map(table).collect()
        };
        PegSpace {
            holes: board.len(),
            root: if from_start { board.start() } else { board.goal() },
            steps: board.jumps.iter().map(step).collect(),
            images: board.symmetries().iter().map(bytes).collect(),
        }
    }

    /// The order of the symmetry group.
    pub fn order(&self) -> u64 {
        self.images.len() as u64
    }

    #[inline(always)]
    fn image(table: &[[u64; 256]], pegs: u64) -> u64 {
        let bytes = pegs.to_le_bytes();
        table.iter().zip(bytes).fold(0, |image, (table, byte)| image | table[usize::from(byte)])
    }

    /// The least image of a set.
    #[inline(always)]
    pub fn least(&self, pegs: u64) -> u64 {
        self.images.iter().fold(u64::MAX, |least, table| least.min(PegSpace::image(table, pegs)))
    }
}

impl Space<u64> for PegSpace {
    fn universe(&self) -> u64 {
        1 << self.holes
    }

    fn roots(&self) -> Vec<u64> {
        vec![self.least(self.root)]
    }

    fn fanout(&self) -> usize {
        self.steps.len()
    }

    fn expand(&self, batch: &[u64], candidates: &mut Vec<u64>) {
        for &pegs in batch {
            for &(holes, filled) in &self.steps {
                if pegs & holes == filled {
                    candidates.push(self.least(pegs ^ holes));
                }
            }
        }
    }

    fn states(&self, batch: &[u64]) -> u128 {
        let size = |&pegs: &u64| {
            let fixed = self.images.iter().filter(|table| PegSpace::image(table, pegs) == pegs).count();
            self.images.len() as u128 / fixed as u128
        };
        batch.iter().map(size).sum()
    }

    fn canonical(&self, index: u64) -> Option<u64> {
        (index < self.universe()).then(|| self.least(index))
    }

    fn direction(&self) -> Direction {
        Direction::Layered
    }
}

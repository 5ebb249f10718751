//! What every move does to the number of a shape and to the slots.

use super::board::{HexBoard, MOST_NEIGHBOURS};
use super::rules::{self, Pairs};
use super::shapes::{Shape, Shapes};

/// No more shapes than this are tabulated.
pub(super) const MOST_SHAPES: u64 = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShapeStep {
    pub shape: u16,
    /// The slot of the gourd that moves, before and after. The slots in between move up or down.
    pub from: u8,
    pub to: u8,
    /// Whether that gourd's ends change the order of their cells.
    pub turns: bool,
}

/// The moves out of every shape.
#[derive(Clone, Debug)]
pub(super) struct ShapeSteps {
    /// Where the moves of each shape begin; one more entry than there are shapes.
    first: Box<[u32]>,
    steps: Box<[ShapeStep]>,
}

impl ShapeSteps {
    /// The moves of a board; `None` if it has too many shapes.
    pub fn new(board: &HexBoard, shapes: &Shapes) -> Option<ShapeSteps> {
        if shapes.count() > MOST_SHAPES {
            return None;
        }
        let mut first = vec![0];
        let mut steps = Vec::new();
        for rank in 0..shapes.count() {
            let pairs: Pairs = shapes.unrank(rank).pairs().collect();
            let step = |cell| {
                let after = rules::click(board, &pairs, cell)?;
                let from = (0..pairs.len()).find(|&slot| after[slot] != pairs[slot])?;
                let [a, b] = after[from];
                // A pair's slot is the number of pairs that begin before it.
                let before = after.iter().filter(|pair| pair[0].min(pair[1]) < a.min(b));
                Some(ShapeStep {
                    from: from as u8,
                    to: before.count() as u8,
                    turns: a > b,
                    shape: shapes.rank(&Shape::new(board, after)) as u16,
                })
            };
            steps.extend(rules::clicks(board, &pairs).filter_map(step));
            first.push(steps.len() as u32);
        }
        Some(ShapeSteps { first: first.into(), steps: steps.into() })
    }

    /// The moves out of a shape, in the order of the cells that are clicked.
    #[inline(always)]
    pub fn of(&self, shape: usize) -> &[ShapeStep] {
        &self.steps[self.first[shape] as usize..self.first[shape + 1] as usize]
    }

    /// The most moves out of a shape.
    pub fn most(&self) -> usize {
        let ranges = self.first.windows(2).map(|pair| pair[1] - pair[0]);
        ranges.max().map_or(MOST_NEIGHBOURS, |most| most as usize)
    }

    /// The shifts of slots that occur.
    pub fn shifts(&self) -> impl Iterator<Item = (u8, u8)> + '_ {
        let shifts = self.steps.iter().map(|step| (step.from, step.to));
        shifts.filter(|(from, to)| from != to)
    }
}

impl ShapeStep {
    /// The bits of the slots after the move; the moved one changes if `turns` is set.
    #[inline(always)]
    pub fn moved(&self, bits: u32, turns: bool) -> u32 {
        let bit = (bits >> self.from & 1) ^ u32::from(turns);
        let below = |bits: u32, place: u8| bits & ((1 << place) - 1);
        // Slots are at most 31, so no shift is by 32.
        let rest = below(bits, self.from) | (bits >> self.from >> 1) << self.from;
        below(rest, self.to) | bit << self.to | (rest >> self.to) << self.to << 1
    }
}

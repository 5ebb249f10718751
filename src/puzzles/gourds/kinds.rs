//! Which gourds are alike, and placements that forget which of them is which.
//!
//! Gourds of one *kind* have the same two colours. On a board with numbers every gourd is a kind
//! of its own. Over a shape, whose pairs in ascending order are called *slots*, a position is then
//! a kind for each slot and a bit that says which way round it lies.

use super::rules::Pairs;

/// The kinds of the gourds of a puzzle, numbered by their first gourds.
#[derive(Clone, Debug)]
pub(super) struct Kinds {
    /// Every gourd's kind.
    of: Vec<u8>,
    /// Whether a gourd's ends have the colours of its kind in the other order.
    turned: Vec<bool>,
    /// By kind: the colours of its first gourd's ends.
    colours: Vec<[u16; 2]>,
}

/// What lies on a pair of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Slot {
    /// The pair, smaller cell first.
    pub cells: [u8; 2],
    pub kind: u8,
    /// Whether the kind's first end lies on the larger cell; never set where both ends are alike.
    pub turned: bool,
}

impl Kinds {
    /// This number of gourds that are all different, with different ends.
    pub fn distinct(gourds: usize) -> Kinds {
        let colours: Vec<_> = (0..gourds).map(|g| [2 * g as u16, 2 * g as u16 + 1]).collect();
        Kinds::coloured(&colours)
    }

    /// Gourds with these colours on their ends.
    pub fn coloured(colours: &[[u16; 2]]) -> Kinds {
        let mut kinds = Kinds { of: Vec::new(), turned: Vec::new(), colours: Vec::new() };
        for &ends in colours {
            let kind = kinds.of_colours(ends).unwrap_or_else(|| {
                kinds.colours.push(ends);
                kinds.len() - 1
            });
            kinds.of.push(kind as u8);
            kinds.turned.push(kinds.colours[kind] != ends);
        }
        kinds
    }

    /// The kind of gourds with these colours, either way round.
    pub fn of_colours(&self, [a, b]: [u16; 2]) -> Option<usize> {
        self.colours.iter().position(|kind| [[a, b], [b, a]].contains(kind))
    }

    pub fn len(&self) -> usize {
        self.colours.len()
    }

    /// How many gourds are of each kind.
    pub fn counts(&self) -> Vec<usize> {
        let count = |kind| self.of.iter().filter(|&&of| of == kind).count();
        (0..self.len() as u8).map(count).collect()
    }

    /// Whether both ends of a kind look the same.
    pub fn equal_ends(&self, kind: u8) -> bool {
        let [first, second] = self.colours[usize::from(kind)];
        first == second
    }

    /// How many gourds have ends that differ.
    pub fn directed(&self) -> usize {
        self.of.iter().filter(|&&kind| !self.equal_ends(kind)).count()
    }

    /// What an end of a gourd looks like: twice its kind, plus one if it is the kind's second end and
    /// differs from the first.
    pub fn code(&self, gourd: usize, end: usize) -> u8 {
        let kind = self.of[gourd];
        let second = (end == 1) != self.turned[gourd] && !self.equal_ends(kind);
        2 * kind + u8::from(second)
    }

    pub fn kind(&self, gourd: usize) -> u8 {
        self.of[gourd]
    }

    /// The position of a placement.
    pub fn slots(&self, pairs: &[[u8; 2]]) -> Vec<Slot> {
        let slot = |(gourd, &[a, b]): (usize, &[u8; 2])| {
            let kind = self.of[gourd];
            Slot {
                cells: [a.min(b), a.max(b)],
                kind,
                turned: (a > b) != self.turned[gourd] && !self.equal_ends(kind),
            }
        };
        let mut slots: Vec<Slot> = pairs.iter().enumerate().map(slot).collect();
        slots.sort_unstable();
        slots
    }

    /// The canonical placement of a position: gourds that are alike lie in the order of their
    /// numbers, those with equal ends with end 0 on the smaller cell.
    pub fn pairs(&self, slots: &[Slot]) -> Pairs {
        let mut pairs = vec![[0; 2]; self.of.len()];
        // The first gourds of each kind that may still be unplaced.
        let mut next = vec![0; self.len()];
        for slot in slots {
            let next = &mut next[usize::from(slot.kind)];
            let mut gourds = *next..self.of.len();
            let Some(gourd) = gourds.find(|&gourd| self.of[gourd] == slot.kind) else {
                continue;
            };
            *next = gourd + 1;
            let [low, high] = slot.cells;
            pairs[gourd] = if slot.turned != self.turned[gourd] { [high, low] } else { [low, high] };
        }
        pairs
    }

    /// The canonical one of the placements that look like this one.
    pub fn normal(&self, pairs: &[[u8; 2]]) -> Pairs {
        self.pairs(&self.slots(pairs))
    }
}

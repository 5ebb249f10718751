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
    kinds: Vec<Kind>,
}

/// Gourds that are alike.
#[derive(Clone, Debug)]
struct Kind {
    gourds: Vec<u8>,
    /// Whether both ends look the same.
    equal_ends: bool,
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
    /// So many gourds that are all different, with different ends.
    pub fn distinct(gourds: usize) -> Kinds {
        let colours: Vec<_> = (0..gourds)
            .map(|g| [2 * g as u16, 2 * g as u16 + 1])
            .collect();
        Kinds::coloured(&colours)
    }

    /// Gourds with these colours on their ends.
    pub fn coloured(colours: &[[u16; 2]]) -> Kinds {
        let mut kinds: Vec<Kind> = Vec::new();
        let mut of: Vec<u8> = Vec::new();
        let mut turned = Vec::new();
        for (gourd, &[a, b]) in (0..).zip(colours) {
            let alike = |kind: &Kind| {
                let first = colours[usize::from(kind.gourds[0])];
                first == [a, b] || first == [b, a]
            };
            let kind = kinds.iter().position(alike).unwrap_or_else(|| {
                kinds.push(Kind {
                    gourds: Vec::new(),
                    equal_ends: a == b,
                });
                kinds.len() - 1
            });
            kinds[kind].gourds.push(gourd);
            of.push(kind as u8);
            turned.push(colours[usize::from(kinds[kind].gourds[0])] != [a, b]);
        }
        Kinds { of, turned, kinds }
    }

    /// How many kinds there are.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// How many gourds are of each kind.
    pub fn counts(&self) -> Vec<usize> {
        self.kinds.iter().map(|kind| kind.gourds.len()).collect()
    }

    /// Whether both ends of a kind look the same.
    pub fn equal_ends(&self, kind: u8) -> bool {
        self.kinds[usize::from(kind)].equal_ends
    }

    /// How many gourds can be told which way round they lie.
    pub fn directed(&self) -> usize {
        let directed = self.kinds.iter().filter(|kind| !kind.equal_ends);
        directed.map(|kind| kind.gourds.len()).sum()
    }

    /// What an end of a gourd looks like: twice its kind, plus one if it is the kind's second end and
    /// differs from the first.
    pub fn code(&self, gourd: usize, end: usize) -> u8 {
        let kind = self.of[gourd];
        let second = (end == 1) != self.turned[gourd] && !self.equal_ends(kind);
        2 * kind + u8::from(second)
    }

    /// The kind of a gourd.
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
        let mut placed = vec![0; self.kinds.len()];
        for slot in slots {
            let kind = usize::from(slot.kind);
            let Some(&gourd) = self.kinds[kind].gourds.get(placed[kind]) else {
                continue;
            };
            placed[kind] += 1;
            let gourd = usize::from(gourd);
            let [low, high] = slot.cells;
            pairs[gourd] = match slot.turned != self.turned[gourd] {
                true => [high, low],
                false => [low, high],
            };
        }
        pairs
    }

    /// The canonical one of the placements that look like this one.
    pub fn normal(&self, pairs: &[[u8; 2]]) -> Pairs {
        self.pairs(&self.slots(pairs))
    }
}

//! The space of classes, cell by cell: decode, move, take the least image, rank.
//!
//! The representative of a class is its least member in the order of cells: a symmetry is a candidate as
//! long as its image is as small as any in the cells looked at so far. After the first cell, few are
//! left. So a table says for the first one which symmetries are, given the cell that each would bring there
//! and what lies in it.
//!
//! Where a state and its inverse are one class, both are made as small as symmetries make them, and the
//! smaller one represents the class. A neighbour of the inverse is no inverse of a neighbour, so that a class is
//! expanded from both.
//!
//! This serves every puzzle with an index; where coordinates are independent enough, `product` is faster,
//! and is checked against it.

use super::frame::{CellFrame, Cells, MOST_CELLS, Motion};
use super::inverse::Inverse;
use super::legality::Legality;
use super::numbering::Numbering;
use crate::space::{Direction, Index, Space};

/// Every class of a puzzle by the least of its members.
pub(super) struct CellSpace {
    pub frame: CellFrame,
    pub numbering: Numbering,
    pub legality: Legality,
    /// The identity first.
    pub group: Vec<Motion>,
    /// Whether the moves of the frame can be undone.
    pub direction: Direction,
    /// How to invert states, if a state and its inverse are one class.
    pub inverse: Option<Inverse>,
    /// What is to be said about the group.
    pub about_symmetry: String,
    /// Whether there are no other symmetries.
    pub has_all_symmetries: bool,
    firsts: Firsts,
}

/// What can come first in an image.
#[derive(Default)]
struct Firsts {
    /// The cells that some symmetry sends to cell 0.
    sources: Vec<u16>,
    /// `[source][code]`: the least code that becomes of it in cell 0, and which symmetries make it, as a
    /// range of `members`.
    best: Vec<(u8, u32, u32)>,
    members: Vec<u16>,
}

impl CellSpace {
    /// The space of a frame under a group.
    pub fn new(frame: CellFrame, numbering: Numbering, legality: Legality, group: Vec<Motion>) -> CellSpace {
        let mut firsts = Firsts::default();
        if frame.cells > 0 {
            firsts.sources = group.iter().map(|motion| motion.steps[0].0).collect();
            firsts.sources.sort_unstable();
            firsts.sources.dedup();
        }
        for &source in &firsts.sources {
            for code in 0..=255usize {
                let from = |motion: &Motion| motion.steps[0].0 == source;
                let image = |motion: &Motion| frame.recodings.tables[motion.steps[0].1 as usize][code];
                let least = group.iter().filter(|motion| from(motion)).map(image).min().unwrap_or(0);
                let start = firsts.members.len() as u32;
                let best = (0..).zip(&group).filter(|(_, motion)| from(motion) && image(motion) == least);
                firsts.members.extend(best.map(|(number, _): (u16, _)| number));
                firsts.best.push((least, start, firsts.members.len() as u32));
            }
        }
        let direction = Direction::Reversible;
        let about_symmetry = String::new();
        CellSpace {
            frame,
            numbering,
            legality,
            group,
            direction,
            inverse: None,
            about_symmetry,
            has_all_symmetries: true,
            firsts,
        }
    }

    /// Calls `visit` with each legal neighbour of a state.
    #[inline(always)]
    pub fn neighbours(&self, cells: &Cells, moved: &mut Cells, mut visit: impl FnMut(&Cells)) {
        let free = self.legality.is_free();
        for (number, mv) in self.frame.moves.iter().enumerate() {
            if !free && !self.legality.permits(&self.frame, cells, number) {
                continue;
            }
            self.frame.recodings.moved(mv, cells, moved);
            if free || self.legality.allows(moved) {
                visit(moved);
            }
        }
    }

    /// Leaves in `best` the symmetries that make the least image of a state; how many they are.
    #[inline(always)]
    fn least(&self, cells: &Cells, best: &mut Vec<u16>) {
        best.clear();
        let mut least = u8::MAX;
        for (&source, table) in self.firsts.sources.iter().zip(self.firsts.best.chunks_exact(256)) {
            let (first, start, end) = table[usize::from(cells[usize::from(source)])];
            if first < least {
                best.clear();
                least = first;
            }
            if first == least {
                best.extend_from_slice(&self.firsts.members[start as usize..end as usize]);
            }
        }
        let mut cell = 1;
        while best.len() > 1 && cell < self.frame.cells {
            let mut least = u8::MAX;
            let mut kept = 0;
            for at in 0..best.len() {
                let symmetry = best[at];
                let (source, table) = self.group[usize::from(symmetry)].steps[cell];
                let image =
                    self.frame.recodings.tables[table as usize][usize::from(cells[usize::from(source)])];
                if image < least {
                    least = image;
                    kept = 0;
                }
                if image == least {
                    best[kept] = symmetry;
                    kept += 1;
                }
            }
            best.truncate(kept);
            cell += 1;
        }
    }

    /// The number of a state's class.
    #[inline(always)]
    pub fn class_of(&self, cells: &Cells, best: &mut Vec<u16>, image: &mut Cells) -> u128 {
        if let Some(inverse) = &self.inverse {
            self.make_least(cells, best, image);
            let mut other = [0; MOST_CELLS];
            self.make_least(&inverse.of(cells), best, &mut other);
            let width = self.frame.cells;
            let smaller = if other[..width] < image[..width] { &other } else { &*image };
            return self.numbering.rank(smaller);
        }
        if self.group.len() == 1 {
            return self.numbering.rank(cells);
        }
        self.make_least(cells, best, image);
        self.numbering.rank(image)
    }

    /// Leaves in `image` the least image of a state.
    #[inline(always)]
    fn make_least(&self, cells: &Cells, best: &mut Vec<u16>, image: &mut Cells) {
        self.least(cells, best);
        self.frame.recodings.moved(&self.group[usize::from(best[0])], cells, image);
    }

    /// How many symmetries there are, inversion included.
    pub fn order(&self) -> usize {
        self.group.len() * if self.inverse.is_some() { 2 } else { 1 }
    }

    /// How many states are in the class of one.
    fn class_size(&self, cells: &Cells, best: &mut Vec<u16>) -> u128 {
        let mut image = [0; MOST_CELLS];
        self.make_least(cells, best, &mut image);
        // All that make the least image differ by symmetries that leave it as it is.
        let size = (self.group.len() / best.len()) as u128;
        match &self.inverse {
            None => size,
            Some(inverse) => {
                let mut other = [0; MOST_CELLS];
                self.make_least(&inverse.of(cells), best, &mut other);
                let width = self.frame.cells;
                if other[..width] == image[..width] { size } else { 2 * size }
            }
        }
    }

    /// Room for symmetries, as much as can be needed.
    pub fn room(&self) -> Vec<u16> {
        Vec::with_capacity(self.group.len())
    }

    /// The state with this number; `None` if there is none.
    pub fn cells_of(&self, number: u128) -> Option<Cells> {
        let mut cells = [0; MOST_CELLS];
        (number < self.numbering.count).then(|| self.numbering.unrank(number, &mut cells))?;
        self.legality.allows(&cells).then_some(cells)
    }

    /// The number of a state's class; `None` if it has none.
    pub fn number_of(&self, cells: &Cells) -> Option<u128> {
        let fits = self.numbering.has(cells) && self.legality.allows(cells);
        fits.then(|| self.class_of(cells, &mut self.room(), &mut [0; MOST_CELLS]))
    }
}

impl<I: Index> Space<I> for CellSpace {
    fn universe(&self) -> I {
        I::narrow(self.numbering.count)
    }

    fn roots(&self) -> Vec<I> {
        let numbers = self.frame.roots.iter().filter_map(|root| self.number_of(root));
        let mut roots: Vec<I> = numbers.map(I::narrow).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    fn expand(&self, batch: &[I], candidates: &mut Vec<I>) {
        let (mut cells, mut moved, mut image) = ([0; MOST_CELLS], [0; MOST_CELLS], [0; MOST_CELLS]);
        let mut best = self.room();
        for index in batch {
            self.numbering.unrank(index.wide(), &mut cells);
            let mut found = |moved: &Cells| {
                candidates.push(I::narrow(self.class_of(moved, &mut best, &mut image)));
            };
            self.neighbours(&cells, &mut moved, &mut found);
            if let Some(inverse) = &self.inverse {
                self.neighbours(&inverse.of(&cells), &mut moved, found);
            }
        }
    }

    fn fanout(&self) -> usize {
        self.frame.moves.len() * if self.inverse.is_some() { 2 } else { 1 }
    }

    fn states(&self, batch: &[I]) -> u128 {
        if self.order() == 1 {
            return batch.len() as u128;
        }
        let mut best = self.room();
        let mut cells = [0; MOST_CELLS];
        let sizes = batch.iter().map(|index| {
            self.numbering.unrank(index.wide(), &mut cells);
            self.class_size(&cells, &mut best)
        });
        sizes.sum()
    }

    fn canonical(&self, index: I) -> Option<I> {
        self.cells_of(index.wide())
            .map(|cells| I::narrow(self.class_of(&cells, &mut self.room(), &mut [0; MOST_CELLS])))
    }

    fn direction(&self) -> Direction {
        self.direction
    }
}

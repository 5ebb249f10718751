//! Solved placements of coloured gourds, searched for cell by cell.
//!
//! A placement is solved if the colours of the covered pairs are those of the gourds. The search
//! always goes on at the free cell that has the fewest possibilities: partners with which the pair
//! of colours is still in stock, or being the hole. In general this is a hard problem (it is
//! NP-complete for unboundedly many colours), so the search gives up after a given effort.

use super::board::{Board, cells_of};
use super::layout::Labels;

/// The search was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GivenUp;

/// Calls `found` with the covered pairs of one solved placement after the other, each once, until
/// it returns `false`. Gives up after trying this many partial placements.
pub(super) fn search(
    board: &Board,
    labels: &Labels,
    effort: u64,
    found: impl FnMut(&[[u8; 2]]) -> bool,
) -> Result<(), GivenUp> {
    let ordered = |[a, b]: [u16; 2]| [a.min(b), a.max(b)];
    let mut stock: Vec<([u16; 2], usize)> = Vec::new();
    for &ends in &labels.gourds {
        match stock.iter_mut().find(|(pair, _)| *pair == ordered(ends)) {
            Some((_, left)) => *left += 1,
            None => stock.push((ordered(ends), 1)),
        }
    }
    let kind_of = |a: usize, b: usize| {
        let colours = ordered([labels.cells[a], labels.cells[b]]);
        stock.iter().position(|(pair, _)| *pair == colours)
    };
    let kinds = (0..board.size())
        .map(|a| (0..board.size()).map(|b| kind_of(a, b)).collect())
        .collect();
    let spare = |cell: usize| {
        let colour = labels.cells[cell];
        let cells = labels.cells.iter().filter(|&&c| c == colour).count();
        cells
            > labels
                .gourds
                .iter()
                .flatten()
                .filter(|&&c| c == colour)
                .count()
    };
    let mut search = Search {
        board,
        kinds,
        spare: cells_of(board.all())
            .filter(|&c| spare(c))
            .fold(0, |set, c| set | 1 << c),
        stock: stock.iter().map(|&(_, left)| left).collect(),
        free: board.all(),
        pairs: Vec::new(),
        effort,
        found,
    };
    search.go_on().map(|_| ())
}

struct Search<'a, F> {
    board: &'a Board,
    /// `[cell][cell]`: the kind of gourd that the colours of two cells ask for.
    kinds: Vec<Vec<Option<usize>>>,
    /// The cells of the colour that is left over; none once there is a hole.
    spare: u64,
    /// How many gourds of each kind are left.
    stock: Vec<usize>,
    free: u64,
    pairs: Vec<[u8; 2]>,
    effort: u64,
    found: F,
}

impl<F: FnMut(&[[u8; 2]]) -> bool> Search<'_, F> {
    /// The free neighbours with which a cell can be a pair.
    fn partners(&self, cell: usize) -> u64 {
        let kind = |other: &usize| self.kinds[cell][*other];
        cells_of(self.board.neighbours(cell) & self.free)
            .filter(|other| kind(other).is_some_and(|kind| self.stock[kind] > 0))
            .fold(0, |set, other| set | 1 << other)
    }

    /// Completes the placement in all ways; `Ok(false)` if the search is to end.
    fn go_on(&mut self) -> Result<bool, GivenUp> {
        self.effort = self.effort.checked_sub(1).ok_or(GivenUp)?;
        let options = |cell: &usize| {
            self.partners(*cell).count_ones() + u32::from(self.spare >> cell & 1 == 1)
        };
        let Some(cell) = cells_of(self.free).min_by_key(options) else {
            return Ok((self.found)(&self.pairs));
        };
        let partners = self.partners(cell);
        self.free &= !(1 << cell);
        for other in cells_of(partners) {
            let Some(kind) = self.kinds[cell][other] else {
                continue;
            };
            self.stock[kind] -= 1;
            self.free &= !(1 << other);
            self.pairs.push([cell as u8, other as u8]);
            let more = self.go_on()?;
            self.pairs.pop();
            self.free |= 1 << other;
            self.stock[kind] += 1;
            if !more {
                return Ok(false);
            }
        }
        if self.spare >> cell & 1 == 1 {
            let spare = std::mem::take(&mut self.spare);
            let more = self.go_on()?;
            self.spare = spare;
            if !more {
                return Ok(false);
            }
        }
        self.free |= 1 << cell;
        Ok(true)
    }
}

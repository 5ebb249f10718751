//! Solved placements of coloured gourds, searched for cell by cell.
//!
//! A placement is solved if the colours of the covered pairs are those of the gourds. The search
//! always continues at the free cell that has the fewest possibilities: partners with which the pair
//! of colours is still in stock, or being the hole. In general this is a hard problem (it is
//! NP-complete for unboundedly many colours), so the search gives up after a given effort.

use super::board::{HexBoard, cells_of};
use super::kinds::Kinds;
use super::layout::Labels;

/// Calls `found` with the covered pairs of one solved placement after the other, each once, until
/// it returns `false`. `None` if it was given up after trying
/// this many partial placements.
pub(super) fn search(
    board: &HexBoard,
    labels: &Labels,
    effort: u64,
    found: impl FnMut(&[[u8; 2]]) -> bool,
) -> Option<()> {
    let kinds = Kinds::coloured(&labels.gourds);
    let kind_of = |a: usize, b: usize| kinds.of_colours([labels.cells[a], labels.cells[b]]);
    let cells = || 0..board.size();
    let spare = |cell: usize| {
        let colour = labels.cells[cell];
        let cells = labels.cells.iter().filter(|&&c| c == colour).count();
        cells > labels.gourds.iter().flatten().filter(|&&c| c == colour).count()
    };
    let mut search = PlacementSearch {
        board,
        kinds: cells().map(|a| cells().map(|b| kind_of(a, b)).collect()).collect(),
        spare: cells().filter(|&c| spare(c)).fold(0, |set, c| set | 1 << c),
        stock: kinds.counts(),
        free: board.all(),
        pairs: Vec::new(),
        effort,
        found,
    };
    search.complete().map(|_| ())
}

struct PlacementSearch<'a, F> {
    board: &'a HexBoard,
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

impl<F: FnMut(&[[u8; 2]]) -> bool> PlacementSearch<'_, F> {
    /// The free neighbours with which a cell can be a pair.
    fn partners(&self, cell: usize) -> u64 {
        let kind = |other: &usize| self.kinds[cell][*other];
        cells_of(self.board.neighbours(cell) & self.free)
            .filter(|other| kind(other).is_some_and(|kind| self.stock[kind] > 0))
            .fold(0, |set, other| set | 1 << other)
    }

    /// Completes the placement in all ways; `Some(false)` if the search is to end.
    fn complete(&mut self) -> Option<bool> {
        self.effort = self.effort.checked_sub(1)?;
        let options =
            |cell: &usize| self.partners(*cell).count_ones() + u32::from(self.spare >> cell & 1 == 1);
        let Some(cell) = cells_of(self.free).min_by_key(options) else {
            return Some((self.found)(&self.pairs));
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
            let more = self.complete()?;
            self.pairs.pop();
            self.free |= 1 << other;
            self.stock[kind] += 1;
            if !more {
                return Some(false);
            }
        }
        if self.spare >> cell & 1 == 1 {
            let spare = std::mem::take(&mut self.spare);
            let more = self.complete()?;
            self.spare = spare;
            if !more {
                return Some(false);
            }
        }
        self.free |= 1 << cell;
        Some(true)
    }
}

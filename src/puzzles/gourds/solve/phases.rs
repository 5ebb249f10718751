//! The method of three phases: onto a Hamiltonian cycle, sorted there, off it again.
//!
//! The start and the solved placement are both [aligned](super::ring) on the cycle. Between these two
//! the gourds are [sorted](super::sorting) on the cycle, and the cycle rotates to its place. The clicks
//! that aligned the solved placement, backwards, are the last phase. The three parts are kept apart, to
//! be shown one after the other.
//!
//! Where they are shown, there is one cycle, one solved placement, and nothing is made shorter, so that
//! each phase does what its name says. The cycle is the one that pictures [show](super::shown_cycle) if
//! the sort works on it, and otherwise the next one on which it does. Of several solved placements of
//! coloured gourds it is the one that seems nearest.

use std::sync::atomic::Ordering::Relaxed;

use super::super::board::HexBoard;
use super::super::rules::pairs_of;
use super::super::{Gourds, draw};
use super::constructive::{LOOKED_AT, failed, moves, no_cycle, sortable};
use super::cycle;
use super::goals::GoalPlacements;
use super::homes::CellDistances;
use super::position::EndMap;
use super::ring::Ring;
use super::sorting::Sort;
use crate::error::{Error, Result, usage};
use crate::puzzle::{Phased, Phases, State};
use crate::solve::Effort;

/// A solution in three parts, as lists of clicks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct PhaseClicks {
    pub align: Vec<u8>,
    pub sort: Vec<u8>,
    pub unalign: Vec<u8>,
}

impl PhaseClicks {
    /// The whole solution.
    pub fn all(&self) -> Vec<u8> {
        [&self.align[..], &self.sort, &self.unalign].concat()
    }
}

/// Solves with a cycle and a sort, at the leaf that gives the shortest solution; `None` if the cycle
/// has no leaf of the type that the sort needs. Positions tell all gourds apart.
pub(in super::super) fn solve(
    board: &HexBoard,
    ring: &Ring,
    start: &EndMap,
    target: &EndMap,
    sort: Sort,
) -> Option<PhaseClicks> {
    let path = ring.align(board, start)?;
    let home = ring.align(board, target)?;
    let mut sorted = path.fork();
    let leaves = sort.leaves(board, ring);
    sorted.append_shortest(leaves, |fork, leaf| sort.run(fork, ring, leaf, &home.at))?;
    Some(PhaseClicks { align: path.clicks(), sort: sorted.clicks(), unalign: home.reversed() })
}

impl Phases for Gourds {
    fn draw_cycle(&self, cycle: &[u8], colour: bool) -> String {
        draw::draw_cycle(self.board(), cycle, colour)
    }

    fn shown_cycle(&self) -> Option<Vec<u8>> {
        self.proper.then(|| super::shown_cycle(self.board())).flatten()
    }

    fn sorts(&self) -> &'static [&'static str] {
        const { &[Sort::ALL[0].name(), Sort::ALL[1].name(), Sort::ALL[2].name()] }
    }

    fn phases(&self, state: &State, sort: &str, effort: &Effort<'_>) -> Result<Phased> {
        let Some(sort) = Sort::ALL.into_iter().find(|known| known.name() == sort) else {
            return usage(format!(
                "gourds are sorted by {}, and `{}` is none of these",
                self.sorts().join(", "),
                sort.escape_debug()
            ));
        };
        let board = self.board();
        sortable(board)?;
        let mut rings = (0..LOOKED_AT).map_while(|seed| cycle::find(board, seed));
        let Some(ring) = rings.find(|ring| sort.works(board, ring)) else {
            return Err(no_cycle(sort.needs()));
        };
        let start = pairs_of(state);
        let targets = GoalPlacements::of(self).nearest(self, &CellDistances::new(board), &start, 1);
        let Some(target) = targets.first() else {
            return Err(Error::limit("no solved placement is known: the search for one was given up"));
        };
        let [start, target] = [&start, target].map(|pairs| EndMap::distinct(board, pairs));
        let phases = solve(board, &ring, &start, &target, sort);
        // What was found late is found all the same.
        if effort.stop.load(Relaxed) {
            return Err(Error::interrupted("stopped before the phases were found"));
        }
        let phases = phases.ok_or_else(failed)?;
        let parts = [("align", phases.align), ("sort", phases.sort), ("unalign", phases.unalign)];
        Ok(Phased { cycle: ring.cells, phases: parts.map(|(name, way)| (name, moves(way))).into() })
    }
}

#[cfg(test)]
mod tests;

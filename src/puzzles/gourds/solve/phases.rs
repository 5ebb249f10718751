//! The method of three phases: onto a Hamiltonian cycle, sorted there, off it again.
//!
//! The start and the solved placement are both [aligned](super::align) on the cycle. Between these two
//! the gourds are [sorted](Sort) on the cycle, [turned the right way round](super::order), and the
//! cycle rotates to its place. The clicks that aligned the solved placement, backwards, are the last
//! phase. The three parts are kept apart, to be shown one after the other.

use super::super::board::Board;
use super::position::{Position, Walker};
use super::ring::Ring;
use super::{align, bubble, insertion, leaves, order};

/// How the gourds are sorted on the cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Sort {
    /// By insertion, at a leaf of the first type.
    Insertion,
    /// By exchanges, at a leaf of the second type.
    Bubble,
}

impl Sort {
    /// Both.
    pub const ALL: [Sort; 2] = [Sort::Insertion, Sort::Bubble];

    /// One word.
    pub const fn name(self) -> &'static str {
        match self {
            Sort::Insertion => "insertion",
            Sort::Bubble => "bubble",
        }
    }

    /// What a cycle must have for it, after "a cycle".
    pub fn needs(self) -> &'static str {
        match self {
            Sort::Insertion => " with four cells in a row whose ends are neighbours",
            Sort::Bubble => " with five cells in a row that form a trapezoid",
        }
    }

    /// The leaves of a cycle at which it can sort.
    fn leaves(self, board: &Board, ring: &Ring) -> Vec<usize> {
        match self {
            // Two gourds are always in order, and the smallest board has no leaf.
            _ if ring.gourds() < 3 => vec![0],
            Sort::Insertion => leaves::of_first_type(board, ring),
            Sort::Bubble => leaves::of_second_type(board, ring),
        }
    }

    /// Whether a cycle has such a leaf.
    pub fn works(self, board: &Board, ring: &Ring) -> bool {
        !self.leaves(board, ring).is_empty()
    }
}

/// A solution in three parts, as lists of clicks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Phases {
    pub align: Vec<u8>,
    pub sort: Vec<u8>,
    pub unalign: Vec<u8>,
}

impl Phases {
    /// The whole solution.
    pub fn way(&self) -> Vec<u8> {
        [&self.align[..], &self.sort, &self.unalign].concat()
    }
}

/// Solves with a cycle and a sort, at the leaf that gives the shortest solution; `None` if the cycle
/// has no leaf of the type that the sort needs. Positions tell all gourds apart.
pub(in super::super) fn solve(
    board: &Board,
    ring: &Ring,
    start: &Position,
    target: &Position,
    sort: Sort,
) -> Option<Phases> {
    let mut walker = Walker::new(board, *start);
    align::align(&mut walker, ring)?;
    let mut home = Walker::new(board, *target);
    align::align(&mut home, ring)?;
    let wanted = ring.list(&home.at);
    let sorted = sort.leaves(board, ring).into_iter().filter_map(|leaf| {
        let mut scout = walker.scout();
        match sort {
            _ if ring.gourds() < 3 => {}
            Sort::Insertion => insertion::sort(&mut scout, ring, leaf, &wanted)?,
            Sort::Bubble => bubble::sort(&mut scout, ring, leaf, &wanted)?,
        }
        order::finish(&mut scout, ring, &home.at)?;
        Some(scout)
    });
    let sorted = sorted.min_by_key(Walker::clicks)?;
    Some(Phases {
        align: walker.way(),
        sort: sorted.way(),
        unalign: home.way_back(),
    })
}

//! Solvers of Gourds.
//!
//! Two methods always work on proper boards, because such a board has a cycle through all its cells:
//! gourds that are aligned on the cycle can be rotated on it, and there are places where their order
//! can be changed. Both come with a clean-up that makes their solutions much shorter, and both try
//! several cycles; on coloured boards they try several solved placements. A search finds shortest
//! solutions where the board is small enough.
//!
//! The methods are those of J. Hamersma, M. van Kreveld, Y. Uno and T. C. van der Zanden, "Gourds: a
//! sliding-block puzzle with turning", ISAAC 2020, as far as they are known to us: the sorts are
//! completed, and the details of the division are new.
//!
//! | file | what it holds |
//! |---|---|
//! | `position` | positions, and the clicks that led to them |
//! | `cycle` | Hamiltonian cycles and the triangles inside |
//! | `ring` | aligned positions: steps and rotations; aligning, the first and the last phase |
//! | `sorting` | sorting on the cycle |
//! | `phases` | the three phases together, and as they are shown |
//! | `split`, `divide`, `region` | divide and conquer |
//! | `goals` | which solved placement, and which of equal gourds goes where |
//! | `homes` | the lower bound |
//! | `packer` | positions for searches that keep many |
//! | `cleanup` | making solutions shorter |
//! | `constructive`, `optimal` | the solvers |

mod cleanup;
mod constructive;
mod cycle;
mod divide;
mod goals;
mod homes;
mod optimal;
mod packer;
mod phases;
mod position;
mod region;
mod ring;
mod sorting;
mod split;
#[cfg(test)]
mod tests;

use super::Gourds;
use super::board::{HexBoard, MOST_CELLS};
use crate::error::Result;
use crate::puzzle::Solving;
use crate::solve::{ReadySolver, Solver, Workbench};
use constructive::{Constructive, Method};
use optimal::GourdsOptimal;
use sorting::Sort;

/// Spaces of up to this many states are searched by default.
const SEARCHED: u128 = 1 << 24;

/// How many cycles are tried unless the user chooses.
const CYCLES: u64 = 16;

/// Whether a search soon finds shortest solutions of all states.
fn is_small(puzzle: &Gourds) -> bool {
    puzzle.positions().is_some_and(|states| states <= SEARCHED)
}

/// The cycle through all cells of a proper board that is shown: the first one that the solvers try.
pub(super) fn shown_cycle(board: &HexBoard) -> Option<Vec<u8>> {
    cycle::find(board, 0).map(|ring| ring.cells)
}

impl Solving for Gourds {
    fn solvers(&self) -> Vec<Box<dyn Solver + '_>> {
        let by_method = |method| -> Box<dyn Solver + '_> { Box::new(ByMethod { puzzle: self, method }) };
        let mut solvers = Vec::from(METHODS.map(by_method));
        let first = is_small(self) || !self.proper;
        let place = if first { 0 } else { solvers.len() };
        solvers.insert(place, Box::new(BySearch(self)));
        solvers
    }
}

/// The constructive methods.
const METHODS: [Method; 4] =
    [Method::Divide, Method::Phases, Method::Sorting(Sort::Insertion), Method::Sorting(Sort::Bubble)];

/// A constructive method.
struct ByMethod<'p> {
    puzzle: &'p Gourds,
    method: Method,
}

impl Solver for ByMethod<'_> {
    fn name(&self) -> &'static str {
        match self.method {
            Method::Divide => "divide",
            Method::Phases => "phases",
            Method::Sorting(sort) => sort.name(),
        }
    }

    fn promise(&self) -> String {
        let what = match self.method {
            Method::Divide => {
                "short solutions by divide and conquer on a cycle through all cells, about n^2 clicks \
                 for n gourds before detours are cut"
            }
            Method::Phases => {
                "solutions in three phases (onto a cycle, sorted there, off it), the shorter of what \
                 `insertion` and `bubble` find, up to about n^3 clicks for n gourds before detours are \
                 cut"
            }
            Method::Sorting(Sort::Insertion) => {
                "three phases, sorting by insertion where a cycle is found that has four cells in a \
                 row whose ends are neighbours (not available elsewhere)"
            }
            Method::Sorting(Sort::Bubble) => {
                "three phases, sorting by exchanges of neighbours where a cycle is found that has five \
                 cells in a row that form a trapezoid (not available elsewhere)"
            }
            Method::Sorting(Sort::Divide) => "three phases, sorting by divide and conquer on the cycle",
        };
        format!(
            "{what}, on proper boards of at most {MOST_CELLS} cells; the number is how many cycles are \
             tried: 1, 4, 16, 64, 256 or 1024, and others count as the next smaller of these"
        )
    }

    fn strength(&self) -> Option<u64> {
        Some(match self.method {
            Method::Divide => CYCLES,
            _ => CYCLES / 4,
        })
    }

    fn prepare<'a>(&'a self, _: &Workbench<'_>, strength: Option<u64>) -> Result<Box<dyn ReadySolver + 'a>> {
        let cycles = strength.or(self.strength()).unwrap_or(CYCLES);
        Ok(Box::new(Constructive::new(self.puzzle, self.method, cycles)?))
    }
}

struct BySearch<'p>(&'p Gourds);

impl Solver for BySearch<'_> {
    fn name(&self) -> &'static str {
        "optimal"
    }

    fn promise(&self) -> String {
        "shortest solutions, by a search from both ends and, when memory is full, IDA*; on boards of \
         more than about 13 cells only for states that are not far from being solved"
            .into()
    }

    fn prepare<'a>(&'a self, _: &Workbench<'_>, _: Option<u64>) -> Result<Box<dyn ReadySolver + 'a>> {
        Ok(Box::new(GourdsOptimal::new(self.0)?))
    }
}

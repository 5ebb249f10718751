//! Solvers of Wrapslide.
//!
//! A board with three or four colours is far too large a space for a table, but what one colour does,
//! all others being alike, is not: on 6x6 it is the two-colour puzzle, with 94 million states. The
//! cells of one colour must come together in a quadrant, and the exact number of moves that this needs
//! is a lower bound for the whole; so is the number that two colours together need to fill two
//! quadrants. These are the *projections* of a board, and their distances guide both searches:
//!
//! - `beam` ranks boards by the sum of the distances of all their projections. The sum bounds nothing,
//!   but it orders boards well: it falls where several colours come closer at a time.
//! - `optimal` is IDA* with the greatest of the distances.
//!
//! Both know the exact distance of every board within the first levels of the puzzle's enumeration.
//!
//! | file | what it holds |
//! |---|---|
//! | `lanes` | the quick form of a board: all colours slide at once |
//! | `projection` | what a projection is, and how its distances are found |
//! | `single`, `pair` | one colour, and two colours together: how their cells are numbered |
//! | `guide` | a board's projections looked up; ranks and bounds |
//! | `windows` | the guide on 8x8, where no table of distances fits: read its essay |
//! | `searches` | the solvers `beam` and `optimal` |
//! | `thesis` | the heuristic of the thesis, to compare with |

mod guide;
mod lanes;
mod pair;
mod projection;
mod searches;
mod single;
#[cfg(test)]
mod tests;
mod thesis;
mod windows;

use super::Wrapslide;
use crate::puzzle::Solving;
use crate::solve::Solver;
use searches::{WrapslideBeam, WrapslideOptimal};
use thesis::Thesis;

impl Solving for Wrapslide {
    fn solvers(&self) -> Vec<Box<dyn Solver + '_>> {
        let mut solvers: Vec<Box<dyn Solver + '_>> = Vec::new();
        // Its goals are fewer than the projections can tell.
        if !self.variant.beside {
            solvers.push(Box::new(WrapslideBeam(self)));
            if self.variant.size <= 6 {
                solvers.push(Box::new(WrapslideOptimal(self)));
            }
        }
        if !self.variant.fixed {
            solvers.push(Box::new(Thesis(self)));
        }
        solvers
    }
}

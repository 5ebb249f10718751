//! Random states: every state that can be solved is equally likely.
//!
//! A state is a shape with a gourd of some kind, one way or the other round, on each of its pairs. A
//! uniform shape is one with a uniform number, of the board turned so that
//! [its shapes are easy to number](super::shapes::turned). On it the gourds are placed in a uniform
//! order and turned by chance. Every state looks the same for equally many orders and turns, so states
//! are uniform, too, and on proper boards all of them can be solved.
//!
//! On other boards only some states can be solved. If the space is small, all of these are found by
//! walking from the solved ones, and states are drawn until one of them comes up.
//!
//! All of this is frozen: what a random source gives must never change.

use bitvec::prelude::*;

use super::Gourds;
use super::rules::state_of;
use super::shapes::{Shapes, turned};
use crate::error::{Error, Result};
use crate::puzzle::{Indexed, Instance, Scramble, State};
use crate::random::Random;
use crate::space::Space;

/// Spaces of boards that are not proper are walked up to this many indices.
const WALKED: u64 = 1 << 24;
/// The most states that are drawn to find one that can be solved.
const DRAWS: u64 = 1 << 22;

pub(super) struct Sampler {
    /// The shapes of the turned board; `None` if they are too many to be numbered.
    shapes: Option<Shapes>,
    /// By cell of the turned board: the cell of the puzzle's own board.
    cells: Vec<u8>,
    /// On a board that is not proper, a bit for every class that can be solved; `None` if there are
    /// too many.
    solvable: Option<BitVec>,
}

impl Sampler {
    fn new(puzzle: &Gourds) -> Sampler {
        let (shapes, cells) = match turned(puzzle.board()) {
            Some((board, places)) => {
                let mut cells = vec![0; places.len()];
                for (cell, place) in (0..).zip(places) {
                    cells[usize::from(place)] = cell;
                }
                (Shapes::new(&board), cells)
            }
            None => (None, Vec::new()),
        };
        Sampler {
            shapes: shapes.filter(|shapes| shapes.count() > 0),
            cells,
            solvable: if puzzle.proper { None } else { solvable(puzzle) },
        }
    }
}

/// All classes that can be reached from the solved ones.
fn solvable(puzzle: &Gourds) -> Option<BitVec> {
    let space = puzzle.space.as_ref()?;
    let universe = space.universe();
    if universe > WALKED {
        return None;
    }
    let mut reached = bitvec![0; universe as usize];
    let mut next = space.roots();
    while !next.is_empty() {
        next.retain(|&index| !reached.replace(index as usize, true));
        let batch = std::mem::take(&mut next);
        space.expand(&batch, &mut next);
    }
    Some(reached)
}

impl Scramble for Gourds {
    fn scramble(&self, random: &mut Random) -> Result<Instance> {
        let sampler = self.sampler.get_or_init(|| Sampler::new(self));
        let Some(shapes) = &sampler.shapes else {
            return Err(Error::limit(
                "the board has too many ways to pair its cells to choose one of them at random",
            ));
        };
        if self.proper {
            return Ok(Instance::State(self.any_state(shapes, sampler, random)));
        }
        let Some(solvable) = &sampler.solvable else {
            return Err(Error::limit(
                "the board is not proper, so some states cannot be solved, and there are too many \
                 states to find out which",
            ));
        };
        for _ in 0..DRAWS {
            let state = self.any_state(shapes, sampler, random);
            let index = Indexed::index_of(self, &state);
            if index.is_some_and(|index| solvable.get(index as usize).is_some_and(|bit| *bit)) {
                return Ok(Instance::State(state));
            }
        }
        Err(Error::limit("the board is not proper, and of very many random states none can be solved"))
    }
}

impl Gourds {
    /// A uniform one of all states.
    fn any_state(&self, shapes: &Shapes, sampler: &Sampler, random: &mut Random) -> State {
        let rank = random.below(shapes.count().into()) as u64;
        let shape = shapes.unrank(rank).image(self.board(), &sampler.cells);
        let mut gourds: Vec<usize> = (0..self.board().gourds()).collect();
        random.shuffle(&mut gourds);
        let mut pairs = vec![[0; 2]; gourds.len()];
        for ([a, b], gourd) in shape.pairs().zip(gourds) {
            pairs[gourd] = match random.place(2) {
                0 => [a, b],
                _ => [b, a],
            };
        }
        state_of(&self.kinds.normal(&pairs))
    }
}

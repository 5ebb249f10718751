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

use super::Gourds;
use super::rules::state_of;
use super::shapes::{Shape, Shapes, turned};
use crate::error::{Error, Result};
use crate::puzzle::State;
use crate::random::Random;
use crate::space::Space;

/// Spaces of boards that are not proper are walked up to this many indices.
const WALKED: u64 = 1 << 24;
/// So many states are drawn before it is given up to find one that can be solved.
const DRAWS: u64 = 1 << 22;

/// What random states are drawn from.
pub(super) struct Sampler {
    /// The shapes of the turned board; `None` if they are too many to be numbered.
    shapes: Option<Shapes>,
    /// By cell of the turned board: the cell of the puzzle's own board.
    cells: Vec<u8>,
    /// On a board that is not proper, a bit for every class that can be solved; `None` if there are
    /// too many.
    solvable: Option<Vec<u64>>,
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
        let solvable = match puzzle.proper {
            true => None,
            false => solvable(puzzle),
        };
        Sampler {
            shapes: shapes.filter(|shapes| shapes.count() > 0),
            cells,
            solvable,
        }
    }
}

/// All classes that can be reached from the solved ones.
fn solvable(puzzle: &Gourds) -> Option<Vec<u64>> {
    let walk = puzzle.walk.as_ref()?;
    let universe = walk.universe();
    if universe > WALKED {
        return None;
    }
    let mut reached = vec![0u64; universe.div_ceil(64) as usize];
    let mut next = walk.roots();
    while !next.is_empty() {
        next.retain(|&index| {
            let (word, bit) = ((index / 64) as usize, 1 << (index % 64));
            let is_new = reached[word] & bit == 0;
            reached[word] |= bit;
            is_new
        });
        let batch = std::mem::take(&mut next);
        walk.expand(&batch, &mut next);
    }
    Some(reached)
}

impl Gourds {
    /// A uniform one of the states that can be solved.
    pub(super) fn random_state(&self, random: &mut Random) -> Result<State> {
        let sampler = self.sampler.get_or_init(|| Sampler::new(self));
        let Some(shapes) = &sampler.shapes else {
            return Err(Error::Limit(
                "the board has too many ways to pair its cells to draw one of them by chance"
                    .into(),
            ));
        };
        if self.proper {
            return Ok(self.any_state(shapes, sampler, random));
        }
        let Some(solvable) = &sampler.solvable else {
            return Err(Error::Limit(
                "the board is not proper, so some states cannot be solved, and there are too many \
                 states to find out which"
                    .into(),
            ));
        };
        for _ in 0..DRAWS {
            let state = self.any_state(shapes, sampler, random);
            let index = crate::puzzle::Puzzle::index_of(self, &state);
            let can_be = index.is_some_and(|index| {
                let word = solvable.get((index / 64) as usize);
                word.is_some_and(|word| word >> (index % 64) & 1 == 1)
            });
            if can_be {
                return Ok(state);
            }
        }
        Err(Error::Limit(
            "the board is not proper, and of very many random states none can be solved".into(),
        ))
    }

    /// A uniform one of all states.
    fn any_state(&self, shapes: &Shapes, sampler: &Sampler, random: &mut Random) -> State {
        let rank = random.below(shapes.count().into()) as u64;
        let turned = shapes.unrank(rank);
        let own = |pair: [u8; 2]| pair.map(|cell| sampler.cells[usize::from(cell)]);
        let shape = Shape::new(self.board(), turned.pairs().map(own));
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

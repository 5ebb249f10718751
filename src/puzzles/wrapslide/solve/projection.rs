//! Projections: sets of cells that must fill whole quadrants, with the exact number of slides that
//! this needs for each.
//!
//! The distances are found breadth first over all sets at once, in an array with a byte for every
//! number. A level is either *pushed* (every set of the last level marks its neighbours) or, once few
//! sets are left, *pulled* (every set that is left looks for a neighbour in the last level), whichever
//! visits fewer neighbours. Slides are reversible, so both find the same.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::super::rules::HalfSlide;
use super::lanes::{LaneCells, Lanes, Slides};
use crate::engine::Control;
use crate::error::{Error, Result};
use crate::solve::Workbench;
use crate::solve::cache::TableName;
use crate::store::memory::{HugeTable, prefetch};

/// A numbering of sets of cells.
pub(super) trait Projection: Sync {
    /// All numbers are below this one.
    fn entries(&self) -> usize;
    /// The number of a set; sets that are equally far from being solved may share it.
    fn number(&self, cells: LaneCells) -> usize;
    /// The sets that fill whole quadrants.
    fn solved(&self) -> Vec<LaneCells>;
    /// Sets are listed in that many parts ...
    fn parts(&self) -> usize;
    /// ... each by calling `visit` with a number and a set that has it, for all numbers in the part.
    fn list(&self, part: usize, visit: &mut dyn FnMut(usize, LaneCells));
    /// Calls `visit` with every number that a set can have, depending on the choices that
    /// [`number`](Projection::number) makes among equals.
    fn all_numbers(&self, cells: LaneCells, visit: &mut dyn FnMut(usize));
}

/// A projection with its distances, two to a byte.
pub(super) struct ProjectionDistances<P> {
    pub projection: P,
    table: HugeTable,
}

impl<P: Projection> ProjectionDistances<P> {
    /// Reads the distances from the cache, or finds them.
    pub fn prepare(
        projection: P,
        name: &str,
        slides: &Slides,
        moves: &[HalfSlide],
        bench: &Workbench<'_>,
    ) -> Result<Self> {
        let length = projection.entries().div_ceil(2);
        let name = TableName { name, version: 1, length, to_build: (projection.entries() + length) as u64 };
        let what = format!("building the table {}", name.name);
        let build = || find(&projection, slides, moves, &bench.control, &what);
        let table = bench.table(&name, build)?;
        Ok(ProjectionDistances { projection, table })
    }

    /// The distance of the set with a number.
    #[inline(always)]
    pub fn at(&self, number: usize) -> u8 {
        self.table[number / 2] >> (4 * (number % 2)) & 15
    }

    /// The distance of a set.
    #[inline(always)]
    pub fn of(&self, cells: LaneCells) -> u8 {
        self.at(self.projection.number(cells))
    }

    /// Asks for the memory in which a number's distance is.
    #[inline(always)]
    pub fn prefetch(&self, number: usize) {
        prefetch(&self.table, number / 2);
    }
}

/// No distance yet.
const UNKNOWN: u8 = u8::MAX;
/// The distances must fit in half a byte.
const FARTHEST: u8 = 15;
/// A set that is pulled looks at about this many neighbours.
const LOOKS: u64 = 4;

/// Finds all distances, and tells how many percent of them are known.
fn find<P: Projection>(
    projection: &P,
    slides: &Slides,
    moves: &[HalfSlide],
    control: &Control<'_>,
    what: &str,
) -> Result<Vec<u8>> {
    let all = projection.entries() as u64;
    let (known, reported) = (AtomicU64::new(0), AtomicU64::new(0));
    let tell = |found: u64| {
        let percent = 100 * (known.fetch_add(found, Relaxed) + found) / all;
        if reported.fetch_max(percent, Relaxed) < percent {
            control.observer.counted(what, percent, 100);
        }
        found
    };
    let distances: Vec<AtomicU8> =
        (0..projection.entries()).into_par_iter().map(|_| AtomicU8::new(UNKNOWN)).collect();
    let mut found = 0;
    for cells in projection.solved() {
        projection.all_numbers(cells, &mut |number| {
            found += u64::from(distances[number].swap(0, Relaxed) == UNKNOWN);
        });
    }
    let mut left = all - tell(found);
    for level in 0..FARTHEST {
        let pushing = found * moves.len() as u64 <= left * LOOKS;
        let level = DistanceLevel { projection, slides, moves, distances: &distances, level };
        let parts = (0..projection.parts()).into_par_iter();
        found = parts
            .map(|part| match (control.stopped(), pushing) {
                (true, _) => 0,
                (_, true) => tell(level.push(part)),
                (_, false) => tell(level.pull(part)),
            })
            .sum();
        if control.stopped() {
            return Err(Error::interrupted("stopped while a table was built; it is built anew next time"));
        }
        left -= found;
        if found == 0 {
            break;
        }
    }
    if left > 0 {
        return Err(Error::verification(format!(
            "{left} sets of cells have no distance up to {FARTHEST}; please report this"
        )));
    }
    let packed = distances.par_chunks(2).map(|pair| {
        let halves = pair.iter().map(|distance| distance.load(Relaxed));
        halves.rev().fold(0, |byte, distance| byte << 4 | distance)
    });
    Ok(packed.collect())
}

/// One level of the search.
struct DistanceLevel<'a, P> {
    projection: &'a P,
    slides: &'a Slides,
    moves: &'a [HalfSlide],
    distances: &'a [AtomicU8],
    /// The last level that is known.
    level: u8,
}

impl<P: Projection> DistanceLevel<'_, P> {
    /// Marks the neighbours of the last level; tells how many were new.
    fn push(&self, part: usize) -> u64 {
        let mut found = 0;
        self.projection.list(part, &mut |number, cells| {
            if self.distances[number].load(Relaxed) != self.level {
                return;
            }
            for &slide in self.moves {
                let after = self.neighbour(cells, slide);
                if self.distances[self.projection.number(after)].load(Relaxed) == UNKNOWN {
                    self.projection.all_numbers(after, &mut |number| {
                        // Two threads may come to the same set: one of them counts it.
                        let before = self.distances[number].swap(self.level + 1, Relaxed);
                        found += u64::from(before == UNKNOWN);
                    });
                }
            }
        });
        found
    }

    /// Marks what has a neighbour in the last level; tells how much that is.
    fn pull(&self, part: usize) -> u64 {
        let mut found = 0;
        self.projection.list(part, &mut |number, cells| {
            if self.distances[number].load(Relaxed) != UNKNOWN {
                return;
            }
            let near = |&slide: &HalfSlide| {
                let after = self.projection.number(self.neighbour(cells, slide));
                self.distances[after].load(Relaxed) == self.level
            };
            if self.moves.iter().any(near) {
                self.distances[number].store(self.level + 1, Relaxed);
                found += 1;
            }
        });
        found
    }

    #[inline(always)]
    fn neighbour(&self, cells: LaneCells, slide: HalfSlide) -> LaneCells {
        let board: Lanes = cells.map(u64::from);
        self.slides.slid(&board, slide).map(|word| word as u16)
    }
}

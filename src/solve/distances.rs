//! How far states are, read off the levels of a job: the table that [`descent`](super::descent) goes down, and that
//! a page shows beside the moves of a position.

use std::path::PathBuf;

use super::Workbench;
use super::descent::Descent;
use crate::engine::{Control, Job, Manifest};
use crate::error::{Error, Result};
use crate::puzzle::{Rules, State};
use crate::space::{AnySpace, Index};
use crate::store::level_set::SortedSet;

/// How far a state is from being solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// This many moves.
    Exactly(u32),
    /// At least this many moves: it lies beyond the levels that are there.
    AtLeast(u32),
    /// No number of moves.
    Unsolvable,
}

/// The levels of a job, opened.
pub(super) struct OpenLevels<I> {
    pub(super) dir: PathBuf,
    /// The levels, and their numbers with the largest ones first: most states are there.
    sets: Vec<SortedSet<I>>,
    order: Vec<u32>,
    pub(super) finished: bool,
}

impl<I: Index> OpenLevels<I> {
    pub(super) fn new(
        base: &dyn Rules,
        (job, manifest): (Job, Manifest),
        bench: &Workbench<'_>,
    ) -> Result<Self> {
        let stopped = || Error::interrupted("stopped while the level sets were opened");
        let go_on = || bench.control.go_on(stopped);
        let open = |record| go_on().and_then(|()| job.open_level_while(record, go_on));
        let sets: Vec<SortedSet<I>> = manifest.levels.iter().map(open).collect::<Result<_>>()?;
        let memory = sets.iter().map(SortedSet::most_memory).sum();
        bench.take(&format!("the table of {}", base.text()), memory, memory)?;
        let mut order: Vec<u32> = (0..sets.len() as u32).collect();
        order.sort_by_key(|&level| std::cmp::Reverse(sets[level as usize].totals().count));
        Ok(OpenLevels { dir: job.dir().to_owned(), sets, order, finished: manifest.finished })
    }

    /// The number of levels.
    pub(super) fn len(&self) -> u32 {
        self.sets.len() as u32
    }

    /// The level of a class, if it is found in one before the search is to end.
    pub(super) fn level_of(&self, index: I, is_over: &dyn Fn() -> bool) -> Result<Option<u32>> {
        for &level in self.order.iter().take_while(|_| !is_over()) {
            if self.holds(level, index)? {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// Whether a class is in a level.
    pub(super) fn holds(&self, level: u32, index: I) -> Result<bool> {
        match self.sets.get(level as usize) {
            Some(set) => set.contains(index),
            None => Ok(false),
        }
    }

    fn distance(&self, index: Option<u128>, is_over: &dyn Fn() -> bool) -> Result<Distance> {
        let level = match index {
            Some(index) => self.level_of(I::narrow(index), is_over)?,
            None => None,
        };
        Ok(match level {
            Some(level) => Distance::Exactly(level),
            None if self.finished => Distance::Unsolvable,
            None => Distance::AtLeast(self.len()),
        })
    }
}

/// The distances of all states of a puzzle, or of those in the first levels.
pub struct DistanceTable {
    /// The puzzle that numbers the states, if it is another one.
    other: Option<Box<dyn Rules>>,
    levels: AnyLevels,
}

enum AnyLevels {
    Narrow(OpenLevels<u64>),
    Wide(OpenLevels<u128>),
}

impl DistanceTable {
    /// The table of a puzzle if it is there already; nothing is enumerated.
    pub fn find(puzzle: &dyn Rules, bench: &Workbench<'_>) -> Result<Option<DistanceTable>> {
        let Some(descent) = Descent::new(puzzle) else {
            return Ok(None);
        };
        let other = descent.other_base()?;
        let base = other.as_deref().unwrap_or(puzzle);
        let Some(found) = descent.existing_job(base, bench)? else {
            return Ok(None);
        };
        let levels = match base.space() {
            Some(AnySpace::Narrow(_)) => AnyLevels::Narrow(OpenLevels::new(base, found, bench)?),
            _ => AnyLevels::Wide(OpenLevels::new(base, found, bench)?),
        };
        Ok(Some(DistanceTable { other, levels }))
    }

    /// How far a state of the puzzle is. A search that is stopped is an error.
    pub fn distance(&self, puzzle: &dyn Rules, state: &State, control: Control<'_>) -> Result<Distance> {
        let index = self.other.as_deref().unwrap_or(puzzle).index_of(state);
        let is_over = || control.stopped();
        let distance = match &self.levels {
            AnyLevels::Narrow(levels) => levels.distance(index, &is_over),
            AnyLevels::Wide(levels) => levels.distance(index, &is_over),
        }?;
        control.go_on(|| Error::interrupted("stopped while a state was looked up"))?;
        Ok(distance)
    }

    /// The number of levels, and whether these are all.
    pub fn extent(&self) -> (u32, bool) {
        match &self.levels {
            AnyLevels::Narrow(levels) => (levels.len(), levels.finished),
            AnyLevels::Wide(levels) => (levels.len(), levels.finished),
        }
    }
}

//! The solvers `beam` and `optimal`.

use super::super::Wrapslide;
use super::guide::Guide;
use crate::error::{Result, usage};
use crate::puzzle::State;
use crate::solve::beam::{self, BeamLimits};
use crate::solve::{Attempt, Effort, Prepared, ReadySolver, Search, Solver, Workbench, ida};

/// Levels up to this one are kept in memory: on 6x6 ten million classes with three colours, two million
/// with four.
const FIRST: u32 = 8;
/// With four colours and this much memory, `optimal` keeps one level more.
const ROOM: u64 = 1 << 30;

/// The width of a beam, unless the user chooses another.
const WIDTH: u64 = 50_000;
/// No beam is wider.
const WIDEST: u64 = 1 << 24;
/// A beam gives up after this many moves, far beyond any that is needed.
const LEVELS: usize = 100;
/// With a bound on time, a beam of so much less width is tried first, for something to fall back on.
const NARROWER: usize = 50;

/// The width of the beam whose solution is the first that `optimal` knows.
const FIRST_WIDTH: usize = 5_000;

/// Short solutions, quickly.
pub(super) struct WrapslideBeam<'p>(pub &'p Wrapslide);

impl Solver for WrapslideBeam<'_> {
    fn name(&self) -> &'static str {
        "beam"
    }

    fn promise(&self) -> String {
        let tables = match self.0.variant.size {
            6 => "; the tables for that are built on first use, in a minute or two",
            _ => "",
        };
        format!(
            "short solutions in about a second, by a search that keeps the boards of each level whose \
             colours, one by one and two by two, are nearest to their quadrants; its strength is how \
             many it keeps{tables}"
        )
    }

    fn strength(&self) -> Option<u64> {
        Some(WIDTH)
    }

    fn prepare<'a>(&'a self, bench: &Workbench<'_>, strength: Option<u64>) -> Prepared<'a> {
        let width = strength.unwrap_or(WIDTH);
        if !(1..=WIDEST).contains(&width) {
            return usage(format!("the width of a beam is a number from 1 to {WIDEST}, not {width}"));
        }
        let width = width as usize;
        let guide = Guide::prepare(self.0, FIRST, bench)?;
        Ok(Box::new(PreparedBeam { guide, width }))
    }
}

struct PreparedBeam<'p> {
    guide: Guide<'p>,
    width: usize,
}

impl ReadySolver for PreparedBeam<'_> {
    fn attempt(&self, state: &State, effort: &Effort<'_>) -> Result<Attempt> {
        let start = self.guide.board(state);
        let search = |width| {
            let limits = BeamLimits { width, levels: LEVELS, fanout: self.guide.fanout() };
            beam::search(&self.guide, start, limits, effort)
        };
        let length = |moves: &Option<Vec<_>>| moves.as_ref().map_or(usize::MAX, Vec::len);
        let mut attempt = match effort.deadline {
            Some(_) => search((self.width / NARROWER).max(1))?,
            None => Attempt::default(),
        };
        let mut width = self.width;
        loop {
            let wide = search(width)?;
            attempt.cut_short = wide.cut_short && effort.is_spent();
            if length(&wide.moves) < length(&attempt.moves) {
                attempt.moves = wide.moves;
            }
            if attempt.moves.is_some() || attempt.cut_short || width >= WIDEST as usize {
                break;
            }
            // A narrow beam can run into a dead end.
            width *= 2;
        }
        attempt.bound = self.guide.bound(&start);
        Ok(attempt)
    }
}

/// Shortest solutions.
pub(super) struct WrapslideOptimal<'p>(pub &'p Wrapslide);

impl Solver for WrapslideOptimal<'_> {
    fn name(&self) -> &'static str {
        "optimal"
    }

    fn promise(&self) -> String {
        "shortest solutions by iterative deepening (IDA*) with the distances of one and of two \
         colours; on 6x6 that takes seconds to minutes with three colours, and with four it usually ends with a lower bound when time is up"
            .into()
    }

    fn prepare<'a>(&'a self, bench: &Workbench<'_>, _: Option<u64>) -> Prepared<'a> {
        let large = self.0.variant.size == 6 && self.0.variant.colours == 4;
        let first = if large && bench.free() >= ROOM { FIRST + 1 } else { FIRST };
        let guide = Guide::prepare(self.0, first, bench)?;
        Ok(Box::new(PreparedOptimal { guide }))
    }
}

struct PreparedOptimal<'p> {
    guide: Guide<'p>,
}

impl ReadySolver for PreparedOptimal<'_> {
    fn attempt(&self, state: &State, effort: &Effort<'_>) -> Result<Attempt> {
        let start = self.guide.board(state);
        // A short solution first: often it is a shortest one, and only that has to be proven.
        let limits = BeamLimits { width: FIRST_WIDTH, levels: LEVELS, fanout: self.guide.fanout() };
        let known = beam::search(&self.guide, start, limits, effort)?.moves;
        Ok(ida::improve(&self.guide, start, known, effort))
    }
}

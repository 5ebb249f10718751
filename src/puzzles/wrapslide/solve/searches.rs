//! The solvers `beam` and `optimal`.

use super::super::Wrapslide;
use super::guide::Guide;
use super::lanes::Lanes;
use super::windows::Windows;
use crate::error::{Result, usage};
use crate::puzzle::State;
use crate::solve::beam::{self, BeamLimits, Ranked};
use crate::solve::{Attempt, Effort, Prepared, ReadySolver, Solver, Workbench, ida};

/// Levels up to this one are kept in memory: on 6x6 ten million classes with three colours, two million
/// with four.
const FIRST: u32 = 8;
/// With four colours and this much memory, `optimal` keeps one level more.
const ROOM: u64 = 1 << 30;

/// The width of a beam, unless the user chooses another.
const WIDTH: u64 = 50_000;
/// The same on 8x8.
const WIDTH_8: u64 = 10_000;
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
        if self.0.variant.size == 8 {
            return "short solutions in seconds, by a search that keeps the boards of each level whose colours, one by \
                    one, seem nearest to their quadrants, by values that are fitted to random walks on first use; its \
                    strength is how many it keeps"
                .into();
        }
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
        Some(if self.0.variant.size == 8 { WIDTH_8 } else { WIDTH })
    }

    fn prepare<'a>(&'a self, bench: &Workbench<'_>, strength: Option<u64>) -> Prepared<'a> {
        let width = strength.or(self.strength()).unwrap_or(WIDTH);
        if !(1..=WIDEST).contains(&width) {
            return usage(format!("the width of a beam is a number from 1 to {WIDEST}, not {width}"));
        }
        let width = width as usize;
        if self.0.variant.size == 8 {
            let guide = Windows::prepare(self.0, bench)?;
            let fanout = guide.fanout();
            return Ok(Box::new(PreparedBeam { guide, start: Windows::board, fanout, width }));
        }
        let guide = Guide::prepare(self.0, FIRST, bench)?;
        let fanout = guide.fanout();
        Ok(Box::new(PreparedBeam { guide, start: Guide::board, fanout, width }))
    }
}

/// A beam with its guide.
struct PreparedBeam<G> {
    guide: G,
    /// The quick form of a state.
    start: fn(&G, &State) -> Lanes,
    fanout: usize,
    width: usize,
}

impl<G: Ranked<Node = Lanes> + Send> ReadySolver for PreparedBeam<G> {
    fn attempt(&self, state: &State, effort: &Effort<'_>) -> Result<Attempt> {
        let start = (self.start)(&self.guide, state);
        let search = |width| {
            let limits = BeamLimits { width, levels: LEVELS, fanout: self.fanout };
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

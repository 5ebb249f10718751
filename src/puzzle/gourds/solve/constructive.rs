//! The constructive solvers: a method, several cycles, several solved placements, and the clean-up.
//!
//! A method needs a Hamiltonian cycle and a placement to go to. All cycles are tried with all
//! placements that come into question; the shortest few of the solutions are made
//! [shorter](super::cleanup), and the best of these is the answer.

use super::super::Gourds;
use super::super::rules::{Pairs, pairs_of};
use super::super::validity::improper;
use super::cleanup::Budget;
use super::goals::Goals;
use super::homes::{Distances, Homes};
use super::phases::{self, Sort};
use super::position::Position;
use super::ring::Ring;
use super::{cleanup, cycle, divide};
use crate::error::{Error, Result, usage};
use crate::puzzle::{Move, State};
use crate::solve::{Attempt, Effort, Prepared};

/// How a solution is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Method {
    /// Divide and conquer.
    Divide,
    /// Three phases, with whatever sort is shorter.
    Phases,
    /// Three phases, with one sort.
    Sorting(Sort),
}

/// So many solved placements of coloured gourds are tried.
const PLACEMENTS: usize = 8;
/// So many solutions are cleaned up.
const FINALISTS: usize = 3;
/// So many windows of them are searched in all; the first one has them first.
const WINDOWS: usize = 6000;
/// No more cycles than this are tried, whatever the user says.
const MOST_CYCLES: u64 = 1 << 10;

/// A constructive solver, ready.
pub(in super::super) struct Constructive<'a> {
    puzzle: &'a Gourds,
    method: Method,
    rings: Vec<Ring>,
    distances: Distances,
    goals: Goals,
}

impl<'a> Constructive<'a> {
    /// With so many cycles.
    pub fn new(puzzle: &'a Gourds, method: Method, cycles: u64) -> Result<Self> {
        let board = puzzle.board();
        if let Some(why) = improper(board) {
            return usage(format!(
                "the board is not proper ({why}), and only on proper boards gourds can be sorted on a \
                 cycle through all cells; the solver `optimal` may help"
            ));
        }
        let rings = cycle::several(board, cycles.clamp(1, MOST_CYCLES));
        if rings.is_empty() {
            return Err(Error::Limit(
                "no cycle through all cells was found, so this solver does not work here; the solver \
                 `optimal` may help"
                    .into(),
            ));
        }
        Ok(Constructive {
            puzzle,
            method,
            rings,
            distances: Distances::new(board),
            goals: Goals::of(puzzle),
        })
    }

    /// The solution with one cycle for one placement, as it is made.
    pub fn make(&self, ring: &Ring, start: &Pairs, target: &Pairs) -> Option<Vec<u8>> {
        let board = self.puzzle.board();
        let [start, target] = [start, target].map(|pairs| Position::distinct(board, pairs));
        let by = |sort| phases::solve(board, ring, &start, &target, sort);
        match self.method {
            Method::Divide => divide::solve(board, ring, &start, &target),
            Method::Sorting(sort) => Some(by(sort)?.way()),
            Method::Phases => {
                let both = [Sort::Insertion, Sort::Bubble].into_iter().filter_map(by);
                Some(both.min_by_key(phases::Phases::clicks)?.way())
            }
        }
    }

    /// The shortest solutions as they are made, shortest first, and whether the effort sufficed.
    pub fn drafts(&self, start: &Pairs, effort: &Effort<'_>) -> (Vec<Vec<u8>>, bool) {
        let targets = self
            .goals
            .nearest(self.puzzle, &self.distances, start, PLACEMENTS);
        let mut drafts = Vec::new();
        for target in &targets {
            for ring in &self.rings {
                if !drafts.is_empty() && effort.is_spent() {
                    return (drafts, false);
                }
                drafts.extend(self.make(ring, start, target));
                // Those that were found first come first among equally long ones.
                drafts.sort_by_key(Vec::len);
                drafts.truncate(FINALISTS);
            }
        }
        (drafts, true)
    }

    fn nothing(&self) -> Error {
        let why = match self.method {
            Method::Sorting(sort) => {
                let leaf = match sort {
                    Sort::Insertion => "four cells in a row whose ends are neighbours",
                    Sort::Bubble => "five cells in a row that form a trapezoid",
                };
                format!("none of the cycles that were tried has {leaf}; choose another solver")
            }
            _ => "the method failed; please report this".to_owned(),
        };
        Error::Limit(why)
    }
}

impl Prepared for Constructive<'_> {
    fn attempt(&self, state: &State, effort: &Effort<'_>) -> Result<Attempt> {
        let start = pairs_of(state);
        let board = self.puzzle.board();
        let kinds = &self.puzzle.kinds;
        if self.goals.placements.is_empty() {
            // The search for a solved placement was given up; the puzzle has warned of that.
            return Ok(Attempt {
                cut_short: true,
                ..Attempt::default()
            });
        }
        let at = Position::of_kinds(board, kinds, &start);
        let mut homes = Homes::new(&self.distances, kinds.len());
        if self.goals.complete {
            for goal in &self.goals.placements {
                homes.add(&Position::of_kinds(board, kinds, goal));
            }
        }
        let (drafts, mut done) = self.drafts(&start, effort);
        let mut best: Option<Vec<u8>> = None;
        let mut budget = Budget(WINDOWS);
        for draft in &drafts {
            let (way, whole) =
                cleanup::shorten(board, &self.distances, &at, draft, &mut budget, effort);
            done &= whole;
            if best.as_ref().is_none_or(|best| way.len() < best.len()) {
                best = Some(way);
            }
        }
        let best = best.ok_or_else(|| self.nothing())?;
        Ok(Attempt {
            moves: Some(best.into_iter().map(|cell| Move(cell.into())).collect()),
            bound: homes.bound(board, &at),
            cut_short: !done,
        })
    }
}

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
/// The windows that all of these are cleaned up with, and those for the best of them.
const WINDOWS: [&[usize]; 2] = [&[12], &[14, 16, 18, 20]];
/// How many positions may be expanded for each of both, and the memory for one window.
const EXPANSIONS: [u64; 2] = [200_000, 400_000];
const MEMORY: u64 = 2 << 20;
/// No more cycles than this are tried, whatever the user says.
const MOST_CYCLES: u64 = 1 << 10;

/// So many cycles are looked at to find some on which a sort works.
const LOOKED_AT: u64 = 64;

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
        let cycles = cycles.clamp(1, MOST_CYCLES);
        let rings = match method {
            // Not every cycle has a place to sort: more of them are looked at.
            Method::Sorting(sort) => {
                let mut rings = cycle::several(board, cycles.max(LOOKED_AT));
                rings.retain(|ring| sort.works(board, ring));
                rings.truncate(cycles as usize);
                rings
            }
            _ => cycle::several(board, cycles),
        };
        if rings.is_empty() {
            let what = match method {
                Method::Sorting(Sort::Insertion) => {
                    " with four cells in a row whose ends are neighbours"
                }
                Method::Sorting(Sort::Bubble) => " with five cells in a row that form a trapezoid",
                _ => "",
            };
            return Err(Error::Limit(format!(
                "no cycle through all cells{what} was found, so this solver does not work here; \
                 choose another one"
            )));
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
        let mut shorten = |way: &[u8], sizes, budget: &mut Budget| {
            let short = cleanup::shorten(board, &self.distances, &at, way, sizes, budget, effort);
            done &= short.1;
            short.0
        };
        let [mut budget, mut more] = EXPANSIONS.map(|expansions| Budget {
            expansions,
            memory: MEMORY,
        });
        for draft in &drafts {
            let way = shorten(draft, WINDOWS[0], &mut budget);
            if best.as_ref().is_none_or(|best| way.len() < best.len()) {
                best = Some(way);
            }
        }
        let best = best.map(|best| shorten(&best, WINDOWS[1], &mut more));
        let failed = "a method that always works failed; please report this";
        let best = best.ok_or_else(|| Error::Verification(failed.into()))?;
        Ok(Attempt {
            moves: Some(best.into_iter().map(|cell| Move(cell.into())).collect()),
            bound: homes.bound(board, &at),
            cut_short: !done,
        })
    }
}

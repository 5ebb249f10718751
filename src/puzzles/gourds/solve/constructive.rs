//! The constructive solvers: a method, several cycles, several solved placements, and the clean-up.
//!
//! A method needs a Hamiltonian cycle and a placement to go to. Cycles are tried in stages, with all
//! placements that come into question: one cycle, then those up to the fourth, up to the sixteenth and
//! so on. The shortest few solutions of a stage are made [shorter](super::cleanup), first with small
//! windows; large ones, which cost the most, go over the shortest of all so far. The shortest in the
//! end is the answer.
//!
//! Every stage is the same whatever comes after it. So a solver that tries more cycles does all that it
//! does with fewer, and then more: its solutions are never longer. For the same reason the method of
//! phases is never worse than one of its sorts: it does what both do, and takes the shorter solution.

use super::super::Gourds;
use super::super::board::HexBoard;
use super::super::rules::{Pairs, pairs_of};
use super::super::validity::improper;
use super::cleanup::{Cleanup, WindowBudget};
use super::goals::GoalPlacements;
use super::homes::{CellDistances, Homes};
use super::position::EndMap;
use super::ring::Ring;
use super::sorting::Sort;
use super::{cycle, divide, phases, region};
use crate::error::{Error, Result, usage};
use crate::puzzle::{Move, State};
use crate::solve::{Attempt, Effort, ReadySolver};

/// How a solution is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Method {
    Divide,
    /// Three phases, with each sort, whatever is shorter in the end.
    Phases,
    /// Three phases, with one sort.
    Sorting(Sort),
}

/// The most solved placements of coloured gourds that are tried.
const PLACEMENTS: usize = 8;
/// The most solutions of a stage that are cleaned up.
const FINALISTS: usize = 3;
/// The factor by which each stage multiplies the number of cycles that were tried.
const GROWTH: u64 = 4;
/// The windows that all of these are cleaned up with, and those for the best of them.
const WINDOWS: [&[usize]; 2] = [&[12], &[14, 16, 18, 20]];
/// How many positions may be expanded for each of both in the first stage, in the second, and in each
/// later one.
const EXPANSIONS: [[u64; 2]; 3] = [[50_000, 100_000], [100_000, 200_000], [200_000, 400_000]];
const MEMORY: u64 = 2 << 20;
/// The most cycles that the user may ask for.
const MOST_CYCLES: u64 = 1 << 10;

/// The number of cycles that are looked at to find some on which a sort works.
pub(super) const LOOKED_AT: u64 = 64;

/// Refuses boards on which gourds cannot be sorted.
pub(super) fn sortable(board: &HexBoard) -> Result<()> {
    match improper(board) {
        None => Ok(()),
        Some(why) => usage(format!(
            "the board is not proper ({why}), and only on proper boards gourds can be sorted on a \
             cycle through all cells; the solver `optimal` may help"
        )),
    }
}

/// There is no cycle with what is needed, or it was not found.
pub(super) fn no_cycle(needed: &str) -> Error {
    Error::limit(format!(
        "no cycle through all cells{needed} was found, so this solver does not work here; choose \
         another one"
    ))
}

/// A method that always works has not.
pub(super) fn failed() -> Error {
    Error::verification("a method that always works failed; please report this")
}

/// Clicks as moves of the puzzle.
pub(super) fn moves(clicks: Vec<u8>) -> Vec<Move> {
    clicks.into_iter().map(|cell| Move(cell.into())).collect()
}

/// One way to make solutions, and the cycles it is tried on.
struct MethodPlan {
    /// Three phases with this sort, or else divide and conquer.
    sort: Option<Sort>,
    rings: Vec<Ring>,
    /// How many of the cycles were tried after each stage.
    stages: Vec<usize>,
}

impl MethodPlan {
    /// With at most this number of cycles, all of which work.
    fn new(board: &HexBoard, sort: Option<Sort>, cycles: u64) -> MethodPlan {
        let of = |cycles: u64| {
            // Not every cycle has a place to sort: more of them are looked at.
            let looked_at = if sort.is_some() { cycles.max(LOOKED_AT) } else { cycles };
            let mut rings = cycle::several(board, looked_at);
            rings.retain(|ring| sort.is_none_or(|sort| sort.works(board, ring)));
            rings.truncate(cycles as usize);
            rings
        };
        let mut rings = Vec::new();
        let mut stages = Vec::new();
        let powers = std::iter::successors(Some(1), |&power| Some(power * GROWTH));
        for power in powers.take_while(|&power| power <= cycles) {
            // Those of the stages before come first.
            rings = of(power);
            stages.push(rings.len());
        }
        stages.dedup();
        MethodPlan { sort, rings, stages }
    }

    /// The solution with one cycle for one placement, as it is made.
    fn make(&self, board: &HexBoard, ring: &Ring, start: &Pairs, target: &Pairs) -> Option<Vec<u8>> {
        let [start, target] = [start, target].map(|pairs| EndMap::distinct(board, pairs));
        match self.sort {
            None => divide::solve(board, ring, &start, &target, region::MOST),
            Some(sort) => Some(phases::solve(board, ring, &start, &target, sort)?.all()),
        }
    }
}

/// A constructive solver, ready.
pub(in super::super) struct Constructive<'a> {
    puzzle: &'a Gourds,
    plans: Vec<MethodPlan>,
    distances: CellDistances,
    goals: GoalPlacements,
}

impl<'a> Constructive<'a> {
    /// With this number of cycles.
    pub fn new(puzzle: &'a Gourds, method: Method, cycles: u64) -> Result<Self> {
        let board = puzzle.board();
        if !(1..=MOST_CYCLES).contains(&cycles) {
            return usage(format!(
                "the number of cycles that are tried is one from 1 to {MOST_CYCLES}, not {cycles}"
            ));
        }
        sortable(board)?;
        let sorts = match method {
            Method::Divide => vec![None],
            Method::Phases => vec![Some(Sort::Insertion), Some(Sort::Bubble)],
            Method::Sorting(sort) => vec![Some(sort)],
        };
        let plans = sorts.into_iter().map(|sort| MethodPlan::new(board, sort, cycles));
        let plans: Vec<MethodPlan> = plans.filter(|plan| !plan.rings.is_empty()).collect();
        if plans.is_empty() {
            return Err(no_cycle(match method {
                Method::Sorting(sort) => sort.needs(),
                _ => "",
            }));
        }
        Ok(Constructive {
            puzzle,
            plans,
            distances: CellDistances::new(board),
            goals: GoalPlacements::of(puzzle),
        })
    }

    /// The shortest solution of a plan, and whether the effort sufficed.
    fn follow(
        &self,
        plan: &MethodPlan,
        start: &Pairs,
        targets: &[Pairs],
        effort: &Effort<'_>,
    ) -> (Option<Vec<u8>>, bool) {
        let board = self.puzzle.board();
        let at = EndMap::of_kinds(board, &self.puzzle.kinds, start);
        let cleanup = Cleanup::new(board, &self.distances, &at);
        let mut best: Option<Vec<u8>> = None;
        // After small windows.
        let mut least = usize::MAX;
        let mut tried = 0;
        for (stage, &until) in plan.stages.iter().enumerate() {
            if best.is_some() && effort.is_spent() {
                return (best, false);
            }
            let mut drafts: Vec<Vec<u8>> = Vec::new();
            let mut complete = true;
            let rings = plan.rings.iter().take(until).skip(tried);
            tried = until;
            for (ring, target) in rings.flat_map(|ring| targets.iter().map(move |to| (ring, to))) {
                if !drafts.is_empty() && effort.is_spent() {
                    complete = false;
                    break;
                }
                drafts.extend(plan.make(board, ring, start, target));
                // Those that were found first come first among equally long ones.
                drafts.sort_by_key(Vec::len);
                drafts.truncate(FINALISTS);
            }
            let [mut small, mut large] = EXPANSIONS[stage.min(EXPANSIONS.len() - 1)]
                .map(|expansions| WindowBudget { expansions, memory: MEMORY });
            let mut next = None;
            for draft in &drafts {
                let (way, all) = cleanup.shorten(draft, WINDOWS[0], &mut small, effort);
                complete &= all;
                if way.len() < least {
                    least = way.len();
                    next = Some(way);
                }
            }
            // If no other came out shorter, the best one may become shorter still.
            if let Some(way) = next.or_else(|| best.clone()) {
                let (way, all) = cleanup.shorten(&way, WINDOWS[1], &mut large, effort);
                complete &= all;
                best = [best, Some(way)].into_iter().flatten().min_by_key(Vec::len);
            }
            if !complete {
                return (best, false);
            }
        }
        (best, true)
    }
}

impl ReadySolver for Constructive<'_> {
    fn attempt(&self, state: &State, effort: &Effort<'_>) -> Result<Attempt> {
        let start = pairs_of(state);
        let board = self.puzzle.board();
        let kinds = &self.puzzle.kinds;
        if self.goals.placements.is_empty() {
            // The search for a solved placement was given up; the puzzle has warned of that.
            return Ok(Attempt { cut_short: true, ..Attempt::default() });
        }
        let at = EndMap::of_kinds(board, kinds, &start);
        let mut homes = Homes::new(&self.distances, kinds.len());
        let goals = self.goals.placements.iter().filter(|_| self.goals.complete);
        goals.for_each(|goal| homes.add(&EndMap::of_kinds(board, kinds, goal)));
        let targets = self.goals.nearest(self.puzzle, &self.distances, &start, PLACEMENTS);
        let mut done = true;
        let mut best: Option<Vec<u8>> = None;
        for plan in &self.plans {
            if best.is_some() && effort.is_spent() {
                done = false;
                break;
            }
            let (way, complete) = self.follow(plan, &start, &targets, effort);
            done &= complete;
            best = [best, way].into_iter().flatten().min_by_key(Vec::len);
        }
        Ok(Attempt {
            moves: Some(moves(best.ok_or_else(failed)?)),
            bound: homes.bound(&at),
            cut_short: !done,
        })
    }
}

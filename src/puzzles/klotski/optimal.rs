//! Shortest solutions from any layout, without an enumeration: [A*](crate::solve::astar) on the
//! numbers of layouts.
//!
//! Which goals can be reached is not known beforehand, so the search has one side only. Its
//! lower bound looks at the 2x2 block alone, as if nothing were in its way: in steps it needs as many as
//! the goal is rows and columns away, in slides one for the rows and one for the columns, and in moves
//! one. On a crowded board that hardly helps, but the components are small there; it is on wide
//! boards with a lot of room that it does.
//!
//! Two blind searches, `bfs` and `dfs`, are there to compare with: what they visit, and how long the solutions
//! are that they find.

use super::Klotski;
use super::numbering::RankedLayout;
use super::rules::{BIG, BlockMove, Metric};
use crate::error::Result;
use crate::puzzle::{Move, State};
use crate::solve::{
    Attempt, Effort, Keyed, ReadySolver, Search, Solver, Workbench, astar, depth_first, unsolvable,
};

/// The solver `optimal` of a puzzle.
pub(super) struct KlotskiOptimal<'a>(pub &'a Klotski);

impl Solver for KlotskiOptimal<'_> {
    fn name(&self) -> &'static str {
        "optimal"
    }

    fn promise(&self) -> String {
        format!(
            "a shortest solution of any layout, counted in {}s, or a proof that none exists, by a \
             search that needs no table; memory for the layouts that it visits",
            self.0.variant.metric.name()
        )
    }

    fn prepare<'a>(&'a self, _: &Workbench<'_>, _: Option<u64>) -> Result<Box<dyn ReadySolver + 'a>> {
        Ok(Box::new(KlotskiOptimal(self.0)))
    }
}

impl ReadySolver for KlotskiOptimal<'_> {
    fn attempt(&self, state: &State, effort: &Effort<'_>) -> Result<Attempt> {
        search(self.0, state, |layouts, start| astar::search(layouts, start, effort))
    }
}

/// A search that knows nothing of how far a layout is from the goal, to compare with.
pub(super) struct BlindSearch<'a> {
    puzzle: &'a Klotski,
    /// Whether it goes into the depth first.
    is_deep: bool,
}

impl<'a> BlindSearch<'a> {
    /// Breadth first.
    pub fn breadth(puzzle: &'a Klotski) -> Self {
        BlindSearch { puzzle, is_deep: false }
    }

    /// Depth first.
    pub fn depth(puzzle: &'a Klotski) -> Self {
        BlindSearch { puzzle, is_deep: true }
    }
}

impl Solver for BlindSearch<'_> {
    fn name(&self) -> &'static str {
        if self.is_deep { "dfs" } else { "bfs" }
    }

    fn promise(&self) -> String {
        match self.is_deep {
            true => {
                "some solution, usually a very long one, by a depth-first search that visits every layout \
                     at most once; to compare with"
                    .into()
            }
            false => format!(
                "a shortest solution, counted in {}s, by plain breadth-first search; to compare with",
                self.puzzle.variant.metric.name()
            ),
        }
    }

    fn prepare<'a>(&'a self, _: &Workbench<'_>, _: Option<u64>) -> Result<Box<dyn ReadySolver + 'a>> {
        Ok(Box::new(BlindSearch { puzzle: self.puzzle, is_deep: self.is_deep }))
    }
}

impl ReadySolver for BlindSearch<'_> {
    fn attempt(&self, state: &State, effort: &Effort<'_>) -> Result<Attempt> {
        search(self.puzzle, state, |layouts, start| match self.is_deep {
            true => depth_first::search(layouts, start, effort),
            false => astar::breadth_first(layouts, start, effort),
        })
    }
}

/// Searches from a state, and refuses one from which everything was visited in vain.
fn search(
    puzzle: &Klotski,
    state: &State,
    run: impl FnOnce(&Layouts<'_>, u64) -> Attempt,
) -> Result<Attempt> {
    let layouts = Layouts::new(puzzle, puzzle.variant.metric);
    let Some(start) = puzzle.number(&state.0) else {
        // Only a state of another puzzle.
        return unsolvable("its blocks are not those of this puzzle");
    };
    let attempt = run(&layouts, start);
    if attempt.moves.is_none() && !attempt.cut_short {
        return unsolvable(
            "all layouts that can be reached from it were visited, and the 2x2 block is at the goal in none of them",
        );
    }
    Ok(attempt)
}

/// Layouts by their numbers.
pub(super) struct Layouts<'a> {
    puzzle: &'a Klotski,
    metric: Metric,
    /// The bit at which the 2x2 block begins when the puzzle is solved.
    goal: usize,
}

impl<'a> Layouts<'a> {
    pub fn new(puzzle: &'a Klotski, metric: Metric) -> Self {
        let goal = puzzle.space.numbering.frame.bit(puzzle.board.goal);
        Layouts { puzzle, metric, goal }
    }

    /// How many rows and columns the 2x2 block of a layout is away from the goal.
    fn away(&self, number: u64) -> (usize, usize) {
        let blocks = self.puzzle.space.numbering.blocks(number);
        let at = blocks.0[usize::from(BIG)].trailing_zeros() as usize;
        ((at / 8).abs_diff(self.goal / 8), (at % 8).abs_diff(self.goal % 8))
    }

    /// Both together.
    pub fn distance(&self, number: u64) -> usize {
        let (rows, columns) = self.away(number);
        rows + columns
    }

    fn cell(&self, bit: usize) -> usize {
        bit / 8 * self.puzzle.board.columns + bit % 8
    }
}

impl Search for Layouts<'_> {
    type Node = u64;

    fn expand(&self, node: &u64, _: Option<Move>, mut visit: impl FnMut(Move, u64)) {
        let numbering = &self.puzzle.space.numbering;
        let mut side = RankedLayout::default();
        let blocks = numbering.open(*node, &mut side);
        numbering.frame.moves(self.metric, &blocks, |kind, from, to| {
            let shift = BlockMove { from: self.cell(from), to: self.cell(to) };
            visit(shift.into(), numbering.neighbour(&side, kind, from, to));
        });
    }

    fn bound(&self, node: &u64) -> u32 {
        let (rows, columns) = self.away(*node);
        match self.metric {
            Metric::Step => (rows + columns) as u32,
            Metric::Slide => u32::from(rows > 0) + u32::from(columns > 0),
            Metric::Move => u32::from(rows + columns > 0),
        }
    }

    fn is_solved(&self, node: &u64) -> bool {
        self.distance(*node) == 0
    }
}

impl Keyed for Layouts<'_> {
    type Key = u64;

    fn key(&self, node: &u64) -> u64 {
        *node
    }
}

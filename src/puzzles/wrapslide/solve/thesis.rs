//! The heuristic of G. van Zyl, "In Pursuit of God Numbers for the Puzzle Wrapslide" (Stellenbosch,
//! 2016), kept as the measure of other solvers.
//!
//! The *objective* of a board is the sum, over its first three quadrants, of the differences between
//! the colours of neighbouring cells in a quadrant. It is 0 if every colour fills whole quadrants.
//!
//! 1. From a board two trees are grown, one whose odd levels are reached by horizontal slides and even
//!    ones by vertical slides, the other the other way round. Each level keeps the boards of least
//!    objective, 3 in the first, 8 in the second and so on. From the best boards of a round the next
//!    round's trees are grown, until a board has objective 0.
//! 2. A board that is given is looked up in the first levels of the enumeration; if it is there, the way
//!    down the levels is the solution. When a round does not improve the objective, the boards that it
//!    started from, which have stopped improving, are looked up, too. (6x6 with two colours: as soon as a
//!    round finds the objective 2, its boards are.) If none of them is there, the rounds continue.
//!
//! The thesis gives the sizes for 6x6; they are used for the other boards as well. Which levels it had
//! stored is known for 6x6 with two colours only, the first eight; here it is eight wherever they fit.

use std::collections::HashSet;

use rustc_hash::FxBuildHasher;

use super::super::Wrapslide;
use super::super::rules::{Half, HalfSlide, WrapslideVariant};
use super::lanes::{Lanes, Slides, cells_of, is_goal, lanes};
use crate::error::Result;
use crate::puzzle::{Move, State};
use crate::solve::{Attempt, Effort, FirstLevels, Prepared, ReadySolver, Solver, Workbench};

/// How many boards each level of a tree keeps.
const KEPT: [usize; 8] = [3, 8, 13, 16, 25, 30, 40, 55];
/// It gives up after this many rounds.
const ROUNDS: usize = 100;

type Boards = HashSet<Lanes, FxBuildHasher>;

/// The solver.
pub(super) struct Thesis<'p>(pub &'p Wrapslide);

impl Solver for Thesis<'_> {
    fn name(&self) -> &'static str {
        "thesis"
    }

    fn promise(&self) -> String {
        let none = match (self.0.variant.size, self.0.variant.colours) {
            (8, 3 | 4) => "on this board mostly none",
            _ => "sometimes none",
        };
        format!("the two-component heuristic of the 2016 thesis, as a baseline: long solutions, and {none}")
    }

    fn is_helpful(&self) -> bool {
        self.0.variant.size < 8 || self.0.variant.colours == 2
    }

    fn prepare<'a>(&'a self, bench: &Workbench<'_>, _: Option<u64>) -> Prepared<'a> {
        let variant = &self.0.variant;
        let first = match (variant.size, variant.colours) {
            (8, 2) => Some(5),
            (8, _) => None,
            _ => Some(8),
        };
        let first = first.map(|last| FirstLevels::prepare(self.0, last, bench));
        let horizontal = |slide: &HalfSlide| matches!(slide.half, Half::Top | Half::Bottom);
        let (horizontal, vertical) = variant.slides().partition(horizontal);
        Ok(Box::new(ThesisRounds {
            puzzle: self.0,
            slides: Slides::new(variant.half()),
            directions: [horizontal, vertical],
            objective: Objective::new(variant),
            first: first.transpose()?,
            depth: 2 * variant.colours,
            best: 5 * variant.colours,
            at_once: if (variant.size, variant.colours) == (6, 2) { 2 } else { 0 },
        }))
    }
}

/// The heuristic, ready.
struct ThesisRounds<'p> {
    puzzle: &'p Wrapslide,
    slides: Slides,
    /// Horizontal and vertical slides.
    directions: [Vec<HalfSlide>; 2],
    objective: Objective,
    first: Option<FirstLevels>,
    /// Levels of a tree.
    depth: usize,
    /// How many boards of a round the next one starts from.
    best: usize,
    /// Boards with this objective or less are looked up at once.
    at_once: u32,
}

/// A board that was found, and how.
#[derive(Clone)]
struct ThesisBoard {
    objective: u32,
    board: Lanes,
    moves: Vec<Move>,
}

impl ReadySolver for ThesisRounds<'_> {
    fn attempt(&self, state: &State, effort: &Effort<'_>) -> Result<Attempt> {
        let board = lanes(&self.puzzle.variant, &state.0);
        let mut roots = vec![ThesisBoard { objective: self.objective.of(&board), board, moves: Vec::new() }];
        // A board that is among the stored levels needs no tree.
        let moves = self.finish(&roots);
        let mut attempt = Attempt { moves, bound: 1, cut_short: false };
        let mut used = Boards::default();
        for _ in 0..ROUNDS {
            if attempt.moves.is_some() {
                break;
            }
            if effort.is_spent() {
                attempt.cut_short = true;
                break;
            }
            used.extend(roots.iter().map(|root| root.board));
            let found = self.round(&roots, &used, effort);
            let objective = |boards: &[ThesisBoard]| boards.first().map_or(u32::MAX, |best| best.objective);
            let (before, least) = (objective(&roots), objective(&found));
            if least <= self.at_once {
                attempt.moves = self.finish(&found);
            } else if least >= before {
                // These are the boards that do not improve any more.
                attempt.moves = self.finish(&roots);
            }
            if found.is_empty() {
                break;
            }
            roots = found;
        }
        Ok(attempt)
    }
}

impl ThesisRounds<'_> {
    /// The best boards in the trees that grow from these roots, the best one first. From those that were
    /// used no tree is grown again, or rounds could run in circles.
    fn round(&self, roots: &[ThesisBoard], used: &Boards, effort: &Effort<'_>) -> Vec<ThesisBoard> {
        let mut found = Vec::new();
        for root in roots {
            for start in 0..2 {
                effort.visit(self.tree(root, start, &mut found));
            }
        }
        // Stable: among equals the shorter one, and then the one that was found first.
        found.sort_by_key(|found| (found.objective, found.moves.len()));
        let mut seen = Boards::default();
        found.retain(|found| !used.contains(&found.board) && seen.insert(found.board));
        found.truncate(self.best);
        found
    }

    /// Appends the boards that a tree keeps; `start` is the direction of its first level. Returns how many
    /// boards it expanded.
    fn tree(&self, root: &ThesisBoard, start: usize, found: &mut Vec<ThesisBoard>) -> u64 {
        let mut expanded = 0;
        let mut level = vec![root.clone()];
        for (depth, &kept) in KEPT.iter().take(self.depth).enumerate() {
            expanded += level.len() as u64;
            let mut next = Vec::new();
            let mut seen = Boards::default();
            for (parent, from) in level.iter().enumerate() {
                for &slide in &self.directions[(start + depth) % 2] {
                    let board = self.slides.slid(&from.board, slide);
                    if seen.insert(board) {
                        next.push((self.objective.of(&board), parent, slide, board));
                    }
                }
            }
            next.sort_by_key(|&(objective, ..)| objective);
            next.truncate(kept);
            let grown = next.into_iter().map(|(objective, parent, slide, board)| {
                let mut moves = level[parent].moves.clone();
                moves.push(slide.into());
                ThesisBoard { objective, board, moves }
            });
            level = grown.collect();
            found.extend(level.iter().cloned());
        }
        expanded
    }

    /// The shortest solution through one of these boards, if one is solved or in the first levels.
    fn finish(&self, found: &[ThesisBoard]) -> Option<Vec<Move>> {
        let known = found.iter().filter_map(|found| {
            let level = self.level(&found.board)?;
            Some((found.moves.len() + level as usize, level, found))
        });
        let (_, level, found) = known.min_by_key(|&(length, ..)| length)?;
        let (mut board, mut moves) = (found.board, found.moves.clone());
        for left in (0..level).rev() {
            let mut slides = self.puzzle.variant.slides();
            let (slide, after) = slides.find_map(|slide| {
                let after = self.slides.slid(&board, slide);
                (self.level(&after) == Some(left)).then_some((slide, after))
            })?;
            moves.push(slide.into());
            board = after;
        }
        Some(moves)
    }

    /// The level of a board, as far as it is known.
    fn level(&self, board: &Lanes) -> Option<u32> {
        match &self.first {
            Some(first) => first.get(self.puzzle.index_of_lanes(board)?),
            // Without stored levels: whether it is solved.
            None => is_goal(&self.puzzle.variant, board).then_some(0),
        }
    }
}

/// The objective, computed for all cells of a quadrant at once: two colours differ by as many steps as
/// there are colours that one of them reaches and the other does not.
pub(super) struct Objective {
    colours: usize,
    side: usize,
    /// The cells of a quadrant that have one to their right, and one below.
    beside: u16,
    below: u16,
}

impl Objective {
    pub fn new(variant: &WrapslideVariant) -> Self {
        let (side, cells) = (variant.half(), variant.quadrant());
        let all = ((1u32 << cells) - 1) as u16;
        let last_column = (0..side).fold(0, |set, row| set | 1 << (row * side));
        Objective {
            colours: variant.colours,
            side,
            beside: all & !last_column,
            below: all & !((1 << side) - 1),
        }
    }

    pub fn of(&self, board: &Lanes) -> u32 {
        let mut reached: [u16; 4] = [0; 4];
        let mut sum = 0;
        for colour in (1..self.colours).rev() {
            let cells = cells_of(board, colour);
            for (reached, cells) in reached.iter_mut().zip(cells) {
                *reached |= cells;
            }
            for set in &reached[..3] {
                sum += ((set ^ set << 1) & self.beside).count_ones();
                sum += ((set ^ set << self.side) & self.below).count_ones();
            }
        }
        sum
    }
}

//! `fast`: short solutions of boards of any size.
//!
//! 1. Rows and columns are solved from the outside in by a beam search, until at most three rows and
//!    three columns are left ([`beam`](super::beam), [`lines`](super::lines)).
//! 2. What is left is solved in the fewest moves, by a table of all its boards; among the boards that
//!    the beam ends with, the one is taken that is the shortest with that.
//! 3. Windows of the solution are searched for shorter ways ([`shorten`](super::shorten)).
//!
//! In the push metric straight runs of the solution become one move each.
//!
//! With a deadline, narrow beams go first, and the narrowest does not look at the clock: it takes
//! milliseconds. So there is always a solution, and wider beams replace it as long as there is time.

use super::super::rules::{TileSlide, TilesVariant};
use super::beam::LineBeam;
use super::board::{TileBoard, lower_bound};
use super::lines::SMALL;
use super::optimal::Additive;
use super::shorten::shorten;
use crate::error::{Alternative, Error, LimitKind, Result};
use crate::puzzle::{Arrow, Move, State};
use crate::solve::{Attempt, Effort, Prepared, ReadySolver, Search, Solver, Workbench, ida};
use crate::store::memory::HugeTable;

/// Boards that the beam keeps unless the user says otherwise.
const WIDTH: u64 = 128;

/// With a deadline, the beams that go before one that is wider.
const FIRST: [usize; 2] = [16, 128];

/// The widest beam.
const WIDEST: u64 = 1 << 20;

/// The solver.
pub(in crate::puzzles::tiles) struct TilesFast(pub TilesVariant);

impl Solver for TilesFast {
    fn name(&self) -> &'static str {
        "fast"
    }

    fn promise(&self) -> String {
        "a short solution in milliseconds on any board, about twice as long as the steps that the tiles \
         must go; the number is how many boards a beam search keeps"
            .into()
    }

    fn strength(&self) -> Option<u64> {
        Some(WIDTH)
    }

    fn prepare<'a>(&'a self, bench: &Workbench<'_>, strength: Option<u64>) -> Prepared<'a> {
        let variant = self.0;
        let width = strength.unwrap_or(WIDTH);
        if !(1..=WIDEST).contains(&width) {
            return Err(Error::Usage(format!(
                "the width of a beam is a number from 1 to {WIDEST}, not {width}"
            )));
        }
        let beam = LineBeam::new(variant);
        let small =
            TilesVariant { rows: variant.rows.min(SMALL), columns: variant.columns.min(SMALL), push: false };
        let tiles: Vec<u8> = (1..small.cells() as u8).collect();
        let end = Additive::new(small, &[tiles], |pattern| {
            let length = pattern.placements() as u64;
            bench.take("fast", length + beam.memory(), pattern.to_build() + beam.memory())?;
            HugeTable::of(&pattern.build(&bench.control)?)
        })?;
        Ok(Box::new(FastReady { variant, beam, width: width as usize, small, end }))
    }
}

/// The solver with its tables.
struct FastReady {
    variant: TilesVariant,
    beam: LineBeam,
    /// How many boards the beam keeps.
    width: usize,
    /// The part of the board that is solved last.
    small: TilesVariant,
    end: Additive,
}

impl FastReady {
    /// The part of the board that is solved last, as a board of its own.
    fn last_part(&self, board: &TileBoard) -> Vec<u8> {
        let columns = self.variant.columns;
        let (top, left) = (self.variant.rows - self.small.rows, columns - self.small.columns);
        let tile = |tile: u8| match usize::from(tile).checked_sub(1) {
            None => 0,
            Some(home) => {
                let (row, column) = (home / columns, home % columns);
                // Nothing else is here when all lines are solved.
                let home = row.saturating_sub(top) * self.small.columns + column.saturating_sub(left);
                home as u8 + 1
            }
        };
        let rows = (top..self.variant.rows).flat_map(|row| {
            let cells = row * columns + left..(row + 1) * columns;
            cells.map(|cell| tile(board.tiles[cell]))
        });
        rows.collect()
    }

    /// The directions in which tiles slide.
    fn directions(&self, start: &[u8], slides: &[u8]) -> Vec<Arrow> {
        let mut blank = TileBoard::new(start).blank();
        let mut directions = Vec::with_capacity(slides.len());
        for &from in slides {
            let is_it = |&direction: &Arrow| self.variant.blank_after(blank, direction) == Some(from.into());
            directions.extend(Arrow::ALL.into_iter().find(is_it));
            blank = from.into();
        }
        directions
    }

    /// Moves of the puzzle's metric.
    fn moves(&self, directions: &[Arrow]) -> Vec<Move> {
        let runs = directions.chunk_by(|a, b| self.variant.push && a == b);
        let slides = runs.map(|run| TileSlide { direction: run[0], tiles: run.len() });
        slides.map(Move::from).collect()
    }

    /// The cells from which tiles slide when the last part is solved.
    fn finish(&self, board: &mut TileBoard, effort: &Effort<'_>) -> Option<Vec<u8>> {
        let node = self.end.node(&self.last_part(board));
        let mut slides = Vec::new();
        for mv in ida::search(&self.end, node, effort).moves? {
            let direction = TileSlide::from_move(mv)?.direction;
            let from = self.variant.blank_after(board.blank(), direction)?;
            board.slide(from);
            slides.push(from as u8);
        }
        Some(slides)
    }

    /// Moves of a solution, found by a beam that keeps that many boards; `None` if the effort was spent.
    fn find(&self, start: &[u8], width: usize, effort: &Effort<'_>) -> Option<Vec<Move>> {
        let left = |board: &TileBoard| self.end.bound(&self.end.node(&self.last_part(board)));
        let mut found = self.beam.solve(start, width, left, |boards| {
            effort.visit(boards);
            effort.is_spent()
        })?;
        let rest = self.finish(&mut found.board, effort)?;
        found.slides.extend(rest);
        let slides = if self.is_small() { found.slides } else { shorten(&self.variant, start, found.slides) };
        Some(self.moves(&self.directions(start, &slides)))
    }

    /// Whether the last part is all, and its table has the moves of the puzzle.
    fn is_small(&self) -> bool {
        self.variant == self.small
    }
}

impl ReadySolver for FastReady {
    fn attempt(&self, state: &State, effort: &Effort<'_>) -> Result<Attempt> {
        super::check(&self.variant, state)?;
        let needed = self.beam.needed(self.width);
        if needed > effort.memory {
            return Err(Error::from(LimitKind::Memory {
                what: format!("each thread of `fast` with a beam of width {}", self.width),
                needed,
                allowed: effort.memory,
                or: Alternative::SmallerWidth,
            }));
        }
        let mut attempt = Attempt::default();
        let mut take = |found: Option<Vec<Move>>| {
            attempt.cut_short |= found.is_none();
            let length = |moves: &Option<Vec<Move>>| moves.as_ref().map_or(usize::MAX, Vec::len);
            if length(&found) < length(&attempt.moves) {
                attempt.moves = found;
            }
            attempt.cut_short
        };
        let narrow = FIRST.into_iter().filter(|&first| first < self.width);
        let widths = match effort.deadline {
            Some(_) if !self.is_small() => narrow.chain([self.width]).collect(),
            _ => vec![self.width],
        };
        for (number, width) in widths.into_iter().enumerate() {
            let patient =
                Effort { deadline: effort.deadline.filter(|_| number > 0 || width > FIRST[0]), ..*effort };
            if take(self.find(&state.0, width, &patient)) {
                break;
            }
        }
        attempt.bound = match &attempt.moves {
            // By the table of all boards.
            Some(moves) if self.is_small() => moves.len() as u32,
            _ => lower_bound(&self.variant, &state.0),
        };
        Ok(attempt)
    }
}

//! Additive pattern databases: how often the tiles of a group must move at least, whatever the other
//! tiles do.
//!
//! # What is counted
//! A *pattern* is a group of tiles; a *placement* of it says on which cells they are. The other tiles
//! are not distinguished, so the blank walks through them as it likes, and that costs nothing: only moves
//! of the group's own tiles are counted. A move of the puzzle moves one tile, and this belongs to one
//! group; so the counts of disjoint groups may be added, and their sum is still a lower bound.
//!
//! A table has one byte for each placement: the least count from there to the solved placement, for
//! the most favourable position of the blank.
//!
//! # How a table is built
//! Breadth first from the solved board, with the count as the level. Where the blank can go without
//! moving a tile of the group is a *region*, a set of connected cells; it is found by spreading a bit
//! mask over the free cells. A placement that is reached again with the blank in another region goes
//! on from there; so for each placement a mask remembers where the blank has been. A level is a list
//! of placements, each with a cell of the blank, and is worked through in parallel; only the first
//! to claim a region continues from it. Counts are fixed by the level, so the table is the same however
//! many threads built it.
//!
//! # The numbering
//! Cells of the tiles one after the other, each as its place among the cells that the tiles before it
//! left free: no number is wasted, and six tiles on sixteen cells are 5,765,760.

use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::super::rules::TilesVariant;
use crate::engine::Control;
use crate::error::{Error, Result};
use crate::puzzle::Arrow;

/// The most cells of a board with patterns: a cell is written in four bits.
pub(super) const MOST_CELLS: usize = 16;

/// In tables under construction: not reached. No placement needs that many moves.
pub(super) const UNREACHED: u8 = u8::MAX;

/// A level is worked through in pieces of about that many placements, and the stop flag is looked at
/// between them.
const PIECE: usize = 1 << 14;

/// Some tiles of a board, in a fixed order, and how their placements are numbered.
#[derive(Clone, Debug)]
pub(super) struct TilePattern {
    pub variant: TilesVariant,
    /// The tiles, by number; in the push metric the blank, 0, comes before them.
    pub items: Vec<u8>,
}

impl TilePattern {
    /// A pattern of different tiles of a board with at most [`MOST_CELLS`] cells.
    pub fn new(variant: TilesVariant, tiles: &[u8]) -> Self {
        let blank: &[u8] = if variant.push { &[0] } else { &[] };
        TilePattern { variant, items: [blank, tiles].concat() }
    }

    /// How many placements there are: the length of the table.
    pub fn placements(&self) -> usize {
        let cells = self.variant.cells();
        (0..self.items.len()).map(|item| cells - item).product()
    }

    /// Bytes that building its table is allowed, the table included: for each placement a byte for its
    /// count, two for the blank's cells unless that is in the pattern, and an allowance for the lists of
    /// two levels.
    pub fn to_build(&self) -> u64 {
        let bytes = if self.variant.push { 17 } else { 20 };
        bytes * self.placements() as u64 + (1 << 20)
    }

    /// A name for its table.
    pub fn name(&self) -> String {
        let items: Vec<String> = self.items.iter().map(u8::to_string).collect();
        let TilesVariant { rows, columns, push } = self.variant;
        format!("tiles-{rows}x{columns}{}-{}", if push { "-push" } else { "" }, items.join("-"))
    }

    /// The solved placement: where its tiles belong, four bits for each.
    fn solved(&self) -> u64 {
        let cells = self.items.iter().map(|&tile| u64::from(tile) - 1);
        cells.enumerate().fold(0, |all, (place, cell)| all | cell << (4 * place))
    }

    /// Counts for all placements.
    pub fn build(&self, control: &Control<'_>) -> Result<Vec<u8>> {
        if self.variant.push {
            return self.build_pushed(control);
        }
        let length = self.placements();
        let neighbours = Neighbours::new(&self.variant);
        let mut counts: Vec<AtomicU8> = Vec::new();
        counts.resize_with(length, || AtomicU8::new(UNREACHED));
        let mut reached: Vec<AtomicU16> = Vec::new();
        reached.resize_with(length, AtomicU16::default);
        let blank = self.variant.cells() as u8 - 1;
        let start = BlankPlacement::new(self.solved(), blank);
        level_by_level(start, control, |state, count, next| {
            self.visit(state, count, &neighbours, &counts, &reached, next);
        })?;
        Ok(counts.into_iter().map(AtomicU8::into_inner).collect())
    }

    /// Claims the region of the blank, and continues from there by moving tiles of the group into it.
    fn visit(
        &self,
        state: BlankPlacement,
        count: u8,
        neighbours: &Neighbours,
        counts: &[AtomicU8],
        reached: &[AtomicU16],
        next: &mut Vec<BlankPlacement>,
    ) {
        let cells = self.variant.cells();
        let tiles = self.items.len();
        let taken = (0..tiles).fold(0u16, |all, tile| all | 1u16 << (state.cells() >> (4 * tile) & 15));
        let region = neighbours.flood(1 << state.blank(), !taken);
        let number = rank(state.cells(), tiles, cells);
        let before = reached[number].fetch_or(region, Relaxed);
        if before & region != 0 {
            return;
        }
        counts[number].fetch_min(count, Relaxed);
        for tile in 0..tiles {
            let from = state.cells() >> (4 * tile) & 15;
            let mut targets = neighbours.of[from as usize] & region;
            while targets != 0 {
                let to = u64::from(targets.trailing_zeros());
                targets &= targets - 1;
                let moved = state.cells() ^ (from ^ to) << (4 * tile);
                let number = rank(moved, tiles, cells);
                if reached[number].load(Relaxed) >> from & 1 == 0 {
                    next.push(BlankPlacement::new(moved, from as u8));
                }
            }
        }
    }
}

/// Visits a state, then those that its visit found, and so on; a visit gets the number of its level.
///
/// A level is a list of pieces, all of one size. A piece that has been worked through is filled again with
/// what is found, so that both levels together take little more than the larger one, and the allocator
/// has nothing to scatter.
pub(super) fn level_by_level<T: Copy + Send + Sync>(
    start: T,
    control: &Control<'_>,
    visit: impl Fn(T, u8, &mut Vec<T>) + Sync,
) -> Result<()> {
    let pieces = LevelPieces::default();
    let mut first = pieces.open();
    first.push(start);
    let mut level = vec![first];
    let mut count = 0;
    while !level.is_empty() {
        level.into_par_iter().for_each(|piece| {
            let mut next = pieces.open();
            if !control.stopped() {
                for &state in &piece {
                    visit(state, count, &mut next);
                    if next.len() >= PIECE {
                        pieces.put(next);
                        next = pieces.open();
                    }
                }
            }
            pieces.put(next);
            pieces.reuse(piece);
        });
        if control.stopped() {
            return Err(Error::interrupted(
                "stopped while a table was built; the same command begins it again",
            ));
        }
        level = pieces.all();
        count += 1;
    }
    Ok(())
}

/// The pieces of a level that is being found, and empty ones.
struct LevelPieces<T> {
    full: Mutex<Vec<Vec<T>>>,
    /// There is still room in these, if not everywhere.
    open: Mutex<Vec<Vec<T>>>,
}

impl<T> Default for LevelPieces<T> {
    fn default() -> Self {
        LevelPieces { full: Mutex::default(), open: Mutex::default() }
    }
}

impl<T> LevelPieces<T> {
    /// A piece with room.
    fn open(&self) -> Vec<T> {
        let piece = locked(&self.open).pop();
        // What one visit finds beyond a full piece has room, too.
        piece.unwrap_or_else(|| Vec::with_capacity(PIECE + PIECE / 16))
    }

    /// A piece with something more in it.
    fn put(&self, piece: Vec<T>) {
        let place = if piece.len() < PIECE { &self.open } else { &self.full };
        locked(place).push(piece);
    }

    /// A piece that is not needed any more. Those that are partly filled come first.
    fn reuse(&self, mut piece: Vec<T>) {
        piece.clear();
        locked(&self.open).insert(0, piece);
    }

    /// All that was found. What is empty stays for the next level.
    fn all(&self) -> Vec<Vec<T>> {
        let mut level = std::mem::take(&mut *locked(&self.full));
        let mut open = locked(&self.open);
        let some = open.extract_if(.., |piece| !piece.is_empty());
        level.extend(some);
        level
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A placement with a cell of the blank: four bits for each tile, and the highest four for the blank.
#[derive(Clone, Copy)]
struct BlankPlacement(u64);

impl BlankPlacement {
    fn new(cells: u64, blank: u8) -> Self {
        BlankPlacement(cells | u64::from(blank) << 60)
    }

    fn cells(self) -> u64 {
        self.0 & (u64::MAX >> 4)
    }

    fn blank(self) -> u64 {
        self.0 >> 60
    }
}

/// The number of a placement of `tiles` tiles on `cells` cells, four bits for each tile, the first
/// one lowest; higher bits are not looked at.
#[inline]
pub(super) fn rank(placement: u64, tiles: usize, cells: usize) -> usize {
    let mut used = 0u32;
    let mut number = 0;
    for tile in 0..tiles {
        let cell = (placement >> (4 * tile) & 15) as u32;
        let before = (used & ((1 << cell) - 1)).count_ones();
        number = number * (cells - tile) + (cell - before) as usize;
        used |= 1 << cell;
    }
    number
}

/// Which cells touch, as masks.
struct Neighbours {
    of: [u16; MOST_CELLS],
    all: u16,
    left_column: u16,
    right_column: u16,
    columns: usize,
}

impl Neighbours {
    fn new(variant: &TilesVariant) -> Self {
        let cells = variant.cells();
        let mut of = [0; MOST_CELLS];
        for (cell, mask) in of.iter_mut().enumerate().take(cells) {
            for direction in Arrow::ALL {
                if let Some(other) = variant.blank_after(cell, direction) {
                    *mask |= 1 << other;
                }
            }
        }
        let column = |column| {
            let rows = 0..variant.rows;
            rows.fold(0u16, |all, row| all | 1u16 << (row * variant.columns + column))
        };
        Neighbours {
            of,
            all: u16::MAX >> (MOST_CELLS - cells),
            left_column: column(0),
            right_column: column(variant.columns - 1),
            columns: variant.columns,
        }
    }

    /// The cells that are connected with `region` through free cells.
    fn flood(&self, mut region: u16, free: u16) -> u16 {
        let free = free & self.all;
        loop {
            let wider = region
                | (region & !self.right_column) << 1
                | (region & !self.left_column) >> 1
                | region << self.columns
                | region >> self.columns;
            let wider = wider & free;
            if wider == region {
                return region;
            }
            region = wider;
        }
    }
}

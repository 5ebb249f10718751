//! Shortest solutions where a move may push a whole line: IDA* with pattern databases that are not
//! added.
//!
//! A push may move tiles of several groups at once, so counts of different groups cannot be added. Here
//! a pattern is some tiles *and the blank*, every push counts, and the bound is the greatest of the
//! counts, on square boards also of the transposed position. Two pushes along the same row or column in
//! turn are one, or none: so after a push only pushes across it are tried.
//!
//! A table has one byte for each placement of blank and tiles, numbered as in
//! [`patterns`](super::patterns) with the blank first, and is built breadth first: a level is a list of
//! placements, worked through in parallel, and a placement belongs to the thread that claims it first.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::super::rules::{TileSlide, TilesVariant};
use super::super::transposition::mirrored;
use super::patterns::{MOST_CELLS, TilePattern, UNREACHED, level_by_level};
use crate::engine::Control;
use crate::error::Result;
use crate::puzzle::{Arrow, Move, State};
use crate::solve::{Attempt, Effort, ReadySolver, Search, ida};
use crate::store::memory::HugeTable;

/// Where the blank and all tiles are: four bits for each, the blank lowest.
type Places = u64;

/// With the blank.
impl TilePattern {
    /// The number of the placement that the pattern has on a board.
    #[inline]
    fn rank(&self, places: Places) -> usize {
        let cells = self.variant.cells();
        let mut used = 0u32;
        let mut number = 0;
        for (place, &item) in self.items.iter().enumerate() {
            let cell = (places >> (4 * item) & 15) as u32;
            let before = (used & ((1 << cell) - 1)).count_ones();
            number = number * (cells - place) + (cell - before) as usize;
            used |= 1 << cell;
        }
        number
    }

    /// Counts for all placements.
    pub fn build_pushed(&self, control: &Control<'_>) -> Result<Vec<u8>> {
        let cells = self.variant.cells();
        let mut counts: Vec<AtomicU8> = Vec::new();
        counts.resize_with(self.placements(), || AtomicU8::new(UNREACHED));
        // The tiles that are not in the pattern stay on cell 0, where they are not looked at.
        let home = |item: u8| (usize::from(item) + cells - 1) % cells;
        let solved = self.items.iter().fold(0, |places, &item| places | (home(item) as u64) << (4 * item));
        counts[self.rank(solved)].store(0, Relaxed);
        level_by_level(solved, control, |places, count, next| {
            self.expand(places, |after| {
                let entry = &counts[self.rank(after)];
                let claim = entry.compare_exchange(UNREACHED, count + 1, Relaxed, Relaxed);
                if claim.is_ok() {
                    next.push(after);
                }
            });
        })?;
        Ok(counts.into_iter().map(AtomicU8::into_inner).collect())
    }

    /// Calls `visit` with the placement after each push.
    fn expand(&self, places: Places, mut visit: impl FnMut(Places)) {
        let blank = (places & 15) as usize;
        for direction in Arrow::ALL {
            let mut after = places;
            let mut at = blank;
            while let Some(from) = self.variant.blank_after(at, direction) {
                let moves = |&&item: &&u8| item > 0 && (places >> (4 * item) & 15) as usize == from;
                if let Some(&item) = self.items.iter().find(moves) {
                    after ^= ((from ^ at) as u64) << (4 * item);
                }
                at = from;
                visit(after & !15 | at as u64);
            }
        }
    }
}

/// Positions of a board with their bounds.
pub(super) struct Pushes {
    variant: TilesVariant,
    patterns: Vec<(TilePattern, HugeTable)>,
    /// On square boards, the mirror image of each cell.
    mirror: Option<[u8; MOST_CELLS]>,
    solved: Places,
}

/// A position.
#[derive(Clone, Copy)]
pub(super) struct PushNode {
    /// The tile of each cell, four bits for each.
    board: u64,
    places: Places,
    /// The places on the transposed board.
    twin_places: Places,
    bound: u8,
}

impl Pushes {
    /// Takes a pattern for each group of tiles; `table` reads or builds its table.
    pub fn new(
        variant: TilesVariant,
        groups: &[Vec<u8>],
        mut table: impl FnMut(&TilePattern) -> Result<HugeTable>,
    ) -> Result<Self> {
        let mut patterns = Vec::new();
        for tiles in groups {
            let pattern = TilePattern::new(variant, tiles);
            let table = table(&pattern)?;
            patterns.push((pattern, table));
        }
        let mut mirror = [0; MOST_CELLS];
        for (cell, image) in mirror.iter_mut().enumerate().take(variant.cells()) {
            *image = mirrored(variant.columns, cell) as u8;
        }
        let mut pushes =
            Pushes { variant, patterns, mirror: variant.is_square().then_some(mirror), solved: 0 };
        pushes.solved = pushes.node(&variant.solved()).places;
        Ok(pushes)
    }

    /// The mirror image of a tile.
    fn twin(&self, mirror: &[u8; MOST_CELLS], tile: u64) -> u64 {
        match tile.checked_sub(1) {
            None => 0,
            Some(home) => u64::from(mirror[home as usize]) + 1,
        }
    }

    /// The position of a board.
    pub fn node(&self, board: &[u8]) -> PushNode {
        let mut node = PushNode { board: 0, places: 0, twin_places: 0, bound: 0 };
        for (cell, &tile) in board.iter().enumerate().take(MOST_CELLS) {
            let tile = u64::from(tile % MOST_CELLS as u8);
            node.board |= tile << (4 * cell);
            node.places |= (cell as u64) << (4 * tile);
            if let Some(mirror) = &self.mirror {
                node.twin_places |= u64::from(mirror[cell]) << (4 * self.twin(mirror, tile));
            }
        }
        self.set_bound(&mut node);
        node
    }

    #[inline]
    fn set_bound(&self, node: &mut PushNode) {
        let mut bound = 0;
        for (pattern, table) in &self.patterns {
            bound = bound.max(table[pattern.rank(node.places)]);
            if self.mirror.is_some() {
                bound = bound.max(table[pattern.rank(node.twin_places)]);
            }
        }
        node.bound = bound;
    }
}

impl Search for Pushes {
    type Node = PushNode;

    #[inline]
    fn expand(&self, node: &PushNode, last: Option<Move>, mut visit: impl FnMut(Move, PushNode)) {
        let last = last.and_then(TileSlide::from_move).map(|slide| slide.direction);
        for direction in Arrow::ALL {
            if last.is_some_and(|last| last == direction || last == direction.opposite()) {
                continue;
            }
            let mut after = *node;
            let mut blank = (node.places & 15) as usize;
            let mut tiles = 0;
            while let Some(from) = self.variant.blank_after(blank, direction) {
                let tile = after.board >> (4 * from) & 15;
                after.board ^= tile << (4 * from) | tile << (4 * blank);
                let way = (from ^ blank) as u64;
                after.places ^= way << (4 * tile) | way;
                if let Some(mirror) = &self.mirror {
                    let way = u64::from(mirror[from] ^ mirror[blank]);
                    after.twin_places ^= way << (4 * self.twin(mirror, tile)) | way;
                }
                blank = from;
                tiles += 1;
                self.set_bound(&mut after);
                visit(TileSlide { direction, tiles }.into(), after);
            }
        }
    }

    #[inline]
    fn bound(&self, node: &PushNode) -> u32 {
        node.bound.into()
    }

    #[inline]
    fn is_solved(&self, node: &PushNode) -> bool {
        node.places == self.solved
    }
}

impl ReadySolver for Pushes {
    fn attempt(&self, state: &State, effort: &Effort<'_>) -> Result<Attempt> {
        super::check(&self.variant, state)?;
        Ok(ida::search(self, self.node(&state.0), effort))
    }
}

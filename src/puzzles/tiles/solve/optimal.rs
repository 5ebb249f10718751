//! Shortest solutions: IDA* with additive pattern databases.
//!
//! The tiles are divided into groups, each with a table of how often its tiles must move at least
//! ([`patterns`](super::patterns)); the sum over the groups is the lower bound. A move changes the
//! placement of one group only, so a position carries the counts of all groups and looks one of
//! them up again.
//!
//! On square boards the transposed position is as far from being solved as the position itself, but
//! its tiles fall into other groups: the greater of both sums is the bound. Both have the parity of
//! the distance, as every move changes it; so the limit of IDA* grows by two, by itself.

use super::super::rules::{TileSlide, TilesVariant};
use super::super::transposition::mirrored;
use super::patterns::{MOST_CELLS, TilePattern, rank};
use crate::error::Result;
use crate::puzzle::{Arrow, Move, State};
use crate::solve::{Attempt, Effort, ReadySolver, Search, ida};
use crate::store::memory::HugeTable;

/// The most groups.
const MOST_GROUPS: usize = 4;

/// No cell.
const NONE: u8 = u8::MAX;

/// Positions of a board with their bounds, ready to be searched.
pub(super) struct Additive {
    variant: TilesVariant,
    cells: usize,
    groups: Vec<TileGroup>,
    /// For each cell of the blank and each direction: the cell of the tile that would travel.
    from: [[u8; 4]; MOST_CELLS],
    /// For each tile, by number less one: its place in the order of all groups.
    slots: [u8; MOST_CELLS],
    /// For each place in that order: the group.
    group: [u8; MOST_CELLS],
    /// On square boards, for each place in that order: the place of the mirrored tile.
    twins: Option<[u8; MOST_CELLS]>,
    /// The mirror image of each cell.
    mirror: [u8; MOST_CELLS],
    solved: u64,
}

struct TileGroup {
    /// The place of its first tile in the order of all groups.
    start: usize,
    tiles: usize,
    table: HugeTable,
}

/// A position, four bits for a cell or a tile.
#[derive(Clone, Copy, Default)]
pub(super) struct AdditiveNode {
    /// The tile of each cell, by its place in the order of all groups.
    board: u64,
    /// The cell of each tile.
    places: u64,
    /// The cell of each tile on the transposed board.
    twin_places: u64,
    counts: [u8; MOST_GROUPS],
    twin_counts: [u8; MOST_GROUPS],
    blank: u8,
    bound: u8,
}

impl Additive {
    /// Divides the tiles into groups; `table` reads or builds the table of each.
    pub fn new(
        variant: TilesVariant,
        groups: &[Vec<u8>],
        mut table: impl FnMut(&TilePattern) -> Result<HugeTable>,
    ) -> Result<Self> {
        let cells = variant.cells();
        let mut slots = [0; MOST_CELLS];
        let mut group = [0; MOST_CELLS];
        let mut ready: Vec<TileGroup> = Vec::new();
        let mut start = 0;
        for (number, tiles) in groups.iter().enumerate() {
            for (place, &tile) in (start..).zip(tiles) {
                slots[usize::from(tile) - 1] = place as u8;
                group[place] = number as u8;
            }
            ready.push(TileGroup {
                start,
                tiles: tiles.len(),
                table: table(&TilePattern::new(variant, tiles))?,
            });
            start += tiles.len();
        }
        let mut from = [[NONE; 4]; MOST_CELLS];
        let mut mirror = [0; MOST_CELLS];
        for cell in 0..cells {
            for direction in Arrow::ALL {
                if let Some(next) = variant.blank_after(cell, direction) {
                    from[cell][direction as usize] = next as u8;
                }
            }
            if variant.is_square() {
                mirror[cell] = mirrored(variant.rows, cell) as u8;
            }
        }
        let twins = variant.is_square().then(|| {
            let mut twins = [0; MOST_CELLS];
            for tile in 0..cells - 1 {
                twins[usize::from(slots[tile])] = slots[usize::from(mirror[tile])];
            }
            twins
        });
        let mut additive =
            Additive { variant, cells, groups: ready, from, slots, group, twins, mirror, solved: 0 };
        additive.solved = additive.node(&variant.solved()).places;
        Ok(additive)
    }

    /// The position of a board.
    pub fn node(&self, board: &[u8]) -> AdditiveNode {
        let mut node = AdditiveNode::default();
        for (cell, &tile) in board.iter().enumerate().take(self.cells) {
            let Some(tile) = tile.checked_sub(1) else {
                node.blank = cell as u8;
                continue;
            };
            let slot = self.slots[usize::from(tile) % MOST_CELLS];
            node.board |= u64::from(slot) << (4 * cell);
            node.places |= (cell as u64) << (4 * slot);
            if let Some(twins) = &self.twins {
                let twin = twins[usize::from(slot)];
                node.twin_places |= u64::from(self.mirror[cell]) << (4 * twin);
            }
        }
        for group in 0..self.groups.len() {
            node.counts[group] = self.count(group, node.places);
            if self.twins.is_some() {
                node.twin_counts[group] = self.count(group, node.twin_places);
            }
        }
        node.set_bound();
        node
    }

    #[inline]
    fn count(&self, group: usize, places: u64) -> u8 {
        let TileGroup { start, tiles, table } = &self.groups[group];
        table[rank(places >> (4 * start), *tiles, self.cells)]
    }
}

impl AdditiveNode {
    #[inline]
    fn set_bound(&mut self) {
        let sum = |counts: [u8; MOST_GROUPS]| counts.iter().sum::<u8>();
        self.bound = sum(self.counts).max(sum(self.twin_counts));
    }
}

impl Search for Additive {
    type Node = AdditiveNode;

    #[inline]
    fn expand(&self, node: &AdditiveNode, last: Option<Move>, mut visit: impl FnMut(Move, AdditiveNode)) {
        let undo = last.and_then(TileSlide::from_move).map(|slide| slide.direction.opposite());
        let blank = node.blank;
        for direction in Arrow::ALL {
            let from = self.from[usize::from(blank)][direction as usize];
            if from == NONE || Some(direction) == undo {
                continue;
            }
            let slot = node.board >> (4 * from) & 15;
            let mut after = *node;
            after.blank = from;
            after.board ^= slot << (4 * from) | slot << (4 * blank);
            after.places ^= u64::from(from ^ blank) << (4 * slot);
            let group = usize::from(self.group[slot as usize]);
            after.counts[group] = self.count(group, after.places);
            if let Some(twins) = &self.twins {
                let twin = twins[slot as usize];
                let way = self.mirror[usize::from(from)] ^ self.mirror[usize::from(blank)];
                after.twin_places ^= u64::from(way) << (4 * twin);
                let group = usize::from(self.group[usize::from(twin)]);
                after.twin_counts[group] = self.count(group, after.twin_places);
            }
            after.set_bound();
            visit(TileSlide { direction, tiles: 1 }.into(), after);
        }
    }

    #[inline]
    fn bound(&self, node: &AdditiveNode) -> u32 {
        node.bound.into()
    }

    #[inline]
    fn is_solved(&self, node: &AdditiveNode) -> bool {
        node.places == self.solved
    }
}

impl ReadySolver for Additive {
    fn attempt(&self, state: &State, effort: &Effort<'_>) -> Result<Attempt> {
        super::check(&self.variant, state)?;
        Ok(ida::search(self, self.node(&state.0), effort))
    }
}

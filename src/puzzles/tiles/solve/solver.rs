//! `optimal`: which tables are used on which board.
//!
//! On the fifteen puzzle the groups have six, six and three tiles. For all 100 of Korf's instances, one
//! core and tables ready, these partitions were compared:
//!
//! | groups (tiles) | bytes | positions | mean bound |
//! |---|---|---|---|
//! | 1 2 3 5 6 7 / 4 8 11 12 14 15 / 9 10 13 | 11.5 M | 33.1 M | 43.25 |
//! | 1 2 3 4 7 8 / 5 6 9 10 13 14 / 11 12 15 | 11.5 M | 49.7 M | 42.77 |
//! | 1 2 3 5 6 9 / 4 7 8 11 12 15 / 10 13 14 | 11.5 M | 61.0 M | 42.69 |
//! | 1 2 5 6 9 10 / 3 4 7 8 11 12 / 13 14 15 | 11.5 M | 70.4 M | 42.23 |
//! | 1 2 5 6 9 13 / 3 4 7 8 11 12 / 10 14 15 | 11.5 M | 106.5 M | 41.99 |
//! | 1 2 3 5 6 / 4 7 8 11 12 / 9 10 13 14 15 | 1.6 M | 237.4 M | 41.21 |
//!
//! Other boards are cut across their longer side, into groups of six tiles and what is left. With
//! little memory the groups are smaller.

use super::super::rules::TilesVariant;
use super::optimal::Additive;
use super::patterns::TilePattern;
use super::pushes::Pushes;
use crate::error::Result;
use crate::solve::cache::TableName;
use crate::solve::{Prepared, Solver, Workbench};
use crate::store::memory::HugeTable;

/// Version of the tables: of the numbering of placements and of what is counted.
const VERSION: u32 = 1;

/// The most tiles of a group.
const MOST_TILES: usize = 6;

/// The most tiles of a group with the least memory. The largest number of groups follows: four.
const LEAST_TILES: usize = 4;

/// The most tiles of a group where the blank is one more, on large boards.
const MOST_WITH_BLANK: usize = 5;

/// Boards are large with more cells than this.
const LARGE: usize = 12;

/// With that many cells or fewer all tiles are one group.
const FEW_CELLS: usize = 9;

/// The solver, for boards with at most 16 cells.
pub(in crate::puzzles::tiles) struct TilesOptimal(pub TilesVariant);

impl TilesOptimal {
    /// The groups of tiles, with at most that many tiles each.
    pub(super) fn groups(&self, most: usize) -> Vec<Vec<u8>> {
        let TilesVariant { rows, columns, push } = self.0;
        let cells = self.0.cells();
        let fifteen = rows == 4 && columns == 4;
        if fifteen && !push && most == MOST_TILES {
            return vec![vec![1, 2, 3, 5, 6, 7], vec![4, 8, 11, 12, 14, 15], vec![9, 10, 13]];
        }
        let most = match most {
            MOST_TILES if cells <= FEW_CELLS => cells,
            MOST_TILES if push && cells > LARGE => MOST_WITH_BLANK,
            _ => most,
        };
        if fifteen && most == 5 {
            return vec![vec![1, 2, 3, 5, 6], vec![4, 7, 8, 11, 12], vec![9, 10, 13, 14, 15]];
        }
        let mut tiles: Vec<u8> = (1..cells as u8).collect();
        if columns >= rows {
            tiles.sort_by_key(|&tile| ((usize::from(tile) - 1) % columns, tile));
        }
        tiles.chunks(most).map(<[u8]>::to_vec).collect()
    }

    /// The groups with the most tiles for which there is memory.
    pub(super) fn choose(&self, bench: &Workbench<'_>) -> Vec<Vec<u8>> {
        let fits = |groups: &Vec<Vec<u8>>| {
            let mut taken = 0;
            groups.iter().all(|tiles| {
                let pattern = TilePattern::new(self.0, tiles);
                let fits = taken + pattern.to_build() <= bench.free();
                taken += pattern.placements() as u64;
                fits
            })
        };
        let choices = (LEAST_TILES..=MOST_TILES).rev();
        // If none fits, the smallest is refused by the bench.
        choices.map(|most| self.groups(most)).find(fits).unwrap_or_else(|| self.groups(LEAST_TILES))
    }

    /// The solver for moves of one tile.
    pub(super) fn single(&self, groups: &[Vec<u8>], bench: &Workbench<'_>) -> Result<Additive> {
        Additive::new(self.0, groups, |pattern| table(pattern, bench))
    }

    /// The solver for pushes.
    pub(super) fn push(&self, groups: &[Vec<u8>], bench: &Workbench<'_>) -> Result<Pushes> {
        Pushes::new(self.0, groups, |pattern| table(pattern, bench))
    }
}

/// The table of a pattern, read or built.
fn table(pattern: &TilePattern, bench: &Workbench<'_>) -> Result<HugeTable> {
    let table = TableName {
        name: &pattern.name(),
        version: VERSION,
        length: pattern.placements(),
        to_build: pattern.to_build(),
    };
    bench.table(&table, || pattern.build(&bench.control))
}

impl Solver for TilesOptimal {
    fn name(&self) -> &'static str {
        "optimal"
    }

    fn promise(&self) -> String {
        let time = match (self.0.cells(), self.0.push) {
            (..=12, _) => "milliseconds",
            (_, false) if self.0.rows.min(self.0.columns) > 2 => "well under a second, mostly",
            _ => "seconds to minutes",
        };
        format!(
            "a shortest solution, by IDA* with pattern databases, in {time}; if none is found in time, the lower bound that it proved"
        )
    }

    fn prepare<'a>(&'a self, bench: &Workbench<'_>, _: Option<u64>) -> Prepared<'a> {
        let groups = self.choose(bench);
        Ok(match self.0.push {
            true => Box::new(self.push(&groups, bench)?),
            false => Box::new(self.single(&groups, bench)?),
        })
    }
}

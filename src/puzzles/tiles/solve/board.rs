//! Boards of any size while they are solved quickly, and a lower bound on their solutions.

use super::super::rules::TilesVariant;

/// The most cells of a board.
pub(super) const MOST: usize = 100;

/// A board that knows where each tile is.
#[derive(Clone, Copy)]
pub(super) struct TileBoard {
    /// The tile of each cell; 0 is the blank.
    pub tiles: [u8; MOST],
    /// The cell of each tile.
    pub places: [u8; MOST],
}

impl TileBoard {
    /// A board of the puzzle.
    pub fn new(tiles: &[u8]) -> Self {
        let mut board = TileBoard { tiles: [0; MOST], places: [0; MOST] };
        for (cell, &tile) in tiles.iter().enumerate().take(MOST) {
            board.tiles[cell] = tile;
            board.places[usize::from(tile) % MOST] = cell as u8;
        }
        board
    }

    /// Where the blank is.
    #[inline]
    pub fn blank(&self) -> usize {
        self.places[0].into()
    }

    /// Where a tile is.
    #[inline]
    pub fn place(&self, tile: usize) -> usize {
        self.places[tile].into()
    }

    /// Moves the tile on a cell beside the blank into it.
    #[inline]
    pub fn slide(&mut self, from: usize) {
        let blank = self.blank();
        let tile = self.tiles[from];
        self.tiles[blank] = tile;
        self.tiles[from] = 0;
        self.places[usize::from(tile)] = blank as u8;
        self.places[0] = from as u8;
    }
}

/// Steps between two cells of a board with that many columns.
#[inline]
pub(super) fn distance(columns: usize, a: usize, b: usize) -> usize {
    (a / columns).abs_diff(b / columns) + (a % columns).abs_diff(b % columns)
}

/// A number of moves that every solution needs: the way of each tile to its place, and two moves
/// more for each tile that has to leave its row or column to let others pass.
///
/// Of the tiles that are in their row already, those that stay need to be in order; the others leave
/// it and come back. So a row asks for two moves for each tile beyond the longest ascending sequence
/// (Hansson, Mayer and Yung 1992), and so does a column.
///
/// Where a move pushes a whole line, it may be worth as many of these moves as a line has tiles.
pub(super) fn lower_bound(variant: &TilesVariant, board: &[u8]) -> u32 {
    let TilesVariant { rows, columns, .. } = *variant;
    let home = |tile: u8| usize::from(tile).checked_sub(1);
    let ways = board.iter().enumerate();
    let mut moves: usize = ways.filter_map(|(cell, &tile)| Some(distance(columns, cell, home(tile)?))).sum();
    if variant.push {
        return moves.div_ceil(rows.max(columns) - 1) as u32;
    }
    for row in 0..rows {
        let homes = (0..columns).filter_map(|column| home(board[row * columns + column]));
        let own: Vec<usize> = homes.filter(|home| home / columns == row).collect();
        moves += 2 * (own.len() - longest_ascent(&own));
    }
    for column in 0..columns {
        let homes = (0..rows).filter_map(|row| home(board[row * columns + column]));
        let own: Vec<usize> = homes.filter(|home| home % columns == column).collect();
        moves += 2 * (own.len() - longest_ascent(&own));
    }
    moves as u32
}

/// The length of the longest ascending subsequence.
fn longest_ascent(items: &[usize]) -> usize {
    let mut ending: Vec<usize> = Vec::with_capacity(items.len());
    for (place, item) in items.iter().enumerate() {
        let before = items[..place].iter().zip(&ending);
        let longest = before.filter(|(other, _)| *other < item).map(|(_, &l)| l);
        ending.push(longest.max().unwrap_or(0) + 1);
    }
    ending.into_iter().max().unwrap_or(0)
}

//! The space of classes: index, neighbours, class sizes.
//!
//! # The index
//! A state is numbered by its tiles in reading order without the blank, and by the blank:
//! *index = rank x cells + cell of the blank*, where the rank is the tiles' lexicographic rank
//! among the orders that have the parity which the blank's row asks for. Every number below the
//! universe is a state that can be reached.
//!
//! Neighbours come without looking at a board:
//! - a horizontal move leaves the order of the tiles alone: the index changes by 1;
//! - a vertical move carries one tile over as many others as there are columns less one, which
//!   [`Carry`] does on the rank. From blank `b`, the tile below it comes from place `b + n - 1` of
//!   the order to place `b`; the tile above it from place `b - n` to place `b - 1`.
//!
//! States are expanded in blocks, sorted by the cell of the blank: what has the blank on one cell
//! has the same moves, through the same tables.
//!
//! # Square boards
//! Transposition makes classes of one or two states; the smaller index stands for the class. It
//! turns moves into moves, so the transposed neighbours of a state are the neighbours of the
//! transposed state. Only the state itself is transposed, and both are moved through the tables.

use super::rows::TileRows;
use super::rules::TilesVariant;
use super::transposition::{Transposition, mirrored, transposition};
use crate::encode::cpu::Cpu;
use crate::encode::permutation::{rank_with_parity, unrank_with_parity};
use crate::encode::{Carry, Divisor};
use crate::puzzle::Arrow;
use crate::puzzles::kernels::{self, SpaceKernels};
use crate::space::{Rows, Space};

/// The most cells of a board with an index.
const MOST_CELLS: usize = 16;

/// States that are expanded together: enough for long loops over the states of one blank.
const BLOCK: usize = 256;

/// The reachable states of one puzzle.
pub(super) struct TileSpace {
    variant: TilesVariant,
    cells: Divisor,
    universe: u64,
    fanout: usize,
    /// For each cell of the blank: what moving the tile below it up does to the rank.
    up: Vec<Option<Carry>>,
    /// For each cell of the blank: what moving the tile above it down does to the rank.
    down: Vec<Option<Carry>>,
    /// On square boards.
    transposition: Option<Transposition>,
    by_rows: Option<TileRows>,
}

/// Ranks of states that have the blank on the same cell, and on square boards the ranks of the
/// transposed states in the same order.
struct Ranks {
    own: [u64; BLOCK],
    mirrored: [u64; BLOCK],
}

impl Default for Ranks {
    fn default() -> Self {
        Ranks { own: [0; BLOCK], mirrored: [0; BLOCK] }
    }
}

impl TileSpace {
    /// Prepares the tables; `None` if the board has too many cells for an index.
    pub fn new(variant: TilesVariant) -> Option<Self> {
        let cells = variant.cells();
        if cells > MOST_CELLS {
            return None;
        }
        let n = variant.columns;
        let carry =
            |blank: usize, from: usize, to: usize| Carry::new(cells - 1, from, to, variant.parity(blank));
        let up = |blank| carry(blank, blank + n - 1, blank);
        let down = |blank| carry(blank, blank.checked_sub(n)?, blank - 1);
        let moves = |blank| Arrow::ALL.map(|direction| variant.most(blank, direction));
        let fanout = (0..cells).map(|blank| moves(blank).iter().sum()).max()?;
        let transposition = if variant.is_square() { Some(transposition(variant.rows)?) } else { None };
        Some(TileSpace {
            variant,
            cells: Divisor::new(cells as u64)?,
            universe: variant.states()?.try_into().ok()?,
            fanout,
            up: (0..cells).map(up).collect(),
            down: (0..cells).map(down).collect(),
            transposition,
            by_rows: TileRows::new(variant),
        })
    }

    /// The index of the class of a board that can be reached.
    pub fn index_of(&self, board: &[u8]) -> Option<u64> {
        let blank = self.variant.blank(board)?;
        let tiles: Vec<u8> = board.iter().filter_map(|tile| tile.checked_sub(1)).collect();
        let rank = u64::try_from(rank_with_parity(&tiles)?).ok()?;
        self.canonical(rank * self.cells.number() + blank as u64)
    }

    /// The canonical board of the class that `index` belongs to, if a state has that number.
    pub fn board_of(&self, index: u64) -> Option<Vec<u8>> {
        let (rank, blank) = self.cells.divide(self.canonical(index)?);
        let blank = blank as usize;
        let tiles = self.variant.cells() - 1;
        let order = unrank_with_parity(tiles, rank.into(), self.variant.parity(blank))?;
        let mut board: Vec<u8> = order.iter().map(|tile| tile + 1).collect();
        board.insert(blank, 0);
        Some(board)
    }

    /// Puts the ranks of up to [`BLOCK`] states in order of their blanks; returns where those of
    /// each blank start.
    #[inline(always)]
    fn sort_by_blank(&self, indices: &[u64], sorted: &mut Ranks) -> [usize; MOST_CELLS + 1] {
        let mut ranks = [0; BLOCK];
        let mut blanks = [0u8; BLOCK];
        let mut starts = [0; MOST_CELLS + 1];
        for (at, &index) in indices.iter().enumerate() {
            let (rank, blank) = self.cells.divide(index);
            ranks[at] = rank;
            blanks[at] = blank as u8;
            starts[blank as usize + 1] += 1;
        }
        for blank in 0..MOST_CELLS {
            starts[blank + 1] += starts[blank];
        }
        let mut next = starts;
        for (at, &index) in indices.iter().enumerate() {
            let place = &mut next[usize::from(blanks[at])];
            sorted.own[*place] = ranks[at];
            if let Some(transposed) = self.transposition {
                sorted.mirrored[*place] = self.cells.quotient(transposed(index));
            }
            *place += 1;
        }
        starts
    }

    /// Moves the tile beside the blank, which must exist, on states with the blank on one cell.
    #[inline(always)]
    fn slide(&self, blank: usize, direction: Arrow, ranks: &mut [u64]) {
        let carry = match direction {
            Arrow::Left | Arrow::Right => None,
            Arrow::Up => self.up[blank].as_ref(),
            Arrow::Down => self.down[blank].as_ref(),
        };
        if let Some(carry) = carry {
            carry.apply(ranks);
        }
    }

    /// Appends the neighbours of states with the blank on one cell.
    #[inline(always)]
    fn expand_alike(
        &self,
        blank: usize,
        own: &[u64],
        mirror: &[u64],
        moved: &mut Ranks,
        candidates: &mut Vec<u64>,
    ) {
        let variant = &self.variant;
        let cells = self.cells.number();
        for direction in Arrow::ALL {
            let moved_own = &mut moved.own[..own.len()];
            let moved_mirror = &mut moved.mirrored[..mirror.len()];
            moved_own.copy_from_slice(own);
            moved_mirror.copy_from_slice(mirror);
            let mut at = blank;
            for _ in 0..variant.most(blank, direction) {
                let Some(next) = variant.blank_after(at, direction) else {
                    break;
                };
                self.slide(at, direction, moved_own);
                let start = candidates.len();
                candidates.extend_from_slice(moved_own);
                let numbers = &mut candidates[start..];
                for number in numbers.iter_mut() {
                    *number = *number * cells + next as u64;
                }
                if self.transposition.is_some() {
                    let twin = mirrored(variant.rows, at);
                    self.slide(twin, direction.transposed(), moved_mirror);
                    let next = mirrored(variant.rows, next) as u64;
                    for (at, rank) in moved_mirror.iter().enumerate() {
                        numbers[at] = numbers[at].min(rank * cells + next);
                    }
                }
                at = next;
            }
        }
    }
}

impl SpaceKernels<u64> for TileSpace {
    #[inline(always)]
    fn expand_on<C: Cpu>(&self, _: C, batch: &[u64], candidates: &mut Vec<u64>) {
        candidates.reserve(batch.len() * self.fanout);
        let mut sorted = Ranks::default();
        let mut moved = Ranks::default();
        for indices in batch.chunks(BLOCK) {
            let starts = self.sort_by_blank(indices, &mut sorted);
            for blank in 0..self.variant.cells() {
                let alike = starts[blank]..starts[blank + 1];
                if alike.is_empty() {
                    continue;
                }
                let own = &sorted.own[alike.clone()];
                let mirror = match self.transposition {
                    Some(_) => &sorted.mirrored[alike],
                    None => &[],
                };
                self.expand_alike(blank, own, mirror, &mut moved, candidates);
            }
        }
    }

    #[inline(always)]
    fn states_on<C: Cpu>(&self, _: C, batch: &[u64]) -> u128 {
        let Some(transposed) = self.transposition else {
            return batch.len() as u128;
        };
        let mut states = 2 * batch.len() as u128;
        for &index in batch {
            // A state that is its own mirror image has the blank on the diagonal.
            let (_, blank) = self.cells.divide(index);
            let is_symmetric =
                mirrored(self.variant.rows, blank as usize) == blank as usize && transposed(index) == index;
            states -= u128::from(is_symmetric);
        }
        states
    }
}

impl Space<u64> for TileSpace {
    fn universe(&self) -> u64 {
        self.universe
    }

    fn roots(&self) -> Vec<u64> {
        self.index_of(&self.variant.solved()).into_iter().collect()
    }

    fn expand(&self, batch: &[u64], candidates: &mut Vec<u64>) {
        kernels::expand(self, batch, candidates);
    }

    fn fanout(&self) -> usize {
        self.fanout
    }

    fn states(&self, batch: &[u64]) -> u128 {
        kernels::states(self, batch)
    }

    fn canonical(&self, index: u64) -> Option<u64> {
        (index < self.universe).then(|| match self.transposition {
            Some(transposed) => index.min(transposed(index)),
            None => index,
        })
    }

    fn rows(&self) -> Option<&dyn Rows> {
        self.by_rows.as_ref().map(|rows| rows as &dyn Rows)
    }
}

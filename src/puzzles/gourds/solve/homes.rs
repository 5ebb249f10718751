//! A lower bound: how far the gourds are from their homes.
//!
//! One click moves one gourd, and each of its ends by one cell at most. So a gourd needs at least as
//! many clicks as the farther of its two ends has to go, as the crow flies over the board, and the sum
//! over all gourds is a lower bound that never drops by more than one in a click. Of gourds that are
//! alike any may go to any home of their kind; each counts the nearest.

use super::super::board::{HexBoard, cells_of};
use super::position::{EndMap, PLACES};

/// How far cells are from each other.
#[derive(Clone, Debug)]
pub(super) struct CellDistances(Vec<[u8; PLACES]>);

impl CellDistances {
    pub fn new(board: &HexBoard) -> CellDistances {
        let from = |cell: usize| {
            let mut distance = [u8::MAX; PLACES];
            let (mut reached, mut steps) = (1u64 << cell, 0);
            let mut rim = reached;
            while rim != 0 {
                cells_of(rim).for_each(|cell| distance[cell] = steps);
                let around = cells_of(rim).fold(0, |set, cell| set | board.neighbours(cell));
                rim = around & !reached;
                reached |= rim;
                steps += 1;
            }
            distance
        };
        CellDistances((0..board.size()).map(from).collect())
    }

    /// How many clicks a gourd needs from one pair of cells to another one, end by end.
    #[inline]
    pub fn between(&self, from: [u8; 2], to: [u8; 2]) -> u8 {
        let far = |end: usize| self.0[usize::from(from[end])][usize::from(to[end])];
        far(0).max(far(1))
    }
}

/// Where the gourds of every kind belong.
#[derive(Clone, Debug)]
pub(super) struct Homes<'a> {
    distances: &'a CellDistances,
    /// By kind: pairs of cells, that of its first end first. Kinds with equal ends have each pair in
    /// both orders.
    homes: Vec<Vec<[u8; 2]>>,
}

impl<'a> Homes<'a> {
    /// No homes yet for this number of kinds.
    pub fn new(distances: &'a CellDistances, kinds: usize) -> Self {
        Homes { distances, homes: vec![Vec::new(); kinds] }
    }

    /// The pairs that are covered in a position, each for the kind of its gourd.
    pub fn of(distances: &'a CellDistances, kinds: usize, at: &EndMap) -> Self {
        let mut homes = Homes::new(distances, kinds);
        homes.add(at);
        homes
    }

    /// Adds a home for a kind: the cell of its first end, then that of its second.
    pub fn allow(&mut self, kind: u8, home: [u8; 2]) {
        if let Some(homes) = self.homes.get_mut(usize::from(kind))
            && !homes.contains(&home)
        {
            homes.push(home);
        }
    }

    /// Adds the pairs that are covered in a position.
    pub fn add(&mut self, at: &EndMap) {
        for cell in at.gourds() {
            let (kind, [first, second]) = at.ends(cell);
            self.allow(kind, [first, second]);
            if at.code[usize::from(first)] == at.code[usize::from(second)] {
                self.allow(kind, [second, first]);
            }
        }
    }

    /// The bound for a gourd of a kind whose ends lie on these cells, the first one first.
    #[inline]
    pub fn of_kind(&self, kind: u8, ends: [u8; 2]) -> u32 {
        let homes = self.homes.get(usize::from(kind)).into_iter().flatten();
        let costs = homes.map(|&home| self.distances.between(ends, home));
        costs.min().map_or(0, u32::from)
    }

    /// The bound for the gourd that covers this cell.
    #[inline]
    pub fn of_gourd(&self, at: &EndMap, cell: u8) -> u32 {
        let (kind, ends) = at.ends(cell);
        self.of_kind(kind, ends)
    }

    /// The bound for a position.
    pub fn bound(&self, at: &EndMap) -> u32 {
        at.gourds().map(|cell| self.of_gourd(at, cell)).sum()
    }
}

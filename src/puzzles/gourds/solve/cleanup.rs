//! Making a solution shorter: no position twice, and no detour within a few clicks.
//!
//! Methods that always work make long ways round. First every loop is cut out: where a state comes up
//! again, all between is left out. Then a window goes over the solution. The way from its first state
//! to its last is searched for anew, from both ends at once, for one with fewer clicks. Only states
//! count that can lie on such a way: those for which the [bounds](super::homes) from both ends of the
//! window together leave room. After every gain the window goes back as far as it is long, because
//! what comes before may have become shorter, too.
//!
//! Larger windows gain much more: on the hexagon of 19 cells, three solutions of 189 clicks on average
//! came down to 117 with windows of 12 clicks, and to 69 with windows of 16 and 20 after them. They
//! also cost much more, but less so if smaller ones went first.
//!
//! States are those of the puzzle: gourds that are alike may change places.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rustc_hash::FxHashMap;

use super::super::board::{HexBoard, cells_of};
use super::homes::{CellDistances, Homes};
use super::packer::{Packed, PositionPacker};
use super::position::EndMap;
use crate::puzzle::Move;
use crate::solve::{Effort, Keyed, Search, bidirectional};

/// What the windows may cost, in numbers that do not depend on a clock.
pub(in super::super) struct WindowBudget {
    /// How many positions may be expanded in all; the window in which that ends is still finished.
    pub expansions: u64,
    /// Bytes that the search of one window may take.
    pub memory: u64,
}

/// The solution without what lies between equal states.
pub(in super::super) fn without_loops(board: &HexBoard, start: &EndMap, way: &[u8]) -> Vec<u8> {
    let mut path = vec![*start];
    let mut kept: Vec<u8> = Vec::new();
    let mut places = FxHashMap::from_iter([(*start, 0)]);
    let mut at = *start;
    for &cell in way {
        at.click(board, cell);
        match places.get(&at) {
            Some(&place) => {
                for left in path.drain(place + 1..) {
                    places.remove(&left);
                }
                kept.truncate(place);
            }
            None => {
                places.insert(at, path.len());
                path.push(at);
                kept.push(cell);
            }
        }
    }
    kept
}

/// The states that clicks lead through, without the first one.
fn states(board: &HexBoard, start: &EndMap, way: &[u8]) -> impl Iterator<Item = EndMap> {
    way.iter().scan(*start, |at, &cell| {
        at.click(board, cell);
        Some(*at)
    })
}

/// Makes the solutions of one start shorter. Positions have the codes of kinds.
pub(in super::super) struct Cleanup<'a> {
    packer: PositionPacker,
    distances: &'a CellDistances,
    start: EndMap,
}

impl<'a> Cleanup<'a> {
    pub fn new(board: &HexBoard, distances: &'a CellDistances, start: &EndMap) -> Self {
        Cleanup { packer: PositionPacker::new(board, start), distances, start: *start }
    }

    /// The clicks of a solution without detours in windows of these sizes, one size after the other,
    /// and whether the effort sufficed.
    pub fn shorten(
        &self,
        way: &[u8],
        sizes: &[usize],
        budget: &mut WindowBudget,
        effort: &Effort<'_>,
    ) -> (Vec<u8>, bool) {
        let board = &self.packer.board;
        let mut way = without_loops(board, &self.start, way);
        let mut path = vec![self.start];
        path.extend(states(board, &self.start, &way));
        let done = sizes.iter().all(|&size| match board.gourds() {
            0..8 => self.pass::<8>(&mut path, &mut way, size, budget, effort),
            8..16 => self.pass::<16>(&mut path, &mut way, size, budget, effort),
            _ => self.pass::<32>(&mut path, &mut way, size, budget, effort),
        });
        (way, done)
    }

    /// Lets a window of a size go over the solution; `false` if the effort is spent.
    fn pass<const L: usize>(
        &self,
        path: &mut Vec<EndMap>,
        way: &mut Vec<u8>,
        size: usize,
        budget: &mut WindowBudget,
        effort: &Effort<'_>,
    ) -> bool {
        let stride = size / 4;
        let mut first = 0;
        while first + 2 < path.len() && budget.expansions > 0 {
            if effort.is_spent() {
                return false;
            }
            let last = (first + size).min(path.len() - 1);
            let Some(better) = self.between::<L>(&path[first..=last], budget, effort) else {
                first += stride;
                continue;
            };
            let states: Vec<EndMap> = states(&self.packer.board, &path[first], &better).collect();
            path.splice(first + 1..=last, states);
            way.splice(first..last, better);
            first = first.saturating_sub(size - stride);
        }
        true
    }

    /// A way with fewer clicks from the first of some states to the last.
    fn between<const L: usize>(
        &self,
        path: &[EndMap],
        budget: &mut WindowBudget,
        effort: &Effort<'_>,
    ) -> Option<Vec<u8>> {
        let (from, to) = (path.first()?, path.last()?);
        let most = path.len().checked_sub(2)? as u32;
        let corridor = Corridor::<L> {
            packer: &self.packer,
            ends: [from, to].map(|end| Homes::of(self.distances, self.packer.board.gourds(), end)),
            most,
            expansions: AtomicU64::new(0),
        };
        let [from, to] = [from, to].map(|end| corridor.node(end));
        if from.bounds[1] > most {
            return None;
        }
        let effort = Effort { memory: budget.memory.min(effort.memory), ..*effort };
        let found = bidirectional::search_up_to(&corridor, from, [to], most, &effort);
        let used = corridor.expansions.load(Relaxed);
        budget.expansions = budget.expansions.saturating_sub(used);
        Some(found.moves?.into_iter().map(|mv| mv.0 as u8).collect())
    }
}

/// The states on ways between two ends with at most `most` clicks.
struct Corridor<'a, const L: usize> {
    packer: &'a PositionPacker,
    ends: [Homes<'a>; 2],
    most: u32,
    /// How many states were expanded.
    expansions: AtomicU64,
}

/// A state and its bounds to both ends.
#[derive(Clone, Copy)]
struct CorridorNode<const L: usize> {
    packed: Packed<L>,
    bounds: [u32; 2],
}

impl<const L: usize> Corridor<'_, L> {
    fn node(&self, at: &EndMap) -> CorridorNode<L> {
        let bounds = self.ends.each_ref().map(|end| end.bound(at));
        CorridorNode { packed: self.packer.pack(at), bounds }
    }
}

impl<const L: usize> Search for Corridor<'_, L> {
    type Node = CorridorNode<L>;

    fn expand(&self, node: &CorridorNode<L>, _: Option<Move>, mut visit: impl FnMut(Move, CorridorNode<L>)) {
        self.expansions.fetch_add(1, Relaxed);
        let board = &self.packer.board;
        let at = self.packer.unpack(&node.packed);
        for cell in cells_of(board.neighbours(at.hole.into())) {
            let mut after = at;
            after.click(board, cell as u8);
            let bounds = [0, 1].map(|end| {
                let homes = &self.ends[end];
                let before = homes.of_gourd(&at, cell as u8);
                node.bounds[end] + homes.of_gourd(&after, at.hole) - before
            });
            if bounds[0] + bounds[1] <= self.most {
                let packed = self.packer.pack(&after);
                visit(Move(cell as u32), CorridorNode { packed, bounds });
            }
        }
    }

    fn bound(&self, node: &CorridorNode<L>) -> u32 {
        node.bounds[1]
    }

    fn is_solved(&self, node: &CorridorNode<L>) -> bool {
        node.bounds[1] == 0
    }
}

impl<const L: usize> Keyed for Corridor<'_, L> {
    type Key = Packed<L>;

    fn key(&self, node: &CorridorNode<L>) -> Packed<L> {
        node.packed
    }
}

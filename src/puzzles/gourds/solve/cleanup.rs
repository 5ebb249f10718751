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

use super::super::board::{Board, cells_of};
use super::homes::{Distances, Homes};
use super::position::Position;
use super::words::{Word, Words};
use crate::puzzle::Move;
use crate::solve::{Effort, Keyed, Search, bidirectional};

/// What the windows may cost, in numbers that do not depend on a clock.
pub(in super::super) struct Budget {
    /// How many positions may be expanded in all; the window in which that ends is still finished.
    pub expansions: u64,
    /// Bytes that the search of one window may take.
    pub memory: u64,
}

/// The clicks of a solution without detours in windows of these sizes, one size after the other, and
/// whether the effort sufficed. Positions have the codes of kinds.
pub(in super::super) fn shorten(
    board: &Board,
    distances: &Distances,
    start: &Position,
    way: &[u8],
    sizes: &[usize],
    budget: &mut Budget,
    effort: &Effort<'_>,
) -> (Vec<u8>, bool) {
    let mut way = without_loops(board, start, way);
    let sizes = sizes.iter();
    let whole = match board.gourds() {
        0..8 => {
            let cleanup = Cleanup::<8>::new(board, distances, start);
            cleanup.passes(start, &mut way, sizes, budget, effort)
        }
        8..16 => {
            let cleanup = Cleanup::<16>::new(board, distances, start);
            cleanup.passes(start, &mut way, sizes, budget, effort)
        }
        _ => {
            let cleanup = Cleanup::<32>::new(board, distances, start);
            cleanup.passes(start, &mut way, sizes, budget, effort)
        }
    };
    (way, whole)
}

/// The solution without what lies between equal states.
pub(in super::super) fn without_loops(board: &Board, start: &Position, way: &[u8]) -> Vec<u8> {
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
fn states(board: &Board, start: &Position, way: &[u8]) -> impl Iterator<Item = Position> {
    way.iter().scan(*start, |at, &cell| {
        at.click(board, cell);
        Some(*at)
    })
}

struct Cleanup<'a, const L: usize> {
    words: Words,
    distances: &'a Distances,
    kinds: usize,
}

impl<'a, const L: usize> Cleanup<'a, L> {
    fn new(board: &Board, distances: &'a Distances, start: &Position) -> Self {
        Cleanup {
            words: Words::new(board, start),
            distances,
            kinds: board.gourds(),
        }
    }

    /// Lets windows go over the solution; `false` if the effort is spent.
    fn passes<'s>(
        &self,
        start: &Position,
        way: &mut Vec<u8>,
        mut sizes: impl Iterator<Item = &'s usize>,
        budget: &mut Budget,
        effort: &Effort<'_>,
    ) -> bool {
        let mut path = vec![*start];
        path.extend(states(&self.words.board, start, way));
        sizes.all(|&size| self.pass(&mut path, way, size, budget, effort))
    }

    /// Lets a window of a size go over the solution; `false` if the effort is spent.
    fn pass(
        &self,
        path: &mut Vec<Position>,
        way: &mut Vec<u8>,
        size: usize,
        budget: &mut Budget,
        effort: &Effort<'_>,
    ) -> bool {
        let stride = size / 4;
        let mut first = 0;
        while first + 2 < path.len() && budget.expansions > 0 {
            if effort.is_spent() {
                return false;
            }
            let last = (first + size).min(path.len() - 1);
            let Some(better) = self.between(&path[first..=last], budget, effort) else {
                first += stride;
                continue;
            };
            let states: Vec<Position> = states(&self.words.board, &path[first], &better).collect();
            path.splice(first + 1..=last, states);
            way.splice(first..last, better);
            first = first.saturating_sub(size - stride);
        }
        true
    }

    /// A way with fewer clicks from the first of some states to the last.
    fn between(
        &self,
        path: &[Position],
        budget: &mut Budget,
        effort: &Effort<'_>,
    ) -> Option<Vec<u8>> {
        let (from, to) = (path.first()?, path.last()?);
        let most = path.len().checked_sub(2)? as u32;
        let corridor = Corridor::<L> {
            words: &self.words,
            ends: [from, to].map(|end| Homes::of(self.distances, self.kinds, end)),
            most,
            expansions: AtomicU64::new(0),
        };
        let [from, to] = [from, to].map(|end| corridor.node(end));
        if from.bounds[1] > most {
            return None;
        }
        let effort = Effort {
            memory: budget.memory.min(effort.memory),
            ..*effort
        };
        let found = bidirectional::search_up_to(&corridor, from, [to], most, &effort);
        let used = corridor.expansions.load(Relaxed);
        budget.expansions = budget.expansions.saturating_sub(used);
        Some(found.moves?.into_iter().map(|mv| mv.0 as u8).collect())
    }
}

/// The states on ways between two ends with at most so many clicks.
struct Corridor<'a, const L: usize> {
    words: &'a Words,
    ends: [Homes<'a>; 2],
    most: u32,
    /// How many states were expanded.
    expansions: AtomicU64,
}

/// A state and its bounds to both ends.
#[derive(Clone, Copy)]
struct Node<const L: usize> {
    word: Word<L>,
    bounds: [u32; 2],
}

impl<const L: usize> Corridor<'_, L> {
    fn node(&self, at: &Position) -> Node<L> {
        let board = &self.words.board;
        Node {
            word: self.words.pack(at),
            bounds: self.ends.each_ref().map(|end| end.bound(board, at)),
        }
    }
}

impl<const L: usize> Search for Corridor<'_, L> {
    type Node = Node<L>;

    fn expand(&self, node: &Node<L>, _: Option<Move>, mut visit: impl FnMut(Move, Node<L>)) {
        self.expansions.fetch_add(1, Relaxed);
        let board = &self.words.board;
        let at = self.words.unpack(&node.word);
        for cell in cells_of(board.neighbours(at.hole.into())) {
            let mut after = at;
            after.click(board, cell as u8);
            let bounds = [0, 1].map(|end| {
                let homes: &Homes<'_> = &self.ends[end];
                let before = homes.of_gourd(&at, cell as u8);
                node.bounds[end] + homes.of_gourd(&after, at.hole) - before
            });
            if bounds[0] + bounds[1] <= self.most {
                let word = self.words.pack(&after);
                visit(Move(cell as u32), Node { word, bounds });
            }
        }
    }

    fn bound(&self, node: &Node<L>) -> u32 {
        node.bounds[1]
    }

    fn is_solved(&self, node: &Node<L>) -> bool {
        node.bounds[1] == 0
    }
}

impl<const L: usize> Keyed for Corridor<'_, L> {
    type Key = Word<L>;

    fn key(&self, node: &Node<L>) -> Word<L> {
        node.word
    }
}

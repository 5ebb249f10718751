//! Making a solution shorter: no position twice, and no detour within a few clicks.
//!
//! Methods that always work make long ways round. First every loop is cut out: where a state comes up
//! again, all between is left out. Then a window goes over the solution. The way from its first state
//! to its last is searched for anew, from both ends at once, for one with fewer clicks. Only states
//! count that can lie on such a way: those for which the [bounds](super::homes) from both ends of the
//! window together leave room. After every gain the window goes back as far as it is long, because
//! what comes before may have become shorter, too.
//!
//! States are those of the puzzle: gourds that are alike may change places.

use rustc_hash::FxHashMap;

use super::super::board::{Board, cells_of};
use super::homes::{Distances, Homes};
use super::position::Position;
use super::words::{Word, Words};
use crate::puzzle::Move;
use crate::solve::{Effort, Keyed, Search, bidirectional};

/// Clicks in a window: first small windows everywhere, then larger ones.
const SIZES: [usize; 2] = [12, 20];
/// Bytes that the search of one window may take.
const MEMORY: u64 = 4 << 20;

/// How many windows may be searched: a bound on the time for very long solutions that does not depend
/// on a clock.
pub(in super::super) struct Budget(pub usize);

/// The clicks of a solution without detours, and whether the effort sufficed for all windows.
/// Positions have the codes of kinds.
pub(in super::super) fn shorten(
    board: &Board,
    distances: &Distances,
    start: &Position,
    way: &[u8],
    budget: &mut Budget,
    effort: &Effort<'_>,
) -> (Vec<u8>, bool) {
    match board.gourds() {
        0..8 => Cleanup::<8>::new(board, distances, start).shorten(start, way, budget, effort),
        8..16 => Cleanup::<16>::new(board, distances, start).shorten(start, way, budget, effort),
        _ => Cleanup::<32>::new(board, distances, start).shorten(start, way, budget, effort),
    }
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

    fn shorten(
        &self,
        start: &Position,
        way: &[u8],
        budget: &mut Budget,
        effort: &Effort<'_>,
    ) -> (Vec<u8>, bool) {
        let board = &self.words.board;
        let mut way = without_loops(board, start, way);
        let mut path = vec![*start];
        path.extend(states(board, start, &way));
        for size in SIZES {
            if !self.pass(&mut path, &mut way, size, budget, effort) {
                return (way, false);
            }
        }
        (way, true)
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
        while first + 2 < path.len() && budget.0 > 0 {
            if effort.is_spent() {
                return false;
            }
            budget.0 -= 1;
            let last = (first + size).min(path.len() - 1);
            let Some(better) = self.between(&path[first], &path[last], last - first, effort) else {
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

    /// A way with fewer clicks than there are now.
    fn between(
        &self,
        from: &Position,
        to: &Position,
        now: usize,
        effort: &Effort<'_>,
    ) -> Option<Vec<u8>> {
        let most = (now - 1) as u32;
        let corridor = Corridor::<L> {
            words: &self.words,
            ends: [from, to].map(|end| Homes::of(self.distances, self.kinds, end)),
            most,
        };
        if corridor.ends[1].bound(&self.words.board, from) > most {
            return None;
        }
        let effort = Effort {
            memory: MEMORY.min(effort.memory),
            ..*effort
        };
        let [from, to] = [from, to].map(|end| self.words.pack(end));
        let found = bidirectional::search_up_to(&corridor, from, [to], most, &effort);
        let moves = found.moves?;
        Some(moves.into_iter().map(|mv| mv.0 as u8).collect())
    }
}

/// The states on ways between two ends with at most so many clicks.
struct Corridor<'a, const L: usize> {
    words: &'a Words,
    ends: [Homes<'a>; 2],
    most: u32,
}

impl<const L: usize> Search for Corridor<'_, L> {
    type Node = Word<L>;

    fn expand(&self, node: &Word<L>, _: Option<Move>, mut visit: impl FnMut(Move, Word<L>)) {
        let board = &self.words.board;
        let at = self.words.unpack(node);
        let bounds = self.ends.each_ref().map(|end| end.bound(board, &at));
        for cell in cells_of(board.neighbours(at.hole.into())) {
            let mut after = at;
            after.click(board, cell as u8);
            let sum: u32 = (0..2)
                .map(|end| {
                    let homes = &self.ends[end];
                    bounds[end] + homes.of_gourd(&after, at.hole) - homes.of_gourd(&at, cell as u8)
                })
                .sum();
            if sum <= self.most {
                visit(Move(cell as u32), self.words.pack(&after));
            }
        }
    }

    fn bound(&self, node: &Word<L>) -> u32 {
        let at = self.words.unpack(node);
        self.ends[1].bound(&self.words.board, &at)
    }

    fn is_solved(&self, node: &Word<L>) -> bool {
        self.bound(node) == 0
    }
}

impl<const L: usize> Keyed for Corridor<'_, L> {
    type Key = Word<L>;

    fn key(&self, node: &Word<L>) -> Word<L> {
        *node
    }
}

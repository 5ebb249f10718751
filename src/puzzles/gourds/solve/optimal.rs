//! Shortest solutions, by search.
//!
//! First a search from both ends at once: from the state, and from all solved placements together. On
//! small boards that ends soon. Where its memory does not suffice, it has still proven that no shorter
//! solution exists than it could have found; from there IDA* continues with the
//! [distances from the homes](super::homes) as its bound, in next to no memory but with no bound
//! on its time. What a constructive method finds is the answer until there is a better one.
//!
//! On a coloured board with more solved placements than can be listed there is nothing to start from
//! at the other end, and IDA* does it alone: every end must come to a cell of its colour.

use std::time::Instant;

use super::super::Gourds;
use super::super::board::cells_of;
use super::super::rules::{Pairs, pairs_of};
use super::goals::GoalPlacements;
use super::homes::{CellDistances, Homes};
use super::packer::{Packed, PositionPacker};
use super::position::{EndMap, PLACES};
use super::{Constructive, Method, is_small};
use crate::error::Result;
use crate::puzzle::{Move, State};
use crate::solve::{Attempt, Effort, Keyed, ReadySolver, Search, bidirectional, ida, unsolvable};

/// The solver, ready.
pub(super) struct GourdsOptimal<'a> {
    puzzle: &'a Gourds,
    packer: PositionPacker,
    bounds: BoundTable,
    /// All solved placements, if they are known.
    goals: Option<Vec<EndMap>>,
    /// Finds something to begin with, on proper boards that are not small.
    constructive: Option<Constructive<'a>>,
}

impl<'a> GourdsOptimal<'a> {
    pub fn new(puzzle: &'a Gourds) -> Result<Self> {
        let board = puzzle.board();
        let goals = GoalPlacements::of(puzzle);
        let position = |pairs: &Pairs| EndMap::of_kinds(board, &puzzle.kinds, pairs);
        let placements: Vec<EndMap> = goals.placements.iter().map(position).collect();
        let distances = CellDistances::new(board);
        let mut homes = Homes::new(&distances, puzzle.kinds.len());
        match (goals.complete, puzzle.labels()) {
            (false, Some(labels)) => {
                for (gourd, ends) in labels.gourds.iter().enumerate() {
                    let kind = puzzle.kinds.kind(gourd);
                    let second = usize::from(puzzle.kinds.code(gourd, 0) % 2);
                    for a in 0..board.size() {
                        for b in cells_of(board.neighbours(a)) {
                            let colours = [labels.cells[a], labels.cells[b]];
                            if colours == [ends[second], ends[1 - second]] {
                                homes.allow(kind, [a as u8, b as u8]);
                            }
                        }
                    }
                }
            }
            _ => placements.iter().for_each(|goal| homes.add(goal)),
        }
        let start = puzzle.layout.labels.as_ref().map(|labels| &labels.start);
        let like = start.or(puzzle.goal.as_ref()).map(position);
        let like = like.or(placements.first().copied());
        let packer = match &like {
            Some(like) => PositionPacker::new(board, like),
            None => return unsolvable("no solved placement is known"),
        };
        Ok(GourdsOptimal {
            puzzle,
            bounds: BoundTable::new(&packer, &homes, puzzle.kinds.len()),
            packer,
            goals: goals.complete.then_some(placements),
            constructive: match puzzle.proper && !is_small(puzzle) {
                true => Constructive::new(puzzle, Method::Divide, 4).ok(),
                false => None,
            },
        })
    }

    fn search<const L: usize>(&self, state: &State, effort: &Effort<'_>) -> Result<Attempt> {
        let pairs = pairs_of(state);
        let at = EndMap::of_kinds(&self.packer.board, &self.puzzle.kinds, &pairs);
        let search = ToHomes::<L> { packer: &self.packer, bounds: &self.bounds };
        let mut start = search.node(&at);
        // Where the search may well not end, there is something to show for it.
        let draft = match &self.constructive {
            Some(constructive) => constructive.attempt(state, &a_share(effort))?.moves,
            None => None,
        };
        if let Some(goals) = &self.goals {
            let goals = goals.iter().map(|goal| search.node(goal));
            let found = bidirectional::search(&search, start, goals, effort);
            if !found.cut_short {
                return match found.moves {
                    Some(_) => Ok(found),
                    None => {
                        unsolvable("all states that can be reached from it were visited, and none is solved")
                    }
                };
            }
            start.bound = start.bound.max(found.bound);
        }
        let mut found = ida::search(&search, start, effort);
        found.moves = found.moves.or(draft);
        Ok(found)
    }
}

/// A quarter of the time, if that is bounded.
fn a_share<'a>(effort: &Effort<'a>) -> Effort<'a> {
    let now = Instant::now();
    let share = |end: Instant| now + end.saturating_duration_since(now) / 4;
    Effort { deadline: effort.deadline.map(share), ..*effort }
}

impl ReadySolver for GourdsOptimal<'_> {
    fn attempt(&self, state: &State, effort: &Effort<'_>) -> Result<Attempt> {
        match self.packer.board.gourds() {
            0..8 => self.search::<8>(state, effort),
            8..16 => self.search::<16>(state, effort),
            _ => self.search::<32>(state, effort),
        }
    }
}

/// The bound of every gourd on every pair of neighbours, as a table.
struct BoundTable(Vec<u8>);

impl BoundTable {
    fn new(packer: &PositionPacker, homes: &Homes<'_>, kinds: usize) -> BoundTable {
        let mut table = vec![0; kinds * PLACES * PLACES];
        for kind in 0..kinds as u8 {
            for a in 0..packer.board.size() {
                for b in cells_of(packer.board.neighbours(a)) {
                    let cost = homes.of_kind(kind, [a as u8, b as u8]);
                    table[BoundTable::place(kind, a, b)] = cost as u8;
                }
            }
        }
        BoundTable(table)
    }

    #[inline]
    fn place(kind: u8, first: usize, second: usize) -> usize {
        (usize::from(kind) * PLACES + first) * PLACES + second
    }

    /// The bound for the gourd on a cell.
    #[inline]
    fn of(&self, at: &EndMap, cell: u8) -> u32 {
        let (kind, [first, second]) = at.ends(cell);
        self.0[BoundTable::place(kind, first.into(), second.into())].into()
    }
}

/// The states of the puzzle with their bounds.
struct ToHomes<'a, const L: usize> {
    packer: &'a PositionPacker,
    bounds: &'a BoundTable,
}

/// A state on its way.
#[derive(Clone, Copy)]
struct HomesNode<const L: usize> {
    packed: Packed<L>,
    bound: u32,
    /// The click that undoes the last one.
    undo: u8,
}

impl<const L: usize> ToHomes<'_, L> {
    fn node(&self, at: &EndMap) -> HomesNode<L> {
        let bound = at.gourds().map(|cell| self.bounds.of(at, cell)).sum();
        HomesNode { packed: self.packer.pack(at), bound, undo: 0 }
    }
}

impl<const L: usize> Search for ToHomes<'_, L> {
    type Node = HomesNode<L>;

    fn expand(&self, node: &HomesNode<L>, last: Option<Move>, mut visit: impl FnMut(Move, HomesNode<L>)) {
        let board = &self.packer.board;
        let at = self.packer.unpack(&node.packed);
        // The bound of a start may have been raised.
        let bound = match last {
            Some(_) => node.bound,
            None => self.node(&at).bound,
        };
        for cell in cells_of(board.neighbours(at.hole.into())) {
            let cell = cell as u8;
            if last.is_some() && cell == node.undo {
                continue;
            }
            let mut after = at;
            let undo = after.click(board, cell);
            let bound = bound + self.bounds.of(&after, at.hole) - self.bounds.of(&at, cell);
            let packed = self.packer.pack(&after);
            visit(Move(cell.into()), HomesNode { packed, bound, undo });
        }
    }

    fn bound(&self, node: &HomesNode<L>) -> u32 {
        node.bound
    }

    /// Every gourd lies where one of its kind may lie: then all ends have their colours.
    fn is_solved(&self, node: &HomesNode<L>) -> bool {
        node.bound == 0
    }
}

impl<const L: usize> Keyed for ToHomes<'_, L> {
    type Key = Packed<L>;

    fn key(&self, node: &HomesNode<L>) -> Packed<L> {
        node.packed
    }
}

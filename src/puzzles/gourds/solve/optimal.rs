//! Shortest solutions, by search.
//!
//! First a search from both ends at once: from the state, and from all solved placements together. On
//! small boards that ends soon. Where its memory does not suffice, it has still proven that no shorter
//! solution exists than it could have found; from there IDA* goes on with the
//! [distances from the homes](super::homes) as its bound, in next to no memory but with no promise to
//! end this century. What a constructive method finds is the answer until there is a better one.
//!
//! On a coloured board with more solved placements than can be listed there is nothing to start from
//! at the other end, and IDA* does it alone: every end must come to a cell of its colour.

use std::time::Instant;

use super::super::Gourds;
use super::super::board::cells_of;
use super::super::rules::{Pairs, pairs_of};
use super::goals::Goals;
use super::homes::{Distances, Homes};
use super::position::{PLACES, Position};
use super::words::{Word, Words};
use super::{Constructive, Method, is_small};
use crate::error::Result;
use crate::puzzle::{Move, State};
use crate::solve::{Attempt, Effort, Keyed, ReadySolver, Search, bidirectional, ida, unsolvable};

/// The solver, ready.
pub(super) struct Optimal<'a> {
    puzzle: &'a Gourds,
    words: Words,
    bounds: Bounds,
    /// All solved placements, if they are known.
    goals: Option<Vec<Position>>,
    /// Finds something to begin with, on proper boards that are not small.
    constructive: Option<Constructive<'a>>,
}

impl<'a> Optimal<'a> {
    pub fn new(puzzle: &'a Gourds) -> Result<Self> {
        let board = puzzle.board();
        let goals = Goals::of(puzzle);
        let position = |pairs: &Pairs| Position::of_kinds(board, &puzzle.kinds, pairs);
        let placements: Vec<Position> = goals.placements.iter().map(position).collect();
        let distances = Distances::new(board);
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
        let words = match &like {
            Some(like) => Words::new(board, like),
            None => return unsolvable("no solved placement is known"),
        };
        Ok(Optimal {
            puzzle,
            bounds: Bounds::new(&words, &homes, puzzle.kinds.len()),
            words,
            goals: goals.complete.then_some(placements),
            constructive: match puzzle.proper && !is_small(puzzle) {
                true => Constructive::new(puzzle, Method::Divide, 4).ok(),
                false => None,
            },
        })
    }

    fn search<const L: usize>(&self, state: &State, effort: &Effort<'_>) -> Result<Attempt> {
        let pairs = pairs_of(state);
        let at = Position::of_kinds(&self.words.board, &self.puzzle.kinds, &pairs);
        let search = ToHomes::<L> {
            words: &self.words,
            bounds: &self.bounds,
        };
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
                    None => unsolvable(
                        "all states that can be reached from it were walked, and none is solved",
                    ),
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
    Effort {
        deadline: effort.deadline.map(share),
        ..*effort
    }
}

impl ReadySolver for Optimal<'_> {
    fn attempt(&self, state: &State, effort: &Effort<'_>) -> Result<Attempt> {
        match self.words.board.gourds() {
            0..8 => self.search::<8>(state, effort),
            8..16 => self.search::<16>(state, effort),
            _ => self.search::<32>(state, effort),
        }
    }
}

/// The bound of every gourd on every pair of neighbours, as a table.
struct Bounds(Vec<u8>);

impl Bounds {
    fn new(words: &Words, homes: &Homes<'_>, kinds: usize) -> Bounds {
        let mut table = vec![0; kinds * PLACES * PLACES];
        for kind in 0..kinds as u8 {
            for a in 0..words.board.size() {
                for b in cells_of(words.board.neighbours(a)) {
                    let cost = homes.of_kind(kind, [a as u8, b as u8]);
                    table[Bounds::place(kind, a, b)] = cost as u8;
                }
            }
        }
        Bounds(table)
    }

    #[inline]
    fn place(kind: u8, first: usize, second: usize) -> usize {
        (usize::from(kind) * PLACES + first) * PLACES + second
    }

    /// The bound for the gourd on a cell.
    #[inline]
    fn of(&self, at: &Position, cell: u8) -> u32 {
        let code = at.code[usize::from(cell)];
        let (cell, mate) = (usize::from(cell), usize::from(at.mate[usize::from(cell)]));
        let place = match code.is_multiple_of(2) {
            true => Bounds::place(code >> 1, cell, mate),
            false => Bounds::place(code >> 1, mate, cell),
        };
        self.0[place].into()
    }
}

/// The states of the puzzle with their bounds.
struct ToHomes<'a, const L: usize> {
    words: &'a Words,
    bounds: &'a Bounds,
}

/// A state on its way.
#[derive(Clone, Copy)]
struct Node<const L: usize> {
    word: Word<L>,
    bound: u32,
    /// The click that undoes the last one.
    undo: u8,
}

impl<const L: usize> ToHomes<'_, L> {
    fn node(&self, at: &Position) -> Node<L> {
        let mut left = self.words.board.all() & !(1 << at.hole);
        let mut bound = 0;
        while left != 0 {
            let cell = left.trailing_zeros() as u8;
            left &= !(1 << cell | 1 << at.mate[usize::from(cell)]);
            bound += self.bounds.of(at, cell);
        }
        Node {
            word: self.words.pack(at),
            bound,
            undo: 0,
        }
    }
}

impl<const L: usize> Search for ToHomes<'_, L> {
    type Node = Node<L>;

    fn expand(&self, node: &Node<L>, last: Option<Move>, mut visit: impl FnMut(Move, Node<L>)) {
        let board = &self.words.board;
        let at = self.words.unpack(&node.word);
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
            let word = self.words.pack(&after);
            visit(Move(cell.into()), Node { word, bound, undo });
        }
    }

    fn bound(&self, node: &Node<L>) -> u32 {
        node.bound
    }

    /// Every gourd lies where one of its kind may lie: then all ends have their colours.
    fn is_solved(&self, node: &Node<L>) -> bool {
        node.bound == 0
    }
}

impl<const L: usize> Keyed for ToHomes<'_, L> {
    type Key = Word<L>;

    fn key(&self, node: &Node<L>) -> Word<L> {
        node.word
    }
}

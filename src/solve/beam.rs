//! Beam search: breadth first, keeping only the most promising positions of each level.
//!
//! From every position of the beam all moves are tried, and the results are ranked (small numbers are
//! promising). The best ones that were not seen before make the next beam: in order of their rank,
//! and among equals in the order of the positions they came from, so that nothing is left to chance.
//! Each level remembers only where its positions came from.
//!
//! The search ends where the puzzle knows how to continue: close to the solved positions exact distances
//! are known ([`Ranked::known`]), and the way down is found by them. It can stop at the first beam that
//! has a known position, and take the nearest one: a position of the next beam is at most one move
//! nearer than its parent in this one, so none of them leads to anything shorter.

use std::collections::HashSet;

use rustc_hash::FxBuildHasher;

use super::{Attempt, Effort, Search};
use crate::error::{Alternative, Error, LimitKind, Result};
use crate::puzzle::Move;

/// What a beam search walks.
pub trait Ranked: Search {
    /// Appends how promising each position is: a number below [`RANKS`], the smaller the better. Many
    /// at a time, so that look-ups in large tables overlap.
    fn rank(&self, nodes: &[Self::Node], ranks: &mut Vec<u16>);

    /// The position after a move that [`expand`](Search::expand) visited.
    fn after(&self, node: &Self::Node, mv: Move) -> Self::Node;

    /// A number that differs for different positions but for rare accidents, each of which may lose a
    /// position. Symmetric positions may share it.
    fn fingerprint(&self, node: &Self::Node) -> u64;

    /// The exact distance of a position with this rank, if it is near enough to be known. All positions
    /// that are nearer than a known one are known, too.
    fn known(&self, node: &Self::Node, rank: u16) -> Option<u32>;
}

/// Ranks are below this number.
pub const RANKS: usize = 1 << 10;

/// Positions are ranked in batches of about this many.
const BATCH: usize = 512;
/// The clock is looked at once in this many batches.
const LOOK_EVERY: usize = 64;

/// Where a beam search ends.
#[derive(Clone, Copy, Debug)]
pub struct BeamLimits {
    /// Positions in a beam.
    pub width: usize,
    /// Levels.
    pub levels: usize,
    /// The most moves that a position has.
    pub fanout: usize,
}

impl BeamLimits {
    /// Bytes that a search takes.
    pub fn memory<S: Search>(&self) -> u64 {
        let child = size_of::<u16>() + size_of::<Child>() + size_of::<u32>();
        let kept = 2 * size_of::<(S::Node, u16)>() + 4 * size_of::<u64>();
        let history = self.levels * size_of::<Child>();
        (self.width * (self.fanout * child + kept + history)) as u64
    }
}

/// A position of the next beam, before it is one.
#[derive(Clone, Copy)]
struct Child {
    parent: u32,
    mv: Move,
}

/// Searches for a short solution. Without one, nothing was cut short only if the beam ran dry.
pub fn search<S: Ranked>(
    search: &S,
    start: S::Node,
    limits: BeamLimits,
    effort: &Effort<'_>,
) -> Result<Attempt> {
    let needed = limits.memory::<S>();
    if needed > effort.memory {
        return Err(Error::from(LimitKind::Memory {
            what: format!("each thread of a beam of width {}", limits.width),
            needed,
            allowed: effort.memory,
            or: Alternative::SmallerWidth,
        }));
    }
    let mut levels = BeamLevels::new(search, start, limits);
    loop {
        if let Some(moves) = levels.finish(effort) {
            return Ok(Attempt { moves: Some(moves), ..Attempt::default() });
        }
        if levels.beam.is_empty() {
            return Ok(Attempt::default());
        }
        if levels.history.len() == limits.levels || !levels.advance(effort) {
            return Ok(Attempt { cut_short: true, ..Attempt::default() });
        }
    }
}

/// The beam, and how it came about.
struct BeamLevels<'a, S: Ranked> {
    search: &'a S,
    limits: BeamLimits,
    beam: Vec<(S::Node, u16)>,
    /// How the positions of each beam were reached from the beam before.
    history: Vec<Vec<Child>>,
    seen: HashSet<u64, FxBuildHasher>,
    /// The fingerprints of the beam: no position of the next one is taken from it.
    present: Vec<u64>,
    children: Vec<Child>,
    ranks: Vec<u16>,
    batch: Vec<S::Node>,
}

impl<'a, S: Ranked> BeamLevels<'a, S> {
    fn new(search: &'a S, start: S::Node, limits: BeamLimits) -> Self {
        let mut ranks = Vec::new();
        search.rank(&[start], &mut ranks);
        let rank = ranks.first().copied().unwrap_or_default();
        BeamLevels {
            search,
            limits,
            beam: vec![(start, rank)],
            history: Vec::new(),
            seen: HashSet::default(),
            present: vec![search.fingerprint(&start)],
            children: Vec::new(),
            ranks: Vec::new(),
            batch: Vec::new(),
        }
    }

    /// Makes the next beam; `false` if the effort is spent first.
    fn advance(&mut self, effort: &Effort<'_>) -> bool {
        self.children.clear();
        self.ranks.clear();
        let per_batch = (BATCH / self.limits.fanout.max(1)).max(1);
        let last = self.history.last();
        for (number, parents) in self.beam.chunks(per_batch).enumerate() {
            if number % LOOK_EVERY == 0 && effort.is_spent() {
                return false;
            }
            self.batch.clear();
            for (place, (node, _)) in parents.iter().enumerate() {
                let parent = number * per_batch + place;
                let came_by = last.and_then(|steps| Some(steps.get(parent)?.mv));
                self.search.expand(node, came_by, |mv, after| {
                    self.batch.push(after);
                    self.children.push(Child { parent: parent as u32, mv });
                });
            }
            self.search.rank(&self.batch, &mut self.ranks);
        }
        effort.visit(self.beam.len() as u64);
        self.select();
        true
    }

    /// Takes the best children into the beam.
    fn select(&mut self) {
        self.seen.clear();
        self.seen.extend(self.present.drain(..));
        let mut next = Vec::with_capacity(self.limits.width.min(self.children.len()));
        let mut steps = Vec::with_capacity(next.capacity());
        for number in by_rank(&self.ranks) {
            if next.len() == self.limits.width {
                break;
            }
            let (Some(child), Some(&rank)) =
                (self.children.get(number as usize), self.ranks.get(number as usize))
            else {
                continue;
            };
            let Some((parent, _)) = self.beam.get(child.parent as usize) else {
                continue;
            };
            let node = self.search.after(parent, child.mv);
            let fingerprint = self.search.fingerprint(&node);
            if self.seen.insert(fingerprint) {
                self.present.push(fingerprint);
                next.push((node, rank));
                steps.push(*child);
            }
        }
        self.beam = next;
        self.history.push(steps);
    }

    /// The moves to a solved position through the nearest position of the beam that is known.
    fn finish(&self, effort: &Effort<'_>) -> Option<Vec<Move>> {
        let known = |(number, (node, rank)): (usize, &(S::Node, u16))| {
            Some((self.search.known(node, *rank)?, number))
        };
        let (distance, mut number) = self.beam.iter().enumerate().filter_map(known).min()?;
        let mut node = self.beam.get(number)?.0;
        let mut moves = Vec::new();
        for steps in self.history.iter().rev() {
            let step = steps.get(number)?;
            moves.push(step.mv);
            number = step.parent as usize;
        }
        moves.reverse();
        for left in (0..distance).rev() {
            if effort.is_spent() {
                return None;
            }
            let (mv, after) = self.nearer(&node, left)?;
            moves.push(mv);
            node = after;
        }
        Some(moves)
    }

    /// A move to a position of which it is known that it is so near.
    fn nearer(&self, node: &S::Node, distance: u32) -> Option<(Move, S::Node)> {
        let (mut children, mut ranks) = (Vec::new(), Vec::new());
        self.search.expand(node, None, |mv, after| children.push((mv, after)));
        let nodes: Vec<S::Node> = children.iter().map(|(_, after)| *after).collect();
        self.search.rank(&nodes, &mut ranks);
        let mut ranked = children.into_iter().zip(ranks);
        let found = ranked.find(|((_, after), rank)| self.search.known(after, *rank) == Some(distance));
        found.map(|(child, _)| child)
    }
}

/// The numbers of all children, by rank, and by number among equals.
fn by_rank(ranks: &[u16]) -> Vec<u32> {
    let place = |rank: u16| usize::from(rank).min(RANKS - 1);
    let mut starts = vec![0u32; RANKS + 1];
    for &rank in ranks {
        starts[place(rank) + 1] += 1;
    }
    for rank in 0..RANKS {
        starts[rank + 1] += starts[rank];
    }
    let mut order = vec![0; ranks.len()];
    for (number, &rank) in ranks.iter().enumerate() {
        let at = &mut starts[place(rank)];
        order[*at as usize] = number as u32;
        *at += 1;
    }
    order
}

#[cfg(test)]
mod tests;

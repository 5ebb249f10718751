//! Permutations of (slot, twist) pairs that turn the set of moves into itself.
//!
//! # What is looked for
//! Number all pairs (slot, twist) of all tracks. A move permutes them, and so does the turn of a whole
//! track, which adds 1 to all of its twists. An *automorphism* is a permutation t of pairs that takes
//! moves to moves (t m t^-1 is a move for every move m) and turns of tracks to powers of turns: so it
//! sends slots to slots and tracks to tracks, and mirrors are among them.
//!
//! # How
//! If t(p) = q is known and t takes the move m to m', then t(m(p)) = m'(q). So a few choices decide
//! everything: the image of one pair of a track, and of the moves that lead on from there. The search
//! chooses, follows all that is implied, and goes back at the first contradiction. Colours prune it: pairs
//! and moves are told apart by the lengths of their cycles, and then again and again by the colours that
//! they meet, as in every program for graph automorphisms.
//!
//! A library for that (nauty, bliss) would have to be told the moves as a graph with a vertex for every
//! pair and every move's arc, and is written in C. The groups here have at most some thousand
//! elements, all of which are wanted, and the moves themselves imply nearly everything: a search of a
//! hundred lines finds the 48 symmetries of the cube in far less than a millisecond each.
//!
//! Turning a whole track and relabelling its pieces to match changes no state. So of all automorphisms that
//! differ in such turns one is found: that which sends the first pair of a track to a pair with twist 0.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::frame::{CellFrame, Motion, gcd};

/// The most automorphisms that are kept.
pub(super) const MOST_FOUND: usize = 4096;
/// Choices that the search may make, weighted with what following them costs.
const MOST_WORK: usize = 1 << 26;
/// The largest table of all moves' images of all pairs.
const MOST_IMAGES: usize = 1 << 22;

/// An automorphism, slot by slot: cell `i` goes to `slots[i].0`, its twist times `factor` of its track
/// plus `slots[i].1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Automorphism {
    pub slots: Vec<(usize, u8)>,
    /// By track: the track that it goes to.
    pub tracks: Vec<usize>,
    /// By track.
    pub factors: Vec<u8>,
    /// What it does to the direction of turns.
    pub sense: Sense,
}

/// What an automorphism makes of the moves that a definition lists, as opposed to their inverses and other
/// powers. Where all of them turn clockwise, rotations keep them and mirrors reverse them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sense {
    /// Listed moves.
    Kept,
    /// Inverses of listed moves.
    Reversed,
    /// Neither, or every listed move is its own inverse.
    Other,
}

/// What was found, and whether that is all there is.
pub(super) struct AutomorphismSearch<'f> {
    frame: &'f CellFrame,
    /// By cell: its track and its first pair.
    owner: Vec<usize>,
    first: Vec<usize>,
    /// By pair: its cell.
    cell: Vec<usize>,
    /// By move: the images of the pairs.
    moves: Vec<Vec<u16>>,
    numbers: HashMap<Vec<u16>, usize>,
    /// By move: whether it is listed, and whether its inverse is.
    listed: Vec<(bool, bool)>,
    pair_colours: Vec<u64>,
    move_colours: Vec<u64>,
    pub found: Vec<Automorphism>,
    pub complete: bool,
    work: usize,
}

/// What has been chosen, and what follows from it.
#[derive(Clone)]
struct Partial {
    /// By pair: its image, and by image: its pair.
    images: Vec<Option<u16>>,
    origins: Vec<Option<u16>>,
    moves: Vec<Option<usize>>,
    taken: Vec<bool>,
    /// By track: its image, and the factor of twists.
    tracks: Vec<Option<(usize, usize)>>,
    track_taken: Vec<bool>,
}

impl<'f> AutomorphismSearch<'f> {
    /// All automorphisms of the moves of a frame, as far as the search may go.
    pub fn run(frame: &'f CellFrame) -> AutomorphismSearch<'f> {
        let (mut owner, mut first, mut cell) = (Vec::new(), Vec::new(), Vec::new());
        for (number, track) in frame.tracks.iter().enumerate() {
            for at in track.first..track.end() {
                owner.push(number);
                first.push(cell.len());
                cell.extend(std::iter::repeat_n(at, track.twists.into()));
            }
        }
        let mut search = AutomorphismSearch {
            frame,
            owner,
            first,
            cell,
            moves: Vec::new(),
            numbers: HashMap::new(),
            listed: Vec::new(),
            pair_colours: Vec::new(),
            move_colours: Vec::new(),
            found: Vec::new(),
            complete: false,
            work: 0,
        };
        let pairs = search.cell.len();
        if pairs.saturating_mul(frame.moves.len()) > MOST_IMAGES || pairs > usize::from(u16::MAX) {
            return search;
        }
        for ((mv, turns), listed) in frame.moves.iter().zip(&frame.turns).zip(&frame.listed) {
            let images = search.images(mv, turns);
            // Moves that do the same to pairs are one.
            let next = search.moves.len();
            let known = *search.numbers.entry(images.clone()).or_insert(next);
            if known == next {
                search.moves.push(images);
                search.listed.push((false, false));
            }
            search.listed[known].0 |= listed.0;
            search.listed[known].1 |= listed.1;
        }
        search.colour();
        let start = Partial {
            images: vec![None; pairs],
            origins: vec![None; pairs],
            moves: vec![None; search.moves.len()],
            taken: vec![false; search.moves.len()],
            tracks: vec![None; frame.tracks.len()],
            track_taken: vec![false; frame.tracks.len()],
        };
        search.complete = search.extend(&start);
        search
    }

    fn twists(&self, cell: usize) -> usize {
        self.frame.tracks[self.owner[cell]].twists.into()
    }

    fn images(&self, mv: &Motion, turns: &[u8]) -> Vec<u16> {
        let mut images = vec![0; self.cell.len()];
        for (cell, (&(source, _), &twist)) in mv.steps.iter().zip(turns).enumerate() {
            let (source, twist) = (usize::from(source), usize::from(twist));
            let twists = self.twists(cell);
            for old in 0..twists {
                images[self.first[source] + old] = (self.first[cell] + (old + twist) % twists) as u16;
            }
        }
        images
    }

    /// Colours pairs and moves by what can be told of them, until that tells no more apart.
    fn colour(&mut self) {
        let lengths: Vec<Vec<usize>> = self.moves.iter().map(|images| cycle_lengths(images)).collect();
        let track = |pair: usize| &self.frame.tracks[self.owner[self.cell[pair]]];
        self.pair_colours =
            (0..self.cell.len()).map(|pair| hash((track(pair).slots.len(), track(pair).twists))).collect();
        self.move_colours = vec![0; self.moves.len()];
        let mut kinds = 0;
        loop {
            let (pairs, moves) = (&self.pair_colours, &self.move_colours);
            let met = |pair: usize, mv: usize| {
                hash((moves[mv], lengths[mv][pair], pairs[usize::from(self.moves[mv][pair])]))
            };
            let new_pairs: Vec<u64> = (0..pairs.len())
                .map(|pair| {
                    let mut all: Vec<u64> = (0..moves.len()).map(|mv| met(pair, mv)).collect();
                    all.sort_unstable();
                    hash((pairs[pair], all))
                })
                .collect();
            let new_moves: Vec<u64> = (0..moves.len())
                .map(|mv| {
                    let all = (0..pairs.len()).map(|pair| hash((pairs[pair], met(pair, mv))));
                    let mut all: Vec<u64> = all.collect();
                    all.sort_unstable();
                    hash((moves[mv], all))
                })
                .collect();
            self.work += 4 * pairs.len() * moves.len();
            let mut seen: Vec<u64> = new_pairs.iter().chain(&new_moves).copied().collect();
            seen.sort_unstable();
            seen.dedup();
            (self.pair_colours, self.move_colours) = (new_pairs, new_moves);
            if seen.len() <= kinds || self.work > MOST_WORK / 4 {
                return;
            }
            kinds = seen.len();
        }
    }

    /// Tries all that is left to choose; `false` if it has to give up.
    fn extend(&mut self, partial: &Partial) -> bool {
        // A move that leads on from a pair whose image is known.
        let leads = |mv: &usize| {
            let mut pairs = self.moves[*mv].iter().zip(&partial.images).enumerate();
            partial.moves[*mv].is_none()
                && pairs.any(|(pair, (&to, known))| {
                    usize::from(to) != pair && known.is_some() && partial.images[usize::from(to)].is_none()
                })
        };
        if let Some(mv) = (0..self.moves.len()).find(leads) {
            for image in 0..self.moves.len() {
                if partial.taken[image] || self.move_colours[image] != self.move_colours[mv] {
                    continue;
                }
                let mut next = partial.clone();
                next.moves[mv] = Some(image);
                next.taken[image] = true;
                let known = (0..self.cell.len()).filter(|&pair| partial.images[pair].is_some()).collect();
                if !self.choose(next, known) {
                    return false;
                }
            }
            return true;
        }
        let Some(pair) = partial.images.iter().position(Option::is_none) else {
            return self.keep(partial);
        };
        let track = self.owner[self.cell[pair]];
        let twists = self.twists(self.cell[pair]);
        for image in 0..self.cell.len() {
            let target = self.owner[self.cell[image]];
            let is_first = self.first[self.cell[image]] == image;
            if self.pair_colours[image] != self.pair_colours[pair] || partial.origins[image].is_some() {
                continue;
            }
            let factors: Vec<usize> = match partial.tracks[track] {
                Some((known, factor)) if known == target => vec![factor],
                Some(_) => continue,
                None if partial.track_taken[target] || !is_first => continue,
                None => (1..=twists).filter(|&factor| gcd(factor, twists) == 1).collect(),
            };
            for factor in factors {
                let mut next = partial.clone();
                next.tracks[track] = Some((target, factor % twists.max(1)));
                next.track_taken[target] = true;
                next.images[pair] = Some(image as u16);
                next.origins[image] = Some(pair as u16);
                if !self.choose(next, vec![pair]) {
                    return false;
                }
            }
        }
        true
    }

    fn choose(&mut self, mut next: Partial, open: Vec<usize>) -> bool {
        self.work += self.cell.len() + self.moves.len();
        if self.work > MOST_WORK || self.found.len() > MOST_FOUND {
            return false;
        }
        !self.follow(&mut next, open) || self.extend(&next)
    }

    /// Maps all that follows from the images of `open`; `false` at a contradiction.
    fn follow(&mut self, partial: &mut Partial, mut open: Vec<usize>) -> bool {
        let chosen: Vec<(usize, usize)> =
            partial.moves.iter().enumerate().filter_map(|(mv, image)| Some((mv, (*image)?))).collect();
        while let Some(pair) = open.pop() {
            let Some(image) = partial.images[pair].map(usize::from) else {
                continue;
            };
            self.work += 1 + chosen.len();
            // The next twist in the same slot.
            let (cell, target) = (self.cell[pair], self.cell[image]);
            let twists = self.twists(cell);
            let Some((track, factor)) = partial.tracks[self.owner[cell]] else {
                return false;
            };
            if track != self.owner[target] {
                return false;
            }
            let turned = |first: usize, pair: usize, by: usize| first + (pair - first + by) % twists;
            let after = turned(self.first[cell], pair, 1);
            let expected = turned(self.first[target], image, factor);
            let turn = std::iter::once((after, expected));
            let moved = chosen.iter().map(|&(mv, other)| {
                (usize::from(self.moves[mv][pair]), usize::from(self.moves[other][image]))
            });
            for (from, to) in turn.chain(moved) {
                match partial.images[from] {
                    Some(known) if usize::from(known) == to => {}
                    Some(_) => return false,
                    None => {
                        let is_new = partial.origins[to].replace(from as u16).is_none();
                        if !is_new || self.pair_colours[from] != self.pair_colours[to] {
                            return false;
                        }
                        partial.images[from] = Some(to as u16);
                        open.push(from);
                    }
                }
            }
        }
        true
    }

    /// Keeps a complete permutation if it takes every move to a move; `false` if there are too many.
    fn keep(&mut self, partial: &Partial) -> bool {
        let images: Option<Vec<u16>> = partial.images.iter().copied().collect();
        let Some(images) = images else {
            return true;
        };
        self.work += images.len() * self.moves.len();
        let image = |mv: &Vec<u16>| {
            let mut conjugate = vec![0; images.len()];
            for (pair, &image) in images.iter().enumerate() {
                conjugate[usize::from(image)] = images[usize::from(mv[pair])];
            }
            self.numbers.get(&conjugate).copied()
        };
        let targets: Option<Vec<usize>> = self.moves.iter().map(image).collect();
        let tracks: Option<Vec<(usize, usize)>> = partial.tracks.iter().copied().collect();
        if let (Some(tracks), Some(targets)) = (tracks, targets) {
            let slot = |&first: &usize| {
                let image = usize::from(images[first]);
                let cell = self.cell[image];
                (cell, (image - self.first[cell]) as u8)
            };
            let factor = |&(_, factor): &(usize, usize)| factor as u8;
            self.found.push(Automorphism {
                slots: self.first.iter().map(slot).collect(),
                tracks: tracks.iter().map(|&(track, _)| track).collect(),
                factors: tracks.iter().map(factor).collect(),
                sense: self.sense(&targets),
            });
        }
        self.found.len() <= MOST_FOUND
    }
}

impl AutomorphismSearch<'_> {
    /// What becomes of the listed moves, given the images of all.
    fn sense(&self, targets: &[usize]) -> Sense {
        let mut sense = None;
        for (mv, &target) in self.listed.iter().zip(targets) {
            let found = match (mv, self.listed[target]) {
                ((true, false), (true, false)) => Sense::Kept,
                ((true, false), (false, true)) => Sense::Reversed,
                ((true, false), _) => return Sense::Other,
                _ => continue,
            };
            if *sense.get_or_insert(found) != found {
                return Sense::Other;
            }
        }
        sense.unwrap_or(Sense::Other)
    }
}

/// By pair: how long its cycle is.
fn cycle_lengths(images: &[u16]) -> Vec<usize> {
    let mut lengths = vec![0; images.len()];
    for start in 0..images.len() {
        if lengths[start] > 0 {
            continue;
        }
        let next = |at: &usize| Some(usize::from(images[*at])).filter(|&next| next != start);
        let cycle: Vec<usize> = std::iter::successors(Some(start), next).collect();
        for &pair in &cycle {
            lengths[pair] = cycle.len();
        }
    }
    lengths
}

fn hash(value: impl Hash) -> u64 {
    // Without a random seed: the same colours in every run.
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

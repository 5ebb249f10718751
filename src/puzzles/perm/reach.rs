//! How many states can be reached, without walking, and random ones among them.
//!
//! The moves generate a group on the pairs (slot, twist) of all tracks, and a chain of stabilisers knows its
//! order and gives uniform members of it.
//!
//! - Where all pieces are distinct and show all of their twists, no member but the identity leaves a state
//!   as it is: from every root as many states can be reached as the group has members, and two roots reach
//!   the same or none of the same.
//! - Where pieces are identical, states can be counted if the group has all members that the
//!   [laws](super::laws) on moves allow. Those form a normal subgroup of all permutations and turns of the
//!   tracks, so that from a root exactly the states can be reached whose own classes obey the laws of the
//!   root.
//! - Elsewhere small spaces are searched. In large ones, the members of the group that leave a root as it is are
//!   counted: as many states can be reached as there are members for each of these. A member leaves it as it
//!   is if it keeps a colouring of the pairs.
//!
//! Where even that takes too long, the number is not known. Random states are: with one solved state, a random
//! member of the group makes any state that can be reached with the same probability.

use super::frame::{CellFrame, Cells, MOST_CELLS, Motion};
use super::laws::Laws;
use super::numbering::Numbering;
use crate::random::Random;
use crate::symmetry::{Permutation, StabiliserChain};

/// The most pairs that a chain is made for.
const MOST_PAIRS: usize = 320;
/// A chain takes time with the generators, too.
const MOST_GENERATED: usize = 1 << 14;

/// The most roots that do not reach each other.
const MOST_COUNTED: usize = 16;

/// What is known about the states that can be reached.
pub(super) struct Reach {
    chain: StabiliserChain,
    /// By cell: its first pair.
    first: Vec<usize>,
    /// Roots of which no two reach the same states; none if they were not looked at.
    roots: Vec<Cells>,
    /// By root: how many states it reaches, if that is not the same for all.
    reached: Vec<u128>,
    /// How many states all of them reach, where that is known.
    pub states: Option<u128>,
    /// Whether a state is one member of the group.
    is_distinct: bool,
}

impl Reach {
    /// What is known where any move is legal anywhere; `None` if that is too little.
    pub fn new(frame: &CellFrame, numbering: Option<&Numbering>) -> Option<Reach> {
        let mut first = Vec::new();
        let mut pairs = 0;
        for track in &frame.tracks {
            for _ in &track.slots {
                first.push(pairs);
                pairs += usize::from(track.twists);
            }
        }
        if pairs > MOST_PAIRS || pairs * frame.moves.len() > MOST_GENERATED {
            return None;
        }
        let permutation = |mv: &Motion, turns: &Vec<u8>| {
            let mut images = vec![0; pairs];
            for (cell, (&(source, _), &turn)) in mv.steps.iter().zip(turns).enumerate() {
                let twists = frame.twists(cell);
                for old in 0..twists {
                    let to = first[cell] + (old + usize::from(turn)) % twists;
                    images[first[usize::from(source)] + old] = to as u16;
                }
            }
            Permutation::new(&images)
        };
        let generators: Option<Vec<Permutation>> =
            frame.moves.iter().zip(&frame.turns).map(|(mv, turns)| permutation(mv, turns)).collect();
        let generators = generators?;
        let chain = StabiliserChain::new(&generators)?;
        let mut reach =
            Reach { chain, first, roots: Vec::new(), reached: Vec::new(), states: None, is_distinct: false };
        let distinct = frame.tracks.iter().all(|track| {
            let shows = |kind: &super::frame::PieceKind| kind.modulus == track.twists && kind.count == 1;
            track.kinds.iter().all(shows)
        });
        if distinct {
            reach.is_distinct = true;
            for root in &frame.roots {
                let leads = |known: &Cells| reach.leads(frame, known, root, pairs);
                if !reach.roots.iter().any(leads) {
                    reach.roots.push(*root);
                }
            }
            reach.states = Some(reach.chain.order().checked_mul(reach.roots.len() as u128)?);
            return Some(reach);
        }
        let numbering = numbering?;
        if reach.chain.order() != lawful(frame, &generators, &reach.first)? {
            return Some(reach);
        }
        // The index obeys laws that join the roots; each root has its own.
        let periods: Vec<u32> = numbering.periods();
        let constants: Vec<Vec<u32>> = frame.moves.iter().map(|mv| numbering.constant(frame, mv)).collect();
        let laws_of = |root: &Cells| Laws::new(&periods, &constants, numbering.classes(root));
        let mut found: Vec<Laws> = Vec::new();
        for root in &frame.roots {
            if !found.iter().any(|laws| laws.allow(&numbering.classes(root))) {
                found.push(laws_of(root));
                reach.roots.push(*root);
            }
        }
        let (own, joint) = (found.first()?.free(), numbering.laws.free());
        reach.states = Some((numbering.count / (joint / own)).checked_mul(reach.roots.len() as u128)?);
        Some(reach)
    }

    /// The same with the number of states, as far as it can be counted; `None` if not even random states can be
    /// had.
    pub fn counted(mut self, frame: &CellFrame) -> Option<Reach> {
        if self.states.is_some() {
            return Some(self);
        }
        match self.by_roots(frame) {
            Some(reached) => {
                self.states = reached.iter().try_fold(0u128, |sum, (_, states)| sum.checked_add(*states));
                (self.roots, self.reached) = reached.into_iter().unzip();
            }
            // Members of the group are as likely to lead to one state as to another.
            None => match &frame.roots[..] {
                [root] => self.roots.push(*root),
                _ => return None,
            },
        }
        Some(self)
    }

    /// Roots of which no two reach the same states, and how many each reaches.
    fn by_roots(&self, frame: &CellFrame) -> Option<Vec<(Cells, u128)>> {
        let mut found: Vec<(Cells, u128)> = Vec::new();
        let mut colourings: Vec<Vec<u32>> = Vec::new();
        'roots: for root in &frame.roots {
            let colours = self.colours(frame, root);
            for other in &colourings {
                if self.chain.recolours(other, &colours)? {
                    continue 'roots;
                }
            }
            if found.len() == MOST_COUNTED {
                return None;
            }
            found.push((*root, self.chain.order() / self.chain.keeping(&colours)?));
            colourings.push(colours);
        }
        Some(found)
    }

    /// A colour for every pair: members of the group that leave a state as it is are those that keep its colours.
    fn colours(&self, frame: &CellFrame, cells: &Cells) -> Vec<u32> {
        let mut colours = Vec::new();
        for (number, track) in (0..).zip(&frame.tracks) {
            for &lying in &cells[track.first..track.end()] {
                let (kind, shown) = track.decode(lying);
                let modulus = u32::from(track.kinds[kind].modulus);
                let turned = |twist: u32| (u32::from(shown) + modulus - twist % modulus) % modulus;
                let colour = |twist| (number << 8 | kind as u32) << 8 | turned(twist);
                colours.extend((0..u32::from(track.twists)).map(colour));
            }
        }
        colours
    }

    /// Whether the group takes one state of distinct pieces to another.
    fn leads(&self, frame: &CellFrame, from: &Cells, to: &Cells, pairs: usize) -> bool {
        let mut images = vec![0; pairs];
        for track in &frame.tracks {
            for cell in track.first..track.end() {
                let (kind, before) = track.decode(from[cell]);
                let place = (track.first..track.end()).find(|&cell| track.decode(to[cell]).0 == kind);
                let Some(place) = place else {
                    return false;
                };
                let (_, after) = track.decode(to[place]);
                let twists = usize::from(track.twists);
                for twist in 0..twists {
                    let turned = twist + usize::from(after) + twists - usize::from(before);
                    images[self.first[cell] + twist] = (self.first[place] + turned % twists) as u16;
                }
            }
        }
        Permutation::new(&images).is_some_and(|link| self.chain.contains(&link))
    }

    /// Whether a state can be reached; `None` where some pieces are identical.
    pub fn has(&self, frame: &CellFrame, cells: &Cells) -> Option<bool> {
        let pairs = frame.tracks.iter().map(|track| track.slots.len() * usize::from(track.twists)).sum();
        self.is_distinct.then(|| self.roots.iter().any(|root| self.leads(frame, root, cells, pairs)))
    }

    /// A state that can be reached; all are equally likely.
    pub fn random(&self, frame: &CellFrame, random: &mut Random) -> Cells {
        let root = match &self.reached[..] {
            [] | [_] => random.place(self.roots.len()),
            reached => {
                let mut left = random.below(self.states.unwrap_or(1));
                let passed = reached.iter().take_while(|&&states| match left.checked_sub(states) {
                    Some(rest) => {
                        left = rest;
                        true
                    }
                    None => false,
                });
                passed.count().min(self.roots.len() - 1)
            }
        };
        let root = &self.roots[root];
        let Some(element) = self.chain.element(|count| random.place(count)) else {
            return *root;
        };
        let mut cells = [0; MOST_CELLS];
        for track in &frame.tracks {
            for cell in track.first..track.end() {
                let image = element.image(self.first[cell]);
                let place = self.first.partition_point(|&first| first <= image) - 1;
                let table = track.twisted(image - self.first[place]);
                cells[place] = table[usize::from(root[cell])];
            }
        }
        cells
    }
}

/// The number of permutations and turns of the tracks that obey the laws of the moves; `None` beyond 128 bits.
fn lawful(frame: &CellFrame, generators: &[Permutation], first: &[usize]) -> Option<u128> {
    let mut periods = Vec::new();
    let mut all = 1u128;
    for track in &frame.tracks {
        periods.extend([if track.slots.len() > 1 { 2 } else { 1 }, u32::from(track.twists)]);
        for number in 1..=track.slots.len() as u128 {
            all = all.checked_mul(number)?.checked_mul(track.twists.into())?;
        }
    }
    if periods.len() > Laws::MOST {
        return None;
    }
    let classes = |generator: &Permutation| -> Vec<u32> {
        let of_track = |track: &super::frame::Track| {
            let places: Vec<usize> =
                (track.first..track.end()).map(|cell| generator.image(first[cell])).collect();
            let slot = |pair: usize| first.partition_point(|&first| first <= pair) - 1;
            let mut odd = 0;
            for (at, &place) in places.iter().enumerate() {
                odd ^= places[..at].iter().filter(|&&before| slot(before) > slot(place)).count() as u32 & 1;
            }
            let turns: usize = places.iter().map(|&place| place - first[slot(place)]).sum();
            [odd, (turns % usize::from(track.twists)) as u32]
        };
        frame.tracks.iter().flat_map(of_track).collect()
    };
    let constants: Vec<Vec<u32>> = generators.iter().map(classes).collect();
    let laws = Laws::new(&periods, &constants, vec![0; periods.len()]);
    let excluded: u128 = periods.iter().map(|&period| u128::from(period)).product::<u128>() / laws.free();
    Some(all / excluded)
}

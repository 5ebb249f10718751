//! Small parts of a puzzle whose states are listed: what can be reached in them, and what is counted there.
//!
//! # Why
//! The [laws](super::laws) on parities and sums of twists are all that a large track of distinct pieces can
//! have. A small one, or some small tracks together, may obey others: four slots that only even
//! permutations reach have a class modulo 3; six slots may be permuted in 120 of 720 ways; two tracks may
//! always show the same of something that is not counted by numbers. So the states of a part that moves reach from a
//! solved one are found by going there, and everything that excludes the others is known.
//!
//! # Classes
//! Parts are independent of each other but for what is counted in both. The *classes* of a part are all that
//! can be counted: to every state belongs a member of an abelian group, and every move adds a constant to it,
//! whatever the state. The largest such group has a generator for each move; along a tree of moves from the
//! solved state every state gets a word, and every move that leads from one state of the part to another
//! makes a relation between their words. The laws then link the classes of all parts.
//!
//! # Which parts
//! Each track that is small enough is one. Two of them are joined if fewer of their common states can be
//! reached than the laws on their classes leave, and so are those that are joined with them. A law that
//! links three parts, none of which it links pairwise, and that is not a matter of classes is not found.
//!
//! Symmetries exchange parts: none of these choices depends on the numbers of tracks.

use std::collections::HashMap;

use super::abelian::{Quotient, Relations};
use super::frame::{CellFrame, Cells, MOST_CELLS};
use super::laws::Laws;
use super::track_numbers::TrackNumbers;

/// The most combinations of arrangements and twists of a part, reached or not.
const MOST_COMBINED: u64 = 1 << 20;
/// The most states of a part.
const MOST_STATES: usize = 1 << 17;
/// The most different moves of a part.
const MOST_GENERATORS: usize = 24;
/// The most tracks of a puzzle with parts: there is a table of combinations for each.
const MOST_TRACKS: usize = 32;
/// Moves of states that finding all parts may take.
const MOST_WORK: usize = 1 << 23;
/// No state.
const NONE: u32 = u32::MAX;

/// A part of a puzzle whose states are listed.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    /// Its tracks.
    pub tracks: Vec<usize>,
    /// What its classes are counted modulo.
    pub periods: Vec<u32>,
    /// How many states have a class.
    pub size: u32,
    /// By combination: the number of the state. States with the same class are numbered in a row.
    numbers: Vec<u32>,
    /// By number: the combination.
    states: Vec<u32>,
}

impl Listed {
    /// The number of what cells show of it; `None` if that cannot be reached.
    #[inline]
    pub fn number(&self, tracks: &[TrackNumbers], cells: &Cells) -> Option<u32> {
        Some(self.numbers[combination(&self.tracks, tracks, cells) as usize]).filter(|&number| number != NONE)
    }

    /// Appends the classes of a number.
    pub fn classes(&self, number: u32, classes: &mut Vec<u32>) {
        let mut left = number / self.size;
        let start = classes.len();
        for &period in self.periods.iter().rev() {
            classes.push(left % period);
            left /= period;
        }
        classes[start..].reverse();
    }

    /// Makes cells show a number.
    pub fn set(&self, tracks: &[TrackNumbers], number: u32, cells: &mut Cells) {
        set(&self.tracks, tracks, self.states[number as usize].into(), cells);
    }

    /// How many states it has.
    pub fn count(&self) -> usize {
        self.states.len()
    }
}

fn combination(part: &[usize], tracks: &[TrackNumbers], cells: &Cells) -> u64 {
    part.iter().fold(0, |all, &track| {
        let (arrangements, words) = tracks[track].sizes();
        let all = all * arrangements + tracks[track].rank_arrangement(cells);
        all * words + tracks[track].rank_word(cells)
    })
}

fn set(part: &[usize], tracks: &[TrackNumbers], mut combination: u64, cells: &mut Cells) {
    for &track in part.iter().rev() {
        let (arrangements, words) = tracks[track].sizes();
        let word = combination % words;
        combination /= words;
        tracks[track].unrank_arrangement(combination % arrangements, 0, cells);
        tracks[track].unrank_word(word, 0, cells);
        combination /= arrangements;
    }
}

/// Finds parts. Nothing may be left of the work that it may do.
pub(super) struct Lister<'f> {
    frame: &'f CellFrame,
    tracks: &'f [TrackNumbers],
    work: usize,
}

/// What walking a part shows.
struct PartWalk {
    /// By number: the combination.
    states: Vec<u32>,
    /// What can be counted, by state and by move.
    classes: Vec<Vec<u32>>,
    constants: Vec<Vec<u32>>,
    quotient: Quotient,
}

impl<'f> Lister<'f> {
    /// The parts of the tracks of a frame that are small enough to be listed; `None` if that is too much
    /// work, or if solved states cannot be reached from each other in a part.
    pub fn parts(frame: &'f CellFrame, tracks: &'f [TrackNumbers]) -> Option<Vec<Listed>> {
        let mut lister = Lister { frame, tracks, work: MOST_WORK };
        if tracks.len() > MOST_TRACKS {
            return None;
        }
        let mut alone: Vec<Option<PartWalk>> = Vec::new();
        for track in 0..tracks.len() {
            let small = lister.is_small(&[track]);
            alone.push(if small { lister.walk(&[track])? } else { None });
        }
        let mut owners: Vec<usize> = (0..tracks.len()).collect();
        for first in 0..tracks.len() {
            for second in first + 1..tracks.len() {
                let (Some(one), Some(other)) = (&alone[first], &alone[second]) else {
                    continue;
                };
                if !lister.is_small(&[first, second]) {
                    continue;
                }
                let Some(both) = lister.walk(&[first, second])? else {
                    continue;
                };
                let periods = [&one.quotient.periods[..], &other.quotient.periods].concat();
                let constants = one.constants.iter().zip(&other.constants);
                let constants: Vec<Vec<u32>> =
                    constants.map(|(one, other)| [&one[..], other].concat()).collect();
                if periods.len() > Laws::MOST {
                    return None;
                }
                let laws = Laws::new(&periods, &constants, vec![0; periods.len()]);
                let all = one.states.len() as u128 * other.states.len() as u128;
                let orders = one.quotient.order() * other.quotient.order();
                if (both.states.len() as u128) < all / orders * laws.free() {
                    let (a, b) = (owners[first], owners[second]);
                    owners.iter_mut().filter(|owner| **owner == b).for_each(|owner| *owner = a);
                }
            }
        }
        let mut parts = Vec::new();
        for owner in 0..tracks.len() {
            let part: Vec<usize> = (0..tracks.len()).filter(|&track| owners[track] == owner).collect();
            let together = match part.len() {
                0 => continue,
                1 => alone[part[0]].take(),
                _ if lister.is_small(&part) => lister.walk(&part)?,
                _ => None,
            };
            match together {
                Some(walked) => parts.push(lister.listed(part, walked)),
                // Too many together: each for itself.
                None => {
                    for track in part {
                        if let Some(walked) = alone[track].take() {
                            parts.push(lister.listed(vec![track], walked));
                        }
                    }
                }
            }
        }
        Some(parts)
    }

    fn is_small(&self, part: &[usize]) -> bool {
        let sizes = part.iter().map(|&track| self.tracks[track].sizes());
        let all = sizes.map(|(arrangements, words)| arrangements.checked_mul(words));
        let all = all.into_iter().try_fold(1u64, |all, size| all.checked_mul(size?));
        all.is_some_and(|all| all <= MOST_COMBINED)
    }

    /// What moves reach from the first root. The outer `None` gives up altogether, the inner one means that
    /// this part cannot be listed.
    fn walk(&mut self, part: &[usize]) -> Option<Option<PartWalk>> {
        let frame = self.frame;
        // What moves do to this part alone; those that do the same are one.
        let mut actions: HashMap<Vec<(u16, u32)>, usize> = HashMap::new();
        let (mut generators, mut numbers) = (Vec::new(), Vec::new());
        for (number, mv) in frame.moves.iter().enumerate() {
            let cells = part.iter().flat_map(|&track| frame.tracks[track].first..frame.tracks[track].end());
            let action: Vec<(u16, u32)> = cells.map(|cell| mv.steps[cell]).collect();
            let next = generators.len();
            let known = *actions.entry(action).or_insert(next);
            if known == next {
                generators.push(number);
            }
            numbers.push(known);
        }
        if generators.len() > MOST_GENERATORS {
            return Some(None);
        }
        let mut known: HashMap<u32, u32> = HashMap::new();
        let start = combination(part, self.tracks, &frame.roots[0]) as u32;
        known.insert(start, 0);
        let mut states = vec![start];
        let mut words = vec![vec![0i32; generators.len()]];
        let mut relations = Relations::none(generators.len());
        let (mut cells, mut moved) = (frame.roots[0], [0; MOST_CELLS]);
        let mut at = 0;
        while let Some(&state) = states.get(at) {
            self.work = self.work.checked_sub(generators.len())?;
            if states.len() > MOST_STATES {
                return Some(None);
            }
            set(part, self.tracks, state.into(), &mut cells);
            for (number, &generator) in generators.iter().enumerate() {
                frame.recodings.moved(&frame.moves[generator], &cells, &mut moved);
                let target = combination(part, self.tracks, &moved) as u32;
                let mut word = words[at].clone();
                word[number] += 1;
                match known.get(&target) {
                    None => {
                        known.insert(target, states.len() as u32);
                        states.push(target);
                        words.push(word);
                    }
                    Some(&other) => {
                        let pairs = word.iter().zip(&words[other as usize]);
                        relations.add(pairs.map(|(&a, &b)| i64::from(a) - i64::from(b)).collect())?;
                    }
                }
            }
            at += 1;
        }
        for root in &frame.roots {
            let number = combination(part, self.tracks, root) as u32;
            if !known.contains_key(&number) {
                return None;
            }
        }
        let quotient = relations.quotient()?;
        let classes = words.iter().map(|word| quotient.image(word)).collect();
        let constant = |&number: &usize| {
            let word: Vec<i32> = (0..generators.len()).map(|other| i32::from(other == number)).collect();
            quotient.image(&word)
        };
        let constants = numbers.iter().map(constant).collect();
        Some(Some(PartWalk { states, classes, constants, quotient }))
    }

    fn listed(&self, tracks: Vec<usize>, walked: PartWalk) -> Listed {
        let PartWalk { mut states, classes, quotient, .. } = walked;
        let class = |classes: &Vec<u32>| {
            classes.iter().zip(&quotient.periods).fold(0u32, |all, (&class, &period)| all * period + class)
        };
        let mut order: Vec<(u32, u32)> =
            states.iter().zip(&classes).map(|(&state, classes)| (class(classes), state)).collect();
        order.sort_unstable();
        states = order.into_iter().map(|(_, state)| state).collect();
        let combined: u64 =
            tracks.iter().map(|&track| self.tracks[track].sizes()).map(|(a, w)| a * w).product();
        let mut numbers = vec![NONE; combined as usize];
        for (number, &state) in (0..).zip(&states) {
            numbers[state as usize] = number;
        }
        let size = (states.len() as u128 / quotient.order()) as u32;
        Listed { tracks, periods: quotient.periods, size, numbers, states }
    }
}

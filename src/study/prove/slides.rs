//! The base where moves do the same in every state ([`UniformMoves`]): a state is a mask of the places that are
//! not free, a move is a permutation of places, and a table has the distance of every mask.
//!
//! The words of a state are found by a depth-first search that never leaves the way. A word that two of its
//! moves make shorter, or that exchanging two neighbours that commute brings into another order, does what
//! another word does, and is left out.

use rustc_hash::{FxHashMap, FxHashSet};

use super::masks::{MaskRanks, VALUES, image, images};
use super::tables::{ABSENT, Distances};
use super::words::{Word, key};
use crate::encode::cpu::{self, Cpu, Kernel};
use crate::engine::{Control, Job, Manifest};
use crate::error::{Error, Result};
use crate::puzzle::{State, Subgoals, UniformMoves};
use crate::store::memory::HugeTable;

/// Chunks of a mask.
const CHUNKS: usize = 4;
/// The most places of a board.
pub const PLACES: usize = MaskRanks::<2>::PLACES;
/// The most moves.
const MOVES: usize = 64;
/// No more masks are kept in a list.
const MOST_LISTED: usize = 1 << 21;

/// A base whose moves do the same in every state.
pub struct SlideBase {
    uniform: UniformMoves,
    /// By move and chunk: the image of a mask.
    images: Vec<u64>,
    /// By the move before, or none: a bit for each move that can follow.
    onward: Vec<u64>,
    ranks: MaskRanks<2>,
    /// By the rank of a mask.
    distances: HugeTable<u8>,
    /// By distance: the masks that are at least that far, if they are not too many.
    at_least: Vec<Option<Vec<u64>>>,
    /// Solved masks: the number of the entrance, and for each place that of its position there.
    entrances: FxHashMap<u64, (usize, Vec<u8>)>,
}

impl SlideBase {
    /// Bytes that it takes; `None` if the base has too many states, or its moves are not uniform.
    pub fn memory_for(subgoals: &dyn Subgoals, start: &State) -> Option<u64> {
        let uniform = subgoals.uniform()?;
        let places = start.0.len();
        let pinned = start.0.iter().filter(|&&byte| byte == uniform.pinned).count();
        let ranks = MaskRanks::<2>::new(places, pinned)?;
        (uniform.moves.len() <= MOVES && ranks.count() >= 1).then_some(ranks.count() as u64 + (64 << 20))
    }

    /// Reads all distances from the job of the base; `start` is any state of it.
    pub fn new(
        subgoals: &dyn Subgoals,
        base: &Distances,
        (job, manifest): (&Job, &Manifest),
        start: &State,
        control: Control<'_>,
    ) -> Result<Option<SlideBase>> {
        let Some(uniform) = subgoals.uniform() else { return Ok(None) };
        let mask = |state: &State| mask_of(&uniform, state);
        let Some(ranks) = MaskRanks::<2>::new(start.0.len(), mask(start).count_ones() as usize) else {
            return Ok(None);
        };
        let made = |map: &[u8]| images(CHUNKS, |place| map.get(place).map_or(0, |&to| 1u64 << to));
        let symmetries: Vec<Vec<u64>> = uniform.symmetries.iter().map(|map| made(map)).collect();
        let mut distances = HugeTable::zeroed(ranks.count())?;
        distances.fill(ABSENT);
        let (mut indices, mut filled, mut entrances) = (Vec::new(), 0, FxHashMap::default());
        for record in &manifest.levels {
            let set = job.open_level::<u64>(record)?;
            for block in 0..set.blocks() {
                if control.stopped() {
                    return Err(Error::interrupted("stopped while the levels were read"));
                }
                indices.clear();
                set.block(block, &mut indices)?;
                for &index in &indices {
                    let Some(state) = base.puzzle.state_of(index.into()) else { continue };
                    let mask = mask(&state);
                    for symmetry in &symmetries {
                        let image = image::<CHUNKS>(symmetry, mask);
                        let place = &mut distances[ranks.rank(image)];
                        filled += usize::from(*place == ABSENT);
                        *place = record.level as u8;
                        if record.level == 0 {
                            entrances
                                .entry(image)
                                .or_insert_with(|| entrance(subgoals, &uniform, start, image));
                        }
                    }
                }
            }
        }
        if filled != ranks.count() {
            return Err(Error::verification(format!(
                "the levels of {} do not hold all of its states: {filled} of {}",
                base.puzzle.text(),
                ranks.count()
            )));
        }
        let at_least = listed(&ranks, &distances, manifest.levels.len());
        let images = uniform.moves.iter().flat_map(|map| made(map)).collect();
        let onward = onward(&uniform.moves);
        Ok(Some(SlideBase { uniform, images, onward, ranks, distances, at_least, entrances }))
    }

    /// Bytes that it takes.
    pub fn memory(&self) -> u64 {
        let listed: usize = self.at_least.iter().flatten().map(Vec::len).sum();
        (self.distances.len() + listed * size_of::<u64>()) as u64
    }

    /// The masks that are at least that far, if they are not too many.
    pub fn at_least(&self, distance: u32) -> Option<&[u64]> {
        self.at_least.get(distance as usize)?.as_deref()
    }

    /// The mask of a state.
    pub fn mask(&self, state: &State) -> u64 {
        mask_of(&self.uniform, state)
    }

    /// The labels whose places are the masks of further views.
    pub fn leaders(&self) -> &[u8] {
        &self.uniform.leaders
    }

    /// The distance of a mask.
    #[inline(always)]
    pub fn distance(&self, mask: u64) -> u32 {
        self.distances[self.ranks.rank(mask)].into()
    }
}

/// By distance the masks that are at least that far, where they are not too many.
fn listed(ranks: &MaskRanks<2>, distances: &[u8], levels: usize) -> Vec<Option<Vec<u64>>> {
    let mut counts = vec![0; levels];
    distances.iter().for_each(|&distance| counts[usize::from(distance)] += 1);
    for level in (1..levels).rev() {
        counts[level - 1] += counts[level];
    }
    let mut lists: Vec<Option<Vec<u64>>> =
        counts.iter().map(|&count| (count <= MOST_LISTED).then(|| Vec::with_capacity(count))).collect();
    let first = lists.iter().position(Option::is_some).unwrap_or(levels);
    for (mask, &distance) in ranks.masks().zip(distances) {
        for list in lists.iter_mut().take(usize::from(distance) + 1).skip(first).flatten() {
            list.push(mask);
        }
    }
    lists
}

fn mask_of(uniform: &UniformMoves, state: &State) -> u64 {
    let bits = (0..).zip(&state.0).filter(|(_, byte)| **byte == uniform.pinned);
    bits.fold(0, |mask, (place, _): (u32, _)| mask | 1 << place)
}

/// The entrance of a solved mask, with the position of every place that is free there.
fn entrance(subgoals: &dyn Subgoals, uniform: &UniformMoves, like: &State, mask: u64) -> (usize, Vec<u8>) {
    let byte = |place: usize| if mask >> place & 1 == 1 { uniform.pinned } else { uniform.free };
    let state = State((0..like.0.len()).map(byte).collect());
    let entrance = subgoals.entrance(&state);
    let mut positions = vec![0; like.0.len()];
    let free = (0..like.0.len()).filter(|place| mask >> place & 1 == 0);
    free.zip(&entrance.order).for_each(|(place, &position)| positions[place] = position);
    (entrance.number, positions)
}

/// For each move, and for none, the moves that can follow it in a word that is as short and as early in the
/// order as what it does allows.
fn onward(moves: &[Vec<u8>]) -> Vec<u64> {
    let then = |first: &[u8], second: &[u8]| -> Vec<u8> {
        first.iter().map(|&place| second[usize::from(place)]).collect()
    };
    let is_identity = |map: &[u8]| (0..).zip(map).all(|(place, &to): (u8, &u8)| place == to);
    let can_follow = |first: usize, second: usize| {
        let both = then(&moves[first], &moves[second]);
        let commute = both == then(&moves[second], &moves[first]);
        let shorter = is_identity(&both) || moves.contains(&both);
        let reordered = commute && second < first;
        !(shorter || reordered)
    };
    let count = moves.len();
    let after = |first: usize| (0..count).filter(move |&second| can_follow(first, second));
    let bits = |moves: &mut dyn Iterator<Item = usize>| moves.fold(0, |bits, number| bits | 1 << number);
    let mut onward: Vec<u64> = (0..count).map(|first| bits(&mut after(first))).collect();
    onward.push(bits(&mut (0..count)));
    onward
}

/// The search for the words from one state.
pub struct SlideWords<'a> {
    slides: &'a SlideBase,
    mask: u64,
    /// The places that are free at the start.
    free: Vec<u8>,
    /// What was found so far, of any length.
    found: FxHashSet<u128>,
}

/// A place of the search: where the places of the start are.
type Carried = [u8; PLACES];

impl<'a> SlideWords<'a> {
    /// The words from a mask.
    pub fn new(slides: &'a SlideBase, start: &State) -> Self {
        let mask = slides.mask(start);
        let free = (0..start.0.len() as u8).filter(|place| mask >> place & 1 == 0).collect();
        SlideWords { slides, mask, free, found: FxHashSet::default() }
    }

    /// Calls `visit` with the words of exactly this length until it returns false; those that do the same as a
    /// word before are left out. Returns false if `visit` did.
    pub fn each(&mut self, length: u32, visit: &mut dyn FnMut(Word) -> bool) -> bool {
        let none = self.slides.uniform.moves.len();
        let mut places = [0; PLACES];
        (0..).zip(&mut places).for_each(|(place, to)| *to = place);
        self.enter(self.mask, &places, none, length, visit)
    }

    fn enter(
        &mut self,
        mask: u64,
        carried: &Carried,
        before: usize,
        left: u32,
        visit: &mut dyn FnMut(Word) -> bool,
    ) -> bool {
        let slides = self.slides;
        if left == 0 {
            let Some((entrance, positions)) = slides.entrances.get(&mask) else { return true };
            let position = |&place: &u8| positions[usize::from(carried[usize::from(place)])];
            let map: Vec<u8> = self.free.iter().map(position).collect();
            return match self.found.insert(key(&[*entrance as u8], &map)) {
                true => visit(Word { entrance: *entrance, map }),
                false => true,
            };
        }
        let (mut afters, mut numbers) = ([0; MOVES], [0; MOVES]);
        let onward = slides.onward[before];
        let step = SlideStep { slides, mask, onward, left, afters: &mut afters, numbers: &mut numbers };
        let count = cpu::run(step);
        for (&after, &number) in afters.iter().zip(&numbers).take(count) {
            let mv = &slides.uniform.moves[usize::from(number)];
            let mut next = [0; PLACES];
            for (&place, to) in carried.iter().zip(&mut next).take(mv.len()) {
                *to = mv[usize::from(place)];
            }
            if !self.enter(after, &next, number.into(), left - 1, visit) {
                return false;
            }
        }
        true
    }
}

/// The moves of a mask after which it can still be solved in time.
struct SlideStep<'s> {
    slides: &'s SlideBase,
    mask: u64,
    onward: u64,
    left: u32,
    afters: &'s mut [u64; MOVES],
    numbers: &'s mut [u8; MOVES],
}

impl Kernel for SlideStep<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> usize {
        let SlideStep { slides, mask, mut onward, left, afters, numbers } = self;
        // All are ranked before one is looked up, so that the processor waits for all of them at a time.
        let mut ranks = [0; MOVES];
        let mut count = 0;
        while onward != 0 {
            let number = onward.trailing_zeros() as usize;
            onward &= onward - 1;
            let images = &slides.images[number * CHUNKS * VALUES..][..CHUNKS * VALUES];
            let after = image::<CHUNKS>(images, mask);
            let slot = count % MOVES;
            (afters[slot], numbers[slot], ranks[slot]) = (after, number as u8, slides.ranks.rank(after));
            count += 1;
        }
        let (mut kept, mut slot) = (0, 0);
        while slot < count.min(MOVES) {
            let distance = u32::from(slides.distances[ranks[slot]]);
            (afters[kept % MOVES], numbers[kept % MOVES]) = (afters[slot], numbers[slot]);
            kept += usize::from(distance < left);
            slot += 1;
        }
        kept
    }
}

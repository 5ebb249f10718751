//! Classes by coordinates: for puzzles whose state is a few small numbers that moves change independently.
//!
//! # The index
//! One coordinate, the *leader*, is reduced by symmetry to classes; each of the others, the *followers*, is
//! a digit below it:
//!
//! *index = class of the leader x all values of the followers + followers*.
//!
//! The leader's class has a representative, and a state is turned by a symmetry that makes its leader that;
//! if several do, the least followers count. Only the leader's classes need rows: where each move leads from the
//! representative, to which class, and how the followers have to be turned then. With the followers' own
//! tables, of moves and of turns, a neighbour costs two look-ups for each follower.
//!
//! A batch is ascending, so states with the same leader come together: for them a move leads to one
//! other class, and what is looked up stays in cache.
//!
//! # What coordinates there are
//! Tracks that symmetries exchange make one coordinate together. A track alone can also be split into its
//! arrangement, which leads, and its twists, which follow. How a symmetry turns twists may depend on the
//! pieces (if it turns one piece but not another), and so on the leader: every way that occurs has a
//! *map* of its own.
//!
//! A puzzle whose coordinates are too large or linked by laws has no such index; [`space`](super::space)
//! serves it, and this one is checked against that.

mod build;
mod rows;

use super::frame::{Cells, MOST_CELLS};
use super::space::CellSpace;
use crate::space::{Direction, Rows, Space};
use build::{Builder, plan};

/// The most followers.
const MOST_FOLLOWERS: usize = 4;
/// A leader has at most one in so many of all states: else making rows would be the enumeration.
const LEAST_REST: u128 = 64;
/// States that are expanded together.
const RUN: usize = 256;

/// A part of a state that is a number.
#[derive(Clone, Debug)]
enum Coordinate {
    /// Some tracks, arrangements and twists.
    Tracks(Vec<usize>),
    /// The arrangement of a track.
    Arrangement(usize),
    /// The twists of a track whose arrangement is known.
    Word(usize),
}

/// A coordinate that is transformed along with the leader.
struct Follower {
    coordinate: Coordinate,
    count: usize,
    /// `[move][value]`, flattened.
    moves: Vec<u16>,
    /// `[map][value]`, flattened.
    maps: Vec<u16>,
}

/// Where a move leads from a leader's representative.
#[derive(Clone, Copy)]
struct Row {
    class: u32,
    maps: [u32; MOST_FOLLOWERS],
}

/// The classes of a puzzle by coordinates.
pub(super) struct ProductSpace {
    pub cells: CellSpace,
    leader: Coordinate,
    followers: Vec<Follower>,
    /// By value of the leader: its class and the symmetry that makes it the representative.
    classes: Vec<(u32, u16)>,
    /// By class: the representative.
    leaders: Vec<u32>,
    /// `[class][move]`, flattened.
    rows: Vec<Row>,
    /// By class: where its turns begin.
    first_turn: Vec<u32>,
    /// By class: the followers' maps of each symmetry that keeps the representative; none if only the
    /// identity does.
    turns: Vec<[u32; MOST_FOLLOWERS]>,
    /// How many values the followers have together.
    rest: u64,
}

impl Coordinate {
    fn count(&self, space: &CellSpace) -> Option<u64> {
        let sizes = |track: usize| space.numbering.sizes(track);
        match self {
            Coordinate::Tracks(tracks) => {
                let all = tracks.iter().flat_map(|&track| [sizes(track).0, sizes(track).1]);
                all.into_iter().try_fold(1u64, |count, size| count.checked_mul(size))
            }
            Coordinate::Arrangement(track) => Some(sizes(*track).0),
            Coordinate::Word(track) => Some(sizes(*track).1),
        }
    }

    fn value(&self, space: &CellSpace, cells: &Cells) -> u64 {
        let numbering = &space.numbering;
        match self {
            Coordinate::Tracks(tracks) => tracks.iter().fold(0, |value, &track| {
                let (arrangements, words) = numbering.sizes(track);
                let value = value * arrangements + numbering.arrangement(track, cells);
                value * words + numbering.word(track, cells)
            }),
            Coordinate::Arrangement(track) => numbering.arrangement(*track, cells),
            Coordinate::Word(track) => numbering.word(*track, cells),
        }
    }

    /// Makes it have a value. Twists must come after their arrangement.
    fn set(&self, space: &CellSpace, mut value: u64, cells: &mut Cells) {
        let numbering = &space.numbering;
        match self {
            Coordinate::Tracks(tracks) => {
                for &track in tracks.iter().rev() {
                    let (arrangements, words) = numbering.sizes(track);
                    let word = value % words;
                    value /= words;
                    numbering.set_arrangement(track, value % arrangements, cells);
                    numbering.set_word(track, word, cells);
                    value /= arrangements;
                }
            }
            Coordinate::Arrangement(track) => numbering.set_arrangement(*track, value, cells),
            Coordinate::Word(track) => numbering.set_word(*track, value, cells),
        }
    }
}

impl ProductSpace {
    /// The classes of a space by coordinates; the space itself if that cannot be.
    pub fn new(space: CellSpace) -> Result<ProductSpace, Box<CellSpace>> {
        ProductSpace::with_rest(space, LEAST_REST)
    }

    /// The same where the followers have at least so many values for each of the leader.
    pub fn with_rest(space: CellSpace, rest: u128) -> Result<ProductSpace, Box<CellSpace>> {
        match plan(&space, rest) {
            Some((leader, followers)) => Builder::new(space, leader, followers).build(),
            None => Err(Box::new(space)),
        }
    }

    /// The least followers' number of a class that symmetries of its representative make of these values.
    #[inline(always)]
    fn least(&self, class: usize, values: &[u16; MOST_FOLLOWERS]) -> (u64, u64) {
        let turns = &self.turns[self.first_turn[class] as usize..self.first_turn[class + 1] as usize];
        if turns.is_empty() {
            return (self.joined(|follower| values[follower]), 1);
        }
        let (mut least, mut ways) = (u64::MAX, 0);
        for maps in turns {
            let turned = |at: usize| {
                let follower = &self.followers[at];
                follower.maps[maps[at] as usize * follower.count + usize::from(values[at])]
            };
            let number = self.joined(turned);
            if number < least {
                (least, ways) = (number, 0);
            }
            ways += u64::from(number == least);
        }
        (least, ways)
    }

    #[inline(always)]
    fn joined(&self, value: impl Fn(usize) -> u16) -> u64 {
        let followers = self.followers.iter().enumerate();
        followers.fold(0, |number, (at, follower)| number * follower.count as u64 + u64::from(value(at)))
    }

    /// The followers' values of a number below `rest`.
    #[inline(always)]
    fn split(&self, number: u64) -> [u16; MOST_FOLLOWERS] {
        let mut values = [0; MOST_FOLLOWERS];
        match &self.followers[..] {
            [_] => values[0] = number as u16,
            // At most 2^32 values: a shorter division.
            [_, low] if low.count <= usize::from(u16::MAX) => {
                let (number, count) = (number as u32, low.count as u32);
                (values[0], values[1]) = ((number / count) as u16, (number % count) as u16);
            }
            followers => split_all(followers, number, &mut values),
        }
        values
    }

    /// The state with this number; `None` if there is none.
    pub fn cells_of(&self, number: u64) -> Option<Cells> {
        let leader = *self.leaders.get(usize::try_from(number / self.rest).ok()?)?;
        let mut cells = [0; MOST_CELLS];
        self.leader.set(&self.cells, leader.into(), &mut cells);
        for (follower, value) in self.followers.iter().zip(self.split(number % self.rest)) {
            follower.coordinate.set(&self.cells, value.into(), &mut cells);
        }
        Some(cells)
    }

    /// The number of a state's class; `None` if it has none.
    pub fn number_of(&self, cells: &Cells) -> Option<u64> {
        if !self.cells.numbering.has(cells) {
            return None;
        }
        self.lawful_number(cells)
    }

    /// The same for a state that obeys the laws.
    pub fn lawful_number(&self, cells: &Cells) -> Option<u64> {
        let (class, symmetry) = *self.classes.get(self.leader.value(&self.cells, cells) as usize)?;
        let mut turned = [0; MOST_CELLS];
        let motion = &self.cells.group[usize::from(symmetry)];
        self.cells.frame.recodings.moved(motion, cells, &mut turned);
        let mut values = [0; MOST_FOLLOWERS];
        for (value, follower) in values.iter_mut().zip(&self.followers) {
            *value = follower.coordinate.value(&self.cells, &turned) as u16;
        }
        Some(u64::from(class) * self.rest + self.least(class as usize, &values).0)
    }

    /// Appends the neighbours of classes with the same leader, given by their followers.
    #[inline(always)]
    fn expand_run(&self, class: usize, run: &[u64], candidates: &mut Vec<u64>) {
        let first = class as u64 * self.rest;
        let mut values = [[0u16; MOST_FOLLOWERS]; RUN];
        for (values, &index) in values.iter_mut().zip(run) {
            *values = self.split(index - first);
        }
        let values = &values[..run.len()];
        let moves = self.cells.frame.moves.len();
        for (mv, row) in self.rows[class * moves..(class + 1) * moves].iter().enumerate() {
            let base = u64::from(row.class) * self.rest;
            let tables = |at: usize| {
                let follower = &self.followers[at];
                let (count, map) = (follower.count, row.maps[at] as usize);
                (
                    &follower.moves[mv * count..(mv + 1) * count],
                    &follower.maps[map * count..(map + 1) * count],
                )
            };
            let look = |(moved, mapped): (&[u16], &[u16]), value: u16| {
                mapped[usize::from(moved[usize::from(value)])]
            };
            let class = row.class as usize;
            let is_plain = self.first_turn[class] == self.first_turn[class + 1];
            match self.followers.len() {
                1 if is_plain => {
                    let only = tables(0);
                    candidates.extend(values.iter().map(|values| base + u64::from(look(only, values[0]))));
                }
                2 if is_plain => {
                    let (high, low) = (tables(0), tables(1));
                    let count = self.followers[1].count as u64;
                    candidates.extend(values.iter().map(|values| {
                        base + u64::from(look(high, values[0])) * count + u64::from(look(low, values[1]))
                    }));
                }
                _ => {
                    for values in values {
                        let mut moved = [0; MOST_FOLLOWERS];
                        for (at, moved) in moved.iter_mut().enumerate().take(self.followers.len()) {
                            *moved = look(tables(at), values[at]);
                        }
                        candidates.push(base + self.least(class, &moved).0);
                    }
                }
            }
        }
    }
}

impl Space<u64> for ProductSpace {
    fn universe(&self) -> u64 {
        self.leaders.len() as u64 * self.rest
    }

    fn roots(&self) -> Vec<u64> {
        let mut roots: Vec<u64> =
            self.cells.frame.roots.iter().filter_map(|root| self.number_of(root)).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    fn expand(&self, batch: &[u64], candidates: &mut Vec<u64>) {
        let mut rest = batch;
        while let Some(&index) = rest.first() {
            let class = index / self.rest;
            let end = (class + 1) * self.rest;
            let length = rest.iter().take(RUN).take_while(|&&index| index < end).count().max(1);
            let (run, behind) = rest.split_at(length);
            self.expand_run(class as usize, run, candidates);
            rest = behind;
        }
    }

    fn fanout(&self) -> usize {
        self.cells.frame.moves.len()
    }

    fn states(&self, batch: &[u64]) -> u128 {
        let order = self.cells.group.len() as u128;
        let mut end = 0;
        let mut class = 0;
        let sizes = batch.iter().map(|&index| {
            if index >= end {
                class = (index / self.rest) as usize;
                end = (class as u64 + 1) * self.rest;
            }
            if self.first_turn[class] == self.first_turn[class + 1] {
                return order;
            }
            let values = self.split(index - class as u64 * self.rest);
            order / u128::from(self.least(class, &values).1)
        });
        sizes.sum()
    }

    fn canonical(&self, index: u64) -> Option<u64> {
        let class = index / self.rest;
        (class < self.leaders.len() as u64)
            .then(|| class * self.rest + self.least(class as usize, &self.split(index % self.rest)).0)
    }

    fn direction(&self) -> Direction {
        self.cells.direction
    }

    fn rows(&self) -> Option<&dyn Rows> {
        self.as_rows()
    }
}

fn split_all(followers: &[Follower], mut number: u64, values: &mut [u16; MOST_FOLLOWERS]) {
    for (value, follower) in values[..followers.len()].iter_mut().zip(followers).rev() {
        let count = follower.count as u64;
        *value = (number % count) as u16;
        number /= count;
    }
}

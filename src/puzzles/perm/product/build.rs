//! Choosing the coordinates of a puzzle, and making their tables.

use std::collections::HashMap;

use super::{Coordinate, Follower, MOST_FOLLOWERS, ProductSpace, Row};
use crate::puzzles::perm::frame::{Cells, MOST_CELLS, Motion};
use crate::puzzles::perm::space::CellSpace;

/// The most values of a leader.
const MOST_LEADERS: u64 = 1 << 21;
/// The most values of a follower.
const MOST_FOLLOWING: u64 = 1 << 16;
/// The most entries of a follower's tables.
const MOST_ENTRIES: usize = 1 << 23;

/// The leader and the followers that make the fewest classes with short tables; `None` if there are no
/// such coordinates.
pub(super) fn plan(space: &CellSpace, rest: u128) -> Option<(Coordinate, Vec<Coordinate>)> {
    let is_free = space.legality.is_free() && space.numbering.is_by_tracks();
    if !is_free || space.numbering.laws.linked || space.numbering.count >= 1 << 63 {
        return None;
    }
    let tracks = &space.frame.tracks;
    // Tracks that symmetries exchange belong together.
    let mut owners: Vec<usize> = (0..tracks.len()).collect();
    let owner_of = |cell: usize| tracks.iter().position(|track| cell < track.end()).unwrap_or(0);
    for motion in &space.group {
        for (number, track) in tracks.iter().enumerate() {
            let source = owner_of(usize::from(motion.steps[track.first].0));
            let (a, b) = (owners[number].min(owners[source]), owners[number].max(owners[source]));
            owners.iter_mut().filter(|owner| **owner == b).for_each(|owner| *owner = a);
        }
    }
    let mut units: Vec<Vec<usize>> = Vec::new();
    for owner in 0..tracks.len() {
        let unit: Vec<usize> = (0..tracks.len()).filter(|&track| owners[track] == owner).collect();
        if !unit.is_empty() {
            units.push(unit);
        }
    }
    let mut plans = Vec::new();
    for (number, unit) in units.iter().enumerate() {
        let others = units.iter().enumerate().filter(|&(other, _)| other != number);
        let others: Vec<Coordinate> = others.map(|(_, unit)| Coordinate::Tracks(unit.clone())).collect();
        plans.push((Coordinate::Tracks(unit.clone()), others.clone()));
        if let [track] = unit[..]
            && tracks[track].kinds.iter().all(|kind| kind.modulus == tracks[track].twists)
        {
            let followers = std::iter::once(Coordinate::Word(track)).chain(others).collect();
            plans.push((Coordinate::Arrangement(track), followers));
        }
    }
    let most = (space.numbering.count / rest).min(MOST_LEADERS.into());
    let valid = plans.into_iter().filter_map(|(leader, mut followers)| {
        followers.retain(|follower| follower.count(space) != Some(1));
        let leaders = leader.count(space).filter(|&count| u128::from(count) <= most)?;
        let small =
            |follower: &Coordinate| follower.count(space).is_some_and(|count| count <= MOST_FOLLOWING);
        let fits = (1..=MOST_FOLLOWERS).contains(&followers.len()) && followers.iter().all(small);
        fits.then_some((leaders, leader, followers))
    });
    let best = valid.max_by_key(|(leaders, ..)| *leaders)?;
    Some((best.1, best.2))
}

/// The tables in the making.
pub(super) struct Builder {
    space: ProductSpace,
    /// By symmetry: the one that undoes it.
    inverses: Vec<u16>,
    /// By follower: the number of each map, by symmetry and what it does to the twists of the leader's track.
    numbers: Vec<HashMap<(u16, Vec<u8>), u32>>,
}

impl Builder {
    pub fn new(cells: CellSpace, leader: Coordinate, followers: Vec<Coordinate>) -> Builder {
        let numbers = vec![HashMap::new(); followers.len()];
        let followers: Vec<Follower> = followers
            .into_iter()
            .map(|coordinate| {
                let count = coordinate.count(&cells).unwrap_or(1) as usize;
                Follower { coordinate, count, moves: Vec::new(), maps: Vec::new() }
            })
            .collect();
        let rest = followers.iter().map(|follower| follower.count as u64).product();
        let space = ProductSpace {
            cells,
            leader,
            followers,
            classes: Vec::new(),
            leaders: Vec::new(),
            rows: Vec::new(),
            first_turn: vec![0],
            turns: Vec::new(),
            rest,
        };
        Builder { space, inverses: Vec::new(), numbers }
    }

    fn invert(&mut self) -> Option<()> {
        let space = &mut self.space.cells;
        let numbers: HashMap<&Motion, u16> = space.group.iter().zip(0..).collect();
        for motion in &space.group {
            let inverse = space.frame.recodings.inverse(motion);
            self.inverses.push(*numbers.get(&inverse)?);
        }
        Some(())
    }

    pub fn build(mut self) -> Result<ProductSpace, Box<CellSpace>> {
        match self
            .invert()
            .and_then(|()| self.follow_moves())
            .and_then(|()| self.classify())
            .and_then(|()| self.lead())
        {
            Some(()) => Ok(self.space),
            None => Err(Box::new(self.space.cells)),
        }
    }

    /// Makes the followers' tables of moves.
    fn follow_moves(&mut self) -> Option<()> {
        let ProductSpace { cells: space, followers, .. } = &mut self.space;
        let mut moved = [0; MOST_CELLS];
        for follower in followers {
            let moves = space.frame.moves.len();
            if follower.count * moves > MOST_ENTRIES {
                return None;
            }
            follower.moves = vec![0; follower.count * moves];
            for value in 0..follower.count {
                let mut cells = bare(space);
                follower.coordinate.set(space, value as u64, &mut cells);
                for (number, mv) in space.frame.moves.iter().enumerate() {
                    space.frame.recodings.moved(mv, &cells, &mut moved);
                    follower.moves[number * follower.count + value] =
                        follower.coordinate.value(space, &moved) as u16;
                }
            }
        }
        Some(())
    }

    /// Finds the classes of the leader.
    fn classify(&mut self) -> Option<()> {
        let count = self.space.leader.count(&self.space.cells)?;
        self.space.classes = vec![(u32::MAX, 0); count as usize];
        let mut image = [0; MOST_CELLS];
        for value in 0..count {
            if self.space.classes[value as usize].0 != u32::MAX {
                continue;
            }
            let class = self.space.leaders.len() as u32;
            self.space.leaders.push(value as u32);
            let cells = self.representative(value);
            let mut keeping = Vec::new();
            let mut images = Vec::with_capacity(self.space.cells.group.len());
            for (number, motion) in (0u16..).zip(&self.space.cells.group) {
                self.space.cells.frame.recodings.moved(motion, &cells, &mut image);
                let target = self.space.leader.value(&self.space.cells, &image);
                images.push(target as u32);
                if target == value {
                    keeping.push(number);
                }
            }
            // A symmetry leads back from the image that its inverse makes.
            for (number, &target) in (0u16..).zip(&images) {
                let back = self.inverses[usize::from(number)];
                let entry = &mut self.space.classes[target as usize];
                if entry.0 == u32::MAX {
                    *entry = (class, back);
                }
            }
            if keeping.len() > 1 {
                for number in keeping {
                    let maps = self.maps(number, &cells)?;
                    self.space.turns.push(maps);
                }
            }
            self.space.first_turn.push(u32::try_from(self.space.turns.len()).ok()?);
        }
        Some(())
    }

    /// Makes the rows.
    fn lead(&mut self) -> Option<()> {
        let mut moved = [0; MOST_CELLS];
        for class in 0..self.space.leaders.len() {
            let cells = self.representative(self.space.leaders[class].into());
            for mv in 0..self.space.cells.frame.moves.len() {
                let frame = &self.space.cells.frame;
                frame.recodings.moved(&frame.moves[mv], &cells, &mut moved);
                let (class, symmetry) =
                    self.space.classes[self.space.leader.value(&self.space.cells, &moved) as usize];
                let maps = self.maps(symmetry, &moved)?;
                self.space.rows.push(Row { class, maps });
            }
        }
        Some(())
    }

    /// A state with a value of the leader.
    fn representative(&self, value: u64) -> Cells {
        let mut cells = bare(&self.space.cells);
        self.space.leader.set(&self.space.cells, value, &mut cells);
        cells
    }

    /// The numbers of the maps with which a symmetry turns the followers of a leader.
    fn maps(&mut self, symmetry: u16, leader: &Cells) -> Option<[u32; MOST_FOLLOWERS]> {
        let mut maps = [0; MOST_FOLLOWERS];
        for (at, map) in maps.iter_mut().enumerate().take(self.space.followers.len()) {
            *map = self.map(at, symmetry, leader)?;
        }
        Some(maps)
    }

    fn map(&mut self, at: usize, symmetry: u16, leader: &Cells) -> Option<u32> {
        let ProductSpace { cells: space, followers, .. } = &mut self.space;
        let follower = &mut followers[at];
        let motion = &space.group[usize::from(symmetry)];
        let mut base = *leader;
        let mut key = Vec::new();
        if let Coordinate::Word(track) = follower.coordinate {
            // Without twists of its own, the image shows what the symmetry adds.
            let track = &space.frame.tracks[track];
            for cell in &mut base[track.first..track.end()] {
                *cell -= track.decode(*cell).1;
            }
            let mut image = [0; MOST_CELLS];
            space.frame.recodings.moved(motion, &base, &mut image);
            key.extend(image[track.first..track.end()].iter().map(|&cell| track.decode(cell).1));
        }
        let next = self.numbers[at].len() as u32;
        let number = *self.numbers[at].entry((symmetry, key)).or_insert(next);
        if number == next {
            if follower.maps.len() + follower.count > MOST_ENTRIES {
                return None;
            }
            let mut image = [0; MOST_CELLS];
            for value in 0..follower.count {
                let mut cells = base;
                follower.coordinate.set(space, value as u64, &mut cells);
                space.frame.recodings.moved(motion, &cells, &mut image);
                follower.maps.push(follower.coordinate.value(space, &image) as u16);
            }
        }
        Some(number)
    }
}

/// A state in which all twists are 0.
fn bare(space: &CellSpace) -> Cells {
    let mut cells = space.frame.roots[0];
    for track in &space.frame.tracks {
        for cell in &mut cells[track.first..track.end()] {
            *cell -= track.decode(*cell).1;
        }
    }
    cells
}

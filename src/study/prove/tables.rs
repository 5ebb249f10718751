//! The tables of a proof, read from the finished jobs of the base and of the fibre.

use rayon::prelude::*;

use super::arrangements::{Code, FreeArrangements, inverse, permuted};
use crate::engine::{Control, Job, Manifest};
use crate::error::{Alternative, Error, LimitKind, Result};
use crate::puzzle::{Entrance, Rules, State, Subgoals};
use crate::space::AnySpace;
use crate::store::memory::HugeTable;

/// No distance.
pub const ABSENT: u8 = u8::MAX;

/// The distances of a finished job by the index of a class.
pub struct Distances {
    /// The puzzle.
    pub puzzle: Box<dyn Rules>,
    by_index: Vec<u8>,
    /// The number of the last level.
    pub last: u32,
}

impl Distances {
    /// Reads all levels of a job of `puzzle`, within `memory` bytes.
    pub fn read(
        puzzle: Box<dyn Rules>,
        (job, manifest): (&Job, &Manifest),
        memory: u64,
        control: Control<'_>,
    ) -> Result<Self> {
        let needed = puzzle.space().map_or(u128::MAX, |space| space.universe());
        if needed > memory.into() || !matches!(puzzle.space(), Some(AnySpace::Narrow(_))) {
            return Err(Error::from(LimitKind::Memory {
                what: format!("the table of distances of {}", puzzle.text()),
                needed: u64::try_from(needed).unwrap_or(u64::MAX),
                allowed: memory,
                or: Alternative::None,
            }));
        }
        let mut by_index = vec![ABSENT; needed as usize];
        let mut indices = Vec::new();
        for record in &manifest.levels {
            let level = u8::try_from(record.level).unwrap_or(ABSENT);
            if level == ABSENT {
                return Err(Error::limit(format!(
                    "{} has more levels than a proof can use: at most {ABSENT}",
                    puzzle.text()
                )));
            }
            let set = job.open_level::<u64>(record)?;
            for block in 0..set.blocks() {
                if control.stopped() {
                    return Err(Error::interrupted("stopped while the levels were read"));
                }
                indices.clear();
                set.block(block, &mut indices)?;
                for &index in &indices {
                    by_index[index as usize] = level;
                }
            }
        }
        let last = manifest.levels.last().map_or(0, |record| record.level);
        Ok(Distances { puzzle, by_index, last })
    }

    /// The distance of a state; [`ABSENT`] if it is in no level.
    pub fn of(&self, state: &State) -> u8 {
        let index = self.puzzle.index_of(state).and_then(|index| usize::try_from(index).ok());
        index.and_then(|index| self.by_index.get(index)).copied().unwrap_or(ABSENT)
    }

    /// Bytes that it takes.
    pub fn memory(&self) -> u64 {
        self.by_index.len() as u64
    }
}

/// The distances of the fibre by the arrangement of the labels, for each entrance.
pub struct FibreTable {
    /// The arrangements.
    pub arrangements: FreeArrangements,
    entrances: Vec<Option<EntranceTable>>,
    /// The greatest distance.
    pub depth: u32,
}

/// One entrance.
struct EntranceTable {
    /// By distance: a bit for each rank, set if it is not farther; flattened.
    within: HugeTable<u64>,
    /// Words of bits for each distance.
    words: usize,
    /// Codes, the farthest first.
    farthest_first: Vec<Code>,
    /// By distance: how many codes are farther.
    beyond: Vec<usize>,
}

impl FibreTable {
    /// Bytes that the table takes for one entrance, at most.
    fn most_memory(arrangements: &FreeArrangements, depth: u32) -> u64 {
        arrangements.count() as u64 * (16 + u64::from(depth) / 8 + 1)
    }

    /// Looks up all arrangements behind each of the `solved` states of the base.
    pub fn new(
        subgoals: &dyn Subgoals,
        solved: &[State],
        distances: &Distances,
        memory: u64,
        control: Control<'_>,
    ) -> Result<Self> {
        let arrangements = FreeArrangements::new(&subgoals.labels())?;
        let entries: Vec<Entrance> = solved.iter().map(|base| subgoals.entrance(base)).collect();
        let count = entries.iter().map(|entrance| entrance.number + 1).max().unwrap_or(0);
        let needed = FibreTable::most_memory(&arrangements, distances.last) * count as u64;
        if needed > memory {
            return Err(Error::from(LimitKind::Memory {
                what: format!("the table of all arrangements in {}", distances.puzzle.text()),
                needed,
                allowed: memory,
                or: Alternative::None,
            }));
        }
        control.observer.note("looking up all arrangements of the fibre");
        let codes = arrangements.codes();
        let mut entrances: Vec<Option<EntranceTable>> = (0..count).map(|_| None).collect();
        for (base, entrance) in solved.iter().zip(&entries) {
            if entrances[entrance.number].is_some() {
                continue;
            }
            let order = inverse(&entrance.order);
            let distance = |&code: &Code| {
                if control.stopped() {
                    return ABSENT;
                }
                let state = subgoals.over(base, &permuted(&order, &arrangements.labels(code)));
                state.map_or(ABSENT, |state| distances.of(&subgoals.in_fibre(&state)))
            };
            let found: Vec<u8> = codes.par_iter().map(distance).collect();
            if control.stopped() {
                return Err(Error::interrupted("stopped while the fibre was looked up"));
            }
            entrances[entrance.number] =
                Some(EntranceTable::new(&arrangements, &codes, &found, distances.last)?);
        }
        Ok(FibreTable { arrangements, entrances, depth: distances.last })
    }

    /// Bytes that it takes.
    pub fn memory(&self) -> u64 {
        FibreTable::most_memory(&self.arrangements, self.depth) * self.entrances.len() as u64
    }

    /// The codes that are farther than `distance` behind an entrance.
    pub fn beyond(&self, entrance: usize, distance: u32) -> &[Code] {
        self.entrances.get(entrance).and_then(Option::as_ref).map_or(&[], |table| {
            let end = table.beyond.get(distance as usize).copied().unwrap_or(0);
            &table.farthest_first[..end]
        })
    }

    /// A bit for each rank behind an entrance, set if it is not farther than `distance`; `None` behind an
    /// entrance that does not exist.
    pub fn within(&self, entrance: usize, distance: u32) -> Option<&[u64]> {
        let table = self.entrances.get(entrance)?.as_ref()?;
        let place = distance.min(self.depth) as usize;
        table.within.get(place * table.words..(place + 1) * table.words)
    }
}

impl EntranceTable {
    fn new(arrangements: &FreeArrangements, codes: &[Code], distances: &[u8], depth: u32) -> Result<Self> {
        let (levels, words) = (depth as usize + 1, codes.len().div_ceil(64));
        let mut within = HugeTable::<u64>::zeroed(levels * words)?;
        let mut by_level = vec![Vec::new(); levels];
        for (&code, &distance) in codes.iter().zip(distances) {
            if let Some(list) = by_level.get_mut(usize::from(distance)) {
                list.push(code);
                let rank = arrangements.rank(code);
                for bits in within.chunks_mut(words).skip(distance.into()) {
                    bits[rank / 64] |= 1 << (rank % 64);
                }
            }
        }
        let beyond = (0..levels).map(|level| by_level[level + 1..].iter().map(Vec::len).sum()).collect();
        by_level.reverse();
        Ok(EntranceTable { within, words, farthest_first: by_level.concat(), beyond })
    }
}

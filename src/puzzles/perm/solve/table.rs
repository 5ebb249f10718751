//! Tables: the distances of all states of a view, a byte for each.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;

use super::digest;
use super::views::View;
use crate::engine::Control;
use crate::error::{Error, Result};
use crate::puzzles::perm::definition::{Definition, NamedMove};
use crate::puzzles::perm::frame::{CellFrame, Cells, MOST_CELLS};
use crate::puzzles::perm::numbered::{Equivalence, Numbered};
use crate::solve::Workbench;
use crate::solve::cache::TableName;
use crate::space::{AnySpace, Space};
use crate::store::memory::HugeTable;

/// Version of the tables: of the numbering of states, and of what is counted.
const VERSION: u32 = 2;
/// What is not reached.
const UNREACHED: u8 = u8::MAX;
/// Distances beyond are not told apart.
const FARTHEST: u8 = UNREACHED - 1;
/// A level is looked for in pieces of so many states, and expanded in batches of so many.
const PIECE: usize = 1 << 14;
const BATCH: usize = 1 << 10;
/// Bytes that the index of a view and the threads that fill its table may take.
const TO_BUILD: u64 = 64 << 20;

/// The distances of a view.
pub(super) struct ViewTable {
    index: Numbered,
    /// By cell of the view: the cell of the puzzle that it shows, and which of the codes it shows of it.
    shows: Vec<(u16, u16)>,
    codes: Vec<[u8; 256]>,
    distances: HugeTable,
    /// Whether what is not reached can never be.
    is_complete: bool,
}

impl ViewTable {
    /// The table of a view, read or built; `None` if the view cannot be numbered in so many states.
    pub fn new(
        view: &View,
        definition: &Definition,
        moves: &[NamedMove],
        frame: &CellFrame,
        most: u64,
        bench: &Workbench<'_>,
    ) -> Result<Option<ViewTable>> {
        let Some(index) = ViewTable::index(view, definition, moves, most) else {
            return Ok(None);
        };
        let AnySpace::Narrow(space) = index.space() else {
            return Ok(None);
        };
        let length = space.universe();
        let Some((shows, codes)) = shown(view, definition, frame, &index.cells().frame) else {
            return Ok(None);
        };
        let table = TableName {
            name: &format!("perm-{:016x}", digest(&view.of(definition), moves)),
            version: VERSION,
            length: length as usize,
            to_build: length + TO_BUILD,
        };
        let distances = bench.table(&table, || build(space, &bench.control))?;
        let is_complete = !distances.contains(&FARTHEST);
        Ok(Some(ViewTable { index, shows, codes, distances, is_complete }))
    }

    /// How the states of a view are numbered; `None` if they have more than so many numbers.
    pub fn index(view: &View, definition: &Definition, moves: &[NamedMove], most: u64) -> Option<Numbered> {
        let seen = view.of(definition);
        // By coordinates, symmetric states share a number; cell by cell, that would only take time.
        let index = match Numbered::new(&seen, moves, Equivalence::Symmetric).ok()? {
            Numbered::Product(product) => Numbered::Product(product),
            Numbered::Located(located) => Numbered::Located(located),
            Numbered::Cells(space) if space.group.len() == 1 => Numbered::Cells(space),
            Numbered::Cells(_) => Numbered::new(&seen, moves, Equivalence::Equality).ok()?,
        };
        (index.space().universe() <= most.into()).then_some(index)
    }

    /// What a state looks like.
    #[inline]
    fn seen(&self, cells: &Cells) -> Cells {
        let mut seen = [0; MOST_CELLS];
        for (seen, &(cell, codes)) in seen.iter_mut().zip(&self.shows) {
            *seen = self.codes[usize::from(codes)][usize::from(cells[usize::from(cell)])];
        }
        seen
    }

    /// A number of moves that every solution of a state needs at least. The state must look like one that
    /// obeys the laws.
    #[inline]
    pub fn bound(&self, cells: &Cells) -> u8 {
        let number = self.index.lawful_number(&self.seen(cells));
        number.map_or(0, |number| self.distances[number as usize].min(FARTHEST))
    }

    /// Whether it is proven that the state has no solution.
    pub fn is_unreachable(&self, cells: &Cells) -> bool {
        match self.index.number_of(&self.seen(cells)) {
            Some(number) => self.is_complete && self.distances[number as usize] == UNREACHED,
            None => true,
        }
    }
}

/// What the cells of a view show, as [`ViewTable`] keeps it.
#[allow(clippy::type_complexity)]
fn shown(
    view: &View,
    definition: &Definition,
    frame: &CellFrame,
    seen: &CellFrame,
) -> Option<(Vec<(u16, u16)>, Vec<[u8; 256]>)> {
    let (mut shows, mut codes): (Vec<(u16, u16)>, Vec<[u8; 256]>) = (Vec::new(), Vec::new());
    for track in &seen.tracks {
        for (at, &slot) in track.slots.iter().enumerate() {
            let mut others = frame.tracks.iter().filter(|other| other.orbit == track.orbit);
            let (other, place) =
                others.find_map(|other| Some((other, other.slots.binary_search(&slot).ok()?)))?;
            let mut part = definition.solved[0].0[track.orbit].clone();
            let mut table = [0; 256];
            for kind in &other.kinds {
                for twist in 0..kind.modulus {
                    other.place(kind.code + twist, place, &mut part);
                    table[usize::from(kind.code + twist)] = track.code(&view.part(track.orbit, &part), at)?;
                }
            }
            let known = codes.iter().position(|known| *known == table);
            let number = known.unwrap_or_else(|| {
                codes.push(table);
                codes.len() - 1
            });
            shows.push(((other.first + place) as u16, number as u16));
        }
    }
    Some((shows, codes))
}

/// The distances of all states, level by level.
fn build(space: &dyn Space<u64>, control: &Control<'_>) -> Result<Vec<u8>> {
    let mut table: Vec<AtomicU8> = Vec::new();
    table.resize_with(space.universe() as usize, || AtomicU8::new(UNREACHED));
    for root in space.roots() {
        table[root as usize].store(0, Relaxed);
    }
    for level in 0..FARTHEST {
        let found = AtomicBool::new(false);
        table.par_chunks(PIECE).enumerate().for_each(|(piece, chunk)| {
            if control.stopped() {
                return;
            }
            let first = (piece * PIECE) as u64;
            let here = (first..).zip(chunk).filter(|(_, distance)| distance.load(Relaxed) == level);
            let batch: Vec<u64> = here.map(|(index, _)| index).collect();
            let mut candidates = Vec::new();
            for batch in batch.chunks(BATCH) {
                candidates.clear();
                space.expand(batch, &mut candidates);
                for &index in &candidates {
                    let distance = &table[index as usize];
                    if distance.load(Relaxed) == UNREACHED {
                        distance.store(level + 1, Relaxed);
                        found.store(true, Relaxed);
                    }
                }
            }
        });
        if control.stopped() {
            return Err(Error::interrupted(
                "stopped while a table was built; the same command begins it again",
            ));
        }
        if !found.into_inner() {
            break;
        }
    }
    Ok(table.into_iter().map(AtomicU8::into_inner).collect())
}

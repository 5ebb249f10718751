//! Positions with their bounds, for IDA*.

use std::collections::HashSet;

use super::near::NearStates;
use super::table::ViewTable;
use super::views::{View, views};
use crate::error::Result;
use crate::puzzle::Move;
use crate::puzzles::perm::definition::{Definition, NamedMove, Transformation};
use crate::puzzles::perm::frame::{CellFrame, Cells, Motion};
use crate::puzzles::perm::inverse::Inverse;
use crate::puzzles::perm::legality::Legality;
use crate::solve::{Search, Workbench};

/// The most states of one that shows some pieces of an orbit.
const MOST_PART: u128 = 1 << 24;
/// The most bytes of a table.
const MOST_BYTES: u64 = 1 << 26;
/// The most moves of which pairs are compared.
const MOST_PAIRED: usize = 128;

/// The puzzle as it is searched.
pub(super) struct OptimalSearch<'p> {
    pub frame: CellFrame,
    legality: Legality,
    /// By move: the cells that change, what they take over, and how that is recoded.
    moves: Vec<Vec<(u16, u16, u32)>>,
    /// By move, the last one for none: the moves that are worth a try after it.
    after: Vec<Vec<u16>>,
    /// The solved states, ascending.
    solved: Vec<Vec<u8>>,
    inverse: Option<Inverse>,
    tables: Vec<ViewTable>,
    pub near: Option<NearStates<'p>>,
}

impl OptimalSearch<'_> {
    /// The puzzle without tables; where it cannot be searched, why.
    pub fn new(definition: &Definition, moves: &[NamedMove]) -> std::result::Result<Self, String> {
        let mut frame = CellFrame::new(definition, moves)?;
        let legality = Legality::new(definition, &frame, moves);
        let known: HashSet<&Transformation> = moves.iter().map(|mv| &mv.transformation).collect();
        let undone = moves.iter().all(|mv| {
            let back = mv.inverse(&definition.orbits).transformation;
            known.contains(&back)
        });
        let inverse = if undone { Inverse::new(&frame, &legality) } else { None };
        let after = worthwhile(&mut frame, legality.is_free());
        let width = frame.cells;
        let mut solved: Vec<Vec<u8>> = frame.roots.iter().map(|root| root[..width].to_vec()).collect();
        solved.sort_unstable();
        let moves = frame.moves.iter().map(|mv| changes(&frame, mv)).collect();
        Ok(OptimalSearch { frame, legality, moves, after, solved, inverse, tables: Vec::new(), near: None })
    }

    /// Reads or builds the tables for which there is memory.
    pub fn add_tables(
        &mut self,
        definition: &Definition,
        moves: &[NamedMove],
        bench: &Workbench<'_>,
    ) -> Result<()> {
        let most = MOST_BYTES.min(bench.free() / 4);
        let fits = |view: &View| ViewTable::index(view, definition, moves, most).is_some();
        for view in views(definition, moves, MOST_PART, fits) {
            self.tables.extend(ViewTable::new(&view, definition, moves, &self.frame, most, bench)?);
        }
        Ok(())
    }

    /// Whether it is proven that a state has no solution.
    pub fn is_unreachable(&self, cells: &Cells) -> bool {
        self.tables.iter().any(|table| table.is_unreachable(cells))
            || self.near.as_ref().is_some_and(|near| near.is_unreachable(cells))
    }
}

/// The cells that a motion changes.
fn changes(frame: &CellFrame, motion: &Motion) -> Vec<(u16, u16, u32)> {
    let keeps = |table: u32| (0..=u8::MAX).zip(&frame.recodings.tables[table as usize]).all(|(a, &b)| a == b);
    let steps = (0..).zip(&motion.steps);
    let changed = steps.filter(|&(cell, &(source, table))| cell != source || !keeps(table));
    changed.map(|(cell, &(source, table))| (cell, source, table)).collect()
}

/// By move, the last one for none: the moves that are worth a try after it. Two moves that are one move or
/// none together are not; of two that can be done in either order, one order is enough. Where not all
/// moves are always legal, only what undoes a move is left out.
fn worthwhile(frame: &mut CellFrame, is_free: bool) -> Vec<Vec<u16>> {
    let motions = frame.moves.clone();
    // What changes nothing that can be seen is no step towards anything.
    let changes_any = |&number: &u16| !changes(frame, &motions[usize::from(number)]).is_empty();
    let all: Vec<u16> = (0..motions.len() as u16).filter(changes_any).collect();
    let mut after = vec![all; motions.len() + 1];
    if motions.len() > MOST_PAIRED {
        return after;
    }
    let known: HashSet<&Motion> = motions.iter().collect();
    for (number, first) in motions.iter().enumerate() {
        let is_worthwhile = |&next: &u16| {
            let second = &motions[usize::from(next)];
            let both = frame.recodings.then(first, second);
            let is_nothing = changes(frame, &both).is_empty();
            let is_swapped = usize::from(next) < number && frame.recodings.then(second, first) == both;
            !is_nothing && !(is_free && (known.contains(&both) || is_swapped))
        };
        after[number].retain(is_worthwhile);
    }
    after
}

impl Search for OptimalSearch<'_> {
    type Node = Cells;

    #[inline]
    fn expand(&self, node: &Cells, last: Option<Move>, mut visit: impl FnMut(Move, Cells)) {
        let last = last.map_or(self.moves.len(), |mv| mv.0 as usize);
        for &number in &self.after[last] {
            let mv = usize::from(number);
            let free = self.legality.is_free();
            if !free && !self.legality.permits(&self.frame, node, mv) {
                continue;
            }
            let mut moved = *node;
            for &(cell, source, table) in &self.moves[mv] {
                moved[usize::from(cell)] =
                    self.frame.recodings.tables[table as usize][usize::from(node[usize::from(source)])];
            }
            if free || self.legality.allows(&moved) {
                visit(Move(number.into()), moved);
            }
        }
    }

    #[inline]
    fn bound(&self, node: &Cells) -> u32 {
        let best = |cells: &Cells| self.tables.iter().map(|table| table.bound(cells)).max().unwrap_or(0);
        let mut bound = best(node);
        if let Some(inverse) = &self.inverse {
            bound = bound.max(best(&inverse.of(node)));
        }
        match &self.near {
            Some(near) if u32::from(bound) <= near.last() => near.bound(node),
            _ => bound.into(),
        }
    }

    fn is_solved(&self, node: &Cells) -> bool {
        let width = self.frame.cells;
        self.solved.binary_search_by(|solved| solved[..].cmp(&node[..width])).is_ok()
    }
}

//! Where the gourds shall go: solved placements, and which of several equal gourds takes which place.
//!
//! A board with numbers has one solved placement. With colours there can be many; they are searched
//! for, and those that seem nearest are tried. For gourds that are alike it does not matter which
//! goes where, so each solved placement is an assignment problem: the sum of the
//! [distances](super::homes) is to be as small as possible. The Hungarian method solves it.

use super::super::rules::Pairs;
use super::super::shapes::Shape;
use super::super::{Gourds, placements};
use super::homes::CellDistances;

/// How many partial placements are tried.
const EFFORT: u64 = 1 << 18;
/// No more solved placements than this are looked at.
const MOST: usize = 1 << 12;

/// The solved placements of a puzzle.
pub(super) struct GoalPlacements {
    pub placements: Vec<Pairs>,
    /// Whether these are all.
    pub complete: bool,
}

impl GoalPlacements {
    pub fn of(puzzle: &Gourds) -> GoalPlacements {
        if let Some(goal) = &puzzle.goal {
            return GoalPlacements { placements: vec![goal.clone()], complete: true };
        }
        let mut found = Vec::new();
        let mut complete = true;
        if let Some(labels) = puzzle.labels() {
            let search = placements::search(puzzle.board(), labels, EFFORT, |pairs| {
                complete = found.len() < MOST;
                if complete {
                    let shape = Shape::new(puzzle.board(), pairs.iter().copied());
                    found.extend(labels.placed(&shape));
                }
                complete
            });
            complete &= search.is_some();
        }
        GoalPlacements { placements: found, complete }
    }

    /// The placements that seem nearest to a start, nearest first, with every gourd in its place.
    pub fn nearest(
        &self,
        puzzle: &Gourds,
        distances: &CellDistances,
        start: &Pairs,
        most: usize,
    ) -> Vec<Pairs> {
        let mut targets: Vec<(u32, Pairs)> =
            self.placements.iter().map(|goal| assign(puzzle, distances, start, goal)).collect();
        targets.sort_by_key(|&(cost, _)| cost);
        let targets = targets.into_iter().take(most);
        targets.map(|(_, pairs)| pairs).collect()
    }
}

/// The cheapest way to give the places of a solved placement to gourds that are alike.
fn assign(puzzle: &Gourds, distances: &CellDistances, start: &Pairs, goal: &Pairs) -> (u32, Pairs) {
    let kinds = &puzzle.kinds;
    let mut target = goal.clone();
    let mut sum = 0;
    for kind in 0..kinds.len() as u8 {
        let gourds: Vec<usize> = (0..goal.len()).filter(|&g| kinds.kind(g) == kind).collect();
        // Both ends of a place in the order in which a gourd would lie there.
        let placement = |gourd: usize, place: usize| {
            let [a, b] = goal[place];
            let as_given = kinds.code(gourd, 0) == kinds.code(place, 0);
            let given = if as_given { [a, b] } else { [b, a] };
            let turned = [given[1], given[0]];
            let cost = |ends: [u8; 2]| distances.between(start[gourd], ends);
            match kinds.equal_ends(kind) && cost(turned) < cost(given) {
                true => (cost(turned), turned),
                false => (cost(given), given),
            }
        };
        let costs: Vec<Vec<i32>> = gourds
            .iter()
            .map(|&gourd| gourds.iter().map(|&p| placement(gourd, p).0.into()).collect())
            .collect();
        for (&gourd, place) in gourds.iter().zip(cheapest(&costs)) {
            let (cost, ends) = placement(gourd, gourds[place]);
            target[gourd] = ends;
            sum += u32::from(cost);
        }
    }
    (sum, target)
}

/// A cheapest assignment of columns to rows, by the Hungarian method with potentials: rows are added
/// one after the other, each by a cheapest path of exchanges.
fn cheapest(costs: &[Vec<i32>]) -> Vec<usize> {
    let size = costs.len();
    // Column 0 stands for "none"; rows and columns count from 1.
    let (mut of_row, mut of_column) = (vec![0; size + 1], vec![0; size + 1]);
    let mut row_at = vec![0; size + 1];
    for row in 1..=size {
        row_at[0] = row;
        let mut column = 0;
        let mut slack = vec![i32::MAX; size + 1];
        let mut before = vec![0; size + 1];
        let mut done = vec![false; size + 1];
        while row_at[column] != 0 {
            done[column] = true;
            let here = row_at[column];
            let (mut least, mut next) = (i32::MAX, 0);
            for other in (1..=size).filter(|&other| !done[other]) {
                let cost = costs[here - 1][other - 1] - of_row[here] - of_column[other];
                if cost < slack[other] {
                    slack[other] = cost;
                    before[other] = column;
                }
                if slack[other] < least {
                    (least, next) = (slack[other], other);
                }
            }
            for other in 0..=size {
                if done[other] {
                    of_row[row_at[other]] += least;
                    of_column[other] -= least;
                } else if slack[other] != i32::MAX {
                    slack[other] -= least;
                }
            }
            column = next;
        }
        while column != 0 {
            row_at[column] = row_at[before[column]];
            column = before[column];
        }
    }
    let mut columns = vec![0; size];
    for column in 1..=size {
        columns[row_at[column] - 1] = column - 1;
    }
    columns
}

#[cfg(test)]
mod tests;

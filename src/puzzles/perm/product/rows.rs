//! Coordinates as a table of rows: one for each class of the leader, one column for all values of the followers.
//!
//! A move takes the leader's class to one other class, and the followers through two tables each. A class has one
//! number, but where symmetries keep the leader: those make twins of followers.

use super::{MOST_FOLLOWERS, ProductSpace};
use crate::space::{RowStep, Rows};

/// Of a key: not a move, but a symmetry that keeps the row.
const TURN: u32 = 1 << 31;
/// The fewest columns that make a row worth its steps, and the most whose bits stay in cache.
const COLUMNS: std::ops::RangeInclusive<u64> = 64..=1 << 22;

impl ProductSpace {
    /// The space by rows, if they are neither short nor long.
    pub(super) fn as_rows(&self) -> Option<&dyn Rows> {
        COLUMNS.contains(&self.rest).then_some(self)
    }
}

/// Where values of a follower go: first through a move, if there is one, then through a map.
#[derive(Clone, Copy)]
struct FollowerMaps<'a> {
    moved: Option<&'a [u16]>,
    mapped: &'a [u16],
}

impl FollowerMaps<'_> {
    #[inline(always)]
    fn of(&self, value: u32) -> u32 {
        let value = self.moved.map_or(value as u16, |moved| moved[value as usize]);
        u32::from(self.mapped[usize::from(value)])
    }
}

impl Rows for ProductSpace {
    fn columns(&self) -> u32 {
        self.rest as u32
    }

    fn steps(&self, row: u64, steps: &mut Vec<RowStep>) {
        let moves = self.cells.frame.moves.len();
        let first = row as usize * moves;
        let targets = self.rows[first..first + moves].iter().zip(0..);
        steps.extend(targets.map(|(target, key)| RowStep { row: target.class.into(), parts: (0, 0), key }));
    }

    fn twins(&self, row: u64, steps: &mut Vec<RowStep>) {
        let turns = self.first_turn[row as usize]..self.first_turn[row as usize + 1];
        steps.extend(turns.map(|turn| RowStep { row, parts: (0, 0), key: TURN | turn }));
    }

    fn carry(&self, row: u64, step: &RowStep, columns: &[u32], images: &mut Vec<u32>) {
        let (mv, maps) = match step.key & TURN {
            0 => {
                let moves = self.cells.frame.moves.len();
                let mv = step.key as usize;
                (Some(mv), &self.rows[row as usize * moves + mv].maps)
            }
            _ => (None, &self.turns[(step.key & !TURN) as usize]),
        };
        let path = |at: usize| {
            let follower = &self.followers[at];
            let (count, map) = (follower.count, maps[at] as usize);
            FollowerMaps {
                moved: mv.map(|mv| &follower.moves[mv * count..(mv + 1) * count]),
                mapped: &follower.maps[map * count..(map + 1) * count],
            }
        };
        match &self.followers[..] {
            [_] => {
                let only = path(0);
                images.extend(columns.iter().map(|&column| only.of(column)));
            }
            [_, low] => {
                let (high, count) = (path(0), low.count as u32);
                let low = path(1);
                // Columns are mostly ascending: the higher value changes seldom.
                let (mut begin, mut base) = (0, high.of(0) * count);
                images.extend(columns.iter().map(|&column| {
                    if column.wrapping_sub(begin) >= count {
                        let value = column / count;
                        (begin, base) = (value * count, high.of(value) * count);
                    }
                    base + low.of(column - begin)
                }));
            }
            followers => {
                let mut paths = [path(0); MOST_FOLLOWERS];
                for (at, place) in paths.iter_mut().enumerate().take(followers.len()) {
                    *place = path(at);
                }
                images.extend(columns.iter().map(|&column| {
                    let values = self.split(column.into());
                    self.joined(|at| paths[at].of(values[at].into()) as u16) as u32
                }));
            }
        }
    }

    fn numbers(&self, class: u64, numbers: &mut Vec<u64>) {
        numbers.push(class);
    }

    fn retain_canonical(&self, row: u64, bits: &mut [u64]) {
        let row = row as usize;
        if self.first_turn[row] == self.first_turn[row + 1] {
            return;
        }
        for (first, word) in (0u64..).step_by(64).zip(bits) {
            let mut left = *word;
            while left != 0 {
                let column = first + u64::from(left.trailing_zeros());
                if self.least(row, &self.split(column)).0 != column {
                    *word &= !(left & left.wrapping_neg());
                }
                left &= left - 1;
            }
        }
    }
}

//! What can be reached from a layout: a plain flood, without levels and without symmetry, so that
//! its count is a check on an enumeration's sums.

use super::blocks::ones;
use super::numbering::{LayoutNumbering, RankedLayout};
use super::rules::Metric;
use crate::error::{Error, Result};
use crate::text::count;

/// The layouts that can be reached from one. It is the same set in every metric.
#[derive(Clone, Debug)]
pub(super) struct Component {
    /// A bit for every number.
    members: Vec<u64>,
    /// How many they are.
    pub states: u64,
    /// How many of them are their own mirror images.
    pub symmetric: u64,
}

impl Component {
    /// Floods from the state with a number. Two bitmaps are all it keeps: what was seen, and what
    /// of that is still to do. They are swept in order until nothing is left.
    pub fn of(numbering: &LayoutNumbering, start: u64) -> Self {
        let words = numbering.count().div_ceil(64) as usize;
        let mut flood = Component { members: vec![0; words], states: 0, symmetric: 0 };
        let mut to_do = vec![0u64; words];
        let mut side = RankedLayout::default();
        let first = (start / 64) as usize;
        flood.members[first] |= 1 << (start % 64);
        to_do[first] |= 1 << (start % 64);
        // The words that may have something to do. While they are swept, those ahead are added to
        // the sweep, and those behind are left to the next one.
        let (mut low, mut high) = (first, first);
        while low <= high {
            let mut at = std::mem::replace(&mut low, usize::MAX);
            let mut end = std::mem::take(&mut high);
            while at <= end {
                while to_do[at] != 0 {
                    let bit = u64::from(to_do[at].trailing_zeros());
                    to_do[at] &= to_do[at] - 1;
                    let blocks = numbering.open(at as u64 * 64 + bit, &mut side);
                    flood.states += 1;
                    flood.symmetric += u64::from(numbering.frame.mirrored(&blocks) == blocks);
                    let moves = |kind, from, to| {
                        let number = numbering.neighbour(&side, kind, from, to);
                        let (word, mask) = ((number / 64) as usize, 1 << (number % 64));
                        if flood.members[word] & mask != 0 {
                            return;
                        }
                        flood.members[word] |= mask;
                        to_do[word] |= mask;
                        if word < at {
                            (low, high) = (low.min(word), high.max(word));
                        } else {
                            end = end.max(word);
                        }
                    };
                    numbering.frame.moves(Metric::Step, &blocks, moves);
                }
                at += 1;
            }
        }
        flood
    }

    /// Gives the bitmap's memory back; the counts remain, and nothing is contained any more.
    pub fn forget_members(&mut self) {
        self.members = Vec::new();
    }

    /// The number of the state that has `place` others of smaller numbers before it.
    pub fn member(&self, place: u64) -> Option<u64> {
        let mut before = 0;
        for (at, &word) in (0..).zip(&self.members) {
            let here = u64::from(word.count_ones());
            if place < before + here {
                let bit = ones(word).nth((place - before) as usize)?;
                return Some(64 * at + bit as u64);
            }
            before += here;
        }
        None
    }

    /// Whether the state with a number is among them.
    pub fn contains(&self, number: u64) -> bool {
        let word = self.members.get((number / 64) as usize);
        word.is_some_and(|word| word >> (number % 64) & 1 != 0)
    }
}

/// Refuses to look through more layouts than `most`, which `cannot` be done otherwise.
pub(super) fn check_count(numbering: &LayoutNumbering, most: u64, cannot: &str, hint: &str) -> Result<()> {
    let layouts = numbering.count();
    if layouts <= most {
        return Ok(());
    }
    Err(Error::limit(format!(
        "{cannot}: there are {} layouts with these pieces, and at most {} can be looked through{hint}",
        count(layouts.into()),
        count(most.into())
    )))
}

/// The numbers of the solved layouts that can be reached.
pub(super) fn goals(
    numbering: &LayoutNumbering,
    solved: &LayoutNumbering,
    component: &Component,
) -> Result<Vec<u64>> {
    let goals: Vec<u64> = (0..solved.count())
        .filter_map(|number| numbering.number(&solved.blocks(number)))
        .filter(|&number| component.contains(number))
        .collect();
    if goals.is_empty() {
        return Err(Error::Usage(format!(
            "no solved layout can be reached from this one ({} layouts can), so it can never be \
             solved, and there are no goals to start from; `from-start` needs none",
            count(component.states.into())
        )));
    }
    Ok(goals)
}

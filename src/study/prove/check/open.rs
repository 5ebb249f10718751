//! The states over one class that the words seen so far do not settle.

use super::Checker;
use crate::error::Result;
use crate::puzzle::State;

/// The states over one state of the base that no word settles yet, by the ranks of their labels; `None` before
/// the first word.
pub(super) struct OpenStates<'c, 'a> {
    pub checker: &'c Checker<'a>,
    pub start: &'c State,
    pub distance: u32,
    pub ranks: Option<Vec<u32>>,
    /// Whether those are taken out that belong to other classes.
    pub is_own: bool,
}

/// So few states are compared with their other views before the next word.
pub(super) const SOON: usize = 50;

impl OpenStates<'_, '_> {
    pub fn settle(&mut self, end: &State, map: &[u8], reach: u32) -> Result<()> {
        let ranking = &self.checker.ranking;
        let behind = self.checker.behind(end)?;
        let far = |rank: usize| u32::from(behind.distance[rank]) > reach;
        let ranks = match self.ranks.take() {
            None => {
                let mut back = vec![0; map.len()];
                (0..).zip(map).for_each(|(from, &to)| back[usize::from(to)] = from);
                let farther = behind.farthest_first.iter().take_while(|&&rank| far(rank as usize));
                let mover = ranking.mover(&back);
                farther.map(|&rank| ranking.moved(rank, &mover)).collect()
            }
            Some(mut ranks) => {
                let mover = ranking.mover(map);
                ranks.retain(|&rank| far(ranking.moved(rank, &mover) as usize));
                ranks
            }
        };
        self.ranks = Some(ranks);
        Ok(())
    }

    pub fn count(&self) -> usize {
        self.ranks.as_ref().map_or(usize::MAX, Vec::len)
    }

    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// Takes out what belongs to the class of another view; whether nothing is left.
    pub fn own(&mut self) -> bool {
        let (checker, start, distance) = (self.checker, self.start, self.distance);
        let is_own = |&rank: &u32| {
            let state = checker.subgoals.over(start, &checker.ranking.labels(rank));
            let views = state.map(|state| checker.subgoals.views(&state)).unwrap_or_default();
            let nearer = |view: &State| checker.base.of(view).is_some_and(|other| other < distance);
            !views.iter().skip(1).any(nearer)
        };
        if let (Some(ranks), false) = (&mut self.ranks, self.is_own) {
            ranks.retain(is_own);
            self.is_own = true;
        }
        self.is_empty()
    }

    pub fn states(&self) -> Vec<State> {
        let ranks = self.ranks.iter().flatten();
        let labels = ranks.map(|&rank| self.checker.ranking.labels(rank));
        labels.filter_map(|labels| self.checker.subgoals.over(self.start, &labels)).collect()
    }
}

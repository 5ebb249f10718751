//! Covering all states over one state of the base.
//!
//! Each word of length l settles the states that it carries to a state of the fibre at distance N - l or
//! less. What the first word leaves is a list that is stored once for all, seen through that word; each
//! further word is applied to it by a permutation of the places, and takes from it what it settles. A state
//! of which another view is nearer to being solved is left to the class of that view.

use super::arrangements::{Code, inverse, then};
use super::slides::SlideBase;
use super::tables::{Distances, FibreTable};
use super::views::OtherViews;
use super::words::BaseWords;
use crate::engine::Control;
use crate::error::Result;
use crate::puzzle::{State, Subgoals};

/// So few states are compared with their other views sooner than with another word: with a table of masks, and
/// without.
const FEW: [usize; 2] = [1024, 32];
/// Looking at a state that a word leaves takes so much longer than finding out whether another view shares a place
/// with the first one.
const SLOWER: usize = 8;
/// So few states are compared with their other views before longer words are tried.
const MANY: usize = 1 << 18;

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Covered {
    /// Words of up to this length settle everything.
    By(u32),
    /// Words of any length that was allowed leave these states.
    Except(Vec<State>),
    /// The user wants to stop.
    Stopped,
}

/// What all classes are covered with.
pub struct Cover<'a> {
    /// How the puzzle is solved in two stages.
    pub subgoals: &'a dyn Subgoals,
    /// Distances of the base ...
    pub base: &'a Distances,
    /// ... and by mask, where its moves do the same in every state.
    pub slides: Option<&'a SlideBase>,
    /// Distances of the fibre.
    pub fibre: &'a FibreTable,
    /// The bound that is to be proven.
    pub at_most: u32,
    /// Words are at most this much longer than the shortest.
    pub longer: u32,
}

/// Lists that are used again for each class.
#[derive(Default)]
pub struct CodeLists {
    codes: Vec<Code>,
    kept: Vec<Code>,
}

/// The states over one state of the base that are not settled yet.
struct Open<'c, 'a> {
    cover: &'c Cover<'a>,
    start: &'c State,
    distance: u32,
    /// The entrance of the first word, what undoes it, and how far its ball reaches; codes are seen
    /// through it.
    first: Option<(usize, Vec<u8>, u32)>,
    /// Whether the list is that of the first word, not a copy of its own.
    whole: bool,
    /// Whether those that belong to other classes are taken out.
    own: bool,
}

impl Cover<'_> {
    /// Covers the states over `start`, a state of the base at this distance.
    pub fn class(
        &self,
        start: &State,
        distance: u32,
        lists: &mut CodeLists,
        control: Control<'_>,
    ) -> Result<Covered> {
        let mut words = BaseWords::new(self.subgoals, self.base, self.slides, start);
        let mut open = Open { cover: self, start, distance, first: None, whole: true, own: false };
        for length in distance..=(distance + self.longer).min(self.at_most) {
            let mut stopped = false;
            let closed = !words.each(length, &mut |word| {
                stopped = control.stopped();
                if stopped {
                    return false;
                }
                open.settle(word.entrance, &word.map, self.at_most - length, lists);
                open.len(lists) > 0
            });
            if stopped {
                return Ok(Covered::Stopped);
            }
            if closed || !open.has_own(lists) {
                return Ok(Covered::By(length));
            }
            open.leave_to_others(lists, MANY);
        }
        open.leave_to_others(lists, usize::MAX);
        Ok(Covered::Except(open.codes(lists).iter().filter_map(|&code| open.state(code)).collect()))
    }
}

impl Open<'_, '_> {
    fn codes<'l>(&'l self, lists: &'l CodeLists) -> &'l [Code] {
        match &self.first {
            Some((entrance, _, reach)) if self.whole => self.cover.fibre.beyond(*entrance, *reach),
            Some(_) => &lists.codes,
            None => &[],
        }
    }

    fn len(&self, lists: &CodeLists) -> usize {
        self.codes(lists).len()
    }

    /// Takes out what a word settles whose ball has this radius.
    fn settle(&mut self, entrance: usize, map: &[u8], reach: u32, lists: &mut CodeLists) {
        let Some((first, back, _)) = &self.first else {
            self.first = Some((entrance, inverse(map), reach));
            self.list_first(entrance, reach, lists);
            self.leave_to_others(lists, self.few());
            return;
        };
        let (all, fibre) = (&self.cover.fibre.arrangements, self.cover.fibre);
        let Some(within) = fibre.within(entrance, reach) else {
            return;
        };
        let carrier = all.carrier(&then(back, map));
        let CodeLists { codes, kept } = lists;
        let from = match &self.first {
            Some((_, _, reach)) if self.whole => fibre.beyond(*first, *reach),
            _ => codes,
        };
        all.retain(&carrier, from, kept, within);
        std::mem::swap(codes, kept);
        self.whole = false;
        self.leave_to_others(lists, self.few());
    }

    /// Where few states have no nearer view, lists those of them that the first word leaves.
    fn list_first(&mut self, entrance: usize, reach: u32, lists: &mut CodeLists) {
        let (all, fibre) = (&self.cover.fibre.arrangements, self.cover.fibre);
        let CodeLists { codes, kept } = lists;
        kept.clear();
        if let (Some(views), Some(within)) = (self.views(), fibre.within(entrance, reach))
            && views.list_no_nearer(SLOWER * fibre.beyond(entrance, reach).len(), kept)
        {
            let same: Vec<u8> = (0..all.places() as u8).collect();
            all.retain(&all.carrier(&same), kept, codes, within);
            (self.whole, self.own) = (false, true);
        }
    }

    fn few(&self) -> usize {
        FEW[usize::from(self.cover.slides.is_none())]
    }

    /// Whether a state is left that belongs to no other class.
    fn has_own(&self, lists: &CodeLists) -> bool {
        match self.views() {
            Some(views) if !self.own => self.codes(lists).iter().any(|&code| views.are_no_nearer(code)),
            _ => self.len(lists) > 0,
        }
    }

    /// The other views of the states; `None` before the first word.
    fn views(&self) -> Option<OtherViews<'_>> {
        let (_, back, _) = self.first.as_ref()?;
        let Cover { subgoals, base, slides, fibre, .. } = *self.cover;
        let of = (subgoals, base, slides);
        Some(OtherViews::new(of, &fibre.arrangements, self.start, self.distance, back))
    }

    /// Takes out what belongs to the class of another view, unless more than `most` states are left.
    fn leave_to_others(&mut self, lists: &mut CodeLists, most: usize) {
        if self.own || self.len(lists) > most {
            return;
        }
        let Some(views) = self.views() else { return };
        lists.kept = self.codes(lists).iter().copied().filter(|&code| views.are_no_nearer(code)).collect();
        std::mem::swap(&mut lists.codes, &mut lists.kept);
        (self.whole, self.own) = (false, true);
    }

    /// The state of a code.
    fn state(&self, code: Code) -> Option<State> {
        let (_, back, _) = self.first.as_ref()?;
        let labels = self.cover.fibre.arrangements.labels(code);
        let labels = super::arrangements::permuted(back, &labels);
        self.cover.subgoals.over(self.start, &labels)
    }
}

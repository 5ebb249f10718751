//! Towers as people see them: arrangements of pegs, legal moves, what is known about them.

use crate::encode::binomial::choose;
use crate::puzzle::Move;

/// Between which pegs a disc can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrangement {
    /// Any two.
    Complete,
    /// Neighbours in a row: the tower moves from one end to the other.
    Linear,
    /// Peg B and any other.
    Star,
    /// From each peg to the next one, and from the last to the first.
    Cyclic,
}

impl Arrangement {
    pub const ALL: [Arrangement; 4] =
        [Arrangement::Complete, Arrangement::Linear, Arrangement::Star, Arrangement::Cyclic];
    pub const NAMES: [&str; 4] = ["complete", "linear", "star", "cyclic"];

    pub fn name(self) -> &'static str {
        Arrangement::NAMES[self as usize]
    }
}

/// Which towers are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HanoiRules {
    pub pegs: usize,
    pub discs: usize,
    pub arrangement: Arrangement,
}

impl HanoiRules {
    /// All discs on the last peg.
    pub fn goal(&self) -> Vec<u8> {
        vec![self.pegs as u8 - 1; self.discs]
    }

    /// All discs on the first peg.
    pub fn start(&self) -> Vec<u8> {
        vec![0; self.discs]
    }

    /// Whether a disc can move between two pegs.
    pub fn allows(&self, from: usize, to: usize) -> bool {
        match self.arrangement {
            Arrangement::Complete => from != to,
            Arrangement::Linear => from.abs_diff(to) == 1,
            Arrangement::Star => (from == 1) != (to == 1),
            Arrangement::Cyclic => to == (from + 1) % self.pegs,
        }
    }

    /// How many pegs no symmetry that keeps the goal exchanges: the goal first, then peg B.
    pub fn named(&self) -> usize {
        match self.arrangement {
            Arrangement::Complete => 1,
            Arrangement::Star => 2,
            Arrangement::Linear | Arrangement::Cyclic => self.pegs,
        }
    }

    /// The pegs with the goal first: the first and the last change places. Its own inverse.
    pub fn letter_of(&self, peg: u8) -> u8 {
        let last = self.pegs as u8 - 1;
        match peg {
            0 => last,
            peg if peg == last => 0,
            peg => peg,
        }
    }

    /// The legal moves of a state, as numbers.
    pub fn moves(&self, state: &[u8]) -> Vec<Move> {
        let top = |peg: usize| state.iter().position(|&at| usize::from(at) == peg).unwrap_or(self.discs);
        let pairs = (0..self.pegs).flat_map(|from| (0..self.pegs).map(move |to| (from, to)));
        let legal = pairs.filter(|&(from, to)| self.allows(from, to) && top(from) < top(to));
        legal.map(|(from, to)| Move((from * self.pegs + to) as u32)).collect()
    }

    /// The pegs that a disc moves from and to.
    pub fn pegs_of(&self, mv: Move) -> (usize, usize) {
        (mv.0 as usize / self.pegs, mv.0 as usize % self.pegs)
    }

    /// The state after a legal move; unchanged by another one.
    pub fn apply(&self, state: &[u8], mv: Move) -> Vec<u8> {
        let (from, to) = self.pegs_of(mv);
        let mut state = state.to_vec();
        if let Some(top) = state.iter_mut().find(|at| usize::from(**at) == from) {
            *top = to as u8;
        }
        state
    }

    /// Every disc can be on any peg, and every such state can be reached.
    pub fn states(&self) -> Option<u128> {
        (self.pegs as u128).checked_pow(self.discs as u32)
    }

    /// The pegs that can be exchanged.
    pub fn exchangeable(&self) -> usize {
        self.pegs - self.named()
    }

    /// The order of the symmetry group.
    pub fn group_order(&self) -> u64 {
        (1..=self.exchangeable() as u64).product()
    }

    /// The number of classes, by the fixed points of every exchange: those with `fixed` pegs in their places
    /// leave the states unchanged that use only these and the named ones.
    pub fn classes(&self) -> Option<u128> {
        let pegs = self.exchangeable();
        // Exchanges of so many pegs that leave none in its place.
        let mut moved = vec![1u128, 0];
        for many in 2..=pegs {
            moved.push((many as u128 - 1) * (moved[many - 1] + moved[many - 2]));
        }
        let mut sum = 0u128;
        for fixed in 0..=pegs {
            let exchanges = u128::from(choose(pegs, fixed)) * moved[pegs - fixed];
            let states = ((self.named() + fixed) as u128).checked_pow(self.discs as u32)?;
            sum = sum.checked_add(exchanges.checked_mul(states)?)?;
        }
        Some(sum / u128::from(self.group_order()))
    }
}

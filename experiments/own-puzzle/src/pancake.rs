//! Pancake sorting. `pancake:N` is a stack of N pancakes of different sizes; a move turns the topmost K
//! of them over, and the stack is solved when the smallest is on top and the largest at the bottom.

use godnum::encode::permutation::{count, rank, unrank, unrank_into};
use godnum::engine::Totals;
use godnum::error::{Error, Result};
use godnum::puzzle::{Capabilities, Indexed, Kind, Move, PuzzleSpec, Rules, State};
use godnum::space::{AnySpace, Space};

pub const KIND: Kind =
    Kind::new("pancake", "pancake:N", "Flip the top until sizes ascend.", &["pancake:7"], parse);

/// A stack of this many pancakes. A state has their sizes from the top, less one.
struct Pancakes(usize);

fn parse(spec: &PuzzleSpec<'_>) -> Result<Box<dyn Rules>> {
    match spec.subject.parse() {
        Ok(n @ 2..=20) if spec.more.is_empty() => Ok(Box::new(Pancakes(n))),
        _ => Err(Error::Usage("a number from 2 to 20 is expected".into())),
    }
}

impl Rules for Pancakes {
    fn text(&self) -> String {
        format!("pancake:{}", self.0)
    }

    fn parse_state(&self, text: &str) -> Result<State> {
        let sizes = text.split(' ').map(|size| size.parse::<u8>().ok()?.checked_sub(1));
        let sizes: Option<Vec<u8>> = sizes.collect();
        let sizes = sizes.filter(|sizes| sizes.len() == self.0 && rank(sizes).is_some());
        sizes.map(State).ok_or_else(|| Error::Usage(format!("`{text}` is not 1 to {}", self.0)))
    }

    fn print_state(&self, state: &State) -> String {
        state.0.iter().map(|size| (size + 1).to_string()).collect::<Vec<_>>().join(" ")
    }

    fn draw(&self, state: &State, _colour: bool) -> String {
        let lines = state.0.iter().map(|&size| "=".repeat(2 * usize::from(size) + 1));
        lines.map(|line| format!("{line:^0$}\n", 2 * self.0)).collect()
    }

    fn moves(&self, _: &State) -> Vec<Move> {
        (2..=self.0 as u32).map(Move).collect()
    }

    fn move_name(&self, _: &State, mv: Move) -> String {
        mv.0.to_string()
    }

    fn apply(&self, state: &State, mv: Move) -> State {
        let mut sizes = state.0.clone();
        sizes[..mv.0 as usize].reverse();
        State(sizes)
    }

    fn is_solved(&self, state: &State) -> bool {
        state.0.is_sorted()
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities { index: Some(self), ..Capabilities::default() }
    }
}

impl Indexed for Pancakes {
    fn space(&self) -> Option<AnySpace<'_>> {
        Some(AnySpace::Narrow(self))
    }

    fn index_of(&self, state: &State) -> Option<u128> {
        rank(&state.0)
    }

    fn state_of(&self, index: u128) -> Option<State> {
        unrank(self.0, index).map(State)
    }

    fn totals(&self) -> Totals {
        Totals { states: count(self.0), classes: count(self.0), ..Totals::default() }
    }
}

impl Space<u64> for Pancakes {
    fn universe(&self) -> u64 {
        (1..=self.0 as u64).product()
    }

    fn roots(&self) -> Vec<u64> {
        vec![0]
    }

    fn fanout(&self) -> usize {
        self.0 - 1
    }

    fn expand(&self, batch: &[u64], candidates: &mut Vec<u64>) {
        let stack = &mut [0; 20][..self.0];
        for &index in batch {
            unrank_into(stack, index.into());
            for top in 2..=self.0 {
                stack[..top].reverse();
                candidates.extend(rank(stack).map(|index| index as u64));
                stack[..top].reverse();
            }
        }
    }
}

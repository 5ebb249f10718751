//! How random states are chosen.

use std::fmt;
use std::str::FromStr;

use super::{Instance, Rules};
use crate::error::{Error, Result};
use crate::random::Random;

/// No walk is longer.
const LONGEST_WALK: u32 = 1_000_000;

/// How random states are chosen. What a random source gives is frozen: it must be the same in every later
/// version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scrambling {
    /// Every state that can be solved is equally likely.
    #[default]
    Uniform,
    /// That many moves from a solved state, or from the position that the puzzle is given in if no solved
    /// one is known; each of the legal moves is equally likely every time.
    Walk(u32),
}

impl Scrambling {
    /// A random instance of a puzzle.
    pub fn instance(self, puzzle: &dyn Rules, random: &mut Random) -> Result<Instance> {
        let Scrambling::Walk(length) = self else {
            return puzzle.scramble(random);
        };
        let from = puzzle.root().or_else(|| puzzle.start());
        let mut state = from.ok_or_else(|| {
            Error::Usage(format!("no state of {} is known from which a walk could begin", puzzle.text()))
        })?;
        for _ in 0..length {
            let moves = puzzle.moves(&state);
            if moves.is_empty() {
                break;
            }
            state = puzzle.apply(&state, moves[random.place(moves.len())]);
        }
        Ok(Instance::State(state))
    }

    /// A word for file names: nothing for the default.
    pub fn suffix(self) -> String {
        match self {
            Scrambling::Uniform => String::new(),
            Scrambling::Walk(length) => format!("-walk-{length}"),
        }
    }
}

impl fmt::Display for Scrambling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scrambling::Uniform => write!(f, "uniform"),
            Scrambling::Walk(length) => write!(f, "walk:{length}"),
        }
    }
}

impl FromStr for Scrambling {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let walk = text.strip_prefix("walk:").and_then(|length| length.parse().ok());
        match (text, walk) {
            ("uniform", _) => Ok(Scrambling::Uniform),
            (_, Some(length @ 1..=LONGEST_WALK)) => Ok(Scrambling::Walk(length)),
            _ => Err(Error::Usage(format!(
                "`{}` is not a way to choose random states: `uniform`, or `walk:N` for N random moves, 1 to \
                 {LONGEST_WALK}",
                text.escape_debug()
            ))),
        }
    }
}

#[cfg(test)]
mod tests;

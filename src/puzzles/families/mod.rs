//! Families of puzzles that people study: one module each.
//!
//! `pancakes`, `rearrange`, `rings` and `loopover` make definitions of permutation puzzles, with a single orbit
//! (`one_orbit`), and pictures of them (`drawn`); index, symmetries and solvers are those of every permutation
//! puzzle. `hanoi` and `peg` have spaces of their own.

mod drawn;
pub(crate) mod hanoi;
pub(crate) mod loopover;
mod one_orbit;
pub(crate) mod pancakes;
pub(crate) mod peg;
pub(crate) mod rearrange;
pub(crate) mod rings;
#[cfg(test)]
mod tests;

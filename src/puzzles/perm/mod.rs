//! Permutation puzzles: pieces in slots, and moves that permute and turn them.
//!
//! | file | what it holds |
//! |---|---|
//! | `definition` | a puzzle as data: all that formats and families produce |
//! | `check` | whether a definition is one |
//! | `options` | moves, goals and sets that a text chooses |
//! | `turns` | the moves of a metric |
//! | `puzzle` | the puzzle: states, moves, capabilities; `notation` its states as text |
//! | `frame` | what can change and be seen, as cells: read its essay first |
//! | `laws` | what moves never change; `listing` and `abelian`: what small parts never change |
//! | `track_numbers`, `numbering` | from cells to a number and back: of a track, and of all of them |
//! | `numbered` | which numbering a definition gets |
//! | `legality` | forbidden and glued pieces |
//! | `automorphisms`, `symmetry` | the symmetry group, found by a search |
//! | `inverse` | a state and its inverse are equally far from being solved |
//! | `space` | classes, neighbours and their sizes for the engine |
//! | `product`, `located` | the same by coordinates, and by the places of pieces, for puzzles that allow it |
//! | `growth` | how fast levels can grow |
//! | `reach`, `flood` | how many states can be reached, and random ones |
//! | `solve` | shortest solutions where a table of all states would be too large |

mod abelian;
mod automorphisms;
mod check;
pub(crate) mod definition;
pub(crate) mod definitions;
mod flood;
pub mod format;
mod frame;
mod growth;
mod inverse;
mod kind;
mod laws;
mod legality;
mod listing;
mod located;
mod notation;
mod numbered;
mod numbering;
pub(crate) mod options;
mod product;
pub(crate) mod puzzle;
mod reach;
mod solve;
mod space;
mod symmetry;
#[cfg(test)]
pub(crate) mod tests;
mod track_numbers;
mod turns;

pub use kind::KIND;
pub(crate) use numbered::Equivalence;
pub(crate) use options::{Goals, PermutationOptions};
pub(crate) use puzzle::PermutationPuzzle;

//! Ranking and moving bits: from small arrangements to numbers and back.
//!
//! | to number | use | order of the numbers |
//! |---|---|---|
//! | `k` chosen places among `n` | [`Combination`] | numeric order of the masks |
//! | a word with given letters | [`Multiset`] | lexicographic |
//! | a permutation, or one of known parity | [`permutation`] | lexicographic |
//! | unordered disjoint sets of equal size | [`Sets`] | union first, then set by set |
//! | a board covered with pieces | [`Fillings`] | lexicographic, cell by cell |
//!
//! Every ranking is a bijection onto `0..count`, and every `unrank` is its inverse.
//! [`Combination`] and [`Sets`] are made for hot loops: they trust their arguments, as each says.
//! The others check theirs and answer `None`. [`Carry`] moves an item of a permutation on the rank
//! alone, and [`Divisor`] divides fast; both are for hot loops, too. [`cpu`] chooses the
//! instructions of hot loops at run time; [`binomial`] counts.

pub mod binomial;
mod carry;
mod combination;
pub mod cpu;
mod digit_sums;
mod divisor;
mod fillings;
mod index;
mod multiset;
pub mod permutation;
mod sets;

pub use carry::{Carry, carry_digits};
pub use combination::{Combination, Trail};
pub use divisor::Divisor;
pub use fillings::{FillingNode, FillingStep, Fillings, MOST_CELLS, Piece};
pub use index::Index;
pub use multiset::Multiset;
pub use sets::Sets;

//! Solving in two stages: first a subgoal, then the rest without disturbing it. It is what
//! [`prove`](mod@crate::study::prove) argues with.
//!
//! # The pieces
//! - The **base** is the puzzle that looks only at the pieces of the subgoal. Its moves are those of the
//!   whole puzzle; its solved states are those in which the subgoal is reached.
//! - What the base does not look at is **free**: free places, each with a *label*, in reading order.
//! - The **fibre** is what is left when the subgoal is reached: a puzzle whose moves do not disturb it.
//!   Its distances are those with these moves only, so they are upper bounds of what the whole needs.
//! - A state may show the subgoal in several ways: each colour of Wrapslide can lead. Each is a **view**,
//!   a state of the base.
//!
//! A word of moves that solves the base carries the free places into those of a solved state, and so a
//! state x into one of the fibre: d(x) <= |w| + d(fibre state of w x).

use super::{Move, State};

/// A puzzle that can be solved in two stages.
///
/// What is promised: if two states of the base are in one class, a symmetry of the whole puzzle carries
/// the states over the one into those over the other. And of each view of a state, some state over it is
/// as far from being solved as the state itself. So who knows the distances over one state of every class
/// of the base knows all.
pub trait Subgoals: Send + Sync {
    /// The text of the base.
    fn base(&self) -> String;
    /// The text of the fibre.
    fn fibre(&self) -> String;
    /// How many free places have each label.
    fn labels(&self) -> Vec<usize>;
    /// The views of a state: states of the base. The first is the one that [`over`](Subgoals::over) and
    /// [`free`](Subgoals::free) are about.
    fn views(&self, state: &State) -> Vec<State>;
    /// The labels of a state's free places, as its first view has them.
    fn free(&self, state: &State) -> Vec<u8>;
    /// The state with this first view and these labels on its free places; `None` if it does not occur.
    fn over(&self, base: &State, labels: &[u8]) -> Option<State>;
    /// The state of the fibre that a state is whose first view is solved.
    fn in_fibre(&self, state: &State) -> State;
    /// Where a move of a state of the base carries its free places: for each its number after the move.
    fn carry(&self, base: &State, mv: Move) -> Vec<u8>;
    /// Which of the fibre's boards a solved state of the base is; [`Entrance`] says what that means.
    fn entrance(&self, base: &State) -> Entrance;
    /// What the moves do, if they do the same in every state. Not needed, but a search is much faster with it.
    fn uniform(&self) -> Option<UniformMoves> {
        None
    }
}

/// The moves of a base in which a move carries the places of the board alike in every state, and a state is told
/// by which places are free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UniformMoves {
    /// The byte of a free place in a state of the base ...
    pub free: u8,
    /// ... and that of any other.
    pub pinned: u8,
    /// Where each move carries each place. If one move does what another does followed by a symmetry under which
    /// nothing changes, neither distances nor the order of places behind an entrance, one of them is enough.
    pub moves: Vec<Vec<u8>>,
    /// Where the symmetries of the board carry each place: all that keep the distances of the base.
    pub symmetries: Vec<Vec<u8>>,
    /// For each further view of a state the label whose places are the pinned ones there.
    pub leaders: Vec<u8>,
}

/// How a solved state of the base is the way into the fibre. Two states over solved states of the base
/// with the same number, and with the same labels in the order that is given here, are equally far from
/// being solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrance {
    /// A small number.
    pub number: usize,
    /// For each free place its position in the common order.
    pub order: Vec<u8>,
}

//! The space: all that the engine knows of a puzzle.

pub use crate::encode::Index;

/// A graph of classes, walked by index.
///
/// Every class has one index below [`universe`](Space::universe): that of its canonical state.
/// Indices in between may stand for states that are not canonical, or for nothing. Moves are
/// reversible (if `b` is a candidate of `a`, then `a` is one of `b`), unless the space is
/// [`layered`](Space::layered).
pub trait Space<I: Index>: Send + Sync {
    /// All indices are below this number.
    fn universe(&self) -> I;

    /// The canonical indices of level 0, ascending, without repeats.
    fn roots(&self) -> Vec<I>;

    /// Appends the canonical indices of all neighbours of all classes in `batch`.
    ///
    /// `batch` holds canonical indices, in ascending order. Repeats, the class itself and any
    /// order are allowed in what is appended, at most [`fanout`](Space::fanout) for each index
    /// of the batch. Must not allocate, apart from growing `candidates`.
    fn expand(&self, batch: &[I], candidates: &mut Vec<I>);

    /// The most candidates that one class can have.
    fn fanout(&self) -> usize;

    /// How many states the classes in `batch` stand for together: the sum of their orbit sizes.
    fn states(&self, batch: &[I]) -> u128;

    /// The canonical index of the class that the state numbered `index` belongs to, or `None` if
    /// no state has that number. `canonical(i) == Some(i)` exactly for the indices of classes.
    fn canonical(&self, index: I) -> Option<I>;

    /// Whether every move leads from level k to level k + 1 by construction, so that no
    /// candidate can lie in an earlier level and nothing has to be subtracted.
    fn layered(&self) -> bool {
        false
    }
}

/// A space of either index width, borrowed from its puzzle.
#[derive(Clone, Copy)]
pub enum AnySpace<'a> {
    /// Indices fit in 64 bits.
    Narrow(&'a dyn Space<u64>),
    /// Indices need up to 128 bits.
    Wide(&'a dyn Space<u128>),
}

impl AnySpace<'_> {
    /// The universe in the widest type.
    pub fn universe(&self) -> u128 {
        match self {
            AnySpace::Narrow(space) => space.universe().wide(),
            AnySpace::Wide(space) => space.universe(),
        }
    }

    /// The most candidates that one class can have.
    pub fn fanout(&self) -> usize {
        match self {
            AnySpace::Narrow(space) => space.fanout(),
            AnySpace::Wide(space) => space.fanout(),
        }
    }
}

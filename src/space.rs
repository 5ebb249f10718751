//! The space: all that the engine knows of a puzzle.

pub use crate::encode::Index;

/// A graph of classes, walked by index.
///
/// Every class has one index below [`universe`](Space::universe): that of its canonical state.
/// Indices in between may stand for states that are not canonical, or for nothing. Where candidates
/// can lie, seen from a class, is what [`direction`](Space::direction) declares.
///
/// Ten positions in a ring, where a move is one step:
///
/// ```
/// use godnum::space::Space;
///
/// struct Ring(u64);
///
/// impl Space<u64> for Ring {
///     fn universe(&self) -> u64 {
///         self.0
///     }
///     fn roots(&self) -> Vec<u64> {
///         vec![0]
///     }
///     fn fanout(&self) -> usize {
///         2
///     }
///     fn expand(&self, batch: &[u64], candidates: &mut Vec<u64>) {
///         for &at in batch {
///             candidates.extend([(at + 1) % self.0, (at + self.0 - 1) % self.0]);
///         }
///     }
/// }
///
/// let mut candidates = Vec::new();
/// Ring(10).expand(&[0, 5], &mut candidates);
/// assert_eq!(candidates, [1, 9, 6, 4]);
/// assert_eq!(Ring(10).canonical(10), None);
/// ```
///
/// [`engine::enumerate`](crate::engine::enumerate) shows how such a space is enumerated.
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
    /// Without symmetry every class is one state, which is the default.
    fn states(&self, batch: &[I]) -> u128 {
        batch.len() as u128
    }

    /// The canonical index of the class that the state numbered `index` belongs to, or `None` if
    /// no state has that number. `canonical(i) == Some(i)` exactly for the indices of classes.
    /// By default every number below the universe is a class.
    fn canonical(&self, index: I) -> Option<I> {
        (index < self.universe()).then_some(index)
    }

    /// What is known about the direction of moves. It decides which levels are subtracted from the
    /// candidates of a level; a declaration that does not hold gives wrong levels.
    fn direction(&self) -> Direction {
        Direction::Reversible
    }

    /// The universe as a table of rows, if moves take rows to rows.
    fn rows(&self) -> Option<&dyn Rows> {
        None
    }
}

/// A universe that is a table: a number is *row x columns + column*, and a move takes all columns of a row to
/// columns of one other row.
///
/// Every number of the universe must be one of a state, and a class may have several. Those in one row that
/// symmetries of the row make equal are *twins*. What must hold:
/// - the steps of a number lead to numbers of exactly those classes that [`Space::expand`] finds for its class;
/// - if a step leads from a number to another, a step of the other leads back to the first or a twin of it;
/// - numbers of one class have their steps lead to the same numbers, but for twins.
///
/// Where a move takes columns of a row to several rows, the columns have [parts](Rows::parts), and each step carries
/// only some of them.
pub trait Rows: Send + Sync {
    /// Columns of a row. The universe is a multiple of it.
    fn columns(&self) -> u32;

    /// By column, the number of the part that it is in; empty if all steps of a row carry all columns.
    fn parts(&self, row: u64) -> &[u8] {
        let _ = row;
        &[]
    }

    /// Appends what moves do to a row.
    fn steps(&self, row: u64, steps: &mut Vec<RowStep>);

    /// Appends the symmetries that keep a row, but for the identity.
    fn twins(&self, row: u64, steps: &mut Vec<RowStep>);

    /// Appends where a step, or a symmetry that keeps the row, takes each of these columns, all of which are in
    /// parts that it carries.
    fn carry(&self, row: u64, step: &RowStep, columns: &[u32], images: &mut Vec<u32>);

    /// Appends the numbers of a class, given by its index, apart from twins.
    fn numbers(&self, class: u64, numbers: &mut Vec<u64>);

    /// Clears the bits of all columns that are not the index of their class.
    fn retain_canonical(&self, row: u64, bits: &mut [u64]);
}

/// What a move does to a row: the row it leads to, and whatever the space needs to carry columns there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowStep {
    /// The other row.
    pub row: u64,
    /// The first of the parts of columns that it carries, and the last.
    pub parts: (u8, u8),
    /// Known to the space alone.
    pub key: u32,
}

/// In which levels the candidates of a class can lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// If `b` is a candidate of `a`, then `a` is one of `b`: a candidate of a class in level k is in
    /// level k - 1, k or k + 1, and the last two levels are subtracted.
    #[default]
    Reversible,
    /// Every move leads from level k to level k + 1, so that nothing is subtracted.
    Layered,
    /// Nothing is promised: all levels so far are subtracted. Distances are then those along the
    /// candidates, from the roots on; a space whose roots are solved states expands a state to the
    /// states that a move turns into it.
    Directed,
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

    /// The universe as a table of rows.
    pub fn rows(&self) -> Option<&dyn Rows> {
        match self {
            AnySpace::Narrow(space) => space.rows(),
            AnySpace::Wide(space) => space.rows(),
        }
    }

    /// In which levels candidates can lie.
    pub fn direction(&self) -> Direction {
        match self {
            AnySpace::Narrow(space) => space.direction(),
            AnySpace::Wide(space) => space.direction(),
        }
    }
}

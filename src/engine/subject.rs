//! What is enumerated: a space, and the identity that its job keeps.
//!
//! The engine walks any [`Space`](crate::space::Space). What it has to know besides is in
//! [`Identity`]: which job this is, so that no other space is walked in its directory, and how large
//! the result must be, so that a wrong one is noticed.

use crate::space::AnySpace;

/// Which job it is, and what it must add up to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// A text that names it: `wrapslide:6x6:2`.
    pub text: String,
    /// Version of the numbering of classes; a stored index means nothing under another one.
    pub index_scheme: u32,
    /// A hash of the content of the file that the text names, if it names one.
    pub content: Option<u64>,
    /// What the levels must add up to.
    pub totals: Totals,
}

/// What is known about the number of states and classes without walking them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The number of reachable states.
    pub states: Option<u128>,
    /// The number of reachable classes.
    pub classes: Option<u128>,
    /// The number of states that exist, reachable or not, where some may not be reachable.
    pub existing: Option<u128>,
}

/// Something that can be enumerated, resumed and verified.
pub trait Subject: Send + Sync {
    /// Which job it is.
    fn identity(&self) -> Identity;
    /// What is walked.
    fn space(&self) -> AnySpace<'_>;
}

impl Subject for (Identity, AnySpace<'_>) {
    fn identity(&self) -> Identity {
        self.0.clone()
    }

    fn space(&self) -> AnySpace<'_> {
        self.1
    }
}

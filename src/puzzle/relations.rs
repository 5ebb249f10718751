//! What a puzzle knows about how fast its levels can grow, and how its last level compares with that
//! of other puzzles: what [`bounds`](crate::study::bounds) argues with.

/// How large a level can be, given those before it.
///
/// Level k has at most `later[0]` times the states of level k - 1, plus `later[1]` times those of
/// level k - 2, and so on; level 0 counts with `roots` instead of `later`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// For levels from 1 on: the level before first.
    pub later: Vec<u128>,
    /// For level 0: what it contributes to level 1 first.
    pub roots: Vec<u128>,
    /// The argument, in a sentence that ends with what follows from it.
    pub why: String,
}

/// How the number of a puzzle's last level compares with those of others. Puzzles are given by their
/// canonical texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// It is at least that of another puzzle.
    AtLeast {
        /// The other puzzle.
        other: String,
        /// The argument, in a sentence.
        why: String,
    },
    /// It is at most the sum of those of other puzzles, times `times`, plus `extra`.
    AtMost {
        /// The other puzzles.
        parts: Vec<String>,
        /// How many moves one of theirs stands for, at most.
        times: u32,
        /// Moves that are needed besides.
        extra: u32,
        /// The argument, in a sentence.
        why: String,
    },
}

/// What others have published about the number of a puzzle's last level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// A lower bound.
    pub at_least: u32,
    /// An upper bound.
    pub at_most: u32,
    /// Where to read about it.
    pub source: &'static str,
}

impl Relation {
    /// The puzzles that it compares with.
    pub fn others(&self) -> &[String] {
        match self {
            Relation::AtLeast { other, .. } => std::slice::from_ref(other),
            Relation::AtMost { parts, .. } => parts,
        }
    }
}

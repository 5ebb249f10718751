//! Counting solutions without listing them.

use std::sync::atomic::AtomicBool;

use crate::error::Result;

/// A way to count the solutions of a puzzle in parts that add up.
///
/// Parts are independent of each other, of the number of threads and of the memory that is
/// allowed, so that a count can be stopped between any two and continue later elsewhere.
pub trait Counting: Send + Sync {
    /// How many parts there are.
    fn parts(&self) -> usize;

    /// Prepares what the parts share; refused if that and one part at a time do not fit into
    /// `memory` bytes. Gives up with [`Error::Interrupted`](crate::error::Error) when `stop` is
    /// set.
    fn prepare(&self, memory: u64, stop: &AtomicBool) -> Result<Box<dyn CountTables + '_>>;
}

/// What all parts of a count share.
pub trait CountTables: Send + Sync {
    /// Bytes that the shared things take.
    fn shared_bytes(&self) -> u64;

    /// Bytes that one part takes while it is counted: as many run at a time as memory allows.
    fn part_bytes(&self) -> u64;

    /// The solutions of one part. Called by many threads at once.
    fn count(&self, part: usize) -> u128;
}

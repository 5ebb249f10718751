//! What is on disk, without what it means: files and the faults they can have ([`files`], [`disk`]),
//! who works in a directory ([`Lock`]), JSON that carries its checksum ([`sealed`]), sets of indices
//! in coded blocks ([`level_set`]), and tables in memory that are larger than a cache ([`memory`]).

pub mod disk;
pub mod files;
pub mod level_set;
mod lock;
pub mod memory;
pub(crate) mod par_map;
pub mod sealed;

pub use lock::{Lock, Pulse};

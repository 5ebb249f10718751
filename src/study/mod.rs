//! Studies: what is asked about a puzzle beyond walking its levels.
//!
//! | module | question |
//! |---|---|
//! | [`sample`] | how long are the solutions of random instances? |
//! | [`count`] | how many solutions are there? |
//! | [`bounds`] | what is proven about a God's number that has not been computed? |
//! | [`experiment`] | a job, a count or a sample with its settings and its result file, read from TOML |
//! | [`mod@bench`] | how fast is this build, and does it still get the same numbers? |

pub mod bench;
pub mod bounds;
pub mod count;
pub mod experiment;
mod resumable;
pub mod sample;
mod statistics;

pub use resumable::StudyOptions;
pub use statistics::{Statistics, histogram};

//! Studies: what is asked about a puzzle beyond walking its levels.
//!
//! | module | question |
//! |---|---|
//! | [`sample`] | how long are the solutions of random instances? |
//! | [`count`] | how many solutions are there? |
//! | [`bounds`] | what is proven about a God's number that has not been computed? |
//! | [`mod@prove`] | is every state solved in that many moves? |
//! | [`mod@witness`] | does this state need that many moves? |
//! | [`class`], [`tree`] | what do symmetries make of a state, and where do moves lead? |
//! | [`swaps`] | how many moves exchange two cells? |
//! | [`mod@hunt`] | which states need that many moves? |
//! | [`experiment`] | a job, a count or a sample with its settings and its result file, read from TOML |
//! | [`mod@bench`] | how fast is this build, and does it still get the same numbers? |

pub mod bench;
pub mod bounds;
pub mod class;
pub mod count;
pub mod estimate;
pub mod experiment;
pub mod hunt;
pub mod prove;
mod resumable;
pub mod sample;
mod spheres;
mod statistics;
pub mod swaps;
pub mod tree;
pub mod witness;
pub mod work_dirs;

pub use resumable::StudyOptions;
pub use statistics::{Statistics, histogram};

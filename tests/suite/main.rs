//! Nearly all integration tests, as one program: it is linked once. A module's tests alone run with
//! `cargo test --test suite MODULE::`.
//!
//! Tests of all modules share this process and its environment, working directory and limits: what
//! needs others sets them for a child process.

mod bench;
mod bounds;
mod cli;
mod common;
mod damage;
mod directed;
mod direction;
mod faults;
mod faulty_fs;
mod golden;
mod guide;
mod hunt;
mod input;
mod interposed;
mod json_schema;
mod long_runs;
mod mutations;
mod os_faults;
#[cfg(feature = "serve")]
mod page;
#[cfg(feature = "play")]
mod play;
mod plot;
mod prove;
mod puzzles;
mod real_disks;
mod resume;
mod rules;
mod rust_version;
#[cfg(feature = "serve")]
mod serve;
mod slow_files;
mod solve;
mod solvers;
mod spaces;
mod stops;
#[cfg(feature = "play")]
mod terminal;
mod witness;
mod wrong_spaces;

//! Numbers for people: level tables in several formats, and plots.

pub mod plot;
mod table;

pub use table::{LevelFormat, levels_table};

//! Numbers for people: tables, histograms, pictures, statistics, sizes, durations.

pub mod plot;
mod statistics;
mod table;
mod units;

pub use statistics::{Statistics, histogram};
pub use table::{Format, LevelCount, Table, levels_csv, levels_table, read_levels_csv, timing_csv};
pub use units::{
    bytes, count, duration, harmless, parse_bytes, parse_duration, plural, quoted, things,
};

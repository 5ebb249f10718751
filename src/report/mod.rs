//! Numbers for people: tables, histograms, statistics, sizes, durations.

mod statistics;
mod table;
mod units;

pub use statistics::{Statistics, histogram};
pub use table::{Format, Table, levels_csv, levels_table, timing_csv};
pub use units::{bytes, count, duration, parse_bytes, parse_duration, plural, quoted, things};

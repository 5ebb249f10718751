//! Numbers for people: tables, sizes, durations.

mod table;
mod units;

pub use table::{Format, Table, levels_csv, levels_table, timing_csv};
pub use units::{bytes, count, duration, parse_bytes, parse_duration, plural, quoted, things};

//! Texts for people: counts, sizes, durations, plurals, shell quoting, strings that are safe in a
//! terminal, and plain tables.

mod table;
mod units;

pub use table::Table;
pub use units::{
    bytes, count, duration, harmless, parse_bytes, parse_duration, plural, quoted, things,
};

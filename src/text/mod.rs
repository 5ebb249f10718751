//! Texts for people: counts, sizes, durations, plurals, shell quoting, strings that are safe in a
//! terminal, and plain tables.

mod file_name;
mod table;
mod units;

pub use file_name::file_name;
pub use table::Table;
pub use units::{
    Malformed, bytes, count, duration, harmless, parse_bytes, parse_duration, plural, quoted,
    things, width,
};

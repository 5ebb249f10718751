//! Texts for people: counts, sizes, durations, plurals, shell quoting, strings that are safe in a
//! terminal, mistyped words, and plain tables.

mod file_name;
mod nearest;
mod table;
mod time;
mod units;

pub use file_name::file_name;
pub use nearest::{edits, is_near, nearest};
pub use table::TextTable;
pub use time::timestamp;
pub use units::{
    Malformed, bytes, count, duration, escape_controls, parse_bytes, parse_duration, pluralise, ranges,
    shell_quote, width,
};

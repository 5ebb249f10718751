//! Numbers for people: level tables in several formats, and plots.

mod citation;
mod comparison;
pub mod plot;
mod table;
pub mod tree;

pub use citation::{Citation, CitationFormat};
pub use comparison::{Compared, ComparedJob, Comparison};
pub use table::{LevelFormat, LevelTable};

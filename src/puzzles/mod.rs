//! One folder for each kind of puzzle, and the list of kinds ([`registry`]).

pub mod gourds;
pub mod klotski;
pub mod registry;
#[cfg(test)]
mod testing;
pub mod tiles;
pub mod triangles;
pub mod wrapslide;

//! One folder for each kind of puzzle, and the list of kinds ([`registry`]).

pub(crate) mod families;
pub(crate) mod gourds;
mod kernels;
pub(crate) mod klotski;
pub mod perm;
pub mod registry;
mod suggest;
#[cfg(test)]
mod tests;
pub(crate) mod tiles;
#[cfg_attr(
    not(all(feature = "play", feature = "serve")),
    allow(dead_code, unused_imports, reason = "games and the page each use a part of the tabletop")
)]
pub(crate) mod triangles;
pub(crate) mod wrapslide;

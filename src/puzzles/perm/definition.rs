//! The model of a permutation puzzle, where this folder's modules look for it.

pub(crate) use crate::puzzle::permutations::{
    Definition, Forbidden, NamedMove, Orbit, OrbitPattern, OrbitTransformation, Pattern, PieceName, SlotName,
    Transformation,
};

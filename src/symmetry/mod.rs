//! Symmetry: groups acting on labelled cells, canonical forms, and counting of classes.
//!
//! A position of many puzzles is a *labelling*: a colour for each cell, as `&[u8]`. A
//! [`Symmetry`] moves cells and renames colours; a [`Group`] is all symmetries that some
//! generators make. Labellings that a symmetry of the group turns into each other form one class
//! (orbit), and by the orbit-stabiliser theorem
//! *class size x symmetries that leave a member unchanged = order of the group*.
//!
//! [`canonical()`] picks one member of each class by trying everything. It is slow and plainly
//! right: puzzles bring faster ones, and tests hold those to this one. [`classes()`] counts the
//! classes without visiting them.

mod burnside;
mod canonical;
mod group;

pub use burnside::classes;
pub use canonical::{canonical, full_order};
pub use group::{Group, Symmetry};

//! Symmetry: groups that act on pieces in slots, canonical forms, counting of classes.
//!
//! A state of many puzzles is a *labelling*: what lies in each slot, as `&[u8]`. Pieces can be
//! identical, slots can form several orbits, and a piece can lie in its slot in several
//! orientations. The same few types describe all of them:
//!
//! | item | what it is |
//! |---|---|
//! | [`Points`] | slots, or kinds of pieces, each with a number of orientations; (point, orientation) pairs are numbered point by point |
//! | [`Permutation`] | a permutation of such pairs |
//! | [`Action`] | the slots and the kinds of pieces of a puzzle |
//! | [`Symmetry`] | a permutation of the slots' pairs and one of the pieces' pairs |
//! | [`Group`] | all symmetries that some generators make: stabilisers, canonical form, number of classes |
//! | [`StabiliserChain`] | the order of a large permutation group, and membership in it (Schreier-Sims) |
//!
//! A labelling has the number of a (piece, orientation) pair for each slot; where no piece has a
//! second orientation this is the number of the piece. A symmetry that sends slot `i` to slot `j`
//! with a turn of `t` takes what lies in slot `i` to slot `j`, relabels it, and adds `t` to its
//! orientation, modulo the orientations that the piece has. That number must divide the number of
//! orientations of every slot in which the piece can lie: 1 for a piece that looks the same all
//! ways round.
//!
//! Labellings that a symmetry of the group turns into each other form one class (orbit), and by
//! the orbit-stabiliser theorem
//! *class size x symmetries that leave a member unchanged = order of the group*.
//! [`Group::canonical`] picks one member of each class by trying all symmetries. It is slow and
//! plainly correct: puzzles have faster ones, which tests check against this one.
//! [`Group::classes`] counts the classes without visiting them.
//!
//! # Example
//! Three dominoes lie end to end. Two are alike and have two different ends; the third is a double.
//! A half turn of the table reverses the row and turns every domino round.
//! ```
//! use godnum::symmetry::{Action, Group, Points};
//!
//! # fn example() -> Option<()> {
//! let slots = Points::new([2, 2, 2])?;
//! // Labels 0 and 1 are a domino in its two orientations, label 2 is the double.
//! let dominoes = Points::new([2, 1])?;
//! let action = Action::new(slots, dominoes)?;
//! let half_turn = action.moving([(2, 1), (1, 1), (0, 1)])?;
//! assert_eq!(half_turn.image(&[0, 0, 2]), [2, 1, 1]);
//!
//! let group = Group::generate(&action, &[half_turn])?;
//! assert_eq!(group.order(), 2);
//! // The least image, and the number of symmetries that leave the row as it is.
//! assert_eq!(group.canonical(&[2, 1, 1]), (vec![0, 0, 2], 1));
//! assert_eq!(group.canonical(&[1, 2, 0]), (vec![1, 2, 0], 2));
//! // Twelve rows, two of which are their own images: seven classes.
//! assert_eq!(group.classes(&[2, 1]), Some(7));
//! # Some(())
//! # }
//! # example().unwrap();
//! ```

mod chain;
mod count;
mod fixed;
mod group;
mod points;

pub use chain::StabiliserChain;
pub use count::Cycles;
pub use group::{Action, Group, Symmetry};
pub use points::{Permutation, Points};

//! The mirror, which exchanges left and right, as a symmetry of cells that are labelled with parts
//! of pieces. The fast form of it is in [`blocks`](super::blocks).
//!
//! A piece has one part for each of its cells. Exchanging left and right exchanges the left and
//! right parts of a piece. The upper left parts have the numbers of their kinds, and all others
//! greater ones. So the first cell in which two layouts differ has upper left parts in both, and
//! the least of two labellings is that of the layout with the smaller number.

use super::rules::{BlockBoard, KINDS, SIZES};
use crate::symmetry::{Action, Group, Points, Symmetry};

/// The kind of each part, and its row and column in the piece.
pub(super) fn parts() -> Vec<(usize, usize, usize)> {
    let of_kind = |kind: usize| {
        let (height, width) = SIZES[kind];
        (0..height).flat_map(move |row| (0..width).map(move |column| (kind, row, column)))
    };
    let mut parts: Vec<_> = (0..KINDS).flat_map(of_kind).collect();
    parts.sort_by_key(|&(kind, row, column)| (row + column > 0, kind, row, column));
    parts
}

/// The group of the mirror and the identity, or of the identity alone.
pub(super) fn group(board: &BlockBoard, mirror: bool) -> Option<Group> {
    let action = Action::new(Points::plain(board.cells())?, Points::plain(parts().len())?)?;
    match mirror {
        true => Group::generate(&action, &[mirror_of(board, &action)?]),
        false => Group::generate(&action, &[]),
    }
}

fn mirror_of(board: &BlockBoard, action: &Action) -> Option<Symmetry> {
    let columns = board.columns;
    let cell = |cell: usize| (cell / columns * columns + columns - 1 - cell % columns, 0);
    let parts = parts();
    let part = |&(kind, row, column): &(usize, usize, usize)| {
        let image = (kind, row, SIZES[kind].1 - 1 - column);
        Some((parts.iter().position(|&part| part == image)?, 0))
    };
    let images = parts.iter().map(part).collect::<Option<Vec<_>>>()?;
    action.symmetry((0..board.cells()).map(cell), images)
}

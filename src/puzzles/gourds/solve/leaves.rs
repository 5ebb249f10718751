//! Leaves: the places of a ring where gourds can leave their order.
//!
//! A leaf of the **first type** is four cells a, b, c, d of the ring, one after the other, such that
//! a and d are neighbours: while a gourd rests on b and c, the others go round on the ring without
//! these two cells. A leaf of the **second type** is five such cells a, b, c, d, e with a, c and e
//! neighbours of each other: inside this trapezoid two gourds can change places.
//!
//! Every ring of at least five cells has a leaf, if its inside is cut into unit triangles. Look at
//! the tree in which the triangles hang together, from one that has two sides on the ring. A deepest
//! triangle has two sides on the ring as well. If the triangle before it has no other one behind it,
//! their four cells follow each other on the ring: the first type. If it has, both have two sides on
//! the ring, and the three make the second type. Some rings have leaves of the second type only.

use super::super::board::Board;
use super::ring::Ring;

/// The places where leaves of the first type begin.
pub(super) fn of_first_type(board: &Board, ring: &Ring) -> Vec<usize> {
    let leaf = |&place: &usize| near(board, ring, place, 0, 3);
    (0..ring.len())
        .filter(leaf)
        .filter(|_| ring.len() > 4)
        .collect()
}

/// The places where leaves of the second type begin.
pub(super) fn of_second_type(board: &Board, ring: &Ring) -> Vec<usize> {
    let leaf = |&place: &usize| {
        let sides = [(0, 2), (2, 4), (0, 4)];
        sides.iter().all(|&(i, j)| near(board, ring, place, i, j))
    };
    (0..ring.len())
        .filter(leaf)
        .filter(|_| ring.len() > 4)
        .collect()
}

fn near(board: &Board, ring: &Ring, place: usize, i: isize, j: isize) -> bool {
    board.adjacent(ring.cell(place, i).into(), ring.cell(place, j).into())
}

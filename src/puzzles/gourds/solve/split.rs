//! Where a ring can be cut into smaller ones.
//!
//! Take a triangle (u, v, w) inside a ring of odd length. It leaves three arms of the ring between its
//! corners, and their lengths add up to an even number: so either all three are even (a *sink*), or
//! exactly one is. If that one is empty, u and v say follow each other on the ring, and the triangle
//! is a *source*: it cuts the ring into two odd ones that share only w. A sink with at least two arms
//! that are not empty cuts it into odd rings, one for each of them, that share the triangle.
//!
//! **Every ring of at least five cells has a source.** Give each side of each triangle to the triangle
//! that sees an even number of cells behind it. For a chord exactly one of the two triangles at it
//! does, and at a side on the ring there is only one, which sees none. So each of the 2M - 3 sides is
//! given once; sinks get three of them and others one, hence not all of the M - 2 triangles are
//! sinks. From one that is not go across the side of its even arm: seen from the next triangle, an
//! odd number of cells lies behind that side, so the next one is not a sink either, and its even arm lies
//! further on. This ends where the even arm is empty.

use super::ring::Ring;

/// A triangle at which a ring can be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Split {
    /// Corners u, v and w in the order of the ring, with nothing between u and v.
    Source([u8; 3]),
    /// Corners in the order of the ring.
    Sink([u8; 3]),
}

/// The best split of a ring at one of the triangles inside it: the squares of the numbers of gourds on
/// the parts have the smallest sum.
pub(super) fn best(ring: &Ring, triangles: &[[u8; 3]]) -> Option<Split> {
    let inside = triangles.iter().filter(|corners| corners.iter().all(|&c| ring.has(c)));
    let splits = inside.filter_map(|&corners| split(ring, corners));
    let (_, best) = splits.min_by_key(|&(cost, _)| cost)?;
    Some(best)
}

/// The split at a triangle, and its cost.
fn split(ring: &Ring, mut corners: [u8; 3]) -> Option<(usize, Split)> {
    corners.sort_unstable_by_key(|&cell| ring.place(cell));
    let places = corners.map(|cell| ring.place(cell));
    let arms = [places[1] - places[0] - 1, places[2] - places[1] - 1, ring.len() - places[2] + places[0] - 1];
    if arms.iter().all(|arm| arm.is_multiple_of(2)) {
        let parts = arms.iter().filter(|&&arm| arm > 0);
        let cost = parts.clone().map(|arm| (arm / 2 + 1).pow(2)).sum();
        return (parts.count() > 1).then_some((cost, Split::Sink(corners)));
    }
    let empty = arms.iter().position(|&arm| arm == 0)?;
    corners.rotate_left(empty);
    let others = [1, 2].map(|i| arms[(empty + i) % 3]);
    let cost = others.iter().map(|arm| arm.div_ceil(2).pow(2)).sum();
    Some((cost, Split::Source(corners)))
}

#[cfg(test)]
mod tests;

//! Sorting by insertion, at a leaf of the first type.
//!
//! The gourd that comes next in the wanted order is brought onto the cells b and c of the leaf. There
//! it rests while the others rotate on the ring without these cells, which a and d close, until the
//! gourd that it has to follow lies before it; then it is in the ring again. No gourd may lie across
//! a and d at that moment, and if the hole is on a, the gourd before it is the one behind the hole.
//!
//! The chain that is in order already stays together all the time. Each of n gourds takes two
//! rotations of up to n^2 / 2 steps or so: O(n^3) clicks.

use super::order::{follows, from_longest_run, gourds};
use super::position::{Position, Walker};
use super::ring::Ring;

/// Brings the gourds on a ring into the order of a list, either way round; `None` if that fails,
/// which cannot be.
pub(super) fn sort(walker: &mut Walker<'_>, ring: &Ring, leaf: usize, wanted: &[u8]) -> Option<()> {
    let [a, b, c] = [0, 1, 2].map(|i| ring.cell(leaf, i));
    let others = ring.cells.iter().copied();
    let inner = Ring::new(others.filter(|&cell| cell != b && cell != c).collect());
    let before = |at: &Position| match at.hole == a {
        true => at.gourd(ring.cell(leaf, -1)),
        false => at.gourd(a),
    };
    let chain = from_longest_run(&ring.list(&walker.at), wanted);
    for pair in chain.windows(2) {
        if follows(&gourds(ring, &walker.at), pair[0], pair[1]) {
            continue;
        }
        ring.turn_until(walker, |at| {
            at.gourd(b) == pair[1] && at.mate[usize::from(b)] == c
        })?;
        inner.turn_until(walker, |at| before(at) == pair[0] && ring.is_aligned(at))?;
    }
    Some(())
}

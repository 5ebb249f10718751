//! The first and the last phase: putting all gourds onto a ring, and taking them off again.
//!
//! The hole walks along the ring. If the gourd ahead is aligned, it passes by a step. If not, its near
//! end goes into the hole and the other one follows onto the cell where the near one was (in two
//! clicks if it has to pivot): one more gourd is aligned, and the hole jumps to where its other end
//! was. The cell ahead of the hole is never the far end of an aligned gourd, so the hole meets every
//! aligned gourd at most once before it comes to one that is not. That makes at most n(n + 1) clicks
//! for n gourds. Both ways round are looked at each time, and the shorter one is taken.
//!
//! The last phase is the first one for the solved placement, backwards.

use super::position::Walker;
use super::ring::Ring;

/// Aligns all gourds on a ring that has all cells; `None` if that never ends, which cannot be.
pub(super) fn align(walker: &mut Walker<'_>, ring: &Ring) -> Option<()> {
    for _ in 0..=ring.gourds() {
        if ring.is_aligned(&walker.at) {
            return Some(());
        }
        let scouts = [1, -1].map(|way| {
            let mut scout = walker.scout();
            align_next(&mut scout, ring, way).map(|()| scout)
        });
        let best = scouts.into_iter().flatten().min_by_key(Walker::clicks);
        walker.follow(best?);
    }
    None
}

/// Goes one way round until one more gourd is aligned.
fn align_next(walker: &mut Walker<'_>, ring: &Ring, way: isize) -> Option<()> {
    for _ in 0..=ring.gourds() {
        let hole = ring.place(walker.at.hole);
        let [near, far] = [way, 2 * way].map(|further| ring.cell(hole, further));
        let mate = walker.at.mate[usize::from(near)];
        if mate == far {
            ring.step(walker, way);
            continue;
        }
        walker.click(near);
        if walker.at.hole == near {
            walker.click(mate);
        }
        return Some(());
    }
    None
}

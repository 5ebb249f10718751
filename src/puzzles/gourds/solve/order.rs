//! What both sorts share: the order that is wanted, and the end of the work, when the order is right
//! but some gourds lie the wrong way round.
//!
//! Orders are cyclic, so a sort may begin anywhere. It keeps a chain of gourds that follow each
//! other as wanted and makes it longer one gourd after the other; the chain that is longest at first
//! is taken.
//!
//! Gourds are turned at ears: a gourd that passes the hole there can do so the other way round, and
//! it even takes a click less. After at most one full turn of the ring every gourd has passed an ear
//! (and every ring of unit triangles has one).

use super::position::{PLACES, Position, Walker};
use super::ring::Ring;

/// The wanted order of gourds, from the one on where the longest run of it is there already. Both
/// lists hold codes of leading ends.
pub(super) fn from_longest_run(list: &[u8], wanted: &[u8]) -> Vec<u8> {
    let order: Vec<u8> = list.iter().map(|code| code >> 1).collect();
    let mut wanted: Vec<u8> = wanted.iter().map(|code| code >> 1).collect();
    let length = wanted.len();
    let run = |start: usize| {
        let pair = |i: usize| [0, 1].map(|next| wanted[(start + i + next) % length]);
        let follows = (0..length - 1)
            .map(pair)
            .take_while(|[a, b]| follows(&order, *a, *b));
        follows.count()
    };
    // The first of the longest ones.
    let best = (0..length).rev().max_by_key(|&start| run(start));
    wanted.rotate_left(best.unwrap_or(0));
    wanted
}

/// Whether a gourd comes right after another one in a cyclic order.
pub(super) fn follows(order: &[u8], before: u8, after: u8) -> bool {
    let place = order.iter().position(|&gourd| gourd == before);
    place.is_some_and(|place| order[(place + 1) % order.len()] == after)
}

/// The gourds on a ring, from the hole on.
pub(super) fn gourds(ring: &Ring, at: &Position) -> Vec<u8> {
    ring.list(at).iter().map(|code| code >> 1).collect()
}

/// Turns the gourds that lie the wrong way round, and the ring to where it belongs; `None` if the
/// order is not the wanted one.
pub(super) fn finish(walker: &mut Walker<'_>, ring: &Ring, target: &Position) -> Option<()> {
    let wanted = ring.list(target);
    let scouts = [1, -1].map(|way| {
        let mut scout = walker.scout();
        turn_all(&mut scout, ring, &wanted, way);
        let first = Ring::rotation(&ring.list(&scout.at), &wanted)?;
        ring.turn_to(&mut scout, target.hole, Some(first));
        Some(scout)
    });
    let best = scouts.into_iter().flatten().min_by_key(Walker::clicks);
    walker.follow(best?);
    Some(())
}

/// Rotates one way until no gourd lies the wrong way round.
fn turn_all(walker: &mut Walker<'_>, ring: &Ring, wanted: &[u8], way: isize) {
    let mut leads = [false; PLACES];
    for &code in wanted {
        leads[usize::from(code)] = true;
    }
    let list = ring.list(&walker.at);
    let mut wrong = list
        .iter()
        .filter(|&&code| !leads[usize::from(code)])
        .count();
    let mut left = ring.len() * ring.gourds();
    while wrong > 0 && left > 0 {
        let hole = ring.place(walker.at.hole);
        // The gourd ahead leads with its near end, the one behind with its far end.
        let lead = ring.cell(hole, if way > 0 { 1 } else { -2 });
        let ends = [ring.cell(hole, 0), ring.cell(hole, 2 * way)].map(usize::from);
        let ear = walker.board.adjacent(ends[0], ends[1]);
        if ear && !leads[usize::from(walker.at.code[usize::from(lead)])] {
            ring.step_turned(walker, way);
            wrong -= 1;
        } else {
            ring.step(walker, way);
        }
        left -= 1;
    }
}

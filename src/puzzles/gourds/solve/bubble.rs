//! Sorting by exchanges, at a leaf of the second type.
//!
//! Two gourds that follow each other rotate until they and the hole fill the five cells a, b, c, d, e
//! of the leaf, which happens with the hole on a, c or e. Inside, the trapezoid's 56 positions are all
//! connected, and a search through them finds the shortest way to the two gourds in the other
//! order. From a hole on a to a hole on e that is three clicks, `e c a`, and both gourds keep the way
//! they lie round; where one of them should be turned anyway, that counts in favour.
//!
//! A gourd passes one predecessor after the other until it follows the one it has to follow, with
//! about one turn of the ring in between: O(n^2) exchanges of O(n) clicks each.

use super::order::{from_longest_run, gourds};
use super::position::{Position, Walker};
use super::ring::Ring;

/// Brings the gourds on a ring into the order of a list, either way round; `None` if that fails,
/// which cannot be.
pub(super) fn sort(walker: &mut Walker<'_>, ring: &Ring, leaf: usize, wanted: &[u8]) -> Option<()> {
    let cells = [0, 1, 2, 3, 4].map(|i| ring.cell(leaf, i));
    let chain = from_longest_run(&ring.list(&walker.at), wanted);
    for pair in chain.windows(2) {
        // A gourd passes fewer others than there are.
        for _ in 0..chain.len() {
            let order = gourds(ring, &walker.at);
            let place = order.iter().position(|&gourd| gourd == pair[1])?;
            let before = order[(place + order.len() - 1) % order.len()];
            if before == pair[0] {
                break;
            }
            ring.turn_until(walker, |at| in_leaf(at, &cells) == Some([before, pair[1]]))?;
            exchange(walker, ring, &cells, wanted)?;
        }
    }
    Some(())
}

/// The two gourds in the leaf, in the order of the ring; `None` unless they and the hole fill it.
fn in_leaf(at: &Position, cells: &[u8; 5]) -> Option<[u8; 2]> {
    let [a, b, c, d, e] = *cells;
    let pairs = match at.hole {
        hole if hole == a => [[b, c], [d, e]],
        hole if hole == c => [[a, b], [d, e]],
        hole if hole == e => [[a, b], [c, d]],
        _ => return None,
    };
    let whole = |[x, y]: &[u8; 2]| at.mate[usize::from(*x)] == *y;
    let filled = pairs.iter().all(whole);
    filled.then(|| pairs.map(|pair| at.gourd(pair[0])))
}

/// Exchanges the two gourds in a leaf.
fn exchange(walker: &mut Walker<'_>, ring: &Ring, cells: &[u8; 5], wanted: &[u8]) -> Option<()> {
    let [first, second] = in_leaf(&walker.at, cells)?;
    let mut seen = vec![walker.scout()];
    let mut next = 0;
    while let Some(here) = seen.get(next).cloned() {
        next += 1;
        for &cell in cells {
            if walker.board.adjacent(here.at.hole.into(), cell.into()) {
                let mut after = here.clone();
                after.click(cell);
                if !seen.iter().any(|known| known.at.agrees(&after.at, cells)) {
                    seen.push(after);
                }
            }
        }
    }
    let exchanged = |scout: &Walker<'_>| in_leaf(&scout.at, cells) == Some([second, first]);
    let cost = |scout: &Walker<'_>| {
        let list = ring.list(&scout.at);
        let wrong = list.iter().filter(|code| !wanted.contains(code)).count();
        scout.clicks() + wrong
    };
    let best = seen.into_iter().filter(exchanged).min_by_key(cost)?;
    walker.follow(best);
    Some(())
}

//! Sorting gourds that are aligned on a ring: by insertion or by exchanges, and then each is turned the
//! right way round; or by divide and conquer, which does both at once.
//!
//! Orders are cyclic, so a sort may begin anywhere. It keeps a chain of gourds that follow each
//! other as wanted and makes it longer one gourd after the other; the chain that is longest at first
//! is taken.
//!
//! **Leaves** are the places of a ring where gourds can leave their order. A leaf of the *first type* is
//! four cells a, b, c, d of the ring, one after the other, such that a and d are neighbours: while a
//! gourd rests on b and c, the others go round on the ring without these two cells. A leaf of the
//! *second type* is five such cells a, b, c, d, e with a, c and e neighbours of each other: inside this
//! trapezoid two gourds can change places.
//!
//! Every ring of at least five cells has a leaf, if its inside is cut into unit triangles. Look at
//! the tree in which the triangles hang together, from one that has two sides on the ring. A deepest
//! triangle has two sides on the ring as well. If the triangle before it has no other one behind it,
//! their four cells follow each other on the ring: the first type. If it has, both have two sides on
//! the ring, and the three make the second type. Some rings have leaves of the second type only.
//!
//! **Insertion** needs a leaf of the first type. The gourd that comes next in the wanted order is brought
//! onto the cells b and c. There it rests while the others rotate on the ring without these cells,
//! which a and d close, until the gourd that it has to follow lies before it; then it is in the ring
//! again. No gourd may lie across a and d at that moment, and if the hole is on a, the gourd before it
//! is the one behind the hole. The chain that is in order already stays together all the time. Each of
//! n gourds takes two rotations of up to n^2 / 2 steps or so: O(n^3) clicks.
//!
//! **Exchanges** need a leaf of the second type. Two gourds that follow each other rotate until they and
//! the hole fill its five cells, which happens with the hole on a, c or e. Inside, the trapezoid's 56
//! positions are all connected, and a search through them finds the shortest way to the two gourds in
//! the other order. From a hole on a to a hole on e that is three clicks, `e c a`, and both gourds keep
//! the way they lie round; where one of them should be turned anyway, that counts in favour. A gourd
//! passes one predecessor after the other until it follows the one it has to follow, with about one turn
//! of the ring in between: O(n^2) exchanges of O(n) clicks each.
//!
//! **Turning** is done at ears: a gourd that passes the hole there can do so the other way round, and
//! it even takes a click less. After at most one full turn of the ring every gourd has passed an ear
//! (and every ring of unit triangles has one).

use super::super::board::HexBoard;
use super::divide;
use super::position::{ClickPath, EndMap, PLACES};
use super::ring::Ring;

/// How the gourds are sorted on the cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Sort {
    /// By insertion, at a leaf of the first type.
    Insertion,
    /// By exchanges, at a leaf of the second type.
    Bubble,
    /// By [divide and conquer](super::divide), in O(n^2) clicks where splits are fairly even; it needs no leaf.
    Divide,
}

impl Sort {
    pub const ALL: [Sort; 3] = [Sort::Insertion, Sort::Bubble, Sort::Divide];

    /// One word.
    pub const fn name(self) -> &'static str {
        match self {
            Sort::Insertion => "insertion",
            Sort::Bubble => "bubble",
            Sort::Divide => "divide",
        }
    }

    /// What a cycle must have for it, after "a cycle".
    pub fn needs(self) -> &'static str {
        match self {
            Sort::Insertion => " with four cells in a row whose ends are neighbours",
            Sort::Bubble => " with five cells in a row that form a trapezoid",
            Sort::Divide => "",
        }
    }

    /// The places of a cycle where the leaves begin at which it can sort.
    pub fn leaves(self, board: &HexBoard, ring: &Ring) -> Vec<usize> {
        // Two gourds are always in order, and the smallest board has no leaf.
        if ring.gourds() < 3 || self == Sort::Divide {
            return vec![0];
        }
        leaves(self, board, ring)
    }

    /// Whether a cycle has such a leaf.
    pub fn works(self, board: &HexBoard, ring: &Ring) -> bool {
        !self.leaves(board, ring).is_empty()
    }

    /// Brings aligned gourds where they are in the target, using a leaf; `None` if that fails, which
    /// cannot be.
    pub fn run(self, path: &mut ClickPath<'_>, ring: &Ring, leaf: usize, target: &EndMap) -> Option<()> {
        let wanted = ring.list(target);
        match self {
            Sort::Divide => return divide::sort(path, ring, target),
            _ if ring.gourds() < 3 => {}
            Sort::Insertion => insertion(path, ring, leaf, &wanted)?,
            Sort::Bubble => bubble(path, ring, leaf, &wanted)?,
        }
        path.append_shortest([1, -1], |fork, way| {
            turn_all(fork, ring, &wanted, way);
            let first = Ring::rotation(&ring.list(&fork.at), &wanted)?;
            ring.turn_to(fork, target.hole, Some(first));
            Some(())
        })
    }
}

/// The places where leaves of the type that a sort needs begin.
pub(super) fn leaves(sort: Sort, board: &HexBoard, ring: &Ring) -> Vec<usize> {
    let neighbours: &[[isize; 2]] = match sort {
        Sort::Insertion => &[[0, 3]],
        Sort::Bubble => &[[0, 2], [2, 4], [0, 4]],
        Sort::Divide => &[],
    };
    let is_leaf = |&place: &usize| {
        let cells = neighbours.iter().map(|pair| pair.map(|i| usize::from(ring.cell(place, i))));
        ring.len() > 4 && cells.into_iter().all(|[a, b]| board.adjacent(a, b))
    };
    (0..ring.len()).filter(is_leaf).collect()
}

/// The wanted order of gourds, from the one on where the longest run of it is there already. Both
/// lists hold codes of leading ends.
fn from_longest_run(list: &[u8], wanted: &[u8]) -> Vec<u8> {
    let order: Vec<u8> = list.iter().map(|code| code >> 1).collect();
    let mut wanted: Vec<u8> = wanted.iter().map(|code| code >> 1).collect();
    let length = wanted.len();
    let run = |start: usize| {
        let pair = |i: usize| [0, 1].map(|next| wanted[(start + i + next) % length]);
        let follows = (0..length - 1).map(pair).take_while(|[a, b]| follows(&order, *a, *b));
        follows.count()
    };
    // The first of the longest ones.
    let best = (0..length).rev().max_by_key(|&start| run(start));
    wanted.rotate_left(best.unwrap_or(0));
    wanted
}

/// Whether a gourd comes right after another one in a cyclic order.
fn follows(order: &[u8], before: u8, after: u8) -> bool {
    let place = order.iter().position(|&gourd| gourd == before);
    place.is_some_and(|place| order[(place + 1) % order.len()] == after)
}

/// The gourds on a ring, from the hole on.
fn gourds(ring: &Ring, at: &EndMap) -> Vec<u8> {
    ring.list(at).iter().map(|code| code >> 1).collect()
}

/// Sorts by insertion into the order of a list; gourds may then lie either way round.
fn insertion(path: &mut ClickPath<'_>, ring: &Ring, leaf: usize, wanted: &[u8]) -> Option<()> {
    let [a, b, c] = [0, 1, 2].map(|i| ring.cell(leaf, i));
    let others = ring.cells.iter().copied();
    let inner = Ring::new(others.filter(|&cell| cell != b && cell != c).collect());
    let before = |at: &EndMap| if at.hole == a { at.gourd(ring.cell(leaf, -1)) } else { at.gourd(a) };
    let chain = from_longest_run(&ring.list(&path.at), wanted);
    for pair in chain.windows(2) {
        if follows(&gourds(ring, &path.at), pair[0], pair[1]) {
            continue;
        }
        ring.turn_until(path, |at| at.gourd(b) == pair[1] && at.mate[usize::from(b)] == c)?;
        inner.turn_until(path, |at| before(at) == pair[0] && ring.is_aligned(at))?;
    }
    Some(())
}

/// Sorts by exchanges into the order of a list; gourds may then lie either way round.
fn bubble(path: &mut ClickPath<'_>, ring: &Ring, leaf: usize, wanted: &[u8]) -> Option<()> {
    let cells = [0, 1, 2, 3, 4].map(|i| ring.cell(leaf, i));
    let chain = from_longest_run(&ring.list(&path.at), wanted);
    for pair in chain.windows(2) {
        // A gourd passes fewer others than there are.
        for _ in 0..chain.len() {
            let order = gourds(ring, &path.at);
            let place = order.iter().position(|&gourd| gourd == pair[1])?;
            let before = order[(place + order.len() - 1) % order.len()];
            if before == pair[0] {
                break;
            }
            ring.turn_until(path, |at| in_leaf(at, &cells) == Some([before, pair[1]]))?;
            exchange(path, ring, &cells, wanted)?;
        }
    }
    Some(())
}

/// The two gourds in the leaf, in the order of the ring; `None` unless they and the hole fill it.
fn in_leaf(at: &EndMap, cells: &[u8; 5]) -> Option<[u8; 2]> {
    let [a, b, c, d, e] = *cells;
    let pairs = match at.hole {
        hole if hole == a => [[b, c], [d, e]],
        hole if hole == c => [[a, b], [d, e]],
        hole if hole == e => [[a, b], [c, d]],
        _ => return None,
    };
    let filled = pairs.iter().all(|[x, y]| at.mate[usize::from(*x)] == *y);
    filled.then(|| pairs.map(|pair| at.gourd(pair[0])))
}

/// Exchanges the two gourds in a leaf.
fn exchange(path: &mut ClickPath<'_>, ring: &Ring, cells: &[u8; 5], wanted: &[u8]) -> Option<()> {
    let [first, second] = in_leaf(&path.at, cells)?;
    let mut seen = vec![path.fork()];
    let mut next = 0;
    while let Some(here) = seen.get(next).cloned() {
        next += 1;
        for &cell in cells {
            if path.board.adjacent(here.at.hole.into(), cell.into()) {
                let mut after = here.clone();
                after.click(cell);
                if !seen.iter().any(|known| known.at.agrees(&after.at, cells)) {
                    seen.push(after);
                }
            }
        }
    }
    let exchanged = |fork: &ClickPath<'_>| in_leaf(&fork.at, cells) == Some([second, first]);
    let cost = |fork: &ClickPath<'_>| {
        let list = ring.list(&fork.at);
        fork.len() + list.iter().filter(|code| !wanted.contains(code)).count()
    };
    path.append(seen.into_iter().filter(exchanged).min_by_key(cost)?);
    Some(())
}

/// Rotates one way until no gourd lies the wrong way round.
fn turn_all(path: &mut ClickPath<'_>, ring: &Ring, wanted: &[u8], way: isize) {
    let mut leads = [false; PLACES];
    for &code in wanted {
        leads[usize::from(code)] = true;
    }
    let list = ring.list(&path.at);
    let mut wrong = list.iter().filter(|&&code| !leads[usize::from(code)]).count();
    let mut left = ring.len() * ring.gourds();
    while wrong > 0 && left > 0 {
        let hole = ring.place(path.at.hole);
        // The gourd ahead leads with its near end, the one behind with its far end.
        let lead = ring.cell(hole, if way > 0 { 1 } else { -2 });
        let ends = [ring.cell(hole, 0), ring.cell(hole, 2 * way)].map(usize::from);
        let ear = path.board.adjacent(ends[0], ends[1]);
        if ear && !leads[usize::from(path.at.code[usize::from(lead)])] {
            ring.step_turned(path, way);
            wrong -= 1;
        } else {
            ring.step(path, way);
        }
        left -= 1;
    }
}

//! Divide and conquer: sorting on a ring in O(n^2) clicks, where splits are fairly even.
//!
//! The paper has a theorem that O(n^2) moves always suffice, which is the best possible in the worst
//! case. What follows has the same outline (cut the ring, give every part its own gourds, continue
//! in the parts), but its details are new.
//!
//! [`settle`](Divide::settle) makes the start agree with the target on the cells of a ring, if both are
//! aligned on it and the same gourds lie there. It works on a copy of the target as well and goes
//! back on its tracks in the end, so that outside nothing but the start has moved. Rings of up to
//! seven cells are searched. Where the two already agree but for a rotation, the ring is rotated. All
//! others are cut at a triangle; [`split`] has the proof that there is one.
//!
//! **A source** (u, v, w) with u and v next to each other on the ring C cuts it into the rings P, from
//! v to w, and Q, from w to u. With the hole on w, all three can be rotated separately. One turn of C
//! (as many steps as it has cells) moves every gourd on by one: the one at v goes over to Q, and the
//! first one of Q behind w goes over to P; backwards, those at the other ends do. So foreign gourds are
//! brought to these ends and exchanged, a pair at a time, until P and Q hold their own gourds.
//!
//! **A sink** (u, v, w) has three arms with an even number of cells each. In a *slot position* the hole
//! and one gourd, the one in the slot, fill the triangle, and other gourds fill the arms. An arm with
//! the triangle is a ring; rotating it puts the slot's gourd into the arm and brings others into the
//! slot. So the gourd in the slot always goes to its own arm in exchange for a foreign one; if it
//! belongs in the slot itself, it goes into any arm that has a foreign gourd.
//!
//! Then the parts follow. With n gourds the exchanges on one level take O(n^2) clicks, and so does
//! everything if no part is ever larger than a fixed fraction of the whole. That depends on the
//! cycle: several are tried.

use super::super::board::HexBoard;
use super::position::{ClickPath, EndMap};
use super::ring::Ring;
use super::split::{self, Split};
use super::{cycle, region};

/// The gourds of a board; there are at most 31.
const GOURDS: usize = 32;

/// The recursion over rings of one cycle.
struct Divide<'a> {
    board: &'a HexBoard,
    triangles: Vec<[u8; 3]>,
    /// Rings of up to this number of cells are searched.
    base: usize,
}

/// Solves with a cycle: the clicks, or `None` if the method fails, which cannot be. Positions tell all
/// gourds apart. Rings of up to `base` cells are searched, three or more.
pub(in super::super) fn solve(
    board: &HexBoard,
    ring: &Ring,
    start: &EndMap,
    target: &EndMap,
    base: usize,
) -> Option<Vec<u8>> {
    let divide = Divide { board, triangles: cycle::triangles(board, ring), base };
    let mut path = ring.align(board, start)?;
    let home = ring.align(board, target)?;
    divide.settle(&mut path, &home.at, ring)?;
    path.append_reversed(&home);
    Some(path.clicks())
}

/// Brings gourds that are aligned on a ring where they are in the target, which is aligned on it as well;
/// `None` if the method fails, which cannot be.
pub(super) fn sort(path: &mut ClickPath<'_>, ring: &Ring, target: &EndMap) -> Option<()> {
    let board = path.board;
    Divide { board, triangles: cycle::triangles(board, ring), base: region::MOST }.settle(path, target, ring)
}

impl Divide<'_> {
    /// Makes the path agree with the target on a ring.
    fn settle(&self, path: &mut ClickPath<'_>, target: &EndMap, ring: &Ring) -> Option<()> {
        if path.at.agrees(target, &ring.cells) {
            return Some(());
        }
        if ring.len() <= self.base {
            return region::settle(path, target, &ring.cells);
        }
        if let Some(first) = Ring::rotation(&ring.list(&path.at), &ring.list(target)) {
            ring.turn_to(path, target.hole, Some(first));
            return Some(());
        }
        let mut home = ClickPath::new(self.board, *target);
        match split::best(ring, &self.triangles)? {
            Split::Source(corners) => self.at_source(path, &mut home, ring, corners)?,
            Split::Sink(corners) => self.at_sink(path, &mut home, ring, corners)?,
        }
        path.append_reversed(&home);
        Some(())
    }

    fn at_source(
        &self,
        path: &mut ClickPath<'_>,
        home: &mut ClickPath<'_>,
        ring: &Ring,
        corners: [u8; 3],
    ) -> Option<()> {
        let [u, v, w] = corners.map(|cell| ring.place(cell));
        let (left, right) = (Ring::new(ring.stretch(v, w)), Ring::new(ring.stretch(w, u)));
        ring.turn_to(path, corners[2], None);
        ring.turn_to(home, corners[2], None);
        let mut at_left = [false; GOURDS];
        for code in left.list(&home.at) {
            at_left[usize::from(code >> 1)] = true;
        }
        // Where foreign gourds are in the lists of both parts, from the hole on.
        let foreign = |part: &Ring, at: &EndMap, own: bool| -> Vec<usize> {
            let list = part.list(at);
            let is_own = |place: &usize| at_left[usize::from(list[*place] >> 1)] == own;
            (0..list.len()).filter(|place| !is_own(place)).collect()
        };
        for _ in 0..=ring.gourds() {
            let strays = [foreign(&left, &path.at, true), foreign(&right, &path.at, false)];
            if strays.iter().all(Vec::is_empty) {
                self.settle(path, &home.at, &left)?;
                return self.settle(path, &home.at, &right);
            }
            // Forwards the first gourds of both lists change sides, backwards the last ones.
            path.append_shortest([1, -1], |fork, way| {
                for (part, strays) in [&left, &right].into_iter().zip(&strays) {
                    let hole = part.place(fork.at.hole);
                    let steps = strays.iter().map(|stray| {
                        let first = if way > 0 { *stray } else { stray + 1 };
                        part.steps_to(self.board, hole, hole, Some(first % part.gourds()))
                    });
                    let steps = steps.min_by_key(|&steps| part.cost(self.board, hole, steps))?;
                    part.rotate(fork, steps);
                }
                ring.rotate(fork, way * ring.len() as isize);
                Some(())
            })?;
        }
        None
    }

    fn at_sink(
        &self,
        path: &mut ClickPath<'_>,
        home: &mut ClickPath<'_>,
        ring: &Ring,
        corners: [u8; 3],
    ) -> Option<()> {
        let sink = Sink::new(ring, corners);
        sink.enter(path, ring)?;
        sink.enter(home, ring)?;
        // Which arm every gourd belongs to; three means the slot.
        let mut belongs = [3; GOURDS];
        for (number, arm) in sink.arms.iter().enumerate() {
            for &cell in arm.inner() {
                belongs[usize::from(home.at.gourd(cell))] = number;
            }
        }
        for _ in 0..=2 * ring.gourds() {
            let gourd = sink.in_slot(&path.at);
            let stray = |number: usize, at: &EndMap| {
                let mut cells = sink.arms[number].inner().iter();
                cells.any(|&cell| belongs[usize::from(at.gourd(cell))] != number)
            };
            let arm = match belongs[usize::from(gourd)] {
                3 => (0..3).find(|&number| stray(number, &path.at)),
                number => Some(number),
            };
            let Some(number) = arm else {
                for arm in sink.arms.iter().filter(|arm| !arm.inner().is_empty()) {
                    arm.open(path);
                    arm.open(home);
                    self.settle(path, &home.at, &arm.ring)?;
                }
                return Some(());
            };
            sink.exchange(path, number, |other| other != gourd && belongs[usize::from(other)] != number)?;
        }
        None
    }
}

/// A triangle with three even arms.
struct Sink {
    corners: [u8; 3],
    /// Arm number i lies between corners i and i + 1.
    arms: [Arm; 3],
}

/// An arm of a sink: the corner before the arm, the arm, the corner behind it, and the third one.
struct Arm {
    ring: Ring,
}

impl Arm {
    /// The cells of the arm without the triangle.
    fn inner(&self) -> &[u8] {
        &self.ring.cells[1..self.ring.len() - 2]
    }

    /// The corners at both ends of the arm. With the hole on one of them, a slot position is aligned
    /// on the arm's ring.
    fn doors(&self) -> [u8; 2] {
        [self.ring.cells[0], self.ring.cells[self.ring.len() - 2]]
    }

    /// Pivots the slot's gourd so that the arm can be rotated.
    fn open(&self, path: &mut ClickPath<'_>) {
        if !self.doors().contains(&path.at.hole) {
            path.click(self.doors()[0]);
        }
    }
}

impl Sink {
    fn new(ring: &Ring, corners: [u8; 3]) -> Sink {
        let arm = |number: usize| {
            let [from, to, third] = [0, 1, 2].map(|i| corners[(number + i) % 3]);
            let mut cells = ring.stretch(ring.place(from), ring.place(to));
            cells.push(third);
            Arm { ring: Ring::new(cells) }
        };
        Sink { corners, arms: [0, 1, 2].map(arm) }
    }

    fn in_slot(&self, at: &EndMap) -> u8 {
        let corner = self.corners.into_iter().find(|&corner| corner != at.hole);
        at.gourd(corner.unwrap_or(self.corners[0]))
    }

    /// From a position that is aligned on the whole ring to a slot position. With the hole on a
    /// corner, the opposite arm's ring is aligned; rotating it brings the hole to another corner.
    fn enter(&self, path: &mut ClickPath<'_>, ring: &Ring) -> Option<()> {
        path.append_shortest([0, 1, 2], |fork, number| {
            ring.turn_to(fork, self.corners[number], None);
            let opposite = &self.arms[(number + 1) % 3];
            if !opposite.inner().is_empty() {
                let doors = opposite.doors();
                opposite.ring.turn_until(fork, |at| doors.contains(&at.hole))?;
            }
            Some(())
        })
    }

    /// Rotates an arm until a gourd that is wanted is in the slot.
    fn exchange(&self, path: &mut ClickPath<'_>, arm: usize, wanted: impl Fn(u8) -> bool) -> Option<()> {
        let Arm { ring } = &self.arms[arm];
        let doors = self.arms[arm].doors();
        path.append_shortest(doors, |fork, door| {
            if !doors.contains(&fork.at.hole) {
                fork.click(door);
            }
            ring.turn_until(fork, |at| doors.contains(&at.hole) && wanted(self.in_slot(at)))
        })
    }
}

//! Rings: closed rows of cells on which gourds follow each other.
//!
//! A ring has an odd number M = 2p + 1 of cells. A position is *aligned* on it if the hole lies on
//! it, at place k say, and gourds cover the places (k+1, k+2), (k+3, k+4) and so on. A **step** moves
//! the first of them into the hole: it then covers (k, k+1), and the hole is at k+2. That is one
//! click where the gourd slides or turns, and two where places k and k+2 are neighbours (an *ear*),
//! because there the gourd pivots. ShapeSteps keep the order of the gourds and which way round they lie.
//!
//! After t steps the hole is 2t places further (mod M), and the list of gourds, read from the hole,
//! has rotated by t (mod p). M and p have no common divisor, so t steps that bring the hole to any
//! place with any gourd behind it always exist, and by the Chinese remainder theorem they are unique
//! modulo pM: t of them one way, or pM - t the other way, whichever takes fewer clicks.
//!
//! At an ear a gourd can pass the hole the other way round, and that takes one click instead of
//! two: its far end swings into the hole.
//!
//! **Aligning** all gourds on a ring, the first phase of solving:
//! the hole walks along the ring. If the gourd ahead is aligned, it passes by a step. If not, its near
//! end goes into the hole and the other one follows onto the cell where the near one was (in two
//! clicks if it has to pivot): one more gourd is aligned, and the hole jumps to where its other end
//! was. The cell ahead of the hole is never the far end of an aligned gourd, so the hole meets every
//! aligned gourd at most once before it comes to one that is not. That makes at most n(n + 1) clicks
//! for n gourds. Both ways round are looked at each time, and the shorter one is taken.
//!
//! The last phase is the first one for the solved placement, backwards.

use super::super::board::HexBoard;
use super::position::{ClickPath, EndMap, PLACES};

/// Not on the ring.
const NOWHERE: u8 = u8::MAX;

/// A closed row of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Ring {
    pub cells: Vec<u8>,
    place: [u8; PLACES],
}

impl Ring {
    pub fn new(cells: Vec<u8>) -> Ring {
        let mut place = [NOWHERE; PLACES];
        for (number, &cell) in (0..).zip(&cells) {
            place[usize::from(cell)] = number;
        }
        Ring { cells, place }
    }

    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// How many gourds fit on it.
    pub fn gourds(&self) -> usize {
        self.len() / 2
    }

    pub fn has(&self, cell: u8) -> bool {
        self.place[usize::from(cell)] != NOWHERE
    }

    /// The place of a cell that is on the ring.
    pub fn place(&self, cell: u8) -> usize {
        self.place[usize::from(cell)].into()
    }

    /// The cell `further` places after (or before) a place.
    #[inline]
    pub fn cell(&self, place: usize, further: isize) -> u8 {
        let place = (place as isize + further).rem_euclid(self.len() as isize);
        self.cells[place as usize]
    }

    /// The cells from one place to another one, both included, in the direction of the ring.
    pub fn stretch(&self, from: usize, to: usize) -> Vec<u8> {
        let length = (to + self.len() - from) % self.len();
        (0..=length as isize).map(|i| self.cell(from, i)).collect()
    }

    /// Whether the hole and all gourds lie on the ring one after the other.
    pub fn is_aligned(&self, at: &EndMap) -> bool {
        self.has(at.hole) && {
            let hole = self.place(at.hole);
            let first = (1..self.len() as isize).step_by(2);
            first
                .map(|i| [self.cell(hole, i), self.cell(hole, i + 1)])
                .all(|[a, b]| at.mate[usize::from(a)] == b)
        }
    }

    /// The clicks that align all gourds of a position on a ring that has all cells; `None` if that never
    /// ends, which cannot be.
    pub fn align<'a>(&self, board: &'a HexBoard, start: &EndMap) -> Option<ClickPath<'a>> {
        let mut path = ClickPath::new(board, *start);
        for _ in 0..=self.gourds() {
            if self.is_aligned(&path.at) {
                return Some(path);
            }
            path.append_shortest([1, -1], |fork, way| self.align_next(fork, way))?;
        }
        None
    }

    /// Goes one way round until one more gourd is aligned.
    fn align_next(&self, path: &mut ClickPath<'_>, way: isize) -> Option<()> {
        for _ in 0..=self.gourds() {
            let hole = self.place(path.at.hole);
            let [near, far] = [way, 2 * way].map(|further| self.cell(hole, further));
            let mate = path.at.mate[usize::from(near)];
            if mate != far {
                path.click(near);
                if path.at.hole == near {
                    path.click(mate);
                }
                return Some(());
            }
            self.step(path, way);
        }
        None
    }

    /// The codes of the ends that come first, gourd by gourd from the hole on.
    pub fn list(&self, at: &EndMap) -> Vec<u8> {
        let hole = self.place(at.hole);
        let first = (1..self.len() as isize).step_by(2);
        first.map(|i| at.code[usize::from(self.cell(hole, i))]).collect()
    }

    /// Lets the gourd ahead (`way` 1) or behind (`way` -1) pass the hole.
    pub fn step(&self, path: &mut ClickPath<'_>, way: isize) {
        let hole = self.place(path.at.hole);
        let near = self.cell(hole, way);
        path.click(near);
        if path.at.hole == near {
            path.click(self.cell(hole, 2 * way));
        }
    }

    /// Lets that gourd pass the other way round; only at an ear.
    pub fn step_turned(&self, path: &mut ClickPath<'_>, way: isize) {
        let hole = self.place(path.at.hole);
        path.click(self.cell(hole, 2 * way));
    }

    /// ShapeSteps, backwards if negative.
    pub fn rotate(&self, path: &mut ClickPath<'_>, steps: isize) {
        for _ in 0..steps.abs() {
            self.step(path, steps.signum());
        }
    }

    /// The clicks that steps take with the hole at a place.
    pub fn cost(&self, board: &HexBoard, hole: usize, steps: isize) -> usize {
        let way = steps.signum();
        let at = |i: isize| (hole as isize + 2 * i * way).rem_euclid(self.len() as isize) as usize;
        let ear = |place: usize| {
            let ends = [self.cell(place, 0), self.cell(place, 2 * way)];
            usize::from(board.adjacent(ends[0].into(), ends[1].into()))
        };
        (0..steps.abs()).map(|i| 1 + ear(at(i))).sum()
    }

    /// The steps that bring the hole from one place to another, and gourd number `first` of the list
    /// behind it if that is asked for; the way round that takes fewer clicks.
    pub fn steps_to(&self, board: &HexBoard, from: usize, to: usize, first: Option<usize>) -> isize {
        let length = self.len();
        let gap = (to + length - from) % length;
        // Half of the gap, modulo an odd number.
        let half = if gap.is_multiple_of(2) { gap / 2 } else { (gap + length) / 2 };
        let gourds = self.gourds();
        let (steps, period) = match first {
            None => (half, length),
            Some(first) => {
                let mut turns = (half..).step_by(length).take(gourds);
                let fits = turns.find(|steps| steps % gourds == first);
                (fits.unwrap_or(half), length * gourds)
            }
        };
        let ways = [steps as isize, steps as isize - period as isize];
        if self.cost(board, from, ways[0]) <= self.cost(board, from, ways[1]) { ways[0] } else { ways[1] }
    }

    /// Brings the hole to a cell of the ring, and gourd number `first` of the list behind it.
    pub fn turn_to(&self, path: &mut ClickPath<'_>, hole: u8, first: Option<usize>) {
        let from = self.place(path.at.hole);
        let steps = self.steps_to(path.board, from, self.place(hole), first);
        self.rotate(path, steps);
    }

    /// Rotates until something holds, the way that takes fewer clicks; `None` if it never does.
    pub fn turn_until(&self, path: &mut ClickPath<'_>, holds: impl Fn(&EndMap) -> bool) -> Option<()> {
        let mut best: Option<ClickPath<'_>> = None;
        for way in [1, -1] {
            let mut fork = path.fork();
            let mut left = self.len() * self.gourds();
            let worse = |fork: &ClickPath<'_>| best.as_ref().is_some_and(|best| best.len() <= fork.len());
            while left > 0 && !worse(&fork) && !holds(&fork.at) {
                self.step(&mut fork, way);
                left -= 1;
            }
            if !worse(&fork) && holds(&fork.at) {
                best = Some(fork);
            }
        }
        path.append(best?);
        Some(())
    }

    /// How far a list must be rotated to become another one.
    pub fn rotation(from: &[u8], to: &[u8]) -> Option<usize> {
        let length = from.len();
        let first = from.iter().position(|code| Some(code) == to.first())?;
        let same = (0..length).all(|i| from[(first + i) % length] == to[i]);
        same.then_some(first)
    }
}

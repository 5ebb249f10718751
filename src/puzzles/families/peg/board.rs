//! Boards of holes on a grid: which jumps there are, and which symmetries.

use crate::puzzle::Move;

/// A board that comes with the program.
pub(super) struct PegLayout {
    pub name: &'static str,
    /// Row by row: `o` a peg at the start, `.` the hole that is empty then, a space where nothing is.
    rows: &'static [&'static str],
    /// Whether each hole has six neighbours, as in a triangle, and not four.
    triangular: bool,
}

/// All of them.
pub(super) const LAYOUTS: [PegLayout; 4] = [
    PegLayout {
        name: "english",
        rows: &["  ooo  ", "  ooo  ", "ooooooo", "ooo.ooo", "ooooooo", "  ooo  ", "  ooo  "],
        triangular: false,
    },
    PegLayout {
        name: "european",
        rows: &["  ooo  ", " ooooo ", "ooooooo", "ooo.ooo", "ooooooo", " ooooo ", "  ooo  "],
        triangular: false,
    },
    PegLayout { name: "diamond13", rows: &["  o  ", " ooo ", "oo.oo", " ooo ", "  o  "], triangular: false },
    PegLayout { name: "triangle15", rows: &[".", "oo", "ooo", "oooo", "ooooo"], triangular: true },
];

/// A jump over a peg into an empty hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Jump {
    pub from: usize,
    pub over: usize,
    pub to: usize,
}

impl Jump {
    /// The three holes.
    pub fn holes(&self) -> u64 {
        self.taken() | 1 << self.to
    }

    /// Where pegs must be.
    pub fn taken(&self) -> u64 {
        1 << self.from | 1 << self.over
    }

    /// Whether it can be made.
    pub fn is_legal(&self, pegs: u64) -> bool {
        pegs & self.holes() == self.taken()
    }
}

/// A board; a set of pegs has one bit for each hole, in reading order.
pub(super) struct PegBoard {
    pub layout: &'static PegLayout,
    /// Row and column of each hole.
    holes: Vec<(i32, i32)>,
    /// The hole that is empty at the start.
    empty: usize,
    pub jumps: Vec<Jump>,
}

impl PegBoard {
    pub fn new(layout: &'static PegLayout) -> PegBoard {
        let mut holes = Vec::new();
        let mut empty = 0;
        for (row, line) in (0..).zip(layout.rows) {
            for (column, mark) in (0..).zip(line.chars()).filter(|&(_, mark)| mark != ' ') {
                if mark == '.' {
                    empty = holes.len();
                }
                holes.push((row, column));
            }
        }
        let mut board = PegBoard { layout, holes, empty, jumps: Vec::new() };
        for from in 0..board.holes.len() {
            let (row, column) = board.holes[from];
            for &(down, right) in board.directions() {
                let at = |far: i32| board.hole(row + far * down, column + far * right);
                if let (Some(over), Some(to)) = (at(1), at(2)) {
                    board.jumps.push(Jump { from, over, to });
                }
            }
        }
        board
    }

    /// How many holes it has.
    pub fn len(&self) -> usize {
        self.holes.len()
    }

    /// Pegs everywhere but in one hole.
    pub fn start(&self) -> u64 {
        (1 << self.len()) - 1 - self.goal()
    }

    /// A single peg, in that hole.
    pub fn goal(&self) -> u64 {
        1 << self.empty
    }

    /// The legal jumps, by their numbers.
    pub fn moves(&self, pegs: u64) -> Vec<Move> {
        let legal = (0..).zip(&self.jumps).filter(|(_, jump)| jump.is_legal(pegs));
        legal.map(|(number, _)| Move(number)).collect()
    }

    /// The steps from a hole to its neighbours.
    fn directions(&self) -> &'static [(i32, i32)] {
        const STEPS: [(i32, i32); 6] = [(-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (1, 1)];
        if self.layout.triangular { &STEPS } else { &STEPS[..4] }
    }

    fn hole(&self, row: i32, column: i32) -> Option<usize> {
        self.holes.iter().position(|&hole| hole == (row, column))
    }

    /// The symmetries that leave the empty hole in its place: for each hole where it goes. The identity is
    /// the first.
    ///
    /// They are linear maps that turn steps into steps, followed by a shift.
    pub fn symmetries(&self) -> Vec<Vec<usize>> {
        let steps = self.directions();
        let mut symmetries = Vec::new();
        for down in steps {
            for right in steps {
                let turned = |&(row, column): &(i32, i32)| {
                    (row * down.0 + column * right.0, row * down.1 + column * right.1)
                };
                // One that takes all steps along one line is no symmetry.
                let flattens = down.0 * right.1 == down.1 * right.0;
                if flattens || !steps.iter().map(turned).all(|step| steps.contains(&step)) {
                    continue;
                }
                let center = self.holes[self.empty];
                let shifted = turned(&center);
                let image = |hole: &(i32, i32)| {
                    let (row, column) = turned(hole);
                    self.hole(row + center.0 - shifted.0, column + center.1 - shifted.1)
                };
                symmetries.extend(self.holes.iter().map(image).collect::<Option<Vec<usize>>>());
            }
        }
        symmetries.sort();
        symmetries.dedup();
        symmetries
    }

    /// The name of a hole: the letter of its column and the number of its row.
    pub fn name(&self, hole: usize) -> String {
        let (row, column) = self.holes[hole];
        format!("{}{}", char::from(b'a' + column as u8), row + 1)
    }

    /// The holes of each row.
    pub fn rows(&self) -> Vec<std::ops::Range<usize>> {
        let mut rows = Vec::new();
        let mut start = 0;
        for end in 1..=self.len() {
            if self.holes.get(end).map(|hole| hole.0) != Some(self.holes[start].0) {
                rows.push(start..end);
                start = end;
            }
        }
        rows
    }

    /// How far from the left a hole is drawn.
    pub fn indent(&self, hole: usize) -> usize {
        let (row, column) = self.holes[hole];
        let shift = if self.layout.triangular { self.rows().len() as i32 - 1 - row } else { 0 };
        (2 * column + shift) as usize
    }
}

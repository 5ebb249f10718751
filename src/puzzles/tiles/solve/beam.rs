//! Lines solved one after the other by beam search: all boards of one depth at a time, of which those
//! with the least scores ([`lines`](super::lines)) are kept.
//!
//! No board is kept twice while a line is solved, so the beam cannot run in circles. When a first
//! board has the line solved, the beam continues for a few moves and collects more of them; all of these
//! begin the next line together, each at its own depth. Where no score improves for a long time the
//! beam is stuck, and the line is solved tile by tile ([`place`](super::place)) from the best board
//! seen. So every board is solved.
//!
//! Whether to stop is asked at every depth, and within wide ones, so that the answer is never far away.

use std::cmp::Reverse;

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::super::rules::TilesVariant;
use super::board::{MOST, TileBoard};
use super::lines::{OTHER, TargetLine};
use super::place::place_line;

/// A beam whose best score has not improved for that many moves is stuck.
const PATIENCE: u32 = 60;

/// Boards are collected for that many moves after the first that has the line solved.
const AFTERWARDS: u32 = 12;

/// After that many boards of one depth it is asked whether to stop.
const LOOK_EVERY: usize = 1 << 12;

/// Bytes for each board of the beam and each move of the solution: a step, and a hash of each board
/// that was seen in the line at hand, both in memory that is doubled when it is full.
const EACH: u64 = 26;

/// Bytes besides: what is seen from the beginning, and lines that are solved tile by tile.
const BESIDES: u64 = 1 << 20;

/// Room for that many boards is there from the beginning.
const SEEN: usize = 1 << 14;

/// A search for one puzzle.
pub(super) struct LineBeam {
    variant: TilesVariant,
    lines: Vec<TargetLine>,
    /// For each tile and cell a random number; a board's hash combines those of its tiles.
    keys: Vec<u64>,
}

/// How the lines of a board were solved.
pub(super) struct SolvedLines {
    /// The cells from which tiles slide, in order.
    pub slides: Vec<u8>,
    pub board: TileBoard,
    /// The most bytes that the beam had in use.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests hold the estimate to it"))]
    pub bytes: u64,
}

/// A board that the beam keeps.
#[derive(Clone, Copy)]
struct BeamBoard {
    board: TileBoard,
    /// Tells boards apart.
    hash: u64,
    /// What the ways of its tiles weigh.
    ways: i32,
    /// Which step led here.
    step: u32,
    /// How many steps led here.
    depth: u32,
}

/// A move that may be kept.
struct Candidate {
    score: i32,
    hash: u64,
    ways: i32,
    parent: usize,
    from: u8,
}

/// A tile slid from a cell, after another step. The first of all is none.
#[derive(Clone, Copy)]
struct BeamStep {
    before: u32,
    from: u8,
}

/// All steps that the beam kept.
struct BeamSteps(Vec<BeamStep>);

impl BeamSteps {
    /// Adds a step; returns its number.
    fn add(&mut self, before: u32, from: u8) -> u32 {
        self.0.push(BeamStep { before, from });
        self.0.len() as u32 - 1
    }

    /// The cells of all steps that led to one.
    fn way(&self, mut step: u32) -> Vec<u8> {
        let mut way = Vec::new();
        while let Some(&BeamStep { before, from }) = self.0.get(step as usize).filter(|_| step > 0) {
            way.push(from);
            step = before;
        }
        way.reverse();
        way
    }
}

impl LineBeam {
    /// A beam for boards of a size.
    pub fn new(variant: TilesVariant) -> Self {
        LineBeam {
            variant,
            lines: TargetLine::all(&variant),
            keys: (0..MOST * MOST).map(|number| mixed(number as u64)).collect(),
        }
    }

    /// Bytes that a search which keeps that many boards takes, for solutions about as long as those of
    /// random boards.
    ///
    /// The ways of the tiles of a random board are a third of its rows and columns long on average.
    /// Solutions are half as long again as all ways together on 5x5, and twice as long on 10x10. Besides,
    /// there are the boards of two depths, those that wait to begin a line, and those that solved it.
    pub fn needed(&self, width: usize) -> u64 {
        if self.lines.is_empty() {
            return 0;
        }
        let TilesVariant { rows, columns, .. } = self.variant;
        let moves = rows * columns * (rows + columns) * (10 + rows.max(columns)) / 30;
        let boards = 6 * size_of::<BeamBoard>() + 4 * size_of::<Candidate>();
        width as u64 * (moves as u64 * EACH + boards as u64) + BESIDES
    }

    /// Bytes that its tables take.
    pub fn memory(&self) -> u64 {
        let tables = MOST * MOST * (size_of::<u64>() + self.lines.len() * size_of::<i32>());
        tables as u64
    }

    #[inline]
    fn key(&self, tile: u8, cell: usize) -> u64 {
        self.keys[usize::from(tile) * MOST + cell]
    }

    fn hash(&self, board: &TileBoard) -> u64 {
        let tiles = board.tiles.iter().take(self.variant.cells()).enumerate();
        tiles.fold(0, |hash, (cell, &tile)| hash ^ self.key(tile, cell))
    }

    /// Solves all lines with that many boards kept, until the rest is small; `finish` says how many moves
    /// that will need. `None` if it was stopped:
    /// `stopped` is asked now and then, and is told how many boards will be visited until then.
    pub fn solve(
        &self,
        start: &[u8],
        width: usize,
        finish: impl Fn(&TileBoard) -> u32,
        stopped: impl Fn(u64) -> bool,
    ) -> Option<SolvedLines> {
        let board = TileBoard::new(start);
        let mut steps = BeamSteps(vec![BeamStep { before: 0, from: 0 }]);
        let mut kept = vec![BeamBoard { board, hash: self.hash(&board), ways: 0, step: 0, depth: 0 }];
        let mut bytes = 0;
        for line in &self.lines {
            kept = self.solve_line(line, kept, &mut steps, width.max(1), &mut bytes, &stopped)?;
        }
        let best = kept.iter().min_by_key(|kept| (kept.depth + finish(&kept.board), kept.hash))?;
        Some(SolvedLines { slides: steps.way(best.step), board: best.board, bytes })
    }

    /// From boards with all lines before this one solved to boards with this one solved, too. `None` if
    /// it was stopped.
    fn solve_line(
        &self,
        line: &TargetLine,
        mut waiting: Vec<BeamBoard>,
        steps: &mut BeamSteps,
        width: usize,
        bytes: &mut u64,
        stopped: &impl Fn(u64) -> bool,
    ) -> Option<Vec<BeamBoard>> {
        let mut seen = FxHashSet::with_capacity_and_hasher(SEEN, FxBuildHasher);
        for kept in &mut waiting {
            kept.ways = line.ways(&kept.board);
            seen.insert(kept.hash);
        }
        // The last is the first to continue; those that took more moves join later.
        waiting.sort_by_key(|kept| (Reverse(kept.depth), kept.hash));
        let mut depth = waiting.last()?.depth;
        let mut best = (i32::MAX, *waiting.last()?);
        let mut level: Vec<BeamBoard> = Vec::new();
        let mut solved: Vec<BeamBoard> = Vec::new();
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut until = u32::MAX;
        loop {
            while let Some(kept) = waiting.pop_if(|kept| kept.depth == depth) {
                match line.trouble(&kept.board) {
                    Some(_) => level.push(kept),
                    None => solved.push(kept),
                }
            }
            if !solved.is_empty() {
                until = until.min(depth + AFTERWARDS);
            }
            let patience = best.1.depth + PATIENCE;
            if depth >= until.min(patience) || level.is_empty() && waiting.is_empty() {
                break;
            }
            depth += 1;
            candidates.clear();
            let boards = level.len();
            for (parent, kept) in level.iter_mut().enumerate() {
                let left = boards - parent;
                if parent % LOOK_EVERY == 0 && stopped(left.min(LOOK_EVERY) as u64) {
                    return None;
                }
                self.expand(line, parent, kept, &mut seen, |kept, candidate, is_solved| {
                    if is_solved {
                        solved.push(candidate.after(kept, kept.board, steps));
                    } else {
                        candidates.push(candidate);
                    }
                });
            }
            keep_least(&mut candidates, width, |it| (it.score, it.hash));
            if solved.len() / 2 > width {
                keep_least(&mut solved, width, BeamBoard::promise);
            }
            let mut after = Vec::with_capacity(candidates.len());
            for candidate in &candidates {
                let parent = &level[candidate.parent];
                let mut board = parent.board;
                board.slide(candidate.from.into());
                let kept = candidate.after(parent, board, steps);
                if candidate.score < best.0 {
                    best = (candidate.score, kept);
                }
                after.push(kept);
            }
            let boards = [&waiting, &level, &after, &solved].map(Vec::capacity);
            let in_use = boards.iter().sum::<usize>() * size_of::<BeamBoard>()
                + candidates.capacity() * size_of::<Candidate>()
                + steps.0.capacity() * size_of::<BeamStep>()
                // A hash set has up to 7 of 8 places filled, and a byte more for each.
                + seen.capacity() * 8 / 7 * (size_of::<u64>() + 1);
            *bytes = (*bytes).max(in_use as u64);
            level = after;
        }
        if solved.is_empty() {
            solved.push(self.place(line, best.1, steps)?);
        }
        keep_least(&mut solved, width, BeamBoard::promise);
        Some(solved)
    }

    /// Calls `visit` with each move to a board that was not seen: with the board after it, the move,
    /// and whether it solves the line.
    #[inline]
    fn expand(
        &self,
        line: &TargetLine,
        parent: usize,
        kept: &mut BeamBoard,
        seen: &mut FxHashSet<u64>,
        mut visit: impl FnMut(&BeamBoard, Candidate, bool),
    ) {
        let blank = kept.board.blank();
        for from in line.neighbours(blank) {
            let tile = kept.board.tiles[from];
            let hash = kept.hash
                ^ self.key(tile, from)
                ^ self.key(tile, blank)
                ^ self.key(0, from)
                ^ self.key(0, blank);
            if !seen.insert(hash) {
                continue;
            }
            let ways = kept.ways + line.step(tile, from, blank);
            kept.board.slide(from);
            let trouble = line.trouble(&kept.board);
            let candidate =
                Candidate { score: ways + trouble.unwrap_or(0), hash, ways, parent, from: from as u8 };
            visit(kept, candidate, trouble.is_none());
            kept.board.slide(blank);
        }
    }

    /// Where the beam is stuck: the line is solved tile by tile.
    fn place(&self, line: &TargetLine, mut kept: BeamBoard, steps: &mut BeamSteps) -> Option<BeamBoard> {
        for from in place_line(&self.variant, line, &mut kept.board)? {
            kept.step = steps.add(kept.step, from);
            kept.depth += 1;
        }
        kept.hash = self.hash(&kept.board);
        kept.ways = line.ways(&kept.board);
        Some(kept)
    }
}

impl BeamBoard {
    /// How promising it is when its line is solved: the less the better.
    fn promise(&self) -> (i32, u64) {
        (self.ways + OTHER * self.depth as i32, self.hash)
    }
}

/// Keeps those with the least keys, that many at most, in any order.
fn keep_least<T, K: Ord>(items: &mut Vec<T>, most: usize, key: impl FnMut(&T) -> K) {
    if items.len() > most {
        items.select_nth_unstable_by_key(most, key);
        items.truncate(most);
    }
}

impl Candidate {
    /// The board after the move, to be kept.
    fn after(&self, parent: &BeamBoard, board: TileBoard, steps: &mut BeamSteps) -> BeamBoard {
        BeamBoard {
            board,
            hash: self.hash,
            ways: self.ways,
            step: steps.add(parent.step, self.from),
            depth: parent.depth + 1,
        }
    }
}

/// A number with the bits of another one mixed well (SplitMix64).
fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}

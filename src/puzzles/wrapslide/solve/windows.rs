//! 8x8: the guide of a beam where no table of distances fits.
//!
//! One colour of an 8x8 board has 4.9 * 10^14 sets of cells, and no table holds their distances. What fits is a
//! value for every *window*: 4x4 cells of a half of the board, of which the colour covers one of 2^16 sets. A half
//! has eight windows, cyclically, and the four halves have 32; a slide of a half only moves its own windows round.
//! The value of a set of cells is the sum of the values of its windows, and is to be near its distance.
//!
//! The values are fitted to random walks from the solved board: after d slides the sum is moved a little towards d
//! (normalised least mean squares), for [`STEPS`] boards. A window and its images under turns and reflections have one
//! value. The random choices are those of a seed, and the arithmetic is that of IEEE, so the table is the same on
//! every machine. It is no lower bound; a board is ranked by the sum over its colours, as the smaller boards are by
//! the exact distances of each.
//!
//! The windows of a half are the quadrants of the boards that slides by 0 to 3 cells make of it, so the quick form
//! of boards gives those of all colours at once.

use super::super::Wrapslide;
use super::super::quadrants::turns;
use super::super::rules::{Half, HalfSlide, WrapslideVariant};
use super::lanes::{Lanes, Slides, distinct_slides, expand_slides, fingerprint, is_goal, lanes};
use crate::error::{Error, Result};
use crate::puzzle::{Move, State};
use crate::random::Random;
use crate::solve::beam::{RANKS, Ranked};
use crate::solve::cache::TableName;
use crate::solve::{Search, Workbench};
use crate::store::memory::HugeTable;

/// Windows that are told apart.
const WINDOWS: usize = 1 << 16;
/// Boards to which the values are fitted.
const STEPS: usize = 1_500_000;
/// Slides of a walk; most sets of cells are about as far.
const LONGEST: usize = 16;
/// By how much of the error a sum is moved, at first.
const RATE: f32 = 0.1;
/// In the table a slide is this much.
const UNIT: f32 = 64.0;
/// A board's rank rises by this for every slide that it is farther.
const RANK: i32 = 12;

/// Boards of one puzzle, and the values of their windows.
pub(super) struct Windows<'p> {
    puzzle: &'p Wrapslide,
    slides: Slides,
    moves: Vec<HalfSlide>,
    /// The colours that are valued: those that fill one quadrant.
    colours: usize,
    values: HugeTable,
}

impl<'p> Windows<'p> {
    /// Reads or fits the values.
    pub fn prepare(puzzle: &'p Wrapslide, bench: &Workbench<'_>) -> Result<Self> {
        let variant = puzzle.variant;
        let unit = if variant.unit { "-unit" } else { "" };
        let name = format!("wrapslide-8x8{unit}-windows");
        let length = 2 * WINDOWS;
        let name = TableName { name: &name, version: 1, length, to_build: 16 * WINDOWS as u64 };
        let free = WrapslideVariant { fixed: false, any: false, colours: 2, ..variant };
        let values = bench.table(&name, || fit(&free, bench))?;
        Ok(Windows {
            puzzle,
            slides: Slides::new(variant.half()),
            moves: distinct_slides(&variant),
            colours: if variant.colours == 4 { 4 } else { variant.colours - 1 },
            values,
        })
    }

    /// The quick form of a state.
    pub fn board(&self, state: &State) -> Lanes {
        lanes(&self.puzzle.variant, &state.0)
    }

    /// The most moves that are tried from a board.
    pub fn fanout(&self) -> usize {
        self.moves.len()
    }

    #[inline(always)]
    fn value(&self, window: u16) -> i32 {
        let at = 2 * usize::from(window);
        i32::from(i16::from_le_bytes([self.values[at], self.values[at + 1]]))
    }
}

/// Calls `visit` with all windows of a board: a word each, with a lane for every colour.
#[inline(always)]
fn windows(slides: &Slides, board: &Lanes, mut visit: impl FnMut(u64)) {
    for (half, quadrants) in
        [(Half::Top, [0, 1]), (Half::Bottom, [2, 3]), (Half::Left, [0, 2]), (Half::Right, [1, 3])]
    {
        for cells in 0..4 {
            let slid = slides.slid(board, HalfSlide { half, cells });
            quadrants.into_iter().for_each(|quadrant| visit(slid[quadrant]));
        }
    }
}

/// Fits the values to walks with two colours, of which the first is looked at.
fn fit(variant: &WrapslideVariant, bench: &Workbench<'_>) -> Result<Vec<u8>> {
    let (slides, moves) = (Slides::new(variant.half()), distinct_slides(variant));
    let models = models(variant.half());
    let mut values = vec![LONGEST as f32 * 0.7 / 32.0; WINDOWS];
    let mut counts = vec![0u8; WINDOWS];
    let mut random = Random::new(0);
    let mut board: Lanes = [0; 4];
    let mut last = Half::Top;
    for step in 0..STEPS {
        let depth = step % LONGEST;
        if depth == 0 {
            // One quadrant has the first colour, and the others the second.
            board = [0xffff, 0xffff << 16, 0xffff << 16, 0xffff << 16];
            if step % (1 << 12) == 0 {
                bench.control.observer.counted("fitting the values of windows", step as u64, STEPS as u64);
                bench.control.go_on(|| Error::interrupted("stopped while a table was built"))?;
            }
        }
        // Slides of one half in a row are one slide.
        let mut slide = moves[random.place(moves.len())];
        while depth > 0 && slide.half == last && !variant.unit {
            slide = moves[random.place(moves.len())];
        }
        last = slide.half;
        board = slides.slid(&board, slide);
        let mut seen = [0u16; 32];
        let mut next = seen.iter_mut();
        windows(&slides, &board, |window| {
            if let Some(place) = next.next() {
                *place = models[usize::from(window as u16)];
            }
        });
        // A sum moves by the square of how often each window occurs in it.
        let mut sum = 0.0;
        for &window in &seen {
            counts[usize::from(window)] += 1;
            sum += values[usize::from(window)];
        }
        let norm: u32 = seen.iter().map(|&window| u32::from(counts[usize::from(window)])).sum();
        seen.iter().for_each(|&window| counts[usize::from(window)] = 0);
        let rate = RATE / (1.0 + 6.0 * step as f32 / STEPS as f32);
        let change = rate * ((depth + 1) as f32 - sum) / norm as f32;
        seen.iter().for_each(|&window| values[usize::from(window)] += change);
    }
    let value = |window: usize| (values[usize::from(models[window])] * UNIT).round();
    Ok((0..WINDOWS).flat_map(|window| (value(window) as i16).to_le_bytes()).collect())
}

/// By window: the least of its images under turns and reflections.
fn models(side: usize) -> Vec<u16> {
    let turns = turns(side);
    let image = |turn: usize, window: usize| turns[turn * WINDOWS + window];
    (0..WINDOWS).map(|window| (0..8).map(|turn| image(turn, window)).min().unwrap_or_default()).collect()
}

impl Search for Windows<'_> {
    type Node = Lanes;

    #[inline(always)]
    fn expand(&self, node: &Lanes, last: Option<Move>, visit: impl FnMut(Move, Lanes)) {
        expand_slides(&self.slides, &self.moves, self.puzzle.variant.unit, node, last, visit);
    }

    fn bound(&self, node: &Lanes) -> u32 {
        u32::from(!self.is_solved(node))
    }

    fn is_solved(&self, node: &Lanes) -> bool {
        is_goal(&self.puzzle.variant, node)
    }
}

impl Ranked for Windows<'_> {
    fn rank(&self, nodes: &[Lanes], ranks: &mut Vec<u16>) {
        for node in nodes {
            let mut sum = 0;
            windows(&self.slides, node, |window| {
                for colour in 0..self.colours {
                    sum += self.value((window >> (16 * colour)) as u16);
                }
            });
            ranks.push((sum * RANK / UNIT as i32).clamp(0, RANKS as i32 - 1) as u16);
        }
    }

    fn after(&self, node: &Lanes, mv: Move) -> Lanes {
        HalfSlide::from_move(mv).map_or(*node, |slide| self.slides.slid(node, slide))
    }

    fn fingerprint(&self, node: &Lanes) -> u64 {
        fingerprint(node)
    }

    fn known(&self, node: &Lanes, _: u16) -> Option<u32> {
        self.is_solved(node).then_some(0)
    }
}

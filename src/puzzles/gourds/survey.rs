//! God's numbers of all small proper boards.
//!
//! How far the farthest placement is depends only on the shape of the goal, not on which gourd is
//! where, and is the same for shapes that a symmetry of the board turns into each other. So one
//! walk for each class of shapes gives the God's numbers for all goals of a board. The walks are
//! short enough for plain searches in memory, many at a time.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::prelude::*;

use super::arrangements::Arrangements;
use super::board::HexBoard;
use super::shapes::Shapes;
use super::steps::{ShapeStep, ShapeSteps};
use super::{generate, notation};
use crate::engine::{Control, cores};
use crate::error::{Error, Result, usage};
use crate::store::par_map;
use crate::text::TextTable;

/// The largest boards that can be surveyed. Up to 11 cells it takes seconds; with 13 cells there
/// are hundreds of boards with up to ten million states and two hundred shapes each: days, and
/// nothing is saved on the way.
pub const MOST_CELLS: usize = 11;

/// The columns of the table.
const HEADING: [&str; 10] = [
    "cells",
    "board",
    "symmetries",
    "shapes",
    "shape_classes",
    "states",
    "smallest",
    "smallest_goal",
    "largest",
    "largest_goal",
];

/// What is known about one board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surveyed {
    /// The picture, as in a file: `.o.o./o.o.o/.o.o.`.
    pub rows: String,
    /// How many symmetries the board has.
    pub symmetries: usize,
    /// Ways to cover all cells but one in pairs.
    pub shapes: u64,
    /// Classes of shapes under the board's symmetries.
    pub shape_classes: usize,
    /// Placements of numbered gourds.
    pub states: u64,
    /// The smallest God's number, and the first goal that has it.
    pub smallest: Extreme,
    /// The largest God's number, and the first goal that has it.
    pub largest: Extreme,
}

/// A God's number and a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extreme {
    pub gods_number: u32,
    /// The goal, as the option `goal=` takes it.
    pub goal: String,
}

/// Surveys all proper boards with this number of cells, each in one of the positions that turning
/// and reflecting gives it, in a fixed order. All threads of the current pool take part.
/// `progress` is called with the numbers of finished and of all walks; when `stop` is set, the survey
/// ends with an error.
pub fn survey(
    cells: usize,
    stop: &AtomicBool,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Vec<Surveyed>> {
    check(cells)?;
    let boards = generate::all(cells).map_err(Error::Usage)?;
    let boards: Option<Vec<Surveying>> = boards.into_par_iter().map(Surveying::new).collect();
    let too_large = || Error::limit("a board has more placements than can be surveyed");
    let boards = boards.ok_or_else(too_large)?;
    let walks = boards.iter().map(|board| board.goals.len()).sum();
    let done = AtomicUsize::new(0);
    let survey_board = |board: &Surveying| {
        let depth = |&goal: &u64| {
            let depth = board.depth(goal, stop)?;
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, walks);
            Ok(depth)
        };
        Ok(board.surveyed(&board.goals.par_iter().map(depth).collect::<Result<Vec<u32>>>()?))
    };
    boards.par_iter().map(survey_board).collect()
}

/// Refuses a number of cells that cannot be surveyed.
fn check(cells: usize) -> Result<()> {
    if cells.is_multiple_of(2) || !(3..=MOST_CELLS).contains(&cells) {
        return usage(format!(
            "boards of {cells} cells cannot be surveyed: the number of cells must be odd and from 3 \
             to {MOST_CELLS}"
        ));
    }
    Ok(())
}

/// A table of all proper boards with up to `most` cells.
pub(super) fn table(most: usize, control: Control<'_>) -> Result<TextTable> {
    check(most)?;
    let pool = par_map::pool(cores())?;
    let mut rows = Vec::new();
    for cells in (3..=most).step_by(2) {
        let progress = |done: usize, of: usize| {
            let note = format!("boards of {cells} cells: {done} of {of} walks are done");
            control.observer.note(&note);
        };
        for board in pool.install(|| survey(cells, control.stop, &progress))? {
            let Surveyed { symmetries, shapes, shape_classes, states, .. } = board;
            let mut row = vec![cells.to_string(), board.rows];
            row.extend([symmetries as u64, shapes, shape_classes as u64, states].map(|n| n.to_string()));
            for extreme in [board.smallest, board.largest] {
                row.extend([extreme.gods_number.to_string(), extreme.goal]);
            }
            rows.push(row);
        }
    }
    Ok(TextTable { heading: &HEADING, rows })
}

/// A board with its tables.
struct Surveying {
    board: HexBoard,
    shapes: Shapes,
    /// For every shape its moves: the shape each leads to, and the number of its table.
    moves: Vec<Vec<(u16, u16)>>,
    /// What moves do to arrangements together with the bits of their slots.
    tables: Vec<Box<[u16]>>,
    /// The first shape of each class, ascending.
    goals: Vec<u64>,
    symmetries: usize,
    states: u32,
}

impl Surveying {
    fn new(board: HexBoard) -> Option<Surveying> {
        let slots = board.gourds();
        let shapes = Shapes::new(&board)?;
        let steps = ShapeSteps::new(&board, &shapes)?;
        let mut arrangements = Arrangements::new(&vec![1; slots])?;
        arrangements.tabulate(steps.shifts());
        let of_a_shape = arrangements.count() << slots;
        let states = shapes.count().checked_mul(of_a_shape)?;
        let mut known: Vec<ShapeStep> = Vec::new();
        let mut tables = Vec::new();
        let mut moves = Vec::new();
        for shape in 0..shapes.count() {
            let mut of_this = Vec::new();
            for &step in steps.of(shape as usize) {
                let alike = |other: &ShapeStep| ShapeStep { shape: step.shape, ..*other } == step;
                let table = known.iter().position(alike).unwrap_or(known.len());
                if table == known.len() {
                    known.push(step);
                    tables.push(table_of(&arrangements, step)?);
                }
                of_this.push((step.shape, table as u16));
            }
            moves.push(of_this);
        }
        let symmetries = board.symmetries();
        let first_of_class = |&rank: &u64| {
            let shape = shapes.unrank(rank);
            let mut images = symmetries.iter().map(|cells| shape.image(&board, cells));
            images.all(|image| shapes.rank(&image) >= rank)
        };
        Some(Surveying {
            goals: (0..shapes.count()).filter(first_of_class).collect(),
            symmetries: symmetries.len(),
            states: u32::try_from(states).ok()?,
            board,
            shapes,
            moves,
            tables,
        })
    }

    /// How far the farthest placement is from a goal shape.
    fn depth(&self, goal: u64, stop: &AtomicBool) -> Result<u32> {
        let states = self.states as usize;
        let of_a_shape = states / self.moves.len();
        let mut seen = vec![0u64; states.div_ceil(64)];
        // All placements in the order in which they are reached, and a place for one that is not
        // new: writing it down anyway is cheaper than an unpredictable branch.
        let mut queue = vec![(0u16, 0u16); states + 1];
        let mut reached = 0;
        let mut reach = |queue: &mut [(u16, u16)], reached: &mut usize, (shape, rest)| {
            let index = usize::from(shape) * of_a_shape + usize::from(rest);
            let word = &mut seen[index / 64];
            queue[*reached] = (shape, rest);
            *reached += usize::from(*word >> (index % 64) & 1 == 0);
            *word |= 1 << (index % 64);
        };
        reach(&mut queue, &mut reached, (goal as u16, 0));
        let mut done = 0;
        for depth in 0.. {
            if stop.load(Ordering::Relaxed) {
                return Err(Error::interrupted("the survey was stopped"));
            }
            let end = reached;
            for at in done..end {
                let (shape, rest) = queue[at];
                for &(shape, table) in &self.moves[usize::from(shape)] {
                    let rest = self.tables[usize::from(table)][usize::from(rest)];
                    reach(&mut queue, &mut reached, (shape, rest));
                }
            }
            done = end;
            if reached == done {
                if reached != states {
                    break;
                }
                return Ok(depth);
            }
        }
        Err(Error::verification(format!(
            "only {reached} of {} placements can be reached on the proper board {}: something is \
             wrong with the computation or with the machine",
            self.states,
            self.board.picture()
        )))
    }

    fn surveyed(&self, depths: &[u32]) -> Surveyed {
        let extreme = |wanted: Option<&u32>| {
            let gods_number = wanted.copied().unwrap_or_default();
            let goal = depths.iter().position(|&depth| depth == gods_number);
            let goal = self.goals[goal.unwrap_or(0)];
            let pairs: Vec<_> = self.shapes.unrank(goal).pairs().collect();
            Extreme { gods_number, goal: notation::print_pairs(&pairs) }
        };
        Surveyed {
            rows: self.board.picture(),
            symmetries: self.symmetries,
            shapes: self.shapes.count(),
            shape_classes: self.goals.len(),
            states: self.states.into(),
            smallest: extreme(depths.iter().min()),
            largest: extreme(depths.iter().max()),
        }
    }
}

/// What a move does to every arrangement together with the bits of its slots; `None` if there are
/// too many of them.
fn table_of(arrangements: &Arrangements, step: ShapeStep) -> Option<Box<[u16]>> {
    let slots = arrangements.slots();
    let mut table = Vec::new();
    for word in 0..arrangements.count() {
        let after = arrangements.shifted(word).after(step.from, step.to);
        for bits in 0..1 << slots {
            let rest = after << slots | u64::from(step.moved(bits, step.turns));
            table.push(u16::try_from(rest).ok()?);
        }
    }
    Some(table.into())
}

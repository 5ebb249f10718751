//! God's numbers of all small proper boards.
//!
//! How far the farthest placement is depends only on the shape of the goal, not on which gourd is
//! where, and is the same for shapes that a symmetry of the board turns into each other. So one
//! walk for each class of shapes gives the God's numbers for all goals of a board. The walks are
//! short enough for plain searches in memory, many at a time.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::prelude::*;

use super::arrangements::Arrangements;
use super::board::Board;
use super::shapes::Shapes;
use super::steps::{Step, Steps};
use super::{generate, notation, rules};
use crate::engine::{Control, cores};
use crate::error::{Error, Result, usage};
use crate::store::par_map;
use crate::text::Table;

/// The largest boards that can be surveyed. Up to 11 cells it takes seconds; with 13 cells there
/// are hundreds of boards with up to ten million states and two hundred shapes each: days, and
/// nothing is saved on the way.
pub const MOST_CELLS: usize = 11;

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
    /// The number.
    pub gods_number: u32,
    /// The goal, as the option `goal=` takes it.
    pub goal: String,
}

/// Surveys all proper boards with this number of cells, each in one of the positions that turning
/// and reflecting gives it, in a fixed order. All threads of the current pool take part.
/// `progress` is told how many of how many walks are done; when `stop` is set, the survey is given
/// up.
pub fn survey(
    cells: usize,
    stop: &AtomicBool,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Vec<Surveyed>> {
    check(cells)?;
    let boards = generate::all(cells).map_err(Error::Usage)?;
    let boards: Vec<Surveying> = boards
        .into_par_iter()
        .map(|board| Surveying::new(board).ok_or(too_large()))
        .collect::<Result<_>>()?;
    let walks: Vec<(usize, u64)> = boards
        .iter()
        .enumerate()
        .flat_map(|(number, board)| board.goals.iter().map(move |&goal| (number, goal)))
        .collect();
    let done = AtomicUsize::new(0);
    let depths: Vec<u32> = walks
        .par_iter()
        .map(|&(board, goal)| {
            let depth = boards[board].depth(goal, stop)?;
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, walks.len());
            Ok(depth)
        })
        .collect::<Result<_>>()?;
    let mut depths = depths.into_iter();
    let surveyed = boards.iter().map(|board| {
        let depths: Vec<u32> = depths.by_ref().take(board.goals.len()).collect();
        board.surveyed(&depths)
    });
    Ok(surveyed.collect())
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

/// A table of all proper boards with up to so many cells.
pub(super) fn table(most: usize, control: Control<'_>) -> Result<Table> {
    check(most)?;
    let pool = par_map::pool(cores())?;
    let mut rows = Vec::new();
    for cells in (3..=most).step_by(2) {
        let progress = |done: usize, of: usize| {
            let note = format!("boards of {cells} cells: {done} of {of} walks are done");
            control.observer.note(&note);
        };
        for board in pool.install(|| survey(cells, control.stop, &progress))? {
            rows.push(vec![
                cells.to_string(),
                board.rows,
                board.symmetries.to_string(),
                board.shapes.to_string(),
                board.shape_classes.to_string(),
                board.states.to_string(),
                board.smallest.gods_number.to_string(),
                board.smallest.goal,
                board.largest.gods_number.to_string(),
                board.largest.goal,
            ]);
        }
    }
    Ok(Table {
        heading: &[
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
        ],
        rows,
    })
}

fn too_large() -> Error {
    Error::Limit("a board has more placements than can be surveyed".into())
}

/// A board with its tables.
struct Surveying {
    board: Board,
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
    fn new(board: Board) -> Option<Surveying> {
        let slots = board.gourds();
        let shapes = Shapes::new(&board)?;
        let steps = Steps::new(&board, &shapes)?;
        let mut arrangements = Arrangements::new(&vec![1; slots])?;
        arrangements.tabulate(steps.shifts());
        let of_a_shape = arrangements.count() << slots;
        let states = shapes.count().checked_mul(of_a_shape)?;
        let mut known: Vec<Step> = Vec::new();
        let mut tables = Vec::new();
        let mut moves = Vec::new();
        for shape in 0..shapes.count() {
            let mut of_this = Vec::new();
            for &step in steps.of(shape as usize) {
                let alike = |other: &Step| {
                    Step {
                        shape: step.shape,
                        ..*other
                    } == step
                };
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
            let mut images = symmetries.iter().map(|cells| shape.image(cells));
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
        // new: writing it down anyway is cheaper than a branch that nobody can predict.
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
                return Err(Error::Interrupted("the survey was stopped".into()));
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
        Err(Error::Verification(format!(
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
            Extreme {
                gods_number,
                goal: notation::print_pairs(&rules::in_order(&self.shapes.unrank(goal))),
            }
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
fn table_of(arrangements: &Arrangements, step: Step) -> Option<Box<[u16]>> {
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

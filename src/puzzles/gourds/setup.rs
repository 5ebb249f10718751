//! Putting a puzzle together: its board, its goal, its symmetries, its index.

use std::sync::OnceLock;

use super::board::HexBoard;
use super::kinds::Kinds;
use super::layout::{LabelledBoard, Labels};
use super::notation::{self, GivenBoard};
use super::rules::{self, Pairs};
use super::shapes::{self, Shape, Shapes};
use super::space::GourdSpace;
use super::symmetry::Symmetries;
use super::validity::improper;
use super::{Gourds, placements, steps};
use crate::encode::binomial::multinomial;
use crate::error::{Error, Result, usage};
use crate::puzzle::PuzzleSpec;

/// How many partial placements are tried to see whether a large coloured board can be solved.
const EFFORT: u64 = 1 << 17;

/// The warning where that does not suffice.
const UNKNOWN: &str = "it is not known whether the board can be solved, because the search for a \
                       solved placement was given up";

const UNSOLVABLE: &str = "the board cannot be solved: no placement has the colours of the gourds";

impl Gourds {
    /// Reads which board is meant, and the goal.
    pub fn parse(spec: &PuzzleSpec<'_>) -> Result<Self> {
        let GivenBoard { names, layout, content, line } = notation::parse(spec)?;
        let unsolvable = |why: &str| match spec.file() {
            Some(file) => file.error(line, why),
            None => Error::Usage(why.to_owned()),
        };
        let board = &layout.board;
        let kinds = layout.kinds();
        let numbered = positions_of_a_shape(&kinds, board.gourds());
        // Where there can be no index anyway, shapes need no numbers.
        let numbered = numbered.filter(|&number| number <= u64::MAX.into());
        let shapes = numbered.and_then(|_| Shapes::new(board));
        let default_goal = rules::default_goal(board, shapes.as_ref())
            .ok_or_else(|| unsolvable("gourds cannot be placed so that exactly one cell is free"))?;
        let goal = goal(spec, &layout, &default_goal)?;
        let goal_is_default = layout.labels.is_some() || goal.as_ref() == Some(&default_goal);
        let why = improper(board);
        let warning = why.as_ref().map(|why| {
            format!(
                "the board is not proper ({why}), so some placements may be out of reach, and the \
                 number of states is not checked against a formula"
            )
        });
        let mut puzzle = Gourds {
            kinds,
            goal,
            goal_is_default,
            warning,
            proper: why.is_none(),
            content,
            shapes: shapes.as_ref().map(Shapes::count).or_else(|| shapes::count(board)),
            symmetries: None,
            space: None,
            sampler: OnceLock::new(),
            names,
            layout,
        };
        puzzle.index(shapes).map_err(unsolvable)?;
        Ok(puzzle)
    }

    pub(super) fn board(&self) -> &HexBoard {
        &self.layout.board
    }

    pub(super) fn labels(&self) -> Option<&Labels> {
        self.layout.labels.as_ref()
    }

    /// The goal, unless it is the default one.
    pub(super) fn custom_goal(&self) -> Option<&Pairs> {
        self.goal.as_ref().filter(|_| !self.goal_is_default)
    }

    /// Finds the solved positions and their symmetries, and builds the index if there can be one.
    fn index(&mut self, shapes: Option<Shapes>) -> std::result::Result<(), &'static str> {
        let fits = |shapes: &Shapes| shapes.count() <= steps::MOST_SHAPES;
        let shapes = shapes.filter(|shapes| fits(shapes) && self.universe().is_some());
        let solved: Vec<Pairs> = match (&self.goal, self.labels(), &shapes) {
            (Some(goal), _, _) => vec![goal.clone()],
            (None, Some(labels), Some(shapes)) => {
                (0..shapes.count()).filter_map(|rank| labels.placed(&shapes.unrank(rank))).collect()
            }
            (None, Some(labels), None) => match self.some_solution(labels) {
                Some(found) => found.into_iter().collect(),
                None => {
                    let mut warnings: Vec<String> = self.warning.take().into_iter().collect();
                    warnings.push(UNKNOWN.to_owned());
                    self.warning = Some(warnings.join("; "));
                    return Ok(());
                }
            },
            (None, None, _) => vec![],
        };
        if solved.is_empty() {
            return Err(UNSOLVABLE);
        }
        let slots: Vec<_> = solved.iter().map(|pairs| self.kinds.slots(pairs)).collect();
        // Of the solved positions of a coloured board without an index only one is known.
        if self.goal.is_none() && shapes.is_none() {
            return Ok(());
        }
        self.symmetries = Symmetries::new(self.board(), &self.kinds, &slots);
        self.space = shapes.zip(self.symmetries.as_ref()).and_then(|(shapes, symmetries)| {
            GourdSpace::new(self.board(), shapes, &self.kinds, &slots, symmetries)
        });
        Ok(())
    }

    /// A solved placement if there is one; `None` if the search was given up.
    fn some_solution(&self, labels: &Labels) -> Option<Option<Pairs>> {
        let mut found = None;
        placements::search(self.board(), labels, EFFORT, |pairs| {
            found = labels.placed(&Shape::new(self.board(), pairs.iter().copied()));
            false
        })?;
        Some(found)
    }

    /// How many indices there would be, if 64 bits can number them.
    fn universe(&self) -> Option<u64> {
        let of_a_shape = positions_of_a_shape(&self.kinds, self.board().gourds())?;
        u64::try_from(of_a_shape.checked_mul(self.shapes?.into())?).ok()
    }

    /// How many positions there are, reachable or not.
    pub(super) fn positions(&self) -> Option<u128> {
        let of_a_shape = positions_of_a_shape(&self.kinds, self.kinds.directed())?;
        of_a_shape.checked_mul(self.shapes?.into())
    }
}

/// In how many ways gourds can lie over one shape if `directed` of them have two directions.
fn positions_of_a_shape(kinds: &Kinds, directed: usize) -> Option<u128> {
    multinomial(&kinds.counts())?.checked_mul(1 << directed)
}

/// The solved placement; `None` for coloured gourds.
fn goal(spec: &PuzzleSpec<'_>, layout: &LabelledBoard, default: &[[u8; 2]]) -> Result<Option<Pairs>> {
    let board = &layout.board;
    match (&layout.labels, spec.value("goal")) {
        (Some(_), Some(_)) => usage(
            "`goal` does not apply to this board: the labels of its cells and gourds say what is \
             solved",
        ),
        (Some(labels), None) if labels.coloured => Ok(None),
        (Some(labels), None) => Ok(labels.home()),
        (None, Some(text)) => {
            let shape = Shape::new(board, notation::parse_pairs(board, text, "goal")?);
            Ok(Some(shape.pairs().collect()))
        }
        (None, None) => Ok(Some(default.to_vec())),
    }
}

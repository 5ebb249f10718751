//! Putting a puzzle together: its board, its goal, its symmetries, its index.

use std::sync::OnceLock;

use super::board::Board;
use super::kinds::Kinds;
use super::layout::{Labels, Layout};
use super::notation::{self, Given};
use super::placements::{self, GivenUp};
use super::rules::{self, Pairs};
use super::shapes::{self, Shape, Shapes};
use super::space::Walk;
use super::symmetry::{Element, group};
use super::validity::improper;
use super::{Gourds, steps};
use crate::encode::binomial::multinomial;
use crate::error::{Error, Result, usage};
use crate::puzzle::Words;

/// How many partial placements are tried to see whether a large coloured board can be solved.
const EFFORT: u64 = 1 << 17;

impl Gourds {
    /// Reads which board is meant, and the goal.
    pub fn parse(words: &Words<'_>) -> Result<Self> {
        let Given {
            source,
            layout,
            content,
            line,
        } = notation::parse(words)?;
        let unsolvable = |why: &str| match words.file() {
            Some(file) => file.error(line, why),
            None => Error::Usage(why.to_owned()),
        };
        let board = &layout.board;
        let kinds = layout.kinds();
        let numbered = positions_of_a_shape(&kinds, board.gourds());
        // Where there can be no index anyway, shapes need no numbers.
        let shapes = match numbered.is_some_and(|number| number <= u64::MAX.into()) {
            true => Shapes::new(board),
            false => None,
        };
        let default_goal = rules::default_goal(board, shapes.as_ref()).ok_or_else(|| {
            unsolvable("gourds cannot be placed so that exactly one cell is free")
        })?;
        let goal = goal(words, &layout, &default_goal)?;
        let goal_is_default = layout.labels.is_some() || goal.as_ref() == Some(&default_goal);
        let mut puzzle = Gourds {
            kinds,
            goal,
            goal_is_default,
            warning: None,
            proper: true,
            content,
            shapes: match &shapes {
                Some(shapes) => Some(shapes.count()),
                None => shapes::count(board),
            },
            group: Vec::new(),
            walk: None,
            sampler: OnceLock::new(),
            source,
            layout,
        };
        puzzle.warn();
        puzzle.index(shapes).map_err(unsolvable)?;
        Ok(puzzle)
    }

    pub(super) fn board(&self) -> &Board {
        &self.layout.board
    }

    pub(super) fn labels(&self) -> Option<&Labels> {
        self.layout.labels.as_ref()
    }

    fn warn(&mut self) {
        if let Some(why) = improper(self.board()) {
            self.proper = false;
            self.warning = Some(format!(
                "the board is not proper ({why}), so some placements may be out of reach, and the \
                 number of states is not held to a formula"
            ));
        }
    }

    /// Finds the solved positions and their symmetries, and builds the index if there can be one.
    fn index(&mut self, shapes: Option<Shapes>) -> std::result::Result<(), &'static str> {
        let fits = |shapes: &Shapes| shapes.count() <= steps::MOST_SHAPES;
        let shapes = shapes.filter(|shapes| fits(shapes) && self.universe().is_some());
        let solved: Vec<Pairs> = match (&self.goal, self.labels(), &shapes) {
            (Some(goal), _, _) => vec![goal.clone()],
            (None, Some(labels), Some(shapes)) => (0..shapes.count())
                .filter_map(|rank| labels.placed(&shapes.unrank(rank)))
                .collect(),
            (None, Some(labels), None) => match self.some_solution(labels) {
                Ok(found) => found.into_iter().collect(),
                Err(GivenUp) => {
                    let unknown = "it is not known whether the board can be solved, because the \
                                   search for a solved placement was given up";
                    self.warning = Some(match self.warning.take() {
                        Some(warning) => format!("{warning}; {unknown}"),
                        None => unknown.to_owned(),
                    });
                    self.group = vec![Element::identity(self.board(), &self.kinds)];
                    return Ok(());
                }
            },
            (None, None, _) => vec![],
        };
        if solved.is_empty() {
            return Err(
                "the board cannot be solved: on no pairs of cells are the colours of the gourds",
            );
        }
        let slots: Vec<_> = solved.iter().map(|pairs| self.kinds.slots(pairs)).collect();
        // Of the solved positions of a coloured board without an index only one is known.
        self.group = match self.goal.is_some() || shapes.is_some() {
            true => group(self.board(), &self.kinds, &slots),
            false => vec![Element::identity(self.board(), &self.kinds)],
        };
        self.walk = shapes
            .and_then(|shapes| Walk::new(self.board(), shapes, &self.kinds, &slots, &self.group));
        Ok(())
    }

    fn some_solution(&self, labels: &Labels) -> std::result::Result<Option<Pairs>, GivenUp> {
        let mut found = None;
        placements::search(self.board(), labels, EFFORT, |pairs| {
            found = labels.placed(&Shape::new(self.board(), pairs.iter().copied()));
            false
        })?;
        Ok(found)
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

/// In how many ways gourds can lie over one shape if so many of them have two directions.
fn positions_of_a_shape(kinds: &Kinds, directed: usize) -> Option<u128> {
    multinomial(&kinds.counts())?.checked_mul(1 << directed)
}

/// The solved placement; `None` for coloured gourds.
fn goal(words: &Words<'_>, layout: &Layout, default: &[[u8; 2]]) -> Result<Option<Pairs>> {
    let board = &layout.board;
    match (&layout.labels, words.value("goal")) {
        (Some(_), Some(_)) => usage(
            "`goal` does not apply to this board: the labels of its cells and gourds say what is \
             solved",
        ),
        (Some(labels), None) if labels.coloured => Ok(None),
        (Some(labels), None) => Ok(labels.home()),
        (None, Some(text)) => {
            let pairs = notation::parse_pairs(board, text, "goal")?;
            let shape = Shape::new(board, pairs);
            Ok(Some(rules::in_order(&shape)))
        }
        (None, None) => Ok(Some(default.to_vec())),
    }
}

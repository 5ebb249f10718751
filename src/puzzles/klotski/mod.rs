//! Klotski (Huarong Dao): blocks slide on a crowded board until the 2x2 block is at its goal.
//!
//! # Rules
//! On a board, usually of 5 rows and 4 columns, lie one 2x2 block, standing (2x1) and lying (1x2)
//! blocks and single (1x1) ones; some cells are empty. Blocks slide up, down, left and right,
//! without turning. Blocks of the same shape are interchangeable. Solved is a layout in which the
//! 2x2 block is at the goal: on the usual board rows 3 and 4, columns 1 and 2, counted from 0.
//!
//! # Texts
//! - `klotski:classic` and other names: the well-known layouts in `layouts.txt`;
//! - `klotski:@FILE`: a custom one. The file has the rows of the layout, one letter for each block and
//!   `.` for an empty cell, on lines or with `/` between them; and, unless the board is the usual
//!   one, a line such as `goal 3,1` with row and column of the 2x2 block's upper left cell at the
//!   goal, counted from 0. Empty lines and lines that start with `#` do not count. Boards have up
//!   to 8 rows and columns;
//! - `klotski:all`: all layouts on the usual board with one 2x2 block and at least two empty
//!   cells; `klotski:all-2`: those with exactly two. Their roots are all solved layouts.
//!
//! Options:
//! - the metric: `step` (one block by one cell), `slide` (one block straight by any distance) or
//!   `move` (one block by any path);
//! - the roots: `from-start` counts distances from the layout; `from-goals` counts distances to the
//!   nearest of the solved layouts that can be reached from it. These must be found first, when
//!   the text is read: on large boards that takes a moment, and on very large ones it is refused.
//!
//! A move is written as the block's letter and its way: `B D1`, `I R1D1`. A block keeps its letter from
//! the first state of a solution to the last.
//!
//! # Symmetry
//! Exchanging left and right keeps the rules. It is a symmetry of an enumeration if it keeps the
//! goal and the set of roots: always for `all` and `all-2`; from a start that is its own mirror
//! image; from goals if the start's mirror image can be reached from the start.
//!
//! # Inside
//! | file | what it holds |
//! |---|---|
//! | `variant` | which puzzle a text means |
//! | `grid` | grids of letters, files, the layouts with names |
//! | `rules` | states as people see them: moves, paths, goal |
//! | `notation`, `drawing` | states and moves as text, boards for a terminal |
//! | `keys` | what keys do in a game |
//! | `lettered_replay` | blocks that keep their letters while they move |
//! | `blocks` | the fast form of states: masks and shifts |
//! | `numbering` | states as numbers, and how neighbours are numbered quickly: read its essay |
//! | `symmetry` | the mirror as a symmetry of cells |
//! | `component` | what can be reached from a layout |
//! | `space` | classes, neighbours and class sizes for the engine |
//! | `optimal` | the solvers: shortest solutions from any layout, and two blind searches to compare with |
//! | `scramble` | random layouts |

mod blocks;
mod component;
mod drawing;
mod grid;
mod keys;
mod lettered_replay;
mod notation;
mod numbering;
mod optimal;
mod rules;
mod scramble;
mod space;
mod symmetry;
#[cfg(test)]
mod tests;
mod variant;

use std::sync::OnceLock;

use crate::engine::Totals;
use crate::error::{Error, Result};
use crate::puzzle::{
    Capabilities, FileFormat, FileSource, Indexed, Kind, Move, NamedPieces, Play, PuzzleSpec, Question,
    Replay, Rules, Setup, Solver, Solving, State, Tablebase,
};
use crate::space::{AnySpace, Space};
use crate::symmetry::Group;
use component::{Component, check_count, goals};
use grid::BlockLayout;
use lettered_replay::LetteredReplay;
use numbering::LayoutNumbering;
use optimal::{BlindSearch, KlotskiOptimal};
use rules::{BlockBoard, BlockMove, Uses};
use space::{KlotskiSpace, Roots, fanout};
use variant::KlotskiVariant;

/// The family, for the registry.
pub const KIND: Kind = Kind {
    name: "klotski",
    grammar: "klotski:NAME[:METRIC][:ROOTS] with NAME = a layout such as classic, @FILE, all or \
              all-2, METRIC = step, slide or move, ROOTS = from-start or from-goals (all and all-2 \
              have no start: always from-goals)",
    about: "Blocks slide on a crowded board until the 2x2 block is at the middle of the lower edge.\n  \
            step: one block by one cell is one move; slide: straight by any distance; move: by any \
            path;\n  from-start: distances from the layout; from-goals: to the nearest solved \
            layout;\n  all: every layout with one 2x2 block and at least two empty cells; all-2: \
            exactly two",
    examples: &[
        "klotski:classic",
        "klotski:classic:slide",
        "klotski:classic:move",
        "klotski:classic:from-goals",
        "klotski:classic:move:from-goals",
        "klotski:zhihuiruoding",
        "klotski:jiangyongcaoying",
        "klotski:qitoubingjin",
        "klotski:bingfensanlu",
        "klotski:zuoyoububing",
        "klotski:taohuayuanzhong",
        "klotski:yilujinjun",
        "klotski:yilushunfeng",
        "klotski:yushengxili",
        "klotski:shuixiebutong",
        "klotski:fenghuiluzhuan",
        "klotski:all-2",
        "klotski:all",
        "klotski:all:move",
    ],
    boards: || grid::named().map(|(name, _)| name).collect(),
    options: &["step", "slide", "move", "from-start", "from-goals"],
    parse: |spec| Ok(Box::new(Klotski::parse(spec)?)),
    survey: None,
    play: Play::Given("klotski:classic"),
};

/// The largest universe in which what can be reached is found just for checks.
const MOST_COUNTED: u64 = 1 << 22;
/// The largest universe in which it is found because the roots depend on it: some seconds. For
/// files that were sent to a server the other limit applies.
const MOST_FLOODED: u64 = 1 << 25;

/// One Klotski puzzle, with the tables of its index.
pub struct Klotski {
    variant: KlotskiVariant,
    board: BlockBoard,
    uses: Uses,
    space: KlotskiSpace,
    /// What can be reached from the start; made when it is needed.
    component: OnceLock<Component>,
    /// The same for random layouts: with a goal among it, and always with its members.
    drawn: OnceLock<Component>,
    /// The largest universe in which it is found because something depends on it.
    most_flooded: u64,
}

impl Klotski {
    /// Reads the layout and the options.
    pub fn parse(spec: &PuzzleSpec<'_>) -> Result<Self> {
        let variant = KlotskiVariant::parse(spec)?;
        let most_flooded = match spec.files {
            FileSource::Read => MOST_FLOODED,
            FileSource::Given(_) => MOST_COUNTED,
        };
        let (board, uses) = (variant.board(), variant.uses());
        let too_large = || {
            Error::limit(format!(
                "the board of {} is too large for an index: there are too many layouts with these \
                 pieces",
                variant.text()
            ))
        };
        let numbering = LayoutNumbering::new(&board, &uses).ok_or_else(too_large)?;
        let solved = LayoutNumbering::solved(&board, &uses).ok_or_else(too_large)?;
        let component = OnceLock::new();
        let (roots, mirror) = match variant.start() {
            None => (Roots::Solved(solved), board.has_symmetric_goal()),
            Some(cells) => {
                let start = numbering.frame.blocks(cells);
                let image = numbering.frame.mirrored(&start);
                // A layout always has the pieces that were counted in it.
                let number = numbering.number(&start).ok_or_else(too_large)?;
                let image = numbering.number(&image).ok_or_else(too_large)?;
                let (roots, mirror) = if variant.from_goals {
                    let cannot = format!("the goals of {} cannot be found", variant.text());
                    let hint = "; `from-start` needs no goals";
                    check_count(&numbering, most_flooded, &cannot, hint)?;
                    let mut flood = Component::of(&numbering, number);
                    let goals = goals(&numbering, &solved, &flood)?;
                    let mirror = flood.contains(image);
                    if numbering.count() > MOST_COUNTED {
                        flood.forget_members();
                    }
                    let _ = component.set(flood);
                    (goals, mirror)
                } else {
                    (vec![number], number == image)
                };
                (Roots::Listed(roots), mirror && board.has_symmetric_goal())
            }
        };
        let space = KlotskiSpace {
            fanout: fanout(&board, &uses, variant.metric),
            metric: variant.metric,
            numbering,
            mirror,
            roots,
        };
        Ok(Klotski { variant, board, uses, space, component, drawn: OnceLock::new(), most_flooded })
    }

    /// The symmetries of the roots.
    fn group(&self) -> Option<Group> {
        symmetry::group(&self.board, self.space.mirror)
    }

    /// A state with the letters of the text that it was read from.
    fn lettered(&self, state: &State, given: &str) -> LetteredReplay<'_> {
        LetteredReplay::new(&self.board, self.variant.metric, &state.0, given)
    }

    fn number(&self, state: &[u8]) -> Option<u64> {
        let numbering = &self.space.numbering;
        numbering.number(&numbering.frame.blocks(state))
    }

    /// What can be reached from the start, if there is one and finding it is cheap.
    fn component(&self) -> Option<&Component> {
        let start = self.variant.start()?;
        if self.component.get().is_none() && self.space.universe() > MOST_COUNTED {
            return None;
        }
        let number = self.number(start)?;
        let flood = || Component::of(&self.space.numbering, number);
        Some(self.component.get_or_init(flood))
    }
}

impl Rules for Klotski {
    fn text(&self) -> String {
        self.variant.text()
    }

    fn title(&self) -> String {
        self.variant.title()
    }

    fn metric(&self) -> &'static str {
        self.variant.metric.name()
    }

    fn parse_state(&self, text: &str) -> Result<State> {
        let state = notation::parse_state(&self.board, &self.uses, text)?;
        if self.space.universe() <= MOST_COUNTED
            && let (Some(component), Some(number)) = (self.component(), self.number(&state))
            && !component.contains(number)
        {
            return Err(Error::Usage(format!(
                "this layout has the right blocks, but it cannot be reached from the start of {}; \
                 it can be put into a file to make it a separate puzzle (klotski:@FILE)",
                self.text()
            )));
        }
        Ok(State(state))
    }

    fn print_state(&self, state: &State) -> String {
        self.lettered(state, "").line()
    }

    fn draw(&self, state: &State, colour: bool) -> String {
        drawing::draw(&self.lettered(state, ""), None, colour)
    }

    fn moves(&self, state: &State) -> Vec<Move> {
        let moves = self.board.moves(&state.0, self.variant.metric);
        moves.into_iter().map(Move::from).collect()
    }

    fn move_name(&self, state: &State, mv: Move) -> String {
        notation::move_name(&self.lettered(state, ""), mv.into())
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<Move> {
        notation::parse_move(&self.lettered(state, ""), text).map(Move::from)
    }

    fn apply(&self, state: &State, mv: Move) -> State {
        State(self.board.moved(&state.0, BlockMove::from(mv)))
    }

    fn is_solved(&self, state: &State) -> bool {
        self.board.is_solved(&state.0)
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            index: Some(self),
            setup: Some(self),
            scramble: Some(self),
            solving: Some(self),
            pieces: Some(self),
            picture: Some(self),
            file: Some(self),
            keys: Some(self),
            ..Capabilities::default()
        }
    }
}

impl Indexed for Klotski {
    fn space(&self) -> Option<AnySpace<'_>> {
        Some(AnySpace::Narrow(&self.space))
    }

    fn index_of(&self, state: &State) -> Option<u128> {
        Some(self.space.canonical(self.number(&state.0)?)?.into())
    }

    fn state_of(&self, index: u128) -> Option<State> {
        let class = self.space.canonical(u64::try_from(index).ok()?)?;
        let numbering = &self.space.numbering;
        Some(State(numbering.frame.cells(&numbering.blocks(class))))
    }

    fn index_scheme(&self) -> u32 {
        1
    }

    fn group_order(&self) -> u64 {
        self.group().map_or(1, |group| group.order())
    }

    fn totals(&self) -> Totals {
        let component = self.component();
        let fixed_by = |component: &Component| {
            self.group()?.average(|element| match element.is_identity() {
                true => Some(component.states.into()),
                false => Some(component.symmetric.into()),
            })
        };
        Totals {
            states: component.map(|component| component.states.into()),
            classes: component.and_then(fixed_by),
            existing: self.variant.layout.is_none().then(|| self.space.universe().into()),
        }
    }

    fn images(&self, state: &State) -> Vec<State> {
        let frame = &self.space.numbering.frame;
        let mirrored = || State(frame.cells(&frame.mirrored(&frame.blocks(&state.0))));
        std::iter::once(state.clone()).chain(self.space.mirror.then(mirrored)).collect()
    }
}

impl Setup for Klotski {
    fn start(&self) -> Option<State> {
        self.variant.start().map(|cells| State(cells.to_vec()))
    }

    fn question(&self) -> Question {
        if self.variant.from_goals { Question::GodsNumber } else { Question::Eccentricity }
    }
}

impl Solving for Klotski {
    fn solvers(&self) -> Vec<Box<dyn Solver + '_>> {
        vec![
            Box::new(KlotskiOptimal(self)),
            Box::new(BlindSearch::breadth(self)),
            Box::new(BlindSearch::depth(self)),
        ]
    }

    fn other_tablebase(&self) -> Option<Tablebase> {
        if self.variant.from_goals {
            return None;
        }
        let from_goals = KlotskiVariant { from_goals: true, ..self.variant.clone() };
        let text = from_goals.text();
        Some(Tablebase::Other {
            text: text.clone(),
            make: Box::new(move || KIND.parse(&text, FileSource::Read)),
        })
    }
}

impl NamedPieces for Klotski {
    fn replay<'a>(&'a self, given: &str, state: &State) -> Box<dyn Replay + 'a> {
        Box::new(self.lettered(state, given))
    }
}

impl FileFormat for Klotski {
    fn file(&self) -> Option<String> {
        self.variant.layout.as_ref().map(BlockLayout::to_file)
    }

    fn content(&self) -> Option<u64> {
        self.variant.content
    }
}

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
//! - `klotski:@FILE`: one's own. The file has the rows of the layout, one letter for each block and
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
//! | `hands` | what keys do in a game |
//! | `lettering` | blocks that keep their letters while they move |
//! | `blocks` | the fast form of states: masks and shifts |
//! | `numbering` | states as numbers, and how neighbours are numbered quickly: read its essay |
//! | `component` | what can be reached from a layout |
//! | `space` | classes, neighbours and class sizes for the engine |
//! | `optimal` | the solver: shortest solutions from any layout |
//! | `scramble` | random layouts |

mod blocks;
mod component;
mod drawing;
mod grid;
mod hands;
mod lettering;
mod notation;
mod numbering;
mod optimal;
mod rules;
mod scramble;
mod space;
mod story;
#[cfg(test)]
mod tests;
mod variant;

use std::sync::OnceLock;

use crate::error::{Error, Result};
use crate::puzzle::{
    Files, Frame, Hands, Instance, Move, Puzzle, Question, State, Tablebase, Words,
};
use crate::puzzle::{Kind, Play};
use crate::random::Random;
use crate::solve::Solver;
use crate::space::{AnySpace, Space};
use component::{Component, flood, goals};
use lettering::Lettering;
use numbering::Numbering;
use optimal::Optimal;
use rules::{Board, Shift, Uses};
use space::{Roots, Walk, fanout};
use story::Story;
use variant::{Subject, Variant};

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
    parse: |words| Ok(Box::new(Klotski::parse(words)?)),
    survey: None,
    play: Play::Given("klotski:classic"),
};

/// The largest universe in which what can be reached is found just for checks.
const MOST_COUNTED: u64 = 1 << 22;
/// The largest universe in which it is found because the roots depend on it: some seconds. Who sends
/// us files is not given as much.
const MOST_FLOODED: u64 = 1 << 25;

/// One Klotski puzzle, with the tables of its index.
pub struct Klotski {
    variant: Variant,
    board: Board,
    uses: Uses,
    walk: Walk,
    /// What can be reached from the start; made when it is needed.
    component: OnceLock<Component>,
    /// The same for random layouts: with a goal among it, and always with its members.
    drawn: OnceLock<Component>,
    /// The largest universe in which it is found because something depends on it.
    most_flooded: u64,
}

impl Klotski {
    /// Reads the layout and the options.
    pub fn parse(words: &Words<'_>) -> Result<Self> {
        let variant = Variant::parse(words)?;
        let most_flooded = match words.files {
            Files::Read => MOST_FLOODED,
            Files::Given(_) => MOST_COUNTED,
        };
        let (board, uses) = (variant.board(), variant.uses());
        let too_large = || {
            Error::Limit(format!(
                "the board of {} is too large for an index: there are too many layouts with these \
                 pieces",
                variant.text()
            ))
        };
        let numbering = Numbering::new(&board, &uses).ok_or_else(too_large)?;
        let solved = Numbering::solved(&board, &uses).ok_or_else(too_large)?;
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
                    let mut flood = flood(&variant, &numbering, number, most_flooded)?;
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
        let walk = Walk {
            fanout: fanout(&board, &uses, variant.metric),
            metric: variant.metric,
            numbering,
            mirror,
            roots,
        };
        Ok(Klotski {
            variant,
            board,
            uses,
            walk,
            component,
            drawn: OnceLock::new(),
            most_flooded,
        })
    }

    /// The letters of a state as it was written.
    fn letters(&self, state: &State, given: &str) -> Lettering {
        Lettering::new(&self.board, &state.0, given)
    }

    /// The number of a state.
    fn number(&self, state: &[u8]) -> Option<u64> {
        let numbering = &self.walk.numbering;
        numbering.number(&numbering.frame.blocks(state))
    }

    /// What can be reached from the start, if there is one and finding it is cheap.
    fn component(&self) -> Option<&Component> {
        let start = self.variant.start()?;
        if self.component.get().is_none() && self.walk.universe() > MOST_COUNTED {
            return None;
        }
        let number = self.number(start)?;
        let flood = || Component::of(&self.walk.numbering, number);
        Some(self.component.get_or_init(flood))
    }
}

impl Puzzle for Klotski {
    fn text(&self) -> String {
        self.variant.text()
    }

    fn title(&self) -> String {
        self.variant.title()
    }

    fn metric(&self) -> &'static str {
        self.variant.metric.name()
    }

    fn index_scheme(&self) -> u32 {
        1
    }

    fn group_order(&self) -> u64 {
        if self.walk.mirror { 2 } else { 1 }
    }

    fn total_states(&self) -> Option<u128> {
        Some(self.component()?.states.into())
    }

    fn total_classes(&self) -> Option<u128> {
        let component = self.component()?;
        Some(match self.walk.mirror {
            true => u128::from(component.states + component.symmetric) / 2,
            false => component.states.into(),
        })
    }

    fn existing_states(&self) -> Option<u128> {
        match self.variant.subject {
            Subject::Layout { .. } => None,
            _ => Some(self.walk.universe().into()),
        }
    }

    fn question(&self) -> Question {
        match self.variant.from_goals {
            true => Question::GodsNumber,
            false => Question::Eccentricity,
        }
    }

    fn content(&self) -> Option<u64> {
        match self.variant.subject {
            Subject::Layout { content, .. } => content,
            _ => None,
        }
    }

    fn start(&self) -> Option<State> {
        self.variant.start().map(|cells| State(cells.to_vec()))
    }

    fn file(&self) -> Option<String> {
        match &self.variant.subject {
            Subject::Layout { layout, .. } => Some(layout.to_file()),
            _ => None,
        }
    }

    fn solvers(&self) -> Vec<Box<dyn Solver + '_>> {
        vec![Box::new(Optimal(self))]
    }

    fn tablebase(&self) -> Option<Tablebase> {
        if self.variant.from_goals {
            return Some(Tablebase::Own);
        }
        let from_goals = Variant {
            from_goals: true,
            ..self.variant.clone()
        };
        let text = from_goals.text();
        Some(Tablebase::Other {
            text: text.clone(),
            make: Box::new(move || KIND.parse(&text, Files::Read)),
        })
    }

    fn scramble(&self, random: &mut Random) -> Result<Instance> {
        scramble::scramble(self, random).map(Instance::State)
    }

    fn space(&self) -> Option<AnySpace<'_>> {
        Some(AnySpace::Narrow(&self.walk))
    }

    fn parse_state(&self, text: &str) -> Result<State> {
        let state = notation::parse_state(&self.board, &self.uses, text)?;
        if self.walk.universe() <= MOST_COUNTED
            && let (Some(component), Some(number)) = (self.component(), self.number(&state))
            && !component.contains(number)
        {
            return Err(Error::Usage(format!(
                "this layout has the right blocks, but it cannot be reached from the start of {}; \
                 as a puzzle of its own it can be put into a file (klotski:@FILE)",
                self.text()
            )));
        }
        Ok(State(state))
    }

    fn print_state(&self, state: &State) -> String {
        grid::print(&self.board, &state.0)
    }

    fn draw(&self, state: &State, colour: bool) -> String {
        drawing::draw(&self.board, &state.0, &self.letters(state, ""), colour)
    }

    fn board(&self) -> serde_json::Value {
        drawing::board(&self.board, self.metric())
    }

    fn hands(&self) -> Option<&dyn Hands> {
        Some(self)
    }

    fn moves(&self, state: &State) -> Vec<Move> {
        let moves = self.board.moves(&state.0, self.variant.metric);
        moves.into_iter().map(Move::from).collect()
    }

    fn move_name(&self, state: &State, mv: Move) -> String {
        let shift = Shift::from(mv);
        let letter = self.letters(state, "").letter(shift.from);
        notation::move_name(&self.board, &state.0, letter, shift)
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<Move> {
        let letters = self.letters(state, "");
        let metric = self.variant.metric;
        notation::parse_move(&self.board, &state.0, &letters, metric, text).map(Move::from)
    }

    fn name_moves(&self, given: &str, state: &State, moves: &[Move]) -> Vec<String> {
        let mut names = Vec::with_capacity(moves.len());
        let mut story = Story::new(self, given, state);
        for shift in moves.iter().copied().map(Shift::from) {
            let letter = story.letters.letter(shift.from);
            names.push(notation::move_name(
                &self.board,
                &story.state,
                letter,
                shift,
            ));
            story.go_on(shift);
        }
        names
    }

    fn read_moves(&self, given: &str, state: &State, names: &[&str]) -> Result<Vec<Move>> {
        let mut moves = Vec::with_capacity(names.len());
        let mut story = Story::new(self, given, state);
        for name in names {
            let (state, metric) = (&story.state, self.variant.metric);
            let shift = notation::parse_move(&self.board, state, &story.letters, metric, name)?;
            moves.push(shift.into());
            story.go_on(shift);
        }
        Ok(moves)
    }

    fn film(&self, given: &str, state: &State, moves: &[Move], colour: bool) -> Vec<Frame> {
        let mut story = Story::new(self, given, state);
        let mut frames = vec![story.frame(colour)];
        for &mv in moves {
            story.go_on(mv.into());
            frames.push(story.frame(colour));
        }
        frames
    }

    fn apply(&self, state: &State, mv: Move) -> State {
        State(self.board.moved(&state.0, Shift::from(mv)))
    }

    fn is_solved(&self, state: &State) -> bool {
        self.board.is_solved(&state.0)
    }

    fn index_of(&self, state: &State) -> Option<u128> {
        Some(self.walk.canonical(self.number(&state.0)?)?.into())
    }

    fn state_of(&self, index: u128) -> Option<State> {
        let class = self.walk.canonical(u64::try_from(index).ok()?)?;
        let numbering = &self.walk.numbering;
        Some(State(numbering.frame.cells(&numbering.blocks(class))))
    }
}

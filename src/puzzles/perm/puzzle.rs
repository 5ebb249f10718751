//! A permutation puzzle: states, moves, and its capabilities.

use std::sync::OnceLock;

use super::check::check;
use super::definition::{Definition, NamedMove, Pattern, PieceName, SlotName};
use super::flood::Flood;
use super::frame::Cells;
use super::growth;
use super::notation;
use super::numbered::{Equivalence, NO_INVERSE, Numbered};
use super::options::PermutationOptions;
use super::reach::Reach;
use super::space::CellSpace;
use super::turns::turns;
use crate::engine::Totals;
use crate::error::{Result, usage};
use crate::puzzle::{
    Bounding, Capabilities, FileFormat, Growth, Indexed, Instance, Move, Permutations, Rules, Scramble,
    Setup, State,
};
use crate::random::Random;
use crate::space::AnySpace;

/// A permutation puzzle.
pub(crate) struct PermutationPuzzle {
    text: String,
    title: String,
    quarter: bool,
    content: Option<u64>,
    definition: Definition,
    moves: Vec<NamedMove>,
    /// The index; where there is none, why.
    space: std::result::Result<Numbered, String>,
    reached: OnceLock<Reached>,
}

/// What is known of the states that can be reached.
enum Reached {
    Group(Reach),
    Flood(Flood),
    Unknown,
}

impl PermutationPuzzle {
    /// The puzzle that a definition describes. `text` is what names it, `title` says what it is.
    pub fn new(
        text: String,
        title: String,
        definition: Definition,
        options: &PermutationOptions,
    ) -> Result<Self> {
        check(&definition)?;
        let definition = options.apply(definition)?;
        check(&definition)?;
        let moves = turns(&definition, options.quarter)?;
        let space = Numbered::new(&definition, &moves, options.equivalence);
        if let (Equivalence::Inverse, Err(why)) = (options.equivalence, &space)
            && why == NO_INVERSE
        {
            return usage(why.clone());
        }
        let puzzle = PermutationPuzzle {
            text,
            title,
            quarter: options.quarter,
            content: None,
            definition,
            moves,
            space,
            reached: OnceLock::new(),
        };
        if !puzzle.definition.solved.iter().all(|pattern| puzzle.is_allowed(pattern)) {
            return usage("a solved pattern has a piece in a slot where it is forbidden");
        }
        Ok(puzzle)
    }

    /// The puzzle with a hash of the files that its text names.
    pub fn with_content(self, content: u64) -> Self {
        PermutationPuzzle { content: Some(content), ..self }
    }

    /// The index; where there is none, why.
    pub(super) fn index(&self) -> std::result::Result<&CellSpace, &str> {
        self.numbered().map(Numbered::cells)
    }

    /// The definition, and the moves of the metric.
    pub(super) fn given(&self) -> (&Definition, &[NamedMove]) {
        (&self.definition, &self.moves)
    }

    /// Whether moves lead to a state; `None` where that is not known without a search.
    pub(super) fn can_reach(&self, cells: &Cells) -> Option<bool> {
        let space = self.index().ok()?;
        match self.reached() {
            Reached::Group(reach) => reach.has(&space.frame, cells),
            Reached::Flood(flood) => {
                Some(space.numbering.has(cells) && flood.has(space.numbering.rank(cells)))
            }
            Reached::Unknown => None,
        }
    }

    /// How classes are numbered; where there is no index, why.
    pub(super) fn numbered(&self) -> std::result::Result<&Numbered, &str> {
        self.space.as_ref().map_err(String::as_str)
    }

    fn cells(&self, state: &State) -> Option<Cells> {
        self.index().ok()?.frame.cells_of(&self.pattern(state))
    }

    fn state(&self, cells: &Cells) -> Option<State> {
        let frame = &self.index().ok()?.frame;
        Some(notation::state(&frame.pattern_of(cells, &self.definition.solved[0])))
    }

    fn reached(&self) -> &Reached {
        self.reached.get_or_init(|| {
            let Ok(space) = self.index() else {
                return Reached::Unknown;
            };
            let group = space.legality.is_free().then(|| Reach::new(&space.frame, Some(&space.numbering)));
            match group.flatten() {
                Some(reach) if reach.states.is_some() => Reached::Group(reach),
                other => match Flood::new(space) {
                    Some(flood) => Reached::Flood(flood),
                    None => other
                        .and_then(|reach| reach.counted(&space.frame))
                        .map_or(Reached::Unknown, Reached::Group),
                },
            }
        })
    }

    fn pattern(&self, state: &State) -> Pattern {
        notation::pattern(&self.definition, state)
    }

    /// Whether a move is legal: it moves all pieces of a block or none, and puts none where it may not be.
    fn is_legal(&self, pattern: &Pattern, mv: &NamedMove) -> bool {
        let is_moved = |name: &&PieceName| {
            let lying = (0..=u8::MAX).zip(&pattern.0[usize::from(name.orbit)].pieces);
            let mut slots = lying.filter(|(_, piece)| **piece == name.piece).map(|(slot, _)| slot);
            slots.any(|slot| mv.transformation.moves(SlotName { orbit: name.orbit, slot }))
        };
        let whole = |block: &Vec<PieceName>| {
            let moved = block.iter().filter(is_moved).count();
            moved == 0 || moved == block.len()
        };
        self.definition.blocks.iter().all(whole) && self.is_allowed(&pattern.after(&mv.transformation))
    }

    /// Whether no piece lies where it may not.
    fn is_allowed(&self, pattern: &Pattern) -> bool {
        self.definition.forbidden.iter().all(|forbidden| {
            let SlotName { orbit, slot } = forbidden.slot;
            pattern.0[usize::from(orbit)].pieces[usize::from(slot)] != forbidden.piece
        })
    }
}

impl Rules for PermutationPuzzle {
    fn text(&self) -> String {
        self.text.clone()
    }

    fn title(&self) -> String {
        self.title.clone()
    }

    fn metric(&self) -> &'static str {
        match (self.definition.powers, self.quarter) {
            (false, _) => "move",
            (true, false) => "turn",
            (true, true) => "quarter",
        }
    }

    fn parse_state(&self, text: &str) -> Result<State> {
        notation::parse(&self.definition, text).map(|pattern| notation::state(&pattern))
    }

    fn print_state(&self, state: &State) -> String {
        notation::print(&self.pattern(state))
    }

    fn draw(&self, state: &State, _colour: bool) -> String {
        notation::draw(&self.definition, &self.pattern(state))
    }

    fn moves(&self, state: &State) -> Vec<Move> {
        let pattern = self.pattern(state);
        let legal = (0..).zip(&self.moves).filter(|(_, mv)| self.is_legal(&pattern, mv));
        legal.map(|(number, _)| Move(number)).collect()
    }

    fn move_name(&self, _: &State, mv: Move) -> String {
        self.moves.get(mv.0 as usize).map_or_else(|| "?".to_owned(), |mv| mv.name.clone())
    }

    fn apply(&self, state: &State, mv: Move) -> State {
        // A move that is not legal changes nothing.
        let moved = self.moves.get(mv.0 as usize).map(|mv| self.pattern(state).after(&mv.transformation));
        moved.map_or_else(|| state.clone(), |pattern| notation::state(&pattern))
    }

    fn is_solved(&self, state: &State) -> bool {
        self.definition.solved.contains(&self.pattern(state))
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            index: Some(self),
            setup: Some(self),
            scramble: Some(self),
            solving: Some(self),
            bounds: Some(self),
            file: Some(self),
            permutations: Some(self),
            ..Capabilities::default()
        }
    }
}

impl Indexed for PermutationPuzzle {
    fn space(&self) -> Option<AnySpace<'_>> {
        Some(self.numbered().ok()?.space())
    }

    fn index_of(&self, state: &State) -> Option<u128> {
        let cells = self.cells(state)?;
        self.numbered().ok()?.number_of(&cells)
    }

    fn state_of(&self, index: u128) -> Option<State> {
        self.state(&self.numbered().ok()?.cells_of(index)?)
    }

    fn index_scheme(&self) -> u32 {
        self.numbered().map_or(2, Numbered::scheme)
    }

    fn group_order(&self) -> u64 {
        self.index().map_or(1, |space| space.order() as u64)
    }

    fn has_alike_members(&self) -> bool {
        !self.index().is_ok_and(|space| space.inverse.is_some())
    }

    fn about_symmetry(&self) -> String {
        self.numbered().map_or_else(|_| String::new(), Numbered::about_symmetry)
    }

    fn totals(&self) -> Totals {
        let states = match self.reached() {
            Reached::Group(reach) => reach.states,
            Reached::Flood(flood) => Some(flood.count),
            Reached::Unknown => None,
        };
        let all = self.index().ok().filter(|space| states.is_none() && space.legality.is_free());
        Totals { states, classes: None, existing: all.map(|space| space.numbering.count) }
    }
}

impl Setup for PermutationPuzzle {
    fn start(&self) -> Option<State> {
        self.definition.start.as_ref().map(notation::state)
    }

    fn root(&self) -> Option<State> {
        Some(notation::state(&self.definition.solved[0]))
    }

    fn warning(&self) -> Option<String> {
        match self.index() {
            Err(why) => Some(format!("{} cannot be enumerated: {why}", self.text)),
            Ok(space) if !space.has_all_symmetries => Some(format!(
                "the search for symmetries of {} was cut short: only a part of them is used, so there are more \
                 classes than necessary",
                self.text
            )),
            Ok(_) => None,
        }
    }
}

impl Scramble for PermutationPuzzle {
    fn scramble(&self, random: &mut Random) -> Result<Instance> {
        let cells = match (self.index(), self.reached()) {
            (Ok(space), Reached::Group(reach)) => Some(reach.random(&space.frame, random)),
            (Ok(space), Reached::Flood(flood)) => space.cells_of(flood.random(random)),
            _ => None,
        };
        match cells.and_then(|cells| self.state(&cells)) {
            Some(state) => Ok(Instance::State(state)),
            None => usage(format!(
                "random states of {} cannot be generated: it is not known which states can be reached",
                self.text
            )),
        }
    }
}

impl Bounding for PermutationPuzzle {
    fn growth(&self) -> Option<Growth> {
        let space = self.index().ok()?;
        space.legality.is_free().then(|| growth::growth(&space.frame)).flatten()
    }
}

impl Permutations for PermutationPuzzle {
    fn definition(&self) -> Definition {
        self.definition.clone()
    }
}

impl FileFormat for PermutationPuzzle {
    fn file(&self) -> Option<String> {
        None
    }

    fn content(&self) -> Option<u64> {
        self.content
    }
}

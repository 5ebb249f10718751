//! A permutation puzzle as people meet it: states, moves, and what else it offers.

use std::collections::HashSet;
use std::sync::OnceLock;

use super::check::check;
use super::definition::{Definition, NamedMove, Pattern, PieceName, SlotName, Transformation};
use super::flood::Flood;
use super::frame::{Cells, Frame};
use super::legality::Legality;
use super::notation;
use super::numbering::Numbering;
use super::options::PermutationOptions;
use super::product::ProductSpace;
use super::reach::Reach;
use super::space::CellSpace;
use super::symmetry;
use super::turns::turns;
use crate::engine::Totals;
use crate::error::{Error, usage};
use crate::puzzle::{
    Bounding, Capabilities, FileFormat, Indexed, Instance, Move, Permutations, Rules, Scramble, Setup, State,
};
use crate::random::Random;
use crate::space::{AnySpace, Direction};

type Result<T, E = Error> = std::result::Result<T, E>;

/// A permutation puzzle.
pub(crate) struct PermutationPuzzle {
    text: String,
    title: String,
    quarter: bool,
    content: Option<u64>,
    definition: Definition,
    moves: Vec<NamedMove>,
    /// The index; where there is none, why.
    space: Result<Numbered, String>,
    reached: OnceLock<Reached>,
}

/// How classes are numbered.
enum Numbered {
    /// Cell by cell.
    Cells(Box<CellSpace>),
    /// By coordinates, where that is possible.
    Product(Box<ProductSpace>),
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
        let space = index(&definition, &moves, options.symmetry);
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

    /// The puzzle with what tells the content of the files that its text names from any other.
    pub fn with_content(self, content: u64) -> Self {
        PermutationPuzzle { content: Some(content), ..self }
    }

    /// The index; where there is none, why.
    pub(super) fn index(&self) -> Result<&CellSpace, &str> {
        match &self.space {
            Ok(Numbered::Cells(space)) => Ok(space),
            Ok(Numbered::Product(product)) => Ok(&product.cells),
            Err(why) => Err(why),
        }
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
                Some(reach) => Reached::Group(reach),
                None => Flood::new(space).map_or(Reached::Unknown, Reached::Flood),
            }
        })
    }

    fn pattern(&self, state: &State) -> Pattern {
        notation::pattern(&self.definition, state)
    }

    /// Whether a move is legal: it moves all pieces of a block or none, and puts none where it may not be.
    fn is_legal(&self, pattern: &Pattern, mv: &NamedMove) -> bool {
        let is_moved = |name: &&PieceName| {
            let lying = (0..).zip(&pattern.0[usize::from(name.orbit)].pieces);
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
            bounds: Some(self),
            file: Some(self),
            permutations: Some(self),
            ..Capabilities::default()
        }
    }
}

impl Indexed for PermutationPuzzle {
    fn space(&self) -> Option<AnySpace<'_>> {
        Some(match self.space.as_ref().ok()? {
            Numbered::Product(product) => AnySpace::Narrow(&**product),
            Numbered::Cells(space) if space.numbering.count <= u64::MAX.into() => AnySpace::Narrow(&**space),
            Numbered::Cells(space) => AnySpace::Wide(&**space),
        })
    }

    fn index_of(&self, state: &State) -> Option<u128> {
        let cells = self.cells(state)?;
        match self.space.as_ref().ok()? {
            Numbered::Product(product) => product.number_of(&cells).map(u128::from),
            Numbered::Cells(space) => space.number_of(&cells),
        }
    }

    fn state_of(&self, index: u128) -> Option<State> {
        let cells = match self.space.as_ref().ok()? {
            Numbered::Product(product) => product.cells_of(index.try_into().ok()?)?,
            Numbered::Cells(space) => space.cells_of(index)?,
        };
        self.state(&cells)
    }

    fn group_order(&self) -> u64 {
        self.index().map_or(1, |space| space.group.len() as u64)
    }

    fn totals(&self) -> Totals {
        let states = match self.reached() {
            Reached::Group(reach) => Some(reach.states),
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
                "{} has no random states: it is not known which states can be reached",
                self.text
            )),
        }
    }
}

impl Bounding for PermutationPuzzle {}

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

/// The index of a definition; where there is none, why.
fn index(definition: &Definition, moves: &[NamedMove], symmetry: bool) -> Result<Numbered, String> {
    // Distances are those to the solved states, so that it is moves taken back that lead away from them.
    let back: Vec<NamedMove> = moves.iter().map(|mv| mv.inverse(&definition.orbits)).collect();
    let known: HashSet<&Transformation> = moves.iter().map(|mv| &mv.transformation).collect();
    let (moves, direction) = match back.iter().all(|mv| known.contains(&mv.transformation)) {
        true => (moves, Direction::Reversible),
        false => (&back[..], Direction::Directed),
    };
    let mut frame = Frame::new(definition, moves)?;
    let numbering = Numbering::new(&frame)?;
    let legality = Legality::new(definition, &frame, moves);
    let group = if symmetry { symmetry::group(&mut frame, &legality) } else { symmetry::trivial(&mut frame) };
    let mut space = CellSpace::new(frame, numbering, legality, group);
    space.direction = direction;
    Ok(match ProductSpace::new(space) {
        Ok(product) => Numbered::Product(Box::new(product)),
        Err(space) => Numbered::Cells(space),
    })
}

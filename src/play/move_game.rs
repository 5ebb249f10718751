//! A game of moves: from state to state, by the rules of the puzzle.

mod notation;

use std::collections::HashMap;
use std::sync::Arc;

use super::game::{self, ActiveGame, FilmFrame, FoundPath, GameReply, SearchRequest, SearchTask};
use super::{Keys, advice, saved};
use crate::engine::budget::default_memory;
use crate::error::{Result, usage};
use crate::puzzle::{Arrow, BoardView, Instance, KeyControls, KeyEffect, Move, Rules, State};
use crate::puzzles::registry;
use crate::random::Random;
use crate::solve::{Effort, SolvedPhases, phased};
use crate::text::pluralise;

/// A state of that many characters stands beside the counter; longer ones come last.
const SHORT: usize = 60;

/// One position of the game.
#[derive(Clone, Debug)]
struct GamePosition {
    state: State,
    /// The state on one line, with the letters that pieces have had since the beginning.
    line: String,
}

/// A game of moves under way.
pub struct MoveGame {
    puzzle: Arc<dyn Rules>,
    /// The content of the file that the puzzle's text names, if it came with a saved game.
    file: Option<String>,
    /// The start, and the position after each move.
    positions: Vec<GamePosition>,
    moves: Vec<Move>,
    /// Moves that were taken back, the last one last.
    undone: Vec<Move>,
    chosen: Option<String>,
    /// For states on ways that were found: the next move, and whether the way is a shortest one.
    ways: HashMap<State, (Move, bool)>,
}

impl MoveGame {
    /// A game from a state, or else from the position that the puzzle is given in.
    pub fn new(puzzle: Arc<dyn Rules>, start: Option<State>) -> Result<Self> {
        let Some(start) = start.or_else(|| puzzle.start()) else {
            return usage(format!("{} has no start position", puzzle.text()));
        };
        let line = puzzle.print_state(&start);
        let mut game = MoveGame {
            puzzle,
            file: None,
            positions: vec![GamePosition { state: start, line }],
            moves: Vec::new(),
            undone: Vec::new(),
            chosen: None,
            ways: HashMap::new(),
        };
        game.choose_something();
        Ok(game)
    }

    /// A game from a state as it was written, of a puzzle whose file came along with it.
    pub(super) fn from_saved(puzzle: Arc<dyn Rules>, file: Option<String>, start: &str) -> Result<Self> {
        let state = puzzle.parse_state(start)?;
        // In one spelling, but with the letters that pieces have there.
        let frames = puzzle.film(start, &state, &[], false);
        let line = frames.into_iter().next().map(|frame| frame.line);
        let mut game = MoveGame::new(puzzle, Some(state))?;
        game.file = file;
        if let Some(line) = line {
            game.positions[0].line = line;
        }
        game.choose_something();
        Ok(game)
    }

    fn here(&self) -> &GamePosition {
        &self.positions[self.positions.len() - 1]
    }

    fn controls(&self) -> Option<&dyn KeyControls> {
        self.puzzle.capabilities().keys
    }

    fn sight(&self) -> BoardView<'_> {
        let GamePosition { state, line } = self.here();
        BoardView { state, given: line, chosen: self.chosen.as_deref() }
    }

    fn choices(&self) -> Vec<String> {
        self.controls().map_or(Vec::new(), |controls| controls.choices(self.sight()))
    }

    /// Keeps what is chosen if that is still there.
    pub(super) fn choose_something(&mut self) {
        let choices = self.choices();
        if !choices.iter().any(|choice| Some(choice) == self.chosen.as_ref()) {
            self.chosen = choices.into_iter().next();
        }
    }

    fn push(&mut self, mv: Move) {
        let GamePosition { state, line } = self.here();
        let frames = self.puzzle.film(line, state, &[mv], false);
        let state = self.puzzle.apply(state, mv);
        let line = frames.into_iter().last().map_or(String::new(), |f| f.line);
        self.positions.push(GamePosition { state, line });
        self.moves.push(mv);
    }

    fn pop(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }

    /// Makes a legal move, which may be one with the move before.
    fn play(&mut self, mv: Move) {
        let after = self.puzzle.apply(&self.here().state, mv);
        match self.joined(mv, &after) {
            Some(one) => {
                self.pop();
                one.into_iter().for_each(|mv| self.push(mv));
            }
            None => self.push(mv),
        }
        self.undone.clear();
        self.choose_something();
    }

    /// The move that the last one and this one are together, or that they cancel out; `None` if they
    /// are two.
    fn joined(&self, mv: Move, after: &State) -> Option<Option<Move>> {
        let last = *self.moves.last()?;
        self.controls()?.is_one(last, mv).then_some(())?;
        let before = &self.positions.get(self.positions.len().checked_sub(2)?)?.state;
        if before == after {
            return Some(None);
        }
        let moves = self.puzzle.moves(before);
        let mut moves = moves.into_iter();
        let one = moves.find(|&one| self.puzzle.apply(before, one) == *after)?;
        Some(Some(one))
    }

    /// A film of phases, which names the phase of every move.
    fn film_of_phases(&self, solved: &SolvedPhases, colour: bool) -> (Vec<FilmFrame>, String) {
        let GamePosition { state, line } = self.here();
        let moves = solved.moves();
        let phases = solved.phases.iter().zip(1..);
        let phases = phases.flat_map(|(phase, number)| {
            phase.moves.iter().map(move |_| format!("phase {number}, {}: ", phase.name))
        });
        let names = self.puzzle.name_moves(line, state, &moves);
        let names = phases.zip(names).map(|(phase, name)| phase + &name).collect();
        let frames = self.puzzle.film(line, state, &moves, colour);
        let lengths = solved.phases.iter().map(|phase| format!("{} {}", phase.name, phase.moves.len()));
        let lengths: Vec<String> = lengths.collect();
        let about = format!(
            "{} in phases, sorted by {}: {}",
            pluralise(moves.len(), "move"),
            solved.sort,
            lengths.join(", ")
        );
        (FilmFrame::list(names, frames), about)
    }

    /// The cycle that phases are about, drawn; an error if the puzzle has none.
    fn cycle(&self) -> Result<String> {
        let phases = phased::phases_of(&*self.puzzle)?;
        match phases.shown_cycle() {
            Some(cycle) => Ok(phases.draw_cycle(&cycle, false)),
            None => usage("no cycle goes through all cells of this board"),
        }
    }

    /// Remembers a way from the present state.
    fn learn(&mut self, way: &FoundPath) {
        let mut state = self.here().state.clone();
        for &mv in &way.moves {
            let next = self.puzzle.apply(&state, mv);
            self.ways.insert(state, (mv, way.optimal));
            state = next;
        }
    }
}

impl ActiveGame for MoveGame {
    fn title(&self) -> String {
        self.puzzle.heading()
    }

    fn board(&self, colour: bool) -> String {
        match self.controls() {
            Some(controls) => controls.draw(self.sight(), colour),
            None => self.puzzle.draw(&self.here().state, colour),
        }
    }

    fn status(&self, keys: Option<&Keys>) -> Vec<String> {
        let state = &self.here().line;
        let is_short = state.len() <= SHORT;
        let mut lines = vec![if is_short { format!("{}; {state}", self.count()) } else { self.count() }];
        let offers = self.offers();
        lines.push(match offers.is_empty() {
            true => "there is no move".into(),
            false => format!("moves: {}", offers.join(", ")),
        });
        if let Some(chosen) = &self.chosen {
            lines.push(format!("chosen: {chosen}"));
        }
        if let (Some(keys), Some(controls)) = (keys, self.controls()) {
            let legal = |arrow: &Arrow| controls.arrow(self.sight(), *arrow).is_ok();
            let arrows = Arrow::ALL.into_iter().filter(legal);
            let keys: Vec<String> =
                arrows.map(|arrow| format!("{} {}", keys.of(arrow), arrow.word())).collect();
            lines.push(format!("keys: {}", keys.join(", ")));
        }
        if !is_short {
            lines.push(state.clone());
        }
        lines
    }

    fn keys(&self) -> String {
        let Some(controls) = self.controls() else {
            return String::new();
        };
        controls.about().to_owned() + self.typing()
    }

    fn words(&self) -> Vec<[String; 2]> {
        let words = |word: &str, what: &str| [word.to_owned(), what.to_owned()];
        let text = self.puzzle.text();
        let kind = registry::kind(text.split(':').next().unwrap_or_default());
        let about = kind.map_or("", |kind| kind.about.lines().next().unwrap_or_default());
        let mut list = vec![
            words(&text, about),
            words(
                "MOVE",
                "makes a move in the puzzle's notation; several with spaces or commas between them",
            ),
        ];
        if let Some(phases) = self.puzzle.capabilities().phases {
            list.push(words("cycle", "draws the cycle that the phases are about"));
            let sorts = phases.sorts().join(", ");
            list.push(words("phases [SORT]", &format!("shows a solution in phases; SORT is one of {sorts}")));
        }
        if self.controls().is_some() {
            list.push(words("left, right, up, down", &self.keys()));
        }
        list
    }

    fn is_solved(&self) -> bool {
        self.puzzle.is_solved(&self.here().state)
    }

    fn is_begun(&self) -> bool {
        !self.moves.is_empty()
    }

    fn count(&self) -> String {
        pluralise(self.moves.len(), "move")
    }

    fn arrow(&mut self, arrow: Arrow) -> Result<Option<String>> {
        let Some(controls) = self.controls() else {
            return usage("this puzzle is not played with arrows: type a move");
        };
        match controls.arrow(self.sight(), arrow)? {
            KeyEffect::Move(mv) => self.play(mv),
            KeyEffect::Choose(name) => self.chosen = Some(name),
        }
        Ok(None)
    }

    fn enter(&mut self) -> Result<Option<String>> {
        match self.controls().and_then(|controls| controls.enter(self.sight())) {
            Some(mv) => {
                self.play(mv);
                Ok(None)
            }
            None => Ok(Some("Type a move, or use the arrow keys.".into())),
        }
    }

    fn character(&mut self, character: char) -> Option<Result<Option<String>>> {
        let choices = self.choices();
        let names = [character.to_string(), character.to_uppercase().to_string()];
        if let Some(name) = names.iter().find(|name| choices.contains(name)) {
            // What is chosen and a move at once is made when Enter says so.
            self.chosen = Some(name.clone());
            return Some(Ok(None));
        }
        let moves = names.iter().find_map(|name| self.read(name).ok())?;
        moves.into_iter().for_each(|mv| self.play(mv));
        Some(Ok(None))
    }

    fn begins(&self, character: char) -> Option<String> {
        self.line_from(character)
    }

    fn say(&mut self, line: &str) -> Result<Option<String>> {
        if line == "cycle" && self.puzzle.capabilities().phases.is_some() {
            return self.cycle().map(Some);
        }
        let read = self.read(line);
        match read {
            Ok(moves) => moves.into_iter().for_each(|mv| self.play(mv)),
            Err(why) => {
                let choices = self.choices();
                let names = [line.to_owned(), line.to_uppercase()];
                let Some(name) = names.iter().find(|name| choices.contains(name)) else {
                    return Err(why);
                };
                self.chosen = Some(name.clone());
            }
        }
        Ok(None)
    }

    fn undo(&mut self) -> Result<()> {
        let Some(mv) = self.pop() else {
            return usage("there is no move to take back");
        };
        self.undone.push(mv);
        self.choose_something();
        Ok(())
    }

    fn redo(&mut self) -> Result<()> {
        let Some(mv) = self.undone.pop() else {
            return usage("no move was taken back");
        };
        self.push(mv);
        self.choose_something();
        Ok(())
    }

    fn restart(&mut self) {
        while let Some(mv) = self.pop() {
            self.undone.push(mv);
        }
        self.choose_something();
    }

    fn another(&self, seed: u64) -> Result<Box<dyn ActiveGame>> {
        match self.puzzle.scramble(&mut Random::instance(seed, 1))? {
            Instance::State(state) => Ok(Box::new(MoveGame {
                file: self.file.clone(),
                ..MoveGame::new(self.puzzle.clone(), Some(state))?
            })),
            Instance::Puzzle(other) => game::begin(other.into(), None),
        }
    }

    fn save(&self) -> String {
        let GamePosition { state, line } = &self.positions[0];
        let names = self.puzzle.name_moves(line, state, &self.moves);
        saved::write(&self.puzzle.text(), self.file.as_deref(), line, &names)
    }

    fn request(&self, line: &str) -> Result<Option<SearchRequest>> {
        let Some(phases) = self.puzzle.capabilities().phases else {
            return Ok(None);
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        let sorts = phases.sorts();
        match words[..] {
            ["phases"] => Ok(Some(SearchRequest::Phases(0))),
            ["phases", sort] => match sorts.iter().position(|&known| known == sort) {
                Some(number) => Ok(Some(SearchRequest::Phases(number))),
                None => usage(format!(
                    "`{}` is not a way to sort: the ways are {}",
                    sort.escape_debug(),
                    sorts.join(", ")
                )),
            },
            _ => Ok(None),
        }
    }

    fn known(&self, request: SearchRequest) -> Option<GameReply> {
        if let SearchRequest::Phases(_) = request {
            return None;
        }
        let mut state = self.here().state.clone();
        let mut moves = Vec::new();
        let mut is_optimal = true;
        while !self.puzzle.is_solved(&state) {
            let &(mv, optimal) = self.ways.get(&state)?;
            is_optimal &= optimal;
            moves.push(mv);
            // Ways of different searches may lead in a circle.
            if moves.len() > self.ways.len() {
                return None;
            }
            state = self.puzzle.apply(&state, mv);
        }
        Some(GameReply::Path(FoundPath { moves, optimal: is_optimal }))
    }

    fn search_task(&self, request: SearchRequest) -> SearchTask {
        let (puzzle, state) = (self.puzzle.clone(), self.here().state.clone());
        if let SearchRequest::Phases(number) = request {
            return Box::new(move |control| {
                let sort = phased::phases_of(&*puzzle)?.sorts().get(number).copied();
                let effort = Effort::unbounded(default_memory(), control.stop);
                let solved = phased::in_phases(&*puzzle, &state, sort, &effort)?;
                Ok(GameReply::Phases(Box::new(solved)))
            });
        }
        Box::new(move |control| advice::find_way(&*puzzle, &state, control).map(GameReply::Path))
    }

    fn hint(&mut self, answer: GameReply) -> Result<String> {
        let GameReply::Path(way) = answer else {
            return Ok(String::new());
        };
        self.learn(&way);
        let GamePosition { state, line } = self.here();
        let Some(&mv) = way.moves.first() else {
            return Ok("It is solved already.".into());
        };
        let name = self.puzzle.name_moves(line, state, &[mv]).concat();
        Ok(format!(
            "Hint: {}. {} to go, this one included; {}.",
            self.controls().map_or(name.clone(), |controls| controls.offer(state, mv, name)),
            pluralise(way.moves.len(), "move"),
            if way.optimal { "there is no shorter way" } else { "there may be a shorter way" }
        ))
    }

    fn film(&mut self, answer: GameReply, colour: bool) -> Result<(Vec<FilmFrame>, String)> {
        let way = match answer {
            GameReply::Path(way) => way,
            GameReply::Phases(solved) => return Ok(self.film_of_phases(&solved, colour)),
            GameReply::Tabletop(_) => return Ok((Vec::new(), String::new())),
        };
        self.learn(&way);
        let GamePosition { state, line } = self.here();
        let names = self.puzzle.name_moves(line, state, &way.moves);
        let frames = self.puzzle.film(line, state, &way.moves, colour);
        let about = format!(
            "{}; {}\n{}",
            pluralise(way.moves.len(), "move"),
            if way.optimal { "there is no shorter way" } else { "there may be a shorter way" },
            self.puzzle.print_moves(&names)
        );
        Ok((FilmFrame::list(names, frames), about))
    }
}

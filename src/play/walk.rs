//! A game of moves: from state to state, by the rules of the puzzle.

mod notation;

use std::collections::HashMap;
use std::sync::Arc;

use super::game::{self, Answer, Errand, Game, Still, Way, Wish};
use super::{Keys, advice, saved};
use crate::error::{Result, usage};
use crate::puzzle::{Arrow, Hands, Instance, Move, Puzzle, Reach, Sight, State};
use crate::puzzles::registry;
use crate::random::Random;
use crate::text::things;

/// A state of so many characters stands beside the counter; longer ones come last.
const SHORT: usize = 60;

/// One position of the game.
#[derive(Clone, Debug)]
struct Position {
    state: State,
    /// The state on one line, with the letters that pieces have had since the beginning.
    line: String,
}

/// A game of moves under way.
pub struct Walk {
    puzzle: Arc<dyn Puzzle>,
    /// The content of the file that the puzzle's text names, if it came with a saved game.
    file: Option<String>,
    /// The start, and the position after each move.
    positions: Vec<Position>,
    moves: Vec<Move>,
    /// Moves that were taken back, the last one last.
    undone: Vec<Move>,
    chosen: Option<String>,
    /// For states on ways that were found: the next move, and whether the way is a shortest one.
    ways: HashMap<State, (Move, bool)>,
}

impl Walk {
    /// A game from a state, or else from the position that the puzzle is given in.
    pub fn new(puzzle: Arc<dyn Puzzle>, start: Option<State>) -> Result<Self> {
        let Some(start) = start.or_else(|| puzzle.start()) else {
            return usage(format!(
                "{} has no position of its own to begin from",
                puzzle.text()
            ));
        };
        let line = puzzle.print_state(&start);
        let mut walk = Walk {
            puzzle,
            file: None,
            positions: vec![Position { state: start, line }],
            moves: Vec::new(),
            undone: Vec::new(),
            chosen: None,
            ways: HashMap::new(),
        };
        walk.choose_something();
        Ok(walk)
    }

    /// A game from a state as it was written, of a puzzle whose file came along with it.
    pub(super) fn given(
        puzzle: Arc<dyn Puzzle>,
        file: Option<String>,
        start: &str,
    ) -> Result<Self> {
        let state = puzzle.parse_state(start)?;
        // In one spelling, but with the letters that pieces have there.
        let frames = puzzle.film(start, &state, &[], false);
        let line = frames.into_iter().next().map(|frame| frame.line);
        let mut walk = Walk::new(puzzle, Some(state))?;
        walk.file = file;
        if let Some(line) = line {
            walk.positions[0].line = line;
        }
        walk.choose_something();
        Ok(walk)
    }

    fn here(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }

    fn hands(&self) -> Option<&dyn Hands> {
        self.puzzle.hands()
    }

    fn sight(&self) -> Sight<'_> {
        let Position { state, line } = self.here();
        Sight {
            state,
            given: line,
            chosen: self.chosen.as_deref(),
        }
    }

    fn choices(&self) -> Vec<String> {
        self.hands()
            .map_or(Vec::new(), |hands| hands.choices(self.sight()))
    }

    /// Keeps what is chosen if that is still there.
    pub(super) fn choose_something(&mut self) {
        let choices = self.choices();
        if !choices
            .iter()
            .any(|choice| Some(choice) == self.chosen.as_ref())
        {
            self.chosen = choices.into_iter().next();
        }
    }

    fn push(&mut self, mv: Move) {
        let Position { state, line } = self.here();
        let frames = self.puzzle.film(line, state, &[mv], false);
        let state = self.puzzle.apply(state, mv);
        let line = frames.into_iter().last().map_or(String::new(), |f| f.line);
        self.positions.push(Position { state, line });
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
        self.hands()?.is_one(last, mv).then_some(())?;
        let before = &self
            .positions
            .get(self.positions.len().checked_sub(2)?)?
            .state;
        if before == after {
            return Some(None);
        }
        let moves = self.puzzle.moves(before);
        let mut moves = moves.into_iter();
        let one = moves.find(|&one| self.puzzle.apply(before, one) == *after)?;
        Some(Some(one))
    }

    /// Remembers a way from the present state.
    fn learn(&mut self, way: &Way) {
        let mut state = self.here().state.clone();
        for &mv in &way.moves {
            let next = self.puzzle.apply(&state, mv);
            self.ways.insert(state, (mv, way.optimal));
            state = next;
        }
    }
}

impl Game for Walk {
    fn title(&self) -> String {
        format!("{} ({})", self.puzzle.text(), self.puzzle.title())
    }

    fn board(&self, colour: bool) -> String {
        match self.hands() {
            Some(hands) => hands.draw(self.sight(), colour),
            None => self.puzzle.draw(&self.here().state, colour),
        }
    }

    fn status(&self, keys: Option<&Keys>) -> Vec<String> {
        let state = &self.here().line;
        let is_short = state.len() <= SHORT;
        let mut lines = vec![match is_short {
            true => format!("{}; {state}", self.count()),
            false => self.count(),
        }];
        let offers = self.offers();
        lines.push(match offers.is_empty() {
            true => "there is no move".into(),
            false => format!("moves: {}", offers.join(", ")),
        });
        if let Some(chosen) = &self.chosen {
            lines.push(format!("chosen: {chosen}"));
        }
        if let (Some(keys), Some(hands)) = (keys, self.hands()) {
            let legal = |arrow: &Arrow| hands.arrow(self.sight(), *arrow).is_ok();
            let arrows = Arrow::ALL.into_iter().filter(legal);
            let keys: Vec<String> = arrows
                .map(|arrow| format!("{} {}", keys.of(arrow), arrow.word()))
                .collect();
            lines.push(format!("keys: {}", keys.join(", ")));
        }
        if !is_short {
            lines.push(state.clone());
        }
        lines
    }

    fn keys(&self) -> String {
        let Some(hands) = self.hands() else {
            return String::new();
        };
        hands.about().to_owned() + self.typing()
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
        if self.hands().is_some() {
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
        things(self.moves.len(), "move")
    }

    fn arrow(&mut self, arrow: Arrow) -> Result<Option<String>> {
        let Some(hands) = self.hands() else {
            return usage("arrows mean nothing in this puzzle: type a move");
        };
        match hands.arrow(self.sight(), arrow)? {
            Reach::Move(mv) => self.play(mv),
            Reach::Choose(name) => self.chosen = Some(name),
        }
        Ok(None)
    }

    fn enter(&mut self) -> Result<Option<String>> {
        match self.hands().and_then(|hands| hands.enter(self.sight())) {
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

    fn another(&self, seed: u64) -> Result<Box<dyn Game>> {
        match self.puzzle.scramble(&mut Random::instance(seed, 1))? {
            Instance::State(state) => Ok(Box::new(Walk {
                file: self.file.clone(),
                ..Walk::new(self.puzzle.clone(), Some(state))?
            })),
            Instance::Puzzle(other) => game::begin(other.into(), None),
        }
    }

    fn save(&self) -> String {
        let Position { state, line } = &self.positions[0];
        let names = self.puzzle.name_moves(line, state, &self.moves);
        saved::write(&self.puzzle.text(), self.file.as_deref(), line, &names)
    }

    fn known(&self, _: Wish) -> Option<Answer> {
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
        Some(Answer::Way(Way {
            moves,
            optimal: is_optimal,
        }))
    }

    fn errand(&self, _: Wish) -> Errand {
        let (puzzle, state) = (self.puzzle.clone(), self.here().state.clone());
        Box::new(move |control| advice::find_way(&*puzzle, &state, control).map(Answer::Way))
    }

    fn hint(&mut self, answer: Answer) -> Result<String> {
        let Answer::Way(way) = answer else {
            return Ok(String::new());
        };
        self.learn(&way);
        let Position { state, line } = self.here();
        let Some(&mv) = way.moves.first() else {
            return Ok("It is solved already.".into());
        };
        let name = self.puzzle.name_moves(line, state, &[mv]).concat();
        Ok(format!(
            "Hint: {}. {} to go, this one included; {}.",
            self.hands()
                .map_or(name.clone(), |hands| hands.offer(state, mv, name)),
            things(way.moves.len(), "move"),
            match way.optimal {
                true => "there is no shorter way",
                false => "there may be a shorter way",
            }
        ))
    }

    fn film(&mut self, answer: Answer, colour: bool) -> Result<(Vec<Still>, String)> {
        let Answer::Way(way) = answer else {
            return Ok((Vec::new(), String::new()));
        };
        self.learn(&way);
        let Position { state, line } = self.here();
        let names = self.puzzle.name_moves(line, state, &way.moves);
        let frames = self.puzzle.film(line, state, &way.moves, colour);
        let about = format!(
            "{}; {}\n{}",
            things(way.moves.len(), "move"),
            match way.optimal {
                true => "there is no shorter way",
                false => "there may be a shorter way",
            },
            self.puzzle.print_moves(&names)
        );
        Ok((Still::list(names, frames), about))
    }
}

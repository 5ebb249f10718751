//! What the page asks about puzzles.
//!
//! Each question is a function from a request to an answer, both JSON as the table in
//! [`serve`](super) says. Nothing is remembered from one to the next but puzzles that took a while to
//! make (`cache`), and no question opens a file that it names: the content of a puzzle's file is in the
//! request.
//!
//! # What a question can cost
//! Questions that are answered at once cost what it takes to make the puzzle, and that is bounded by the
//! limits of the puzzles themselves: two seconds and 200 MB at the worst that we know. Work that has no
//! such bound is a task, with a time, with memory, and can be stopped.

mod cache;
mod fields;
mod gourds;
mod solve;
#[cfg(test)]
mod tests;
mod triangles;

use serde_json::{Value, json};

use crate::error::Result;
use crate::puzzle::Kind;
use crate::puzzle::{Instance, Move, Puzzle, Question, State};
use crate::puzzles::registry;
use crate::random::{Random, any_seed};
use crate::solve::Solver;
pub use fields::Fields;
pub use gourds::task as phases;
pub use solve::task as solve;
pub use triangles::{task as help, triangles};

/// States that are drawn at a time.
const DRAWN: usize = 64;

/// What can be named.
pub fn kinds() -> Value {
    let kind = |kind: &Kind| {
        json!({
            "name": kind.name,
            "about": kind.about,
            "grammar": kind.grammar,
            "options": kind.options,
            "examples": kind.examples,
            "boards": (kind.boards)(),
        })
    };
    registry::kinds().map(kind).collect()
}

/// A puzzle: its canonical text, its board, its solvers.
pub fn puzzle(request: &Value) -> Result<Value> {
    let fields = Fields::of(request, &["puzzle", "file"])?;
    let puzzle = fields.puzzle()?;
    let text = puzzle.text();
    let print = |state: State| puzzle.print_state(&state);
    let solver = |solver: Box<dyn Solver + '_>| {
        json!({
            "name": solver.name(),
            "promise": solver.promise(),
            "strength": solver.strength(),
        })
    };
    Ok(json!({
        "puzzle": text,
        "kind": text.split(':').next(),
        "title": puzzle.title(),
        "metric": puzzle.metric(),
        "question": match puzzle.question() {
            Question::GodsNumber => "gods-number",
            Question::Eccentricity => "eccentricity",
            Question::Solutions => "solutions",
        },
        "states": puzzle.total_states().map(|states| states.to_string()),
        "start": puzzle.start().map(print),
        "root": puzzle.root().map(print),
        "warning": puzzle.warning(),
        "file": puzzle.file(),
        "board": puzzle.board(),
        "solvers": solve::solvers(&*puzzle).into_iter().map(solver).collect::<Vec<_>>(),
    }))
}

/// A state, and what its moves lead to. Pieces keep the names that they have in the request.
pub fn look(request: &Value) -> Result<Value> {
    let fields = Fields::of(request, &["puzzle", "file", "state"])?;
    let puzzle = fields.puzzle()?;
    let given = fields.text("state")?;
    let state = puzzle.parse_state(given)?;
    let after = |mv: Move| {
        json!({
            "name": puzzle.name_moves(given, &state, &[mv]).concat(),
            "state": lines(&*puzzle, given, &state, &[mv]).pop(),
        })
    };
    Ok(json!({
        "state": lines(&*puzzle, given, &state, &[]).pop(),
        "solved": puzzle.is_solved(&state),
        "moves": puzzle.moves(&state).into_iter().map(after).collect::<Vec<_>>(),
    }))
}

/// States as text drawings, in their order. Pieces keep the names that they have in the request.
pub fn draw(request: &Value) -> Result<Value> {
    let fields = Fields::of(request, &["puzzle", "file", "states"])?;
    let puzzle = fields.puzzle()?;
    let draw = |given: &str| {
        let state = puzzle.parse_state(given)?;
        let frame = puzzle.film(given, &state, &[], false).pop();
        Ok(frame.map(|frame| frame.picture))
    };
    let states = fields.texts("states", DRAWN)?.into_iter();
    let pictures = states.map(draw).collect::<Result<Vec<_>>>()?;
    Ok(json!({ "pictures": pictures }))
}

/// A random state, or a random puzzle: the first that `godnum scramble` gives for the seed.
pub fn scramble(request: &Value) -> Result<Value> {
    let fields = Fields::of(request, &["puzzle", "file", "seed"])?;
    let puzzle = fields.puzzle()?;
    let seed = fields.seed("seed")?.unwrap_or_else(any_seed);
    let (name, text) = match puzzle.scramble(&mut Random::instance(seed, 1))? {
        Instance::State(state) => ("state", puzzle.print_state(&state)),
        Instance::Puzzle(other) => ("puzzle", other.text()),
    };
    Ok(json!({ "seed": seed.to_string(), name: text }))
}

/// Every state on the way of moves, the first one included.
fn lines(puzzle: &dyn Puzzle, given: &str, state: &State, moves: &[Move]) -> Vec<String> {
    let frames = puzzle.film(given, state, moves, false).into_iter();
    frames.map(|frame| frame.line).collect()
}

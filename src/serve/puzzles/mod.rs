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
mod explore;
mod fields;
mod gourds;
mod replay;
mod solve;
#[cfg(test)]
mod tests;
mod triangles;

use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::{Result, usage};
use crate::puzzle::{Instance, Kind, Move, Rules, State};
use crate::puzzles::registry;
use crate::random::{Random, any_seed};
use crate::serve::results::question_word;
use crate::solve::{Solver, descent};
pub use explore::{class, distances, positions};
pub use fields::read;
pub use gourds::task as phases;
pub use replay::task as replay;
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

/// What names a puzzle. No file is read: the content of one that the text names is in `file`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PuzzleRequest {
    puzzle: String,
    file: Option<String>,
}

/// A puzzle: its canonical text, its board, its solvers.
pub fn puzzle(request: &Value, jobs: &Path) -> Result<Value> {
    let PuzzleRequest { puzzle, file } = read(request)?;
    let puzzle = cache::puzzle(&puzzle, file.as_deref())?;
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
        "question": question_word(puzzle.question()),
        "states": puzzle.totals().states.map(|states| states.to_string()),
        "classes": descent::classes(&*puzzle).map(|classes| classes.to_string()),
        "table": explore::table_words(&*puzzle),
        "enumerable": enumerate_words(&*puzzle),
        "subgoals": puzzle.capabilities().subgoals.is_some(),
        "start": puzzle.start().map(print),
        "root": puzzle.root().map(print),
        "warning": puzzle.warning(),
        "file": puzzle.file(),
        "board": puzzle.board(),
        "solvers": solve::solvers(&*puzzle, jobs).into_iter().map(solver).collect::<Vec<_>>(),
    }))
}

/// Where a puzzle can be enumerated.
fn enumerate_words(puzzle: &dyn Rules) -> &'static str {
    match () {
        _ if puzzle.space().is_none() => "no",
        _ if puzzle.content().is_none() && descent::has_few_classes(puzzle) => "page",
        _ => "command",
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LookRequest {
    puzzle: String,
    file: Option<String>,
    state: String,
}

/// A state, and what its moves lead to. Pieces keep the names that they have in the request.
pub fn look(request: &Value) -> Result<Value> {
    let LookRequest { puzzle, file, state: given } = read(request)?;
    let puzzle = cache::puzzle(&puzzle, file.as_deref())?;
    let state = puzzle.parse_state(&given)?;
    let after = |mv: Move| {
        json!({
            "name": puzzle.name_moves(&given, &state, &[mv]).concat(),
            "state": lines(&*puzzle, &given, &state, &[mv]).pop(),
        })
    };
    Ok(json!({
        "state": lines(&*puzzle, &given, &state, &[]).pop(),
        "solved": puzzle.is_solved(&state),
        "moves": puzzle.moves(&state).into_iter().map(after).collect::<Vec<_>>(),
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DrawRequest {
    puzzle: String,
    file: Option<String>,
    states: Vec<String>,
}

/// States as text drawings, in their order. Pieces keep the names that they have in the request.
pub fn draw(request: &Value) -> Result<Value> {
    let DrawRequest { puzzle, file, states } = read(request)?;
    if states.len() > DRAWN {
        return usage(format!("the field `states` may list at most {DRAWN} states"));
    }
    let puzzle = cache::puzzle(&puzzle, file.as_deref())?;
    let draw = |given: &String| {
        let state = puzzle.parse_state(given)?;
        let frame = puzzle.film(given, &state, &[], false).pop();
        Ok(frame.map(|frame| frame.picture))
    };
    let pictures = states.iter().map(draw).collect::<Result<Vec<_>>>()?;
    Ok(json!({ "pictures": pictures }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScrambleRequest {
    puzzle: String,
    file: Option<String>,
    #[serde(default, deserialize_with = "fields::seed")]
    seed: Option<u64>,
}

/// A random state, or a random puzzle: the first that `godnum scramble` gives for the seed.
pub fn scramble(request: &Value) -> Result<Value> {
    let ScrambleRequest { puzzle, file, seed } = read(request)?;
    let puzzle = cache::puzzle(&puzzle, file.as_deref())?;
    let seed = seed.unwrap_or_else(any_seed);
    let (name, text) = match puzzle.scramble(&mut Random::instance(seed, 1))? {
        Instance::State(state) => ("state", puzzle.print_state(&state)),
        Instance::Puzzle(other) => ("puzzle", other.text()),
    };
    Ok(json!({ "seed": seed.to_string(), name: text }))
}

/// Every state on the way of moves, the first one included.
fn lines(puzzle: &dyn Rules, given: &str, state: &State, moves: &[Move]) -> Vec<String> {
    let frames = puzzle.film(given, state, moves, false).into_iter();
    frames.map(|frame| frame.line).collect()
}

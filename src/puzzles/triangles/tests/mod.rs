//! The index, the count by halves and the tables are checked against the rules, the texts against their grammar.

mod agreement;
mod counts;
mod files;
mod solving;
mod tabletop;
mod texts;

use super::board::TriangleBoard;
use super::pieces::{PieceSet, Turned};
use super::*;
use crate::random::Random;

pub(super) fn puzzle(text: &str) -> Triangles {
    Triangles::parse(&PuzzleSpec::split(text, KIND.options)).unwrap()
}

/// The parts of the sample's board: small enough for plain searches.
pub(super) fn parts() -> impl Iterator<Item = Triangles> {
    PARTS.iter().map(|part| puzzle(part.0))
}

/// A puzzle on a part of a random game's board.
pub(super) fn random_part(seed: u64, part: usize) -> Triangles {
    let (name, rows) = &PARTS[part];
    Triangles::new(GameSource::Part(name), rows, &generate::generate(seed)).unwrap()
}

/// A filling made of random moves from the empty board, of at most that many pieces.
pub(super) fn random_filling(puzzle: &Triangles, seed: u64, most: usize) -> State {
    let mut random = Random::new(seed);
    let mut state = State(Vec::new());
    for _ in 0..random.place(most + 1) {
        let moves = puzzle.moves(&state);
        if moves.is_empty() {
            break;
        }
        state = puzzle.apply(&state, moves[random.place(moves.len())]);
    }
    state
}

//! The fast form is checked against the rules and the generic machinery, the texts against their grammar.

mod agreement;
mod counts;
mod leader;
mod permutations;
mod rows;
mod scramble;
mod texts;

use super::Wrapslide;
use crate::puzzle::{PuzzleSpec, Rules, State};
use crate::puzzles::tests as common;
use proptest::prelude::*;

/// Every valid variant, in its canonical text after the kind.
pub(super) fn variants() -> Vec<String> {
    let mut texts = Vec::new();
    for size in ["4x4", "6x6", "8x8"] {
        for rest in ["2", "3", "3:any", "3:fixed", "3:fixed:beside", "4", "4:fixed"] {
            for metric in ["", ":unit"] {
                texts.push(format!("{size}:{rest}{metric}"));
            }
        }
    }
    texts
}

pub(super) fn puzzle(text: &str) -> Wrapslide {
    Wrapslide::parse(&PuzzleSpec::split(text, super::KIND.options)).unwrap()
}

/// A state whose inner cells are shuffled.
pub(super) fn random_state(puzzle: &Wrapslide) -> impl Strategy<Value = State> + use<> {
    let layout = puzzle.layout.clone();
    let solved = layout.inner(&puzzle.variant.solved()[0]);
    Just(solved).prop_shuffle().prop_map(move |inner| State(layout.board(&inner)))
}

/// A state few moves from a solved one: it often has symmetries left.
pub(super) fn near_state(puzzle: &Wrapslide) -> impl Strategy<Value = State> + use<> {
    let variant = puzzle.variant;
    let slides: Vec<_> = variant.slides().collect();
    let goal = prop::sample::select(variant.solved());
    let path = prop::collection::vec(prop::sample::select(slides), 0..5);
    (goal, path).prop_map(move |(goal, path)| {
        State(path.iter().fold(goal, |board, &slide| variant.slide(&board, slide)))
    })
}

/// Any of both.
pub(super) fn some_state(puzzle: &Wrapslide) -> impl Strategy<Value = State> + use<> {
    prop_oneof![random_state(puzzle), near_state(puzzle)]
}

/// Runs `check` on `cases` states of every variant.
pub(super) fn on_states_of_all_variants(
    cases: u32,
    check: impl Fn(&Wrapslide, &State) -> Result<(), TestCaseError>,
) {
    for text in variants() {
        let puzzle = puzzle(&text);
        let states = some_state(&puzzle);
        common::check(&text, cases, &states, |state| check(&puzzle, &state));
    }
}

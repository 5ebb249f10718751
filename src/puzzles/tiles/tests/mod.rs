//! The index and its tables are checked against the rules on boards, the texts against their grammar.

mod agreement;
mod counts;
mod korf;
mod rows;
mod scrambles;
mod texts;

use super::Tiles;
use super::rules::TilesVariant;
use crate::puzzle::{PuzzleSpec, Rules, State};
use crate::puzzles::tests as common;
use proptest::prelude::*;

/// Every puzzle there is, in its canonical text after the kind.
pub(super) fn variants() -> Vec<String> {
    let sizes = (2..=10).flat_map(|rows| (2..=10).map(move |columns| (rows, columns)));
    sizes
        .flat_map(|(rows, columns)| ["", ":push"].map(|metric| format!("{rows}x{columns}{metric}")))
        .collect()
}

/// Those with an index.
pub(super) fn indexed() -> Vec<String> {
    let texts = variants();
    let found: Vec<String> = texts.into_iter().filter(|text| puzzle(text).space.is_some()).collect();
    assert_eq!(found.len(), 2 * 19);
    found
}

pub(super) fn puzzle(text: &str) -> Tiles {
    Tiles::parse(&PuzzleSpec::split(text, super::KIND.options)).unwrap()
}

/// A board with its tiles in any order; where that cannot be reached, two are exchanged.
pub(super) fn random_state(variant: TilesVariant) -> impl Strategy<Value = State> {
    Just(variant.solved()).prop_shuffle().prop_map(move |mut board| {
        if !variant.is_reachable(&board) {
            let tiles: Vec<usize> = (0..board.len()).filter(|&cell| board[cell] > 0).collect();
            board.swap(tiles[0], tiles[1]);
        }
        State(board)
    })
}

/// A board few moves from the solved one.
pub(super) fn near_state(variant: TilesVariant) -> impl Strategy<Value = State> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..12).prop_map(move |path| {
        State(path.iter().fold(variant.solved(), |board, choice| {
            let slides: Vec<_> = variant.slides(&board).collect();
            let slide = slides[choice.index(slides.len())];
            variant.slide(&board, slide).unwrap()
        }))
    })
}

/// Any of both.
pub(super) fn some_state(variant: TilesVariant) -> impl Strategy<Value = State> {
    prop_oneof![random_state(variant), near_state(variant)]
}

/// Runs `check` on `cases` values of a strategy for each of the puzzles.
pub(super) fn on<S: Strategy>(
    texts: &[String],
    cases: u32,
    strategy: impl Fn(TilesVariant) -> S,
    check: impl Fn(&Tiles, S::Value) -> Result<(), TestCaseError>,
) {
    for text in texts {
        let puzzle = puzzle(text);
        let values = strategy(puzzle.variant);
        common::check(text, cases, &values, |value| check(&puzzle, value));
    }
}

//! The tables are checked against the rules and plain searches, the texts against their grammar.

mod agreement;
mod boards;
mod counts;
mod group;
mod parts;
mod scramble;
mod solvers;
mod states;
mod survey;
mod texts;

use super::Gourds;
use super::kinds::Slot;
use super::rules::{Pairs, pairs_of, state_of};
use super::symmetry::Symmetries;
use crate::error::Error;
use crate::puzzle::{PuzzleSpec, Rules, State};
use crate::puzzles::registry;
use crate::puzzles::tests as common;
use crate::puzzles::tests::reason;
use proptest::prelude::*;

/// Custom boards: coloured ones with symmetries, equal ends, and kinds that are exchanged.
const OWN: &str = "\
board alike
type coloured
rows .o.o./o.o.o/.o.o.
cells 1 1 1 1 1 1 1
gourds 0-1:1,1 2-5:1,1 4-6:1,1

board middle
type coloured
rows .o.o./o.o.o/.o.o.
cells 1 1 1 2 1 1 1
gourds 3-2:1,2 0-1:1,1 6-5:1,1

board mirror
type coloured
rows .o.o.o./o.o.o.o
cells 5 1 5 2 3 3 2
gourds 0-3:2,5 6-2:2,5 4-5:3,3

board exchange
type coloured
rows .o.o.o./o.o.o.o
cells 1 9 2 3 4 5 6
gourds 0-3:3,1 2-6:2,6 4-5:4,5

board reversed
type coloured
rows .o.o.o.o./o.o.o.o.o
cells 1 2 1 2 1 2 1 2 1
gourds 4-0:1,2 5-1:2,1 6-2:1,2 7-3:2,1
";

/// Boards with few states that differ in all that matters.
const SMALL: &[&str] = &[
    "rows-1-2",
    "rows-2-3",
    "rows-2-3:goal=1-4,2-3",
    "rows-3-4:goal=0-3,2-6,4-5",
    "rows-3-4:goal=1-2,3-4,5-6",
    "flower7:goal=0-1,2-5,4-6",
    "flower7:goal=1-3,2-5,4-6",
    "flower7",
    "seed1",
    "seed3",
    "seed8",
    "strip9",
    "random:9:4",
    "seed7",
    "bowtie5",
    "ring7",
    "rows-5",
    "star13",
    "alike",
    "middle",
    "mirror",
    "exchange",
    "reversed",
];

/// Boards that are too large to be walked here: with and without tables of words.
const LARGE: &[&str] = &[
    "seed4",
    "seed5",
    "seed9",
    "seed10",
    "tri15",
    "hex19",
    "hex19:goal=0-3,1-2,4-5,6-11,7-12,8-13,10-14,15-18,16-17",
    "snake25",
];

fn all_texts() -> impl Iterator<Item = &'static str> {
    SMALL.iter().chain(LARGE).copied()
}

/// The puzzle of a text without its kind, or one of [`OWN`].
fn puzzle(text: &str) -> Gourds {
    if OWN.contains(&format!("board {text}\n")) {
        return own(OWN, text).unwrap();
    }
    Gourds::parse(&PuzzleSpec::split(text, super::KIND.options)).unwrap()
}

/// A board of a file with this content.
fn own(content: &str, name: &str) -> Result<Gourds, Error> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("boards.txt");
    std::fs::write(&path, content).unwrap();
    let text = match name {
        "" => format!("@{}", path.display()),
        _ => format!("@{}#{name}", path.display()),
    };
    Gourds::parse(&PuzzleSpec::split(&text, super::KIND.options))
}

/// The images of a state under all symmetries.
fn images(puzzle: &Gourds, state: &State) -> Vec<Vec<Slot>> {
    let symmetries = puzzle.symmetries.as_ref().unwrap();
    let labelling = symmetries.labelling(&puzzle.kinds.slots(&pairs_of(state)));
    let images = symmetries.group.iter().map(|element| element.image(&labelling));
    images.map(|image| position(symmetries, &image)).collect()
}

/// The position of a labelling.
fn position(symmetries: &Symmetries, labelling: &[u8]) -> Vec<Slot> {
    let covered = symmetries.pairs.iter().zip(labelling);
    let covered = covered.filter(|(_, label)| **label != symmetries.nothing());
    let slot = |(&cells, &label): (&[u8; 2], &u8)| {
        let (kind, orientation) = symmetries.action.pieces().place(label.into());
        Slot { cells, kind: kind as u8, turned: orientation == 1 }
    };
    covered.map(slot).collect()
}

/// What is said about a text that is refused.
fn refusal(text: &str) -> String {
    reason(registry::parse(text))
}

/// Any placement of a puzzle that has an index: any shape, gourds in any order, either way round.
fn some_pairs(puzzle: &Gourds) -> impl Strategy<Value = Pairs> + use<> {
    let shapes = puzzle.space.as_ref().unwrap().shapes.clone();
    let gourds = puzzle.board().gourds();
    let order = Just((0..gourds).collect::<Vec<_>>()).prop_shuffle();
    let turned = prop::collection::vec(any::<bool>(), gourds);
    (0..shapes.count(), order, turned).prop_map(move |(shape, order, turned)| {
        let mut pairs = vec![[0; 2]; gourds];
        for (slot, [a, b]) in shapes.unrank(shape).pairs().enumerate() {
            pairs[order[slot]] = if turned[slot] { [b, a] } else { [a, b] };
        }
        pairs
    })
}

/// Any state of a puzzle that has an index.
fn some_state(puzzle: &Gourds) -> impl Strategy<Value = State> + use<> {
    let kinds = puzzle.kinds.clone();
    some_pairs(puzzle).prop_map(move |pairs| state_of(&kinds.normal(&pairs)))
}

/// Runs a check on `cases` things of a puzzle.
fn on_cases<T: std::fmt::Debug>(
    text: &str,
    cases: u32,
    strategy: impl Strategy<Value = T>,
    check: impl Fn(&T) -> Result<(), TestCaseError>,
) {
    common::check(text, cases, &strategy, |case| check(&case));
}

/// Runs a check on `cases` states of every puzzle of these tests.
fn on_states(cases: u32, check: impl Fn(&Gourds, &State) -> Result<(), TestCaseError>) {
    for text in all_texts() {
        let puzzle = puzzle(text);
        on_cases(text, cases, some_state(&puzzle), |state| check(&puzzle, state));
    }
}

//! The fast form is checked against the rules, the rules and the walk against a plain search on grids of
//! letters, the texts against their grammar.

mod agreement;
mod counts;
mod files;
mod lettering;
mod oracle;
mod solving;
mod texts;

use super::Klotski;
use super::rules::{BlockBoard, COVERED, KINDS};
use super::symmetry::{group, parts};
use crate::error::Error;
use crate::puzzle::{FileFormat, PuzzleSpec, Rules, State};
use crate::puzzles::tests as common;
use crate::puzzles::tests::reason;
use proptest::prelude::*;

/// Layouts of our own: the content of the file, with what is special about it.
pub(super) const BOARDS: &[&str] = &[
    // Many empty cells, where paths bend; a goal in the middle.
    "AAB./AAB./CCD./....\ngoal 2,1",
    "AA../AA../BBC./..C.\ngoal 2,2",
    // A start that is its own mirror image, with a goal that is not, and with one that is.
    ".AA./.AA./B..D/B..D\ngoal 2,0",
    ".AA./.AA./B..D/B..D\ngoal 2,1",
    // An odd number of columns: no goal is its own mirror image.
    "AAB/AAC/DD./E..\ngoal 2,1",
    // As wide as possible: what leaves a row must not come in at the next.
    "AABCD..E/AABCDF.E\ngoal 0,3",
    "..AABB../..AA..CD\ngoal 0,6",
    // As high as possible.
    "AA/AA/BC/B./../DD/E./FG\ngoal 6,0",
    // The usual board with another goal.
    "BAAC/BAAC/DEEF/DGHF/I..J\ngoal 3,0",
    // One empty cell, none, and nothing but the 2x2 block.
    "AABC/AAB.\ngoal 0,2",
    "AAB/AAB\ngoal 0,0",
    "AA/AA\ngoal 0,0",
    "AA../AA../....\ngoal 1,1",
];

/// Texts of puzzles with names that are small enough to walk.
pub(super) const NAMES: &[&str] =
    &["classic", "jiangyongcaoying", "yushengxili", "shuixiebutong", "fenghuiluzhuan"];

pub(super) const METRICS: [&str; 3] = ["step", "slide", "move"];

pub(super) fn try_puzzle(text: &str) -> Result<Klotski, Error> {
    Klotski::parse(&PuzzleSpec::split(text, super::KIND.options))
}

pub(super) fn puzzle(text: &str) -> Klotski {
    try_puzzle(text).unwrap_or_else(|why| panic!("{text}: {why}"))
}

/// The puzzle of a file with this content.
pub(super) fn try_board(content: &str, options: &str) -> Result<Klotski, Error> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("layout");
    std::fs::write(&path, content).unwrap();
    try_puzzle(&format!("@{}{options}", path.display()))
}

pub(super) fn board(content: &str, options: &str) -> Klotski {
    try_board(content, options).unwrap_or_else(|why| panic!("{content}: {why}"))
}

/// The puzzle of a file, unless it has no goals to start from.
pub(super) fn solvable(content: &str, options: &str) -> Option<Klotski> {
    match try_board(content, options) {
        Err(why) if why.to_string().contains("no solved layout can be reached") => None,
        other => Some(other.unwrap_or_else(|why| panic!("{content}: {why}"))),
    }
}

/// Every board and some layouts with names, from the start and from the goals.
pub(super) fn puzzles(metric: &str) -> Vec<Klotski> {
    let mut puzzles = Vec::new();
    for roots in ["from-start", "from-goals"] {
        let options = format!(":{metric}:{roots}");
        puzzles.extend(BOARDS.iter().filter_map(|board| solvable(board, &options)));
        puzzles.extend(NAMES.iter().map(|name| puzzle(&format!("{name}{options}"))));
    }
    puzzles
}

/// The state with left and right exchanged.
pub(super) fn mirrored(board: &BlockBoard, state: &[u8]) -> Vec<u8> {
    let mirror = group(board, true).unwrap().iter().last().unwrap().clone();
    let kind = |label: u8| if usize::from(label) < KINDS { label } else { COVERED };
    let image = mirror.image(&labelling(board, state));
    image.into_iter().map(kind).collect()
}

/// The part of a piece on each cell of a state.
pub(super) fn labelling(board: &BlockBoard, state: &[u8]) -> Vec<u8> {
    let parts = parts();
    let mut labels = vec![0; state.len()];
    let pieces = (0..).zip(state).filter(|(_, kind)| **kind != COVERED);
    for (start, &kind) in pieces {
        for cell in board.cover(kind, start) {
            let rows = cell / board.columns - start / board.columns;
            let columns = cell % board.columns - start % board.columns;
            let part = (usize::from(kind), rows, columns);
            labels[cell] = parts.iter().position(|&other| other == part).unwrap() as u8;
        }
    }
    labels
}

/// Any state with the pieces of a puzzle.
pub(super) fn some_state(puzzle: &Klotski) -> impl Strategy<Value = State> + use<> {
    let numbering = puzzle.space.numbering.clone();
    (0..numbering.count()).prop_map(move |number| State(numbering.frame.cells(&numbering.blocks(number))))
}

/// Runs `check` on `cases` states of every puzzle, and of all layouts on the usual board.
pub(super) fn on_states_of_all_puzzles(
    cases: u32,
    check: impl Fn(&Klotski, &State) -> Result<(), TestCaseError>,
) {
    for metric in METRICS {
        let mut puzzles = puzzles(metric);
        puzzles.extend(["all", "all-2"].map(|all| puzzle(&format!("{all}:{metric}"))));
        for puzzle in puzzles {
            let name = format!("{} {:?}", puzzle.text(), puzzle.file());
            let states = some_state(&puzzle);
            common::check(&name, cases, &states, |state| check(&puzzle, &state));
        }
    }
}

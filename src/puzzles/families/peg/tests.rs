//! Tests of the module above: the space against a plain search by the rules.

use std::collections::HashSet;

use super::*;
use crate::puzzles::tests::{reason, walk_plainly};

fn peg(text: &str) -> Peg {
    let (_, rest) = text.split_once(':').unwrap();
    Peg::parse(&PuzzleSpec::split(rest, KIND.options)).unwrap()
}

/// States by the number of jumps from the start, by the rules alone.
fn plain_levels(puzzle: &Peg, most: usize) -> Vec<u128> {
    let mut levels = Vec::new();
    let mut level = HashSet::from([puzzle.start().unwrap()]);
    while !level.is_empty() && levels.len() < most {
        levels.push(level.len() as u128);
        let after = |state| {
            let moves = puzzle.moves(state);
            moves.into_iter().map(|mv| puzzle.apply(state, mv)).collect::<Vec<_>>()
        };
        level = level.iter().flat_map(after).collect();
    }
    levels
}

#[test]
fn levels_are_those_of_a_plain_search() {
    for board in ["diamond13", "triangle15"] {
        let from_start = walk_plainly(&peg(&format!("peg:{board}:from-start")));
        let states: Vec<u128> = from_start.iter().map(|&(_, states)| states).collect();
        let puzzle = peg(&format!("peg:{board}"));
        assert_eq!(states, plain_levels(&puzzle, usize::MAX), "{board}");
        assert_eq!(walk_plainly(&puzzle), from_start, "{board}: pegs and holes change places");
    }
}

#[test]
fn boards_have_their_symmetries() {
    for (text, order, jumps) in
        [("peg:english", 8, 76), ("peg:european", 8, 92), ("peg:diamond13", 8, 20), ("peg:triangle15", 2, 36)]
    {
        let puzzle = peg(text);
        assert_eq!((puzzle.group_order(), puzzle.board.jumps.len()), (order, jumps), "{text}");
        for symmetry in puzzle.board.symmetries() {
            let image = |jump: &board::Jump| board::Jump {
                from: symmetry[jump.from],
                over: symmetry[jump.over],
                to: symmetry[jump.to],
            };
            assert!(
                puzzle.board.jumps.iter().all(|jump| puzzle.board.jumps.contains(&image(jump))),
                "{text}"
            );
        }
    }
}

#[test]
fn texts_states_and_moves_are_read_back() {
    let puzzle = peg("peg:english");
    let start = puzzle.start().unwrap();
    assert_eq!(puzzle.print_state(&start), "ooo/ooo/ooooooo/ooo.ooo/ooooooo/ooo/ooo");
    assert_eq!(puzzle.draw(&start, false).lines().next(), Some("    o o o"));
    let after = puzzle.apply(&start, puzzle.parse_move(&start, "d2-d4").unwrap());
    assert_eq!(puzzle.print_state(&after), "ooo/o.o/ooo.ooo/ooooooo/ooooooo/ooo/ooo");
    assert_eq!(puzzle.parse_state(&puzzle.print_state(&after)).unwrap(), after);
    assert_eq!(
        peg("peg:triangle15").draw(&peg("peg:triangle15").start().unwrap(), false).lines().next(),
        Some("    .")
    );
    for (text, words) in [
        ("ooo/ooo", "does not have 7 rows"),
        ("oo/ooo/ooooooo/ooo.ooo/ooooooo/ooo/ooo", "row 1 of the board has 3 holes"),
        ("oxo/ooo/ooooooo/ooo.ooo/ooooooo/ooo/ooo", "neither a peg"),
        (".../.../......./......./......./.../...", "no peg"),
    ] {
        let why = reason(puzzle.parse_state(text));
        assert!(why.contains(words), "{text}: {why}");
    }
    for text in ["peg:", "peg:chess", "peg:english:5", "peg:english:from-start:from-goal"] {
        reason(KIND.parse(text, FileSource::Read));
    }
    for text in ["peg:english", "peg:english:from-start"] {
        assert_eq!(peg(text).text(), text);
    }
}

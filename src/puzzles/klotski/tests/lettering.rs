//! Blocks keep their letters.

use super::puzzle;
use crate::puzzle::{Move, Rules, State};
use crate::random::Random;

/// A hundred random moves from the start.
fn walk(puzzle: &dyn Rules, seed: u64) -> (State, Vec<Move>) {
    let start = puzzle.start().unwrap();
    let mut random = Random::new(seed);
    let (mut state, mut moves) = (start.clone(), Vec::new());
    for _ in 0..100 {
        let all = puzzle.moves(&state);
        let mv = all[random.place(all.len())];
        state = puzzle.apply(&state, mv);
        moves.push(mv);
    }
    (start, moves)
}

/// Replays names on a grid of letters and nothing else: what has the letter moves as a whole.
fn replay(grid: &mut [Vec<char>], name: &str) {
    let (letter, way) = name.split_once(' ').unwrap();
    let letter = letter.chars().next().unwrap();
    let steps: Vec<char> = way.chars().collect();
    for step in steps.chunks(2) {
        for _ in 0..step[1].to_digit(10).unwrap() {
            let (dr, dc) = match step[0] {
                'U' => (-1, 0),
                'D' => (1, 0),
                'L' => (0, -1),
                _ => (0, 1),
            };
            let mut own = Vec::new();
            for (r, row) in grid.iter_mut().enumerate() {
                for (c, cell) in row.iter_mut().enumerate() {
                    if *cell == letter {
                        own.push((r as i32, c as i32));
                        *cell = '.';
                    }
                }
            }
            for (r, c) in own {
                let cell = &mut grid[(r + dr) as usize][(c + dc) as usize];
                assert_eq!(*cell, '.', "{name} runs into a block");
                *cell = letter;
            }
        }
    }
}

#[test]
fn names_can_be_followed_on_the_board_as_it_was_given() {
    for text in ["classic", "classic:slide", "classic:move", "fenghuiluzhuan:move"] {
        let puzzle = puzzle(text);
        let puzzle: &dyn Rules = &puzzle;
        let (start, moves) = walk(puzzle, 7);
        let printed = puzzle.print_state(&start);
        // The same layout with other letters, and the one that we would print.
        let other: String = printed
            .chars()
            .map(|c| if c.is_ascii_uppercase() { (b'z' - (c as u8 - b'A')) as char } else { c })
            .collect();
        for given in [printed, other] {
            let names = puzzle.name_moves(&given, &start, &moves);
            let frames = puzzle.film(&given, &start, &moves, false);
            let mut grid: Vec<Vec<char>> = given.split('/').map(|row| row.chars().collect()).collect();
            assert_eq!(frames.len(), moves.len() + 1);
            assert_eq!(frames[0].line, given);
            for (name, frame) in names.iter().zip(&frames[1..]) {
                replay(&mut grid, name);
                let rows: Vec<String> = grid.iter().map(|row| row.iter().collect()).collect();
                assert_eq!(frame.line, rows.join("/"), "{text} {name}");
                assert!(frame.picture.contains(&name[..1]));
            }
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            assert_eq!(puzzle.read_moves(&given, &start, &names).unwrap(), moves);
        }
    }
}

#[test]
fn a_text_that_does_not_fit_counts_for_nothing() {
    let puzzle = puzzle("classic");
    let puzzle: &dyn Rules = &puzzle;
    let (start, moves) = walk(puzzle, 8);
    let own = puzzle.name_moves(&puzzle.print_state(&start), &start, &moves);
    for given in ["", "x", "BAAC/BAAC/DEEF/DGHF/.I.J"] {
        assert_eq!(puzzle.name_moves(given, &start, &moves), own);
    }
}

//! The search is checked against the rules, and hints to what they promise.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use xxhash_rust::xxh3::xxh3_64;

use super::files::{divided, in_file, solution_lines};
use super::*;
use crate::puzzles::registry;
use crate::solve::{ReadySolver, Solved, replay, solve};

static GO_ON: AtomicBool = AtomicBool::new(false);

fn effort() -> Effort<'static> {
    Effort::unbounded(0, &GO_ON)
}

fn solved(puzzle: &Triangles, state: &State) -> Result<Solved> {
    solve(puzzle, &Searching(puzzle), state, &effort())
}

fn all(puzzle: &Triangles, state: &State) -> Vec<Vec<Move>> {
    let mut found = Vec::new();
    let mut visit = |moves: &[Move]| {
        found.push(moves.to_vec());
        true
    };
    puzzle.all_solutions(state, &effort(), &mut visit);
    found
}

/// All ways to fill what is empty, by the rules alone.
fn plainly(puzzle: &Triangles, state: &State, moves: &mut Vec<Move>, found: &mut BTreeSet<Vec<Move>>) {
    if puzzle.is_solved(state) {
        found.insert(moves.clone());
    }
    for mv in puzzle.moves(state) {
        moves.push(mv);
        plainly(puzzle, &puzzle.apply(state, mv), moves, found);
        moves.pop();
    }
}

#[test]
fn random_games_are_solved() {
    for seed in 0..300 {
        let puzzle = puzzle(&format!("random:{seed}"));
        let solved = solved(&puzzle, &puzzle.start().unwrap()).unwrap();
        assert!(solved.is_optimal() && solved.length() == Some(24), "{seed}");
        assert!(solved.time.as_millis() < 1000, "{seed}: {:?}", solved.time);
    }
}

#[test]
fn all_solutions_are_those_of_the_rules() {
    let random = [0, 1, 2, 3, 0, 1].into_iter().zip(70..);
    let puzzles = parts().take(4);
    let (mut without, mut with) = (0, 0);
    for puzzle in puzzles.chain(random.map(|(part, seed)| random_part(seed, part))) {
        for seed in 0..40 {
            let state = random_filling(&puzzle, seed, puzzle.setting.rules.board.cells.len());
            if puzzle.setting.rules.board.cells.len() > 9 && state.0.len() < 3 {
                continue;
            }
            let (mut plain, found) = (BTreeSet::new(), all(&puzzle, &state));
            plainly(&puzzle, &state, &mut Vec::new(), &mut plain);
            assert_eq!(found.len(), plain.len(), "{} {seed}", puzzle.title());
            assert_eq!(BTreeSet::from_iter(found), plain);
            match solved(&puzzle, &state) {
                Ok(solved) => {
                    assert!(plain.contains(&solved.attempt.moves.unwrap()));
                    with += 1;
                }
                Err(why) => {
                    assert!(plain.is_empty());
                    assert!(why.to_string().contains("can never be solved"), "{why}");
                    without += 1;
                }
            }
        }
    }
    assert!(with > 20 && without > 20, "{with} {without}");
}

#[test]
fn numbers_of_solutions_are_those_that_are_known() {
    let known = [6, 6, 348, 640, 6_364];
    for (puzzle, known) in parts().zip(known) {
        let found = all(&puzzle, &State(Vec::new()));
        assert_eq!(found.len(), known, "{}", puzzle.title());
        for moves in &found {
            let states = replay(&puzzle, &State(Vec::new()), moves).unwrap();
            assert!(puzzle.is_solved(states.last().unwrap()));
        }
        assert_eq!(BTreeSet::from_iter(found).len(), known);
    }
}

#[test]
fn solutions_come_one_by_one() {
    let sample = puzzle("sample");
    let mut seen = BTreeSet::new();
    let mut visit = |moves: &[Move]| {
        seen.insert(moves.to_vec());
        seen.len() < 1000
    };
    let start = sample.start().unwrap();
    sample.all_solutions(&start, &effort(), &mut visit);
    assert_eq!(seen.len(), 1000);
    for moves in seen.iter().step_by(50) {
        let states = replay(&sample, &start, moves).unwrap();
        assert!(sample.is_solved(states.last().unwrap()));
    }
}

#[test]
fn the_search_ends_when_it_is_told_to() {
    let sample = puzzle("sample");
    let start = sample.start().unwrap();
    // There are hundreds of millions of solutions: listing them all takes long.
    let soon = Effort { deadline: Some(Instant::now() + std::time::Duration::from_millis(50)), ..effort() };
    let (began, mut seen) = (Instant::now(), 0u64);
    sample.all_solutions(&start, &soon, &mut |_| {
        seen += 1;
        true
    });
    assert!(seen > 0 && soon.is_spent());
    assert!(began.elapsed().as_secs() < 5);
    let stop = AtomicBool::new(true);
    let stopped = Effort::unbounded(0, &stop);
    let mut seen = 0;
    sample.all_solutions(&start, &stopped, &mut |_| {
        seen += 1;
        true
    });
    assert!(seen < 1_000_000, "{seen}");
}

#[test]
fn games_without_a_solution_are_told() {
    // Upper case only: no two pieces match.
    let mut pile = String::from("#GAME\n#PILE\n");
    let letters = ["A", "B", "C", "D"];
    let kinds = (0..64).map(|i: usize| [letters[i / 16], letters[i / 4 % 4], letters[i % 4]]);
    let kinds =
        kinds.filter(|k| *k == [*k, [k[1], k[2], k[0]], [k[2], k[0], k[1]]].into_iter().min().unwrap());
    let kinds: Vec<String> = kinds.map(|kind| kind.concat()).collect();
    assert_eq!(kinds.len(), 24);
    kinds.iter().for_each(|kind| pile += &format!("{kind}1\n"));
    let (_dir, text) = in_file(&pile);
    let game = puzzle(text.strip_prefix("triangles:").unwrap());
    let why = solved(&game, &game.start().unwrap()).unwrap_err().to_string();
    assert!(why.contains("can never be solved") && why.contains("24 empty cells"), "{why}");
    let why = game.hinted_file().unwrap().unwrap_err().to_string();
    assert!(why.contains("can never be solved"), "{why}");
    assert!(all(&game, &game.start().unwrap()).is_empty());
}

#[test]
fn a_state_can_be_tried_with_the_time_spent() {
    let sample = puzzle("sample");
    let stop = AtomicBool::new(true);
    // The search looks at the clock only now and then, so it may be done before.
    let attempt = Searching(&sample).attempt(&State(Vec::new()), &Effort::unbounded(0, &stop));
    let attempt = attempt.unwrap();
    assert_eq!((attempt.cut_short, attempt.bound), (attempt.moves.is_none(), 24));
}

#[test]
fn scrambles_are_random_games_for_ever() {
    let names = |number| match puzzle("sample").scramble(&mut Random::instance(4, number)) {
        Ok(Instance::Puzzle(puzzle)) => (puzzle.text(), puzzle.file().unwrap()),
        _ => panic!("no game"),
    };
    let files: String = (0..20).map(|number| names(number).1).collect();
    let frozen = (names(0).0, names(1).0, xxh3_64(files.as_bytes()));
    assert_eq!((&*frozen.0, &*frozen.1, frozen.2), FROZEN);
    let (text, file) = names(0);
    assert_eq!(registry::parse(&text).unwrap().file(), Some(file));
    for part in parts() {
        let why = part.scramble(&mut Random::new(1)).err().unwrap().to_string();
        assert!(why.contains("random games are whole ones"), "{why}");
    }
}

/// The first two scrambles, and the files of the first twenty.
const FROZEN: (&str, &str, u64) = (
    "triangles:random:12215659584349752668",
    "triangles:random:13593290275953211624",
    10_844_040_374_922_416_886,
);

/// The game of a file with this text.
fn game(text: &str) -> GameFile {
    let name = FileName { path: "game", board: None };
    game::read(&name, text).unwrap()
}

fn hinted(text: &str) -> Result<String> {
    let (_dir, text) = in_file(text);
    {
        let puzzle = registry::parse(&text).unwrap();
        puzzle.capabilities().listing.unwrap().hinted_file().unwrap()
    }
}

/// Hints until there are no more; how many there were, and the last file.
fn hint_to_the_end(mut text: String) -> (usize, String) {
    for hints in 0..30 {
        match hinted(&text) {
            Ok(next) => text = next,
            Err(why) => {
                assert!(why.to_string().contains("solved already"), "{why}");
                return (hints, text);
            }
        }
    }
    panic!("{text}");
}

/// The full board of a file, as a state.
fn full_board(text: &str) -> String {
    let on_board = game(text).board;
    let words: Vec<String> = on_board.iter().map(|placed| placed.unwrap().to_string()).collect();
    [&words[..5], &words[5..12], &words[12..19], &words[19..]].map(|row| row.join(" ")).join("/")
}

#[test]
fn hints_lead_to_a_solution() {
    let without = divided(0, "#PILE");
    let lines = solution_lines().join("\n");
    let with = format!("{without}#SOLUTION\n{lines}\n");
    for (text, is_given) in [(without, false), (with, true)] {
        let (hints, last) = hint_to_the_end(text);
        assert_eq!(hints, 8);
        let sample = puzzle("sample");
        let state = sample.parse_state(&full_board(&last)).unwrap();
        assert!(sample.is_solved(&state));
        let end = game(&last);
        assert!(last.contains("#PILE\n#SOLUTION"));
        assert_eq!(end.solution == game(SAMPLE).solution, is_given);
    }
    let first = puzzle("random:1").hinted_file().unwrap().unwrap();
    // The cells are anywhere, and the same every time.
    assert_eq!(puzzle("random:1").hinted_file().unwrap().unwrap(), first);
    let cells = game(&first)
        .board
        .iter()
        .enumerate()
        .filter_map(|(cell, place)| place.map(|_| cell))
        .collect::<Vec<_>>();
    assert_eq!(cells, [9, 10, 17]);
    assert!(parts().all(|part| part.hinted_file().is_none()));
}

#[test]
fn hints_take_off_turn_and_lay() {
    let lines = solution_lines().join("\n");
    // Right, turned wrong (DCa), in the wrong place (CBD and cdc exchanged would not suit their
    // cells, so CBD lies where AAA should).
    let rest = lines.split_whitespace().skip(3);
    let pile: String =
        rest.filter(|word| !word.starts_with("CBD")).map(|word| format!("{}\n", &word[..4])).collect();
    let text = format!("#GAME\n#BOARD\nDCa311 CBD412 aBd113\n#PILE\nAAA4\n{pile}#SOLUTION\n{lines}\n");
    let after = hinted(&text).unwrap();
    let (board, solved) = (game(&after).board, game(&divided(24, "#PILE")).board);
    assert!(board.iter().zip(&solved).all(|(place, right)| place.is_none() || place == right), "{after}");
    assert!(board[0].is_some() && board[2].is_some());
    assert_eq!(board.iter().flatten().count(), 5);
    assert_eq!(game(&after).pile.len(), 24);
    // Two left: one is placed, then the other.
    let nearly = divided(22, "#PILE");
    let nearly = format!("{nearly}#SOLUTION\n{lines}\n");
    let after = hinted(&nearly).unwrap();
    assert_eq!(game(&after).board.iter().flatten().count(), 23);
    assert_eq!(hint_to_the_end(nearly).0, 2);
    // A full board with one piece turned wrong is only turned.
    let turned = divided(24, "#PILE").replace("DCa111", "DCa311");
    let (hints, last) = hint_to_the_end(format!("{turned}#SOLUTION\n{lines}\n"));
    assert_eq!((hints, game(&last).board), (1, game(&divided(24, "#PILE")).board));
}

/// Without a solution in the file, what lies on the board is kept as far as it can be.
#[test]
fn hints_agree_with_the_board() {
    for on_board in [1, 5, 12, 20, 23] {
        let text = divided(on_board, "#PILE");
        let before = game(&text).board;
        let after = game(&hinted(&text).unwrap()).board;
        for (before, after) in before.iter().zip(&after).filter(|(before, _)| before.is_some()) {
            assert_eq!(before, after);
        }
    }
    // The first piece is turned so that it does not match the second one: only one of them stays.
    let text = divided(6, "#PILE").replace("DCa111", "DCa511");
    let (hints, last) = hint_to_the_end(text);
    assert!((6..=8).contains(&hints), "{hints}");
    let sample = puzzle("sample");
    assert!(sample.is_solved(&sample.parse_state(&full_board(&last)).unwrap()));
}

#[test]
fn the_board_of_a_file_is_kept() {
    let text = divided(7, "#PILE");
    let (_dir, name) = in_file(&text);
    let written = registry::parse(&name).unwrap().file().unwrap();
    assert_eq!(game(&written), game(&text));
    assert!(written.contains("#BOARD\nDCa111 AAA412 aBd113 CBD414 cdc115\ndAB121 Dcb422\n#PILE\n"));
}

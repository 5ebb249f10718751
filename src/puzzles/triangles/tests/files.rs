//! Game files and random games.

use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::*;
use crate::error::Error;
use crate::puzzles::registry;

const NAME: FileName<'static> = FileName { path: "game", board: None };

fn read(text: &str) -> Result<GameFile> {
    game::read(&NAME, text)
}

fn refused(text: &str, line: usize, why: &str) {
    match read(text) {
        Err(Error::Usage(said)) => {
            let begin = format!("game, line {line}: ");
            assert!(said.starts_with(&begin) && said.contains(why), "{said}");
        }
        other => panic!("{why}: {other:?}"),
    }
}

/// A puzzle in a file with this text.
pub(super) fn in_file(text: &str) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("game:1.txt");
    std::fs::write(&path, text).unwrap();
    let text = format!("triangles:@{}", path.display());
    (dir, text)
}

/// The sample's solution lines.
pub(super) fn solution_lines() -> Vec<&'static str> {
    SAMPLE.lines().skip(4).collect()
}

/// A file with the first pieces of the sample on the board and the others in the pile.
pub(super) fn divided(on_board: usize, pile: &str) -> String {
    let words: Vec<_> = solution_lines().iter().flat_map(|l| l.split(' ')).collect();
    let board = words[..on_board].join(" ");
    let rest: String = words[on_board..].iter().map(|w| format!("{}\n", &w[..4])).collect();
    format!("#GAME\n#BOARD\n{board}\n{pile}\n{rest}")
}

#[test]
fn the_sample_is_a_whole_game() {
    let game = sample().unwrap();
    assert_eq!((game.pile.len(), game.solution.as_ref().unwrap().len()), (24, 24));
    let sample = puzzle("sample");
    let full = State(sample.setting.solution.clone().unwrap());
    // All 30 inner edges match, as the rules see it.
    assert_eq!(sample.parse_state(&sample.print_state(&full)).unwrap(), full);
    assert!(sample.is_solved(&full));
    for part in parts() {
        let full = State(part.setting.solution.clone().unwrap());
        assert_eq!(part.parse_state(&part.print_state(&full)).unwrap(), full);
        assert_eq!(part.file(), None);
        assert_eq!(part.content(), None);
    }
}

#[test]
fn what_is_written_reads_back() {
    for text in ["sample", "random:1", "random:2", "random:18446744073709551615"] {
        let original = puzzle(text);
        let written = original.file().unwrap();
        let (_dir, text) = in_file(&written);
        let copy = registry::parse(&text).unwrap();
        assert_eq!(copy.text(), text);
        assert_eq!(copy.content(), Some(xxh3_64(written.as_bytes())));
        assert_eq!(copy.file().unwrap(), written);
        let game = read(&written).unwrap();
        let copy = Triangles::new(GameSource::Sample, HEXAGON, &game).unwrap();
        assert_eq!(copy.setting.rules.pieces, original.setting.rules.pieces);
        assert_eq!(
            (copy.setting.pile, copy.setting.solution),
            (original.setting.pile, original.setting.solution)
        );
    }
}

#[test]
fn pieces_come_from_the_board_and_the_pile() {
    let whole = puzzle("sample").setting.rules.pieces;
    for (on_board, pile) in [(0, "#PILE"), (7, "#FILE"), (24, "#PILE")] {
        let game = read(&divided(on_board, pile)).unwrap();
        assert_eq!(game.solution, None);
        let puzzle = Triangles::new(GameSource::Sample, HEXAGON, &game).unwrap();
        assert_eq!(puzzle.setting.rules.pieces, whole);
        // What lies on the board does not change what is asked.
        assert_eq!(puzzle.start(), Some(State(Vec::new())));
        let written = puzzle.file().unwrap();
        assert!(!written.contains("#SOLUTION") && read(&written).unwrap() == game);
    }
}

#[test]
fn other_sections_and_empty_lines_are_skipped() {
    let text =
        divided(3, "#PILE").replace("#BOARD", "\n#SCORE\n12 points &c.\n\n#BOARD\n").replace('\n', "\r\n");
    assert_eq!(read(&text).unwrap(), read(&divided(3, "#PILE")).unwrap());
    let before = format!("#AUTHOR\nsomebody\n{}", divided(0, "#PILE"));
    assert!(read(&before).is_ok());
    let empty = format!("{}#SOLUTION\n", divided(0, "#PILE"));
    assert_eq!(read(&empty).unwrap().solution, None);
}

#[test]
fn pieces_may_be_spelled_from_any_letter_on() {
    // DCa in position 1 and aDC in position 3 show the same.
    let text = SAMPLE.replace("DCa111", "aDC311").replace("AAA412", "AAA212");
    assert_eq!(read(&text).unwrap().solution, sample().unwrap().solution);
    let both = format!("{}#SOLUTION\n{}", divided(0, "#PILE"), solution_lines().join("\n"));
    let spelled = both.replace("DCa1\n", "CaD6\n");
    let puzzle = Triangles::new(GameSource::Sample, HEXAGON, &read(&spelled).unwrap()).unwrap();
    let full = puzzle.print_state(&State(puzzle.setting.solution.clone().unwrap()));
    assert!(full.starts_with("CaD5 AAA4 "), "{full}");
    // The numbers of the pieces do not depend on the spelling.
    assert_eq!(
        puzzle.setting.solution,
        super::puzzle("sample").setting.solution.map(|mut filling| {
            filling[0] += 2;
            filling
        })
    );
}

#[test]
fn malformed_games_are_refused_with_the_line() {
    let sample = |from: &str, to: &str| SAMPLE.replace(from, to);
    refused("", 1, "ends without a line `#GAME`");
    refused("x\n", 1, "`x` is in no section");
    refused("#GAME\nAAA1\n", 2, "`AAA1` is in no section");
    refused("#PILE\n#GAME\n", 1, "`#PILE` comes before `#GAME`");
    refused("#GAME\n#PILE\n\n#FILE\n", 4, "such a section already, in line 2");
    refused("#GAME\n#GAME\n", 2, "such a section already");
    refused("#GAME\n#BOARD\n#PILE\n", 3, "0 of its 24 pieces");
    refused("#GAME\n#board\nAAA111\n", 3, "the section `#board` was skipped");
    refused(&sample("dcA123", "dcX123"), 6, "`dcX123` is not a piece");
    refused(&sample("dcA123", "dcA723"), 6, "`dcA723` is not a piece");
    refused(&sample("dcA123", "dcA1233"), 6, "`dcA1233` is not a piece");
    refused(&sample("dcA123", "dcA1"), 6, "`dcA1` does not say where it lies");
    refused(&sample("dcA123", "dcA116"), 6, "no cell in row 1, column 6");
    refused(&sample("dcA123", "dcA153"), 6, "no cell in row 5, column 3");
    refused(&sample("dcA123", "dcA423"), 6, "points up, so the position must be 1, 3 or 5");
    refused(&sample("aba424", "aba124"), 6, "points down, so the position must be 2, 4 or 6");
    refused(&sample("dcA123", "dcA121"), 6, "has a piece already, in line 6");
    refused(&sample("dcA123", "BdA123"), 6, "`BdA1` is the same piece as `dAB1`");
    refused(&sample("dcA123", "dca123"), 6, "row 2, column 3 and row 2, column 4");
    refused(&sample("dcA123", "dcA323"), 6, "does not match between row 2, column 2");
    refused(&sample(" baA445", ""), 8, "23 of its 24 pieces");
    let pile = divided(0, "#PILE");
    refused(&pile.replace("dcA1", "dcA123"), 12, "has a row and a column");
    refused(&pile.replace("dcA1", "dcA"), 12, "`dcA` is not a piece");
    refused(&pile.replace("dcA1", "AAA5"), 12, "same piece as `AAA4` in line 6");
    refused(&format!("{pile}BBB1\n"), 29, "`BBB1` is one piece too many");
    let with = |solution: &str| format!("{pile}#SOLUTION\n{solution}\n");
    let lines = solution_lines();
    refused(&with(lines[0]), 30, "the solution ends with 5 of 24 pieces");
    let wrong = lines.join("\n").replace("ddd4", "DDD4");
    refused(&with(&wrong), 33, "`DDD4`, which is neither on the board nor in the pile");
    let wrong = lines.join("\n").replace("ddd4", "AAA4");
    refused(&with(&wrong), 33, "the piece `AAA4` twice, first in line 30");
}

#[test]
fn files_that_hold_no_game_load_nothing() {
    let (dir, text) = in_file(&SAMPLE.replace("add437", "add438"));
    let why = registry::parse(&text).err().unwrap().to_string();
    assert!(why.contains("game:1.txt, line 7: `add438`"), "{why}");
    let why = registry::parse(&format!("{text}#two")).err().unwrap();
    assert!(why.to_string().contains("there is no `#two` in it"));
    let missing = format!("triangles:@{}/none", dir.path().display());
    assert!(matches!(registry::parse(&missing), Err(Error::Io { .. })));
}

proptest! {
    #[test]
    fn no_file_makes_us_panic(text in "(#GAME\n)?(#[BFPS][A-Z]{3,7}\n|[ABab]{3}[1-6]([1-5][1-8])?[ \n]|.){0,60}") {
        let _ = read(&text);
    }

    #[test]
    fn random_games_are_games(seed in any::<u64>()) {
        let game = generate::generate(seed);
        let puzzle = Triangles::new(GameSource::Random(seed), HEXAGON, &game).unwrap();
        prop_assert_eq!(read(&puzzle.file().unwrap()).unwrap(), game);
    }
}

/// What a seed means is frozen.
#[test]
fn a_seed_always_gives_the_same_game() {
    assert_eq!(puzzle("random:1").file().unwrap(), FIRST);
    let files = (0..100).map(|seed| puzzle(&format!("random:{seed}")).file().unwrap());
    let all: String = files.collect();
    assert_eq!(xxh3_64(all.as_bytes()), HUNDRED);
}

const HUNDRED: u64 = 2_639_984_975_481_456_407;

const FIRST: &str = "\
#GAME
#BOARD
#PILE
aBC2
ddC2
daD3
Dac6
BAD4
cbB5
BAb5
AbA6
aca5
Dad2
BaA1
CBB1
DbD3
Cab3
DAc4
aCa5
bAd5
aDb5
dAa3
dAc3
bdD4
ABB1
baC6
cBd3
#SOLUTION
BAb111 cbB412 Cab113 ABB414 aDb115
aca121 BaA422 baC123 dAc424 DAc125 ddC426 DbD127
aCa431 AbA132 dAa433 Dad134 daD435 Dac136 aBC437
CBB441 cBd142 BAD443 bdD144 bAd445
";

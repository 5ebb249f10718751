//! Files with layouts: what is read, what is written, what is refused and in which words.

use super::super::grid::named;
use super::*;
use crate::puzzle::{FileFormat, Indexed, Setup};
use crate::puzzles::registry;
use crate::random::Random;
use crate::space::Space;

#[test]
fn files_say_what_rows_on_a_line_or_on_several_say() {
    let usual = puzzle("classic");
    for content in [
        "BAAC/BAAC/DEEF/DGHF/I..J",
        "# mine\n\nxYYz\r\nxYYz\n  abbc  \nadec\n\n# end\ng..h\n",
        "BAAC/BAAC\nDEEF\nDGHF/I..J\ngoal 3,1",
        "goal  3 , 1\nBAAC/BAAC/DEEF/DGHF/I..J\n",
    ] {
        let own = board(content, "");
        assert_eq!(own.start(), usual.start(), "{content}");
        assert_eq!(own.board, usual.board);
        assert!(own.content().is_some());
    }
    // Four blocks that happen to be called so.
    let row = board("BAAC/BAAC/DEEF/D..F/goal", "");
    assert_eq!(row.print_state(&row.start().unwrap()), "BAAC/BAAC/DEEF/D..F/GHIJ");
}

#[test]
fn files_read_back() {
    let mut puzzles = puzzles("step");
    puzzles.extend(named().map(|(name, _)| puzzle(name)));
    for puzzle in puzzles {
        let file = puzzle.file().unwrap();
        let again = board(&file, "");
        assert_eq!(again.start(), puzzle.start(), "{file}");
        assert_eq!(again.board, puzzle.board, "{file}");
        assert_eq!(again.file(), Some(file));
    }
    assert_eq!(puzzle("classic").file().unwrap(), "BAAC\nBAAC\nDEEF\nDGHF\nI..J\ngoal 3,1\n");
    assert_ne!(board(BOARDS[0], "").content(), board(BOARDS[1], "").content());
}

#[test]
fn bad_files_are_refused_with_line_and_reason() {
    for (content, why) in [
        ("", "layout: there is no layout"),
        ("# nothing\n\ngoal 1,1\n", "layout: there is no layout"),
        ("BAAC\nBAAC\n\nDE F", "line 4: row 3, column 3: ` ` is neither"),
        ("BAAC\nBAA?", "line 2: row 2, column 4: `?` is neither a letter nor `.`"),
        ("BAAC\n#\nBAACD", "line 3: row 2 has 5 cells, but row 1 has 4"),
        ("BAAC/BAACD", "line 1: row 2 has 5 cells, but row 1 has 4"),
        ("BAAC\nBAA\n", "line 2: row 2 has 3 cells, but row 1 has 4"),
        ("BAAC//BAAC", "line 1: row 2 has 0 cells, but row 1 has 4"),
        ("AABCDEFGH\nAABCDEFGH", "line 1: the board has 9 columns, but at most 8"),
        ("AA\nAA\n.\u{2e}\n..\n..\n..\n..\n..\n..", "line 9: the board has more than 8 rows"),
        ("BAAC\nBAAC\nDEED\nDGHF\nI..J", "line 3: the cells of `D` are not a rectangle: row 3, column 2"),
        ("BAAC\nBAAC\nDEEF\nGDHF\nI..J", "the cells of `D` are not a rectangle"),
        ("BAAC\nBAAC\nBEEF\nDGHF\nI..J", "line 1: `B` is a block of 3 rows and 1 column"),
        ("BAAC\nBAAC\nDDDF\nGGHF\nI..J", "line 3: `D` is a block of 1 row and 3 columns"),
        ("BCDE\nFGHI\n", "line 1: there is no 2x2 block"),
        ("BAAC\nBAAC\nDEEF\nDEEF\nI..J", "line 3: `A` and `E` are both 2x2 blocks"),
        ("AAB\nAAB\n", "layout: a board of 2 rows and 3 columns must name its goal"),
        ("AAB\nAAB\ngoal 1,0", "line 3: a 2x2 block at row 1, column 0 (counted from 0) is not on"),
        ("goal 0,2\nAAB\nAAB", "line 1: a 2x2 block at row 0, column 2"),
        ("AAB\nAAB\ngoal 1", "line 3: `1` is not a place for the goal"),
        ("AAB\nAAB\ngoal -1,0", "line 3: `-1,0` is not a place for the goal"),
        ("AAB\nAAB\ngoal 99999999999999999999,0", "is not a place for the goal"),
        ("goal 0,0\nAAB\nAAB\ngoal 0,0", "line 4: the goal is given twice"),
    ] {
        let said = reason(try_board(content, ""));
        assert!(said.contains(why), "{content:?}: {said}");
        assert!(!said.ends_with('.'));
    }
}

#[test]
fn goals_that_cannot_be_reached_are_refused() {
    let content = "AAB./AABC\ngoal 0,2";
    let said = reason(try_board(content, ":from-goals"));
    assert!(said.contains("no solved layout can be reached from this one"), "{said}");
    assert!(board(content, "").totals().states.unwrap() > 1);
}

#[test]
fn boards_that_are_too_large_are_refused() {
    // All kinds of pieces in abundance: the tables of the index would be too large.
    let crowded = "AABCDDEE/AABCFFGG/HIJKLMNO/HIJKPQRS/TTUUVVWW/XYZabcde/XYZafghi/....jjkk\ngoal 6,3";
    match try_board(crowded, "") {
        Err(Error::Limit(why)) => {
            assert!(why.to_string().contains("too large for an index"), "{why}")
        }
        other => panic!("{:?}", other.map(|puzzle| puzzle.space.universe())),
    }
    // An index is possible, but not looking through all of it.
    let roomy = "AA....../AA....../BBC...../DE....../......../........\ngoal 4,3";
    let universe = board(roomy, "").space.universe();
    assert!(universe > super::super::MOST_COUNTED, "{universe}");
    assert_eq!(board(roomy, "").totals().states, None);
    let vast = "AA....../AA....../BBC..E../DF.GGH../......../........\ngoal 4,3";
    match try_board(vast, ":from-goals") {
        Err(Error::Limit(why)) => assert!(why.to_string().contains("cannot be found"), "{why}"),
        other => panic!("{:?}", other.map(|puzzle| puzzle.space.universe())),
    }
}

/// What takes seconds is not done for a file that was sent to a server.
#[test]
fn given_files_are_not_flooded_far() {
    let wide = "AA....../AA....../......../......../BCDE..../......../......../......../goal 6,6";
    let wide = wide.replace("/goal", "\ngoal");
    let parse = |text: &str| registry::parse_given(text, Some(&wide));
    let puzzle = parse("klotski:@f").unwrap();
    assert!(puzzle.scramble(&mut Random::new(1)).is_err());
    assert_eq!(puzzle.totals().states, None);
    let why = parse("klotski:@f:from-goals").err().unwrap().to_string();
    assert!(why.contains("at most 4,194,304 can be looked through"), "{why}");
}

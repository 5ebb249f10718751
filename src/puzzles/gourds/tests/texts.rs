//! Texts and files: what is read, what is written, what is refused and in which words.

use super::*;
use crate::puzzle::{FileFormat, Indexed, Question, Setup};
use crate::puzzles::gourds::file::{NAMED, entries};

#[test]
fn the_registry_reads_back_every_text() {
    for example in super::super::KIND.examples {
        assert_eq!(registry::parse(example).unwrap().text(), *example);
    }
    let mut boards = 0;
    for entry in entries(NAMED).unwrap() {
        let text = format!("gourds:{}", entry.name);
        if let Ok(puzzle) = registry::parse(&text) {
            assert_eq!(puzzle.text(), text);
            assert_eq!(puzzle.question(), Question::GodsNumber);
            boards += 1;
        }
    }
    assert_eq!(boards, 21);
}

#[test]
fn a_text_has_one_spelling() {
    for (given, canonical) in [
        ("flower7:goal=5-2,1-0,6-4", "flower7:goal=0-1,2-5,4-6"),
        ("flower7:goal=0-1,2-3,4-6", "flower7"),
        ("rows-02-3", "rows-2-3"),
        ("random:013:07", "random:13:7"),
        ("random:7:0", "random:7:0"),
    ] {
        assert_eq!(puzzle(given).text(), format!("gourds:{canonical}"));
        assert_eq!(puzzle(canonical).text(), format!("gourds:{canonical}"));
    }
}

#[test]
fn the_default_goal_is_the_first_placement() {
    let goal = |text: &str| puzzle(text).print_state(&state_of(&puzzle(text).goal.unwrap()));
    assert_eq!(goal("flower7"), "0-1,2-3,4-6");
    assert_eq!(goal("rows-2-3"), "0-1,2-3");
    assert_eq!(goal("rows-1-2"), "0-1");
    assert_eq!(goal("seed3"), "5-6,4-1,2-0");
}

#[test]
fn impossible_texts_are_refused_with_the_reason() {
    for (text, why) in [
        ("gourds", "the board is missing"),
        ("gourds:flower9", "there is no board `flower9`; boards with names are seed1, seed2"),
        ("gourds:flower7:x", "`x` is not an option"),
        ("gourds:rows-", "`rows-` is not a list of row widths"),
        ("gourds:rows-2--3", "`rows-2--3` is not a list of row widths"),
        ("gourds:rows-2-x", "`rows-2-x` is not a list of row widths"),
        (
            "gourds:rows-2-2-3",
            "differ by exactly one cell, unlike 2 and 2; any other board needs a picture in a file",
        ),
        ("gourds:rows-1-0", "a row needs at least one cell"),
        ("gourds:rows-1-2-1", "the board has 4 cells; it must be an odd number"),
        ("gourds:rows-1", "a single cell"),
        ("gourds:rows-32-33", "more than 63 cells"),
        ("gourds:rows-99999999999-99999999998", "more than 63 cells"),
        ("gourds:random", "the number of cells is missing"),
        ("gourds:random:7", "the seed is missing"),
        ("gourds:random:8:1", "the number of cells `8` is not an odd number from 3 to 63"),
        ("gourds:random:1:1", "the number of cells `1` is not"),
        ("gourds:random:65:1", "the number of cells `65` is not"),
        ("gourds:random:7:-1", "the seed `-1` is not a whole number"),
        ("gourds:random:7:18446744073709551616", "is not a whole number below 2^64"),
        ("gourds:random:7:1:2", "`2` is not an option"),
        ("gourds:flower7:goal=", "the goal is empty"),
        ("gourds:flower7:goal=0-1,2", "in the goal, `2` is not a pair of cells such as 0-1"),
        ("gourds:flower7:goal=0-1,2-5,4-9", "there is no cell 9: the board has the cells 0 to 6"),
        ("gourds:flower7:goal=0-1,2-4,5-6", "the cells 2 and 4 are not neighbours"),
        ("gourds:flower7:goal=0-0,2-5,4-6", "the cells 0 and 0 are not neighbours"),
        ("gourds:flower7:goal=0-1,1-3,4-6", "cell 1 is covered twice"),
        ("gourds:flower7:goal=0-1,2-5", "the number of covered pairs is 2, but on 7 cells 3 must be"),
        (
            "gourds:flower7:goal=0-1",
            "pairs is 1, but on 7 cells 3 must be covered, so that exactly one cell is free",
        ),
        ("gourds:flower7:goal=0-1,2-5,4-6:goal=0-1,2-5,4-6", "`goal` is given twice"),
        ("gourds:seed1:goal=0-1,2-5,4-6", "`goal` does not apply to this board"),
        ("gourds:seed2:goal=0-1,2-5,4-6", "`goal` does not apply to this board"),
        ("gourds:@", "the file name after the `@` is missing"),
    ] {
        let said = refusal(text);
        assert!(said.contains(why), "{text}: {said}");
        assert!(said.contains("Accepted: gourds:NAME") || said.contains("did you mean `"), "{said}");
    }
}

#[test]
fn files_hold_boards_of_one_s_own() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a#b.txt");
    std::fs::write(&path, OWN).unwrap();
    let text = format!("gourds:@{}#mirror", path.display());
    let puzzle = registry::parse(&text).unwrap();
    assert_eq!(puzzle.text(), text);
    assert!(puzzle.content().is_some() && puzzle.title().contains("mirror"));
    let said = refusal(&format!("gourds:@{}#nothing", path.display()));
    let names = "only alike, middle, mirror, exchange, reversed";
    assert!(said.contains("no board `nothing` in this file") && said.contains(names), "{said}");
    // A name can be left out if there is only one board, and is there again in the text.
    let path = dir.path().join("one");
    std::fs::write(&path, "board x\ntype shape\nrows .o.o./o.o.o\n").unwrap();
    let puzzle = registry::parse(&format!("gourds:@{}:goal=0-1,2-3", path.display())).unwrap();
    assert_eq!(puzzle.text(), format!("gourds:@{}#x", path.display()));
    let puzzle = registry::parse(&format!("gourds:@{}#x:goal=1-4,2-3", path.display())).unwrap();
    assert!(puzzle.text().ends_with("/one#x:goal=1-4,2-3"));
    let several = reason(own(OWN, ""));
    assert!(several.contains("there are 5 boards in this file; say which"), "{several}");
    assert!(reason(own("# nothing\n", "")).contains("there is no board in this file"));
}

#[test]
fn flaws_in_files_are_told_with_their_lines() {
    let flower = "board x\ntype numbered\nrows .o.o./o.o.o/.o.o.\n";
    let coloured = "board x\ntype coloured\nrows .o.o./o.o.o/.o.o.\n";
    let numbers = "cells 1 2 3 4 5 6 7\n";
    for (content, why) in [
        ("rows o.o/.o.\n".to_owned(), "line 1: a board begins with a line `board NAME`"),
        ("board\n".into(), "line 1: the board has no name"),
        ("board a b\n".into(), "line 1: `a b` is not a name for a board"),
        ("board a\nboard a\n".into(), "line 2: there is another board `a` in line 1"),
        ("board a\nsize 3\n".into(), "line 2: `size` is not a keyword"),
        (
            "board a\ntype shape\n# x\ntype shape\n".into(),
            "line 4: this board has another line `type`, line 2",
        ),
        ("board a\nrows o.o/.o.\n".into(), "line 1: the board `a` has no line `type`"),
        ("board a\ntype shape\n".into(), "line 1: the board `a` has no line `rows`"),
        ("board a\ntype round\nrows o.o/.o.\n".into(), "line 2: `round` is not a type of board"),
        ("\nboard a\ntype shape\nrows oo\n".into(), "line 4: row 1, column 2: cells of a hexagonal grid"),
        ("board a\ntype shape\nrows o.o.o.o\n".into(), "line 3: the board has 4 cells"),
        ("board a\ntype shape\nrows o...o.o\n".into(), "line 3: the board is not connected"),
        (
            "board a\ntype shape\nrows o.o/.o.\ncells 1 2 3\n".into(),
            "line 4: a board of type shape has neither",
        ),
        (flower.into(), "line 1: the board `x` has no line `cells`"),
        (format!("{flower}{numbers}"), "line 1: the board `x` has no line `gourds`"),
        (format!("{flower}{numbers}gourds 0-1\n"), "line 5: `0-1` is not a gourd"),
        (format!("{flower}{numbers}gourds 0-1:1\n"), "line 5: `0-1:1` is not a gourd"),
        (format!("{flower}{numbers}gourds 0-1:1,x\n"), "line 5: `x` is not a label"),
        (
            format!("{flower}{numbers}gourds 0-1:1,1000\n"),
            "line 5: `1000` is not a label: labels are numbers from 0 to 999",
        ),
        (
            format!("{flower}cells 1 2 x 4 5 6 7\ngourds 0-1:1,2 2-3:3,4 4-6:5,7\n"),
            "line 4: `x` is not a label",
        ),
        (
            format!("{flower}{numbers}gourds 0-1:1,2 2-4:3,4 5-6:5,7\n"),
            "line 5: the cells 2 and 4 are not neighbours",
        ),
        (format!("{flower}{numbers}gourds 0-1:1,2 1-3:3,4 4-6:5,7\n"), "line 5: cell 1 is covered twice"),
        (format!("{flower}{numbers}gourds 0-1:1,2 2-3:3,4\n"), "line 5: the number of covered pairs is 2"),
        (format!("{flower}{numbers}gourds 0-1:1,2 2-3:3,4 4-7:5,7\n"), "line 5: there is no cell 7"),
        (
            format!("{flower}cells 1 2 3\ngourds 0-1:1,2 2-3:3,4 4-6:5,7\n"),
            "line 4: there are 3 labels, but the board has 7 cells",
        ),
        (
            format!("{flower}cells 1 2 3 4 5 6 1\ngourds 0-1:1,2 2-3:3,4 4-6:5,6\n"),
            "line 4: two cells have the number 1",
        ),
        (format!("{flower}{numbers}gourds 0-1:1,2 2-3:2,4 4-6:5,7\n"), "line 5: two ends have the number 2"),
        (format!("{flower}{numbers}gourds 0-1:1,2 2-3:3,8 4-6:5,7\n"), "line 5: no cell has the number 8"),
        (
            format!("{flower}{numbers}gourds 0-1:1,7 2-3:3,4 4-6:5,2\n"),
            "line 5: the gourd 1,7 belongs on the cells 0 and 6, which are not neighbours",
        ),
        (
            format!("{coloured}cells 1 1 1 1 2 2 2\ngourds 0-1:1,2 2-3:2,2 4-6:2,1\n"),
            "line 5: more ends of gourds than cells have the colour 2: 4 against 3",
        ),
        (
            format!("{coloured}cells 1 1 1 1 2 2 2\ngourds 0-1:1,3 2-3:2,2 4-6:2,1\n"),
            "line 5: more ends of gourds than cells have the colour 3: 1 against 0",
        ),
        (
            format!("{coloured}cells 1 9 9 9 9 9 1\ngourds 0-1:1,1 2-3:9,9 4-6:9,9\n"),
            "line 5: the board cannot be solved",
        ),
    ] {
        let said = reason(own(&content, ""));
        assert!(said.contains(why), "{content}{said}");
        assert!(said.contains("boards.txt"), "{said}");
        assert!(!said.ends_with('.'));
    }
}

#[test]
fn a_large_coloured_board_is_only_looked_at() {
    // All of one colour: no index, but solvable in every way.
    let rows =
        "...o.o.o.o.../..o.o.o.o.o../.o.o.o.o.o.o./o.o.o.o.o.o.o/.o.o.o.o.o.o./..o.o.o.o.o../...o.o.o.o...";
    let file = |colour: &str| {
        let shape = own(&format!("board a\ntype shape\nrows {rows}\n"), "").unwrap();
        let pairs = shape.goal.unwrap();
        let gourds: Vec<_> = pairs.iter().map(|[a, b]| format!("{a}-{b}:{colour},1")).collect();
        let cells = vec!["1"; 37 - pairs.len()].join(" ") + &format!(" {colour}").repeat(pairs.len());
        format!("board a\ntype coloured\nrows {rows}\ncells {cells}\ngourds {}\n", gourds.join(" "))
    };
    let puzzle = own(&file("1"), "").unwrap();
    assert!(puzzle.space().is_none() && puzzle.warning().is_none());
    assert_eq!(puzzle.totals().states, Some(3_238_572));
    assert!(puzzle.is_solved(&puzzle.start().unwrap()));
    assert_eq!(puzzle.index_of(&puzzle.start().unwrap()), None);
    assert_eq!(puzzle.state_of(0), None);
    // Half the cells of each colour, on either side: there is no need to look at all placements.
    let said = own(&file("2"), "").map(|puzzle| puzzle.warning());
    match said {
        Ok(warning) => assert!(warning.is_none_or(|said| said.contains("it is not known whether"))),
        Err(error) => assert!(error.to_string().contains("cannot be solved")),
    }
}

#[test]
fn puzzles_written_to_files_read_back() {
    for text in all_texts().chain(["random:13:1", "hex37", "rows-3-4", "random:9:2"]) {
        let puzzle = puzzle(text);
        let file = puzzle.file().unwrap();
        let back = own(&file, "").unwrap();
        let lines = |file: &str| {
            let lines = file.lines().filter(|line| !line.starts_with('#'));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(lines(&back.file().unwrap()), lines(&file), "{text}");
        assert_eq!(back.board(), puzzle.board(), "{text}");
        assert_eq!(back.goal, puzzle.goal, "{text}");
        let group = |puzzle: &Gourds| Some(puzzle.symmetries.as_ref()?.group.clone());
        assert_eq!(group(&back), group(&puzzle), "{text}");
        assert_eq!(back.totals().states, puzzle.totals().states, "{text}");
        match puzzle.text().contains("goal=") {
            false => assert_eq!(back.start(), puzzle.start(), "{text}"),
            true => assert!(file.contains("# goal "), "{file}"),
        }
    }
    assert_eq!(puzzle("flower7").file().unwrap(), "board flower7\ntype shape\nrows .o.o./o.o.o/.o.o.\n");
    assert_eq!(
        puzzle("seed1").file().unwrap(),
        "board seed1\ntype coloured\nrows .o.o./o.o.o/.o.o.\ncells 4 4 2 2 2 6 6\n\
         gourds 0-1:6,2 2-5:2,4 3-6:4,2\n"
    );
}

#[test]
fn titles() {
    for (text, title) in [
        ("flower7", "Gourds on flower7, 7 cells"),
        ("seed1", "Gourds on seed1, 7 cells, coloured"),
        ("seed3", "Gourds on seed3, 7 cells, numbered"),
        ("rows-3-4", "Gourds on rows of 3-4, 7 cells"),
        ("random:9:4", "Gourds on random board 4, 9 cells"),
        ("flower7:goal=0-1,2-5,4-6", "Gourds on flower7, 7 cells, goal 0-1,2-5,4-6"),
    ] {
        assert_eq!(puzzle(text).title(), title);
    }
    assert_eq!(puzzle("flower7").metric(), "click");
}

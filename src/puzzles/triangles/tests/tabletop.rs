//! Tables: whatever hands do, the pieces stay the same, and the file says it all.

use std::sync::atomic::AtomicBool;

use proptest::prelude::*;

use super::super::tabletop::TabletopView;
use super::files::{divided, solution_lines};
use super::*;

static NEVER: AtomicBool = AtomicBool::new(false);
static AT_ONCE: AtomicBool = AtomicBool::new(true);

fn effort() -> Effort<'static> {
    Effort::unbounded(0, &NEVER)
}

fn read(text: &str) -> Tabletop {
    Tabletop::read("game", text).unwrap()
}

/// The numbers of the pieces on the board and in the pile, sorted.
fn pieces(view: &TabletopView) -> Vec<usize> {
    let on_board = view.cells.iter().filter_map(|cell| cell.piece);
    let mut all: Vec<usize> = on_board.chain(view.pile.iter().map(|p| p.piece)).collect();
    all.sort_unstable();
    all
}

/// The letters of pieces by number, as they are spelled from the least on.
fn kinds(view: &TabletopView) -> Vec<(usize, String)> {
    let least = |letters: &str| {
        let turned = (0..3).map(|by| format!("{}{}", &letters[by..], &letters[..by]));
        turned.min().unwrap()
    };
    let on_board = view.cells.iter();
    let on_board = on_board.filter_map(|c| Some((c.piece?, least(c.letters.as_ref()?))));
    let in_pile = view.pile.iter().map(|p| (p.piece, least(&p.letters)));
    let mut all: Vec<_> = on_board.chain(in_pile).collect();
    all.sort_unstable();
    all
}

#[test]
fn a_table_is_seen_as_agreed() {
    let table = Tabletop::named("triangles:tri4").unwrap();
    let value = serde_json::to_value(table.view()).unwrap();
    assert_eq!(value["puzzle"], "triangles:tri4");
    assert_eq!(value["cells"].as_array().unwrap().len(), 4);
    assert_eq!(
        value["cells"][0],
        serde_json::json!({"row": 1, "column": 3, "up": true, "piece": null, "letters": null,
            "conflict": false})
    );
    assert_eq!(value["pile"][0]["letters"], "aBd");
    assert_eq!(value["pile"][0]["position"], 1);
    assert_eq!((&value["placed"], &value["solved"]), (&0.into(), &false.into()));
    assert!(value["message"].is_null());
    let file = value["file"].as_str().unwrap();
    assert!(file.starts_with("#GAME\n#PART\ntri4\n#BOARD\n#PILE\naBd1\n"), "{file}");
}

#[test]
fn actions_are_read_as_agreed() {
    let read = |text: &str| serde_json::from_str::<TabletopAction>(text);
    assert_eq!(read(r#"{"do":"look"}"#).unwrap(), TabletopAction::Look {});
    assert_eq!(
        read(r#"{"do":"place","piece":3,"cell":0}"#).unwrap(),
        TabletopAction::Place { piece: 3, cell: 0 }
    );
    assert_eq!(
        read(r#"{"do":"move","from":3,"cell":0}"#).unwrap(),
        TabletopAction::Move { from: 3, cell: 0 }
    );
    let turn = TabletopAction::Turn { cell: Some(1), piece: None };
    assert_eq!(read(r#"{"do":"turn","cell":1}"#).unwrap(), turn);
    for wrong in ["{}", r#"{"do":"fly"}"#, r#"{"do":"take","cell":-1}"#, r#"{"do":"take"}"#] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn pieces_are_laid_turned_moved_and_taken() {
    let mut table = Tabletop::named("triangles:sample").unwrap();
    let letters = |table: &Tabletop, cell: usize| table.view().cells[cell].letters.clone();
    let piece = |table: &Tabletop, letters: &str| {
        let pile = table.view().pile;
        pile.iter().find(|p| p.letters == letters).unwrap().piece
    };
    // The pile shows dAB in a position that does not match DCa's neighbour: it is turned.
    let (dca, aaa) = (piece(&table, "DCa"), piece(&table, "AAA"));
    table.turn_in_pile(dca).unwrap();
    table.turn_in_pile(dca).unwrap();
    table.place(dca, 0).unwrap();
    assert_eq!(letters(&table, 0).unwrap(), "CaD");
    // Nothing of AAA matches D on the right.
    let why = table.place(aaa, 1).unwrap_err().to_string();
    assert_eq!(why, "AAA does not fit row 1, column 2 in any turn");
    table.turn(0).unwrap();
    table.turn(0).unwrap();
    assert_eq!(letters(&table, 0).unwrap(), "DCa");
    table.place(aaa, 1).unwrap();
    let why = table.turn(0).unwrap_err().to_string();
    assert_eq!(why, "DCa fits row 1, column 1 in no other turn");
    assert!(table.turn(1).unwrap_err().to_string().contains("looks the same"));
    assert!(table.place(aaa, 3).unwrap_err().to_string().contains("lies on the board"));
    assert!(table.place(24, 3).unwrap_err().to_string().contains("numbered from 0 to 23"));
    assert!(table.take(24).unwrap_err().to_string().contains("numbered from 0 to 23"));
    assert!(table.take(5).unwrap_err().to_string().contains("no piece in row 2, column 1"));
    assert!(table.move_piece(0, 1).unwrap_err().to_string().contains("already: AAA"));
    table.move_piece(0, 23).unwrap();
    assert_eq!((letters(&table, 0), table.placed()), (None, 2));
    table.take(1).unwrap();
    assert_eq!(table.view().pile.last().unwrap().letters, "AAA");
    table.clear();
    assert_eq!((table.placed(), table.view().pile.len()), (0, 24));
    assert!(table.act(&TabletopAction::Turn { cell: None, piece: None }).is_err());
}

#[test]
fn boards_that_clash_are_read_and_marked() {
    let table = read(&divided(24, "#PILE").replace("DCa111", "DCa311"));
    let view = table.view();
    let conflicts: Vec<bool> = view.cells.iter().map(|cell| cell.conflict).collect();
    assert!(!view.solved && conflicts[0] && conflicts.iter().filter(|c| **c).count() >= 2);
    assert_eq!(read(&view.file).view(), view);
    // Another turn of it matches again.
    let mut table = table;
    table.turn(0).unwrap();
    assert!(table.is_solved() && table.view().cells.iter().all(|cell| !cell.conflict));
    assert!(table.message().unwrap().starts_with("Solved"));
}

#[test]
fn hints_and_the_end() {
    for text in ["tri4", "hex6", "tri9", "half12", "band14", "sample", "random:3"] {
        let mut table = Tabletop::named(&format!("triangles:{text}")).unwrap();
        let all = kinds(&table.view());
        for _ in 0..30 {
            if table.is_solved() {
                break;
            }
            table.hint(&effort()).unwrap();
            table = read(&table.file());
            assert_eq!(kinds(&table.view()), all);
        }
        assert!(table.is_solved() && table.hint(&effort()).is_err(), "{text}");
        assert!(table.finish(&effort()).is_err());
        table.clear();
        table.finish(&effort()).unwrap();
        assert!(table.is_solved() && kinds(&table.view()) == all);
        assert!(table.message().unwrap().contains("has stayed"));
    }
}

#[test]
fn finishing_agrees_with_the_board_where_that_is_possible() {
    for on_board in [0, 3, 12, 23] {
        let mut table = read(&divided(on_board, "#PILE"));
        let before = table.view();
        table.finish(&effort()).unwrap();
        let after = table.view();
        assert!(after.solved && after.message.unwrap().contains("stayed"));
        for (before, after) in before.cells.iter().zip(&after.cells) {
            assert!(before.piece.is_none() || before == after);
        }
        // What was found is known from then on, and survives.
        assert!(after.file.contains("#SOLUTION") && pieces(&before).len() == 24);
    }
    let lines = solution_lines().join("\n");
    for solution in ["", &format!("#SOLUTION\n{lines}\n")] {
        let text = divided(6, "#PILE").replace("DCa111", "DCa511") + solution;
        let mut table = read(&text);
        table.finish(&effort()).unwrap();
        assert!(table.is_solved());
        let said = table.message().unwrap();
        assert!(said.starts_with("No solution") && said.contains("had to move"), "{said}");
    }
}

#[test]
fn searches_can_be_stopped() {
    // No solution is known, and what lies there has none: 2^17 positions, unless it is stopped.
    let mut table = read(&divided(6, "#PILE").replace("DCa111", "DCa511"));
    let before = table.view();
    let stopped = Effort::unbounded(0, &AT_ONCE);
    for search in [Tabletop::hint, Tabletop::finish] {
        match search(&mut table, &stopped) {
            // Some solutions are found before the clock is looked at.
            Ok(()) => table = read(&before.file),
            Err(why) => assert!(why.to_string().contains("stopped"), "{why}"),
        }
        assert_eq!(table.view(), before);
    }
}

#[test]
fn tables_have_names_but_no_files() {
    for text in ["", "tiles:3x3", "triangles", "triangles:", "triangles:x", "triangles:@/etc/passwd"] {
        let why = Tabletop::named(text).unwrap_err().to_string();
        assert!(why.contains("names no table") && why.contains("Accepted"), "{why}");
    }
}

#[test]
fn parts_have_files() {
    let table = Tabletop::named("triangles:hex6").unwrap();
    let (_dir, text) = super::files::in_file(&table.file());
    let puzzle = crate::puzzles::registry::parse(&text).unwrap();
    assert_eq!(puzzle.file().unwrap(), table.file());
    let hinted = puzzle.capabilities().listing.unwrap().hinted_file().unwrap().unwrap();
    assert_eq!(read(&hinted).placed(), 3);
    let wrong = |from: &str, to: &str| {
        let why = Tabletop::read("game", &table.file().replace(from, to));
        why.unwrap_err().to_string()
    };
    assert!(wrong("hex6", "hex7").contains("line 3: `hex7` is not the name of a part"));
    assert!(wrong("#PART\nhex6\n", "").contains("6 of its 24 pieces"));
    assert!(wrong("23", "11").contains("no cell in row 1, column 1; the rows have 3 and 3 cells"));
    let late = table.file().replace("#PART\nhex6\n", "") + "#PART\nhex6\n";
    assert!(Tabletop::read("game", &late).unwrap_err().to_string().contains("comes after pieces"));
}

/// Any action, sensible or not.
fn action() -> impl Strategy<Value = TabletopAction> {
    let small = || 0usize..26;
    prop_oneof![
        Just(TabletopAction::Look {}),
        (small(), small()).prop_map(|(piece, cell)| TabletopAction::Place { piece, cell }),
        (small(), small()).prop_map(|(piece, cell)| TabletopAction::Place { piece, cell }),
        (small(), small()).prop_map(|(from, cell)| TabletopAction::Move { from, cell }),
        (prop::option::of(small()), prop::option::of(small()))
            .prop_map(|(cell, piece)| TabletopAction::Turn { cell, piece }),
        small().prop_map(|cell| TabletopAction::Take { cell }),
        Just(TabletopAction::Clear {}),
        any::<usize>().prop_map(|cell| TabletopAction::Take { cell }),
    ]
}

proptest! {
    #[test]
    fn whatever_hands_do(
        start in prop::sample::select(vec!["tri4", "hex6", "sample", "random:5"]),
        actions in prop::collection::vec(action(), 0..60),
    ) {
        let mut table = Tabletop::named(&format!("triangles:{start}")).unwrap();
        let all = kinds(&table.view());
        for action in actions {
            let before = table.view();
            let done = table.act(&action);
            let view = table.view();
            // What is refused changes nothing.
            if done.is_err() {
                prop_assert_eq!(&view, &before);
            }
            prop_assert_eq!(kinds(&view), &all[..]);
            prop_assert_eq!(view.placed + view.pile.len(), all.len());
            prop_assert!(view.cells.iter().all(|cell| !cell.conflict));
            prop_assert_eq!(view.solved, view.pile.is_empty());
            let again = read(&view.file).view();
            prop_assert_eq!(again.cells, view.cells);
            prop_assert_eq!(again.pile, view.pile);
            prop_assert_eq!(again.file, view.file);
        }
    }

    #[test]
    fn no_file_makes_a_table_panic(
        text in "#GAME\n(#PART\n(tri4|hex6)\n)?(#BOARD\n|#PILE\n|#SOLUTION\n|[ABab]{3}[1-6]([1-5][1-8])?[ \n]){0,40}",
        actions in prop::collection::vec(action(), 0..10),
    ) {
        if let Ok(mut table) = Tabletop::read("game", &text) {
            for action in actions {
                let _ = table.act(&action);
            }
            table.view();
        }
    }

    /// Boards of files may clash in any way; everything is still possible.
    #[test]
    fn boards_in_disorder(order in Just((0..24).collect::<Vec<usize>>()).prop_shuffle(), placed in 0..=24usize) {
        let words: Vec<_> = solution_lines().iter().flat_map(|line| line.split(' ')).collect();
        let mut text = "#GAME\n#BOARD\n".to_owned();
        for (cell, &piece) in words.iter().zip(&order).take(placed) {
            text += &format!("{}{} ", &words[piece][..3], &cell[3..]);
        }
        text += "\n#PILE\n";
        for &piece in &order[placed..] {
            text += &format!("{}\n", &words[piece][..4]);
        }
        let mut table = read(&text);
        let all = kinds(&table.view());
        prop_assert_eq!(read(&table.file()).view(), table.view());
        table.hint(&effort()).unwrap();
        prop_assert_eq!(kinds(&table.view()), &all[..]);
        table.finish(&effort()).unwrap();
        prop_assert!(table.is_solved());
        prop_assert_eq!(kinds(&table.view()), all);
    }
}

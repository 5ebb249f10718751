//! `godnum play` through a pipe: lines in, boards out.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::common::{complaint, godnum, signal, stdout};

/// Plays lines to the end of the input; what was answered.
fn played(dir: &Path, arguments: &[&str], lines: &str) -> String {
    let mut child = godnum(&[&["play"], arguments].concat())
        .current_dir(dir)
        .env("XDG_CACHE_HOME", dir.join("cache"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(lines.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {complaint}");
    String::from_utf8(output.stdout).unwrap()
}

fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

#[test]
fn tiles_as_in_the_old_game() {
    let dir = tempfile::tempdir().unwrap();
    let said = played(dir.path(), &["tiles", "--seed", "1"], "two\n11\n3\nj\nj\nkk\nl\ni\nk\nx\nj\nl\n");
    has(
        &said,
        &[
            "Which size, 3 to 10? (empty: 4)",
            "`two` is not a whole number from 3 to 10",
            "`11` is not a whole number",
            "Which key for left? (empty: a; or all four at once: left, right, up, down)",
            "`j` is the key for left already",
            "`kk` is neither one key nor 3",
            "Which key for down?",
            "tiles:3x3 (Sliding tiles 3x3)\n3 4 .\n5 2 7\n1 8 6\n0 moves",
            // The blank is in the upper right corner: two directions are left.
            "moves: R, U\nkeys: l right, i up\n",
            "`x` is not a move",
            "no tile can move left",
            "3 . 4\n5 2 7\n1 8 6\n1 move;",
            "The input has ended: tiles:3x3 (Sliding tiles 3x3), 1 move, not solved.",
        ],
    );
    // An empty answer takes what is offered; without answers there is no game.
    let said = played(dir.path(), &["tiles", "--seed", "1"], "3\n\n\n\n\nd\nq\n");
    has(&said, &["keys: d right, w up", "1 move, not solved."]);
    has(&played(dir.path(), &["tiles"], "3\n"), &["No game was chosen."]);
    // All keys in one line; upper case is the same, and comes before what a letter means otherwise.
    let said = played(dir.path(), &["tiles", "--seed", "1"], "3\na d w s\nD\nW\nq\n");
    has(&said, &["keys: d right, w up", "2 moves, not solved."]);
    let said = played(dir.path(), &["tiles", "--seed", "1"], "3\nadw\nadwa\nadws\nq\n");
    has(&said, &["`adw` is neither one key nor 4", "`a` is the key for left already", "0 moves"]);
    has(&played(dir.path(), &[], ""), &["klotski", "Which game?"]);
    has(&played(dir.path(), &[], "chess\ngourds\n"), &["names no puzzle", "gourds:seed1"]);
}

#[test]
fn a_game_of_tiles_is_won_and_another_begins() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path();
    let start = stdout(&["scramble", "tiles:3x3", "--seed", "5"]);
    let solved = godnum(&["solve", "tiles:3x3", start.trim(), "-q", "--json"])
        .env("XDG_CACHE_HOME", path.join("cache"))
        .output()
        .unwrap();
    let solved: serde_json::Value = serde_json::from_slice(&solved.stdout).unwrap();
    let moves: Vec<&str> = solved["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
    let lines = moves.join("\n") + "\nhint\nundo\nhint\nredo\nnew 7\nrestart\n";
    let said = played(path, &["tiles:3x3", "--seed", "5"], &lines);
    has(
        &said,
        &[
            "A new game, seed 5.",
            &format!("Congratulations, solved: {} moves!", moves.len()),
            "It is solved already.",
            "Hint: ",
            "1 move to go, this one included; there is no shorter way.",
            "A new game, seed 7.",
            "Back at the beginning.",
        ],
    );
    // What `solve` prints is accepted, with its counts; and `n` begins another game.
    let printed = godnum(&["solve", "tiles:3x3", start.trim(), "-q"])
        .env("XDG_CACHE_HOME", path.join("cache"))
        .output()
        .unwrap();
    let printed = String::from_utf8(printed.stdout).unwrap();
    let line = printed.lines().next().unwrap();
    assert!(line.contains('2') || line.contains('3'), "{line}");
    let said = played(path, &["tiles:3x3", "--seed", "5"], &format!("{line}\nn\n"));
    has(&said, &["`n` begins another game", &format!("solved: {} moves!", moves.len()), "A new game, seed "]);
    // Where size and keys were asked for, they are asked for again.
    let solved = played(path, &["tiles", "--seed", "5"], &format!("3\nadws\n{line}\nn\n4\nhjkl\nq\n"));
    has(&solved, &["Congratulations", "tiles:4x4"]);
    assert_eq!(solved.matches("Which size").count(), 2, "{solved}");
}

#[test]
fn klotski_is_played_saved_and_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path();
    let lines = "J\nleft\nF D1\nF D1\nB\nup\nsave game\nsave\nhint\nundo\nundo\nundo\nundo\n";
    let said = played(path, &["klotski"], lines);
    has(
        &said,
        &[
            "chosen: J",
            "1 move; BAAC/BAAC/DEEF/DGHF/I.J.",
            "2 moves; BAAC/BAAC/DEE./DGHF/I.JF",
            "`F D1` is not a move: something is in the way of `F`",
            "B cannot go up",
            "Saved in game",
            "name a file: `save FILE`",
            "Hint: ",
            "there is no move to take back",
        ],
    );
    let saved = std::fs::read_to_string(path.join("game")).unwrap();
    assert_eq!(
        saved,
        "{\"godnum\":\"game\",\"puzzle\":\"klotski:classic\",\"start\":\"BAAC/BAAC/DEEF/DGHF/I..J\",\
         \"moves\":[\"J L1\",\"F D1\"]}\n"
    );
    let said = played(path, &["--load", "game"], "undo\nredo\nsave game\nsave game\n");
    has(&said, &["2 moves; BAAC/BAAC/DEE./DGHF/I.JF", "1 move; BAAC/BAAC/DEEF/DGHF/I.J.", "Saved in game"]);
    assert_eq!(std::fs::read_to_string(path.join("game")).unwrap(), saved);
    // Whatever is not a game stays.
    std::fs::write(path.join("thesis.tex"), "years of work").unwrap();
    // A game in a file is replaced only if that is said twice; what the session wrote, at once.
    let said = played(path, &["klotski"], "J L1\nsave game\nundo\nsave game\nsave new\nsave new\n");
    has(&said, &["game holds a saved game: say `save` with the same name again", "Saved in new"]);
    assert_eq!(std::fs::read_to_string(path.join("game")).unwrap(), saved);
    let said = played(path, &["klotski"], "J L1\nsave game\nsave game\n");
    has(&said, &["Saved in game"]);
    assert_ne!(std::fs::read_to_string(path.join("game")).unwrap(), saved);
    let said = played(path, &["klotski"], "save thesis.tex\nsave none/such\n");
    has(&said, &["exists and is not a saved game", "the directory none does not exist: create it first"]);
    assert_eq!(std::fs::read_to_string(path.join("thesis.tex")).unwrap(), "years of work");
}

#[test]
fn a_solution_is_stepped_through() {
    let dir = tempfile::tempdir().unwrap();
    let said =
        played(dir.path(), &["gourds"], "solve\n\nnext\nback\nlast\nnext\njump\nfirst\nquit\n3\nsolve\n");
    has(
        &said,
        &[
            "8 moves; there is no shorter way",
            "0 of 8",
            "1 of 8: ",
            "8 of 8: ",
            "`jump` is not a command of a film",
            "The game is as it was before the film.",
            "1 move;",
        ],
    );
}

#[test]
fn wrapslide_and_gourds_take_arrows_and_notation() {
    let dir = tempfile::tempdir().unwrap();
    let said = played(dir.path(), &["wrapslide:4x4:2", "--seed", "1"], "b\nleft\nleft\nR1 T2\nR9\nhint\n");
    has(&said, &["chosen: B", "1 move;", "3 moves;", "`R9` is not a move", "Hint: "]);
    let said = played(dir.path(), &["gourds:seed1"], "right\nenter\n99\nundo\n1\n");
    has(&said, &["1 move;", "`99` is not a move here", "0 moves;"]);
}

#[test]
fn triangles_are_laid_and_solved() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path();
    let lines = "place DCa 1 1\nplace AAA 1 2\nplace aBd 1 2\nplace XYZ 1 1\nplace aBd 9 9\nundo\nredo\nsave t.txt\n\
                 fly\nclear\nundo\n";
    let said = played(path, &["triangles:sample"], lines);
    has(
        &said,
        &[
            "1 of 24 pieces on the board",
            "there is a piece in row 1, column 2 already: AAA",
            "there is no piece `XYZ`",
            "there is no cell in row `9`, column `9`",
            "Saved in t.txt",
            "`fly` is not a command",
        ],
    );
    let saved = std::fs::read_to_string(path.join("t.txt")).unwrap();
    assert!(saved.starts_with("#GAME\n#BOARD\nDCa111 AAA412\n#PILE\n"), "{saved}");
    let said = played(path, &["--load", "t.txt"], &"hint\n".repeat(9));
    has(&said, &["2 of 24 pieces", "A hint: ", " placed in row ", "Congratulations, solved: 8 steps!"]);
    has(&played(path, &["triangles:@t.txt"], ""), &["2 of 24 pieces"]);
    let said = played(path, &["--load", "t.txt"], "take 1 2\ntake 1 3\n");
    has(&said, &["1 of 24 pieces", "there is no piece in row 1, column 3"]);
    // What `solve` prints is accepted, and an empty file begins a new game.
    let said = played(path, &["triangles:tri4"], "AdB5 dcA1 aba6 aBd4\nAdB5 dcA1 aba6 aBd3\n");
    has(&said, &["aBd4 cannot lie in", "Congratulations, solved: 1 step!"]);
    std::fs::write(path.join("empty"), "\n").unwrap();
    let said = played(path, &["triangles:@empty"], "save empty\n");
    has(&said, &["empty is empty. A new game, seed ", "0 of 24 pieces", "Saved in empty"]);
    let said = played(path, &["triangles:tri4"], "solve\nlast\nquit\nsave part\n");
    has(&said, &["4 of 4: ", "the pile is empty", "0 of 4 pieces on the board"]);
    has(&played(path, &["--load", "part"], "place\n"), &["1 of 4 pieces"]);
}

#[test]
fn damaged_and_foreign_games_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let good = r#"{"godnum":"game","puzzle":"tiles:2x2","start":"1 2/0 3","moves":["L"]}"#;
    for (number, (content, why)) in [
        ("", "this is not a saved game"),
        ("years of work", "this is not a saved game"),
        ("{}", "does not say"),
        (&good[..40], "this is not a saved game"),
        (&good.replace("tiles:2x2", "tiles:1x1"), "names no puzzle"),
        (&good.replace("1 2/0 3", "1 2/0 0"), "has an invalid start"),
        (&good.replace("1 2/0 3", "2 1/0 3"), "cannot be solved"),
        (&good.replace("[\"L\"]", "[\"R\"]"), "breaks a rule"),
        (&good.replace("[\"L\"]", "[1]"), "is not a text"),
        (&good.replace(",\"moves\":[\"L\"]", ""), "no `moves`"),
        ("#GAME\n#BOARD\nDCa111 DCa112\n", "line 3"),
        ("#GAME\n#PILE\nAAA1\n", "1 of its 24 pieces"),
    ]
    .into_iter()
    .enumerate()
    {
        let name = path(&number.to_string());
        std::fs::write(&name, content).unwrap();
        let said = complaint(&["play", "--load", &name], 5);
        assert!(said.contains(why), "{content}: {said}");
    }
    std::fs::write(path("binary"), [0xff, 0xfe, 0]).unwrap();
    complaint(&["play", "--load", &path("binary")], 5);
    complaint(&["play", "--load", &path("missing")], 1);
    complaint(&["play", "chess"], 2);
    complaint(&["play", "triangles:tri4", "--seed", "1"], 2);
    std::fs::write(path("good"), good).unwrap();
    complaint(&["play", "tiles:2x2", "--load", &path("good")], 2);
}

#[test]
fn strange_lines_are_answered() {
    let dir = tempfile::tempdir().unwrap();
    let long = "x".repeat(70_000);
    let said =
        played(dir.path(), &["tiles:3x3", "--seed", "1"], &format!("\u{1b}[A\n{long}\nundo 3\nnew x\n\n"));
    has(&said, &["is not a move", "`undo` takes no argument", "the seed `x` is not a whole number"]);
}

#[test]
fn a_signal_ends_a_game() {
    for name in ["INT", "TERM"] {
        let mut child = godnum(&["play", "klotski"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Waiting would close it.
        let _input = child.stdin.take();
        // It has begun when there is a board.
        let mut first = [0; 16];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut first).unwrap();
        signal(&child, name);
        assert_eq!(child.wait().unwrap().code(), Some(130));
    }
}

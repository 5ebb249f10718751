//! Everything that is wrong ends in a sentence with its line.

use super::*;

const TINY: &str =
    "Name t\nSet A 3 2\nSet B 2 1\nSolved\nA\n1 2 3\n0 0 0\nB\n1 2\nEnd\nMove a\nA\n2 3 1\n1 1 0\nEnd\n";

/// Checks the error for a text.
#[track_caller]
fn refused(text: &str, line: usize, reason: &str) {
    let error = read(text).expect_err(text);
    assert!(error.reason.contains(reason), "{error}\nshould say: {reason}");
    assert_eq!(error.line, line, "{error}");
    assert!(error.to_string().len() < 400 && !error.to_string().contains('\n'), "{error}");
}

#[test]
fn tws() {
    assert!(read(TINY).is_ok());
    let end = 1 + TINY.lines().count();
    for (old, new, line, reason) in [
        ("Name t", "Nome t", 1, "`Nome` does not begin a section"),
        ("Set A 3 2", "Set A 3", 2, "the number of orientations is missing"),
        ("Set A 3 2", "Set A 0 2", 2, "1 to 255 pieces, not 0"),
        ("Set A 3 2", "Set A 256 2", 2, "1 to 255 pieces, not 256"),
        ("Set A 3 2", "Set A 3 0", 2, "at least one orientation"),
        ("Set A 3 2", "Set A 3 128", 2, "at most 127"),
        ("Set A 3 2", "Set A 99999999999999999999 2", 2, "too large"),
        ("Set A 3 2", "Set A -3 2", 2, "`-3` is not a number"),
        ("Set A 3 2", "Set A 3 2 1", 2, "`1` is one word too many"),
        ("Set B 2 1", "Set A 2 1", 3, "two sets called `A`"),
        ("Solved\nA", "Solved\nC", 5, "no set called `C`"),
        ("Solved\nA", "Solved\n1", 5, "should be the name of a set"),
        ("B\n1 2\n", "A\n1 2 3\n", 8, "is here twice"),
        ("1 2 3\n0", "1 2\n0", 6, "this row of A has"),
        ("1 2 3\n0 0 0", "1 2 3 4\n0 0 0", 6, "more than 3 numbers"),
        ("1 2 3\n0 0 0", "1 2 3\n0 0", 7, "has 2 numbers, not 3"),
        ("1 2 3\n0 0 0", "1 2 3\n0 0 0\n0 0 0", 8, "should be the name of a set"),
        ("1 2 3\n0 0 0", "0 2 3\n0 0 0", 6, "counted from 1"),
        ("1 2 3\n0 0 0", "1 2 300\n0 0 0", 6, "labels go up to 255"),
        ("1 2 3\n0 0 0", "1 2 3\n0 2 0", 4, "2 is not an orientation of A"),
        ("1 2 3\n0 0 0", "1 2 2\n0 ? 0", 4, "identical pieces of A contradict each other"),
        ("1 2 3\n0 0 0", "1 2 3\n0 x 0", 7, "has 1 numbers, not 3"),
        ("Solved", "Solved twice", 4, "`twice` is one word too many"),
        ("Move a\n", "Move\n", 11, "the name of the move is missing"),
        ("Move a\nA\n2 3 1", "Move a\nA\n2 3 3", 13, "not a permutation"),
        ("Move a\nA\n2 3 1", "Move a\nA\n2 3 4", 13, "not a permutation"),
        ("Move a\nA\n2 3 1", "Move a\nA\n2 3 0", 13, "counted from 1"),
        ("Move a\nA\n2 3 1", "Move a\nA\n2 3 ?", 13, "a move has no `?`"),
        ("2 3 1\n1 1 0", "2 3 1\n1 2 0", 13, "2 is not an orientation of A"),
        ("Move a", "Set C 1 1\nMove a", 11, "sets come before"),
        ("Move a", "Solved\nEnd\nMove a", 11, "already said in line 4"),
        ("Move a", "StartState\nEnd\nMove a", 11, "already said in line 4"),
    ] {
        assert!(TINY.contains(old), "{old}");
        refused(&TINY.replacen(old, new, 1), line, reason);
    }
    for (more, reason) in [
        ("Move a\nEnd\n", "two moves called `a`"),
        ("Move b\nA\n", "this row of A has 0 numbers"),
        ("Move b\n", "Move has no `End`"),
        ("MoveSequence b\n", "the moves of the sequence are missing"),
        ("MoveSequence a a\n", "two moves called `a`"),
        ("MoveSequence b a c\n", "`c` is not a move"),
        ("MoveSequence b (a\n", "a `(` lacks its `)`"),
        ("MoveSequence b [a, a\n", "a `[` lacks its `]`"),
        ("MoveSequence b [a]\n", "needs a `,` or a `:`"),
        ("MoveSequence b a)\n", "closes nothing"),
        ("MoveSequence b a:a\n", "belongs between"),
        ("MoveSequence b a99999999999\n", "too often"),
        ("MoveSequence b b\n", "a move is defined by itself: `b`, which needs `b`"),
        ("MoveSequence b (c)2\nMoveAlias c d\nMoveAlias d b'\n", "which needs `c`, which needs `d`"),
        ("MoveAlias b a a\n", "an alias stands for one move"),
        ("ScrambleAlg s\na q\nEnd\n", "`q` is not a move"),
        ("ScrambleAlg s\na\n", "ScrambleAlg has no `End`"),
        ("Scramble s\nA\n1 2\nEnd\n", "this row of A has 2 numbers"),
        ("Illegal C 1 1\n", "no set called `C`"),
        ("Illegal A 4 1\n", "has 3 slots"),
        ("Illegal A 0 1\n", "counted from 1"),
        ("Illegal A 1 7\n", "there is no piece 7 in A"),
        ("Illegal A 1\n", "the piece is missing"),
    ] {
        let error = read(&format!("{TINY}{more}")).expect_err(more);
        assert!(error.reason.contains(reason), "{error}\nshould say: {reason}");
        assert!((end..end + 3).contains(&error.line), "{error}");
    }
    refused(&format!("{TINY}Illegal A 1 1\n"), 0, "the solved state is illegal");
    refused("", 0, "no set of pieces");
    refused("Set A 1 1\nMove a\nEnd\n", 0, "no block `Solved`");
    refused("Set A 1 1\nSolved\nEnd\n", 0, "no move");
    let control = TINY.replace("Move a", "Move a\u{1b}[31m");
    assert!(!read(&control).unwrap_err().to_string().contains('\u{1b}'));
}

#[test]
fn ksolve() {
    for (more, reason) in [
        ("ParallelMoves\na a\nEnd\n", "ParallelMoves is obsolete"),
        ("Multiplicators\na 3\nEnd\n", "Multiplicators is obsolete"),
        ("MoveLimits\na 3\nEnd\n", "belongs into a scramble file"),
        ("ForbiddenPairs\na q\nEnd\n", "`q` is not a move"),
        ("Ignore\nA\n0 0 2\nEnd\n", "only 0 and 1"),
        ("Ignore\nA\n0 0 1\nEnd\nIgnore\nEnd\n", "two blocks `Ignore`"),
        ("Block\nA\n4\nEnd\n", "there is no piece 4 in A"),
        ("Block\n1\nEnd\n", "should be the name of a set"),
        ("Block\nA\n0\nEnd\n", "should be the name of a set or a piece"),
        ("Block\nC\n1\nEnd\n", "no set called `C`"),
        ("Block\nA\n1\n", "Block has no `End`"),
        ("Ignore\nEnd\nMove b\nA\n1 1 1\nEnd\n", "not a permutation"),
    ] {
        let error = read(&format!("{TINY}{more}")).expect_err(more);
        assert!(error.reason.contains(reason), "{error}\nshould say: {reason}");
        assert!(error.line >= TINY.lines().count(), "{error}");
    }
}

#[test]
fn kpuzzle() {
    let text = "{\"name\": \"t\",\n\"orbits\": [{\"orbitName\": \"A\", \"numPieces\": 3, \"numOrientations\": 2}],\n\
        \"defaultPattern\": {\n\"A\": {\"pieces\": [0, 1, 2], \"orientation\": [0, 0, 0]}},\n\
        \"moves\": {\"a\": {\n\"A\": {\"permutation\": [1, 2, 0], \"orientationDelta\": [1, 1, 0]}}},\n\
        \"derivedMoves\": {\n\"b\": \"a a\",\n\"c\": \"[a: b]\"},\n\"godnum\": {\"powers\": true}}";
    assert!(read(text).is_ok());
    for (old, new, line, reason) in [
        ("\"name\"", "name", 1, "this is not a KPuzzle"),
        ("\"numPieces\": 3", "\"numPieces\": -3", 2, "invalid value"),
        ("\"numPieces\": 3", "\"numPieces\": 300", 2, "1 to 255 pieces"),
        ("\"numPieces\": 3", "\"numPieces\": 2", 4, "`pieces` has 3 numbers, not 2"),
        ("\"numOrientations\": 2", "\"numOrientations\": 1e3", 2, "invalid type"),
        ("[0, 1, 2]", "[0, 1, 999]", 4, "labels go up to 255"),
        ("[0, 0, 0]", "[0, 0]", 4, "`orientation` has 2 numbers, not 3"),
        ("[0, 0, 0]", "[0, 0, 2]", 3, "2 is not an orientation of A"),
        ("[0, 0, 0]", "[0, 0, 0], \"orientationMod\": [0, 0, 3]", 3, "3 does not divide"),
        ("[1, 2, 0]", "[1, 1, 0]", 6, "not a permutation"),
        ("[1, 2, 0]", "[1, 3, 0]", 6, "not a permutation"),
        ("[1, 1, 0]", "[1, 5, 0]", 6, "5 is not an orientation"),
        ("[1, 1, 0]", "[1]", 6, "`orientationDelta` has 1 numbers"),
        ("\n\"A\": {\"permutation\"", "\n\"B\": {\"permutation\"", 6, "no set called `B`"),
        ("\"c\"", "\"b\"", 9, "is in it twice"),
        ("\"c\"", "\"a\"", 9, "two moves called `a`"),
        ("\"c\"", "\"c d\"", 9, "a name is one word"),
        ("a a", "c a", 8, "a move is defined by itself"),
        ("[a: b]", "[a: q]", 9, "`q` is not a move"),
        ("\"powers\"", "\"power\"", 10, "unknown field"),
        (
            "\"powers\": true",
            "\"goals\": [{\"A\": {\"pieces\": [0, 0, 0]}}]",
            10,
            "are not those of the solved",
        ),
        ("\"powers\": true", "\"forbidden\": [[\"A\", 0, 0]]", 0, "the solved state is illegal"),
        ("\"powers\": true", "\"blocks\": [[[\"A\", 3]]]", 10, "there is no piece 3"),
    ] {
        assert!(text.contains(old), "{old}");
        refused(&text.replacen(old, new, 1), line, reason);
    }
    refused(&"[".repeat(100_000), 1, "not a KPuzzle");
    refused("{}", 1, "missing field");
}

#[test]
fn patterns() {
    let definition = read(TINY).unwrap();
    for (text, line, reason) in [
        ("", 0, "no pattern in it"),
        ("# nothing\n", 0, "no pattern in it"),
        ("Move a\nEnd", 1, "does not begin a pattern"),
        ("Solved\nA\n1 1 2\nEnd", 1, "are not those of the solved state"),
        ("Solved\nA\n1 3 2\n0 ? 0\nEnd", 1, "is not given, although it matters"),
        ("Solved\nA\n1 3 2\n0 2 0\nEnd", 1, "2 is not an orientation"),
        ("Solved\nA\n1 3 2\n", 1, "Solved has no `End`"),
        ("ScrambleAlg\na b\nEnd", 1, "`b` is not a move"),
        ("[{}, {\n\"A\": {\"pieces\": [0]}}]", 2, "has 1 numbers"),
        ("{\"A\": 3}", 1, "invalid type"),
    ] {
        let error = read_patterns(text, &definition).expect_err(text);
        assert!(error.reason.contains(reason), "{error}\nshould say: {reason}");
        assert_eq!(error.line, line, "{error}");
    }
}

#[test]
fn hostile_texts_are_bounded() {
    let many = |line: fn(usize) -> String, count: usize| (0..count).map(line).collect::<String>();
    refused(&many(|number| format!("Set S{number} 1 1\n"), 300), 256, "more than 255 sets");
    refused(&many(|number| format!("Set S{number} 255 1\n"), 300), 17, "more than 4096 pieces");
    let moves = many(|number| format!("Move m{number}\nEnd\n"), 20_000);
    refused(&format!("{TINY}{moves}"), 15 + 2 * 999 + 1, "more than 1000 moves");
    let sequences = many(|number| format!("MoveSequence s{number} s{}\n", number + 1), 999);
    refused(&format!("{TINY}{sequences}"), 15 + 999, "`s999` is not a move");
    let chain = sequences.replace("s999", "a");
    assert!(read(&format!("{TINY}{chain}")).is_ok());
    let doubling = many(|number| format!("MoveSequence s{number} (s{0} s{0})4000000000'\n", number + 1), 99);
    assert!(read(&format!("{TINY}{}", doubling.replace("s99 s99", "a a"))).is_ok());
    for nested in ["(", "[", "[a,", "[a:[a,("] {
        let text = format!("{TINY}MoveSequence b {}\n", nested.repeat(100_000));
        refused(&text, 16, "nested deeper");
    }
    let long = format!("{TINY}MoveSequence b {}\n", "()9".repeat(100_000));
    refused(&long, 16, "more than 5000 moves");
    let tiny = read(TINY).unwrap();
    for many in ["Solved\nEnd\n".repeat(5000), format!("[{}{{}}]", "{},".repeat(5000))] {
        assert!(read_patterns(&many, &tiny).unwrap_err().reason.contains("more than 4096 patterns"));
    }
    let scrambles = format!("ScrambleAlg\n{}\nEnd\n", "a ".repeat(1000)).repeat(6);
    assert!(read_patterns(&scrambles, &tiny).unwrap_err().reason.contains("more than 5000 moves"));
    let name = "n".repeat(100_000);
    refused(&format!("{TINY}Move {name}\nEnd\n"), 16, "1 to 100 characters");
    assert!(read(&TINY.replace("Name t", &format!("Name {name}"))).unwrap().name.len() <= 100);
    let order = "Set A 255 1\nSolved\nEnd\nMove a\nA\n";
    // Cycles of 2, 3, 5, ... pieces: the order is their product.
    let mut row = Vec::new();
    for length in [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 17] {
        let first = row.len() + 1;
        row.extend((0..length).map(|at| (first + (at + 1) % length).to_string()));
    }
    let definition = read(&format!("{order}{}\nEnd\n", row.join(" "))).unwrap();
    let order = definition.moves[0].transformation.order(&definition.orbits);
    assert_eq!(order, Some(2 * 3 * 5 * 7 * 11 * 13 * 17 * 19 * 23 * 29 * 31 * 37 * 41));
    let joined = format!(
        "{}HUB\n1\n1\nEnd\nBlock\nHUB\n1\nEnd\n",
        "Set A 255 1\nSet HUB 1 1\nSolved\nEnd\nMove a\nA\n".to_owned() + &row.join(" ") + "\n"
    );
    refused(&joined, 0, "too large orders");
}

//! What the sections of each format mean.

use super::*;
use crate::puzzles::perm::definition::{Forbidden, PieceName, SlotName};
use crate::puzzles::perm::format::tws::is_rotation;
use crate::puzzles::perm::tests::oracle::is_available;

const RING: &str = "Name ring\nSet C 4 3\nSet E 4 2\nSolved\nC\n1 2 3 4\nE\n1 2 3 4\nEnd\n\
    Move R\nC\n2 3 1 4\n1 2 0 1\nEnd\nMove U\nC\n1 2 4 3\nE\n4 1 2 3\n1 0 0 1\nEnd\n";

#[test]
fn orientations_of_a_tws_move_belong_to_the_piece_as_listed() {
    let ring = read(RING).unwrap();
    let part = &transformation(&ring, "R").0[0];
    assert_eq!(part.from, [1, 2, 0, 3]);
    assert_eq!(part.turn, [2, 0, 1, 1]);
    let by_slot = RING.replace("Move R\nC\n2 3 1 4\n1 2 0 1", "MoveTransformation R\nC\n1 2 0 3\n2 0 1 1");
    assert_eq!(read(&by_slot), Ok(ring));
}

#[test]
fn labels_have_gaps_and_question_marks_are_labels() {
    let text = "Set A 4 3\nSolved\nA\n7 ? 7 200\n? 1 ? 2\nEnd\nMove a\nA\n2 3 4 1\nEnd";
    let definition = read(text).unwrap();
    let part = &definition.solved[0].0[0];
    assert_eq!(part.pieces, [0, 2, 0, 1]);
    assert_eq!(part.orientation, [0, 1, 0, 2]);
    assert_eq!(part.modulus, [1, 3, 3]);
    // The same labels in a goal mean the same pieces.
    let goal = "# another one\nSolved\nA\n200 7 7 ?\n1 ? 2 0\nEnd\nScrambleAlg b\na2 a'\nEnd";
    let goals = read_patterns(goal, &definition).unwrap();
    assert_eq!(goals[0].0[0].pieces, [1, 0, 0, 2]);
    assert_eq!(goals[0].0[0].orientation, [1, 0, 0, 0]);
    assert_eq!(goals[1], definition.solved[0].after(transformation(&definition, "a")));
}

#[test]
fn a_start_state_counts_from_zero() {
    let from_zero = RING.replace("Solved\nC\n1 2 3 4\nE\n1 2 3 4", "StartState\nC\n0 1 2 3\nE\n0 1 2 3");
    assert_eq!(read(&from_zero), read(RING));
    assert_eq!(read(&RING.replace("\nE\n1 2 3 4\nEnd", "\nEnd")), read(RING));
}

#[test]
fn comments_and_line_ends_do_not_matter() {
    let odd = RING.replace('\n', "\r\n  # comment End Move\r\n\r\n\t");
    assert_eq!(read(&odd), read(RING));
    assert_eq!(read(&format!("\u{feff}{RING}")), read(RING));
    assert_eq!(read(&RING.replace("1 2 3 4\nE", "1 2\n3 4\nE")), read(RING));
}

#[test]
fn sequences_and_aliases_name_each_other_in_any_order() {
    let text = format!(
        "{RING}MoveSequence twice both both\nMoveSequence both R, V\nMoveAlias V U2'\nMoveSequence Zv [R: U] (R U)2'\n\
         Scramble s\nC\n2 1 3 4\n0 0 0 0\nE\n1 2 3 4\n0 0 0 0\nEnd\nScrambleAlg t\nR U2 V' twice\nEnd\n"
    );
    let definition = read(&text).unwrap();
    let names: Vec<&str> = definition.moves.iter().map(|mv| mv.name.as_str()).collect();
    assert_eq!(names, ["R", "U", "twice", "both"], "an alias is no move");
    assert_eq!(definition.rotations.len(), 1);
    let orbits = &definition.orbits;
    let (r, u) = (transformation(&definition, "R"), transformation(&definition, "U"));
    let back = u.inverse(orbits).then(&u.inverse(orbits), orbits);
    let both = r.then(&back, orbits);
    assert_eq!(transformation(&definition, "both"), &both);
    assert_eq!(transformation(&definition, "twice"), &both.then(&both, orbits));
    let ru = r.then(u, orbits);
    let twice = ru.then(&ru, orbits).inverse(orbits);
    let conjugate = ru.then(&r.inverse(orbits), orbits);
    assert_eq!(transformation(&definition, "Zv"), &conjugate.then(&twice, orbits));
}

#[test]
fn brackets_are_commutators_and_conjugates() {
    let text = format!(
        "{RING}MoveSequence A [R, U]2'\nMoveSequence B R U R' U' R U R' U'\nMoveSequence a [R U: [R': U2]] . // end\n\
         MoveSequence b R U R' U2 R U' R'\nMoveSequence none (R U)0\n"
    );
    let definition = read(&text).unwrap();
    let orbits = &definition.orbits;
    assert_eq!(transformation(&definition, "A"), &transformation(&definition, "B").inverse(orbits));
    assert_eq!(transformation(&definition, "a"), transformation(&definition, "b"));
    assert!(transformation(&definition, "none").is_identity());
}

#[test]
fn rotations_are_told_by_their_names() {
    for name in ["x", "y2", "z'", "Uv", "A_BCv", "_v"] {
        assert!(is_rotation(name), "{name}");
    }
    for name in ["v", "xy", "x3", "X", "Uw", "uv", "U2v", "Uv2", "", "'"] {
        assert!(!is_rotation(name), "{name}");
    }
}

#[test]
fn illegal_pieces_have_the_labels_of_the_file() {
    let text = RING.replace("E\n1 2 3 4\nEnd", "E\n1 5 9 9\nEnd") + "Illegal E 2 1 9\nIllegal C 4 1\n";
    let definition = read(&text).unwrap();
    let forbidden = |orbit, slot, piece| Forbidden { slot: SlotName { orbit, slot }, piece };
    assert_eq!(definition.forbidden, [forbidden(1, 1, 0), forbidden(1, 1, 2), forbidden(0, 3, 0)]);
    let mv = transformation(&definition, "U");
    assert!(!is_available(&definition, &definition.solved[0], mv), "U brings piece 1 of E to slot 2");
    let other = transformation(&definition, "R");
    assert!(is_available(&definition, &definition.solved[0], other), "R leaves slot 4 of C alone");
}

/// Two discs that share two of their pieces, one of them with a centre that turns in place.
const DISCS: &str = "Name discs\nSet P 6 1\nSet HUB 1 1\nSolved\nP\n1 2 3 4 5 6\nHUB\n1\nEnd\n\
    Move L\nP\n2 3 4 1 5 6\nHUB\n1\n1\nEnd\nMove R\nP\n1 2 4 5 6 3\nEnd\n";

#[test]
fn blocks_join_pieces_and_centres_that_turn() {
    // Without a block, what turns in place changes nothing.
    let free = read(&format!("{DISCS}ForbiddenPairs\nL R\nEnd\n")).unwrap();
    assert_eq!(free.orbits[1].orientations, 1);
    // Two cycles of four that share two of six points generate a group of order 120.
    assert_eq!(levels(&free, OracleMetric::AnyPower).iter().sum::<usize>(), 120);
    // Piece 2 is fixed to the hub: where the right disc would take it along, it cannot turn.
    let bound = format!(
        "{DISCS}Block\nP\n2\nHUB\n1\nEnd\nForbiddenPairs\nL R\nR L'\nEnd\nForbiddenGroups\nL R L2\nEnd\n"
    );
    let bound = read(&bound).unwrap();
    let piece = |orbit, piece| PieceName { orbit, piece };
    assert_eq!(bound.blocks, [vec![piece(0, 1), piece(1, 0)]]);
    assert_eq!(bound.orbits[1].orientations, 4);
    assert_eq!(bound.solved[0].0[1].modulus, [1]);
    let l = transformation(&bound, "L");
    assert_eq!((l.order(&bound.orbits), l.0[1].turn[0]), (Some(4), 1));
    let mut twice = bound.solved[0].clone();
    let r = transformation(&bound, "R");
    assert!(is_available(&bound, &twice, r));
    for _ in 0..2 {
        assert!(is_available(&bound, &twice, l));
        twice = twice.after(l);
    }
    assert!(!is_available(&bound, &twice, r), "piece 2 is in the right disc now");
    assert!(levels(&bound, OracleMetric::AnyPower).iter().sum::<usize>() <= 120);
}

#[test]
fn ignored_pieces_are_identical_unless_they_are_joined() {
    let ring = RING.replace("1 2 0 1\nEnd", "4 5 0 1\nEnd");
    assert!(read(&ring).is_err(), "twsearch has no orientation 5 of 3");
    let ignore = "Ignore\nC\n0 1 1 0\n0 1 0 1\nEnd\n";
    let definition = read(&format!("{ring}{ignore}")).unwrap();
    assert_eq!(transformation(&definition, "R"), transformation(&read(RING).unwrap(), "R"), "modulo 3");
    let part = &definition.solved[0].0[0];
    // The pieces in slots 2 and 3 have lost their identity, but only one of them its orientation.
    assert_eq!(part.pieces, [0, 3, 2, 1]);
    assert_eq!(part.modulus, [3, 1, 3, 1]);
    let joined = read(&format!("{ring}{ignore}Block\nC\n2 3 4\nEnd\n")).unwrap();
    assert_eq!(joined.solved, read(RING).unwrap().solved);
    // In this format a move is a move.
    let named = read(&format!("{}{ignore}", ring.replace("Move U", "Move y"))).unwrap();
    assert_eq!((named.moves.len(), named.rotations.len()), (2, 0));
}

#[test]
fn derived_moves_of_a_kpuzzle_are_moves() {
    let all = built_in("2x2x2-rotations");
    let few = Definition {
        moves: all.moves.iter().filter(|mv| mv.name == "U").cloned().collect(),
        rotations: all.rotations.iter().filter(|mv| mv.name != "z").cloned().collect(),
        ..all.clone()
    };
    let derived = r#""derivedMoves": { "z": "[x: y]", "L": "[z: U]", "F": "[x: U]", "R": "[z': U]",
        "B": "[x': U]", "D": "[x2: U]" },
  "moves""#;
    let text = write(&few, Format::Kpuzzle).replace("\"moves\"", derived);
    let read_back = read(&text).unwrap();
    for mv in all.moves.iter().chain(&all.rotations) {
        assert_eq!(transformation(&read_back, &mv.name), &mv.transformation, "{}", mv.name);
    }
    assert_eq!((read_back.moves.len(), read_back.rotations.len()), (6, 3));
    let old =
        text.replace("derivedMoves", "experimentalDerivedMoves").replace("defaultPattern", "startState");
    assert_eq!(read(&old.replace("orientationDelta", "orientation")), Ok(read_back));
}

#[test]
fn a_kpuzzle_knows_orientations_modulo_a_divisor() {
    let text = r#"{"name": "t", "orbits": [{"orbitName": "A", "numPieces": 3, "numOrientations": 4},
        {"orbitName": "B", "numPieces": 2, "numOrientations": 1}],
        "defaultPattern": {"A": {"pieces": [0, 2, 2], "orientation": [1, 0, 0], "orientationMod": [2, 0, 0]}},
        "moves": {"a": {"A": {"permutation": [1, 2, 0], "orientationDelta": [3, 1, 0]}}}}"#;
    let definition = read(text).unwrap();
    let part = &definition.solved[0].0[0];
    assert_eq!((&part.pieces[..], &part.modulus[..]), (&[0, 1, 1][..], &[2, 4][..]));
    assert_eq!(definition.solved[0].0[1].pieces, [0, 1]);
    let goals = r#"[{"A": {"pieces": [2, 0, 2], "orientation": [3, 3, 0]}}, {}]"#;
    let goals = read_patterns(goals, &definition).unwrap();
    assert_eq!(goals[0].0[0].orientation, [3, 1, 0]);
    assert_eq!(goals[1], definition.solved[0]);
    assert_eq!(read_patterns("{}", &definition), Ok(definition.solved));
}

//! Games in files, and new games.

use super::*;

#[test]
fn games_of_the_page_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("game");
    let read = |content: &str| {
        std::fs::write(&path, content).unwrap();
        load(&path, &NEVER)
    };
    // A layout that came along, and a bent move in a game that counts steps.
    let page = r#"{"godnum":"game","puzzle":"klotski:@mine","file":"BAAC\nBAAC\nDEEF\nDGHF\nI..J\n",
        "start":"BAAC/BAAC/DEEF/DGHF/I..J","moves":["G D1R1","G L1U1"]}"#;
    let game = read(page).unwrap();
    assert_eq!(game.count(), "4 moves");
    assert!(game.status(None)[0].contains("BAAC/BAAC/DEEF/DGHF/I..J"));
    let again = game.save();
    assert!(again.contains(r#""file":"BAAC\nBAAC"#), "{again}");
    assert!(again.contains(r#"["G D1","G R1","G L1","G U1"]"#), "{again}");
    assert_eq!(read(&again).unwrap().save(), again);
    assert!(game.another(1).unwrap().save().contains("\"file\""));
    let slide = page.replace("@mine", "@mine:slide").replace("G D1R1\",\"G L1U1", "J L2");
    assert_eq!(read(&slide).unwrap().count(), "1 move");
    let move_ = page.replace("@mine", "@mine:move");
    assert_eq!(read(&move_).unwrap().count(), "2 moves");
    // Whatever breaks a rule is still refused, and the file must be one.
    assert!(read(&page.replace("G D1R1", "G U1R1")).is_err());
    assert!(read(&page.replace("\"BAAC\\n", "7\"")).is_err());
    // The start has one spelling.
    let spaced = r#"{"godnum":"game","puzzle":"tiles:2x2","start":"  1\t2 /  0   3 ","moves":[]}"#;
    assert!(read(spaced).unwrap().save().contains("\"1 2/0 3\""));
    // A long game can be stopped while it is loaded, and none is longer than can be kept.
    let long = |moves: usize| {
        let moves = vec!["\"L\",\"R\""; moves / 2].join(",");
        format!(r#"{{"godnum":"game","puzzle":"tiles:2x2","start":"1 2/0 3","moves":[{moves}]}}"#)
    };
    let why = read(&long(1_000_000)).err().unwrap().to_string();
    assert!(why.contains("has 1,000,000 moves, and at most 200,000 are read"), "{why}");
    std::fs::write(&path, long(1000)).unwrap();
    let stopped = load(&path, &AtomicBool::new(true));
    assert!(matches!(stopped, Err(Error::Interrupted(_))));
}

#[test]
fn games_are_saved_and_go_on() {
    let dir = tempfile::tempdir().unwrap();
    for (number, (text, lines)) in [
        ("tiles:3x3", vec![]),
        ("klotski:classic", vec!["J L1", "F D1"]),
        ("gourds:seed1", vec!["6"]),
        ("wrapslide:4x4:3:any", vec!["T1 B2", "L3"]),
        ("triangles:sample", vec!["place DCa 1 1", "place AAA 1 2", "turn add"]),
        ("triangles:hex6", vec!["place"]),
    ]
    .into_iter()
    .enumerate()
    {
        let seed = text.starts_with("tiles") || text.starts_with("wrap");
        let mut before = game(text, seed.then_some(1));
        for line in lines {
            before.say(line).unwrap_or_else(|why| panic!("{text}: {line}: {why}"));
        }
        let path = dir.path().join(number.to_string());
        std::fs::write(&path, before.save()).unwrap();
        let after = load(&path, &NEVER).unwrap();
        assert_eq!(after.save(), before.save(), "{text}");
        assert_eq!(after.board(false).lines().count(), before.board(false).lines().count());
    }
}

#[test]
fn part_boards_have_no_random_games() {
    let (scene, _) = played("triangles:tri4", None, ":new\n");
    assert!(message(&scene).contains("only the whole board"), "{scene:?}");
    assert!(scene.status[0].contains("of 4 pieces"));
    let (scene, _) = played("triangles:sample", None, ":new 3\n");
    assert!(message(&scene).contains("A new game, seed 3."), "{scene:?}");
}

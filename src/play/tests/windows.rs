//! Scenes in windows of any size.

use super::*;
use crate::play::screen::wrapped;
use crate::text::width;

#[test]
fn windows_of_any_size() {
    let scene = played("klotski:classic", None, "J").0;
    let lines = scene.lines(80, 24);
    assert!(lines[0].starts_with("klotski:classic") && lines.len() <= 24);
    assert!(lines.iter().any(|line| line.contains("[J]")));
    let small = scene.lines(16, 24).join(" ");
    assert!(small.contains("Window too small (q quits): the board"), "{small}");
    assert!(scene.lines(80, 12)[0].contains("too small"));
    assert_eq!(scene.lines(17, 13).len(), 13);
    // The smallest window still shows how to leave, and whether that was a question.
    let small = scene.lines(20, 5);
    assert_eq!(small[..2], ["Window too small (q", "quits): the board"]);
    let asking = Scene { message: Some("Press q again to abandon this game.".into()), ..scene.clone() };
    assert!(asking.lines(20, 5)[0].starts_with("Press q again"));
    // One sees where one types, and that a list continues.
    let typing = Scene { prompt: Some(format!(": {}_", "x".repeat(5000))), ..scene };
    let lines = typing.lines(40, 20);
    assert!(lines.len() == 20 && lines[19].ends_with('_'), "{lines:?}");
    let list = Scene { status: vec!["something".into(); 30], ..Scene::default() };
    let lines = list.lines(40, 10);
    assert!(lines[9].starts_with("... (a larger"), "{lines:?}");
    let tricky = Scene { message: Some("\x1b]0;title\x07".into()), ..Scene::default() };
    assert!(!tricky.lines(40, 10).concat().contains('\x1b') && !tricky.text().contains('\x1b'));
    assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
    assert_eq!(wrapped("abcdefgh", 3), ["abc", "def", "gh"]);
    assert_eq!(width("\x1b[30;42m 1 \x1b[0m"), 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn scenes_fit_their_windows(
        columns in 1usize..100,
        rows in 1usize..40,
        said in prop::option::of(".{0,200}"),
        text in prop::sample::select(vec!["tiles:3x3", "klotski:classic", "triangles:tri4"]),
    ) {
        let game = game(text, text.starts_with("tiles").then_some(7));
        let scene = Scene {
            title: game.title(),
            board: game.board(false),
            status: game.status(None),
            message: said.map(|said| said.replace('\x1b', " ")),
            keys: game.keys(),
            prompt: Some("x".into()),
        };
        let lines = scene.lines(columns, rows);
        prop_assert!(lines.len() <= rows);
        prop_assert!(lines.iter().all(|line| width(line) <= columns));
    }
}

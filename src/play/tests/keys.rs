//! Keys: the player's own, those that begin a line, and what is shown about them.

use super::*;

#[test]
fn keys_of_ones_own() {
    let keys = Keys::new(['j', 'l', 'i', 'k']).unwrap();
    assert_eq!(PlayCommand::of_key('k', Some(&keys)), Some(PlayCommand::Arrow(Arrow::Down)));
    assert_eq!(PlayCommand::of_line(" l\n", Some(&keys)).unwrap(), PlayCommand::Arrow(Arrow::Right));
    // They come before what a letter means otherwise.
    let keys = Keys::new(['h', 'u', 's', 'y']).unwrap();
    assert_eq!(PlayCommand::of_key('h', Some(&keys)), Some(PlayCommand::Arrow(Arrow::Left)));
    for (wrong, why) in [
        (['a', 'b', 'a', 'c'], "`a` is the key for left already"),
        ([' ', 'b', 'a', 'c'], "is not printable"),
        (['a', 'q', 'b', 'c'], "ends the game"),
        (['a', '?', 'b', 'c'], "the key for help"),
        ([':', 'd', 'b', 'c'], "begins a command"),
    ] {
        assert!(Keys::new(wrong).unwrap_err().to_string().contains(why));
    }
    assert_eq!(Keys::new(['a', 'd', 'w', 's']).unwrap(), Keys::DEFAULT);
}

#[test]
fn own_keys_come_first_wherever_keys_are_told() {
    let keys = Keys::new(['n', 'h', 'u', 'b']).unwrap();
    // Solved: with usual keys `n` begins another game, with these it is an arrow.
    let puzzle: std::sync::Arc<dyn crate::puzzle::Rules> = registry::parse("tiles:2x2").unwrap().into();
    let play = |keys: Option<Keys>, pressed: &str| {
        let state = puzzle.parse_state("1 2/3 0").unwrap();
        let game = MoveGame::new(puzzle.clone(), Some(state)).unwrap();
        let mut script = Script::of(pressed);
        let mut session = Session::new(&mut script, NewGame { keys, ..NewGame::of(Box::new(game)) }, &NEVER);
        session.play().unwrap();
        script.last().clone()
    };
    let usual = play(None, ":R\n:L\n");
    assert!(usual.keys.contains("n new game"), "{}", usual.keys);
    let back = "n begins another game, q ends this one.";
    assert!(message(&usual).ends_with(back), "{usual:?}");
    assert!(message(&play(None, "n")).starts_with("A new game"));
    let own = play(Some(keys), ":R\n:L\n");
    assert!(!own.keys.contains("n new game") && !own.keys.contains("h hint"));
    assert!(message(&own).contains("`:new` begins another game"), "{own:?}");
    assert!(!message(&play(Some(keys), "n")).starts_with("A new game"));
    let help = |keys| play(keys, "?").status.join("\n");
    assert!(help(None).contains("undo (u), redo (y): ") && help(None).contains("hint (h)"));
    assert!(help(Some(keys)).contains("undo, redo (y): ") && !help(Some(keys)).contains("(h)"));
}

#[test]
fn moves_are_typed_as_they_are_shown() {
    let (scene, count) = played("wrapslide:4x4:4", Some(3), "T3");
    assert_eq!((scene.prompt.as_deref(), &*count), (Some(": T3_"), "0 moves"));
    assert_eq!(played("wrapslide:4x4:4", Some(3), "T3\n").1, "1 move");
    assert_eq!(played("klotski:classic", None, "J L1\nF D1\n").1, "2 moves");
    assert_eq!(played("klotski:classic:slide", None, "J L2\n").1, "1 move");
    for text in ["wrapslide:4x4:4", "klotski:classic"] {
        let seed = text.starts_with("wrap").then_some(3);
        let scene = played(text, seed, "?").0;
        assert!(scene.status.join(" ").contains(" after the letter "), "{scene:?}");
    }
}

#[test]
fn q_stops_a_search_and_not_the_game() {
    /// Presses `s`, `q` while it is looked for a solution, and then nothing for a while.
    struct Hasty(Script);
    impl Screen for Hasty {
        fn show(&mut self, scene: &Scene) -> Result<()> {
            self.0.show(scene)
        }
        fn event(&mut self, _: Duration) -> Result<Event> {
            std::thread::sleep(Duration::from_millis(5));
            if let Some(key) = self.0.keys.pop_front() {
                return Ok(Event::GameKey(key));
            }
            self.0.patience -= 1;
            let over = message(self.0.last()).contains("stopped") || self.0.patience == 0;
            Ok(if over { Event::End } else { Event::Nothing })
        }
        fn is_live(&self) -> bool {
            true
        }
        fn colour(&self) -> bool {
            false
        }
    }
    // Long enough to be stopped: the tables for it are not there.
    let mut screen = Hasty(Script::of("sq"));
    let mut session = Session::new(&mut screen, NewGame::of(game("wrapslide:8x8:4", Some(1))), &NEVER);
    assert_eq!(session.play().unwrap(), SessionEnd::InputEnded);
    assert_eq!(message(screen.0.last()), "The search was stopped.");
}

//! Games, played by script: keys as from a terminal, scenes as in windows of any size.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use proptest::prelude::*;

use super::screen::wrapped;
use super::work::Work;
use super::*;
use crate::error::{Error, Result};
use crate::puzzle::triangles::Table;
use crate::puzzle::{Arrow, registry};

static NEVER: AtomicBool = AtomicBool::new(false);

/// A screen that presses keys, and remembers what it was shown.
#[derive(Default)]
struct Script {
    keys: VecDeque<Key>,
    scenes: Vec<Scene>,
    /// Looks without a key that are left, for searches.
    patience: usize,
}

impl Script {
    /// Characters as keys; `<` `>` `^` `v` are arrows, `\n` is Enter, `\x1b` Escape.
    fn of(text: &str) -> Self {
        let key = |character| match character {
            '<' => Key::Arrow(Arrow::Left),
            '>' => Key::Arrow(Arrow::Right),
            '^' => Key::Arrow(Arrow::Up),
            'v' => Key::Arrow(Arrow::Down),
            '\n' => Key::Enter,
            '\x1b' => Key::Escape,
            '\x08' => Key::Backspace,
            other => Key::Character(other),
        };
        Script {
            keys: text.chars().map(key).collect(),
            scenes: Vec::new(),
            patience: 5000,
        }
    }

    fn last(&self) -> &Scene {
        self.scenes.last().unwrap()
    }
}

impl Screen for Script {
    fn show(&mut self, scene: &Scene) -> Result<()> {
        self.scenes.push(scene.clone());
        Ok(())
    }

    fn event(&mut self, _: Duration) -> Result<Event> {
        // Keys are not pressed while something is looked for.
        let busy = self
            .last()
            .message
            .as_ref()
            .is_some_and(|m| m.contains("Esc stops"));
        if busy && self.patience > 0 {
            self.patience -= 1;
            std::thread::sleep(Duration::from_millis(10));
            return Ok(Event::Nothing);
        }
        Ok(self.keys.pop_front().map_or(Event::End, Event::Key))
    }

    fn is_live(&self) -> bool {
        true
    }

    fn colour(&self) -> bool {
        false
    }
}

fn game(text: &str, seed: Option<u64>) -> Box<dyn Game> {
    begin(registry::parse(text).unwrap().into(), seed).unwrap()
}

/// Plays keys; the last scene, and the game's count.
fn played(text: &str, seed: Option<u64>, keys: &str) -> (Scene, String) {
    let mut script = Script::of(keys);
    let mut session = Session::new(&mut script, game(text, seed), None, None, &NEVER);
    session.play().unwrap();
    let count = session.game().count();
    (script.last().clone(), count)
}

fn message(scene: &Scene) -> &str {
    scene.message.as_deref().unwrap_or_default()
}

#[test]
fn arrows_move_tiles() {
    let start = "tiles:2x2";
    let (scene, count) = played(start, Some(1), "");
    assert_eq!(count, "0 moves");
    // Whatever the start is: some arrows move, the others are explained, and there and back is two.
    let board = scene.board;
    for (there, back) in [("<", ">"), (">", "<"), ("^", "v"), ("v", "^")] {
        let (scene, count) = played(start, Some(1), there);
        if count == "0 moves" {
            assert!(message(&scene).starts_with("no tile can move"), "{scene:?}");
            assert_eq!(scene.board, board);
        } else {
            let (scene, count) = played(start, Some(1), &format!("{there}{back}"));
            assert_eq!((scene.board, &*count), (board.clone(), "2 moves"));
            let (scene, count) = played(start, Some(1), &format!("{there}uy\x08"));
            assert_eq!((scene.board, &*count), (board.clone(), "0 moves"));
        }
    }
}

#[test]
fn slides_of_one_half_are_one_move() {
    let text = "wrapslide:4x4:4";
    let (once, _) = played(text, Some(3), ":T3\n");
    for keys in ["T>", "T<<<", "t<<<", ":T1\n:T2\n", "T<>>", "<<<"] {
        let (scene, count) = played(text, Some(3), keys);
        assert_eq!(scene.status[0], once.status[0], "{keys}");
        assert_eq!(count, "1 move", "{keys}");
    }
    assert_eq!(played(text, Some(3), "T<>").1, "0 moves");
    assert_eq!(played(text, Some(3), "T<<<<").1, "0 moves");
    assert_eq!(played(text, Some(3), "T<<u").1, "0 moves");
    assert_eq!(played(text, Some(3), "T<B<T<").1, "3 moves");
    assert_eq!(played("wrapslide:4x4:4:unit", Some(3), "T<<").1, "2 moves");
    assert_eq!(played("wrapslide:4x4:4:unit", Some(3), "T<>").1, "2 moves");
    let (scene, _) = played(text, Some(3), "T^");
    assert!(message(&scene).contains("to the left and to the right only"));
    assert!(scene.board.contains("> "), "{}", scene.board);
    let (scene, _) = played(text, Some(3), "R");
    assert!(scene.board.starts_with("       v v\n"), "{}", scene.board);
}

#[test]
fn blocks_keep_their_letters() {
    // J goes left, F comes down: read on its own, the state would call them otherwise.
    let (scene, count) = played("klotski:classic", None, "J<Fv");
    assert_eq!(count, "2 moves");
    assert!(scene.status[0].contains("BAAC/BAA./DEEF/DGHF/I.JF") || scene.board.contains("[F]"));
    assert!(scene.status[0].ends_with("I.JF"), "{}", scene.status[0]);
    let (scene, _) = played("klotski:classic", None, "J<FvuU");
    assert!(
        scene.status[0].ends_with("DGHF/I.J."),
        "{}",
        scene.status[0]
    );
    assert_eq!(played("klotski:classic", None, "J<<").1, "2 moves");
    assert_eq!(played("klotski:classic:slide", None, "J<<").1, "1 move");
    assert_eq!(played("klotski:classic:slide", None, "J<<>").1, "1 move");
    assert_eq!(played("klotski:classic:move", None, "J<<>>").1, "0 moves");
    let (scene, _) = played("klotski:classic", None, "A^");
    assert!(message(&scene).starts_with("A cannot go up"));
}

#[test]
fn a_marker_walks_round_the_hole() {
    let (scene, _) = played("gourds:seed1", None, "");
    let first = scene.status.last().unwrap().clone();
    let (scene, _) = played("gourds:seed1", None, ">>>");
    assert_eq!(
        scene.status.last().unwrap(),
        &first,
        "three cells lie there"
    );
    assert_eq!(played("gourds:seed1", None, "><\n").1, "1 move");
    // A digit begins a number.
    let (scene, count) = played("gourds:seed1", None, "6\n");
    assert_eq!((&*count, scene.prompt), ("1 move", None));
    let (scene, _) = played("gourds:seed1", None, "99\n");
    assert!(message(&scene).contains("is not a move here"));
    // Boards without labels show their goal.
    assert!(
        played("gourds:rows-2-3-2", Some(1), "")
            .0
            .board
            .contains("goal")
    );
}

#[test]
fn pieces_are_laid_by_keys() {
    let (scene, count) = played("triangles:tri4", None, ".,\n");
    assert_eq!(count, "1 step");
    assert!(scene.status[0].contains("1 of 4 pieces"));
    let (scene, _) = played("triangles:tri4", None, "\nm\n");
    assert!(message(&scene).contains("already"), "{scene:?}");
    let (scene, _) = played("triangles:tri4", None, "\nmv\n");
    assert!(scene.status[0].contains("1 of 4 pieces on the board; at row 2, column 4"));
    let (scene, count) = played("triangles:tri4", None, "\nxuuy");
    assert_eq!(
        (&*count, scene.status[0].contains("1 of 4")),
        ("1 step", true)
    );
    assert!(
        message(&played("triangles:tri4", None, "x").0).contains("no piece in row 1, column 3")
    );
    assert!(message(&played("triangles:tri4", None, "c").0).contains("no piece lies"));
    // Hints fill the board, and then there are congratulations.
    let (scene, _) = played("triangles:tri4", None, "hh");
    assert!(message(&scene).contains("Congratulations"), "{scene:?}");
}

#[test]
fn what_is_searched_for_is_shown() {
    let (scene, _) = played("tiles:5x5", Some(2), "h");
    assert!(message(&scene).starts_with("Hint: "), "{scene:?}");
    let mut script = Script::of("s  p\x1bh");
    let mut session = Session::new(&mut script, game("tiles:5x5", Some(2)), None, None, &NEVER);
    session.play().unwrap();
    assert_eq!(session.game().count(), "0 moves");
    let films: Vec<_> = script
        .scenes
        .iter()
        .filter(|s| s.keys.contains("film"))
        .collect();
    assert!(
        films
            .iter()
            .any(|scene| scene.status[0].starts_with("2 of ")),
        "{films:?}"
    );
    // Whoever plays the hints to the end wins.
    let mut walk = game("tiles:5x5", Some(2));
    let answer = walk.errand(Wish::Hint)(crate::bfs::Control {
        stop: &NEVER,
        observer: &crate::bfs::Silent,
    });
    let Answer::Way(way) = answer.unwrap() else {
        panic!("no way");
    };
    let length = way.moves.len();
    walk.hint(Answer::Way(way)).unwrap();
    for _ in 0..length {
        let Some(Answer::Way(way)) = walk.known(Wish::Hint) else {
            panic!("forgotten");
        };
        let told = walk.hint(Answer::Way(way)).unwrap();
        let name = told
            .strip_prefix("Hint: ")
            .and_then(|told| told.split('.').next());
        walk.say(name.unwrap()).unwrap();
    }
    assert!(walk.is_solved());
}

#[test]
fn a_search_can_be_stopped() {
    let endless: Errand = Box::new(|control| {
        while !control.stopped() {
            control.observer.counted("endless", 1, 4);
            std::thread::sleep(Duration::from_millis(1));
        }
        Err(Error::Interrupted("stopped".into()))
    });
    let work = Work::start(Wish::Hint, endless).unwrap();
    while !work.sentence(true).contains("25 %") {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(!work.is_over() && work.sentence(true).contains("Esc stops it"));
    work.stop();
    assert!(work.sentence(true).starts_with("Stopping"));
    assert!(matches!(work.result(), Err(Error::Interrupted(_))));
    // Nor does one that fails by an error of ours harm the game.
    let failing = Work::start(Wish::Hint, Box::new(|_| panic!("on purpose"))).unwrap();
    assert!(
        failing
            .result()
            .unwrap_err()
            .to_string()
            .contains("please report")
    );
}

#[test]
fn keys_of_ones_own() {
    let keys = Keys::new(['j', 'l', 'i', 'k']).unwrap();
    assert_eq!(
        Command::of_key('k', Some(&keys)),
        Some(Command::Arrow(Arrow::Down))
    );
    assert_eq!(
        Command::of_line(" l\n", Some(&keys)).unwrap(),
        Command::Arrow(Arrow::Right)
    );
    // They come before what a letter means otherwise.
    let keys = Keys::new(['h', 'u', 's', 'y']).unwrap();
    assert_eq!(
        Command::of_key('h', Some(&keys)),
        Some(Command::Arrow(Arrow::Left))
    );
    for (wrong, why) in [
        (['a', 'b', 'a', 'c'], "`a` is the key for left already"),
        ([' ', 'b', 'a', 'c'], "cannot be seen"),
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
    let puzzle: std::sync::Arc<dyn crate::puzzle::Puzzle> =
        registry::parse("tiles:2x2").unwrap().into();
    let play = |keys: Option<Keys>, pressed: &str| {
        let state = puzzle.parse_state("1 2/3 0").unwrap();
        let walk = Walk::new(puzzle.clone(), Some(state)).unwrap();
        let mut script = Script::of(pressed);
        let mut session = Session::new(&mut script, Box::new(walk), keys, None, &NEVER);
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
    assert!(
        message(&own).contains("`:new` begins another game"),
        "{own:?}"
    );
    assert!(!message(&play(Some(keys), "n")).starts_with("A new game"));
    let help = |keys| play(keys, "?").status.join("\n");
    assert!(help(None).contains("undo (u), redo (y): ") && help(None).contains("hint (h)"));
    assert!(help(Some(keys)).contains("undo, redo (y): ") && !help(Some(keys)).contains("(h)"));
}

#[test]
fn moves_are_typed_as_they_are_shown() {
    let (scene, count) = played("wrapslide:4x4:4", Some(3), "T3");
    assert_eq!(
        (scene.prompt.as_deref(), &*count),
        (Some(": T3_"), "0 moves")
    );
    assert_eq!(played("wrapslide:4x4:4", Some(3), "T3\n").1, "1 move");
    assert_eq!(played("klotski:classic", None, "J L1\nF D1\n").1, "2 moves");
    assert_eq!(played("klotski:classic:slide", None, "J L2\n").1, "1 move");
    for text in ["wrapslide:4x4:4", "klotski:classic"] {
        let seed = text.starts_with("wrap").then_some(3);
        let scene = played(text, seed, "?").0;
        assert!(
            scene.status.join(" ").contains(" after the letter "),
            "{scene:?}"
        );
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
                return Ok(Event::Key(key));
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
    let mut session = Session::new(
        &mut screen,
        game("wrapslide:8x8:4", Some(1)),
        None,
        None,
        &NEVER,
    );
    assert_eq!(session.play().unwrap(), Ending::InputEnded);
    assert_eq!(message(screen.0.last()), "The search was stopped.");
}

#[test]
fn part_boards_have_no_random_games() {
    let (scene, _) = played("triangles:tri4", None, ":new\n");
    assert!(
        message(&scene).contains("only the whole board"),
        "{scene:?}"
    );
    assert!(scene.status[0].contains("of 4 pieces"));
    let (scene, _) = played("triangles:sample", None, ":new 3\n");
    assert!(message(&scene).contains("A new game, seed 3."), "{scene:?}");
}

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
    assert!(
        again.contains(r#"["G D1","G R1","G L1","G U1"]"#),
        "{again}"
    );
    assert_eq!(read(&again).unwrap().save(), again);
    assert!(game.another(1).unwrap().save().contains("\"file\""));
    let slide = page
        .replace("@mine", "@mine:slide")
        .replace("G D1R1\",\"G L1U1", "J L2");
    assert_eq!(read(&slide).unwrap().count(), "1 move");
    let move_ = page.replace("@mine", "@mine:move");
    assert_eq!(read(&move_).unwrap().count(), "2 moves");
    // Whatever breaks a rule is still refused, and the file must be one.
    assert!(read(&page.replace("G D1R1", "G U1R1")).is_err());
    assert!(read(&page.replace("\"BAAC\\n", "7\"")).is_err());
    // The start has one spelling.
    let spaced = r#"{"godnum":"game","puzzle":"tiles:2x2","start":"  1\t2 /  0   3 ","moves":[]}"#;
    assert!(read(spaced).unwrap().save().contains("\"1 2/0 3\""));
    // Nobody has to wait for a long game, and none is longer than can be kept.
    let long = |moves: usize| {
        let moves = vec!["\"L\",\"R\""; moves / 2].join(",");
        format!(r#"{{"godnum":"game","puzzle":"tiles:2x2","start":"1 2/0 3","moves":[{moves}]}}"#)
    };
    let why = read(&long(1_000_000)).err().unwrap().to_string();
    assert!(
        why.contains("has 1,000,000 moves, and at most 200,000 are read"),
        "{why}"
    );
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
        (
            "triangles:sample",
            vec!["lay DCa 1 1", "lay AAA 1 2", "turn add"],
        ),
        ("triangles:hex6", vec!["lay"]),
    ]
    .into_iter()
    .enumerate()
    {
        let seed = text.starts_with("tiles") || text.starts_with("wrap");
        let mut before = game(text, seed.then_some(1));
        for line in lines {
            before
                .say(line)
                .unwrap_or_else(|why| panic!("{text}: {line}: {why}"));
        }
        let path = dir.path().join(number.to_string());
        std::fs::write(&path, before.save()).unwrap();
        let after = load(&path, &NEVER).unwrap();
        assert_eq!(after.save(), before.save(), "{text}");
        assert_eq!(
            after.board(false).lines().count(),
            before.board(false).lines().count()
        );
    }
}

#[test]
fn windows_of_any_size() {
    let scene = played("klotski:classic", None, "J").0;
    let lines = scene.lines(80, 24);
    assert!(lines[0].starts_with("klotski:classic") && lines.len() <= 24);
    assert!(lines.iter().any(|line| line.contains("[J]")));
    let small = scene.lines(16, 24).join(" ");
    assert!(
        small.contains("Window too small (q quits): the board"),
        "{small}"
    );
    assert!(scene.lines(80, 12)[0].contains("too small"));
    assert_eq!(scene.lines(17, 13).len(), 13);
    // Whoever sees nothing else sees how to leave, and whether that was a question.
    let small = scene.lines(20, 5);
    assert_eq!(small[..2], ["Window too small (q", "quits): the board"]);
    let asking = Scene {
        message: Some("Press q again to give this game up.".into()),
        ..scene.clone()
    };
    assert!(asking.lines(20, 5)[0].starts_with("Press q again"));
    // One sees where one types, and that a list goes on.
    let typing = Scene {
        prompt: Some(format!(": {}_", "x".repeat(5000))),
        ..scene
    };
    let lines = typing.lines(40, 20);
    assert!(lines.len() == 20 && lines[19].ends_with('_'), "{lines:?}");
    let list = Scene {
        status: vec!["something".into(); 30],
        ..Scene::default()
    };
    let lines = list.lines(40, 10);
    assert!(lines[9].starts_with("... (a larger"), "{lines:?}");
    let tricky = Scene {
        message: Some("\x1b]0;title\x07".into()),
        ..Scene::default()
    };
    assert!(!tricky.lines(40, 10).concat().contains('\x1b') && !tricky.text().contains('\x1b'));
    assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
    assert_eq!(wrapped("abcdefgh", 3), ["abc", "def", "gh"]);
    assert_eq!(width("\x1b[30;42m 1 \x1b[0m"), 3);
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "undo",
            "redo",
            "restart",
            "left",
            "right",
            "up",
            "down",
            "enter",
            "T",
            "T1",
            "R",
            "U",
            "A",
            "J L1",
            "3",
            "6",
            "lay",
            "take",
            "turn",
            "next",
            "previous",
            "lift",
            "clear",
            "lay DCa 1 1",
            "cell 2 3",
            "move 1 1 2 2",
            "",
            "help",
        ])
        .prop_map(str::to_owned),
        ".{0,12}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is said: nothing panics, undo leads back to the start, and a refusal changes nothing.
    #[test]
    fn whatever_is_said(
        text in prop::sample::select(vec![
            "tiles:3x3", "tiles:3x3:push", "wrapslide:4x4:4", "klotski:classic",
            "klotski:classic:move", "gourds:seed1", "triangles:tri4",
        ]),
        lines in prop::collection::vec(line(), 0..30),
    ) {
        let seed = text.starts_with("tiles") || text.starts_with("wrap");
        let mut game = game(text, seed.then_some(7));
        let start = game.save();
        for line in lines {
            let before = game.save();
            let done = match Command::of_line(&line, None) {
                Ok(Command::Undo) => game.undo(),
                Ok(Command::Redo) => game.redo(),
                Ok(Command::Restart) => { game.restart(); Ok(()) }
                Ok(Command::Arrow(arrow)) => game.arrow(arrow).map(|_| ()),
                Ok(Command::Enter) => game.enter().map(|_| ()),
                Ok(Command::Say(line)) => game.say(&line).map(|_| ()),
                _ => Ok(()),
            };
            if done.is_err() {
                prop_assert_eq!(game.save(), before);
            }
            game.status(None);
        }
        game.restart();
        prop_assert_eq!(game.save(), start);
        prop_assert!(!game.is_begun());
    }

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

/// A table's own way from one board to another.
#[test]
fn films_of_tables_lay_piece_after_piece() {
    let mut laying = Laying::new(Table::named("triangles:hex6").unwrap());
    let control = crate::bfs::Control {
        stop: &NEVER,
        observer: &crate::bfs::Silent,
    };
    let answer = laying.errand(Wish::Solution)(control).unwrap();
    let (stills, about) = laying.film(answer, false).unwrap();
    assert_eq!(stills.len(), 7);
    assert!(about.contains("has stayed"), "{about}");
    assert_eq!(laying.count(), "0 steps");
}

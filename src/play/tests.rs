//! Games, played by script: keys as from a terminal, scenes as in windows of any size.

mod keys;
mod saved;
mod windows;

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use proptest::prelude::*;

use super::background::BackgroundSearch;
use super::command::PlayCommand;
use super::game::{GameReply, SearchRequest, SearchTask, begin};
use super::screen::GameKey;
use super::*;
use crate::error::{Error, Result};
use crate::puzzle::Arrow;
use crate::puzzles::registry;
use crate::puzzles::triangles::Tabletop;

static NEVER: AtomicBool = AtomicBool::new(false);

/// A screen that presses keys, and remembers what it was shown.
#[derive(Default)]
struct Script {
    keys: VecDeque<GameKey>,
    scenes: Vec<Scene>,
    /// Looks without a key that are left, for searches.
    patience: usize,
}

impl Script {
    /// Characters as keys; `<` `>` `^` `v` are arrows, `\n` is Enter, `\x1b` Escape.
    fn of(text: &str) -> Self {
        let key = |character| match character {
            '<' => GameKey::Arrow(Arrow::Left),
            '>' => GameKey::Arrow(Arrow::Right),
            '^' => GameKey::Arrow(Arrow::Up),
            'v' => GameKey::Arrow(Arrow::Down),
            '\n' => GameKey::Enter,
            '\x1b' => GameKey::Escape,
            '\x08' => GameKey::Backspace,
            other => GameKey::Character(other),
        };
        Script { keys: text.chars().map(key).collect(), scenes: Vec::new(), patience: 5000 }
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
        let busy = self.last().message.as_ref().is_some_and(|m| m.contains("Esc stops"));
        if busy && self.patience > 0 {
            self.patience -= 1;
            std::thread::sleep(Duration::from_millis(10));
            return Ok(Event::Nothing);
        }
        Ok(self.keys.pop_front().map_or(Event::End, Event::GameKey))
    }

    fn is_live(&self) -> bool {
        true
    }

    fn colour(&self) -> bool {
        false
    }
}

fn game(text: &str, seed: Option<u64>) -> Box<dyn ActiveGame> {
    begin(registry::parse(text).unwrap().into(), seed).unwrap()
}

/// Plays keys; the last scene, and the game's count.
fn played(text: &str, seed: Option<u64>, keys: &str) -> (Scene, String) {
    let mut script = Script::of(keys);
    let mut session = Session::new(&mut script, NewGame::of(game(text, seed)), &NEVER);
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
    assert!(scene.status[0].ends_with("DGHF/I.J."), "{}", scene.status[0]);
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
    assert_eq!(scene.status.last().unwrap(), &first, "three cells lie there");
    assert_eq!(played("gourds:seed1", None, "><\n").1, "1 move");
    // A digit begins a number.
    let (scene, count) = played("gourds:seed1", None, "6\n");
    assert_eq!((&*count, scene.prompt), ("1 move", None));
    let (scene, _) = played("gourds:seed1", None, "99\n");
    assert!(message(&scene).contains("is not a move here"));
    // Boards without labels show their goal.
    assert!(played("gourds:rows-2-3-2", Some(1), "").0.board.contains("goal"));
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
    assert_eq!((&*count, scene.status[0].contains("1 of 4")), ("1 step", true));
    assert!(message(&played("triangles:tri4", None, "x").0).contains("no piece in row 1, column 3"));
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
    let mut session = Session::new(&mut script, NewGame::of(game("tiles:5x5", Some(2))), &NEVER);
    session.play().unwrap();
    assert_eq!(session.game().count(), "0 moves");
    let films: Vec<_> = script.scenes.iter().filter(|s| s.keys.contains("film")).collect();
    assert!(films.iter().any(|scene| scene.status[0].starts_with("2 of ")), "{films:?}");
    // Playing the hints to the end wins.
    let mut game = game("tiles:5x5", Some(2));
    let answer = game.search_task(SearchRequest::Hint)(crate::engine::Control {
        stop: &NEVER,
        observer: &crate::engine::Silent,
    });
    let GameReply::Path(way) = answer.unwrap() else {
        panic!("no way");
    };
    let length = way.moves.len();
    game.hint(GameReply::Path(way)).unwrap();
    for _ in 0..length {
        let Some(GameReply::Path(way)) = game.known(SearchRequest::Hint) else {
            panic!("forgotten");
        };
        let told = game.hint(GameReply::Path(way)).unwrap();
        let name = told.strip_prefix("Hint: ").and_then(|told| told.split('.').next());
        game.say(name.unwrap()).unwrap();
    }
    assert!(game.is_solved());
}

#[test]
fn a_search_can_be_stopped() {
    let endless: SearchTask = Box::new(|control| {
        while !control.stopped() {
            control.observer.counted("endless", 1, 4);
            std::thread::sleep(Duration::from_millis(1));
        }
        Err(Error::interrupted("stopped"))
    });
    let work = BackgroundSearch::start(SearchRequest::Hint, endless).unwrap();
    while !work.sentence(true).contains("25 %") {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(!work.is_over() && work.sentence(true).contains("Esc stops it"));
    work.stop();
    assert!(work.sentence(true).starts_with("Stopping"));
    assert!(matches!(work.result(), Err(Error::Interrupted(_))));
    // Nor does one that fails by an error of ours harm the game.
    let failing = BackgroundSearch::start(SearchRequest::Hint, Box::new(|_| panic!("on purpose"))).unwrap();
    assert!(failing.result().unwrap_err().to_string().contains("please report"));
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
            "place",
            "take",
            "turn",
            "next",
            "previous",
            "lift",
            "clear",
            "place DCa 1 1",
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
            let done = match PlayCommand::of_line(&line, None) {
                Ok(PlayCommand::Undo) => game.undo(),
                Ok(PlayCommand::Redo) => game.redo(),
                Ok(PlayCommand::Restart) => { game.restart(); Ok(()) }
                Ok(PlayCommand::Arrow(arrow)) => game.arrow(arrow).map(|_| ()),
                Ok(PlayCommand::Enter) => game.enter().map(|_| ()),
                Ok(PlayCommand::Say(line)) => game.say(&line).map(|_| ()),
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
}

/// A table's own way from one board to another.
#[test]
fn films_of_tables_lay_piece_after_piece() {
    let mut game = PlacementGame::new(Tabletop::named("triangles:hex6").unwrap());
    let control = crate::engine::Control { stop: &NEVER, observer: &crate::engine::Silent };
    let answer = game.search_task(SearchRequest::Solution)(control).unwrap();
    let (frames, about) = game.film(answer, false).unwrap();
    assert_eq!(frames.len(), 7);
    assert!(about.contains("has stayed"), "{about}");
    assert_eq!(game.count(), "0 steps");
}

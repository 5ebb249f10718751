//! What is asked before a game begins: which puzzle, which size, which keys.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::command::Keys;
use super::game::{ActiveGame, begin, broken};
use super::screen::{Event, GameKey, Scene, Screen};
use crate::error::{Result, usage};
use crate::puzzle::{Arrow, Kind, Play, Rules};
use crate::puzzles::registry;
use crate::random::any_seed;
use crate::text::shell_quote;

/// A game that was chosen.
pub struct NewGame {
    pub game: Box<dyn ActiveGame>,
    /// The keys that the player chose.
    pub keys: Option<Keys>,
    /// How it began, in a sentence.
    pub said: Option<String>,
    /// The kind whose size and keys were asked for: another game of it begins with the same questions.
    pub asked: Option<&'static str>,
}

impl NewGame {
    /// A game about which nothing was asked.
    pub fn of(game: Box<dyn ActiveGame>) -> Self {
        NewGame { game, keys: None, said: None, asked: None }
    }
}

/// The game that a text names, from the seed if one is given: a puzzle, a kind alone, or nothing. What
/// is missing is asked for. `None` if the player has left before a game could begin.
pub fn choose(screen: &mut dyn Screen, text: Option<&str>, seed: Option<u64>) -> Result<Option<NewGame>> {
    let text = match text {
        Some(text) => text.to_owned(),
        None => match ask_kind(screen)? {
            Some(text) => text,
            None => return Ok(None),
        },
    };
    let Some(kind) = registry::kinds().find(|kind| kind.name == text) else {
        if let Some(new) = in_empty_file(&text)? {
            return Ok(Some(new));
        }
        let puzzle: Arc<dyn Rules> = registry::parse(&text)?.into();
        let seed = seed.or_else(|| puzzle.start().is_none().then(any_seed));
        return started(puzzle, seed, None).map(Some);
    };
    match &kind.play {
        Play::Given(text) => started(registry::parse(text)?.into(), seed, None).map(Some),
        Play::Random(text) => {
            let seed = seed.unwrap_or_else(any_seed);
            started(registry::parse(text)?.into(), Some(seed), None).map(Some)
        }
        Play::Sized { sizes, text } => {
            let (least, most) = (*sizes.start(), *sizes.end());
            let question = format!("Which size, {least} to {most}? (empty: {})", 4.clamp(least, most));
            let size = ask(screen, kind, &question, |answer| match answer.parse() {
                _ if answer.is_empty() => Ok(4.clamp(least, most)),
                Ok(size) if sizes.contains(&size) => Ok(size),
                _ => {
                    usage(format!("`{}` is not a whole number from {least} to {most}", answer.escape_debug()))
                }
            })?;
            let Some(size) = size else { return Ok(None) };
            let Some(keys) = ask_keys(screen, kind)? else {
                return Ok(None);
            };
            let puzzle = registry::parse(&text(size))?.into();
            let game = started(puzzle, Some(seed.unwrap_or_else(any_seed)), Some(keys))?;
            Ok(Some(NewGame { asked: Some(kind.name), ..game }))
        }
    }
}

/// A random game of a kind whose file is empty, where random games are what the kind plays.
fn in_empty_file(text: &str) -> Result<Option<NewGame>> {
    let named = text.split_once(":@").filter(|(_, path)| {
        let content = std::fs::read_to_string(path);
        content.is_ok_and(|content| content.trim().is_empty())
    });
    let Some((kind, path)) = named else {
        return Ok(None);
    };
    let Play::Random(random) = registry::kind(kind)?.play else {
        return Ok(None);
    };
    let new = started(registry::parse(random)?.into(), Some(any_seed()), None)?;
    let path = shell_quote(Path::new(path));
    let said = format!("{path} is empty. {} `save {path}` puts it there.", new.said.unwrap_or_default());
    Ok(Some(NewGame { said: Some(said), ..new }))
}

fn started(puzzle: Arc<dyn Rules>, seed: Option<u64>, keys: Option<Keys>) -> Result<NewGame> {
    let mut said: Vec<String> = puzzle.warning().into_iter().collect();
    said.extend(seed.map(|seed| format!("A new game, seed {seed}.")));
    let game = begin(puzzle, seed)?;
    let said = (!said.is_empty()).then(|| said.join("\n"));
    Ok(NewGame { keys, said, ..NewGame::of(game) })
}

/// Which kind of puzzle.
fn ask_kind(screen: &mut dyn Screen) -> Result<Option<String>> {
    let names: Vec<&str> = registry::kinds().map(|kind| kind.name).collect();
    let list = registry::kinds().map(|kind| {
        let about = kind.about.lines().next().unwrap_or_default();
        format!("{}: {about}", kind.name)
    });
    let scene = Scene { title: "Which game?".into(), status: list.collect(), ..Scene::default() };
    let question = format!("{}, or a puzzle such as tiles:3x3?", names.join(", "));
    ask_on(screen, scene, &question, |answer| match registry::kinds().any(|kind| kind.name == answer) {
        true => Ok(answer.to_owned()),
        false => registry::parse(answer).map(|puzzle| puzzle.text()),
    })
}

/// Four keys, one after the other, or all that are left at once.
fn ask_keys(screen: &mut dyn Screen, kind: &Kind) -> Result<Option<Keys>> {
    let mut keys = Vec::new();
    for arrow in Arrow::ALL {
        if keys.len() == Arrow::ALL.len() {
            break;
        }
        let default = Keys::DEFAULT.of(arrow);
        let at_once = match keys.is_empty() {
            true => "; or all four at once: left, right, up, down",
            false => "",
        };
        let question = format!("Which key for {}? (empty: {default}{at_once})", arrow.word());
        let taken = keys.clone();
        let typed = ask(screen, kind, &question, |answer| {
            let left = Arrow::ALL.len() - taken.len();
            let mut typed: Vec<char> = answer.chars().filter(|key| !key.is_whitespace()).collect();
            if typed.is_empty() {
                typed.push(default);
            }
            if typed.len() != 1 && typed.len() != left {
                return usage(format!(
                    "`{}` is neither one key nor {left}: type a single character, or one for each of {}",
                    answer.escape_debug(),
                    Arrow::ALL[taken.len()..].iter().map(|arrow| arrow.word()).collect::<Vec<_>>().join(", ")
                ));
            }
            let mut all = taken.clone();
            for key in typed {
                Keys::usable(key, &all)?;
                all.push(key);
            }
            Ok(all)
        })?;
        match typed {
            Some(all) => keys = all,
            None => return Ok(None),
        }
    }
    match keys[..] {
        [left, right, up, down] => Keys::new([left, right, up, down]).map(Some),
        _ => Ok(None),
    }
}

/// Asks until an answer will do; `None` if none comes any more.
fn ask<T>(
    screen: &mut dyn Screen,
    kind: &Kind,
    question: &str,
    read: impl Fn(&str) -> Result<T>,
) -> Result<Option<T>> {
    let scene = Scene { title: kind.about.lines().next().unwrap_or_default().to_owned(), ..Scene::default() };
    ask_on(screen, scene, question, read)
}

fn ask_on<T>(
    screen: &mut dyn Screen,
    mut scene: Scene,
    question: &str,
    read: impl Fn(&str) -> Result<T>,
) -> Result<Option<T>> {
    let mut typed = String::new();
    loop {
        scene.prompt = Some(match screen.is_live() {
            true => format!("{question} {typed}_"),
            false => question.to_owned(),
        });
        screen.show(&scene)?;
        let line = match screen.event(Duration::from_secs(1))? {
            Event::Line(line) => line,
            Event::End | Event::GameKey(GameKey::Close | GameKey::Escape) => return Ok(None),
            Event::GameKey(GameKey::Break) => return Err(broken()),
            Event::GameKey(GameKey::Enter) => std::mem::take(&mut typed),
            Event::GameKey(GameKey::Backspace) => {
                typed.pop();
                continue;
            }
            Event::GameKey(GameKey::Character(character)) => {
                typed.push(character);
                continue;
            }
            _ => continue,
        };
        let answer = line.trim();
        if answer == "quit" {
            return Ok(None);
        }
        match read(answer) {
            Ok(value) => return Ok(Some(value)),
            Err(why) => scene = Scene { message: Some(why.to_string()), ..scene },
        }
    }
}

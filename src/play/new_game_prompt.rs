//! What is asked before a game begins: which puzzle, which size, which keys.

use std::sync::Arc;
use std::time::Duration;

use super::command::Keys;
use super::game::{ActiveGame, begin, broken};
use super::screen::{Event, GameKey, Scene, Screen};
use crate::error::{Result, usage};
use crate::puzzle::{Arrow, Kind, Play, Rules};
use crate::puzzles::registry;
use crate::random::any_seed;

/// A game that was chosen: with the player's keys, and a sentence about how it began.
pub type NewGame = (Box<dyn ActiveGame>, Option<Keys>, Option<String>);

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
            started(puzzle, Some(seed.unwrap_or_else(any_seed)), Some(keys)).map(Some)
        }
    }
}

fn started(puzzle: Arc<dyn Rules>, seed: Option<u64>, keys: Option<Keys>) -> Result<NewGame> {
    let mut said: Vec<String> = puzzle.warning().into_iter().collect();
    said.extend(seed.map(|seed| format!("A new game, seed {seed}.")));
    let game = begin(puzzle, seed)?;
    let said = (!said.is_empty()).then(|| said.join("\n"));
    Ok((game, keys, said))
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

/// Four keys, one after the other.
fn ask_keys(screen: &mut dyn Screen, kind: &Kind) -> Result<Option<Keys>> {
    let mut keys = Vec::new();
    for arrow in Arrow::ALL {
        let default = Keys::DEFAULT.of(arrow);
        let question = format!("Which key for {}? (empty: {default})", arrow.word());
        let taken = keys.clone();
        let key = ask(screen, kind, &question, |answer| {
            let mut characters = answer.chars();
            let key = match (characters.next(), characters.next()) {
                (None, _) => default,
                (Some(key), None) => key,
                _ => {
                    return usage(format!(
                        "`{}` is more than one key: type a single character",
                        answer.escape_debug()
                    ));
                }
            };
            Keys::usable(key, &taken)?;
            Ok(key)
        })?;
        match key {
            Some(key) => keys.push(key),
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

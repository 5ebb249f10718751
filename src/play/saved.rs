//! Games in files.
//!
//! A game of moves is a small JSON file:
//! `{"godnum":"game","puzzle":"tiles:3x3","start":"1 2 3/4 5 6/7 0 8","moves":["L"]}`. It is replayed by
//! the rules when it is read. Where the puzzle's text names a file, its content may stand in a field `file`, as the
//! page of `godnum serve` writes it: then no file is looked for. A game on a table is a game file in the
//! format of its puzzle.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde_json::{Value, json};

use super::{ActiveGame, MoveGame, PlacementGame};
use crate::error::{Error, FileOrigin, IoAction, Repair, Result, usage};
use crate::puzzles::registry;
use crate::puzzles::triangles::Tabletop;
use crate::store::disk::{self, Disk};
use crate::text::{count, shell_quote};

/// No saved game is larger than this.
const LARGEST: u64 = 16 << 20;
/// Nor has one more moves: all positions are kept, to go back to.
const MOST_MOVES: usize = 200_000;
/// How game files of tables begin.
const TABLE: &str = "#GAME";

/// A game of moves as a file.
pub(super) fn write(puzzle: &str, file: Option<&str>, start: &str, moves: &[String]) -> String {
    let text = |value: &str| Value::from(value).to_string();
    let file = file.map_or(String::new(), |file| format!(",\"file\":{}", text(file)));
    let moves = Value::from(moves.to_vec()).to_string();
    format!(
        "{{\"godnum\":\"game\",\"puzzle\":{}{file},\"start\":{},\"moves\":{moves}}}\n",
        text(puzzle),
        text(start)
    )
}

/// Puts a game into a file. One that holds something else than a game is not replaced.
pub(super) fn save(path: &Path, game: &dyn ActiveGame) -> Result<()> {
    may_be_replaced(path)?;
    Disk::new(None, 0).replace(path, game.save().as_bytes())
}

/// Whether a file is there and holds a game; an error if no game can be put there.
pub(super) fn may_be_replaced(path: &Path) -> Result<bool> {
    let parent = path.parent().filter(|dir| !dir.as_os_str().is_empty());
    if let Some(dir) = parent.filter(|dir| !dir.is_dir()) {
        return usage(format!(
            "the directory {} does not exist: create it first, or choose another one",
            shell_quote(dir)
        ));
    }
    if path.is_dir() {
        return usage(format!("{} is a directory: name a file", shell_quote(path)));
    }
    if !path.exists() {
        return Ok(false);
    }
    let content = disk::read(path, LARGEST).ok().flatten().unwrap_or_default();
    let text = String::from_utf8_lossy(&content);
    if text.trim().is_empty() {
        return Ok(false);
    }
    if !is_table(&text) && !is_walk(&text) {
        return usage(format!(
            "{} exists and is not a saved game, so it stays as it is: choose another name",
            shell_quote(path)
        ));
    }
    Ok(true)
}

fn is_table(text: &str) -> bool {
    text.lines().any(|line| line.trim() == TABLE)
}

fn is_walk(text: &str) -> bool {
    let value: Option<Value> = serde_json::from_str(text).ok();
    value.is_some_and(|value| value["godnum"] == json!("game"))
}

/// Reads a saved game; `stop` is set by a user who does not want to wait for it.
pub fn load(path: &Path, stop: &AtomicBool) -> Result<Box<dyn ActiveGame>> {
    let damaged = |what: String| Error::damaged(path, what, Repair::Rewrite(FileOrigin::Game));
    let bytes = disk::read(path, LARGEST).map_err(|e| Error::io(IoAction::Read, path, e))?;
    let Some(bytes) = bytes else {
        return Err(damaged("the file is larger than any saved game".into()));
    };
    let Ok(text) = String::from_utf8(bytes) else {
        return Err(damaged("this is not a saved game: it is not text".into()));
    };
    if is_table(&text) {
        let name = path.to_string_lossy();
        let table = Tabletop::read(&name, &text).map_err(|why| {
            let why = why.to_string();
            // The file is named already.
            let rest = why.strip_prefix(&*name).unwrap_or(&why);
            damaged(rest.trim_start_matches([',', ':', ' ']).to_owned())
        })?;
        return Ok(Box::new(PlacementGame::new(table)));
    }
    let mut game = begun(&text).map_err(damaged)?;
    for name in game.moves {
        if stop.load(Relaxed) {
            return Err(Error::interrupted("stopped while the game was loaded"));
        }
        game.game.replay(&name).map_err(|why| damaged(format!("the saved game breaks a rule: {why}")))?;
    }
    game.game.choose_something();
    Ok(Box::new(game.game))
}

/// A game of moves at its start, and the moves that were made.
struct SavedStart {
    game: MoveGame,
    moves: Vec<String>,
}

fn begun(text: &str) -> std::result::Result<SavedStart, String> {
    let mut value: Value =
        serde_json::from_str(text).map_err(|why| format!("this is not a saved game: {why}"))?;
    if value["godnum"] != json!("game") {
        return Err("this is not a saved game: it does not say \"godnum\":\"game\"".into());
    }
    let moves = match value["moves"].take() {
        Value::Array(moves) => moves,
        _ => return Err("the saved game has no `moves`".into()),
    };
    if moves.len() > MOST_MOVES {
        return Err(format!(
            "the saved game has {} moves, and at most {} are read",
            count(moves.len() as u128),
            count(MOST_MOVES as u128)
        ));
    }
    let name = |name| match name {
        Value::String(name) => Ok(name),
        _ => Err("a move of the saved game is not a text"),
    };
    let moves: std::result::Result<Vec<String>, _> = moves.into_iter().map(name).collect();
    let word = |name: &str| {
        let word = value[name].as_str();
        word.ok_or_else(|| format!("the saved game has no `{name}`"))
    };
    let (puzzle, start) = (word("puzzle")?, word("start")?);
    let file = match &value["file"] {
        Value::Null => None,
        Value::String(file) => Some(file.clone()),
        _ => return Err("the `file` of the saved game is not a text".into()),
    };
    let puzzle = match &file {
        Some(file) => registry::parse_given(puzzle, Some(file)),
        None => registry::parse(puzzle),
    };
    let puzzle = puzzle.map_err(|why| why.to_string())?;
    let game = MoveGame::from_saved(puzzle.into(), file, start)
        .map_err(|why| format!("the saved game has an invalid start: {why}"))?;
    Ok(SavedStart { game, moves: moves? })
}

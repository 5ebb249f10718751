//! Games in files.
//!
//! A game of moves is a small JSON file:
//! `{"godnum":"game","puzzle":"tiles:3x3","start":"1 2 3/4 5 6/7 0 8","moves":["L"]}`. It is replayed by
//! the rules when it is read. A game on a table is a game file in the format of its puzzle.

use std::path::Path;

use serde_json::{Value, json};

use super::{Game, Laying, Walk};
use crate::bfs::disk::{self, Disk};
use crate::error::{Error, Result, usage};
use crate::puzzle::registry;
use crate::puzzle::triangles::Table;

/// No saved game is larger than this.
const LARGEST: u64 = 16 << 20;
/// How game files of tables begin.
const TABLE: &str = "#GAME";

/// A game of moves as a file.
pub(super) fn write(puzzle: &str, start: &str, moves: &[String]) -> String {
    let text = |value: &str| Value::from(value).to_string();
    let moves = Value::from(moves.to_vec()).to_string();
    format!(
        "{{\"godnum\":\"game\",\"puzzle\":{},\"start\":{},\"moves\":{moves}}}\n",
        text(puzzle),
        text(start)
    )
}

/// Puts a game into a file. One that holds something else than a game is not replaced.
pub(super) fn save(path: &Path, game: &dyn Game) -> Result<()> {
    if path.exists() {
        let content = disk::read(path, LARGEST).ok().flatten().unwrap_or_default();
        let text = String::from_utf8_lossy(&content);
        if !is_table(&text) && !is_walk(&text) {
            return usage(format!(
                "{} exists and is not a saved game, so it stays as it is: choose another name",
                path.display()
            ));
        }
    }
    Disk::new(None, 0).replace(path, game.save().as_bytes())
}

fn is_table(text: &str) -> bool {
    text.lines().any(|line| line.trim() == TABLE)
}

fn is_walk(text: &str) -> bool {
    let value: Option<Value> = serde_json::from_str(text).ok();
    value.is_some_and(|value| value["godnum"] == json!("game"))
}

/// Reads a saved game.
pub fn load(path: &Path) -> Result<Box<dyn Game>> {
    let damaged = |what: String| {
        let remedy = "`save FILE` in a game of `godnum play` writes one";
        Error::damaged(path, what, remedy)
    };
    let bytes = disk::read(path, LARGEST).map_err(|e| Error::io("read", path, e))?;
    let Some(bytes) = bytes else {
        return Err(damaged("the file is larger than any saved game".into()));
    };
    let Ok(text) = String::from_utf8(bytes) else {
        return Err(damaged("this is not a saved game: it is not text".into()));
    };
    if is_table(&text) {
        let name = path.to_string_lossy();
        let table = Table::read(&name, &text).map_err(|why| damaged(why.to_string()))?;
        return Ok(Box::new(Laying::new(table)));
    }
    walk(&text)
        .map(|game| Box::new(game) as Box<dyn Game>)
        .map_err(damaged)
}

/// A game of moves, replayed.
fn walk(text: &str) -> std::result::Result<Walk, String> {
    let value: Value =
        serde_json::from_str(text).map_err(|why| format!("this is not a saved game: {why}"))?;
    if value["godnum"] != json!("game") {
        return Err("this is not a saved game: it does not say \"godnum\":\"game\"".into());
    }
    let word = |name: &str| {
        let word = value[name].as_str();
        word.ok_or_else(|| format!("the saved game has no `{name}`"))
    };
    let (puzzle, start) = (word("puzzle")?, word("start")?);
    let puzzle = registry::parse(puzzle).map_err(|why| why.to_string())?;
    let state = puzzle
        .parse_state(start)
        .map_err(|why| format!("the saved game cannot start so: {why}"))?;
    let names = value["moves"]
        .as_array()
        .ok_or("the saved game has no `moves`")?;
    let names: Option<Vec<&str>> = names.iter().map(Value::as_str).collect();
    let names = names.ok_or("a move of the saved game is not a text")?;
    let moves = puzzle
        .read_moves(start, &state, &names)
        .map_err(|why| format!("the saved game breaks a rule: {why}"))?;
    Ok(Walk::replayed(
        puzzle.into(),
        state,
        start.to_owned(),
        &moves,
    ))
}

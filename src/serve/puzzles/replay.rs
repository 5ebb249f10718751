//! A game that was saved, replayed by the rules: one task, whatever its length.

use serde::Deserialize;
use serde_json::{Value, json};

use super::cache;
use super::fields::read;
use crate::error::{Error, Result};
use crate::serve::TaskContext;
use crate::serve::request::TaskKind;
use crate::serve::task::NewTask;

/// Moves between two looks at whether to stop.
const PIECE: usize = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReplayRequest {
    puzzle: String,
    file: Option<String>,
    start: String,
    moves: Vec<String>,
}

/// The task that replays a game.
pub fn task(request: &Value) -> Result<NewTask> {
    let wanted: ReplayRequest = read(request)?;
    let puzzle = cache::puzzle(&wanted.puzzle, wanted.file.as_deref())?;
    puzzle.parse_state(&wanted.start)?;
    let text = Some(wanted.puzzle.clone());
    Ok(NewTask::new(TaskKind::Replay, text, move |context| replay(&wanted, context)))
}

fn replay(wanted: &ReplayRequest, context: &TaskContext<'_>) -> Result<Value> {
    let ReplayRequest { puzzle, file, start, moves } = wanted;
    let puzzle = cache::puzzle(puzzle, file.as_deref())?;
    let state = puzzle.parse_state(start)?;
    let all = moves.len() as u64;
    let mut count = 0;
    let states = puzzle.states_after(start, &state, moves, &mut |done| {
        count = done;
        if done % PIECE == 0 {
            context.control.observer.counted("replaying the game, moves", done as u64, all);
            context.control.go_on(|| Error::interrupted("stopped while the game was replayed"))?;
        }
        Ok(())
    });
    let broken = |error| match error {
        Error::Usage(_) => Error::Usage(format!(
            "the game breaks off: its move {}, \u{201c}{}\u{201d}, is not legal",
            count + 1,
            moves.get(count).map_or(String::new(), |name| name.escape_debug().to_string())
        )),
        other => other,
    };
    Ok(json!({ "states": states.map_err(broken)? }))
}

//! The table of the triangle puzzle: what hands do on it at once, and what the computer does as a task.

use serde::Deserialize;
use serde_json::Value;

use super::fields::{Seconds, read};
use super::solve::effort;
use crate::error::{Error, Result, usage};
use crate::puzzles::triangles::{Tabletop, TabletopAction};
use crate::serve::request::TaskKind;
use crate::serve::task::NewTask;

/// What a game file is called that has no name.
const NAMELESS: &str = "game";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableRequest {
    puzzle: Option<String>,
    file: Option<String>,
    action: Option<TabletopAction>,
}

/// The table after an action.
pub fn triangles(request: &Value) -> Result<Value> {
    let TableRequest { puzzle, file, action } = read(request)?;
    let mut table = table(puzzle.as_deref(), file.as_deref())?;
    table.act(&action.unwrap_or(TabletopAction::Look {}))?;
    view(&table)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableTaskRequest {
    puzzle: Option<String>,
    file: Option<String>,
    seconds: Option<Seconds>,
}

/// The task for a hint, or for filling the table.
pub fn task(kind: TaskKind, request: &Value) -> Result<NewTask> {
    let TableTaskRequest { puzzle, file, seconds } = read(request)?;
    table(puzzle.as_deref(), file.as_deref())?;
    Ok(NewTask::new(kind, puzzle.clone(), move |context| {
        let mut table = table(puzzle.as_deref(), file.as_deref())?;
        let effort = effort(context, seconds);
        match kind {
            TaskKind::Hint => table.hint(&effort)?,
            _ => table.finish(&effort)?,
        }
        view(&table)
    }))
}

/// The table of a game file, or of the puzzle of a text.
fn table(puzzle: Option<&str>, file: Option<&str>) -> Result<Tabletop> {
    match (puzzle, file) {
        (puzzle, Some(file)) => {
            let name = puzzle.and_then(|text| text.strip_prefix("triangles:@"));
            let name = name.filter(|name| !name.is_empty() && !name.contains('#'));
            Tabletop::read(name.unwrap_or(NAMELESS), file)
        }
        (Some(puzzle), None) => Tabletop::named(puzzle),
        (None, None) => usage("the table is missing: either `file`, a game file, or `puzzle`"),
    }
}

fn view(table: &Tabletop) -> Result<Value> {
    serde_json::to_value(table.view())
        .map_err(|error| Error::verification(format!("the table cannot be written: {error}")))
}

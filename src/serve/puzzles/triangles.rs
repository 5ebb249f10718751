//! The table of the triangle puzzle: what hands do on it at once, and what the computer does as a task.

use serde::Deserialize;
use serde_json::Value;

use super::fields::Fields;
use super::solve::effort;
use crate::error::{Error, Result, usage};
use crate::puzzles::triangles::{Action, Table};
use crate::serve::request::TaskKind;
use crate::serve::task::NewTask;

/// What a game file is called that has no name.
const NAMELESS: &str = "game";

/// The table after an action.
pub fn triangles(request: &Value) -> Result<Value> {
    let fields = Fields::of(request, &["puzzle", "file", "action"])?;
    let action = match fields.get("action") {
        None => Action::Look {},
        Some(action) => Action::deserialize(action)
            .map_err(|error| Error::Usage(format!("the field `action` is not one: {error}")))?,
    };
    let mut table = table(&fields)?;
    table.act(&action)?;
    view(&table)
}

/// The task for a hint, or for filling the table.
pub fn task(kind: TaskKind, request: &Value) -> Result<NewTask> {
    let fields = Fields::of(request, &["do", "puzzle", "file", "seconds"])?;
    let seconds = fields.positive("seconds")?;
    table(&fields)?;
    let text = |name| Ok::<_, Error>(fields.optional_text(name)?.map(str::to_owned));
    let (puzzle, file) = (text("puzzle")?, text("file")?);
    Ok(NewTask {
        kind,
        puzzle: puzzle.clone(),
        job: None,
        work: Box::new(move |context| {
            let mut table = table_of(puzzle.as_deref(), file.as_deref())?;
            let effort = effort(context, seconds);
            match kind {
                TaskKind::Hint => table.hint(&effort)?,
                _ => table.finish(&effort)?,
            }
            view(&table)
        }),
    })
}

/// The table that a request is about.
fn table(fields: &Fields<'_>) -> Result<Table> {
    table_of(
        fields.optional_text("puzzle")?,
        fields.optional_text("file")?,
    )
}

/// The table of a game file, or of the puzzle of a text.
fn table_of(puzzle: Option<&str>, file: Option<&str>) -> Result<Table> {
    match (puzzle, file) {
        (puzzle, Some(file)) => {
            let name = puzzle.and_then(|text| text.strip_prefix("triangles:@"));
            let name = name.filter(|name| !name.is_empty() && !name.contains('#'));
            Table::read(name.unwrap_or(NAMELESS), file)
        }
        (Some(puzzle), None) => Table::named(puzzle),
        (None, None) => usage("the table is missing: either `file`, a game file, or `puzzle`"),
    }
}

fn view(table: &Table) -> Result<Value> {
    serde_json::to_value(table.view())
        .map_err(|error| Error::Verification(format!("the table cannot be written: {error}")))
}

//! The three phases of Gourds, as a task: what a person watches, so nothing is made shorter across
//! them.

use serde::Deserialize;
use serde_json::{Value, json};

use super::cache;
use super::fields::read;
use super::solve::effort;
use crate::error::{Result, usage};
use crate::serve::TaskContext;
use crate::serve::request::TaskKind;
use crate::serve::task::NewTask;
use crate::solve::phased::{in_phases, phases_of};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PhasesRequest {
    puzzle: String,
    file: Option<String>,
    state: String,
    sort: String,
}

/// The task for the phases from a state on.
pub fn task(request: &Value) -> Result<NewTask> {
    let wanted: PhasesRequest = read(request)?;
    let puzzle = cache::puzzle(&wanted.puzzle, wanted.file.as_deref())?;
    puzzle.parse_state(&wanted.state)?;
    let sorts = phases_of(&*puzzle)?.sorts();
    if !sorts.contains(&wanted.sort.as_str()) {
        return usage(format!("the field `sort` must be one of {}", sorts.join(", ")));
    }
    let text = Some(wanted.puzzle.clone());
    Ok(NewTask::new(TaskKind::Phases, text, move |context| phases(&wanted, context)))
}

fn phases(wanted: &PhasesRequest, context: &TaskContext<'_>) -> Result<Value> {
    let PhasesRequest { puzzle, file, state: given, sort } = wanted;
    let puzzle = cache::puzzle(puzzle, file.as_deref())?;
    let state = puzzle.parse_state(given)?;
    let solved = in_phases(&*puzzle, &state, Some(sort), &effort(context, None))?;
    let phases = solved.phases.iter().map(|phase| {
        json!({
            "name": phase.name,
            "moves": puzzle.name_moves(given, &phase.states[0], &phase.moves),
            "states": phase.states.iter().map(|state| puzzle.print_state(state)).collect::<Vec<_>>(),
        })
    });
    let phases: Vec<Value> = phases.collect();
    Ok(json!({ "cycle": solved.cycle, "phases": phases }))
}

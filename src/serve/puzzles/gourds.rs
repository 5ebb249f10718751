//! The three phases of Gourds, as a task: what a person watches, so nothing is made shorter across
//! them.

use serde::Deserialize;
use serde_json::{Value, json};

use super::cache;
use super::fields::read;
use super::solve::effort;
use crate::error::{Error, Result, usage};
use crate::puzzle::{Phases, Rules};
use crate::serve::TaskContext;
use crate::serve::request::TaskKind;
use crate::serve::task::NewTask;
use crate::solve::replay;

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
        return usage(format!("the field `sort` must be {}", sorts.join(" or ")));
    }
    let text = Some(wanted.puzzle.clone());
    Ok(NewTask::new(TaskKind::Phases, text, move |context| phases(&wanted, context)))
}

fn phases(wanted: &PhasesRequest, context: &TaskContext<'_>) -> Result<Value> {
    let PhasesRequest { puzzle, file, state: given, sort } = wanted;
    let puzzle = cache::puzzle(puzzle, file.as_deref())?;
    let mut state = puzzle.parse_state(given)?;
    let phased = phases_of(&*puzzle)?.phases(&state, sort, &effort(context, None))?;
    let mut phases = Vec::new();
    for (name, moves) in &phased.phases {
        let states = replay(&*puzzle, &state, moves)?;
        phases.push(json!({
            "name": name,
            "moves": puzzle.name_moves(given, &state, moves),
            "states": states.iter().map(|state| puzzle.print_state(state)).collect::<Vec<_>>(),
        }));
        state = states.into_iter().next_back().unwrap_or(state);
    }
    if !puzzle.is_solved(&state) {
        return Err(Error::verification(format!(
            "the phases of {} do not end solved; please report this",
            puzzle.text()
        )));
    }
    Ok(json!({ "cycle": phased.cycle, "phases": phases }))
}

fn phases_of(puzzle: &dyn Rules) -> Result<&dyn Phases> {
    puzzle
        .capabilities()
        .phases
        .ok_or_else(|| Error::Usage(format!("{} is not solved in phases", puzzle.text())))
}

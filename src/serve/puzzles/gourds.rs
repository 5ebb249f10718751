//! The three phases of Gourds, as a task: what a person watches, so nothing is made shorter across
//! them.

use serde_json::{Value, json};

use super::fields::{Fields, Subject};
use super::solve::effort;
use crate::error::{Error, Result, usage};
use crate::puzzle::Puzzle;
use crate::serve::TaskContext;
use crate::serve::request::TaskKind;
use crate::serve::task::NewTask;
use crate::solve::replay;

/// The task for the phases from a state on.
pub fn task(request: &Value) -> Result<NewTask> {
    let known = ["do", "puzzle", "file", "state", "sort"];
    let fields = Fields::of(request, &known)?;
    let (given, sort) = (fields.text("state")?, fields.text("sort")?);
    let subject = fields.subject()?;
    let puzzle = subject.puzzle()?;
    puzzle.parse_state(given)?;
    match puzzle.sorts() {
        [] => return Err(no_phases(&*puzzle)),
        sorts if !sorts.contains(&sort) => {
            return usage(format!("the field `sort` is {}", sorts.join(" or ")));
        }
        _ => {}
    }
    let (given, sort) = (given.to_owned(), sort.to_owned());
    Ok(NewTask {
        kind: TaskKind::Phases,
        puzzle: Some(subject.text.clone()),
        job: None,
        work: Box::new(move |context| phases(&subject, &given, &sort, context)),
    })
}

fn phases(subject: &Subject, given: &str, sort: &str, context: &TaskContext<'_>) -> Result<Value> {
    let puzzle = subject.puzzle()?;
    let mut state = puzzle.parse_state(given)?;
    let phased = puzzle.phases(&state, sort, &effort(context, None));
    let phased = phased.ok_or_else(|| no_phases(&*puzzle))??;
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
        return Err(Error::Verification(format!(
            "the phases of {} do not end solved; please report this",
            puzzle.text()
        )));
    }
    Ok(json!({ "cycle": phased.cycle, "phases": phases }))
}

fn no_phases(puzzle: &dyn Puzzle) -> Error {
    Error::Usage(format!(
        "only Gourds is solved in phases, and {} is something else",
        puzzle.text()
    ))
}

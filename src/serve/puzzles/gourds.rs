//! The three phases of Gourds, as a task: what a person watches, so nothing is made shorter across
//! them.

use serde_json::{Value, json};

use super::Desk;
use super::request::Fields;
use super::solve::effort;
use crate::error::{Error, Result};
use crate::solve::replay;

/// The phases from a state on.
pub(super) fn phases(request: &Value, desk: &Desk<'_>) -> Result<Value> {
    let known = ["do", "puzzle", "file", "state", "sort"];
    let fields = Fields::of(request, &known)?;
    let puzzle = fields.puzzle()?;
    let given = fields.text("state")?;
    let state = puzzle.parse_state(given)?;
    let effort = effort(desk, None);
    let Some(phased) = puzzle.phases(&state, fields.text("sort")?, &effort) else {
        return Err(Error::Usage(format!(
            "only Gourds is solved in phases, and {} is something else",
            puzzle.text()
        )));
    };
    let phased = phased?;
    let mut state = state;
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

//! All solvers on one state, as text and as JSON.

use serde_json::json;

use super::explain::explain;
use super::output;
use crate::error::Result;
use crate::puzzle::Rules;
use crate::solve::compare::SolverTrial;
use crate::text::{TextTable, count, duration};

/// Prints what the solvers of a puzzle did.
pub fn print(puzzle: &dyn Rules, state: &str, all: &[SolverTrial], as_json: bool) -> Result<()> {
    if as_json {
        let rows = all.iter().map(|row| {
            let found = row.outcome.as_ref().ok();
            json!({
                "solver": row.solver,
                "length": found.and_then(|solved| solved.length()),
                "optimal": found.is_some_and(|solved| solved.is_optimal()),
                "lower_bound": found.map(|solved| solved.attempt.bound),
                "visited": found.map(|solved| solved.visited),
                "cut_short": found.is_some_and(|solved| solved.attempt.cut_short),
                "prepare_seconds": row.prepared.as_secs_f64(),
                "seconds": found.map(|solved| solved.time.as_secs_f64()),
                "error": row.outcome.as_ref().err().map(explain),
            })
        });
        let rows: Vec<_> = rows.collect();
        let value = json!({ "puzzle": puzzle.text(), "state": state, "solvers": rows });
        return output::print(&output::json_line("solver-comparison", value));
    }
    let rows = all.iter().map(|row| {
        let dash = || "-".to_owned();
        match &row.outcome {
            Ok(solved) => vec![
                row.solver.to_owned(),
                solved.length().map_or_else(dash, |length| length.to_string()),
                match (solved.length(), solved.is_optimal(), solved.attempt.cut_short) {
                    (Some(_), true, _) => "optimal".into(),
                    (_, _, true) => format!("cut short, at least {}", solved.attempt.bound),
                    (None, _, _) => "no solution found".into(),
                    (Some(_), false, false) if solved.attempt.bound > 1 => {
                        format!("at least {}", solved.attempt.bound)
                    }
                    _ => "no".into(),
                },
                count(solved.visited.into()),
                duration(row.prepared),
                duration(solved.time),
            ],
            Err(_) => vec![
                row.solver.to_owned(),
                dash(),
                "not available".into(),
                dash(),
                duration(row.prepared),
                dash(),
            ],
        }
    });
    let heading = &["solver", "moves", "proven", "visited", "tables", "time"];
    let mut text = TextTable { heading, rows: rows.collect() }.aligned_left(&[0, 2]);
    for row in all {
        if let Err(error) = &row.outcome {
            text += &format!("{}: {}\n", row.solver, explain(error));
        }
    }
    output::print(&text)
}

//! What can be done in the background.
//!
//! A request is checked before it waits for its turn: what makes no sense is refused at once, and what
//! waits is a few texts and numbers. The puzzle itself, which can be large, is made again when its turn
//! has come.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::jobs::Jobs;
use super::task::{Lane, NewTask};
use super::{enumerate, puzzles, studies};
use crate::error::{Error, Result};

/// What a task does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskKind {
    /// Enumerates a puzzle.
    Enumerate,
    /// Solves a state.
    Solve,
    /// Solves a state of Gourds in phases.
    Phases,
    /// Gives a hint on the table of the triangle puzzle.
    Hint,
    /// Fills that table.
    Finish,
    /// Replays a saved game.
    Replay,
    /// Picks positions of a level out of a table.
    Positions,
    /// Checks a job without the code that computed it.
    Verify,
    /// Solves random states.
    Sample,
    /// Finds what is proven about a puzzle.
    Bounds,
}

impl TaskKind {
    /// Where it runs.
    pub fn lane(self) -> Lane {
        match self {
            TaskKind::Enumerate | TaskKind::Verify => Lane::Enumerate,
            _ => Lane::Solve,
        }
    }
}

/// The task that a request asks for.
pub fn read(jobs: &Arc<Jobs>, request: &mut Value) -> Result<NewTask> {
    let kind = request.as_object_mut().and_then(|fields| fields.remove("do"));
    let kind = TaskKind::deserialize(kind.unwrap_or_default())
        .map_err(|error| Error::Usage(format!("the field `do`: {error}")))?;
    match kind {
        TaskKind::Enumerate => enumerate::task(jobs, request),
        TaskKind::Solve => puzzles::solve(request),
        TaskKind::Phases => puzzles::phases(request),
        TaskKind::Hint | TaskKind::Finish => puzzles::help(kind, request),
        TaskKind::Replay => puzzles::replay(request),
        TaskKind::Positions => puzzles::positions(request),
        TaskKind::Verify => studies::verify(jobs, request),
        TaskKind::Sample => studies::sample(jobs, request),
        TaskKind::Bounds => studies::bounds(jobs, request),
    }
}

//! What can be done in the background.
//!
//! A request is checked before it waits for its turn: what makes no sense is refused at once, and what
//! waits is a few texts and numbers. The puzzle itself, which can be large, is made again when its turn
//! has come.

use std::sync::Arc;

use serde_json::Value;

use super::jobs::Jobs;
use super::task::{Lane, Order};
use super::{enumerate, puzzles};
use crate::error::{Result, usage};

/// What a task does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
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
}

impl What {
    const ALL: [What; 5] = [
        What::Enumerate,
        What::Solve,
        What::Phases,
        What::Hint,
        What::Finish,
    ];

    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            What::Enumerate => "enumerate",
            What::Solve => "solve",
            What::Phases => "phases",
            What::Hint => "hint",
            What::Finish => "finish",
        }
    }

    /// Where it runs.
    pub fn lane(self) -> Lane {
        match self {
            What::Enumerate => Lane::Enumerate,
            _ => Lane::Solve,
        }
    }
}

/// The order that a request asks for.
pub fn read(jobs: &Arc<Jobs>, request: &Value) -> Result<Order> {
    let named = request["do"].as_str();
    let what = What::ALL
        .into_iter()
        .find(|what| named == Some(what.name()));
    match what {
        Some(What::Enumerate) => enumerate::order(jobs, request),
        Some(What::Solve) => puzzles::solve(request),
        Some(What::Phases) => puzzles::phases(request),
        Some(what @ (What::Hint | What::Finish)) => puzzles::help(what, request),
        None => usage(format!(
            "`do` says what is to be done: {}",
            What::ALL.map(What::name).join(", ")
        )),
    }
}

//! `godnum swaps`: how many moves it takes to exchange two cells.

use std::path::PathBuf;

use serde_json::json;

use super::enumerate::observed;
use super::output;
use super::puzzle_text::PuzzleText;
use super::solving::SolverArgs;
use crate::error::Result;
use crate::puzzles::registry;
use crate::store::disk::Disk;
use crate::study::swaps::{summary, swaps, table};

/// Solve every board that differs from the solved one by an exchange of two cells (Wrapslide).
#[derive(clap::Args)]
pub struct SwapsArgs {
    /// The puzzle, for example wrapslide:6x6:2
    #[arg(value_parser = PuzzleText, hide_possible_values = true)]
    puzzle: String,
    #[command(flatten)]
    solver: SolverArgs,
    /// Write all exchanges with their solutions to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Print all exchanges as JSON
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

pub fn main(arguments: SwapsArgs) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    let rows = observed(arguments.quiet, |control| {
        let bench = arguments.solver.bench(control);
        swaps(&*puzzle, arguments.solver.solver.as_deref(), &bench)
    })?;
    if let Some(path) = &arguments.csv {
        Disk::new(None, 0).replace(path, table(&rows).csv().as_bytes())?;
    }
    if !arguments.json {
        return output::print(&summary(&rows).aligned());
    }
    let exchanges = rows.iter().map(|row| {
        json!({
            "cells": row.cells,
            "state": row.state,
            "moves": row.moves,
            "optimal": row.optimal,
            "solution": row.solution,
        })
    });
    let exchanges: Vec<_> = exchanges.collect();
    output::print(&output::json("exchanges", json!({ "puzzle": puzzle.text(), "exchanges": exchanges })))
}

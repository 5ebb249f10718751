//! `godnum puzzles`: what can be named.

use std::fmt::Write;

use serde_json::{Value, json};

use super::output;
use crate::error::Result;
use crate::puzzle::Kind;
use crate::puzzles::registry;
use crate::text::{TextTable, count};

/// List the puzzles that can be named, with their sizes.
#[derive(clap::Args)]
pub struct PuzzlesArgs {
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub fn main(arguments: PuzzlesArgs) -> Result<()> {
    if arguments.json {
        return output::print(&output::json("puzzles", json!({ "kinds": kinds()? })));
    }
    let mut text = String::new();
    for kind in registry::kinds() {
        let gap = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(text, "{gap}{}: {}\n  {}\n", kind.name, kind.about, kind.grammar);
        let mut rows = Vec::new();
        for example in kind.examples {
            let puzzle = registry::parse(example)?;
            let size = |number: Option<u128>| number.map_or("?".into(), short);
            rows.push(vec![
                puzzle.text(),
                match (puzzle.totals().states, puzzle.totals().existing) {
                    (None, Some(existing)) => format!("<= {}", short(existing)),
                    (states, _) => size(states),
                },
                size(puzzle.totals().classes),
                puzzle.group_order().to_string(),
            ]);
        }
        let table = TextTable { heading: &["puzzle", "states", "classes", "group"], rows };
        for line in table.aligned_left(&[0]).lines() {
            let _ = writeln!(text, "  {line}");
        }
    }
    output::print(&text)
}

/// Every kind with its examples, as JSON.
fn kinds() -> Result<Vec<Value>> {
    let decimal = |number: Option<u128>| number.map(|number| number.to_string());
    let example = |text: &&str| {
        let puzzle = registry::parse(text)?;
        let totals = puzzle.totals();
        Ok(json!({
            "puzzle": puzzle.text(),
            "title": puzzle.title(),
            "metric": puzzle.metric(),
            "states": decimal(totals.states),
            "existing_states": decimal(totals.existing),
            "classes": decimal(totals.classes),
            "group_order": puzzle.group_order().to_string(),
        }))
    };
    let kind = |kind: &Kind| {
        Ok(json!({
            "name": kind.name,
            "about": kind.about,
            "grammar": kind.grammar,
            "examples": kind.examples.iter().map(example).collect::<Result<Vec<_>>>()?,
        }))
    };
    registry::kinds().map(kind).collect()
}

/// All digits as long as they can be read, then a power of ten.
fn short(number: u128) -> String {
    if number < 1_000_000_000_000 { count(number) } else { format!("{:.2e}", number as f64) }
}

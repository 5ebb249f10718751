//! `godnum puzzles`: what can be named.

use std::fmt::Write;

use super::output;
use crate::error::Result;
use crate::puzzles::registry;
use crate::text::count;

/// List the puzzles that can be named, with their sizes.
#[derive(clap::Args)]
pub struct Arguments {}

pub fn main(_: Arguments) -> Result<()> {
    let mut text = String::new();
    for kind in registry::kinds() {
        let gap = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(
            text,
            "{gap}{}: {}\n  {}\n",
            kind.name, kind.about, kind.grammar
        );
        let mut rows = vec![["puzzle", "states", "classes", "group"].map(str::to_owned)];
        for example in kind.examples {
            let puzzle = registry::parse(example)?;
            let size = |number: Option<u128>| number.map_or("?".into(), short);
            rows.push([
                puzzle.text(),
                match (puzzle.total_states(), puzzle.existing_states()) {
                    (None, Some(existing)) => format!("<= {}", short(existing)),
                    (states, _) => size(states),
                },
                size(puzzle.total_classes()),
                puzzle.group_order().to_string(),
            ]);
        }
        let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let widths = [width(0), width(1), width(2), width(3)];
        for [puzzle, states, classes, group] in &rows {
            let _ = writeln!(
                text,
                "  {puzzle:<0$}  {states:>1$}  {classes:>2$}  {group:>3$}",
                widths[0], widths[1], widths[2], widths[3]
            );
        }
    }
    output::print(&text)
}

/// All digits as long as they can be read, then a power of ten.
fn short(number: u128) -> String {
    if number < 1_000_000_000_000 {
        count(number)
    } else {
        format!("{:.2e}", number as f64)
    }
}

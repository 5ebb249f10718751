//! `godnum estimate`: how large a puzzle is, and what fits.

use std::fmt::Write;

use super::output;
use crate::engine::Options;
use crate::engine::budget::{default_memory, free_memory};
use crate::engine::forecast::coded_bytes;
use crate::error::Result;
use crate::puzzles::registry;
use crate::text::{bytes, count};

/// Show how large a puzzle is and what of it fits on this machine.
#[derive(clap::Args)]
pub struct EstimateArgs {
    /// The puzzle
    puzzle: String,
}

pub fn main(arguments: EstimateArgs) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    if let Some(warning) = puzzle.warning() {
        output::warn(&warning);
    }
    let mut text = format!("{}\n", puzzle.heading());
    let known = |number: Option<u128>| number.map_or("not known".into(), count);
    let _ = writeln!(text, "metric:          {}", puzzle.metric());
    let states = match (puzzle.totals().states, puzzle.totals().existing) {
        (None, Some(existing)) => format!("{} exist; some may be unreachable", count(existing)),
        (states, _) => known(states),
    };
    let _ = writeln!(text, "states:          {states}");
    let about = match puzzle.about_symmetry() {
        about if about.is_empty() => about,
        about => format!(": {about}"),
    };
    let _ = writeln!(text, "symmetry group:  order {}{about}", puzzle.group_order());
    let _ = writeln!(text, "classes:         {}", known(puzzle.totals().classes));
    let Some(space) = puzzle.space() else {
        text += "no index: it can be drawn and moved, not enumerated\n";
        return output::print(&text);
    };
    let universe = space.universe();
    let _ = writeln!(text, "universe:        {} indices", count(universe));
    let _ = writeln!(text, "moves per class: up to {}", space.fanout());
    let bitmap = u64::try_from(universe.div_ceil(8)).unwrap_or(u64::MAX);
    let memory = default_memory();
    let fits = if bitmap <= Options::default().budget()?.bitmap_bytes() {
        "fits into the default budget"
    } else {
        "does not fit into the default budget"
    };
    match bitmap {
        u64::MAX => text += "one bitmap:      more than any machine has\n",
        _ => {
            let _ = writeln!(text, "one bitmap:      {} ({fits})", bytes(bitmap));
        }
    }
    if let Some(classes) = puzzle.totals().classes {
        let size = coded_bytes(classes, universe);
        let _ = writeln!(text, "all level sets:  about {} on disk", bytes(size));
    }
    let _ = writeln!(
        text,
        "this machine:    {} free, default --memory {}",
        free_memory().map_or("unknown memory".into(), bytes),
        bytes(memory)
    );
    output::print(&text)
}

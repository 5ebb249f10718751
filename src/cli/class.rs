//! `godnum class`: what symmetries make of a state.

use std::fmt::Write;

use serde_json::json;

use super::output;
use super::puzzle_text::PuzzleText;
use super::solving::state_or_start;
use crate::error::Result;
use crate::puzzles::registry;
use crate::study::class::class_of;
use crate::text::{count, pluralise};

/// Print the class of a state: its representative, its index, how many states it has, and which.
#[derive(clap::Args)]
pub struct ClassArgs {
    /// The puzzle, for example wrapslide:4x4:2
    #[arg(value_parser = PuzzleText, hide_possible_values = true)]
    puzzle: String,
    /// A state in the puzzle's notation [default: the given position]
    state: Option<String>,
    /// Draw at most N of its states
    #[arg(long, value_name = "N", default_value_t = 1000)]
    count: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn main(arguments: ClassArgs) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    let state = state_or_start(&*puzzle, arguments.state.as_deref())?;
    let class = class_of(&*puzzle, &state)?;
    let number = puzzle.number_of(&state);
    if arguments.json {
        let lines = |members: &Vec<_>| -> Vec<String> {
            members.iter().map(|member| puzzle.print_state(member)).collect()
        };
        return output::print(&output::json(
            "class",
            json!({
                "puzzle": puzzle.text(),
                "state": puzzle.print_state(&state),
                "representative": puzzle.print_state(&class.representative),
                "index": class.index.to_string(),
                "group_order": class.group.to_string(),
                "orbit_size": class.orbit.to_string(),
                "stabiliser_order": class.stabiliser.to_string(),
                "number": number.as_ref().map(|number| number.value.to_string()),
                "members": class.members.as_ref().map(lines),
            }),
        ));
    }
    let mut text = format!("{}\n", puzzle.heading());
    let _ = writeln!(text, "representative: {}", puzzle.print_state(&class.representative));
    let _ = writeln!(text, "index:          {}", count(class.index));
    let _ = writeln!(text, "orbit:          {}", pluralise(class.orbit, "state"));
    let _ = writeln!(
        text,
        "stabiliser:     order {}, in a symmetry group of order {}",
        class.stabiliser, class.group
    );
    if let Some(number) = number {
        let _ = writeln!(text, "number:         {} ({})", number.value, number.about);
    }
    match &class.members {
        None => text += "members:        not listed for this puzzle\n",
        Some(members) => {
            for member in members.iter().take(arguments.count) {
                let _ = writeln!(
                    text,
                    "\n{}\n{}",
                    puzzle.print_state(member),
                    puzzle.draw(member, output::colour())
                );
            }
            if members.len() > arguments.count {
                let _ = writeln!(text, "\n... and {} more", count((members.len() - arguments.count) as u128));
            }
        }
    }
    output::print(&text)
}

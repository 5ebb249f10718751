//! Solutions in phases as text and as JSON.

use std::fmt::Write;

use serde_json::json;

use super::output;
use crate::error::Result;
use crate::puzzle::{Rules, State};
use crate::solve::{Effort, phased};
use crate::text::pluralise;

/// How a solution in phases is asked for.
pub struct PhasesPrint<'a> {
    pub puzzle: &'a dyn Rules,
    pub state: &'a State,
    /// The text that the state was read from; nothing if it was not given.
    pub given: &'a str,
    /// How the second phase sorts; nothing for the default.
    pub sort: &'a str,
    /// Whether to draw every position.
    pub film: bool,
}

/// Solves a state in phases and prints them.
pub fn print(request: &PhasesPrint<'_>, effort: &Effort<'_>, as_json: bool) -> Result<()> {
    let PhasesPrint { puzzle, state, given, sort, film } = *request;
    let sort = Some(sort).filter(|sort| !sort.is_empty());
    let solved = phased::in_phases(puzzle, state, sort, effort)?;
    let moves = solved.moves();
    let names = puzzle.name_moves(given, state, &moves);
    let frames = puzzle.film(given, state, &moves, !as_json && output::colour());
    if as_json {
        let mut first = 0;
        let phases = solved.phases.iter().map(|phase| {
            let (from, to) = (first, first + phase.moves.len());
            first = to;
            let mut value = json!({ "name": phase.name, "moves": names[from..to], "length": to - from });
            if film {
                let lines = frames[from..=to].iter().map(|frame| frame.line.as_str());
                value["states"] = lines.collect::<Vec<_>>().into();
            }
            value
        });
        let phases: Vec<_> = phases.collect();
        let value = json!({
            "puzzle": puzzle.text(),
            "state": frames[0].line,
            "sort": solved.sort,
            "cycle": solved.cycle,
            "phases": phases,
            "length": moves.len(),
        });
        return output::print(&output::json_line("phases", value));
    }
    let cells: Vec<String> = solved.cycle.iter().map(u8::to_string).collect();
    let mut text = format!("cycle: {}\n\n", cells.join(" "));
    let cycle = phased::phases_of(puzzle)?.draw_cycle(&solved.cycle, output::colour());
    let _ = writeln!(text, "{cycle}\n");
    let mut first = 0;
    for (number, phase) in solved.phases.iter().enumerate() {
        let (from, to) = (first, first + phase.moves.len());
        first = to;
        let line = match from == to {
            true => "nothing to do".into(),
            false => puzzle.print_moves(&names[from..to]),
        };
        let _ = writeln!(text, "{} {} ({}): {line}", number + 1, phase.name, pluralise(to - from, "move"));
        if film {
            for (number, frame) in (from + 1..=to).zip(&frames[from + 1..=to]) {
                let _ = writeln!(text, "\n{number}. {}\n{}", names[number - 1], frame.picture);
            }
            text.push('\n');
        }
    }
    let _ = writeln!(
        text,
        "{} in {} phases; sorted by {}",
        pluralise(moves.len(), "move"),
        solved.phases.len(),
        solved.sort
    );
    output::print(&text)
}

//! `godnum show`: a puzzle's board, or any state of it.

use super::output;
use super::puzzle_text::PuzzleText;
use crate::error::{Error, Result};
use crate::puzzles::registry;

/// Draw a puzzle: the position it is given in, or any other.
#[derive(clap::Args)]
pub struct ShowArgs {
    /// The puzzle, for example klotski:classic
    #[arg(value_parser = PuzzleText, hide_possible_values = true)]
    puzzle: String,
    /// A state in the puzzle's notation [default: the given position, or a solved one]
    state: Option<String>,
    /// Print the puzzle in its own file format instead
    #[arg(long, conflicts_with = "state")]
    file: bool,
}

pub fn main(arguments: ShowArgs) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    if arguments.file {
        return match puzzle.file() {
            Some(text) => output::print(&text),
            None => Err(Error::Usage(format!(
                "{} has no file format: its text describes it completely",
                puzzle.text()
            ))),
        };
    }
    if arguments.state.is_none()
        && let Some(board) = puzzle.given_board(output::colour())
    {
        if let Some(warning) = puzzle.warning() {
            output::warn(&warning);
        }
        return output::print(&format!("{}\n{board}\n", puzzle.heading()));
    }
    let state = match &arguments.state {
        Some(text) => puzzle.parse_state(text)?,
        None => puzzle
            .start()
            .or_else(|| puzzle.root())
            .ok_or_else(|| Error::Usage(format!("name the state of {} to draw", puzzle.text())))?,
    };
    let mut text = format!("{}\n", puzzle.heading());
    text += &format!("{}\n", puzzle.print_state(&state));
    text += &format!("{}\n", puzzle.draw(&state, output::colour()));
    let moves = puzzle.moves(&state);
    let names: Vec<_> = moves.iter().map(|&mv| puzzle.move_name(&state, mv)).collect();
    text += &match (puzzle.is_solved(&state), names.is_empty()) {
        (true, true) => "solved\n".to_owned(),
        (true, false) => format!("solved; moves: {}\n", names.join(", ")),
        (false, true) => "there is no move\n".to_owned(),
        (false, false) => format!("moves: {}\n", names.join(", ")),
    };
    if let Some(warning) = puzzle.warning() {
        output::warn(&warning);
    }
    output::print(&text)
}

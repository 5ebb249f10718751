//! `godnum scramble`: random states.

use super::output;
use super::puzzle_text::PuzzleText;
use crate::error::Result;
use crate::puzzle::{Instance, Scrambling};
use crate::puzzles::registry;
use crate::random::{Random, any_seed};

/// Print random states, by default such that each state that can be solved is equally likely.
///
/// Instance i of a seed is the same state in every later version, and the one that `godnum sample` solves.
#[derive(clap::Args)]
pub struct ScrambleArgs {
    /// The puzzle, for example tiles:4x4
    #[arg(value_parser = PuzzleText, hide_possible_values = true)]
    puzzle: String,
    /// The seed that chooses them [default: a random seed, printed on standard error]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// How they are chosen: `uniform` (every solvable state is equally likely), or `walk:N` (N random moves
    /// from a solved state)
    #[arg(long, value_name = "WAY", default_value_t)]
    scramble: Scrambling,
    /// How many
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u64,
    /// Draw the board below each state's line
    #[arg(long)]
    boards: bool,
    /// Print as JSON, one document on a line for each
    #[arg(long, conflicts_with = "boards")]
    json: bool,
}

pub fn main(arguments: ScrambleArgs) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    let seed = arguments.seed.unwrap_or_else(any_seed);
    for number in 1..=arguments.count {
        let instance = arguments.scramble.instance(&*puzzle, &mut Random::instance(seed, number))?;
        if arguments.json {
            let (state, other) = match &instance {
                Instance::State(state) => (Some(puzzle.print_state(state)), None),
                Instance::Puzzle(other) => (None, Some(other.text())),
            };
            let value = serde_json::json!({
                "puzzle": puzzle.text(),
                "seed": seed.to_string(),
                "instance": number,
                "state": state,
                "instance_puzzle": other,
            });
            output::print(&output::json_line("scramble", value))?;
            continue;
        }
        let (mut text, drawing) = match &instance {
            Instance::State(state) => (puzzle.print_state(state), Some(puzzle.draw(state, output::colour()))),
            Instance::Puzzle(other) => {
                (other.text(), other.start().map(|state| other.draw(&state, output::colour())))
            }
        };
        text.push('\n');
        if let Some(drawing) = drawing.filter(|_| arguments.boards) {
            text += &format!("{drawing}\n\n");
        }
        output::print(&text)?;
    }
    if arguments.seed.is_none() && !arguments.json {
        output::remark(&format!("(seed {seed})"));
    }
    Ok(())
}

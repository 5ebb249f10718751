//! `godnum scramble`: random states.

use super::output;
use crate::error::Result;
use crate::puzzle::Instance;
use crate::puzzles::registry;
use crate::random::{Random, any_seed};

/// Print random states, each state that can be solved being equally likely.
///
/// Instance i of a seed is the same state in every later version, and the one that `godnum sample` solves.
#[derive(clap::Args)]
pub struct ScrambleArgs {
    /// The puzzle, for example tiles:4x4
    puzzle: String,
    /// The seed that chooses them [default: a random seed, printed on standard error]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
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
        let instance = puzzle.scramble(&mut Random::instance(seed, number))?;
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

//! `godnum antipodes` and `godnum states`: states of the last level, or of any.

use std::ffi::OsString;

use super::{find, output};
use crate::engine::Job;
use crate::error::{Error, Result};
use crate::puzzle::pick;
use crate::puzzles::registry;
use crate::text::{count, pluralise};

/// Print states of the last level: the hardest positions.
#[derive(clap::Args)]
pub struct AntipodesArgs {
    /// A puzzle whose job is in runs/ or in the cache, or a job directory
    #[arg(value_name = "PUZZLE|DIR")]
    target: OsString,
    #[command(flatten)]
    choice: PickArgs,
}

/// Print states of any level.
#[derive(clap::Args)]
pub struct StatesArgs {
    /// A puzzle whose job is in runs/ or in the cache, or a job directory
    #[arg(value_name = "PUZZLE|DIR")]
    target: OsString,
    /// The level
    #[arg(long, value_name = "L")]
    level: u32,
    #[command(flatten)]
    choice: PickArgs,
}

#[derive(clap::Args)]
struct PickArgs {
    /// How many classes to show, one state of each
    #[arg(long, value_name = "N", default_value_t = 10)]
    count: u64,
    /// Choose them at random with this seed [default: the first ones]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Draw the board below each state's line
    #[arg(long)]
    boards: bool,
    /// Print as JSON
    #[arg(long, conflicts_with = "boards")]
    json: bool,
}

pub fn main(arguments: AntipodesArgs) -> Result<()> {
    let job = find::job(&arguments.target)?;
    let manifest = job.manifest()?;
    match manifest.levels.last() {
        Some(last) if manifest.finished => show(&job, last.level, &arguments.choice),
        _ => Err(Error::Usage(format!(
            "the job in {} is not finished, so its hardest states are not known; finish it with \
             `godnum resume {0}`, or look at a level with `godnum states {0} --level L`",
            job.dir().display()
        ))),
    }
}

pub fn states(arguments: StatesArgs) -> Result<()> {
    let job = find::job(&arguments.target)?;
    show(&job, arguments.level, &arguments.choice)
}

fn show(job: &Job, level: u32, choice: &PickArgs) -> Result<()> {
    let puzzle = registry::of_job(job)?;
    let picked = pick(job, &*puzzle, level, choice.count, choice.seed)?;
    if choice.json {
        let states = picked.states.iter().map(|state| puzzle.print_state(state));
        let value = serde_json::json!({
            "puzzle": puzzle.text(),
            "metric": puzzle.metric(),
            "level": level,
            "classes": picked.classes.to_string(),
            "states": states.collect::<Vec<_>>(),
        });
        return output::print(&output::json("states", value));
    }
    let mut text = String::new();
    for state in &picked.states {
        text += &puzzle.print_state(state);
        text.push('\n');
        if choice.boards {
            text += &puzzle.draw(state, output::colour());
            text += "\n\n";
        }
    }
    output::print(&text)?;
    output::remark(&format!(
        "({} of {} at distance {level}, {} metric; one state of each)",
        count(picked.states.len() as u128),
        pluralise(picked.classes, "class"),
        puzzle.metric()
    ));
    Ok(())
}

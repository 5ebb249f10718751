//! `godnum export`: a permutation puzzle as other programs read it.

use std::path::{Path, PathBuf};

use super::output;
use super::puzzle_text::PuzzleText;
use crate::error::{Result, usage};
use crate::puzzles::perm::format::{self, Format};
use crate::puzzles::registry;
use crate::store::disk::Disk;
use crate::text::shell_quote;

/// Write a permutation puzzle for other programs, to check what is computed here.
///
/// A puzzle can be exported if its moves permute the same places in every state. What a format cannot say is in
/// comments at its top; `godnum help permutations` has the details.
#[derive(clap::Args)]
pub struct ExportArgs {
    /// The puzzle, for example wrapslide:4x4:2
    #[arg(value_parser = PuzzleText, hide_possible_values = true)]
    puzzle: String,
    /// The format
    #[arg(long, value_enum)]
    format: Format,
    /// Where the definition goes [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the solved states beside the first to a file, for the option goals=@FILE
    #[arg(long, value_name = "FILE")]
    goals: Option<PathBuf>,
}

pub fn main(arguments: ExportArgs) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    let Some(permutations) = puzzle.capabilities().permutations else {
        return usage(format!(
            "{} is not a permutation puzzle: which moves there are depends on the state",
            puzzle.text()
        ));
    };
    let definition = permutations.definition();
    if let Some(path) = &arguments.goals {
        match format::write_goals(&definition) {
            Some(goals) => write(path, &goals)?,
            None => return usage(format!("{} has one solved state, so there are no others", puzzle.text())),
        }
    }
    let text = format::write(&definition, arguments.format);
    match &arguments.out {
        Some(path) => write(path, &text),
        None => output::print(&text),
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    Disk::new(None, 0).replace(path, text.as_bytes())?;
    output::remark(&format!("Written to {}.", shell_quote(path)));
    Ok(())
}

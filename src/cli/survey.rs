//! `godnum survey`: a table over all puzzles of a kind up to a size.

use super::enumerate::observed;
use super::output;
use crate::error::Result;
use crate::study::experiment::survey;

/// Print a table over all puzzles of a kind up to a size.
#[derive(clap::Args)]
pub struct SurveyArgs {
    /// The kind, for example gourds
    kind: String,
    /// The size, for example 9
    size: usize,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    /// Print as CSV
    #[arg(long)]
    csv: bool,
}

pub fn main(arguments: SurveyArgs) -> Result<()> {
    let survey = survey(&arguments.kind)?;
    let table = observed(arguments.quiet, |control| (survey.run)(arguments.size, control))?;
    output::print(&if arguments.csv { table.csv() } else { table.aligned() })
}

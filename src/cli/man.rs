//! `godnum man`: manual pages.

use clap::CommandFactory;

use super::output;
use crate::error::{Error, IoAction, Result, usage};
use crate::text::nearest;

/// Print a manual page: of the program, or of one of its commands.
#[derive(clap::Args)]
pub struct ManArgs {
    /// The command [default: the whole program]
    command: Option<String>,
}

pub fn main(arguments: ManArgs) -> Result<()> {
    let mut command = super::with_examples(super::CommandLine::command());
    command.build();
    let page = match &arguments.command {
        None => command,
        Some(name) => match command.find_subcommand(name) {
            Some(found) => found.clone(),
            None => {
                let names: Vec<&str> = command.get_subcommands().map(|other| other.get_name()).collect();
                let meant = nearest(name, names.iter().copied());
                let or = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
                return usage(format!("`{}` is not a command{or}", name.escape_debug()));
            }
        },
    };
    let mut text = Vec::new();
    let failed = |e| Error::io(IoAction::WriteTo, std::path::Path::new("standard output"), e);
    clap_mangen::Man::new(page).render(&mut text).map_err(failed)?;
    output::print(&String::from_utf8_lossy(&text))
}

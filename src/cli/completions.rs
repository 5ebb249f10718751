//! `godnum completions`: completion scripts for shells.

use clap::CommandFactory;

use super::output;
use crate::error::Result;

/// Print a completion script for a shell.
#[derive(clap::Args)]
#[command(after_help = "For bash: godnum completions bash > \
    ~/.local/share/bash-completion/completions/godnum")]
pub struct CompletionsArgs {
    /// The shell
    shell: clap_complete::Shell,
}

pub fn main(arguments: CompletionsArgs) -> Result<()> {
    let mut script = Vec::new();
    let mut command = super::CommandLine::command();
    clap_complete::generate(arguments.shell, &mut command, "godnum", &mut script);
    let script = String::from_utf8_lossy(&script);
    output::print(&match arguments.shell {
        // Texts of puzzles have colons, at which bash would break them.
        clap_complete::Shell::Bash => format!("COMP_WORDBREAKS=${{COMP_WORDBREAKS//:/}}\n{script}"),
        _ => script.into_owned(),
    })
}

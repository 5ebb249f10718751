//! `godnum help`: the help of a command, or a chapter of the guide.

use clap::CommandFactory;

use super::output;
use crate::error::{Result, usage};
use crate::guide::{self, CHAPTERS};

/// Print the help of a command, or a chapter of the guide
#[derive(clap::Args)]
#[command(after_help = "Without a topic, `godnum help` lists all commands and topics.")]
pub struct HelpArgs {
    /// A command, for example enumerate, or a topic of the guide, for example jobs
    #[arg(value_name = "COMMAND|TOPIC")]
    topic: Option<String>,
}

pub fn main(arguments: HelpArgs) -> Result<()> {
    let mut command = super::with_examples(super::CommandLine::command());
    let Some(topic) = arguments.topic else {
        let help = command.render_help();
        return output::print(&format!("{help}\n\n{}", topics()));
    };
    super::is_built(&topic)?;
    let is_command = command.find_subcommand(&topic).is_some();
    // The same text as `godnum COMMAND --help`: clap hands it over as an error.
    let help = || command.try_get_matches_from(["godnum", &topic, "--help"]).err();
    let help = is_command.then(help).flatten().map(|help| help.to_string());
    let chapter = guide::chapter(&topic).map(|chapter| chapter.plain());
    match (help, chapter) {
        (Some(help), Some(chapter)) => output::print(&format!("{help}\n{chapter}")),
        (Some(help), None) => output::print(&help),
        (None, Some(chapter)) => output::print(&chapter),
        (None, None) => {
            let topics: Vec<&str> = CHAPTERS.iter().map(|chapter| chapter.topic).collect();
            usage(format!(
                "`{topic}` is neither a command nor a topic; the topics are {}, and `godnum help` \
                 also lists the commands",
                topics.join(", ")
            ))
        }
    }
}

/// The list of topics.
fn topics() -> String {
    let width = CHAPTERS.iter().map(|chapter| chapter.topic.len()).max();
    let width = width.unwrap_or(0);
    let mut list = String::from("Topics of the guide (`godnum help TOPIC`):\n");
    for chapter in CHAPTERS {
        list += &format!("  {:width$}  {}\n", chapter.topic, chapter.summary);
    }
    list
}

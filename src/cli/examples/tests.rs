use clap::{CommandFactory, Parser};

use super::*;
use crate::cli::{CommandLine, with_examples};
use crate::puzzles::registry;

/// The words of a command line, without what a shell does with its output.
fn words(line: &str) -> Vec<String> {
    let line = line.split([';', '|', '>']).next().unwrap_or_default();
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

#[test]
fn every_example_is_accepted() {
    let command = with_examples(CommandLine::command());
    for (name, examples) in EXAMPLES {
        if command.find_subcommand(name).is_none() {
            continue;
        }
        for (line, about) in *examples {
            let words = words(line);
            assert_eq!((words[0].as_str(), words[1].as_str()), ("godnum", *name));
            assert!(CommandLine::try_parse_from(&words).is_ok(), "{line}");
            assert!(!about.is_empty());
            for word in words.iter().filter(|word| word.contains(':') && !word.contains('/')) {
                let is_text = registry::kinds().any(|kind| word.starts_with(&format!("{}:", kind.name)));
                assert!(!is_text || registry::parse(word).is_ok(), "{word}");
            }
        }
    }
}

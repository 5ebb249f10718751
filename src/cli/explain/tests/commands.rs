//! Commands are named by the command line and the guide, and nowhere else.

use std::fs;
use std::path::{Path, PathBuf};

/// Sources that name commands although they are not part of the command line: games, which are played at the
/// same terminal, and what `godnum bounds` suggests.
const NAME_COMMANDS: [&str; 3] = ["src/play/command.rs", "src/play/session.rs", "src/study/bounds/mod.rs"];

/// The lines of a source that name a command in a string. Comments and tests may.
fn commands_named(source: &str) -> Vec<&str> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let is_comment = |line: &&str| line.trim_start().starts_with("//");
    let lines = code.lines().filter(|line| !is_comment(line));
    lines.filter(|line| line.contains("`godnum ")).collect()
}

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn only_the_command_line_names_commands() {
    let sample = "//! `godnum x`\nlet a = \"`godnum y`\";\n#[cfg(test)]\n\"`godnum z`\"";
    assert_eq!(commands_named(sample), ["let a = \"`godnum y`\";"]);
    let mut paths = Vec::new();
    sources(Path::new("src"), &mut paths);
    assert!(paths.len() > 100, "{}", paths.len());
    let mut found = Vec::new();
    for path in paths {
        let name = path.to_str().unwrap().to_owned();
        let elsewhere = !["src/cli/", "src/guide/"].iter().any(|dir| name.starts_with(dir));
        let is_test = name.contains("/tests/") || name.ends_with("/tests.rs");
        if elsewhere && !is_test && !commands_named(&fs::read_to_string(&path).unwrap()).is_empty() {
            found.push(name);
        }
    }
    found.sort();
    assert_eq!(found, NAME_COMMANDS);
}

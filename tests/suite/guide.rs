//! Runs the examples in the README and in the guide, and compares what they print.
//!
//! An example is a fenced block with the info string `text` and lines that begin with `$ `: commands,
//! each with its output below. Commands of one file run in order in one temporary directory, through `sh`,
//! with standard error in between; they find the project's `results/` and a cache of their own. The exit code must be 0,
//! or not 0 if the output has a line that begins with `error:`.
//!
//! Durations, sizes and the place of the cache are not compared. In an expected output, a line `...` stands for
//! any number of lines, and a line that ends with `...` for any line that begins like it.
//!
//! Blocks that take long or need a terminal have a reason in their info string: `text,slow,WHY` runs with
//! `cargo test --test suite guide:: -- --ignored`, `text,not-run,WHY` never. Of both, the options are checked.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use godnum::guide::CHAPTERS;

/// Which examples run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Speed {
    Quick,
    Slow,
    Never,
}

/// A command and what it should print.
#[derive(Debug)]
struct Example {
    /// The line of the file that the command is in.
    line: usize,
    command: String,
    expected: Vec<String>,
    speed: Speed,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The README and the chapters: name and text.
fn files() -> Vec<(String, String)> {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let mut files = vec![("README.md".to_owned(), readme)];
    for chapter in CHAPTERS {
        let name = format!("src/guide/{}.md", chapter.topic);
        files.push((name, chapter.markdown.to_owned()));
    }
    files
}

/// The examples of a file.
fn examples(markdown: &str) -> Result<Vec<Example>, String> {
    let mut examples: Vec<Example> = Vec::new();
    let mut fence: Option<(usize, &str)> = None;
    let mut in_example = false;
    for (number, line) in markdown.lines().enumerate() {
        let number = number + 1;
        if let Some(info) = line.trim_start().strip_prefix("```") {
            fence = match fence {
                None => Some((number, info)),
                Some(_) => None,
            };
            in_example = false;
            continue;
        }
        let Some((_, info)) = fence else { continue };
        if let Some(command) = line.strip_prefix("$ ") {
            examples.push(Example {
                line: number,
                command: command.to_owned(),
                expected: Vec::new(),
                speed: speed(info).map_err(|why| format!("line {number}: {why}"))?,
            });
            in_example = true;
        } else if in_example {
            let last = examples.last_mut().unwrap();
            last.expected.push(line.to_owned());
        }
    }
    match fence {
        Some((number, _)) => Err(format!("line {number}: the block has no end")),
        None => Ok(examples),
    }
}

/// What an info string says of an example.
fn speed(info: &str) -> Result<Speed, String> {
    match info.split_once(',') {
        None if info == "text" => Ok(Speed::Quick),
        Some(("text", word)) => match word.split_once(',') {
            Some(("slow", why)) if !why.is_empty() => Ok(Speed::Slow),
            Some(("not-run", why)) if !why.is_empty() => Ok(Speed::Never),
            _ => Err(format!("`{word}` is neither slow,WHY nor not-run,WHY")),
        },
        _ => Err(format!("an example in a block `{info}`, not `text`")),
    }
}

/// A directory for the examples of one file, and the cache beside it.
struct Place {
    _temporary: tempfile::TempDir,
    work: PathBuf,
    cache: PathBuf,
}

impl Place {
    fn new() -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let (work, cache) = (temporary.path().join("work"), temporary.path().join("cache"));
        std::fs::create_dir(&work).unwrap();
        for folder in ["results", "experiments"] {
            std::os::unix::fs::symlink(root().join(folder), work.join(folder)).unwrap();
        }
        Place { _temporary: temporary, work, cache }
    }

    /// Runs a command; returns whether it succeeded, and what it printed.
    fn run(&self, command: &str) -> (bool, String) {
        let program = Path::new(env!("CARGO_BIN_EXE_godnum")).parent().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let output = Command::new("sh")
            .args(["-c", &format!("{{ {command}\n}} 2>&1")])
            .current_dir(&self.work)
            .env("PATH", format!("{}:{path}", program.display()))
            .env("XDG_CACHE_HOME", &self.cache)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let cache = self.cache.display().to_string();
        (output.status.success(), printed.replace(&cache, "/home/me/.cache"))
    }
}

/// Runs the examples of a file; returns what is wrong with them.
fn failures(name: &str, markdown: &str, speed: Speed) -> Vec<String> {
    let examples = match examples(markdown) {
        Ok(examples) => examples,
        Err(why) => return vec![format!("{name}: {why}")],
    };
    let place = Place::new();
    let mut failures = Vec::new();
    for example in examples {
        let wrong = if example.speed == speed {
            check(&place, &example)
        } else {
            check_options(&place, &example.command)
        };
        if let Err(why) = wrong {
            failures.push(format!("{name}, line {}: `{}` {why}", example.line, example.command));
        }
    }
    failures
}

/// Runs an example.
fn check(place: &Place, example: &Example) -> Result<(), String> {
    let (success, printed) = place.run(&example.command);
    let expected: Vec<String> = trimmed(example.expected.iter().map(String::as_str));
    let printed = trimmed(printed.lines());
    if matches(&expected, &printed) {
        let fails = expected.iter().any(|line| line.starts_with("error:"));
        return match success == fails {
            true => Err(format!("should {}", if fails { "fail" } else { "succeed" })),
            false => Ok(()),
        };
    }
    let mut why = String::from("prints something else\n");
    for (what, lines) in [("expected", &expected), ("printed", &printed)] {
        for line in lines {
            writeln!(why, "  {what}: {line}").unwrap();
        }
    }
    Err(why)
}

/// Checks the options of the `godnum` commands in a line without running them: options before `--help` are read
/// first, and are refused if they do not exist or have a wrong value.
fn check_options(place: &Place, line: &str) -> Result<(), String> {
    let command = line.split(['|', '>', '&']).find(|part| part.trim().starts_with("godnum"));
    let Some(command) = command else {
        return Err("has no `godnum` command to check".into());
    };
    match place.run(&format!("{} --help", command.trim())) {
        (true, _) => Ok(()),
        (false, printed) => Err(format!("is refused: {printed}")),
    }
}

/// Lines as they are compared, without empty ones at the end.
fn trimmed<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut lines: Vec<String> = lines.map(normal).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// A line in which numbers with a unit of time or size are `#`.
fn normal(line: &str) -> String {
    if line.starts_with("seconds:") {
        return line.chars().filter(|c| !c.is_ascii_digit()).collect();
    }
    let mut words: Vec<String> = line.trim_end().split(' ').map(str::to_owned).collect();
    for at in 1..words.len() {
        let unit = words[at].trim_end_matches(['.', ',', ';', ')']);
        let number = words[at - 1].trim_start_matches('(');
        let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || c == '.');
        if is_number && ["s", "ms", "min", "h", "KiB", "MiB", "GiB"].contains(&unit) {
            words[at - 1] = words[at - 1].replace(number, "#");
        }
    }
    words.join(" ")
}

/// Whether lines are as expected.
fn matches(expected: &[String], printed: &[String]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        Some((first, rest)) => printed.split_first().is_some_and(|(line, others)| {
            let alike = match first.strip_suffix("...") {
                Some(start) => line.starts_with(start),
                None => line == first,
            };
            alike && matches(rest, others)
        }),
    }
}

fn run_all(speed: Speed) {
    let failures: Vec<String> =
        files().iter().flat_map(|(name, markdown)| failures(name, markdown, speed)).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn examples_print_what_they_show() {
    run_all(Speed::Quick);
}

#[test]
#[ignore = "examples that take longer than a few seconds"]
fn slow_examples_print_what_they_show() {
    run_all(Speed::Slow);
}

/// The chapters are not allowed to escape from being tested.
#[test]
fn most_examples_run() {
    let mut counts = [0, 0];
    for (name, markdown) in files() {
        for example in examples(&markdown).unwrap_or_else(|why| panic!("{name}: {why}")) {
            counts[usize::from(example.speed != Speed::Quick)] += 1;
        }
    }
    let [run, left_out] = counts;
    assert!(run >= 30 && left_out <= run / 5, "{run} run, {left_out} do not");
}

/// Commands in the prose, in tables and in scripts exist: `godnum NAME ...`, with options that exist.
#[test]
fn commands_in_the_prose_exist() {
    let place = Place::new();
    let mut commands = BTreeSet::new();
    for (name, markdown) in files() {
        let spans = markdown.split('`').skip(1).step_by(2);
        let scripts = markdown.lines().map(|line| line.trim().trim_start_matches("nohup "));
        for text in spans.chain(scripts) {
            let Some(rest) = text.strip_prefix("godnum ") else {
                continue;
            };
            let words = rest.split_whitespace();
            let options = words.clone().filter(|word| word.starts_with("--"));
            let options = options.map(|word| word.trim_end_matches([',', '.']));
            let Some(command) = words.clone().next() else {
                continue;
            };
            if command.starts_with(|c: char| c.is_ascii_lowercase()) {
                commands.insert((name.clone(), command.to_owned(), None));
                for option in options {
                    commands.insert((name.clone(), command.to_owned(), Some(option.to_owned())));
                }
            }
            if command == "help" {
                let topic = words.clone().nth(1).unwrap_or("TOPIC");
                let known = topic == "TOPIC" || place.run(&format!("godnum help {topic}")).0;
                assert!(known, "{name}: `godnum help {topic}`");
            }
        }
    }
    assert!(commands.len() > 30, "{}", commands.len());
    for (name, command, option) in commands {
        let (success, help) = place.run(&format!("godnum {command} --help"));
        assert!(success, "{name}: `godnum {command}`: {help}");
        if let Some(option) = option {
            assert!(help.contains(&option), "{name}: `godnum {command}` has no {option}");
        }
    }
}

/// Files that the texts name are there.
#[test]
fn named_files_exist() {
    for (name, markdown) in files() {
        for text in markdown.split(['`', '(', ')']) {
            let folders = ["src/", "tests/", "scripts/", "experiments/", "results/"];
            let path = text.trim_end_matches('/');
            let named = folders.iter().any(|folder| path.starts_with(folder));
            if named && !path.contains([' ', '*', '\n']) {
                assert!(root().join(path).exists(), "{name} names {path}");
            }
        }
    }
}

#[test]
fn the_readme_is_short() {
    let (_, readme) = &files()[0];
    assert!(readme.lines().count() <= 200, "{}", readme.lines().count());
}

#[test]
fn help_shows_commands_and_chapters() {
    let place = Place::new();
    let (success, all) = place.run("godnum help");
    assert!(success && all.contains("enumerate"), "{all}");
    for chapter in CHAPTERS {
        assert!(all.contains(chapter.summary), "{} is not listed", chapter.topic);
        let (success, text) = place.run(&format!("godnum help {}", chapter.topic));
        assert!(success && text.ends_with(&chapter.plain()), "{}", chapter.topic);
    }
    let (_, by_option) = place.run("godnum enumerate --help");
    assert_eq!(place.run("godnum help enumerate"), (true, by_option));
    let (success, unknown) = place.run("godnum help nonsense; test $? = 2 && echo code 2");
    assert!(success && unknown.contains("adding-a-puzzle"), "{unknown}");
}

/// The tests of this file notice what is wrong.
#[test]
fn wrong_examples_are_noticed() {
    let block = |info: &str, lines: &str| format!("# Title\n\n```{info}\n{lines}\n```\n");
    let wrong = |markdown: &str, what: &str| {
        let failures = failures("wrong.md", markdown, Speed::Quick);
        assert!(failures.len() == 1 && failures[0].contains(what), "{what}: {failures:?}");
    };
    let right = "$ godnum scramble wrapslide:4x4:2 --seed 1 | wc -l\n1";
    assert!(failures("right.md", &block("text", right), Speed::Quick).is_empty());
    let error = "$ godnum show nonsense:1\nerror: ...";
    assert!(failures("right.md", &block("text", error), Speed::Quick).is_empty());
    // Other output, less output, more output.
    wrong(&block("text", &right.replace("\n1", "\n2")), "prints something else");
    wrong(&block("text", &right.replace("\n1", "")), "prints something else");
    wrong(&block("text", &format!("{right}\n1")), "prints something else");
    wrong(&block("text", "$ godnum show wrapslide:4x4:2\n1122/..."), "prints something else");
    // Exit codes.
    wrong(&block("text", "$ false"), "should succeed");
    wrong(&block("text", "$ echo error:\nerror:"), "should fail");
    // Options of what does not run.
    wrong(&block("text,not-run,a-server", "$ godnum serve --prot 1"), "is refused");
    wrong(&block("text,slow,hours", "$ godnum enumerate tiles:3x5 --threads x"), "is refused");
    wrong(&block("text,slow,hours", "$ godnum enumarate tiles:3x5"), "is refused");
    // Blocks.
    wrong(&block("text,slow", right), "neither slow,WHY");
    wrong(&block("sh", right), "not `text`");
    wrong("```text\n$ true\n", "has no end");
}

#[test]
fn only_times_and_sizes_are_left_out() {
    let same = [
        ("91 states in all; 1.27 s.", "91 states in all; 0.3 s."),
        ("checked (4.50 s)", "checked (12 s)"),
        ("disk:    1.3 MiB", "disk:    12 KiB"),
        ("time:    1 min 3 s", "time:    2 min 4 s"),
    ];
    for (left, right) in same {
        let units = |line: &str| normal(line).replace("MiB", "KiB");
        assert_eq!(units(left), units(right));
    }
    assert_ne!(normal("God's number 12"), normal("God's number 13"));
    assert_ne!(normal("12 classes"), normal("13 classes"));
}

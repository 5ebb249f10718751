//! The command line as people meet it.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use godnum::study::experiment::Experiment;

use crate::common::*;

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn enumerate_ends_with_the_table_and_one_sentence() {
    let dir = tempfile::tempdir().unwrap();
    let output = godnum(&["enumerate", "wrapslide:4x4:4"]).current_dir(dir.path()).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("   10   37,256  28,036,968  44.46 %\n"), "{printed}");
    assert!(printed.contains("total   84,174  63,063,000\n"), "{printed}");
    let sentence = printed.lines().last().unwrap();
    assert!(
        sentence.starts_with(
            "God's number of wrapslide:4x4:4 is 12 in the slide metric: under a symmetry group of \
             order 768, 14 classes (4,704 states) at distance 12; 63,063,000 states in all (an \
             independent count agrees); "
        ),
        "{sentence}"
    );
    let job = dir.path().join("runs/wrapslide-4x4-4");
    let files =
        ["job.json", "levels", "levels.csv", "lock", "manifest.json", "provenance.json", "timing.csv"];
    assert_eq!(names_in(&job), files);
    let csv = fs::read_to_string(job.join("levels.csv")).unwrap();
    assert!(csv.starts_with("level,classes,states\n0,1,24\n1,1,96\n"), "{csv}");
    let timing = fs::read_to_string(job.join("timing.csv")).unwrap();
    assert!(timing.starts_with("level,seconds,direction,candidates,bytes_written,peak_rss\n0,"), "{timing}");

    // By the puzzle's name, from where the job was made.
    let here = |arguments: &[&str]| {
        let output = godnum(arguments).current_dir(dir.path()).output().unwrap();
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(here(&["levels", "wrapslide:4x4:4", "--format", "csv"]), csv);
    let markdown = here(&["levels", "wrapslide:4x4:4", "--format", "markdown"]);
    assert!(markdown.contains("| 12 | 14 | 4,704 |"), "{markdown}");
    let json = here(&["levels", text(&job), "--format", "json"]);
    let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(rows["levels"][11]["states"], "2906160");
    let antipodes = here(&["antipodes", "wrapslide:4x4:4", "--count", "99"]);
    assert_eq!(antipodes.lines().count(), 14);
    assert!(antipodes.lines().all(|line| line.len() == 19 && line.matches('/').count() == 3));
    let some = here(&["states", "wrapslide:4x4:4", "--level", "9", "--count", "5", "--seed", "3"]);
    assert_eq!(some.lines().count(), 5);
    assert_eq!(some, here(&["states", "wrapslide:4x4:4", "--level", "9", "--count", "5", "--seed", "3"]));
    let boards = here(&["antipodes", "wrapslide:4x4:4", "--count", "1", "--boards"]);
    assert!(boards.lines().count() >= 4, "{boards}");
}

#[test]
fn json_has_counts_as_strings() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    let printed = stdout(&["enumerate", "wrapslide:4x4:3", "-q", "--json", "--dir", text(&job)]);
    let value: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(value["gods_number"], 10);
    assert_eq!(value["states"], "900900");
    assert_eq!(value["classes"], "14523");
    assert_eq!(value["group_order"], 64);
    assert_eq!(value["levels"][10]["classes"], "3");
    let status = stdout(&["status", text(&job), "--json"]);
    let status: serde_json::Value = serde_json::from_str(&status).unwrap();
    assert_eq!(status["finished"], true);
    assert_eq!(status["running"], serde_json::Value::Null);
}

#[test]
fn bad_puzzle_texts_say_what_would_be_accepted() {
    for (puzzle, expected) in [
        ("wrapslid:4x4:2", "did you mean `wrapslide:4x4:2`?"),
        ("chess:8x8", "`godnum puzzles` lists all puzzles"),
        ("", "names no puzzle"),
        ("wrapslide", "Accepted"),
        ("wrapslide:", "Accepted"),
        ("wrapslide:5x5:2", "5x5"),
        ("wrapslide:4x6:2", "4x6"),
        ("wrapslide:4x4", "did you mean `wrapslide:4x4:2`?"),
        ("wrapslide:4x4:5", "5"),
        ("wrapslide:4x4:2:any", "any"),
        ("wrapslide:4x4:2:fixed", "fixed"),
        ("wrapslide:4x4:3:fixed:any", "any"),
        ("wrapslide:4x4:3:push", "push"),
        ("wrapslide:4x4:3:any:any", "any"),
        ("wrapslide:99999999999999999999x4:2", "Accepted"),
        ("wrapslide:4x4:3:\u{202e}", "did you mean `wrapslide:4x4:3`?"),
    ] {
        let words = complaint(&["enumerate", puzzle], 2);
        assert!(words.contains(expected), "{puzzle}: {words}");
    }
}

#[test]
fn bad_options_are_usage_errors() {
    for arguments in [
        &["enumerate", "wrapslide:4x4:2", "--memory", "lots"][..],
        &["enumerate", "wrapslide:4x4:2", "--threads", "0"],
        &["enumerate", "wrapslide:4x4:2", "--container", "tin"],
        &["enumerate", "wrapslide:4x4:2", "--checkpoint-every", "soon"],
        &["enumerate"],
        &["frobnicate"],
        &["verify", "x", "--full", "--sample", "3"],
        &["levels", "wrapslide:4x4:3", "--format", "pdf"],
        &["status", "/nonexistent/job"],
        &["resume", "/nonexistent/job"],
        &["levels", "/nonexistent/job"],
        &["levels", "wrapslide:8x8:2:unit"],
        &["antipodes", "wrapslide:8x8:2:unit"],
    ] {
        complaint(arguments, 2);
    }
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    let with = |extra: &[&'static str], code| {
        let mut arguments = vec!["enumerate", "wrapslide:6x6:4", "--dir", text(&job)];
        arguments.extend_from_slice(extra);
        complaint(&arguments, code)
    };
    assert!(with(&["--memory", "10K"], 3).contains("at least"));
    let words = with(&["--container", "dense"], 3);
    assert!(words.contains("passes"), "{words}");
    complaint(&["run", "/nonexistent.toml"], 1);
    complaint(&["run", "/dev/null"], 1);
    let file = dir.path().join("threads.toml");
    fs::write(&file, "").unwrap();
    complaint(&["run", text(&file)], 2);
    for threads in ["0", "17592186044416"] {
        let content = format!("puzzle = 'wrapslide:4x4:2'\nthreads = {threads}\ndir = 'x'\n");
        fs::write(&file, content).unwrap();
        let output = godnum(&["run", text(&file)]).current_dir(dir.path()).output();
        assert_eq!(output.unwrap().status.code(), Some(2));
    }
}

#[test]
fn directories_that_hold_something_else_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    stdout(&["enumerate", "wrapslide:4x4:2", "-q", "--dir", text(&job)]);
    let words = complaint(&["enumerate", "wrapslide:4x4:3", "--dir", text(&job)], 2);
    assert!(words.contains("holds another job: wrapslide:4x4:2"), "{words}");
    stdout(&["enumerate", "wrapslide:4x4:3", "-q", "--fresh", "--dir", text(&job)]);
    assert_eq!(names_in(&job.join("levels")).len(), 11);

    let precious = dir.path().join("precious");
    fs::create_dir(&precious).unwrap();
    fs::write(precious.join("thesis.tex"), "three years").unwrap();
    for extra in [&[][..], &["--fresh"]] {
        let mut arguments = vec!["enumerate", "wrapslide:4x4:2", "--dir", text(&precious)];
        arguments.extend_from_slice(extra);
        let words = complaint(&arguments, 2);
        assert!(words.contains("thesis.tex"), "{words}");
    }
    assert_eq!(names_in(&precious), ["thesis.tex"]);

    let namesake = dir.path().join("namesake");
    fs::create_dir(&namesake).unwrap();
    fs::write(namesake.join("job.json"), "{\"my\": \"project\"}").unwrap();
    complaint(&["enumerate", "wrapslide:4x4:2", "--fresh", "--dir", text(&namesake)], 2);
    assert_eq!(names_in(&namesake), ["job.json"]);

    // Options that cannot work are refused before anything is deleted.
    complaint(&["enumerate", "wrapslide:4x4:3", "--fresh", "--dir", text(&job), "--memory", "1K"], 3);
    assert_eq!(names_in(&job.join("levels")).len(), 11);

    // A directory full of jobs is no job, and starting afresh in it must not touch them.
    let many = dir.path().join("many");
    let inner = many.join("runs/wrapslide-4x4-2");
    stdout(&["enumerate", "wrapslide:4x4:2", "-q", "--dir", text(&inner)]);
    let words = complaint(&["enumerate", "wrapslide:4x4:2", "--fresh", "--dir", text(&many)], 2);
    assert!(words.contains("many/runs"), "{words}");
    assert!(inner.join("levels/00006.gls").exists());

    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    complaint(&["enumerate", "wrapslide:4x4:2", "--dir", text(&file)], 1);
}

#[test]
fn unfinished_jobs_have_no_antipodes() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    stdout(&["enumerate", "wrapslide:4x4:2", "-q", "--max-level", "3", "--dir", text(&job)]);
    let words = complaint(&["antipodes", text(&job)], 2);
    assert!(words.contains("not finished"), "{words}");
    assert_eq!(stdout(&["states", text(&job), "--level", "3"]).lines().count(), 10);
    let words = complaint(&["states", text(&job), "--level", "4"], 2);
    assert!(words.contains("levels 0 to 3"), "{words}");
    let printed = stdout(&["verify", text(&job), "--full", "-q"]);
    assert!(printed.contains("not checked: the job is not finished"), "{printed}");
}

#[test]
fn experiments_write_their_result() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("small.toml");
    fs::write(&file, "puzzle = \"wrapslide:4x4:2\"\nmemory = \"64M\"\nthreads = 1\n").unwrap();
    let output = godnum(&["run", "small.toml"]).current_dir(dir.path()).output().unwrap();
    assert!(output.status.success());
    let result = fs::read_to_string(dir.path().join("results/wrapslide-4x4-2.csv")).unwrap();
    assert_eq!(
        result,
        "level,classes,states\n0,1,4\n1,1,8\n2,2,40\n3,10,196\n4,24,664\n5,28,688\n6,12,220\n"
    );
}

/// What is in `results/` is what the experiments say they produce.
#[test]
fn every_committed_result_has_its_experiment() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut expected = Vec::new();
    for folder in [root.join("experiments"), root.join("experiments/large")] {
        for name in names_in(&folder) {
            if name.ends_with(".toml") {
                let experiments = Experiment::read(&folder.join(name)).unwrap();
                let results = experiments.iter().map(|experiment| &experiment.result);
                expected.extend(results.map(|result| result.to_str().unwrap().to_owned()));
            }
        }
    }
    expected.sort();
    let mut found = names_in(&root.join("results"));
    found.retain(|name| name.ends_with(".csv"));
    let found: Vec<_> = found.iter().map(|name| format!("results/{name}")).collect();
    assert_eq!(found, expected);
    assert!(found.len() >= 100);
    let page = fs::read_to_string(root.join("results/README.md")).unwrap();
    for result in found {
        let name = result.trim_start_matches("results/");
        assert!(page.contains(&format!("| {name} |")), "{name} has no row");
    }
}

#[test]
fn the_other_commands_explain_themselves() {
    let listed = stdout(&["puzzles"]);
    assert!(listed.contains("wrapslide:6x6:2") && listed.contains("94,143,280"), "{listed}");
    let sizes = stdout(&["estimate", "wrapslide:6x6:4"]);
    assert!(sizes.contains("order 768"), "{sizes}");
    let wide = stdout(&["estimate", "wrapslide:8x8:4"]);
    assert!(wide.contains("more than any machine has"), "{wide}");
    for shell in ["bash", "zsh", "fish"] {
        assert!(stdout(&["completions", shell]).contains("enumerate"));
    }
    assert!(stdout(&["--help"]).contains("Exit codes"));
    assert!(stdout(&["enumerate", "--help"]).contains("--checkpoint-every"));
}

/// `godnum ... | head -1` must end quietly.
#[test]
fn a_closed_pipe_is_no_error() {
    let mut child =
        godnum(&["completions", "bash"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_full_device_is_an_error() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = godnum(&["puzzles"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("standard output"), "{words}");
}

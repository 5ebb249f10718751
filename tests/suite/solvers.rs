//! Every kind of puzzle solved from the command line, and what went wrong there once.

use std::path::Path;
use std::process::Output;

use crate::common;

/// Runs godnum in a directory, with its cache there.
fn run(dir: &Path, arguments: &[&str]) -> Output {
    let mut command = common::godnum(arguments);
    command.current_dir(dir).env("XDG_CACHE_HOME", dir.join("cache"));
    command.output().unwrap()
}

/// Expects an exit code; what was printed, and what was said.
fn ended(output: Output, code: i32) -> (String, String) {
    let (out, err) = (output.stdout, output.stderr);
    let (out, err) = (String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap());
    assert_eq!(output.status.code(), Some(code), "{err}");
    (out, err)
}

fn length(json: &str) -> u64 {
    let value: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(value["moves"].as_array().unwrap().len() as u64, value["length"]);
    value["length"].as_u64().unwrap()
}

/// Each solver of small puzzles of every kind solves a random state; nothing is shorter than what
/// table descent finds.
#[test]
fn every_solver_solves() {
    let dir = tempfile::tempdir().unwrap();
    for (puzzle, solvers) in [
        ("wrapslide:4x4:3", &["table", "beam", "beam=10", "optimal", "thesis"][..]),
        ("wrapslide:4x4:4:fixed", &["table", "beam", "optimal"]),
        ("tiles:2x4", &["table", "optimal", "fast"]),
        ("tiles:3x3:push", &["table", "optimal", "fast"]),
        ("klotski:classic:move", &["table", "optimal", "bfs", "dfs"]),
        ("gourds:rows-3-4", &["table", "optimal", "divide", "phases", "insertion"]),
        ("perm:pyraminx", &["table", "optimal"]),
        ("lrx:6:lx", &["table", "optimal"]),
        ("gourds:seed3", &["table", "optimal", "divide", "phases"]),
    ] {
        let scrambled = run(dir.path(), &["scramble", puzzle, "--seed", "7"]);
        let state = ended(scrambled, 0).0.trim().to_owned();
        let mut least = 0;
        for solver in solvers {
            let arguments = ["solve", puzzle, &state, "--solver", solver, "--json", "--quiet"];
            let found = length(&ended(run(dir.path(), &arguments), 0).0);
            match *solver {
                "table" => least = found,
                "optimal" => assert_eq!(found, least, "{puzzle} {state}"),
                _ => assert!(found >= least, "{puzzle} {state} {solver}"),
            }
        }
    }
}

/// A solution of Klotski can be followed on the board with the letters that the user wrote.
#[test]
fn klotski_speaks_of_the_blocks_that_were_given() {
    let dir = tempfile::tempdir().unwrap();
    let state = "zyyx/zyyx/abbc/ahic/j..k";
    let arguments = ["solve", "klotski:classic", state, "--json", "--film", "-q"];
    let (out, _) = ended(run(dir.path(), &arguments), 0);
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&value["length"], &value["state"]), (&116.into(), &state.into()));
    let letters = |value: &serde_json::Value| {
        let mut letters: Vec<char> = value.as_str().unwrap().chars().collect();
        letters.sort_unstable();
        letters
    };
    for frame in value["states"].as_array().unwrap() {
        assert_eq!(letters(frame), letters(&value["state"]));
    }
    let (hint, _) = ended(run(dir.path(), &["hint", "klotski:classic", state, "-q"]), 0);
    assert!(hint.starts_with(value["moves"][0].as_str().unwrap()), "{hint}");
}

#[test]
fn a_layout_without_a_solution_is_told_so() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("stuck.txt"), "AA\nAA\nBB\ngoal 1,0\n").unwrap();
    for solver in ["table", "optimal"] {
        let arguments = ["solve", "klotski:@stuck.txt", "--solver", solver];
        let (_, said) = ended(run(dir.path(), &arguments), 2);
        assert!(said.contains("can never be solved"), "{said}");
        assert!(!said.contains("names no puzzle"), "{said}");
    }
}

/// Where no table is needed there need not be a place for one.
#[test]
fn a_cache_is_only_needed_for_tables() {
    let dir = tempfile::tempdir().unwrap();
    let without = |arguments: &[&str]| {
        let mut command = common::godnum(arguments);
        command.current_dir(dir.path());
        command.env_remove("HOME").env_remove("XDG_CACHE_HOME");
        command.output().unwrap()
    };
    let (solved, _) = ended(without(&["solve", "triangles:sample"]), 0);
    assert!(solved.contains("24 moves, proven optimal; search"), "{solved}");
    let state = "1 2 3/4 5 6/7 0 8";
    let (_, said) = ended(without(&["solve", "tiles:3x3", state]), 2);
    assert!(said.contains("there is no directory for tables"), "{said}");
}

/// Games that are hinted again and again end solved; random games are solved.
#[test]
fn triangles_are_hinted_listed_and_sampled() {
    let dir = tempfile::tempdir().unwrap();
    let (game, _) = ended(run(dir.path(), &["show", "triangles:sample", "--file"]), 0);
    let unsolved: String = game.split("#SOLUTION").next().unwrap().into();
    std::fs::write(dir.path().join("game.txt"), unsolved).unwrap();
    for _ in 0..8 {
        let (hinted, _) = ended(run(dir.path(), &["hint", "triangles:@game.txt"]), 0);
        std::fs::write(dir.path().join("game.txt"), hinted).unwrap();
    }
    let (_, said) = ended(run(dir.path(), &["hint", "triangles:@game.txt"]), 2);
    assert!(said.contains("solved already"), "{said}");
    let all = run(dir.path(), &["solve", "triangles:tri4", "-", "--all"]);
    assert_eq!(all.status.code(), Some(0));
    let (all, _) = ended(run(dir.path(), &["solve", "triangles:tri4", "--all"]), 0);
    assert_eq!(all.lines().count(), 7, "{all}");
    assert!(all.ends_with("6 solutions in all\n"), "{all}");
    let arguments = ["solve", "triangles:sample", "--all", "--limit", "5"];
    let (some, _) = ended(run(dir.path(), &arguments), 0);
    assert!(some.ends_with("5 solutions, and there are more\n"), "{some}");
    let arguments = ["sample", "triangles:sample", "--count", "20", "-q"];
    let (sampled, _) = ended(run(dir.path(), &arguments), 0);
    assert!(sampled.contains("20 of 20 are proven"), "{sampled}");
}

/// The rows of a sample do not depend on threads, also where memory is scarce.
#[test]
fn scarce_memory_gives_the_same_rows_with_any_threads() {
    let dir = tempfile::tempdir().unwrap();
    let proven = |threads: &str| {
        let arguments = [
            "sample",
            "klotski:classic",
            "--solver",
            "optimal",
            "--count",
            "8",
            "--seed",
            "2",
            "--memory",
            "3M",
            "--threads",
            threads,
            "--dir",
            threads,
            "-q",
        ];
        let (said, _) = ended(run(dir.path(), &arguments), 0);
        said.lines().find(|line| line.starts_with("optimal:")).unwrap().to_owned()
    };
    assert_eq!(proven("1"), proven("4"));
}

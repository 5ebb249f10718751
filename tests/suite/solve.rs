//! Solving and sampling as people meet them: what is printed, what is kept, what is refused.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{self, signal};

/// A directory with `runs/` and a cache of its own.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = common::godnum(arguments);
        command.current_dir(self.0.path()).env("XDG_CACHE_HOME", self.path("cache"));
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let output = self.command(arguments).output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!complaint.contains("panicked"), "{complaint}");
        output
    }

    /// Expects success; what was printed.
    fn stdout(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments:?}: {complaint}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Expects an exit code; the complaint.
    fn complaint(&self, arguments: &[&str], code: i32) -> String {
        let output = self.run(arguments);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {complaint}");
        complaint
    }

    /// With something on standard input.
    fn fed(&self, arguments: &[&str], input: &str) -> Output {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }
}

/// A table without its `seconds`.
fn timeless(csv: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv.as_bytes());
    let rows = reader.records().map(|record| {
        let record = record.unwrap();
        assert_eq!(record.len(), 6);
        let cells = record.iter().enumerate().filter(|(column, _)| *column != 4);
        cells.map(|(_, cell)| cell.to_owned()).collect()
    });
    rows.collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_state_is_solved_and_the_table_is_made_once() {
    let place = Place::new();
    let arguments = ["solve", "tiles:2x3", "5 4 3/2 1 0"];
    let output = place.run(&arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("enumerating tiles:2x3 (360 classes) first"), "{said}");
    let printed = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 2, "{printed}");
    assert!(lines[1].contains(" moves, proven optimal; table, 0."), "{printed}");
    let again = place.run(&arguments);
    assert!(again.stdout.starts_with(lines[0].as_bytes()));
    assert!(again.stderr.is_empty(), "it was made twice");
    assert!(place.path("cache/godnum/tiles-2x3/job.json").exists());
    assert!(!place.path("runs").exists());

    let json = place.stdout(&["solve", "tiles:2x3", "5 4 3/2 1 0", "--json", "--film"]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let length = value["length"].as_u64().unwrap() as usize;
    assert!(lines[1].starts_with(&format!("{length} moves")));
    assert_eq!(value["moves"].as_array().unwrap().len(), length);
    assert_eq!(value["states"].as_array().unwrap().len(), length + 1);
    assert_eq!(value["states"][length], "1 2 3/4 5 0");
    assert_eq!((&value["optimal"], &value["lower_bound"]), (&true.into(), &length.into()));
    assert_eq!((&value["solver"], &value["cut_short"]), (&"table".into(), &false.into()));

    let film = place.stdout(&["solve", "tiles:2x3", "1 2 3/0 4 5", "--film"]);
    let expected = "1 2 3\n. 4 5\n\n1. L\n1 2 3\n4 . 5\n\n2. L\n1 2 3\n4 5 .\n\nL2\n2 moves, proven";
    assert!(film.starts_with(expected), "{film}");
    let push = place.stdout(&["solve", "tiles:2x3:push", "1 2 3/0 4 5"]);
    assert!(push.starts_with("L2\n1 move, proven"), "{push}");
    let solved = place.stdout(&["solve", "tiles:2x3", "1 2 3/4 5 0"]);
    assert!(solved.starts_with("solved already\n0 moves, proven optimal"), "{solved}");
    assert_eq!(
        place.stdout(&["hint", "tiles:2x3", "1 2 3/0 4 5"]),
        "L\n2 moves to go, this one included; there is no shorter way\n"
    );
    assert_eq!(place.stdout(&["hint", "tiles:2x3", "1 2 3/4 5 0"]), "solved\n");
    // Names with spaces are set apart by commas.
    let klotski = place.stdout(&["solve", "klotski:classic:from-goals", "--quiet"]);
    let (moves, rest) = klotski.split_once('\n').unwrap();
    assert_eq!(moves.split(", ").count(), 116);
    assert!(rest.starts_with("116 moves, proven optimal"), "{rest}");
}

#[test]
fn lines_are_solved_one_by_one() {
    let place = Place::new();
    let input = "1122/1122/3344/3344\n\n2211/1122/3344/3344\nrubbish\r\n1122/1122/3344/334\n";
    let output = place.fed(&["solve", "wrapslide:4x4:4", "-", "-q"], input);
    assert_eq!(output.status.code(), Some(2));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed.lines().count(), 4, "{printed}");
    let said = String::from_utf8(output.stderr).unwrap();
    let said: Vec<&str> = said.lines().collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].starts_with("error: line 4: row 1"), "{said:?}");
    assert!(said[1].starts_with("error: line 5: the board is not square"), "{said:?}");

    // Puzzles, too; a bad one does not keep the others from being solved.
    let input = "klotski:classic:from-goals\nnothing\ntiles:2x3\t1 2 3/4 0 5\ntiles:2x3\t1 2 3/0 4 5";
    let output = place.fed(&["solve", "-", "--json"], input);
    assert_eq!(output.status.code(), Some(2));
    let printed = String::from_utf8(output.stdout).unwrap();
    let lengths = printed.lines().map(|line| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        value["length"].as_u64().unwrap()
    });
    assert_eq!(lengths.collect::<Vec<_>>(), [116, 1, 2]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("error: line 2: `nothing`"));
    let output = place.fed(&["solve", "tiles:2x3", "-"], "");
    assert!(output.status.success() && output.stdout.is_empty());
}

#[test]
fn mistakes_have_their_exit_codes() {
    let place = Place::new();
    let refused = |arguments: &[&str], code, part: &str| {
        let complaint = place.complaint(arguments, code);
        assert!(complaint.contains(part), "{arguments:?}: {complaint}");
    };
    refused(&["solve", "tiles:2x3", "1 2 3/4 5"], 2, "row 2");
    refused(&["solve", "tiles:2x3", "1 2 3/5 4 0"], 2, "cannot be solved");
    refused(&["solve", "tiles:2x3"], 2, "godnum scramble tiles:2x3");
    refused(&["solve", "tiles:2x3", "1 2 3/4 0 5", "--solver", "luck"], 2, "its solvers are table");
    refused(&["solve", "tiles:2x3", "1 2 3/4 0 5", "--solver", "table=3"], 2, "no strength");
    refused(&["solve", "tiles:2x3", "1 2 3/4 0 5", "--all"], 2, "--all is for puzzles");
    refused(&["solve", "-", "1 2 3/4 0 5"], 2, "omit the state");
    let large = place.stdout(&["scramble", "wrapslide:8x8:2"]);
    refused(
        &["solve", "wrapslide:8x8:2", large.trim(), "--solver", "table"],
        2,
        "`godnum enumerate wrapslide:8x8:2`",
    );
    refused(&["solve", "tiles:2x3", "1 2 3/4 0 5", "--memory", "10K"], 3, "--memory");
    refused(&["sample", "tiles:2x3", "--count", "0"], 2, "0");
    refused(&["sample", "tiles:2x3"], 2, "--count");
    refused(&["solvers", "nothing"], 2, "names no puzzle");
    // Nothing was left behind by any of these but the cache.
    assert!(!place.path("runs").exists());
}

#[test]
fn an_unfinished_job_solves_what_it_has_and_bounds_the_rest() {
    let place = Place::new();
    let job = ["enumerate", "wrapslide:6x6:3", "--max-level", "3", "-q"];
    place.stdout(&job);
    let table = |state: &str| place.run(&["solve", "wrapslide:6x6:3", state, "--solver", "table", "--json"]);
    let far = place.stdout(&["scramble", "wrapslide:6x6:3", "--seed", "1"]);
    let output = table(far.trim());
    assert_eq!(output.status.code(), Some(3));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&value["lower_bound"], &value["moves"]), (&4.into(), &serde_json::Value::Null));
    let solved = place.stdout(&["states", "wrapslide:6x6:3", "--level", "3", "--count", "5"]);
    for state in solved.lines() {
        let output = table(state);
        let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&value["length"], &value["optimal"]), (&3.into(), &true.into()));
    }
    // In words, and with the job damaged: that is told, and nothing is changed.
    let arguments = ["solve", "wrapslide:6x6:3", far.trim(), "--solver", "table"];
    let complaint = place.complaint(&arguments, 3);
    assert!(complaint.contains("at least 4 moves are proven to be needed"), "{complaint}");
    let path = place.path("runs/wrapslide-6x6-3/levels/00003.gls");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, &bytes).unwrap();
    place.complaint(&arguments, 5);
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn what_cannot_be_solved_is_told_apart() {
    let place = Place::new();
    place.stdout(&["enumerate", "klotski:all-2", "-q"]);
    let solve = |state: &str, code| {
        let output = place.run(&["solve", "klotski:all-2", state]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{said}");
        said
    };
    solve("AABB/AACC/DDEE/FFGG/HI..", 0);
    // Two rows of wide blocks below the large one cannot make room for it.
    let said = solve("BAAC/BAAC/DDEE/FFGG/.HI.", 2);
    assert!(said.contains("well-formed, but it can never be solved"), "{said}");
    assert!(!solve("AABB/AACC/DDEE/FFGG/HIJ.", 2).contains("well-formed"));
    assert!(!solve("AABB/AACC/DDEE/FFGG/H..", 2).contains("well-formed"));
}

#[test]
fn scrambles_are_reproducible() {
    let place = Place::new();
    let three = place.stdout(&["scramble", "wrapslide:4x4:4", "--seed", "7", "--count", "3"]);
    assert_eq!(three.lines().count(), 3);
    let one = place.stdout(&["scramble", "wrapslide:4x4:4", "--seed", "7"]);
    assert!(three.starts_with(&one));
    let any = place.run(&["scramble", "wrapslide:4x4:4"]);
    let said = String::from_utf8(any.stderr).unwrap();
    let seed = said.trim().trim_matches(['(', ')']).strip_prefix("seed ").unwrap();
    let again = place.stdout(&["scramble", "wrapslide:4x4:4", "--seed", seed]);
    assert_eq!(any.stdout, again.as_bytes());
    let boards = place.stdout(&["scramble", "wrapslide:4x4:4", "--seed", "7", "--boards"]);
    assert!(boards.starts_with(&one) && boards.lines().count() > 4);
}

#[test]
fn a_sample_is_the_same_on_any_number_of_threads() {
    let place = Place::new();
    let sample = |threads: &str| {
        let csv = format!("t{threads}.csv");
        let dir = format!("d{threads}");
        let printed = place.stdout(&[
            "sample",
            "wrapslide:4x4:4",
            "--count",
            "60",
            "--seed",
            "5",
            "--threads",
            threads,
            "--csv",
            &csv,
            "--dir",
            &dir,
            "-q",
        ]);
        (printed, read(&place.path(&csv)))
    };
    let (printed, one) = sample("1");
    let (_, two) = sample("2");
    assert_eq!(timeless(&one), timeless(&two));
    assert!(one.starts_with("instance,state,length,optimal,seconds,moves\n1,"));
    assert!(printed.contains("60 random states, seed 5, solver table, slide metric"), "{printed}");
    assert!(printed.contains("optimal: 60 of 60 are proven (100.0 %)"), "{printed}");
    // The states are those of `scramble`, and the lengths those of `solve`.
    let states = place.stdout(&["scramble", "wrapslide:4x4:4", "--seed", "5", "--count", "60"]);
    let rows = timeless(&one);
    let sampled: Vec<&str> = rows[1..].iter().map(|row| row[1].as_str()).collect();
    assert_eq!(states.lines().collect::<Vec<_>>(), sampled);
    let output = place.fed(&["solve", "wrapslide:4x4:4", "-", "--json"], &states);
    for (line, row) in String::from_utf8(output.stdout).unwrap().lines().zip(&rows[1..]) {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(value["length"].to_string(), row[2]);
    }
    // The mean of the table is the mean that is told.
    let lengths: Vec<f64> = rows[1..].iter().map(|row| row[2].parse().unwrap()).collect();
    let mean = lengths.iter().sum::<f64>() / 60.0;
    assert!(printed.contains(&format!("mean {mean:.3} (95 %")), "{printed}");
    let json =
        place.stdout(&["sample", "wrapslide:4x4:4", "--count", "60", "--seed", "5", "--dir", "d1", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!((value["mean"].as_f64().unwrap() - mean).abs() < 1e-9);
    assert_eq!(value["seed"], "5");
}

#[test]
fn a_sample_goes_on_after_being_killed_or_stopped() {
    let place = Place::new();
    let count = "2000";
    let plain = ["sample", "wrapslide:6x6:2", "--count", count, "--seed", "2", "--threads", "2", "-q"];
    // The table first, so that every moment of what follows is a moment of the sample.
    place.stdout(&["sample", "wrapslide:6x6:2", "--count", "1", "--seed", "1", "-q"]);
    let journal = place.path("runs/wrapslide-6x6-2-sample-table-2/sample.csv");
    let mut killed = 0;
    for (round, name) in ["KILL", "TERM", "KILL", "INT", "KILL"].iter().enumerate() {
        let mut child = place.command(&plain).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(60 + 90 * round as u64));
        signal(&child, name);
        let began = Instant::now();
        let status = child.wait().unwrap();
        assert!(began.elapsed() < Duration::from_secs(5));
        killed += usize::from(!status.success());
        if *name != "KILL" && !status.success() {
            assert_eq!(status.code(), Some(130));
        }
    }
    assert!(killed > 0, "the sample was too quick to be killed");
    place.stdout(&plain);
    let rows = timeless(&read(&journal));
    assert_eq!(rows.len(), 2001);
    place.stdout(&["sample", "wrapslide:6x6:2", "--count", count, "--seed", "2", "--dir", "whole", "-q"]);
    assert_eq!(rows, timeless(&read(&place.path("whole/sample.csv"))));
    let status = place.stdout(&["status", "runs/wrapslide-6x6-2-sample-table-2"]);
    assert!(status.contains("2000 are written"), "{status}");
    // A journal that does not fit is damage, and --fresh is the remedy.
    let text = read(&journal).replacen("\n1,", "\n7,", 1);
    fs::write(&journal, text).unwrap();
    let complaint = place.complaint(&plain, 5);
    assert!(complaint.contains("line 2") && complaint.contains("--fresh"), "{complaint}");
    let fresh = ["sample", "wrapslide:6x6:2", "--count", "5", "--seed", "2", "-q", "--fresh"];
    place.stdout(&fresh);
    assert_eq!(timeless(&read(&journal)), rows[..6]);
}

#[test]
fn experiments_take_samples() {
    let place = Place::new();
    fs::write(
        place.path("one.toml"),
        "sample = 'wrapslide:4x4:3'\ncount = 20\nseed = 4\nresult = 'results/one.csv'\n",
    )
    .unwrap();
    let printed = place.stdout(&["run", "one.toml", "-q"]);
    assert!(printed.contains("20 random states, seed 4"), "{printed}");
    let one = read(&place.path("results/one.csv"));
    assert_eq!(one, read(&place.path("runs/wrapslide-4x4-3-sample-table-4/sample.csv")));
    fs::write(
        place.path("many.toml"),
        "samples = [{ puzzle = 'wrapslide:4x4:3', seed = 4 }, { puzzle = 'wrapslide:4x4:2' }]\n\
         count = 20\nresult = 'many.csv'\n",
    )
    .unwrap();
    place.stdout(&["run", "many.toml", "-q"]);
    let many = read(&place.path("many.csv"));
    let lines: Vec<&str> = many.lines().collect();
    assert_eq!(
        lines[0],
        "puzzle,solver,scramble,seed,count,solved,mean,ci95,median,min,max,optimal_share,seconds_mean,\
         seconds_max"
    );
    assert!(lines[1].starts_with("wrapslide:4x4:3,table,uniform,4,20,20,"), "{many}");
    assert!(lines[2].starts_with("wrapslide:4x4:2,table,uniform,1,20,20,"), "{many}");
    assert!(lines[1].contains(",1.0000,"), "{many}");
}

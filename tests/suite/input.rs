//! Whatever godnum reads, it accepts or refuses: the seeds of the fuzz targets (`experiments/fuzz/`), and
//! what fuzzing and reading found.

#[path = "../../experiments/fuzz/checks/mod.rs"]
mod checks;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::common::{complaint, godnum, stdout};
use godnum::engine::Job;
use godnum::puzzles::registry;
use godnum::study::experiment::Experiment;

/// Checks share one directory.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The seeds of a target, in the order of their names.
fn seeds(target: &str) -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/fuzz/seeds");
    let entries = fs::read_dir(dir.join(target)).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// The seed with a name.
fn seed(target: &str, name: &str) -> Vec<u8> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/fuzz/seeds");
    fs::read(dir.join(target).join(name)).unwrap()
}

#[test]
fn every_seed_is_accepted_or_refused() {
    let _one = ONE_AT_A_TIME.lock();
    for (target, check) in checks::ALL {
        let seeds = seeds(target);
        assert!(seeds.len() > 3, "{target}");
        for path in seeds {
            let start = Instant::now();
            check(&fs::read(&path).unwrap());
            println!("{:?} {}", start.elapsed(), path.display());
        }
    }
}

#[test]
fn a_manifest_with_impossible_numbers_is_damaged() {
    let _one = ONE_AT_A_TIME.lock();
    for (name, what) in [
        ("order", "not in order"),
        ("sums", "larger than is possible"),
        ("time", "larger than is possible"),
        ("kept", "missing"),
        ("finished-nothing", "missing"),
        ("checkpoint-level", "is not in the next level"),
        ("checkpoint-backwards", "range"),
        ("checkpoint-beyond", "range"),
        ("checkpoint-expanded", "blocks"),
        ("checkpoint-sums", "larger than is possible"),
        ("checkpoint-bytes", "cannot be there"),
        ("checkpoint-carry", "cannot be there"),
    ] {
        let dir = checks::jobs::put(&seed("jobs", name)).unwrap();
        let error = Job::open(&dir).unwrap().manifest().unwrap_err();
        assert_eq!(error.exit_code(), 5, "{name}: {error}");
        assert!(error.to_string().contains(what), "{name}: {error}");
    }
    for name in ["finished", "first-levels", "checkpoint", "checkpoint-range"] {
        let dir = checks::jobs::put(&seed("jobs", name)).unwrap();
        assert!(Job::open(&dir).unwrap().manifest().is_ok(), "{name}");
    }
}

#[test]
fn a_set_that_is_not_in_order_is_damaged_whatever_its_checksums_say() {
    let _one = ONE_AT_A_TIME.lock();
    for name in ["wraps", "overflow", "beyond", "same-twice", "another-first", "wide-first"] {
        let error = checks::level_sets::indices(&seed("level_sets", name)).unwrap_err();
        assert_eq!(error.exit_code(), 5, "{name}: {error}");
    }
    for name in ["small", "small-sealed", "bitmap", "zstd", "several-blocks"] {
        let indices = checks::level_sets::indices(&seed("level_sets", name)).unwrap();
        assert!(indices.len() > 8 && indices.is_sorted(), "{name}");
    }
}

/// Devices without an end, pipes without a writer, and files that are too long.
#[test]
fn files_without_an_end_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().to_str().unwrap();
    let pipe = format!("{place}/pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let long = format!("{place}/long");
    std::fs::File::create(&long).unwrap().set_len(1 << 27).unwrap();
    for (file, code, why) in [
        ("/dev/zero", 1, "not a regular file"),
        (&pipe, 1, "not a regular file"),
        (&long, 2, "1 MiB at most"),
    ] {
        assert!(complaint(&["run", file], code).contains(why));
        for kind in ["klotski", "gourds", "triangles"] {
            let puzzle = format!("{kind}:@{file}");
            assert!(complaint(&["show", &puzzle], code).contains(why));
        }
    }
    // In a job, in place of any of its files.
    let job = format!("{place}/job");
    stdout(&["enumerate", "tiles:2x3", "-q", "--dir", &job]);
    for name in ["levels/00003.gls", "levels.csv", "manifest.json", "job.json", "lock"] {
        let (path, aside) = (format!("{job}/{name}"), format!("{place}/aside"));
        std::fs::rename(&path, &aside).unwrap();
        std::fs::rename(&pipe, &path).unwrap();
        let verified = godnum(&["verify", &job, "-q"]).output().unwrap();
        let words = String::from_utf8(verified.stderr).unwrap();
        // A lock that is not a file is held by no process.
        let sound = name == "lock";
        assert_eq!(verified.status.success(), sound, "{name}: {words}");
        assert!(sound || words.contains(name), "{name}: {words}");
        std::fs::rename(&path, &pipe).unwrap();
        std::fs::rename(&aside, &path).unwrap();
    }
    std::fs::rename(&long, format!("{job}/job.json")).unwrap();
    assert!(complaint(&["status", &job], 5).contains("longer than any"));
}

#[test]
fn a_line_without_an_end_is_refused_and_the_next_one_is_read() {
    let cache = tempfile::tempdir().unwrap();
    let mut child = godnum(&["solve", "tiles:2x3", "-", "--solver", "fast", "-q"])
        .env("XDG_CACHE_HOME", cache.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let feed = std::thread::spawn(move || {
        for _ in 0..100 {
            input.write_all(&[b'1'; 1 << 20]).unwrap();
        }
        input.write_all(b"\n1 2 3/4 0 5\n").unwrap();
    });
    let output = child.wait_with_output().unwrap();
    feed.join().unwrap();
    let (said, complained) = (output.stdout, output.stderr);
    let complained = String::from_utf8(complained).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(complained.lines().count(), 1, "{complained}");
    assert!(complained.contains("line 1: the line is longer than 64 KiB"), "{complained}");
    assert!(String::from_utf8(said).unwrap().starts_with("L\n"));
}

/// A list of names that is searched for every name would take a minute.
#[test]
fn a_file_of_many_boards_is_read_in_no_time() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("boards");
    let boards: String = (0..80_000).map(|i| format!("board {i}\n")).collect();
    fs::write(&path, boards).unwrap();
    let start = Instant::now();
    let complaint = complaint(&["show", &format!("gourds:@{}", path.display())], 2);
    assert!(start.elapsed() < Duration::from_secs(10));
    assert!(complaint.contains("there are 80000 boards"), "{complaint}");
    assert!(complaint.len() < 2000);
}

#[test]
fn so_many_rows_or_threads_are_refused() {
    let rows = format!("gourds:rows{}", "-64-63".repeat(20_000));
    let why = registry::parse(&rows).err().unwrap().to_string();
    assert!(why.contains("more than 63 cells"));
    for threads in ["0", "1025", "9223372036854775807"] {
        let text = format!("count = \"triangles:tri4\"\nthreads = {threads}\n");
        let error = Experiment::parse(&text).err().unwrap();
        assert!(error.to_string().contains("choose 1 to 1024"), "{error}");
    }
}

//! What the user allows is what the program takes: memory, disk and open files, watched from outside.

mod common;

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use common::*;
use godnum::engine::budget::overhead;
use godnum::text::parse_bytes;
use rustix::process::{Resource, Rlimit, setrlimit};

const PUZZLE: &str = "wrapslide:6x6:2";
/// What the manifest and the tables may take beside the disk limit.
const BESIDE_THE_LIMIT: u64 = 1 << 20;
/// Files that a process may have open beside three for each thread: a few directories and files
/// that are being written, the lock, standard streams.
const OPEN_FILES: u64 = 16;

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// What a process took at the most.
#[derive(Debug, Default)]
struct Most {
    memory: u64,
    /// Lengths of files, and the blocks they take.
    disk: u64,
    blocks: u64,
    files: u64,
    code: i32,
    words: String,
    looks: u32,
}

/// Runs the program to its end and watches it, and what is in some directories, all the time.
fn watched(arguments: &[&str], dirs: &[PathBuf], most_files: Option<u64>) -> Most {
    watched_in(&std::env::temp_dir(), arguments, dirs, most_files)
}

/// The same, with a place for what solvers keep.
fn watched_in(place: &Path, arguments: &[&str], dirs: &[PathBuf], most_files: Option<u64>) -> Most {
    let mut command = godnum(arguments);
    command
        .current_dir(place)
        .env("XDG_CACHE_HOME", place.join("cache"));
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    if let Some(limit) = most_files {
        let tighten = move || {
            let limit = Rlimit {
                current: Some(limit),
                maximum: Some(limit),
            };
            setrlimit(Resource::Nofile, limit).map_err(Into::into)
        };
        // SAFETY: one system call in the child, which has this thread only.
        unsafe { command.pre_exec(tighten) };
    }
    #[allow(clippy::zombie_processes, reason = "wait4 waits for it")]
    let mut child = command.spawn().unwrap();
    let process = PathBuf::from(format!("/proc/{}", child.id()));
    let mut most = Most::default();
    let mut status = 0;
    // SAFETY: a structure of numbers, for which zeros are as good as any.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    let pid = child.id() as libc::pid_t;
    // SAFETY: both pointers are to variables that live long enough. Nobody else waits for the child.
    while unsafe { libc::wait4(pid, &mut status, libc::WNOHANG, &mut usage) } == 0 {
        let files = fs::read_dir(process.join("fd")).map_or(0, |entries| entries.count());
        most.files = most.files.max(files as u64);
        let (disk, blocks) = taken(dirs);
        most.disk = most.disk.max(disk);
        most.blocks = most.blocks.max(blocks);
        most.looks += 1;
        std::thread::sleep(Duration::from_millis(2));
    }
    let (disk, blocks) = taken(dirs);
    most.disk = most.disk.max(disk);
    most.blocks = most.blocks.max(blocks);
    most.memory = usage.ru_maxrss as u64 * 1024;
    assert!(libc::WIFEXITED(status), "{arguments:?} ended with {status}");
    most.code = libc::WEXITSTATUS(status);
    let mut words = child.stderr.take().unwrap();
    let _ = std::io::Read::read_to_string(&mut words, &mut most.words);
    most
}

/// Bytes of all files below some directories, by their lengths and by their blocks.
fn taken(dirs: &[PathBuf]) -> (u64, u64) {
    let (mut length, mut blocks) = (0, 0);
    for dir in dirs {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            let Ok(found) = entry.metadata() else {
                continue;
            };
            if found.is_dir() {
                let (more, more_blocks) = taken(&[entry.path()]);
                length += more;
                blocks += more_blocks;
            } else {
                length += found.len();
                blocks += found.blocks() * 512;
            }
        }
    }
    (length, blocks)
}

/// Enumerates puzzles within budgets: puzzle, options, memory, threads.
fn memory_holds(cases: &[(&str, &str, &str, usize)]) {
    for &(puzzle, options, memory, threads) in cases {
        let begun = Instant::now();
        let dir = tempfile::tempdir().unwrap();
        let job = dir.path().join("job");
        let number = threads.to_string();
        let mut arguments = vec!["enumerate", puzzle, "-q", "--dir", text(&job)];
        arguments.extend(["--memory", memory, "--threads", &number]);
        arguments.extend(options.split_whitespace());
        let most = watched(&arguments, &[], None);
        assert_eq!(most.code, 0, "{arguments:?}: {}", most.words);
        let timing = fs::read_to_string(job.join("timing.csv")).unwrap();
        let last = timing.lines().last().unwrap();
        let own: u64 = last.rsplit(',').next().unwrap().parse().unwrap();
        let budget = parse_bytes(memory).unwrap();
        let beside = most.memory.max(own).saturating_sub(budget);
        println!(
            "{puzzle} {options}: {memory} for {threads} threads, and {:.1} MiB beside ({:.1} s)",
            beside as f64 / (1 << 20) as f64,
            begun.elapsed().as_secs_f64()
        );
        assert!(
            beside <= overhead(threads),
            "{puzzle} {options} {memory}: {beside} bytes more than the budget, {} are allowed",
            overhead(threads)
        );
        assert!(most.files <= OPEN_FILES + 3 * threads as u64, "{most:?}");
    }
    println!("{} budgets of memory hold", cases.len());
}

#[test]
fn memory_stays_within_the_budget() {
    memory_holds(&[
        (PUZZLE, "--container sparse --max-level 8", "4M", 2),
        (PUZZLE, "--container sparse --max-level 8", "128M", 2),
        (PUZZLE, "--container dense --max-level 8", "16M", 8),
        (
            "wrapslide:6x6:3",
            "--container sparse --max-level 7",
            "4M",
            1,
        ),
        (
            "wrapslide:6x6:3",
            "--container sparse --max-level 7",
            "32M",
            16,
        ),
        (
            "wrapslide:8x8:4",
            "--container sparse --max-level 6",
            "8M",
            4,
        ),
        (
            "tiles:3x4:push",
            "--container sparse --max-level 14",
            "4M",
            2,
        ),
        ("tiles:3x4", "--container dense --max-level 21", "12M", 2),
        ("klotski:classic:from-goals", "", "4M", 1),
        ("klotski:all-2:move", "--container sparse", "4M", 2),
        ("klotski:all-2", "--container dense", "4M", 2),
        ("gourds:random:11:1", "", "4M", 1),
        ("triangles:sample", "--max-level 5", "4M", 2),
    ]);
}

#[test]
#[ignore = "part of scripts/faults.sh"]
fn memory_stays_within_many_budgets() {
    let puzzles = [
        (PUZZLE, ""),
        ("wrapslide:6x6:2:unit", "--max-level 14"),
        ("wrapslide:6x6:3:any", "--max-level 7"),
        ("wrapslide:6x6:4:fixed", "--max-level 8"),
        ("wrapslide:8x8:4", "--max-level 5"),
        ("tiles:3x4", "--max-level 23"),
        ("tiles:3x4:push", "--max-level 15"),
        ("tiles:4x4", "--max-level 16"),
        ("klotski:all-2:slide", ""),
        ("klotski:all:move", "--max-level 12"),
        ("klotski:all", "--max-level 40"),
        ("klotski:classic:move:from-goals", ""),
        ("gourds:random:13:1", "--max-level 12"),
        ("triangles:sample", "--max-level 7"),
    ];
    let mut cases = Vec::new();
    let with = |options: &str, container: &str| format!("{options} --container {container}");
    let options: Vec<(&str, [String; 2])> = puzzles
        .iter()
        .map(|&(puzzle, options)| (puzzle, ["sparse", "dense"].map(|name| with(options, name))))
        .collect();
    for (puzzle, [sparse, dense]) in &options {
        for (memory, threads) in [("4M", 1), ("8M", 4), ("48M", 2), ("200M", 2)] {
            cases.push((*puzzle, sparse.as_str(), memory, threads));
        }
        // Bitmaps of larger spaces do not fit into so little.
        if ["wrapslide:6x6:2", "tiles:3x4", "klotski:"]
            .iter()
            .any(|name| puzzle.starts_with(name))
        {
            for (memory, threads) in [("8M", 1), ("16M", 4), ("64M", 2)] {
                cases.push((*puzzle, dense.as_str(), memory, threads));
            }
        }
    }
    memory_holds(&cases);
}

/// Verifies a job with so much memory: puzzle, extent.
fn verify_holds(cases: &[(&str, &str)]) {
    let dir = tempfile::tempdir().unwrap();
    let threads = godnum::engine::cores();
    for (puzzle, extent) in cases {
        let job = dir.path().join(puzzle);
        stdout(&["enumerate", puzzle, "-q", "--dir", text(&job)]);
        for memory in ["64M", "200M"] {
            let mut arguments = vec!["verify", text(&job), "-q", "--memory", memory];
            arguments.extend(extent.split_whitespace());
            let most = watched(&arguments, &[], None);
            assert_eq!(most.code, 0, "{}", most.words);
            let allowed = parse_bytes(memory).unwrap() + overhead(threads);
            println!(
                "{arguments:?}: {:.1} MiB",
                most.memory as f64 / (1 << 20) as f64
            );
            assert!(most.memory <= allowed, "{arguments:?}: {most:?}");
        }
        // Less than it can work with is refused, not ignored.
        let words = complaint(&["verify", text(&job), "-q", "--memory", "8M"], 3);
        assert!(words.contains("--memory"), "{words}");
    }
}

#[test]
fn verify_stays_within_its_memory() {
    verify_holds(&[(PUZZLE, "--sample 3000"), ("tiles:3x3", "--full")]);
}

#[test]
#[ignore = "part of scripts/faults.sh"]
fn verify_stays_within_its_memory_when_it_checks_everything() {
    verify_holds(&[
        (PUZZLE, "--full"),
        ("klotski:all-2:move", "--full"),
        ("tiles:2x5", "--full"),
    ]);
}

/// Solvers and samples, with their tables and the levels that they look up.
#[test]
fn solvers_stay_within_their_memory() {
    let dir = tempfile::tempdir().unwrap();
    let threads = godnum::engine::cores();
    let sample = dir.path().join("sample");
    for (arguments, memory) in [
        (&["solve", "tiles:3x3", "8 6 7/2 5 4/3 0 1"][..], "32M"),
        (
            &[
                "solve",
                "tiles:3x3",
                "8 6 7/2 5 4/3 0 1",
                "--solver",
                "optimal",
            ],
            "64M",
        ),
        // With tables that are built first, as large as fit.
        (
            &[
                "solve",
                "tiles:4x4",
                "1 2 3 4/5 6 7 8/9 10 11 12/0 13 14 15",
            ],
            "128M",
        ),
        (
            &[
                "solve",
                "tiles:3x4:push",
                "1 2 3 4/5 6 7 8/0 9 10 11",
                "--solver",
                "optimal",
            ],
            "64M",
        ),
        (&["solve", "klotski:classic", "--solver", "optimal"], "64M"),
        (
            &[
                "sample",
                "wrapslide:4x4:4",
                "--count",
                "50",
                "-q",
                "--dir",
                text(&sample),
            ],
            "32M",
        ),
    ] {
        let arguments = [arguments, &["--memory", memory]].concat();
        let most = watched_in(dir.path(), &arguments, &[], None);
        assert_eq!(most.code, 0, "{arguments:?}: {}", most.words);
        let allowed = parse_bytes(memory).unwrap() + overhead(threads);
        println!(
            "{arguments:?}: {:.1} MiB",
            most.memory as f64 / (1 << 20) as f64
        );
        assert!(most.memory <= allowed, "{arguments:?}: {most:?}");
    }
    // What needs more says so before it begins.
    let count = dir.path().join("count");
    let arguments = [
        "count",
        "triangles:sample",
        "-q",
        "--dir",
        text(&count),
        "--memory",
        "64M",
    ];
    let most = watched_in(dir.path(), &arguments, &[], None);
    assert_eq!(most.code, 3, "{}", most.words);
    assert!(most.memory <= (64 << 20) + overhead(threads), "{most:?}");
}

/// Runs jobs into limits on disk: puzzle, options.
fn disk_holds(cases: &[(&str, &str)], limits: &[&str]) {
    let mut stops = 0;
    for (puzzle, options) in cases {
        for limit in limits {
            let dir = tempfile::tempdir().unwrap();
            let (job, scratch) = (dir.path().join("job"), dir.path().join("scratch"));
            let mut arguments = vec!["enumerate", puzzle, "-q", "--dir", text(&job)];
            arguments.extend(options.split_whitespace());
            arguments.extend(["--scratch", text(&scratch), "--disk-limit", limit]);
            let most = watched(&arguments, &[job.clone(), scratch.clone()], None);
            assert!(matches!(most.code, 0 | 3), "{arguments:?}: {}", most.words);
            let allowed = parse_bytes(limit).unwrap() + BESIDE_THE_LIMIT;
            println!(
                "{puzzle} {options}: {limit} on disk, {:.2} MiB at the most ({:.2} in blocks, {} looks)",
                most.disk as f64 / (1 << 20) as f64,
                most.blocks as f64 / (1 << 20) as f64,
                most.looks
            );
            assert!(most.disk <= allowed, "{arguments:?}: {most:?}");
            if most.code == 3 {
                stops += 1;
                assert!(most.words.contains("--disk-limit"), "{}", most.words);
                let sound = ["verify", text(&job), "-q", "--sample", "0"];
                stdout(&sound);
            }
        }
    }
    println!(
        "{} limits on disk hold, {stops} stops",
        cases.len() * limits.len()
    );
    assert!(stops > 0);
}

#[test]
fn disk_stays_within_the_limit() {
    let saved = "--container sparse --memory 4M --checkpoint-every 20ms";
    disk_holds(&[(PUZZLE, saved)], &["300K", "1500K", "30M"]);
}

#[test]
#[ignore = "part of scripts/faults.sh"]
fn disk_stays_within_many_limits() {
    disk_holds(
        &[
            (
                PUZZLE,
                "--container sparse --memory 4M --checkpoint-every 20ms",
            ),
            (PUZZLE, "--container sparse --memory 16M --threads 4"),
            (
                PUZZLE,
                "--container dense --memory 6M --checkpoint-every 10ms",
            ),
            (
                PUZZLE,
                "--keep last-two --memory 8M --checkpoint-every 50ms",
            ),
            ("tiles:3x4", "--max-level 24 --container sparse --memory 8M"),
            (
                "tiles:3x4",
                "--max-level 22 --container sparse --memory 4M --checkpoint-every 50ms",
            ),
            (
                "klotski:all-2",
                "--container sparse --memory 4M --checkpoint-every 10ms",
            ),
        ],
        &["50K", "200K", "700K", "1M", "2M", "5M", "20M"],
    );
}

/// However many runs there are, few files are open.
#[test]
fn open_files_are_few() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    // Much memory, so that buffers never fill up by themselves, and a checkpoint all the time.
    let arguments = [
        "enumerate",
        PUZZLE,
        "-q",
        "--dir",
        text(&job),
        "--container",
        "sparse",
        "--memory",
        "256M",
        "--threads",
        "2",
        "--checkpoint-every",
        "0s",
        "--max-level",
        "8",
    ];
    let most = watched(&arguments, std::slice::from_ref(&job), Some(32));
    assert_eq!(most.code, 0, "{}", most.words);
    println!("open files: {} at the most", most.files);
    assert!(most.files <= OPEN_FILES + 3 * 2, "{most:?}");
    let allowed = (256 << 20) + overhead(2);
    assert!(most.memory <= allowed, "{most:?}");
}

//! What the user allows is what the program takes: memory, disk and open files, watched from outside.
//!
//! A program of its own, and a small one: the system counts what a process held before it executed
//! another program, a copy of its parent, towards its peak memory.

#[path = "suite/common.rs"]
#[allow(dead_code, reason = "this needs little of it")]
mod common;
#[path = "suite/slow_files.rs"]
mod slow_files;

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use common::*;
use godnum::engine::budget::overhead;
use godnum::engine::{ContainerKind, Options, enumerate};
use godnum::puzzle::subject;
use godnum::puzzles::registry;
use godnum::text::parse_bytes;
use rustix::process::{Resource, Rlimit, setrlimit};
use slow_files::SlowFiles;

const PUZZLE: &str = "wrapslide:6x6:2";
/// What the manifest and the tables may take beside the disk limit.
const BESIDE_THE_LIMIT: u64 = 1 << 20;
/// Files that a process may have open beside three for each thread: up to 128 level sets of short levels
/// that wait for a sync, 8 sets that are read, a few directories and files that are being written, the
/// lock, standard streams.
const OPEN_FILES: u64 = 156;

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
    command.current_dir(place).env("XDG_CACHE_HOME", place.join("cache"));
    watch(command, dirs, most_files)
}

/// The same for any program.
fn watch(mut command: Command, dirs: &[PathBuf], most_files: Option<u64>) -> Most {
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    if let Some(limit) = most_files {
        let tighten = move || {
            let limit = Rlimit { current: Some(limit), maximum: Some(limit) };
            setrlimit(Resource::Nofile, limit).map_err(Into::into)
        };
        // SAFETY: one system call in the child, which has this thread only.
        unsafe { command.pre_exec(tighten) };
    }
    let mut child = command.spawn().unwrap();
    let process = PathBuf::from(format!("/proc/{}", child.id()));
    let mut most = Most::default();
    let status = loop {
        // The peak that `wait4` reports would be that of this process, if it has more.
        let own = fs::read_to_string(process.join("status")).unwrap_or_default();
        let peak = own.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        most.memory = most.memory.max(peak.map_or(0, |peak| peak.trim().parse::<u64>().unwrap() * 1024));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        let files = fs::read_dir(process.join("fd")).map_or(0, |entries| entries.count());
        most.files = most.files.max(files as u64);
        let (disk, blocks) = taken(dirs);
        most.disk = most.disk.max(disk);
        most.blocks = most.blocks.max(blocks);
        most.looks += 1;
        std::thread::sleep(Duration::from_millis(2));
    };
    let (disk, blocks) = taken(dirs);
    most.disk = most.disk.max(disk);
    most.blocks = most.blocks.max(blocks);
    most.code = status.code().unwrap_or_else(|| panic!("{command:?} ended with {status}"));
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
        // Many threads share little, and all of them spill.
        ("wrapslide:6x6:3", "--container sparse --max-level 8", "32M", 8),
        ("wrapslide:6x6:3", "--container sparse --max-level 8", "64M", 32),
        ("wrapslide:8x8:4", "--container sparse --max-level 6", "16M", 32),
        (PUZZLE, "--container sparse --max-level 8", "4M", 2),
        (PUZZLE, "--container sparse --max-level 8", "128M", 2),
        (PUZZLE, "--container dense --max-level 8", "16M", 8),
        ("wrapslide:6x6:3", "--container sparse --max-level 7", "4M", 1),
        ("wrapslide:6x6:3", "--container sparse --max-level 7", "32M", 16),
        ("wrapslide:8x8:4", "--container sparse --max-level 6", "8M", 4),
        ("tiles:3x4:push", "--container sparse --max-level 14", "4M", 2),
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
    // Large budgets, and many threads whose heaps could keep what others have freed.
    let large = "--container sparse --max-level 9";
    let mut cases = vec![("wrapslide:6x6:3", large, "256M", 8), ("wrapslide:6x6:3", large, "512M", 16)];
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
        if ["wrapslide:6x6:2", "tiles:3x4", "klotski:"].iter().any(|name| puzzle.starts_with(name)) {
            for (memory, threads) in [("8M", 1), ("16M", 4), ("64M", 2)] {
                cases.push((*puzzle, dense.as_str(), memory, threads));
            }
        }
    }
    memory_holds(&cases);
}

/// Where the process below finds its job and its options.
const SLOW_JOB: &str = "GODNUM_TEST_SLOW_JOB";

/// Not a test: a process that enumerates on a disk whose syncs take long. The test below starts it.
#[test]
#[ignore = "started by another test"]
fn enumerate_on_a_slow_disk() {
    let Some(job) = std::env::var_os(SLOW_JOB) else {
        return;
    };
    // As the program does.
    godnum::store::memory::give_large_blocks_back();
    let puzzle = registry::parse("wrapslide:6x6:3").unwrap();
    let options = Options {
        memory: Some(32 << 20),
        threads: Some(8),
        container: Some(ContainerKind::Sparse),
        max_level: Some(8),
        files: Arc::new(SlowFiles(Duration::from_millis(200))),
        ..Options::default()
    };
    let stop = AtomicBool::new(false);
    enumerate(&subject(&*puzzle).unwrap(), Path::new(&job), &options, silently(&stop)).unwrap();
}

/// Threads that wait for a disk do not gather more than the budget meanwhile.
#[test]
fn memory_stays_within_the_budget_on_a_slow_disk() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "enumerate_on_a_slow_disk", "--include-ignored"]);
    command.env(SLOW_JOB, dir.path().join("job"));
    let most = watch(command, &[], None);
    assert_eq!(most.code, 0, "{}", most.words);
    println!("a slow disk: {:.1} MiB", most.memory as f64 / (1 << 20) as f64);
    assert!(most.memory <= (32 << 20) + overhead(8), "{most:?}");
}

/// A process with little memory resumes what one with much has left: more runs than it can read together.
#[test]
fn memory_stays_within_a_budget_that_shrinks() {
    for (memory, threads) in [("1M", 1), ("4M", 2)] {
        let dir = tempfile::tempdir().unwrap();
        let job = dir.path().join("job");
        let mut many = vec!["enumerate", "wrapslide:6x6:3", "-q", "--dir", text(&job)];
        many.extend(["--container", "sparse", "--max-level", "8", "--checkpoint-every", "1ms"]);
        many.extend(["--memory", "1100M", "--threads", "2"]);
        let mut child = godnum(&many).stderr(Stdio::null()).spawn().unwrap();
        let runs = || fs::read_dir(job.join("scratch")).map_or(0, |runs| runs.count());
        let patience = Instant::now();
        while runs() < 45 && child.try_wait().unwrap().is_none() && patience.elapsed().as_secs() < 100 {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let left = runs();
        let threads_text = threads.to_string();
        let few = ["resume", text(&job), "-q", "--container", "sparse", "--max-level", "8"];
        let few = [&few[..], &["--memory", memory, "--threads", &threads_text]].concat();
        let most = watched(&few, &[], None);
        assert_eq!(most.code, 0, "{}", most.words);
        println!("{left} runs, then {memory}: {:.1} MiB", most.memory as f64 / (1 << 20) as f64);
        assert!(left >= 40, "{left} runs are too few to tell");
        assert!(most.memory <= parse_bytes(memory).unwrap() + overhead(threads), "{most:?}");
    }
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
            println!("{arguments:?}: {:.1} MiB", most.memory as f64 / (1 << 20) as f64);
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
    verify_holds(&[(PUZZLE, "--full"), ("klotski:all-2:move", "--full"), ("tiles:2x5", "--full")]);
}

/// Solvers and samples, with their tables and the levels that they look up.
#[test]
fn solvers_stay_within_their_memory() {
    let dir = tempfile::tempdir().unwrap();
    let threads = godnum::engine::cores();
    let sample = dir.path().join("sample");
    for (arguments, memory) in [
        (&["solve", "tiles:3x3", "8 6 7/2 5 4/3 0 1"][..], "32M"),
        (&["solve", "tiles:3x3", "8 6 7/2 5 4/3 0 1", "--solver", "optimal"], "64M"),
        // With tables that are built first, as large as fit.
        (&["solve", "tiles:4x4", "1 2 3 4/5 6 7 8/9 10 11 12/0 13 14 15"], "128M"),
        (&["solve", "tiles:3x4:push", "1 2 3 4/5 6 7 8/0 9 10 11", "--solver", "optimal"], "64M"),
        (&["solve", "klotski:classic", "--solver", "optimal"], "64M"),
        (&["sample", "wrapslide:4x4:4", "--count", "50", "-q", "--dir", text(&sample)], "32M"),
    ] {
        let arguments = [arguments, &["--memory", memory]].concat();
        let most = watched_in(dir.path(), &arguments, &[], None);
        assert_eq!(most.code, 0, "{arguments:?}: {}", most.words);
        let allowed = parse_bytes(memory).unwrap() + overhead(threads);
        println!("{arguments:?}: {:.1} MiB", most.memory as f64 / (1 << 20) as f64);
        assert!(most.memory <= allowed, "{arguments:?}: {most:?}");
    }
    // What needs more says so before it begins.
    let count = dir.path().join("count");
    let arguments = ["count", "triangles:sample", "-q", "--dir", text(&count), "--memory", "64M"];
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
    println!("{} limits on disk hold, {stops} stops", cases.len() * limits.len());
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
            (PUZZLE, "--container sparse --memory 4M --checkpoint-every 20ms"),
            (PUZZLE, "--container sparse --memory 16M --threads 4"),
            (PUZZLE, "--container dense --memory 6M --checkpoint-every 10ms"),
            (PUZZLE, "--keep last-two --memory 8M --checkpoint-every 50ms"),
            ("tiles:3x4", "--max-level 24 --container sparse --memory 8M"),
            ("tiles:3x4", "--max-level 22 --container sparse --memory 4M --checkpoint-every 50ms"),
            ("klotski:all-2", "--container sparse --memory 4M --checkpoint-every 10ms"),
        ],
        &["50K", "200K", "700K", "1M", "2M", "5M", "20M"],
    );
}

/// Memory that this process has now, in bytes.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").trim().parse::<u64>().unwrap() << 10
}

/// Sets of so many indices are written, opened, read and merged, and memory does not grow with them.
fn large_sets_hold(classes: u64) {
    use godnum::engine::budget::Budget;
    use godnum::engine::container::{Container, ContainerContext};
    use godnum::engine::manifest::RunRecord;
    use godnum::engine::sparse::Sparse;
    use godnum::engine::{Control, Silent};
    use godnum::store::disk::Disk;
    use godnum::store::level_set::{
        BLOCK, CodedBlock, READER, SetHeader, SetKind, SetWriter, SortedSet, block,
    };
    // Beside a set's own bytes: the buffer of a file that is written, what zstd works with, and what the
    // allocator keeps. The block index of a very large set would take four times as much.
    const BESIDE: u64 = 6 << 20;

    let dir = tempfile::tempdir().unwrap();
    let disk = Disk::new(None, 0);
    let set_header = SetHeader {
        kind: SetKind::Run,
        puzzle: "dense".into(),
        content: None,
        scheme: 1,
        level: 1,
        universe: 1 << 62,
    };
    let begun = Instant::now();
    let base = resident();
    let (mut most, mut looks) = (0, 0u64);
    let mut look = || {
        looks += 1;
        if looks % 4096 == 1 {
            most = resident().max(most);
        }
        most.saturating_sub(base)
    };
    // Two runs of every second block of consecutive indices, which take a few bytes each.
    let blocks = classes.div_ceil(BLOCK as u64);
    let mut files = Vec::new();
    for half in 0..2 {
        let path = dir.path().join(format!("{half}.run"));
        let mut writer = SetWriter::<u64>::create(&disk, &path, &set_header).unwrap();
        let mut bytes = Vec::new();
        for number in (half..blocks).step_by(2) {
            let first = number * BLOCK as u64;
            let indices: Vec<u64> = (first..first + BLOCK as u64).collect();
            bytes.clear();
            block::encode(&indices, block::Packing::Small, &mut bytes);
            writer.append(&CodedBlock { bytes: bytes.clone(), states: 0 }).unwrap();
            let taken = look();
            assert!(taken <= BESIDE, "{taken} bytes to write {number} blocks");
        }
        let (totals, _) = writer.end(false).unwrap();
        files.push(RunRecord { path, blocks_digest: totals.blocks_digest });
    }
    println!("written: {:.1} s, {} KiB", begun.elapsed().as_secs_f64(), look() >> 10);
    for file in &files {
        let set = SortedSet::<u64>::open(&file.path, &set_header).unwrap();
        assert!(set.memory() as f64 <= 90.0 * (set.blocks() as f64).sqrt() + 20_000.0, "{}", set.memory());
        let taken = look();
        assert!(taken <= BESIDE + set.most_memory() + READER as u64, "{taken} bytes to open");
        for block in [0, set.blocks() / 2, set.blocks() - 1] {
            assert!(set.contains(set.first_of(block).unwrap() + 17).unwrap());
        }
        println!("{} blocks: {} bytes of memory", set.blocks(), set.memory());
    }
    // Merged, bucket by bucket: all indices once, in order.
    let stop = std::sync::atomic::AtomicBool::new(false);
    let serial = std::sync::atomic::AtomicU64::new(0);
    let memory = 4 << 20;
    let budget = Budget::new(memory, 1).unwrap();
    let context = ContainerContext {
        disk: &disk,
        run_dir: dir.path(),
        set_header: &set_header,
        budget: &budget,
        serial: &serial,
        pool: &rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap(),
        control: Control { stop: &stop, observer: &Silent },
    };
    let sparse = Sparse::<u64>::new(context, (0, 1 << 62), &files).unwrap();
    let (mut next, mut at) = (0, 0);
    loop {
        let buckets = sparse.buckets(at).unwrap();
        if buckets.is_empty() {
            break;
        }
        for bucket in buckets {
            let indices = sparse.drain_bucket(bucket, &[]).unwrap();
            assert!(indices.iter().copied().eq(next..next + indices.len() as u64));
            next += indices.len() as u64;
            at = bucket.1;
            let taken = look();
            assert!(taken <= BESIDE + memory, "{taken} bytes to merge {next} indices");
        }
    }
    assert_eq!(next, blocks * BLOCK as u64);
    println!("{next} indices merged: {:.1} s, {} KiB", begun.elapsed().as_secs_f64(), look() >> 10);
}

#[test]
fn memory_does_not_grow_with_a_set() {
    large_sets_hold(40_000_000);
}

#[test]
#[ignore = "part of scripts/faults.sh"]
fn memory_does_not_grow_with_a_very_large_set() {
    large_sets_hold(4_200_000_000);
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
    let allowed = (256 << 20) + overhead(2);
    assert!(most.memory <= allowed, "{most:?}");
}

//! Real faults, met by the real program: kills, full and read-only disks, copies of a job that runs,
//! clocks that jump, processes that race, and whatever else the system can refuse. A job either ends
//! with the bytes of an undisturbed one, or says in a sentence what stands in its way, and goes on
//! when that is gone.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::*;
use godnum::engine::Job;
use rustix::process::{Resource, Rlimit, setrlimit};

/// Small enough to be walked a hundred times, large enough to spill.
const PUZZLE: &str = "wrapslide:6x6:3:fixed";
/// A job of several seconds.
const LONGER: &str = "wrapslide:6x6:2";
/// Runs that spill, merge and are saved all the time.
const SPARSE: &[&str] = &["--container", "sparse", "--memory", "4M", "--checkpoint-every", "20ms"];
/// Several passes over a bitmap, saved all the time.
const DENSE: &[&str] = &["--container", "dense", "--memory", "6M", "--checkpoint-every", "10ms"];

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// An undisturbed job, made once for all tests.
fn reference(puzzle: &str, extra: &[&str]) -> PathBuf {
    static JOBS: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut jobs = JOBS.lock().unwrap_or_else(PoisonError::into_inner);
    let name = format!("{puzzle} {}", extra.join(" "));
    let number = jobs.len();
    let make = || {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let dir = place.join(format!("reference-{number}"));
        // It is left by the last time, because tests end anyhow.
        let _ = fs::remove_dir_all(&dir);
        stdout(&[&["enumerate", puzzle, "-q", "--dir", text(&dir)], extra].concat());
        dir
    };
    jobs.entry(name).or_insert_with(make).clone()
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    fn nap(&mut self, most: u64) {
        sleep(Duration::from_millis(self.below(most)));
    }
}

/// Waits for a process; fails if it takes too long.
fn ended(child: &mut Child, limit: Duration) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(start.elapsed() < limit, "the process does not end");
        sleep(Duration::from_millis(5));
    }
}

/// How a process ended that was allowed to fail: it must have exited by itself, with one of these
/// codes, and with a sentence if the code is not 0. Returns code and sentence.
fn ending(output: &Output, codes: &[i32], context: &str) -> (i32, String) {
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code();
    assert!(code.is_some_and(|code| codes.contains(&code)), "{context}: {:?}: {words}", output.status);
    assert!(!words.contains("panicked"), "{context}: {words}");
    let code = code.unwrap();
    if code != 0 {
        assert!(words.contains("error: "), "{context}: {words}");
    }
    (code, words)
}

/// What is there must be sound, or there is nothing yet.
fn assert_sound(job: &Path) {
    let output = run(&["verify", text(job), "--sample", "0", "-q"]);
    let (code, words) = ending(&output, &[0, 2], "verify");
    assert!(code == 0 || words.contains("holds no job"), "{words}");
}

/// Nothing half-written stays behind an orderly end.
fn assert_tidy(job: &Path) {
    if !job.exists() {
        return;
    }
    for dir in [job.to_owned(), job.join("levels"), job.join("scratch")] {
        let names = if dir.exists() { names_in(&dir) } else { vec![] };
        let half = names.iter().find(|name| name.ends_with(".part"));
        assert!(half.is_none(), "{half:?} is left in {}", dir.display());
    }
    assert_sound(job);
}

/// Whether something that needs rights or tools can be tried; says so if not.
fn possible(command: &mut Command, what: &str) -> bool {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let possible = status.is_ok_and(|status| status.success());
    if !possible {
        skip(what);
    }
    possible
}

/// Copies the program. Another process does it: while this one has the copy open for writing, a
/// child that another test starts could inherit that, and a file being written cannot be executed.
fn copy_program(to: &Path) {
    let program = env!("CARGO_BIN_EXE_godnum");
    assert!(Command::new("cp").arg(program).arg(to).status().unwrap().success());
}

// Kills.

/// Kills a job at random moments until it is through, with options that change from life to life;
/// returns how often.
fn killed_to_the_end(job: &Path, puzzle: &str, extra: &[&[&str]], dice: &mut Dice) -> u32 {
    let mut kills = 0;
    loop {
        let options = extra[kills as usize % extra.len()];
        let mut child = start(&[&["enumerate", puzzle, "-q", "--dir", text(job)], options].concat());
        // Most lives are short; they grow, so that the job ends.
        dice.nap(60 + 15 * u64::from(kills));
        child.kill().unwrap();
        let status = child.wait().unwrap();
        if status.success() {
            return kills;
        }
        let mut words = String::new();
        let _ = child.stderr.take().unwrap().read_to_string(&mut words);
        assert_eq!(status.signal(), Some(9), "it failed by itself: {words}");
        kills += 1;
        assert_sound(job);
        assert!(kills < 400, "the job makes no progress");
    }
}

fn kills(rounds: &[(&str, &[&[&str]])], least: u32) {
    let dir = tempfile::tempdir().unwrap();
    let mut dice = Dice(77);
    let mut kills = 0;
    for round in 0.. {
        let (puzzle, extra) = rounds[round % rounds.len()];
        if round >= rounds.len() && kills >= least {
            break;
        }
        let job = dir.path().join(round.to_string());
        let more = killed_to_the_end(&job, puzzle, extra, &mut dice);
        println!("{puzzle}: killed {more} times");
        kills += more;
        // Only the level to stop at changes what is computed.
        let to = extra[0].iter().position(|&word| word == "--max-level");
        assert_same_job(&reference(puzzle, to.map_or(&[], |at| &extra[0][at..])), &job);
        assert!(!job.join("scratch").exists(), "runs are left behind");
    }
    println!("killed {kills} times in all");
}

#[test]
fn kill_nine_at_any_moment_loses_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let elsewhere = &["--checkpoint-every", "20ms", "--scratch", text(scratch.path())];
    // Everything that may change on resume changes all the time.
    let mixed: &[&[&str]] = &[SPARSE, DENSE, elsewhere, &["--threads", "1"]];
    kills(&[(PUZZLE, mixed), ("klotski:all-2", &[SPARSE, DENSE])], 0);
}

#[test]
#[ignore = "part of scripts/faults.sh"]
fn kill_nine_at_two_hundred_moments_loses_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let elsewhere = &["--checkpoint-every", "20ms", "--scratch", text(scratch.path())];
    let tiles = |container: &'static [&'static str]| [container, &["--max-level", "24"]].concat();
    let (tiles_sparse, tiles_dense) = (tiles(SPARSE), tiles(DENSE));
    let triangles = [SPARSE, &["--max-level", "6"]].concat();
    kills(
        &[
            (LONGER, &[SPARSE]),
            (LONGER, &[DENSE]),
            (LONGER, &[SPARSE, DENSE, elsewhere, &["--threads", "1"]]),
            ("tiles:3x4", &[&tiles_sparse]),
            ("tiles:3x4", &[&tiles_dense]),
            ("tiles:2x5:push", &[SPARSE, DENSE]),
            ("klotski:all-2:move", &[SPARSE]),
            ("klotski:all-2", &[DENSE]),
            ("klotski:classic:from-goals", &[SPARSE, DENSE]),
            ("wrapslide:4x4:4:unit", &[SPARSE, DENSE]),
            ("gourds:random:11:1", &[SPARSE, DENSE]),
            ("triangles:sample", &[&triangles]),
        ],
        200,
    );
}

// Signals.

#[test]
fn a_job_that_was_suspended_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    let mut child = start(&[&["enumerate", PUZZLE, "-q", "--dir", text(&job)], SPARSE].concat());
    for _ in 0..5 {
        sleep(Duration::from_millis(60));
        signal(&child, "STOP");
        sleep(Duration::from_millis(60));
        assert!(child.try_wait().unwrap().is_none());
        signal(&child, "CONT");
    }
    assert!(ended(&mut child, Duration::from_secs(120)).success());
    assert_same_job(&reference(PUZZLE, &[]), &job);
}

/// The second signal does not wait, and a signal can come at any moment of the last commit.
fn signals(moments: u64) {
    let dir = tempfile::tempdir().unwrap();
    let mut dice = Dice(5);
    let (mut stopped, mut finished) = (0, 0);
    for round in 0..moments {
        let job = dir.path().join(round.to_string());
        let arguments = ["enumerate", "wrapslide:4x4:4", "-q", "--dir", text(&job)];
        let mut child = start(&arguments);
        dice.nap(150);
        for _ in 0..1 + round % 2 {
            signal(&child, ["TERM", "INT", "HUP"][round as usize % 3]);
        }
        let status = ended(&mut child, Duration::from_secs(10));
        // Before it listens, a signal ends it, as it would any other program.
        let deadly = status.signal().is_some_and(|number| [1, 2, 15].contains(&number));
        assert!(deadly || matches!(status.code(), Some(0 | 130)), "{status:?}");
        match status.success() {
            true => finished += 1,
            false => stopped += 1,
        }
        assert_tidy_or_killed(&job);
        stdout(&arguments);
        assert_same_job(&reference("wrapslide:4x4:4", &[]), &job);
    }
    println!("signals at {moments} moments: stopped {stopped} times, finished {finished} times");
}

/// A second signal ends the process at once, which may leave halves behind, as a kill does.
fn assert_tidy_or_killed(job: &Path) {
    if job.exists() {
        assert_sound(job);
    }
}

#[test]
fn a_stop_signal_can_come_at_any_moment() {
    signals(12);
}

#[test]
#[ignore = "part of scripts/faults.sh"]
fn a_stop_signal_can_come_at_two_hundred_moments() {
    signals(200);
}

// Disks.

/// A file system of its own, small enough to fill up. Needs the right to mount.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn new(options: &str) -> Option<Self> {
        let path = tempfile::tempdir().unwrap().keep();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "tmpfs", text(&path)]);
        possible(&mut mount, "no right to mount a small file system").then_some(SmallDisk(path))
    }

    fn remount(&self, options: &str) {
        let options = format!("remount,{options}");
        let status = Command::new("mount").args(["-o", &options, text(&self.0)]).status();
        assert!(status.unwrap().success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
        let _ = fs::remove_dir(&self.0);
    }
}

/// What a refusal says about levels that are safe is what the next process finds.
fn assert_safe_as_told(job: &Path, words: &str) {
    let stored = Job::open(job).and_then(|job| job.manifest());
    let stored = stored.map_or(0, |manifest| manifest.levels.len());
    let last = words
        .split_once("Levels 0 to ")
        .map(|(_, rest)| rest.split_once(' ').unwrap().0.parse::<usize>().unwrap());
    match last {
        Some(last) => assert_eq!(stored, last + 1, "{words}"),
        None if words.contains("No level is safe") => assert_eq!(stored, 0, "{words}"),
        None => {}
    }
}

/// Short levels share one sync, and on a disk that is full by then none of them is safe.
#[test]
fn a_disk_that_is_full_before_the_first_sync_is_told_as_it_is() {
    let mut refused = 0;
    for size in (24..=128).step_by(8) {
        let Some(small) = SmallDisk::new(&format!("size={size}k")) else {
            return;
        };
        let job = small.0.join("job");
        let arguments = ["enumerate", "tiles:3x3", "-q", "--dir", text(&job)];
        let (code, words) = ending(&run(&arguments), &[0, 1, 3], "a small disk");
        println!("{size}k: {code}: {words}");
        assert!(code != 3 || words.contains(" safe"), "{words}");
        refused += u32::from(words.contains("No level is safe"));
        assert_safe_as_told(&job, &words);
        small.remount("size=8m");
        stdout(&arguments);
    }
    assert!(refused > 0);
}

/// Fills disks of many sizes, and disks with room for few files.
fn full_disks(sizes: &[String]) {
    let mut stops = 0;
    for (i, size) in sizes.iter().enumerate() {
        let Some(small) = SmallDisk::new(size) else {
            return;
        };
        let other = tempfile::tempdir().unwrap();
        let on_small = small.0.join("job");
        let beside = other.path().join("job");
        let scratch = small.0.join("scratch");
        // The job on the full disk, or only its runs.
        let (job, extra) = match i % 3 {
            0 => (&on_small, SPARSE.to_vec()),
            1 => (&on_small, DENSE.to_vec()),
            _ => (&beside, [SPARSE, &["--scratch", text(&scratch)]].concat()),
        };
        let arguments = [&["enumerate", PUZZLE, "-q", "--dir", text(job)], &extra[..]].concat();
        let (code, words) = ending(&run(&arguments), &[0, 1, 3], size);
        if code != 0 {
            stops += 1;
            assert!(words.contains("space") && words.contains("again"), "{words}");
            assert_safe_as_told(job, &words);
        }
        assert_tidy(job);
        small.remount("size=64m,nr_inodes=10000");
        stdout(&arguments);
        assert_same_job(&reference(PUZZLE, &[]), job);
        assert!(!scratch.join("scratch").exists() && !job.join("scratch").exists());
    }
    println!("{} small disks: {stops} were too small", sizes.len());
    assert!(stops * 3 >= sizes.len(), "only {stops} of {} disks were too small", sizes.len());
}

#[test]
fn a_full_disk_loses_nothing() {
    let sizes = ["4k", "64k", "100k", "250k", "300k", "150k"];
    full_disks(&sizes.map(|size| format!("size={size}")));
}

#[test]
#[ignore = "part of scripts/faults.sh"]
fn full_disks_of_many_sizes_lose_nothing() {
    let mut sizes: Vec<String> = (0..90).map(|i| format!("size={}k", 4 + i * 5)).collect();
    sizes.extend((2..32).map(|inodes| format!("size=64m,nr_inodes={inodes}")));
    full_disks(&sizes);
}

/// So full that not even a manifest fits: nothing is there afterwards, or what was there before.
#[test]
fn a_disk_without_room_for_a_manifest_keeps_what_it_has() {
    let Some(small) = SmallDisk::new("size=8m") else {
        return;
    };
    let job = small.0.join("job");
    let arguments = ["enumerate", PUZZLE, "-q", "--dir", text(&job)];
    let fill = |path: &Path| {
        // Until not even one more byte fits.
        let _ = fs::write(path, vec![7; 16 << 20]);
    };
    let stuffing = small.0.join("stuffing");
    fill(&stuffing);
    let (_, words) = ending(&run(&arguments), &[1], "a full disk");
    assert!(words.contains("space"), "{words}");
    assert_tidy(&job);
    fs::remove_file(&stuffing).unwrap();
    stdout(&[&arguments[..], &["--max-level", "5"]].concat());
    let before = fs::read(job.join("manifest.json")).unwrap();
    fill(&stuffing);
    let (_, words) = ending(&run(&arguments), &[1, 3], "a full disk");
    assert!(words.contains("space"), "{words}");
    assert_tidy(&job);
    assert_eq!(fs::read(job.join("manifest.json")).unwrap(), before);
    fs::remove_file(&stuffing).unwrap();
    stdout(&arguments);
    assert_same_job(&reference(PUZZLE, &[]), &job);
}

/// What reads a finished job, run in a directory with `runs/wrapslide-4x4-4` in it.
const READERS: [&[&str]; 5] = [
    &["status", "runs/wrapslide-4x4-4"],
    &["verify", "runs/wrapslide-4x4-4", "-q"],
    &["levels", "wrapslide:4x4:4"],
    &["antipodes", "wrapslide:4x4:4", "--count", "2"],
    &["solve", "wrapslide:4x4:4", "1234/1234/1234/1234"],
];

/// Readers work where nothing can be written; writers say so.
fn assert_read_only(place: &Path, command: &dyn Fn(&[&str]) -> Command) {
    let output = |arguments: &[&str]| {
        let mut command = command(arguments);
        // Not even a cache.
        command.current_dir(place).env("XDG_CACHE_HOME", "/proc/none");
        command.stdin(Stdio::null()).output().unwrap()
    };
    for arguments in &READERS {
        ending(&output(arguments), &[0], &format!("{arguments:?}"));
    }
    for arguments in [
        &["enumerate", "wrapslide:4x4:3"][..],
        &["enumerate", "wrapslide:4x4:2", "--dir", "runs/half"],
        &["enumerate", "wrapslide:4x4:4", "--fresh"],
        &["resume", "runs/half"],
        &["sample", "wrapslide:4x4:4", "--count", "3"],
        &["count", "triangles:sample"],
    ] {
        let (_, words) = ending(&output(arguments), &[1], &format!("{arguments:?}"));
        assert!(words.contains("writable directory"), "{words}");
    }
    for arguments in &READERS {
        ending(&output(arguments), &[0], &format!("{arguments:?}"));
    }
}

/// A finished job and one that is not.
fn two_jobs(place: &Path) {
    for arguments in [
        &["enumerate", "wrapslide:4x4:4", "-q"][..],
        &["enumerate", "wrapslide:4x4:2", "-q", "--dir", "runs/half", "--max-level", "3"],
    ] {
        let status = godnum(arguments).current_dir(place).output().unwrap().status;
        assert!(status.success());
    }
}

#[test]
fn a_read_only_disk_can_be_read() {
    let Some(disk) = SmallDisk::new("size=64m") else {
        return;
    };
    two_jobs(&disk.0);
    disk.remount("ro");
    assert_read_only(&disk.0, &godnum);
    disk.remount("rw");
    stdout(&["resume", text(&disk.0.join("runs/half")), "-q"]);
}

#[test]
fn a_user_without_rights_can_read() {
    use std::os::unix::fs::PermissionsExt;
    let nobody = 65534;
    if !possible(Command::new("true").uid(nobody), "no right to become another user") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    two_jobs(dir.path());
    let binary = dir.path().join("godnum");
    copy_program(&binary);
    assert_read_only(dir.path(), &|arguments| {
        let mut command = Command::new(&binary);
        command.args(arguments).uid(nobody).gid(nobody);
        command
    });
    // Level sets that may not be read at all.
    let level = dir.path().join("runs/wrapslide-4x4-4/levels/00003.gls");
    fs::set_permissions(&level, fs::Permissions::from_mode(0o000)).unwrap();
    let mut verify = Command::new(&binary);
    verify.args(["verify", "runs/wrapslide-4x4-4", "-q"]);
    let output = verify.uid(nobody).gid(nobody).current_dir(dir.path()).output();
    let (_, words) = ending(&output.unwrap(), &[1], "verify");
    assert!(words.contains("00003.gls"), "{words}");
}

/// A file that cannot be looked for is not a missing one: nothing is called damaged, and nothing begins anew.
#[test]
fn a_failing_look_for_a_file_is_no_damage() {
    let place = tempfile::tempdir().unwrap();
    let library = crate::interposed::library(place.path());
    let with = |bad: &str, arguments: &[&str]| {
        let mut command = godnum(arguments);
        command.current_dir(place.path()).env("XDG_CACHE_HOME", place.path().join("cache"));
        command.env("LD_PRELOAD", &library).env("BAD_NAME", bad);
        command.output().unwrap()
    };
    let puzzle = "wrapslide:4x4:4";
    let commands: [&[&str]; 3] = [
        &["enumerate", puzzle, "-q"],
        &["count", "triangles:band14", "-q"],
        &["sample", puzzle, "--count", "5", "-q"],
    ];
    for arguments in commands {
        ending(&with("none of this name", arguments), &[0], &format!("{arguments:?}"));
    }
    let files = ["wrapslide-4x4-4/manifest.json", "triangles-band14-count/count.json"];
    let content = || files.map(|name| fs::read(place.path().join("runs").join(name)).unwrap());
    let before = content();
    let job = "runs/wrapslide-4x4-4";
    for (bad, arguments) in [
        ("/job.json", &["status", job][..]),
        ("/job.json", &["verify", job]),
        ("/job.json", &["levels", puzzle]),
        ("/job.json", &["antipodes", puzzle]),
        ("/job.json", commands[0]),
        ("/job.json", &["plot", puzzle]),
        ("/job.json", &["bounds", puzzle]),
        ("/job.json", &["solve", puzzle, "1234/1234/1234/1234", "--solver", "table"]),
        ("/manifest.json", commands[0]),
        ("/00005.gls", commands[0]),
        ("/lock", commands[0]),
        ("runs", &["bounds", puzzle]),
        ("/count.json", commands[1]),
        ("/count.json", &["verify", "runs/triangles-band14-count"]),
        ("/sample.json", commands[2]),
    ] {
        let (_, words) = ending(&with(bad, arguments), &[1], &format!("{bad}: {arguments:?}"));
        assert!(words.contains("nput/output error") && words.contains(bad), "{arguments:?}: {words}");
    }
    assert!(content() == before);
}

// Copies.

fn copy(from: &Path, to: &Path) {
    // Files may vanish while they are copied.
    let status = Command::new("cp").args(["-r", text(from), text(to)]).stderr(Stdio::null()).status();
    assert!(status.is_ok());
}

/// Copies of a job that runs either go on to the same bytes or are refused as damaged.
fn copies(number: usize) {
    let dir = tempfile::tempdir().unwrap();
    let mut dice = Dice(11);
    let mut copies: Vec<PathBuf> = Vec::new();
    for round in 0.. {
        let job = dir.path().join(format!("job{round}"));
        let options = [SPARSE, DENSE][round % 2];
        let arguments = [&["enumerate", PUZZLE, "-q", "--dir", text(&job)], options].concat();
        let mut child = start(&arguments);
        loop {
            dice.nap(120);
            if dice.below(4) == 0 {
                // A new process in between, as after a crash.
                child.kill().unwrap();
                if !child.wait().unwrap().success() {
                    child = start(&arguments);
                }
            }
            let to = dir.path().join(format!("copy{}", copies.len()));
            copy(&job, &to);
            if to.exists() {
                copies.push(to);
            }
            if child.try_wait().unwrap().is_some() {
                break;
            }
        }
        assert!(child.wait().unwrap().success());
        assert_same_job(&reference(PUZZLE, &[]), &job);
        if copies.len() >= number {
            break;
        }
    }
    let (mut whole, mut damaged, mut empty) = (0, 0, 0);
    for copy in &copies {
        let output = run(&[&["resume", text(copy), "-q"], SPARSE].concat());
        match ending(&output, &[0, 2, 5], "a copy") {
            (0, _) => {
                assert_same_job(&reference(PUZZLE, &[]), copy);
                whole += 1;
            }
            (2, words) => {
                assert!(words.contains("holds no job"), "{words}");
                empty += 1;
            }
            (_, words) => {
                assert!(words.contains("--from-level") || words.contains("--fresh"), "{words}");
                damaged += 1;
            }
        }
        fs::remove_dir_all(copy).unwrap();
    }
    println!(
        "{} copies: {whole} went on, {damaged} were refused as damaged, {empty} held no job yet",
        copies.len()
    );
    assert!(whole > 0);
}

#[test]
fn a_copy_of_a_running_job_goes_on_or_is_refused() {
    copies(8);
}

#[test]
#[ignore = "part of scripts/faults.sh"]
fn two_hundred_copies_of_running_jobs_go_on_or_are_refused() {
    copies(200);
}

/// A copy of a stopped job must not take the runs away that the original still needs.
#[test]
fn a_copied_job_leaves_the_original_alone() {
    let dir = tempfile::tempdir().unwrap();
    let (job, twin) = (dir.path().join("job"), dir.path().join("copy"));
    let scratch = dir.path().join("scratch");
    let options =
        ["-q", "--container", "sparse", "--memory", "4M", "--threads", "1", "--scratch", text(&scratch)];
    let mut child = start(&[&["enumerate", LONGER, "--dir", text(&job)], &options[..]].concat());
    sleep(Duration::from_millis(1200));
    // Not INT, which a shell switches off for what it runs in the background.
    signal(&child, "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    copy(&job, &twin);
    for dir in [&twin, &job] {
        stdout(&[&["resume", text(dir)], &options[..]].concat());
        assert_same_job(&reference(LONGER, &[]), dir);
    }
}

/// Runs that a killed process left elsewhere are deleted, wherever the next one writes its own.
#[test]
fn a_killed_job_leaves_nothing_elsewhere() {
    let dir = tempfile::tempdir().unwrap();
    let (job, scratch) = (dir.path().join("job"), dir.path().join("scratch"));
    let options = [SPARSE, &["--scratch", text(&scratch)]].concat();
    let runs = || -> usize {
        let folders = fs::read_dir(&scratch).into_iter().flatten().flatten();
        folders.map(|folder| names_in(&folder.path()).len()).sum()
    };
    let kill_one = || {
        let mut child = start(&[&["enumerate", LONGER, "-q", "--dir", text(&job)], &*options].concat());
        while runs() < 3 {
            sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    };
    kill_one();
    assert!(runs() > 0);
    stdout(&["resume", text(&job), "-q"]);
    assert_eq!(names_in(&scratch).len(), 0);
    assert_same_job(&reference(LONGER, &[]), &job);
    // The same for a job that is given up.
    stdout(&["enumerate", LONGER, "-q", "--fresh", "--max-level", "2", "--dir", text(&job)]);
    kill_one();
    stdout(&["enumerate", LONGER, "-q", "--fresh", "--max-level", "2", "--dir", text(&job)]);
    assert_eq!(names_in(&scratch).len(), 0);
}

// Clocks.

/// A job whose files come from another age, stopped and resumed under clocks that differ by years.
#[test]
fn a_clock_that_jumps_between_runs_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    let uptime = fs::read_to_string("/proc/uptime").unwrap_or_default();
    let uptime: f64 = uptime.split(' ').next().and_then(|s| s.parse().ok()).unwrap_or(0.0);
    let shifted = |seconds: i64| {
        let mut unshare = Command::new("unshare");
        let shift = seconds.to_string();
        unshare.args(["-T", "--monotonic", &shift, "--boottime", &shift]);
        unshare
    };
    let namespaces = possible(shifted(1000).arg("true"), "no right to a clock of its own");
    // Ten years on, and back to when the machine was started.
    let shifts = [315_360_000, 5 - uptime as i64, 0, 315_360_000, 10 - uptime as i64, 1];
    for (i, shift) in shifts.into_iter().enumerate() {
        let level = (4 + i).to_string();
        let mut command = match namespaces {
            true => {
                let mut unshare = shifted(shift);
                unshare.arg(env!("CARGO_BIN_EXE_godnum"));
                unshare
            }
            false => godnum(&[]),
        };
        command.args(["enumerate", PUZZLE, "-q", "--dir", text(&job)]);
        command.args(SPARSE);
        if i + 1 < shifts.len() {
            command.args(["--max-level", &level]);
        }
        let output = command.stdin(Stdio::null()).output().unwrap();
        ending(&output, &[0], &format!("a clock shifted by {shift}"));
        let date = ["1970-01-02", "2099-12-31"][i % 2];
        let touched =
            Command::new("find").args([text(&job), "-exec", "touch", "-d", date, "{}", "+"]).status();
        assert!(touched.unwrap().success());
    }
    assert_same_job(&reference(PUZZLE, &[]), &job);
    assert_sane_times(&job);
}

/// Nothing took longer than this test could have.
fn assert_sane_times(job: &Path) {
    let timing = fs::read_to_string(job.join("timing.csv")).unwrap();
    let mut lines = timing.lines();
    let column = lines.next().unwrap().split(',').position(|name| name == "seconds");
    for line in lines {
        let seconds: f64 = line.split(',').nth(column.unwrap()).unwrap().parse().unwrap();
        assert!((0.0..600.0).contains(&seconds), "{line}");
    }
    let shown: String = stdout(&["status", text(job)]);
    assert!(!shown.contains('-') || !shown.contains("time:    -"), "{shown}");
}

/// Clocks that jump while a job runs, back and forth by days, all of them.
#[test]
fn a_clock_that_jumps_while_a_job_runs_changes_nothing() {
    if !possible(Command::new("faketime").args(["2001-01-01", "true"]), "there is no faketime") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    let now = dir.path().join("now");
    fs::write(&now, "+0").unwrap();
    let mut dice = Dice(3);
    for kills in 0.. {
        let mut child = Command::new("faketime")
            .args(["-f", "+0", env!("CARGO_BIN_EXE_godnum")])
            .args(["enumerate", PUZZLE, "-q", "--dir", text(&job)])
            .args(if kills % 2 == 0 { SPARSE } else { DENSE })
            .env("FAKETIME_TIMESTAMP_FILE", &now)
            .env("FAKETIME_CACHE_DURATION", "1")
            .env("FAKETIME_NO_CACHE", "1")
            .env_remove("FAKETIME")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() {
            let days = dice.below(8000) as i64 - 4000;
            fs::write(&now, format!("{days:+}d")).unwrap();
            sleep(Duration::from_millis(7));
            if kills < 3 && begun.elapsed() > Duration::from_millis(400) {
                child.kill().unwrap();
            }
            assert!(begun.elapsed() < Duration::from_secs(120), "the job does not end");
        }
        let output = child.wait_with_output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(!words.contains("panicked"), "{words}");
        if output.status.signal() == Some(9) {
            continue;
        }
        assert!(output.status.success(), "{words}");
        break;
    }
    assert_same_job(&reference(PUZZLE, &[]), &job);
    stdout(&["status", text(&job)]);
    stdout(&["verify", text(&job), "-q"]);
}

// Races.

/// Starts all at once; each must end with one of the codes. Returns how many ended with which.
fn race(commands: &[Vec<&str>], codes: &[i32]) -> BTreeMap<i32, usize> {
    let children: Vec<Child> = commands.iter().map(|arguments| start(arguments)).collect();
    let mut count = BTreeMap::new();
    for (arguments, child) in commands.iter().zip(children) {
        let output = child.wait_with_output().unwrap();
        let (code, words) = ending(&output, codes, &format!("{arguments:?}"));
        if code == 6 {
            assert!(words.contains("worked on by"), "{words}");
        }
        *count.entry(code).or_default() += 1;
    }
    count
}

fn races(rounds: usize) {
    let dir = tempfile::tempdir().unwrap();
    let mut dice = Dice(19);
    let mut refused = 0;
    for round in 0..rounds {
        let job = dir.path().join(round.to_string());
        let number = [2, 10][round % 2];
        // Every third directory has a job already.
        let enumerate = [&["enumerate", PUZZLE, "-q", "--dir", text(&job)], SPARSE].concat();
        if round % 3 == 2 {
            stdout(&[&enumerate[..], &["--max-level", "6"]].concat());
        }
        let commands: Vec<Vec<&str>> = (0..number)
            .map(|_| match dice.below(8) {
                0 => [&enumerate[..], &["--fresh"]].concat(),
                1 => [&["resume", text(&job), "-q"], SPARSE].concat(),
                2 => vec!["verify", text(&job), "--sample", "0", "-q"],
                _ => enumerate.clone(),
            })
            .collect();
        let count = race(&commands, &[0, 2, 6]);
        refused += count.get(&6).copied().unwrap_or_default();
        stdout(&enumerate);
        assert_same_job(&reference(PUZZLE, &[]), &job);
        assert_tidy(&job);
    }
    println!("{rounds} races: {refused} processes were refused");
    assert!(refused >= rounds, "only {refused} were refused");
}

#[test]
fn processes_that_race_for_a_job_do_it_once() {
    races(4);
}

#[test]
#[ignore = "part of scripts/faults.sh"]
fn forty_races_for_a_job_do_it_once() {
    races(40);
}

/// The same for counts and samples; `game` is one that can be counted.
fn races_for_parts(game: &str, rounds: usize) {
    let dir = tempfile::tempdir().unwrap();
    let (count, sample) = (dir.path().join("count"), dir.path().join("sample"));
    let counting = ["count", game, "-q", "--dir", text(&count)];
    let sampling =
        ["sample", "wrapslide:4x4:4", "--count", "3000", "--seed", "4", "-q", "--dir", text(&sample)];
    for arguments in [&counting[..], &sampling[..]] {
        let mut refused = 0;
        for _ in 0..rounds {
            let plain = (0..9).map(|_| arguments.to_vec());
            let fresh = [arguments, &["--fresh"]].concat();
            let commands: Vec<_> = plain.chain([fresh]).collect();
            let ends = race(&commands, &[0, 6]);
            assert!(ends.contains_key(&0), "{ends:?}");
            refused += ends.get(&6).copied().unwrap_or_default();
        }
        println!("{}: {refused} of {} were refused", arguments[0], 10 * rounds);
    }
    let counted = stdout(&counting);
    let alone = dir.path().join("alone");
    let again = stdout(&["count", game, "-q", "--dir", text(&alone)]);
    let number = |text: &str| text.split(" solutions").next().unwrap().to_owned();
    assert_eq!(number(&counted), number(&again));
    let rows = fs::read_to_string(sample.join("sample.csv")).unwrap();
    assert_eq!(rows.lines().count(), 3001);
    stdout(&sampling);
}

#[test]
fn processes_that_race_for_a_count_or_a_sample_do_it_once() {
    races_for_parts("triangles:band14", 2);
}

#[test]
#[ignore = "part of scripts/faults.sh"]
fn more_races_for_counts_and_samples_do_them_once() {
    races_for_parts("triangles:random:1", 5);
}

// Limits of the system.

/// Runs the program with less than it would like; `None` if it cannot even be started.
fn limited(arguments: &[&str], limits: &[(Resource, u64)]) -> Option<Output> {
    let mut command = godnum(arguments);
    let limits: Vec<_> = limits.to_vec();
    let tighten = move || {
        for &(resource, value) in &limits {
            let limit = Rlimit { current: Some(value), maximum: Some(value) };
            let _ = setrlimit(resource, limit);
        }
        Ok(())
    };
    // SAFETY: only system calls are made in the child, which has this thread only.
    unsafe { command.pre_exec(tighten) };
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().ok()?.wait_with_output().ok()
}

/// The smallest value, out of a list, with which the program itself can be loaded.
fn starts(resource: Resource, values: impl Iterator<Item = u64>) -> Vec<u64> {
    let works =
        |value: &u64| limited(&["--version"], &[(resource, *value)]).is_some_and(|o| o.status.success());
    values.skip_while(|value| !works(value)).collect()
}

/// Tries every value; the job goes on from one to the next, and from the last without a limit.
fn under_limits(resource: Resource, values: &[u64], puzzle: &str, options: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    let (mut stops, mut ends) = (0, 0);
    for &value in values {
        let job = dir.path().join("job");
        let arguments = [&["enumerate", puzzle, "-q", "--dir", text(&job)], options].concat();
        let context = format!("{resource:?} {value} {options:?}");
        let output = limited(&arguments, &[(resource, value)]).unwrap();
        let (code, words) = ending(&output, &[0, 3], &context);
        if code == 0 {
            ends += 1;
        } else {
            stops += 1;
            assert!(words.contains("again") || words.contains("--memory"), "{context}: {words}");
        }
        assert_tidy(&job);
        let verify = ["verify", text(&job), "-q", "--sample", "100"];
        if let Some(output) = limited(&verify, &[(resource, value)]) {
            ending(&output, &[0, 2, 3], &format!("verify with {context}"));
        }
        stdout(&["enumerate", puzzle, "-q", "--dir", text(&job)]);
        assert_same_job(&reference(puzzle, &[]), &job);
        fs::remove_dir_all(&job).unwrap();
    }
    println!("{resource:?}: {} limits, {stops} stops, {ends} ends", values.len());
    assert!(ends > 0, "{resource:?}: no limit was enough");
    assert!(stops > 0, "{resource:?}: every limit was enough");
}

fn memory_limits(steps: u64) {
    let from = starts(Resource::As, (1..200).map(|i| i << 20))[0];
    let to = 512 << 20;
    let value = |i: u64| from + (to - from) * i * i / (steps * steps);
    let values: Vec<u64> = (0..=steps).map(value).collect();
    let sparse = ["--container", "sparse", "--memory", "128M", "--threads", "2"];
    let dense = ["--container", "dense", "--memory", "64M", "--threads", "4"];
    under_limits(Resource::As, &values, PUZZLE, &sparse);
    under_limits(Resource::As, &values, PUZZLE, &dense);
    // What is asked for by default fits into what is there.
    for value in [400 << 20, 1 << 30] {
        let dir = tempfile::tempdir().unwrap();
        let arguments = ["enumerate", PUZZLE, "-q", "--dir", text(dir.path())];
        let output = limited(&arguments, &[(Resource::As, value)]).unwrap();
        ending(&output, &[0], &format!("{value} bytes of address space"));
    }
}

#[test]
fn memory_that_is_refused_is_said_in_a_sentence() {
    memory_limits(4);
}

#[test]
#[ignore = "part of scripts/faults.sh"]
fn sixty_limits_on_memory_are_met_with_sentences() {
    memory_limits(60);
}

fn open_file_limits(most: usize) {
    let mut values = starts(Resource::Nofile, 3..24);
    values.truncate(most);
    values.extend([32, 64]);
    let options = ["--container", "sparse", "--memory", "8M", "--threads", "4"];
    let saved_always = [&options[..], &["--checkpoint-every", "0s"]].concat();
    under_limits(Resource::Nofile, &values, PUZZLE, &saved_always);
}

#[test]
fn few_open_files_are_enough_or_said_in_a_sentence() {
    open_file_limits(5);
}

#[test]
#[ignore = "part of scripts/faults.sh"]
fn every_limit_on_open_files_is_met_with_a_sentence() {
    open_file_limits(20);
}

#[test]
fn files_that_may_not_grow_are_said_in_a_sentence() {
    let values = [0, 1, 1000, 4096, 20_000, 65_536, 300_000, 800_000, 10_000_000];
    under_limits(Resource::Fsize, &values, PUZZLE, SPARSE);
}

#[test]
fn threads_that_are_refused_are_said_in_a_sentence() {
    use std::os::unix::fs::{PermissionsExt, chown};
    // A user of whom nothing else runs.
    let user = 64_999;
    if !possible(Command::new("true").uid(user), "no right to become another user") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let home = dir.path().join("home");
    fs::create_dir(&home).unwrap();
    chown(&home, Some(user), None).unwrap();
    let binary = dir.path().join("godnum");
    copy_program(&binary);
    let (mut stops, mut ends) = (0, 0);
    for threads in 0..8 {
        for arguments in [
            &["enumerate", "wrapslide:4x4:4", "-q", "--threads", "4"][..],
            &["verify", "runs/wrapslide-4x4-4", "-q"],
            &["sample", "tiles:3x3", "--count", "5", "--threads", "4", "-q"],
            &["count", "triangles:band14", "--threads", "4", "-q"],
            &["survey", "gourds", "5"],
            &["solve", "tiles:3x3", "8 6 7/2 5 4/3 0 1", "--solver", "optimal"],
        ] {
            let mut command = Command::new(&binary);
            command.args(arguments).uid(user).current_dir(&home);
            command.env("XDG_CACHE_HOME", home.join("cache"));
            let tighten = move || {
                let limit = Some(threads);
                let limit = Rlimit { current: limit, maximum: limit };
                let _ = setrlimit(Resource::Nproc, limit);
                Ok(())
            };
            // SAFETY: one system call in the child, which has this thread only.
            unsafe { command.pre_exec(tighten) };
            let output = command.stdin(Stdio::null()).output().unwrap();
            let context = format!("{arguments:?} with {threads} threads");
            match ending(&output, &[0, 2, 3], &context) {
                (3, words) => {
                    assert!(words.contains("threads"), "{context}: {words}");
                    stops += 1;
                }
                _ => ends += 1,
            }
        }
    }
    println!("threads: {stops} stops, {ends} ends");
    assert!(stops > 0 && ends > 0);
}

/// Commands whose output is not read end quietly, or with a sentence; never in a panic.
#[test]
fn output_that_is_not_read_is_no_panic() {
    let dir = tempfile::tempdir().unwrap();
    two_jobs(dir.path());
    let mut commands = READERS.to_vec();
    commands.extend([
        &["enumerate", "wrapslide:4x4:4"][..],
        &["resume", "runs/half"],
        &["sample", "tiles:2x3", "--count", "20"],
        &["scramble", "tiles:3x3", "--count", "2000"],
        &["puzzles"],
        &["bounds", "wrapslide:4x4:4"],
        &["--help"],
    ]);
    for arguments in commands {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = godnum(arguments);
        command.current_dir(dir.path()).env("XDG_CACHE_HOME", dir.path());
        let output = command.stdout(full).stderr(Stdio::piped()).output().unwrap();
        if arguments != ["--help"] {
            // A device that is full is a disk that is full.
            let (_, words) = ending(&output, &[1], &format!("{arguments:?} on /dev/full"));
            assert!(words.contains("standard output"), "{words}");
        }
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        ending(&output, &[0], &format!("{arguments:?} on a closed pipe"));
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command.stdout(Stdio::null()).stderr(full).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?} without standard error");
    }
}

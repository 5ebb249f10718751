//! Jobs that are stopped, killed and changed on the way end with the same bytes as undisturbed
//! ones.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::thread::sleep;
use std::time::{Duration, Instant};

use godnum::engine::{ContainerKind, Control, Job, Observer, Options, enumerate};
use godnum::error::{Error, Interruption};
use godnum::puzzle::subject;
use godnum::puzzles::registry;
use godnum::store::Pulse;

use crate::common::*;
use crate::faulty_fs::{Fault, FaultyFs};
use crate::slow_files::SlowFiles;

const PUZZLE: &str = "wrapslide:6x6:2";

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// An undisturbed job of `PUZZLE`, made once for all tests of this file.
fn reference() -> PathBuf {
    static DIR: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
    DIR.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap().keep().join("job");
        stdout(&["enumerate", PUZZLE, "-q", "--dir", text(&dir)]);
        dir
    })
    .clone()
}

/// Waits for a process; fails if it takes longer than `limit`.
fn wait_at_most(child: &mut Child, limit: Duration) -> std::process::ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(start.elapsed() < limit, "the process does not end");
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn stop_signals_are_answered_and_the_job_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    let resume = ["resume", text(&job), "-q", "--container", "sparse", "--memory", "8M", "--threads", "1"];
    for (i, name) in ["INT", "TERM", "HUP"].into_iter().enumerate() {
        let mut child = match i {
            0 => {
                let mut first = vec!["enumerate", PUZZLE, "--dir", text(&job)];
                first.extend_from_slice(&resume[2..]);
                start(&first)
            }
            _ => start(&resume),
        };
        sleep(Duration::from_millis(400));
        let sent = Instant::now();
        signal(&child, name);
        let status = wait_at_most(&mut child, Duration::from_secs(5));
        assert!(sent.elapsed() < Duration::from_secs(5));
        assert_eq!(status.code(), Some(130), "{name}");
        let mut words = String::new();
        child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
        assert!(words.contains("godnum resume"), "{words}");
    }
    stdout(&resume);
    assert_same_job(&reference(), &job);
}

/// Asks to stop in the middle of a large level, and hears whether that takes long.
struct Stopper<'a> {
    stop: &'a AtomicBool,
    asked: OnceLock<Instant>,
    told: OnceLock<Instant>,
}

impl Observer for Stopper<'_> {
    fn tick(&self, pulse: &Pulse) {
        if pulse.level >= 8 && pulse.phase == "expand" && (1..pulse.total).contains(&pulse.done) {
            self.asked.get_or_init(Instant::now);
            self.stop.store(true, SeqCst);
        }
    }

    fn stopping(&self, _: Duration) {
        self.told.set(Instant::now()).unwrap();
    }
}

/// A stop that takes long, because everything is saved first, is explained within 5 seconds; and nothing of
/// the level is lost.
#[test]
fn a_stop_saves_everything_and_says_so() {
    let stop_in = |container| {
        let dir = tempfile::tempdir().unwrap();
        let job = dir.path().join("job");
        let puzzle = registry::parse(PUZZLE).unwrap();
        let subject = subject(&*puzzle).unwrap();
        let stop = AtomicBool::new(false);
        let stopper = Stopper { stop: &stop, asked: OnceLock::new(), told: OnceLock::new() };
        let options = Options {
            memory: Some(32 << 20),
            threads: Some(2),
            container: Some(container),
            files: Arc::new(SlowFiles(Duration::from_millis(700))),
            ..Options::default()
        };
        let control = Control { stop: &stop, observer: &stopper };
        let error = enumerate(&subject, &job, &options, control).unwrap_err();
        let is_saved = matches!(error, Error::Interrupted(Interruption::Level { saved: true, .. }));
        assert!(is_saved, "{error}");
        let patience = *stopper.told.get().unwrap() - *stopper.asked.get().unwrap();
        assert!(patience < Duration::from_secs(5), "{patience:?}");
        let checkpoint = Job::open(&job).unwrap().manifest().unwrap().checkpoint.unwrap();
        assert!(checkpoint.level >= 8 && checkpoint.candidates > 0, "{checkpoint:?}");
        stdout(&["resume", text(&job), "-q"]);
        assert_same_job(&reference(), &job);
    };
    // Most of the time is that of the slow disk.
    std::thread::scope(|scope| {
        scope.spawn(|| stop_in(ContainerKind::Sparse));
        stop_in(ContainerKind::Dense);
    });
}

/// `nohup` starts a process that ignores SIGHUP; it must stay that way.
#[test]
fn under_nohup_a_hangup_is_ignored() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    let binary = env!("CARGO_BIN_EXE_godnum");
    let mut child = std::process::Command::new("nohup")
        .args([binary, "enumerate", PUZZLE, "--dir", text(&job)])
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    sleep(Duration::from_millis(400));
    signal(&child, "HUP");
    assert!(child.wait().unwrap().success());
    assert_same_job(&reference(), &job);
}

#[test]
fn any_time_between_checkpoints_will_do() {
    for every in ["0s", "1ms", "9999999999999999999"] {
        let dir = tempfile::tempdir().unwrap();
        let job = dir.path().join("job");
        stdout(&["enumerate", "wrapslide:4x4:4", "-q", "--dir", text(&job), "--checkpoint-every", every]);
        let csv = std::fs::read_to_string(job.join("levels.csv")).unwrap();
        assert!(csv.ends_with("12,14,4704\n"), "{csv}");
    }
}

#[test]
fn a_second_process_is_refused_and_status_sees_the_first() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    let slow = ["enumerate", PUZZLE, "-q", "--dir", text(&job), "--memory", "4M", "--threads", "1"];
    let mut child = start(&slow);
    sleep(Duration::from_millis(500));
    let words = complaint(&slow, 6);
    assert!(words.contains(&child.id().to_string()), "{words}");
    let words = complaint(&["enumerate", PUZZLE, "--fresh", "--dir", text(&job)], 6);
    assert!(words.contains("being worked on"), "{words}");
    let words = complaint(&["verify", text(&job)], 6);
    assert!(words.contains("being worked on"), "{words}");
    let status = stdout(&["status", text(&job)]);
    let expected = format!("running, process {}", child.id());
    assert!(status.contains(&expected), "{status}");
    child.kill().unwrap();
    child.wait().unwrap();
    let status = stdout(&["status", text(&job)]);
    assert!(status.contains("not running, not finished"), "{status}");
    stdout(&slow);
    assert_same_job(&reference(), &job);
    assert!(stdout(&["status", text(&job)]).contains("state:   finished"));
}

#[test]
fn max_level_stops_and_a_later_run_goes_further() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    for level in ["0", "3", "3", "8"] {
        let printed = stdout(&["enumerate", PUZZLE, "-q", "--dir", text(&job), "--max-level", level]);
        assert!(printed.contains(&format!("up to level {level} ")), "{printed}");
    }
    let moved = dir.path().join("moved");
    std::fs::rename(&job, &moved).unwrap();
    stdout(&["resume", text(&moved), "-q"]);
    assert_same_job(&reference(), &moved);
    // And back again.
    let printed = stdout(&["resume", text(&moved), "-q", "--from-level", "7", "--max-level", "7"]);
    assert!(printed.contains("up to level 7 "), "{printed}");
    assert_eq!(names_in(&moved.join("levels")).len(), 8);
    stdout(&["resume", text(&moved), "-q"]);
    assert_same_job(&reference(), &moved);
}

#[test]
fn a_finished_job_is_shown_and_not_run_again() {
    let job = reference();
    let before = std::fs::metadata(job.join("manifest.json")).unwrap().modified().unwrap();
    let printed = stdout(&["enumerate", PUZZLE, "--dir", text(&job)]);
    assert!(printed.contains("God's number of wrapslide:6x6:2 is 12"), "{printed}");
    let after = std::fs::metadata(job.join("manifest.json")).unwrap().modified().unwrap();
    assert_eq!(before, after);
}

#[test]
fn a_disk_limit_stops_the_job_and_more_room_lets_it_go_on() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    let words = complaint(&["enumerate", PUZZLE, "-q", "--dir", text(&job), "--disk-limit", "600K"], 3);
    assert!(words.contains("--disk-limit"), "{words}");
    assert!(job.join("levels/00007.gls").exists());
    stdout(&["enumerate", PUZZLE, "-q", "--dir", text(&job), "--disk-limit", "10M"]);
    assert_same_job(&reference(), &job);
}

/// Runs that an earlier process left in another scratch directory are part of the job.
#[test]
fn a_disk_limit_counts_runs_in_an_earlier_scratch_directory() {
    let size = |dir: &Path| -> u64 {
        let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
        let metadata = entries.map(|entry| entry.metadata().unwrap());
        metadata.filter(|found| found.is_file()).map(|found| found.len()).sum()
    };
    let puzzle = registry::parse("wrapslide:4x4:3").unwrap();
    let subject = subject(&*puzzle).unwrap();
    let stop = AtomicBool::new(false);
    let options = |scratch: PathBuf| Options {
        memory: Some(64 << 10),
        threads: Some(1),
        container: Some(ContainerKind::Sparse),
        checkpoint_every: Duration::ZERO,
        scratch: Some(scratch),
        max_level: Some(8),
        ..Options::default()
    };
    for call in (0..).step_by(5) {
        let place = tempfile::tempdir().unwrap();
        let (job, first) = (place.path().join("job"), place.path().join("first"));
        let files = FaultyFs::new(place.path());
        files.begin(Some((call, Fault::Kill)));
        let killed = Options { files: Arc::new(files), ..options(first.clone()) };
        let ended = enumerate(&subject, &job, &killed, silently(&stop)).is_ok();
        assert!(!ended, "no checkpoint has large runs elsewhere");
        let Ok(opened) = Job::open(&job) else { continue };
        let manifest = opened.manifest().unwrap();
        let drains = |checkpoint: &godnum::engine::Checkpoint| {
            checkpoint.partial.as_ref().is_some_and(|partial| partial.drained > checkpoint.low)
        };
        if !manifest.checkpoint.as_ref().is_some_and(drains) {
            continue;
        }
        let elsewhere: u64 = manifest.scratch.iter().map(|folder| size(folder)).sum();
        let inside = size(&job) + size(&job.join("levels"));
        assert_eq!(opened.size(&manifest.scratch).unwrap(), inside + elsewhere);
        if elsewhere < 8_000 {
            continue;
        }
        // Without further checkpoints, what is left of the level would find room.
        let limited = |limit| Options {
            disk_limit: Some(limit),
            checkpoint_every: Duration::from_secs(1 << 30),
            ..options(place.path().join("second"))
        };
        let refused = limited(inside + elsewhere / 2);
        let refused = enumerate(&subject, &job, &refused, silently(&stop));
        assert!(matches!(refused, Err(Error::Limit(_))), "{refused:?}");
        let enough = limited(1 << 20);
        enumerate(&subject, &job, &enough, silently(&stop)).unwrap();
        return;
    }
}

/// Wants to stop as soon as a level set is read.
struct StopsAtReading(AtomicBool);

impl Observer for StopsAtReading {
    fn note(&self, sentence: &str) {
        if sentence == "level 6: reading" {
            self.0.store(true, Relaxed);
        }
    }
}

#[test]
fn a_stop_is_seen_while_a_job_is_opened() {
    let place = tempfile::tempdir().unwrap();
    let puzzle = registry::parse("wrapslide:4x4:3").unwrap();
    let subject = subject(&*puzzle).unwrap();
    let stop = AtomicBool::new(false);
    let options = Options { max_level: Some(9), ..Options::default() };
    enumerate(&subject, place.path(), &options, silently(&stop)).unwrap();
    // Were it read to its end, that would be said.
    let level = place.path().join("levels/00006.gls");
    let mut bytes = std::fs::read(&level).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&level, bytes).unwrap();
    let observer = StopsAtReading(AtomicBool::new(false));
    let control = Control { stop: &observer.0, observer: &observer };
    let stopped = enumerate(&subject, place.path(), &Options::default(), control);
    assert!(matches!(stopped, Err(Error::Interrupted(_))), "{stopped:?}");
    let read = enumerate(&subject, place.path(), &Options::default(), silently(&stop));
    assert!(matches!(read, Err(Error::Damaged { .. })), "{read:?}");
}

#[test]
fn a_scratch_directory_needs_a_name_that_can_be_written_down() {
    use std::os::unix::ffi::OsStrExt;
    let dir = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"scr\xff");
    let output = godnum(&["enumerate", PUZZLE, "--dir", text(&dir.path().join("job"))])
        .arg("--scratch")
        .arg(dir.path().join(name))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
}

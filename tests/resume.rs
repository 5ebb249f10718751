//! Jobs that are stopped, killed and changed on the way end with the same bytes as undisturbed
//! ones.

mod common;

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::*;

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

/// Kills the job at pseudo-random moments until it is through; returns how often.
fn killed_to_the_end(job: &Path, extra: &[&[&str]], mut seed: u64) -> u32 {
    let mut kills = 0;
    loop {
        let mut arguments = vec!["enumerate", PUZZLE, "-q", "--dir", text(job)];
        arguments.extend_from_slice(extra[kills as usize % extra.len()]);
        let mut child = start(&arguments);
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        // Most lives are short; they grow, so that the job ends.
        sleep(Duration::from_millis(
            (seed >> 33) % (60 + 15 * u64::from(kills)),
        ));
        child.kill().unwrap();
        let status = child.wait().unwrap();
        if status.success() {
            return kills;
        }
        let mut words = String::new();
        let _ = child.stderr.take().unwrap().read_to_string(&mut words);
        assert_eq!(status.signal(), Some(9), "it failed by itself: {words}");
        kills += 1;
        assert!(kills < 400, "the job makes no progress");
    }
}

#[test]
fn kill_nine_at_any_moment_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let sparse: &[&str] = &[
        "--container",
        "sparse",
        "--memory",
        "8M",
        "--checkpoint-every",
        "20ms",
    ];
    let dense: &[&str] = &["--container", "dense", "--checkpoint-every", "30ms"];
    let passes: &[&str] = &[
        "--container",
        "dense",
        "--memory",
        "6M",
        "--checkpoint-every",
        "10ms",
    ];
    let scratch = dir.path().join("scratch");
    let elsewhere: &[&str] = &["--checkpoint-every", "20ms", "--scratch", text(&scratch)];
    let mut kills = 0;
    for (i, extra) in [
        &[sparse][..],
        &[dense],
        &[passes],
        // Everything that may change on resume changes all the time.
        &[sparse, dense, passes, elsewhere, &["--threads", "1"]],
    ]
    .iter()
    .enumerate()
    {
        let job = dir.path().join(i.to_string());
        kills += killed_to_the_end(&job, extra, 77 + i as u64);
        assert_same_job(&reference(), &job);
        stdout(&["verify", text(&job), "-q", "--sample", "200"]);
        assert!(!job.join("scratch").exists(), "runs are left behind");
    }
    println!("killed {kills} times");
    assert!(kills >= 20, "only {kills} kills: that shows little");
}

#[test]
fn stop_signals_are_answered_and_the_job_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    let resume = [
        "resume",
        text(&job),
        "-q",
        "--container",
        "sparse",
        "--memory",
        "8M",
        "--threads",
        "1",
    ];
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
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut words)
            .unwrap();
        assert!(words.contains("godnum resume"), "{words}");
    }
    stdout(&resume);
    assert_same_job(&reference(), &job);
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
        stdout(&[
            "enumerate",
            "wrapslide:4x4:4",
            "-q",
            "--dir",
            text(&job),
            "--checkpoint-every",
            every,
        ]);
        let csv = std::fs::read_to_string(job.join("levels.csv")).unwrap();
        assert!(csv.ends_with("12,14,4704\n"), "{csv}");
    }
}

#[test]
fn a_second_process_is_refused_and_status_sees_the_first() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    let slow = [
        "enumerate",
        PUZZLE,
        "-q",
        "--dir",
        text(&job),
        "--memory",
        "4M",
        "--threads",
        "1",
    ];
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
        let printed = stdout(&[
            "enumerate",
            PUZZLE,
            "-q",
            "--dir",
            text(&job),
            "--max-level",
            level,
        ]);
        assert!(
            printed.contains(&format!("up to level {level} ")),
            "{printed}"
        );
    }
    let moved = dir.path().join("moved");
    std::fs::rename(&job, &moved).unwrap();
    stdout(&["resume", text(&moved), "-q"]);
    assert_same_job(&reference(), &moved);
    // And back again.
    let printed = stdout(&[
        "resume",
        text(&moved),
        "-q",
        "--from-level",
        "7",
        "--max-level",
        "7",
    ]);
    assert!(printed.contains("up to level 7 "), "{printed}");
    assert_eq!(names_in(&moved.join("levels")).len(), 8);
    stdout(&["resume", text(&moved), "-q"]);
    assert_same_job(&reference(), &moved);
}

#[test]
fn a_finished_job_is_shown_and_not_run_again() {
    let job = reference();
    let before = std::fs::metadata(job.join("manifest.json"))
        .unwrap()
        .modified()
        .unwrap();
    let printed = stdout(&["enumerate", PUZZLE, "--dir", text(&job)]);
    assert!(
        printed.contains("God's number of wrapslide:6x6:2 is 12"),
        "{printed}"
    );
    let after = std::fs::metadata(job.join("manifest.json"))
        .unwrap()
        .modified()
        .unwrap();
    assert_eq!(before, after);
}

#[test]
fn a_disk_limit_stops_the_job_and_more_room_lets_it_go_on() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    let words = complaint(
        &[
            "enumerate",
            PUZZLE,
            "-q",
            "--dir",
            text(&job),
            "--disk-limit",
            "600K",
        ],
        3,
    );
    assert!(words.contains("--disk-limit"), "{words}");
    assert!(job.join("levels/00007.gls").exists());
    stdout(&[
        "enumerate",
        PUZZLE,
        "-q",
        "--dir",
        text(&job),
        "--disk-limit",
        "10M",
    ]);
    assert_same_job(&reference(), &job);
}

/// A copy of a job must not take the runs away that the original still needs.
#[test]
fn a_copied_job_leaves_the_original_alone() {
    let dir = tempfile::tempdir().unwrap();
    let (job, copy) = (dir.path().join("job"), dir.path().join("copy"));
    let scratch = dir.path().join("scratch");
    let options = [
        "-q",
        "--container",
        "sparse",
        "--memory",
        "4M",
        "--threads",
        "1",
        "--scratch",
        text(&scratch),
    ];
    let mut arguments = vec!["enumerate", PUZZLE, "--dir", text(&job)];
    arguments.extend_from_slice(&options);
    let mut child = start(&arguments);
    sleep(Duration::from_millis(1200));
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let copied = std::process::Command::new("cp")
        .args(["-r", text(&job), text(&copy)])
        .status();
    assert!(copied.unwrap().success());
    for dir in [&copy, &job] {
        let mut arguments = vec!["resume", text(dir)];
        arguments.extend_from_slice(&options);
        stdout(&arguments);
        assert_same_job(&reference(), dir);
    }
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

/// A file system of its own, small enough to fill up. Needs the right to mount.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn new(dir: &Path, size: &str) -> Option<Self> {
        let path = dir.join("small");
        std::fs::create_dir(&path).unwrap();
        let options = format!("size={size}");
        let status = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs", text(&path)])
            .stderr(std::process::Stdio::null())
            .status();
        status.is_ok_and(|s| s.success()).then_some(SmallDisk(path))
    }

    fn grow(&self, size: &str) {
        let options = format!("remount,size={size}");
        let mut mount = std::process::Command::new("mount");
        assert!(
            mount
                .args(["-o", &options, text(&self.0)])
                .status()
                .unwrap()
                .success()
        );
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let Some(small) = SmallDisk::new(dir.path(), "900k") else {
        eprintln!("skipped: no right to mount a small file system");
        return;
    };
    let job = small.0.join("job");
    // Levels that will not fit are refused before they start; runs of a checkpoint can fill the
    // disk in the middle of one.
    for extra in [
        &[
            "--checkpoint-every",
            "10ms",
            "--memory",
            "4M",
            "--container",
            "sparse",
        ][..],
        &[],
    ] {
        let mut arguments = vec!["enumerate", PUZZLE, "-q", "--dir", text(&job)];
        arguments.extend_from_slice(extra);
        let output = run(&arguments);
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(matches!(output.status.code(), Some(1 | 3)), "{words}");
        assert!(words.contains("space"), "{words}");
    }
    let safe = names_in(&job.join("levels"));
    assert!(safe.len() >= 7, "{safe:?}");
    assert!(safe.iter().all(|name| name.ends_with(".gls")), "{safe:?}");
    small.grow("64m");
    stdout(&["enumerate", PUZZLE, "-q", "--dir", text(&job)]);
    assert_same_job(&reference(), &job);
}

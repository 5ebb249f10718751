//! Jobs that are stopped, killed and changed on the way end with the same bytes as undisturbed
//! ones.

mod common;

use std::io::Read;
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

//! `godnum bench`: what it prints, and the signature that no change may change.

use std::time::Duration;

use crate::common::*;

#[test]
fn the_quick_jobs_have_the_expected_signature() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().to_str().unwrap();
    let quick = ["bench", "--quick", "--repeat", "1", "-q", "--dir", place];
    let printed = stdout(&quick);
    let row = printed.lines().nth(1).unwrap_or_default();
    let words: Vec<_> = row.split_whitespace().take(4).collect();
    assert_eq!(words, ["wrapslide:4x4:4", "13", "84,174", "63,063,000"]);
    assert!(printed.ends_with("\nsignature 8bc311a31c1690b1\n"), "{printed}");

    // Whatever memory and threads, and as JSON.
    let other = ["--json", "--memory", "8M", "--threads", "3"];
    let json = stdout(&[&quick[..], &other[..]].concat());
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["signature"], "8bc311a31c1690b1");
    assert_eq!(value["expected"], "8bc311a31c1690b1");
    assert_eq!(value["jobs"][0]["states"], "63063000");
    assert!(value["jobs"][0]["seconds"].as_f64().unwrap() > 0.0);

    assert_eq!(names_in(dir.path()).len(), 0);
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("missing");
    let words = complaint(&["bench", "--quick", "--dir", missing.to_str().unwrap()], 1);
    assert!(words.contains("create the directory"), "{words}");
    complaint(&["bench", "--repeat", "0"], 2);
    let place = dir.path().to_str().unwrap();
    complaint(&["bench", "--quick", "--dir", place, "--memory", "10K"], 3);
    assert_eq!(names_in(dir.path()).len(), 0);
}

#[test]
fn stopping_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().to_str().unwrap();
    let child = start(&["bench", "--repeat", "1000", "-q", "--dir", place]);
    while names_in(dir.path()).is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    signal(&child, "TERM");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(names_in(dir.path()).len(), 0);
}
